/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one rule for stages of several inputs: what they have to have in common, how it is said when
 * they do not, and what their output takes from them. What an input does not say of itself is
 * taken to be what the others say. */
#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"

#include <string.h>

#define BEYOND \
  "lmax = %" G_GINT64_FORMAT " at nside %" G_GINT64_FORMAT " is beyond 3 nside - 1 = %" \
  G_GINT64_FORMAT ": "

/* The words of one input's header that this page compares; NULL or "" where it says nothing. */
typedef struct {
  const char *port;
  int n_fields;
  const int *spins;
  char *const *units, *const *names; /* of maps, by field */
  const char *unit, *coordsys, *polcconv;
} Facts;

static Facts
facts_of (const ArmillaPort *port, ArmillaData *data)
{
  Facts facts = { .port = port->name };

  if (ARMILLA_IS_MAP (data))
    {
      const ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (data));

      facts.n_fields = header->n_fields;
      facts.spins = header->spins;
      facts.units = header->units;
      facts.names = header->names;
      facts.coordsys = header->coordsys;
      facts.polcconv = header->polcconv;
    }
  else if (ARMILLA_IS_ALM (data))
    {
      ArmillaAlm *alm = ARMILLA_ALM (data);

      facts.n_fields = armilla_alm_n_fields (alm);
      facts.spins = armilla_alm_spins (alm);
      facts.unit = armilla_alm_unit (alm);
      facts.coordsys = armilla_alm_coordsys (alm);
    }
  return facts;
}

static const char *
unit_of (const Facts *facts, int field)
{
  return facts->units != NULL ? facts->units[field] : facts->unit;
}

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
  if (!is_known (a->coordsys) || !is_known (b->coordsys) || a->coordsys[0] == b->coordsys[0])
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s is in the coordinates %s%s, but %s in %s%s; bring one of them into "
                       "those of the other first, with %s", a->port, a->coordsys,
                       system_name (a->coordsys), b->port, b->coordsys, system_name (b->coordsys),
                       maps ? "rotate-map (or map2alm, rotate and alm2map)" : "rotate");
}

static gboolean
same_units (const Facts *a, const Facts *b, int n_fields, const char *cure, GError **error)
{
  for (int i = 0; i < MIN (n_fields, MIN (a->n_fields, b->n_fields)); i++)
    {
      const char *first = unit_of (a, i), *second = unit_of (b, i);

      if (!is_known (first) || !is_known (second) || strcmp (first, second) == 0)
        continue;
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s is in the unit \"%s\", but %s in \"%s\"%s%s; %s", a->port, first,
                           b->port, second, a->names != NULL ? ", field " : "",
                           a->names != NULL ? a->names[i] : "", cure);
    }
  return TRUE;
}

static char *
list_spins (const Facts *facts)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < facts->n_fields; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "",
                            facts->spins != NULL ? facts->spins[i] : 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
same_fields (const Facts *a, const Facts *b, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (a->n_fields != b->n_fields)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%s has %d field%s, but %s has %d; choose as many with fields of the "
                         "stages that read them", a->port, a->n_fields, a->n_fields == 1 ? "" : "s",
                         b->port, b->n_fields);
  if (!armilla_fields_equal (a->spins, b->spins, a->n_fields))
    {
      first = list_spins (a);
      second = list_spins (b);
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has fields of other spins than %s, %s and %s; choose the same "
                           "fields, or say what they are with spin of the stages that read them",
                           a->port, b->port, first, second);
    }
  if (!is_known (a->polcconv) || !is_known (b->polcconv) || strcmp (a->polcconv, b->polcconv) == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s has the convention of polarisation (POLCCONV) %s, but %s has %s; read Q "
                       "and U with their spin, and both become COSMO", a->port, a->polcconv,
                       b->port, b->polcconv);
}

/* One field for all, or one each. */
static gboolean
one_or_each (const Facts *a, const Facts *b, GError **error)
{
  if (b->n_fields == 1 || b->n_fields == a->n_fields)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s has %d field%s, but %s has %d; it must have one, or as many: choose "
                       "them with fields of the stage that reads it", a->port, a->n_fields,
                       a->n_fields == 1 ? "" : "s", b->port, b->n_fields);
}

static gboolean
same_pixels (const Facts *a, ArmillaMap *map_a, const Facts *b, ArmillaMap *map_b, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (armilla_grid_same_pixels (armilla_map_grid (map_a), armilla_map_grid (map_b)))
    return TRUE;
  first = armilla_grid_describe (armilla_map_grid (map_a));
  second = armilla_grid_describe (armilla_map_grid (map_b));
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s is %s, but %s is %s; they must have the same pixels: bring one of them "
                       "to those of the other first, with ud-grade, or alm2map and like", a->port,
                       first, b->port, second);
}

