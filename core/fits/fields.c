/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/fits/fields.h"

#include <string.h>

/* Makes @n fields of spin 0 without names, units and history. */
void
armilla_fields_init (ArmillaFields *self, int n)
{
  *self = (ArmillaFields) { .n = n };
  self->names = g_new0 (char *, (gsize) n + 1);
  self->units = g_new0 (char *, (gsize) n + 1);
  self->spins = g_new0 (int, (gsize) n);
  armilla_fields_set_names (self, NULL);
  armilla_fields_set_unit (self, NULL);
}

void
armilla_fields_clear (ArmillaFields *self)
{
  g_strfreev (self->names);
  g_strfreev (self->units);
  g_strfreev (self->history);
  g_free (self->spins);
  g_free (self->coordsys);
  g_free (self->polcconv);
  *self = (ArmillaFields) { 0 };
}

/* Copies all fields; @to must be uninitialised or cleared. */
void
armilla_fields_copy (ArmillaFields *to, const ArmillaFields *from)
{
  *to = (ArmillaFields) { .n = from->n };
  to->names = g_strdupv (from->names);
  to->units = g_strdupv (from->units);
  to->spins = g_memdup2 (from->spins, sizeof (int) * (gsize) from->n);
  to->coordsys = g_strdup (from->coordsys);
  to->polcconv = g_strdup (from->polcconv);
  to->history = g_strdupv (from->history);
}

static void
replace (char **place, const char *text)
{
  char *copy = g_strdup (text);

  g_free (*place);
  *place = copy;
}

void
armilla_fields_set_names (ArmillaFields *self, const char *const *names)
{
  for (int i = 0; i < self->n; i++)
    replace (&self->names[i], names != NULL ? names[i] : "");
}

void
armilla_fields_set_units (ArmillaFields *self, const char *const *units)
{
  for (int i = 0; i < self->n; i++)
    replace (&self->units[i], units[i]);
}

void
armilla_fields_set_unit (ArmillaFields *self, const char *unit)
{
  for (int i = 0; i < self->n; i++)
    replace (&self->units[i], unit != NULL ? unit : "");
}

/* Copies names and units of some fields of @from. @chosen: number of each field in @from */
void
armilla_fields_choose (ArmillaFields *self, const ArmillaFields *from, const int *chosen)
{
  for (int i = 0; i < self->n; i++)
    {
      replace (&self->names[i], from->names[chosen[i]]);
      replace (&self->units[i], from->units[chosen[i]]);
    }
}

void
armilla_fields_set_spins (ArmillaFields *self, const int *spins)
{
  g_return_if_fail (armilla_fields_check (spins, self->n, NULL));
  for (int i = 0; i < self->n; i++)
    self->spins[i] = spins != NULL ? spins[i] : 0;
}

void
armilla_fields_set_coordsys (ArmillaFields *self, const char *coordsys)
{
  replace (&self->coordsys, coordsys);
}

void
armilla_fields_set_polcconv (ArmillaFields *self, const char *polcconv)
{
  replace (&self->polcconv, polcconv);
}

void
armilla_fields_add_history (ArmillaFields *self, const char *line)
{
  const guint n = self->history != NULL ? g_strv_length (self->history) : 0;

  self->history = g_renew (char *, self->history, n + 2);
  self->history[n] = g_strdup (line);
  self->history[n + 1] = NULL;
}

/* Returns the names of the fields; NULL if no field has a name. */
const char *const *
armilla_fields_known_names (const ArmillaFields *self)
{
  for (int i = 0; i < self->n; i++)
    if (self->names[i][0] != '\0')
      return (const char *const *) self->names;
  return NULL;
}

/* Returns whether all spins are from 0 to ARMILLA_SPIN_MAX and fields of spin above 0 come in
 * adjacent pairs. @spins: spin of each field (may be NULL). */
gboolean
armilla_fields_check (const int *spins, int n_fields, GError **error)
{
  for (int i = 0; spins != NULL && i < n_fields; i++)
    {
      if (spins[i] < 0 || spins[i] > ARMILLA_SPIN_MAX)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "field %d has spin %d; must be from 0 to %d", i, spins[i],
                             ARMILLA_SPIN_MAX);
      if (spins[i] == 0)
        continue;
      if (i + 1 == n_fields || spins[i + 1] != spins[i])
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "field %d has spin %d but no partner; fields of spin above 0 must "
                             "come in adjacent pairs", i, spins[i]);
      i++;
    }
  return TRUE;
}

