/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that the inputs of a stage have those metadata in common that they must, reports
 * differences, and copies common metadata to the output. If an input lacks an item, that of the
 * other inputs is used. */
#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/data.h"

#include <string.h>

#define BEYOND \
  "lmax = %" G_GINT64_FORMAT " at nside %" G_GINT64_FORMAT " is beyond 3 nside - 1 = %" \
  G_GINT64_FORMAT ": "

/* One input: its port, and the metadata of its fields. */
typedef struct {
  const char *port;
  const ArmillaFields *fields;
} Facts;

static gboolean
is_known (const char *word)
{
  return word != NULL && word[0] != '\0' && g_ascii_strcasecmp (word, "unknown") != 0;
}

static const char *
system_name (const char *letter)
{
  return letter[0] == 'G' ? " (galactic)" : letter[0] == 'E' ? " (ecliptic)"
         : letter[0] == 'C' ? " (equatorial)" : "";
}

static gboolean
same_coordinates (const Facts *a, const Facts *b, gboolean maps, GError **error)
{
  const char *first = a->fields->coordsys, *second = b->fields->coordsys;

  if (!is_known (first) || !is_known (second) || first[0] == second[0])
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has the coordinates %s%s, but %s has %s%s; convert one of them to those "
                       "of the other with %s", a->port, first, system_name (first),
                       b->port, second, system_name (second),
                       maps ? "rotate-map (or map2alm, rotate and alm2map)" : "rotate");
}

static gboolean
same_units (const Facts *a, const Facts *b, int n_fields, const char *cure, GError **error)
{
  for (int i = 0; i < MIN (n_fields, MIN (a->fields->n, b->fields->n)); i++)
    {
      const char *first = a->fields->units[i], *second = b->fields->units[i];

      if (!is_known (first) || !is_known (second) || strcmp (first, second) == 0)
        continue;
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s has the unit \"%s\", but %s has \"%s\"%s%s; %s", a->port, first,
                           b->port, second, *a->fields->names[i] != '\0' ? ", field " : "",
                           a->fields->names[i], cure);
    }
  return TRUE;
}

static char *
list_spins (const Facts *facts)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < facts->fields->n; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "",
                            facts->fields->spins != NULL ? facts->fields->spins[i] : 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
same_fields (const Facts *a, const Facts *b, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (a->fields->n != b->fields->n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s has %d field%s, but %s has %d; select equally many with fields of the "
                         "stages that read them", a->port, a->fields->n,
                         a->fields->n == 1 ? "" : "s", b->port, b->fields->n);
  if (!armilla_fields_equal (a->fields->spins, b->fields->spins, a->fields->n))
    {
      first = list_spins (a);
      second = list_spins (b);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has fields of other spins than %s, %s and %s; select the same "
                           "fields, or set spin of the stages that read them",
                           a->port, b->port, first, second);
    }
  if (!is_known (a->fields->polcconv) || !is_known (b->fields->polcconv)
      || strcmp (a->fields->polcconv, b->fields->polcconv) == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has the convention of polarisation (POLCCONV) %s, but %s has %s; set "
                       "spin where Q and U are read, which converts both to COSMO",
                       a->port, a->fields->polcconv,
                       b->port, b->fields->polcconv);
}

/* Returns whether @b has one field, or as many as @a; sets an error otherwise. */
static gboolean
one_or_each (const Facts *a, const Facts *b, GError **error)
{
  if (b->fields->n == 1 || b->fields->n == a->fields->n)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s has %d field%s, but %s has %d; must have one, or as many: select them "
                       "with fields of the stage that reads it", a->port, a->fields->n,
                       a->fields->n == 1 ? "" : "s", b->port, b->fields->n);
}

static gboolean
same_shape (const Facts *a, ArmillaData *x, const Facts *b, ArmillaData *y, GError **error)
{
  if (G_OBJECT_TYPE (x) == G_OBJECT_TYPE (y))
    return armilla_data_same_shape (x, a->port, y, b->port, error);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s and %s are of different kinds; connect maps, a_lm or spectra only",
                       a->port, b->port);
}

/* Checks that inputs are maps, a_lm or spectra, for ports that accept data of any type. */
gboolean
armilla_stage_need_fields (const ArmillaPort *ports, ArmillaData *const *inputs, GError **error)
{
  for (int i = 0; ports[i].flags & ARMILLA_PORT_IN; i++)
    if (inputs[i] != NULL && !armilla_data_has_fields (inputs[i]))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s: must be a map, a_lm or spectra", ports[i].name);
  return TRUE;
}

