/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of maps, pixel by pixel, by formulas. */
#include <math.h>

#include <armilla/armilla.h>

#include "plugins/arithmetic/formulas.h"
#include "plugins/base/stage-util.h"

#define MOST 8
/* Pixels evaluated at a time. */
#define CHUNK 4096
/* Operations of muParser's for each operation of an expression are many. */
#define FLOPS 30

/* After the fields of the inputs. */
typedef enum { THETA, PHI, LONGITUDE, LATITUDE, N_COORDINATES } Coordinate;

struct _ArmillaExpressionMap {
  ArmillaStage parent_instance;
  ArmillaFormulaTexts texts;
  char *spin;
  gint64 nside;
  ArmillaFormulas *formulas;
  ArmillaGrid *grid;
  int n_fields; /* of all inputs */
};

ARMILLA_DEFINE_STAGE (ArmillaExpressionMap, armilla_expression_map, ARMILLA, EXPRESSION_MAP)

#define MORE(name) \
  { name, armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, \
    "one more, of the same pixels" }

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map, F fields; without one, nside says which pixels there are" },
  MORE ("map2"),
  MORE ("map3"),
  MORE ("map4"),
  MORE ("map5"),
  MORE ("map6"),
  MORE ("map7"),
  MORE ("map8"),
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT,
    "a field for each expression; UNSEEN where it has no value" },
  { NULL, NULL, 0, NULL },
};

/* Names without the input first, so that lists of names begin with them. */
static void
name_fields (ArmillaNames *names, ArmillaData *const *inputs)
{
  int variable = 0;

  for (int i = 0; i < MOST; i++)
    for (int f = 0; inputs[i] != NULL && f < armilla_map_n_fields (ARMILLA_MAP (inputs[i])); f++)
      {
        const ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (inputs[i]));

        variable = armilla_names_add (names, header->names[f], header->units[f]);
        armilla_names_call_field (names, variable, NULL, header->names[f]);
      }
  variable = 0;
  for (int i = 0; i < MOST; i++)
    {
      int n = inputs[i] != NULL ? armilla_map_n_fields (ARMILLA_MAP (inputs[i])) : 0;

      if (n == 1)
        armilla_names_call (names, variable, NULL, ports[i].name);
      for (int f = 0; f < n; f++, variable++)
        {
          g_autofree char *number = g_strdup_printf ("%d", f);

          armilla_names_call_field (names, variable, ports[i].name,
                                    armilla_map_header (ARMILLA_MAP (inputs[i]))->names[f]);
          armilla_names_call (names, variable, ports[i].name, number);
        }
    }
}

static void
name_coordinates (ArmillaNames *names)
{
  static const char *const coordinates[N_COORDINATES] = { "theta", "phi", "lon", "lat" };

  for (int i = 0; i < N_COORDINATES; i++)
    armilla_names_call (names, armilla_names_add (names, coordinates[i], ""), NULL,
                        coordinates[i]);
}

/* auto: a pair by name, as read-map finds it; without its other half a field is a scalar. */
static gboolean
find_spins (const ArmillaExpressionMap *self, ArmillaMap *map, GError **error)
{
  const ArmillaFormulas *formulas = self->formulas;
  g_autofree int *spins = g_new0 (int, formulas->n);

  if (g_ascii_strcasecmp (self->spin, "auto") == 0)
    {
      if (!armilla_fields_from_names ((const char *const *) formulas->names, formulas->n, spins,
                                      NULL))
        return TRUE;
    }
  else if (!armilla_fields_parse (self->spin, formulas->n, spins, error))
    {
      g_prefix_error (error, "spin = %s: ", self->spin);
      return FALSE;
    }
  if (!armilla_fields_check_units (spins, (const char *const *) formulas->names,
                                   (const char *const *) formulas->units, formulas->n, error))
    {
      g_prefix_error (error, "unit: ");
      return FALSE;
    }
  armilla_map_set_spins (map, spins);
  return TRUE;
}

/* @first: (nullable): the first input */
static void
describe (const ArmillaFormulas *formulas, ArmillaMap *out, ArmillaMap *first)
{
  ArmillaMapHeader *header = armilla_map_header (out);

  if (first != NULL)
    header->order = armilla_map_header (first)->order;
  armilla_stage_set_names (header, (const char *const *) formulas->names);
  for (int f = 0; f < formulas->n; f++)
    {
      g_free (header->units[f]);
      header->units[f] = g_strdup (formulas->units[f]);
    }
  if (armilla_fields_polarised (armilla_map_spins (out), formulas->n))
    header->polcconv = g_strdup ("COSMO");
}

/* The pixels of the inputs; without any, those of nside. */
static ArmillaGrid *
find_grid (const ArmillaExpressionMap *self, const ArmillaStageContext *context,
           ArmillaData *const *inputs, GError **error)
{
  const char *wrong = NULL;

  for (int i = 1; i < MOST; i++)
    if (inputs[i] != NULL && inputs[0] == NULL)
      wrong = "map is not connected, and other inputs are; connect map first";
  if (inputs[0] != NULL && self->nside != 0)
    wrong = "map says which pixels there are, and so does nside; take one of them out";
  else if (inputs[0] == NULL && self->nside == 0 && wrong == NULL)
    wrong = "nothing says which pixels there are; connect map, or set nside";
  if (wrong != NULL)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, wrong);
      return NULL;
    }
  if (inputs[0] != NULL)
    return armilla_grid_ref (armilla_map_grid (ARMILLA_MAP (inputs[0])));
  return armilla_stage_new_healpix (context, self->nside, self->formulas->n, error);
}