/* Returns whether two lists of spins are the same; NULL: all are 0. */
gboolean
armilla_fields_equal (const int *a, const int *b, int n_fields)
{
  for (int i = 0; i < n_fields; i++)
    if ((a != NULL ? a[i] : 0) != (b != NULL ? b[i] : 0))
      return FALSE;
  return TRUE;
}

/* Returns whether any field has a spin above 0. @spins: spins, NULL if all are 0. */
gboolean
armilla_fields_polarised (const int *spins, int n_fields)
{
  return !armilla_fields_equal (spins, NULL, n_fields);
}

/* Returns whether @text lists a valid spin for each field; ARMILLA_ERROR_PARSE or
 * ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_fields_parse (const char *text, int n_fields, int *spins, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  int n = (int) g_strv_length (words);

  if (n != n_fields && n != 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "spin lists %d values for %d fields; must be one per field, or one for "
                         "all", n, n_fields);
  for (int i = 0; i < n_fields; i++)
    {
      gint64 spin;

      if (!g_ascii_string_to_signed (g_strstrip (words[n == 1 ? 0 : i]), 10, 0, ARMILLA_SPIN_MAX,
                                     &spin, NULL))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "spin is \"%s\"; must be integers from 0 to %d separated by commas",
                             text, ARMILLA_SPIN_MAX);
      spins[i] = (int) spin;
    }
  return armilla_fields_check (spins, n_fields, error);
}

/* Returns whether a word of a name only means "polarisation". */
static gboolean
is_filler (const char *word)
{
  static const char *const fillers[] = { "",     "POLARISATION", "POLARIZATION", "POL",
                                         "POLAR", "STOKES",      "MAP",          NULL };

  for (const char *const *filler = fillers; *filler != NULL; filler++)
    if (g_ascii_strcasecmp (word, *filler) == 0)
      return TRUE;
  return FALSE;
}

/* Returns 'Q' or 'U' if the name is one that HEALPix, healpy, WMAP or Planck use for this column of
 * a polarised map: Q_POLARISATION, Q-POLARISATION, Q_STOKES, STOKES Q, Q and the like; 0 for other
 * names, such as Q_ERROR. */
char
armilla_fields_stokes (const char *name)
{
  g_auto (GStrv) words = g_strsplit_set (name, "_- ", -1);
  char found = 0;

  for (char **word = words; *word != NULL; word++)
    {
      if (is_filler (*word))
        continue;
      if (found != 0 || strlen (*word) != 1 || strchr ("QUqu", **word) == NULL)
        return 0;
      found = g_ascii_toupper (**word);
    }
  return found;
}

/* Finds Q and U by their names. Returns whether each Q is immediately followed by a U and each U
 * preceded by a Q. @spins: 2 for Q and U, 0 otherwise. */
gboolean
armilla_fields_from_names (const char *const *names, int n_fields, int *spins, GError **error)
{
  for (int i = 0; i < n_fields; i++)
    {
      char stokes = armilla_fields_stokes (names[i]);
      char next = i + 1 < n_fields ? armilla_fields_stokes (names[i + 1]) : 0;

      spins[i] = 0;
      if (stokes == 0)
        continue;
      if (stokes == 'U' && next == 'Q')
        return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s comes before %s; list Q before U",
                             names[i], names[i + 1]);
      if (stokes != 'Q' || next != 'U')
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s is not next to %s; polarisation needs Q, then U; set spin = 0 to "
                             "read any column as a scalar", names[i],
                             stokes == 'Q' ? "U" : "Q");
      spins[i] = spins[i + 1] = 2;
      i++;
    }
  return TRUE;
}

static gboolean
units_agree (const char *const *names, const char *const *units, int a, int b, GError **error)
{
  if (strcmp (units[a], units[b]) == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s is in \"%s\" but %s in \"%s\"; I, Q and U must have one unit: are the "
                       "columns in the wrong order?", names[a], units[a], names[b], units[b]);
}

/* Checks that both fields of a pair have one unit, and so has the scalar before a pair of spin 2:
 * I, Q, U. @spins: spins that armilla_fields_check() accepts (may be NULL); @units: units of the
 * fields, "" if unknown. */
gboolean
armilla_fields_check_units (const int *spins, const char *const *names, const char *const *units,
                            int n_fields, GError **error)
{
  for (int i = 0; i < n_fields; i++)
    {
      if (armilla_fields_part (spins, i) != 1)
        continue;
      if (spins[i] == 2 && i > 0 && spins[i - 1] == 0
          && !units_agree (names, units, i - 1, i, error))
        return FALSE;
      if (!units_agree (names, units, i, i + 1, error))
        return FALSE;
    }
  return TRUE;
}