static gboolean
same_degrees (const Facts *a, ArmillaAlm *alm_a, const Facts *b, ArmillaAlm *alm_b, GError **error)
{
  ArmillaAlmLayout x = armilla_alm_layout (alm_a), y = armilla_alm_layout (alm_b);

  if (x.lmax == y.lmax && x.mmax == y.mmax)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "%s has lmax %" G_GINT64_FORMAT " and mmax %" G_GINT64_FORMAT
                       ", but %s lmax %" G_GINT64_FORMAT " and mmax %" G_GINT64_FORMAT
                       "; bring both to the same with resize-alm", a->port, x.lmax, x.mmax, b->port,
                       y.lmax, y.mmax);
}

static gboolean
agree (const ArmillaPort *ports, ArmillaData *const *inputs, int i, int j, ArmillaStageAgree what,
       GError **error)
{
  const gboolean maps = ARMILLA_IS_MAP (inputs[i]);
  const Facts a = facts_of (&ports[i], inputs[i]), b = facts_of (&ports[j], inputs[j]);

  if (what & ARMILLA_AGREE_SHAPE
      && !(maps ? same_pixels (&a, ARMILLA_MAP (inputs[i]), &b, ARMILLA_MAP (inputs[j]), error)
                : same_degrees (&a, ARMILLA_ALM (inputs[i]), &b, ARMILLA_ALM (inputs[j]), error)))
    return FALSE;
  return (!(what & ARMILLA_AGREE_FIELDS) || same_fields (&a, &b, error))
    && (!(what & ARMILLA_AGREE_ONE_OR_EACH) || one_or_each (&a, &b, error))
    && (!(what & ARMILLA_AGREE_UNITS)
        || same_units (&a, &b, G_MAXINT, "bring them to one with weights, and say it with unit",
                       error))
    && (!(what & ARMILLA_AGREE_FIRST_UNIT)
        || same_units (&a, &b, 1,
                       "bring one of them to that of the other with combine, or say with unit that "
                       "they are the same", error))
    && (!(what & ARMILLA_AGREE_COORDINATES) || same_coordinates (&a, &b, maps, error));
}

/* Compares every input (NULL: unconnected) with every other: unknown coordinates or units fit
 * all others, but these need not fit each other. The error names what differs, in which inputs,
 * and the remedy. */
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
carry_unit (ArmillaData *out, const Facts *from)
{
  if (ARMILLA_IS_MAP (out))
    {
      ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (out));

      for (int i = 0; i < MIN (header->n_fields, from->n_fields); i++)
        if (!is_known (header->units[i]) && is_known (unit_of (from, i)))
          {
            g_free (header->units[i]);
            header->units[i] = g_strdup (unit_of (from, i));
          }
    }
  else if (!is_known (armilla_alm_unit (ARMILLA_ALM (out))) && is_known (from->unit))
    armilla_alm_set_unit (ARMILLA_ALM (out), from->unit);
}

static void
carry_coordinates (ArmillaData *out, const char *coordsys)
{
  if (!is_known (coordsys))
    return;
  if (ARMILLA_IS_MAP (out))
    {
      ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (out));

      if (!is_known (header->coordsys))
        {
          g_free (header->coordsys);
          header->coordsys = g_strdup (coordsys);
        }
    }
  else if (ARMILLA_IS_ALM (out) && !is_known (armilla_alm_coordsys (ARMILLA_ALM (out))))
    armilla_alm_set_coordsys (ARMILLA_ALM (out), coordsys);
  else if (ARMILLA_IS_CL (out) && !is_known (armilla_cl_coordsys (ARMILLA_CL (out))))
    armilla_cl_set_coordsys (ARMILLA_CL (out), coordsys);
}

/* Gives out the coordinates or units of the first input that knows them, unless it knows its
 * own, and the notes of all inputs, for which armilla_stage_agree () holds. */
void
armilla_stage_carry (ArmillaData *out, const ArmillaPort *ports, ArmillaData *const *inputs,
                     ArmillaStageAgree what)
{
  for (int i = 0; ports[i].name != NULL && ports[i].flags & ARMILLA_PORT_IN; i++)
    {
      Facts facts;

      if (inputs[i] == NULL)
        continue;
      facts = facts_of (&ports[i], inputs[i]);
      if (what & ARMILLA_AGREE_UNITS)
        carry_unit (out, &facts);
      if (what & ARMILLA_AGREE_COORDINATES)
        carry_coordinates (out, facts.coordsys);
      armilla_stage_inherit (out, inputs[i]);
    }
}

/* Adds a line to HISTORY (data) and the report (graph), either of which may be NULL, if
 * multipoles above 3 nside - 1 meet a HEALPix map. */
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
