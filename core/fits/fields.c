/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/fits/fields.h"

#include <string.h>

/* Returns whether all spins are from 0 to ARMILLA_SPIN_MAX and those above 0 come in pairs, side
 * by side. @spins: spin of each field (may be NULL). */
gboolean
armilla_fields_check (const int *spins, int n_fields, GError **error)
{
  for (int i = 0; spins != NULL && i < n_fields; i++)
    {
      if (spins[i] < 0 || spins[i] > ARMILLA_SPIN_MAX)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "field %d has spin %d; spins are from 0 to %d", i, spins[i],
                             ARMILLA_SPIN_MAX);
      if (spins[i] == 0)
        continue;
      if (i + 1 == n_fields || spins[i + 1] != spins[i])
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "field %d has spin %d and no partner; fields of spin above 0 come in "
                             "pairs, side by side", i, spins[i]);
      i++;
    }
  return TRUE;
}

/* Returns whether they are the same. @a: spins, NULL when all are 0; @b: other spins (may be
 * NULL). */
gboolean
armilla_fields_equal (const int *a, const int *b, int n_fields)
{
  for (int i = 0; i < n_fields; i++)
    if ((a != NULL ? a[i] : 0) != (b != NULL ? b[i] : 0))
      return FALSE;
  return TRUE;
}

/* Returns whether any field has a spin above 0. @spins: spins, NULL when all are 0. */
gboolean
armilla_fields_polarised (const int *spins, int n_fields)
{
  return !armilla_fields_equal (spins, NULL, n_fields);
}

/* Returns whether @text lists as many spins as there are fields, and they can be;
 * ARMILLA_ERROR_PARSE or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_fields_parse (const char *text, int n_fields, int *spins, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  int n = (int) g_strv_length (words);

  if (n != n_fields && n != 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "spin lists %d, but there are %d fields; give one for each, or one for "
                         "all", n, n_fields);
  for (int i = 0; i < n_fields; i++)
    {
      gint64 spin;

      if (!g_ascii_string_to_signed (g_strstrip (words[n == 1 ? 0 : i]), 10, 0, ARMILLA_SPIN_MAX,
                                     &spin, NULL))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "spin is \"%s\"; give whole numbers from 0 to %d separated by commas",
                             text, ARMILLA_SPIN_MAX);
      spins[i] = (int) spin;
    }
  return armilla_fields_check (spins, n_fields, error);
}

/* The words of a name that say no more than "polarisation". */
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

/* What HEALPix, healpy, WMAP and Planck call the columns of a polarised map: Q_POLARISATION,
 * Q-POLARISATION, Q_STOKES, STOKES Q, Q and the like; the same with U. A name that says more
 * (Q_ERROR) is not one of them. Returns 'Q', 'U', or 0. */
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

/* Finds Q and U by their names. Returns whether each Q is followed by a U and each U comes
 * behind a Q. @spins: 2 for Q and U, 0 otherwise. */
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
                             "%s is there without %s beside it; polarisation needs Q and then U, "
                             "and spin = 0 takes any column as a scalar", names[i],
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
                       "%s is in \"%s\" but %s in \"%s\"; I, Q and U have one unit: are the "
                       "columns in the wrong order?", names[a], units[a], names[b], units[b]);
}

/* Both fields of a pair have one unit, and so has the scalar in front of a pair of spin 2: I, Q,
 * U. Returns whether the units are so. @spins: spins that armilla_fields_check() lets pass (may
 * be NULL); @units: units of the fields, "" when not known. */
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