static gboolean
expression_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaExpressionMap *self = ARMILLA_EXPRESSION_MAP (stage);
  g_autoptr (ArmillaNames) names = armilla_names_new ();
  g_autoptr (ArmillaMap) out = NULL;

  if (!armilla_stage_agree (ports, inputs, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES,
                            error))
    return FALSE;
  name_fields (names, inputs);
  name_coordinates (names);
  self->formulas = armilla_formulas_new (&self->texts, names, error);
  if (self->formulas == NULL)
    return FALSE;
  self->grid = find_grid (self, context, inputs, error);
  if (self->grid == NULL)
    return FALSE;
  out = armilla_map_new (self->grid, self->formulas->n);
  if (!find_spins (self, out, error))
    return FALSE;
  describe (self->formulas, out, (ArmillaMap *) inputs[0]);
  armilla_stage_carry (ARMILLA_DATA (out), ports, inputs, ARMILLA_AGREE_COORDINATES);
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&out));
  return TRUE;
}

static gboolean
reads_coordinates (const ArmillaExpressionMap *self)
{
  for (int i = 0; i < self->formulas->n; i++)
    for (int c = 0; c < N_COORDINATES; c++)
      if (armilla_expression_reads (self->formulas->expression[i], self->n_fields + c))
        return TRUE;
  return FALSE;
}

/* Coordinates of the pixels from @first on: [coordinate][CHUNK], radian and degrees. */
static void
find_coordinates (const ArmillaGrid *grid, gint64 first, gint64 n, double *values)
{
  gint64 r = armilla_grid_ring_of (grid, first);

  for (gint64 i = 0; i < n; i++)
    {
      const ArmillaRing *ring = &grid->rings[r];
      const double phi0 = ring->phi0_den > 0
        ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den : ring->phi0;
      const double step = 2 * G_PI / (double) ring->n_phi;
      const double theta = atan2 (ring->sin_theta, ring->cos_theta);
      double phi = phi0 + step * (double) (first + i - ring->offset);

      if (phi >= 2 * G_PI)
        phi -= 2 * G_PI;
      values[THETA * CHUNK + i] = theta;
      values[PHI * CHUNK + i] = phi;
      values[LONGITUDE * CHUNK + i] = phi * (180 / G_PI);
      values[LATITUDE * CHUNK + i] = 90 - theta * (180 / G_PI);
      if (first + i + 1 == ring->offset + ring->n_phi)
        r++;
    }
}

/* Runs in workers. */
static gboolean
expression_apply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const ArmillaExpressionMap *self = user;
  g_autofree const double **values = g_new0 (const double *, self->n_fields + N_COORDINATES);
  g_autofree double *coordinates
    = reads_coordinates (self) ? g_new (double, N_COORDINATES * CHUNK) : NULL;

  for (gint64 at = 0; at < pixels->n; at += CHUNK)
    {
      const gint64 n = MIN (CHUNK, pixels->n - at);

      for (int f = 0; f < self->n_fields; f++)
        values[f] = pixels->in[f] + at;
      for (int c = 0; coordinates != NULL && c < N_COORDINATES; c++)
        values[self->n_fields + c] = coordinates + c * CHUNK;
      if (coordinates != NULL)
        find_coordinates (self->grid, pixels->first + at, n, coordinates);
      for (int f = 0; f < pixels->n_out; f++)
        {
          double *out = pixels->out[f] + at;

          if (!armilla_expression_evaluate (self->formulas->expression[f], values, n, out, error))
            return FALSE;
          for (gint64 i = 0; i < n; i++)
            if (!isfinite (out[i]))
              out[i] = ARMILLA_UNSEEN;
        }
    }
  return TRUE;
}

static gboolean
expression_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionMap *self = ARMILLA_EXPRESSION_MAP (stage);
  ArmillaMap *found[MOST];
  int n = 0;

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        found[n++] = ARMILLA_MAP (inputs[i]);
        self->n_fields += armilla_map_n_fields (found[n - 1]);
      }
  return armilla_graph_apply_pixels (graph, found, n, expression_apply, FLOPS * self->formulas->n,
                                     g_object_ref (self), g_object_unref, ARMILLA_MAP (outputs[0]),
                                     error);
}

static const ArmillaProperty properties[] = {
  { "spin", ARMILLA_TEXT (ArmillaExpressionMap, spin, "auto"),
    "spin of what comes out, separated by commas, or one for all; fields of a spin above 0 come in "
    "pairs; auto takes Q and U by name as spin 2 and all else as spin 0" },
  { "nside", ARMILLA_INT64 (ArmillaExpressionMap, nside, 0, G_GINT64_CONSTANT (1) << 24, 0),
    "resolution of a HEALPix map that is computed from the places of its pixels alone; 0: that of "
    "the inputs" },
};

static void
armilla_expression_map_class_init (ArmillaExpressionMapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "expression";
  stage->summary = "Compute maps from maps by formulas, pixel by pixel";
  stage->description =
    "Fields go by their names, Q and U by these letters, temperature as T or I, numbers of "
    "observations as hits; map2.Q is that of the second input, map2.1 its field 1 (from 0), and "
    "map2 its only one. A name alone is that of the first input that has it. theta and phi "
    "(radian), lon and lat (degrees) are the pixel's place. A pixel that is UNSEEN in a field "
    "that an expression names is UNSEEN, but for branches of where() that are not taken and what "
    "isunseen() asks; so is what comes out as no finite number. doc/expressions.md has all that "
    "expressions may say.";
  stage->ports = ports;
  stage->prepare = expression_prepare;
  stage->build = expression_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionMap, texts));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionMap, formulas, armilla_formulas_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionMap, grid, armilla_grid_unref);
}
