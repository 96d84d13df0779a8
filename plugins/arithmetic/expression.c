/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of maps, pixel by pixel, by formulas. */
#include <math.h>
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/arithmetic/formulas.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/table.h"
#include "tasks/pixels/statistics.h"

#define MOST 8
#define TABLES 2
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
  int n_tables;
  const char *tables[TABLES];
  double *numbers; /* of the formulas; on rank 0 */
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
  { "table", armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a table, for single values and reductions" },
  { "table2", armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "one more" },
  { "out", armilla_map_get_type, ARMILLA_PORT_OUT,
    "a field for each expression; UNSEEN where it has no value" },
  { NULL, NULL, 0, NULL },
};

static ArmillaNames *
name_fields (ArmillaData *const *inputs)
{
  ArmillaNames *names = armilla_names_new ();
  ArmillaNamesInput named[MOST];
  int n = 0;

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        const ArmillaFields *fields = armilla_data_fields (inputs[i]);

        named[n++] = (ArmillaNamesInput) {
          ports[i].name, fields->n, (const char *const *) fields->names,
          (const char *const *) fields->units, TRUE
        };
      }
  armilla_names_add_inputs (names, named, n, armilla_names_call_field);
  for (int i = MOST; i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      armilla_names_add_table (names, ports[i].name);
  return names;
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
      g_free (header->fields.units[f]);
      header->fields.units[f] = g_strdup (formulas->units[f]);
    }
  if (armilla_fields_polarised (armilla_map_spins (out), formulas->n))
    header->fields.polcconv = g_strdup ("COSMO");
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

/* A task reads at most so many data. */
static gboolean
check_numbers (const ArmillaExpressionMap *self, ArmillaData *const *inputs, GError **error)
{
  int n = 0;

  for (int i = 0; i < MOST; i++)
    n += inputs[i] != NULL;
  return n < MOST || self->formulas->numbers->len == 0
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "expression: reductions and values of tables go with at most %d maps; "
                          "make it with two stages", MOST - 1);
}

static gboolean
expression_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaExpressionMap *self = ARMILLA_EXPRESSION_MAP (stage);
  ArmillaData *maps[MOST + TABLES] = { NULL };
  g_autoptr (ArmillaNames) names = NULL;
  g_autoptr (ArmillaMap) out = NULL;

  memcpy (maps, inputs, sizeof *maps * MOST);
  if (!armilla_stage_agree (ports, maps, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES, error))
    return FALSE;
  names = name_fields (inputs);
  name_coordinates (names);
  self->formulas = armilla_formulas_new (&self->texts, names, error);
  if (self->formulas == NULL || !check_numbers (self, inputs, error))
    return FALSE;
  self->grid = find_grid (self, context, inputs, error);
  if (self->grid == NULL)
    return FALSE;
  out = armilla_map_new (self->grid, self->formulas->n);
  if (!find_spins (self, out, error))
    return FALSE;
  describe (self->formulas, out, (ArmillaMap *) inputs[0]);
  armilla_stage_carry (ARMILLA_DATA (out), ports, maps, ARMILLA_AGREE_COORDINATES);
  for (int i = MOST; i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      armilla_stage_inherit (ARMILLA_DATA (out), inputs[i]);
  outputs[0] = ARMILLA_DATA (g_steal_pointer (&out));
  return TRUE;
}

/* What a pass over the pixels computes: fields of its output. */
typedef struct {
  ArmillaExpressionMap *stage;
  int level; /* of reductions whose arguments these are; 0: what the stage makes */
  GPtrArray *expressions;
  gboolean coordinates;
} Pass;

static Pass *
pass_new (ArmillaExpressionMap *self, int level)
{
  Pass *pass = g_new (Pass, 1);

  *pass = (Pass) { g_object_ref (self), level, g_ptr_array_new (), FALSE };
  for (int i = 0; level == 0 && i < self->formulas->n; i++)
    g_ptr_array_add (pass->expressions, self->formulas->expression[i]);
  for (guint k = 0; level > 0 && k < self->formulas->numbers->len; k++)
    {
      const ArmillaNumber *number = &g_array_index (self->formulas->numbers, ArmillaNumber, k);

      if (number->kind == ARMILLA_NUMBER_REDUCED && number->level == level)
        g_ptr_array_add (pass->expressions, number->argument);
    }
  for (guint i = 0; i < pass->expressions->len; i++)
    for (int c = 0; c < N_COORDINATES; c++)
      pass->coordinates |= armilla_expression_reads (pass->expressions->pdata[i],
                                                     self->n_fields + c);
  return pass;
}

