/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps computed from maps, pixel by pixel. */
#include <math.h>

#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/arithmetic/expression.h"
#include "plugins/base/stage-util.h"
#include "tasks/pixels/statistics.h"

/* Number of pixels evaluated at a time. */
#define CHUNK 4096
/* Estimated floating-point operations by which muParser evaluates one operation of an
 * expression. */
#define FLOPS 30

/* Coordinate variables, numbered after the fields of the inputs. */
typedef enum { THETA, PHI, LONGITUDE, LATITUDE, N_COORDINATES } Coordinate;

/* Finds the spins of the results. auto: names determine pairs (Q and U), as in read-map; a Q or U
 * without partner is a scalar. */
static gboolean
find_spins (const ArmillaExpressionStage *self, ArmillaMap *map, GError **error)
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

/* Creates a map for the results. @first: (nullable): the first input */
static void
describe (const ArmillaFormulas *formulas, ArmillaMap *out, ArmillaMap *first)
{
  ArmillaMapHeader *header = armilla_map_header (out);

  if (first != NULL)
    header->order = armilla_map_header (first)->order;
  armilla_stage_set_names (header, (const char *const *) formulas->names);
  armilla_fields_set_units (&header->fields, (const char *const *) formulas->units);
  if (armilla_fields_polarised (armilla_map_spins (out), formulas->n))
    header->fields.polcconv = g_strdup ("COSMO");
}

/* Finds the grid: that of the inputs, or HEALPix of the property nside. @first: (nullable): the
 * first input */
static ArmillaGrid *
find_grid (const ArmillaExpressionStage *self, const ArmillaStageContext *context,
           ArmillaMap *first, GError **error)
{
  if (first != NULL && self->nside != 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "the pixels are defined by both map and nside; remove one of them");
  if (first == NULL && self->nside == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "the pixels are undefined; connect map, or set nside (or connect cl "
                              "or table)");
  if (first != NULL)
    return armilla_grid_ref (armilla_map_grid (first));
  return armilla_stage_new_healpix (context, self->nside, self->formulas->n, error);
}

ArmillaData *
armilla_expression_prepare_map (ArmillaExpressionStage *self, const ArmillaStageContext *context,
                                ArmillaData *const *inputs, GError **error)
{
  ArmillaMap *first = self->n_inputs > 0 ? ARMILLA_MAP (inputs[0]) : NULL;
  g_autoptr (ArmillaMap) out = NULL;

  /* The numbers are passed to a task as another input, and the number of inputs is limited. */
  if (self->n_inputs == ARMILLA_EXPRESSION_INPUTS && self->formulas->numbers->len > 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "expression: reductions and values of tables require at most %d "
                              "maps; use two stages", ARMILLA_EXPRESSION_INPUTS - 1);
  self->grid = find_grid (self, context, first, error);
  if (self->grid == NULL)
    return NULL;
  out = armilla_map_new (self->grid, self->formulas->n);
  if (!find_spins (self, out, error))
    return NULL;
  describe (self->formulas, out, first);
  for (int i = 0; i < self->n_inputs; i++)
    self->n_varying += self->n_fields[i];
  return ARMILLA_DATA (g_steal_pointer (&out));
}

/* Arguments of a pass over the pixels, with the fields that it computes. */
typedef struct {
  ArmillaExpressionStage *stage;
  /* level of the reductions whose arguments the pass computes; 0: it computes the output */
  int level;
  GPtrArray *expressions;
  gboolean coordinates;
} Pass;

static Pass *
pass_new (ArmillaExpressionStage *self, int level)
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
                                                     self->n_varying + c);
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

/* Computes the coordinates of the pixels from @first on: [coordinate][CHUNK], radian and
 * degrees. */
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

/* Returns arrays [number][CHUNK] with the numbers of the formulas repeated, as muParser needs them;
 * NULL if there are none. */
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