static gboolean
agree (const ArmillaPort *ports, ArmillaData *const *inputs, int i, int j, ArmillaStageAgree what,
       GError **error)
{
  const gboolean maps = armilla_data_has_pixels (inputs[i]);
  const Facts a = { ports[i].name, armilla_data_fields (inputs[i]) };
  const Facts b = { ports[j].name, armilla_data_fields (inputs[j]) };

  return (!(what & ARMILLA_AGREE_SHAPE) || same_shape (&a, inputs[i], &b, inputs[j], error))
    && (!(what & ARMILLA_AGREE_FIELDS) || same_fields (&a, &b, error))
    && (!(what & ARMILLA_AGREE_ONE_OR_EACH) || one_or_each (&a, &b, error))
    && (!(what & ARMILLA_AGREE_UNITS)
        || same_units (&a, &b, G_MAXINT, "convert them with weights, and set unit",
                       error))
    && (!(what & ARMILLA_AGREE_FIRST_UNIT)
        || same_units (&a, &b, 1,
                       "convert one of them with combine, or set unit if they are the same", error))
    && (!(what & ARMILLA_AGREE_COORDINATES) || same_coordinates (&a, &b, maps, error));
}

/* Compares every pair of inputs (NULL: unconnected); unknown coordinates or units match any. The
 * error names the difference, the inputs, and the remedy. */
gboolean
armilla_stage_agree (const ArmillaPort *ports, ArmillaData *const *inputs, ArmillaStageAgree what,
                     GError **error)
{
  for (int j = 0; ports[j].name != NULL && ports[j].flags & ARMILLA_PORT_IN; j++)
    for (int i = 0; i < j; i++)
      if (inputs[i] != NULL && inputs[j] != NULL && !agree (ports, inputs, i, j, what, error))
        return FALSE;
  return TRUE;
}

static void
carry_units (ArmillaFields *out, const ArmillaFields *from)
{
  for (int i = 0; i < MIN (out->n, from->n); i++)
    if (!is_known (out->units[i]) && is_known (from->units[i]))
      {
        g_free (out->units[i]);
        out->units[i] = g_strdup (from->units[i]);
      }
}

static void
carry_coordinates (ArmillaFields *out, const ArmillaFields *from)
{
  if (is_known (from->coordsys) && !is_known (out->coordsys))
    armilla_fields_set_coordsys (out, from->coordsys);
}

/* Sets the coordinates and the units of @out, where they are unknown, to those of the first input
 * that has them, and adds the notes of all inputs. armilla_stage_agree () must have succeeded. */
void
armilla_stage_carry (ArmillaData *out, const ArmillaPort *ports, ArmillaData *const *inputs,
                     ArmillaStageAgree what)
{
  for (int i = 0; ports[i].name != NULL && ports[i].flags & ARMILLA_PORT_IN; i++)
    {
      if (inputs[i] == NULL)
        continue;
      if (what & ARMILLA_AGREE_UNITS)
        carry_units (armilla_data_fields (out), armilla_data_fields (inputs[i]));
      if (what & ARMILLA_AGREE_COORDINATES)
        carry_coordinates (armilla_data_fields (out), armilla_data_fields (inputs[i]));
      armilla_stage_inherit (out, inputs[i]);
    }
}

/* If multipoles above 3 nside - 1 are used with a HEALPix map, adds a line to the HISTORY of @data
 * and to the report of @graph; either may be NULL. */
void
armilla_stage_limit_degrees (ArmillaData *data, ArmillaGraph *graph, ArmillaGrid *grid,
                             gint64 lmax, const char *consequence)
{
  const ArmillaGrid *whole = armilla_grid_whole (grid);

  if (whole->kind != ARMILLA_GRID_HEALPIX || lmax <= 3 * whole->nside - 1)
    return;
  if (data != NULL)
    armilla_stage_note (data, BEYOND "%s", lmax, whole->nside, 3 * whole->nside - 1, consequence);
  if (graph != NULL)
    armilla_graph_note (graph, NULL, BEYOND "%s", lmax, whole->nside, 3 * whole->nside - 1,
                        consequence);
}