static void
pass_free (gpointer data)
{
  Pass *pass = data;

  g_object_unref (pass->stage);
  g_ptr_array_unref (pass->expressions);
  g_free (pass);
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

/* Arrays of the numbers of the formulas, [number][CHUNK]; NULL without any. */
static double *
spread_numbers (const ArmillaFormulas *formulas, const double *numbers, const double **values)
{
  const guint n = numbers != NULL ? formulas->numbers->len : 0;
  double *spread = n > 0 ? g_new (double, n * CHUNK) : NULL;

  for (guint k = 0; k < n; k++)
    {
      values[g_array_index (formulas->numbers, ArmillaNumber, k).variable] = spread + k * CHUNK;
      for (int i = 0; i < CHUNK; i++)
        spread[k * CHUNK + i] = numbers[k];
    }
  return spread;
}

/* Runs in workers. */
static gboolean
expression_apply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const Pass *pass = user;
  const ArmillaExpressionMap *self = pass->stage;
  g_autofree const double **values = g_new0 (const double *, self->formulas->n_variables);
  g_autofree double *spread = spread_numbers (self->formulas, pixels->numbers, values);
  g_autofree double *coordinates
    = pass->coordinates ? g_new (double, N_COORDINATES * CHUNK) : NULL;

  (void) spread;
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

          if (!armilla_expression_evaluate (pass->expressions->pdata[f], values, n, out, error))
            return FALSE;
          for (gint64 i = 0; i < n; i++)
            if (!isfinite (out[i]))
              out[i] = ARMILLA_UNSEEN;
        }
    }
  return TRUE;
}

/* What reductions are made of, a row for each field of the pass. */
static ArmillaTable *
make_statistics (gpointer user, const gint64 *const *words, GError **error)
{
  const Pass *pass = user;
  ArmillaTable *table = armilla_table_new ("REDUCTIONS", pass->expressions->len);
  double *columns[ARMILLA_REDUCE_MAX + 1];

  (void) error;
  for (int how = 0; how <= ARMILLA_REDUCE_MAX; how++)
    columns[how] = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "", "", "")->doubles;
  for (guint f = 0; f < pass->expressions->len; f++)
    {
      ArmillaStatistics found;

      armilla_statistics_read (words[0], (int) f, 0, &found);
      columns[ARMILLA_REDUCE_MEAN][f] = found.mean;
      columns[ARMILLA_REDUCE_SUM][f] = found.n > 0 ? found.mean * (double) found.n : 0;
      columns[ARMILLA_REDUCE_VAR][f] = found.variance;
      columns[ARMILLA_REDUCE_MIN][f] = found.min;
      columns[ARMILLA_REDUCE_MAX][f] = found.max;
    }
  return table;
}

/* The numbers of a level: @tables are those of the user, and what a pass has found. */
static gboolean
read_numbers (gpointer user, const ArmillaTable *const *tables, double *numbers, GError **error)
{
  const Pass *pass = user;
  const ArmillaExpressionMap *self = pass->stage;
  const GArray *all = self->formulas->numbers;
  ArmillaNamedTable named[TABLES];
  int row = 0;

  for (int t = 0; t < self->n_tables; t++)
    named[t] = (ArmillaNamedTable) { self->tables[t], tables[t] };
  for (guint k = 0; k < all->len; k++)
    {
      const ArmillaNumber *number = &g_array_index (all, ArmillaNumber, k);

      if (number->level != pass->level)
        continue;
      if (number->kind == ARMILLA_NUMBER_REDUCED)
        self->numbers[k] = tables[self->n_tables]->columns[number->how].doubles[row++];
      else if (!armilla_formulas_number (self->formulas, (int) k, named, self->n_tables, NULL,
                                         self->numbers, error))
        {
          g_prefix_error (error, "expression: ");
          return FALSE;
        }
    }
  memcpy (numbers, self->numbers, sizeof (double) * all->len);
  return TRUE;
}