/* Computes the output pixels; called by workers. */
static gboolean
expression_apply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const Pass *pass = user;
  const ArmillaExpressionStage *self = pass->stage;
  g_autofree const double **values = g_new0 (const double *, self->formulas->n_variables);
  g_autofree double *spread = spread_numbers (self->formulas, pixels->numbers, values);
  g_autofree double *coordinates
    = pass->coordinates ? g_new (double, N_COORDINATES * CHUNK) : NULL;

  (void) spread;
  for (gint64 at = 0; at < pixels->n; at += CHUNK)
    {
      const gint64 n = MIN (CHUNK, pixels->n - at);

      for (int f = 0; f < self->n_varying; f++)
        values[f] = pixels->in[f] + at;
      for (int c = 0; coordinates != NULL && c < N_COORDINATES; c++)
        values[self->n_varying + c] = coordinates + c * CHUNK;
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

/* Stores statistics of the pixels (mean, sum, ...) in a row for each field of the pass, that is for
 * each reduction. */
static gboolean
make_statistics (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
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

      armilla_statistics_read (in[0].words, (int) f, 0, &found);
      columns[ARMILLA_REDUCE_MEAN][f] = found.mean;
      columns[ARMILLA_REDUCE_SUM][f] = found.n > 0 ? found.mean * (double) found.n : 0;
      columns[ARMILLA_REDUCE_VAR][f] = found.variance;
      columns[ARMILLA_REDUCE_MIN][f] = found.min;
      columns[ARMILLA_REDUCE_MAX][f] = found.max;
    }
  out->table = table;
  return TRUE;
}

/* Submits a pass over the pixels, and returns the statistics of the arguments of all reductions of
 * one level. */
static ArmillaTableData *
reduce (ArmillaExpressionStage *self, ArmillaGraph *graph, ArmillaMap *const *maps,
        ArmillaCl *numbers, int level, GError **error)
{
  Pass *pass = pass_new (self, level);
  const int n = (int) pass->expressions->len;
  g_autoptr (ArmillaMap) arguments = armilla_map_new (self->grid, n);
  g_autoptr (ArmillaTableData) found = armilla_table_data_new ();
  ArmillaStatisticsTable table = { make_statistics, NULL, pass_free, found };

  if (!armilla_graph_apply_pixels_with (graph, maps, self->n_inputs, numbers, expression_apply,
                                        FLOPS * n, pass, pass_free, arguments, error))
    return NULL;
  table.user = pass_new (self, level);
  return armilla_graph_map_statistics (graph, arguments, NULL, 0, 0, 0, &table, 1, error)
           ? g_steal_pointer (&found) : NULL;
}

/* Computes the numbers in the formulas level by level: values of tables, reductions of pixels,
 * reductions whose arguments contain these, and so on. */
static gboolean
find_numbers (ArmillaExpressionStage *self, ArmillaGraph *graph, ArmillaMap *const *maps,
              ArmillaTableData *const *tables, ArmillaCl **numbers, GError **error)
{
  const guint n = self->formulas->numbers->len;

  for (int level = 0; n > 0 && level <= armilla_formulas_n_levels (self->formulas); level++)
    {
      g_autoptr (ArmillaTableData) found = NULL;

      if (level == 0 && self->n_tables == 0)
        continue;
      if ((level > 0 && !(found = reduce (self, graph, maps, *numbers, level, error)))
          || !armilla_expression_ask_numbers (self, graph, tables, level, found, numbers, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
armilla_expression_build_map (ArmillaExpressionStage *self, ArmillaGraph *graph,
                              ArmillaMap *const *inputs, ArmillaTableData *const *tables,
                              ArmillaMap *out, GError **error)
{
  g_autoptr (ArmillaCl) numbers = NULL;

  return find_numbers (self, graph, inputs, tables, &numbers, error)
         && armilla_graph_apply_pixels_with (graph, inputs, self->n_inputs, numbers,
                                             expression_apply, FLOPS * self->formulas->n,
                                             pass_new (self, 0), pass_free, out, error);
}