/* A pass over the pixels that finds what the reductions of a level are made of. */
static ArmillaTableData *
reduce (ArmillaExpressionMap *self, ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
        ArmillaCl *numbers, int level, GError **error)
{
  Pass *pass = pass_new (self, level);
  const int n = (int) pass->expressions->len;
  g_autoptr (ArmillaMap) arguments = armilla_map_new (self->grid, n);
  g_autoptr (ArmillaTableData) found = armilla_table_data_new ();
  ArmillaStatisticsTable table = { make_statistics, NULL, pass_free, found };

  if (!armilla_graph_apply_pixels_with (graph, maps, n_maps, numbers, expression_apply, FLOPS * n,
                                        pass, pass_free, arguments, error))
    return NULL;
  table.user = pass_new (self, level);
  return armilla_graph_map_statistics (graph, arguments, NULL, 0, 0, 0, &table, 1, error)
           ? g_steal_pointer (&found) : NULL;
}

/* The numbers of the formulas: those of tables, then reductions, and reductions that depend on
 * these. */
static gboolean
find_numbers (ArmillaExpressionMap *self, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaMap *const *maps, int n_maps, ArmillaCl **numbers, GError **error)
{
  const guint n = self->formulas->numbers->len;
  ArmillaTableData *tables[TABLES + 1];

  self->numbers = g_new (double, MAX (n, 1));
  for (guint k = 0; k < n; k++)
    self->numbers[k] = NAN;
  for (int i = MOST; i < MOST + TABLES; i++)
    if (inputs[i] != NULL)
      {
        tables[self->n_tables] = ARMILLA_TABLE_DATA (inputs[i]);
        self->tables[self->n_tables++] = ports[i].name;
      }
  for (int level = 0; n > 0 && level <= armilla_formulas_n_levels (self->formulas); level++)
    {
      g_autoptr (ArmillaCl) now = NULL;
      g_autoptr (ArmillaTableData) found = NULL;

      if (level == 0 && self->n_tables == 0)
        continue;
      if (level > 0 && !(found = reduce (self, graph, maps, n_maps, *numbers, level, error)))
        return FALSE;
      tables[self->n_tables] = found;
      now = armilla_cl_new (n - 1, NULL, 1);
      if (!armilla_graph_read_numbers (graph, tables, self->n_tables + (found != NULL),
                                       read_numbers, pass_new (self, level), pass_free, now,
                                       error))
        return FALSE;
      g_set_object (numbers, now);
    }
  return TRUE;
}

static gboolean
expression_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaExpressionMap *self = ARMILLA_EXPRESSION_MAP (stage);
  g_autoptr (ArmillaCl) numbers = NULL;
  ArmillaMap *found[MOST];
  int n = 0;

  for (int i = 0; i < MOST; i++)
    if (inputs[i] != NULL)
      {
        found[n++] = ARMILLA_MAP (inputs[i]);
        self->n_fields += armilla_map_n_fields (found[n - 1]);
      }
  return find_numbers (self, graph, inputs, found, n, &numbers, error)
         && armilla_graph_apply_pixels_with (graph, found, n, numbers, expression_apply,
                                             FLOPS * self->formulas->n, pass_new (self, 0),
                                             pass_free, ARMILLA_MAP (outputs[0]), error);
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
  armilla_stage_set_example (stage, "map = iqu; expression = sqrt(map.1^2 + map.2^2)");
  stage->summary = "Compute maps from maps by formulas, pixel by pixel";
  stage->description =
    "Fields go by their names, Q and U by these letters, temperature as T or I, numbers of "
    "observations as hits; map2.Q is that of the second input, map2.1 its field 1 (from 0), and "
    "map2 its only one. A name alone is that of the first input. theta and phi (radian), lon and "
    "lat (degrees) are the pixel's place. mean(T), sum(T), var(T), min(T) and max(T) are numbers: "
    "of all pixels where T has a value. table.A is the number in column A of a table of one row, "
    "table.2.A that in row 2 (from 0), and mean(table.A) one of all rows. A pixel that is UNSEEN "
    "in a field that an expression names is UNSEEN, except in branches of where() that are not "
    "taken and in what isunseen() asks; so is what comes out as no finite number. "
    "doc/expressions.md has all that expressions may say.";
  stage->ports = ports;
  stage->prepare = expression_prepare;
  stage->build = expression_build;
  armilla_formulas_install (stage, G_STRUCT_OFFSET (ArmillaExpressionMap, texts));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionMap, formulas, armilla_formulas_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionMap, grid, armilla_grid_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaExpressionMap, numbers, g_free);
}
