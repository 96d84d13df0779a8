/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts pairs by tasks. Every rank has the catalogues, sorted into the same cells; the pairs of
 * nodes are cut into items of bounded cost, and the items into tasks of about equal cost. The
 * histograms of the tasks are integers, so their sum does not depend on cuts or order. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codelets/correlation/pair-codelets.h"
#include "codelets/correlation/pair-cut.h"
#include "codelets/correlation/pair-math.h"
#include "core/catalogues/catalogue.h"
#include "tasks/correlation/counting.h"
#include "tasks/data/objects.h"
#include "tasks/planning/forecast-private.h"

/* minimum number of pairs in an item: enough for the threads of a GPU, few enough to balance
 * work */
#define MIN_ITEM_PAIRS (1 << 18)
/* approximate number of items if there are many objects */
#define MAX_ITEMS (1 << 16)
/* maximum number of objects of a catalogue: the number of their pairs fits into 63 bits */
#define MAX_OBJECTS G_MAXUINT32

#define PER_PAIR_SUMS                                                                              \
  (1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)
#define SHEAR_SUMS (1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)

typedef struct {
  ArmillaCounting base;
  ArmillaPairShape shape;
  GArray *items;
} Pairs;

/* Returns whether positions are anywhere in space. Only cores count such pairs. */
static gboolean
is_in_space (const ArmillaBins *bins)
{
  return bins->separation != ARMILLA_SEPARATION_ANGLE;
}

static ArmillaCodelet *
codelet_for (const ArmillaCounting *base)
{
  const int sums = armilla_histogram_shape (base->out)->sums;

  return is_in_space (armilla_histogram_bins (base->out)) ? &armilla_space_histogram_cl
         : sums & PER_PAIR_SUMS                            ? &armilla_shear_histogram_cl
                                                           : &armilla_pair_histogram_cl;
}

static int
rows_for (int sums)
{
  return sums & SHEAR_SUMS                   ? ARMILLA_ROWS_SHEAR
         : sums & PER_PAIR_SUMS              ? ARMILLA_ROWS_MASS
         : sums & 1 << ARMILLA_SUM_WEIGHT ? ARMILLA_ROWS_WEIGHT
                                             : ARMILLA_ROWS_POSITION;
}

/* Returns the bytes that objects need on each rank while they are counted: their catalogue, and the
 * cells (for armilla_objects_expected() objects; 0 if unknown). @sums: quantities summed over their
 * pairs, as in ArmillaHistogramShape; 0 for triangles. */
double
armilla_objects_count_bytes (ArmillaObjects *self, int sums)
{
  const ArmillaCatalogueParts parts = armilla_objects_parts (self);
  const ArmillaCellsInput input = { .n = armilla_objects_expected (self),
                                    .n_rows = rows_for (sums) };
  ArmillaCells *cells = input.n > 0 ? armilla_cells_new (&input) : NULL;
  gint64 words = 3 + ((parts & ARMILLA_CATALOGUE_WEIGHT) != 0)
                 + 2 * ((parts & ARMILLA_CATALOGUE_SHEAR) != 0);

  if (!cells)
    return 0;
  words = words * input.n + cells->n_rows * cells->n_slots
          + ARMILLA_NODE_ROWS * cells->node_stride;
  armilla_cells_free (cells);
  return (double) sizeof (double) * (double) words;
}

/* Returns the unit of terms up to @max_term: a power of two such that the terms have
 * ARMILLA_TERM_BITS bits. */
static int64_t
term_exponent (double max_term)
{
  int exponent = 0;

  (void) frexp (max_term * 1.0001, &exponent);
  return max_term > 0 ? exponent - ARMILLA_TERM_BITS : 0;
}

static void
fill_shape (Pairs *self)
{
  const ArmillaCounting *base = &self->base;
  const ArmillaHistogramShape *histogram = armilla_histogram_shape (base->out);
  const ArmillaBins *bins = armilla_histogram_bins (base->out);
  const ArmillaCells *a = base->a->cells, *b = base->b->cells;
  ArmillaPairShape *shape = &self->shape;

  shape->is_auto = base->within;
  shape->n_bins = histogram->n_bins;
  shape->separation = (int32_t) bins->separation;
  shape->sight = (int32_t) bins->sight;
  shape->n2 = histogram->n2;
  memcpy (shape->period, bins->period, sizeof shape->period);
  shape->n_patches = histogram->n_patches;
  shape->n_within = histogram->n_within;
  shape->slots[0] = a->n_slots;
  shape->slots[1] = b->n_slots;
  shape->strides[0] = a->node_stride;
  shape->strides[1] = b->node_stride;
  shape->sums = histogram->sums;
  shape->brute = base->options.brute;
  shape->lens = base->options.lens;
  shape->isa = (int32_t) base->graph->view.isa;
  shape->exponents[ARMILLA_SUM_WEIGHT] = a->weight_exponent + b->weight_exponent;
  shape->exponents[ARMILLA_SUM_SEPARATION]
    = term_exponent (a->mass * b->mass * bins->edge[bins->n]);
  /* Cells shared with other counts may include shears, which must not change a bit. */
  shape->exponents[ARMILLA_SUM_XI_PLUS]
    = histogram->sums & SHEAR_SUMS
        ? term_exponent ((shape->lens ? a->mass : a->shear) * b->shear)
        : 0;
  shape->exponents[ARMILLA_SUM_XI_MINUS] = shape->exponents[ARMILLA_SUM_XI_PLUS];
}

static void
prepare (ArmillaCounting *base)
{
  Pairs *self = (Pairs *) base;
  const double all = (double) base->a->cells->n * (double) base->b->cells->n;
  double max_pairs = MAX (all / MAX_ITEMS, MIN_ITEM_PAIRS), begin;

  fill_shape (self);
  if (base->options.tasks > 0)
    max_pairs = MIN (max_pairs, all / (double) base->options.tasks);
  begin = armilla_forecast_clock (base->graph);
  self->items = armilla_pair_cut (&self->shape, base->edges, base->a->cells, base->b->cells,
                                 max_pairs);
  armilla_forecast_spend (base->graph, begin);
  base->n_pieces = self->items->len;
  base->scratch_size
    = MAX (armilla_pair_histogram_scratch (&self->shape),
           ARMILLA_CUDA_SCRATCH (armilla_pair_histogram_device_scratch (&self->shape)));
}

static double
item_cost (const ArmillaCounting *base, gint64 i)
{
  return g_array_index (((const Pairs *) base)->items, ArmillaPairItem, i).pairs;
}

static gboolean
submit_items (ArmillaCounting *base, gint64 first, gint64 end, int rank, const ArmillaTile *part,
              GError **error)
{
  Pairs *self = (Pairs *) base;
  ArmillaPairArgs args = { armilla_graph_fault (base->graph), self->shape };
  const gint64 n_words = ARMILLA_ITEM_WORDS * (end - first);
  g_autofree int64_t *words = g_new (int64_t, n_words);
  ArmillaTile items = { 0 };
  gboolean ok;

  args.shape.n_items = end - first;
  args.shape.pairs = 0;
  for (gint64 i = first; i < end; i++)
    {
      const ArmillaPairItem *item = &g_array_index (self->items, ArmillaPairItem, i);

      for (int k = 0; k < ARMILLA_ITEM_WORDS; k++)
        words[ARMILLA_ITEM_WORDS * (i - first) + k] = item->words[k];
      args.shape.pairs += item->pairs;
    }
  ok = armilla_tile_from_words (base->graph, rank, words, n_words, &items, error);
  if (ok)
    {
      const ArmillaUse uses[] = { { base->a->points.handle, STARPU_R },
                                  { base->a->nodes.handle, STARPU_R },
                                  { base->b->points.handle, STARPU_R },
                                  { base->b->nodes.handle, STARPU_R },
                                  { base->edges_tile.handle, STARPU_R },
                                  { items.handle, STARPU_R },
                                  { part->handle, STARPU_W },
                                  { base->scratch.handle, STARPU_SCRATCH } };

      ok = armilla_submit (base->graph, codelet_for (base), rank, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error);
    }
  armilla_tile_drop (&items);
  return ok;
}

/* Checks the objects once they are known; the same on every rank. */
static gboolean
check_objects (const ArmillaCounting *base, int which, const ArmillaCatalogue *catalogue,
               GError **error)
{
  const ArmillaHistogramShape *shape = armilla_histogram_shape (base->out);
  const gboolean shears = shape->sums & SHEAR_SUMS && !(base->options.lens && which == 0);
  const char *lacking = NULL;

  if (catalogue->n > MAX_OBJECTS)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "a catalogue has %" G_GINT64_FORMAT " objects; must be at most %u for "
                         "counting pairs", catalogue->n, MAX_OBJECTS);
  if (shears && !catalogue->g1)
    lacking = "shears";
  if (shape->n_patches > 0
      && (!catalogue->patch || catalogue->n_patches != shape->n_patches))
    lacking = "the patches";
  if (!lacking)
    return !shears || armilla_catalogue_check_shears (catalogue, error);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "a catalogue lacks %s, which this count of pairs requires", lacking);
}

static gboolean
run_pairs (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const ArmillaCountingKind kind = { check_objects, prepare, item_cost, submit_items };
  Pairs self = { .base.kind = &kind };
  const gboolean ok = armilla_counting_run (&self.base, graph, job, error);

  g_clear_pointer (&self.items, g_array_unref);
  return ok;
}

/* Requests the count of pairs by separation; see ArmillaBins. Counts are exact, and so are sums of
 * weights, except for rounding each weight by at most 2^-57 of the greatest. Terms of the other
 * sums are rounded to multiples of 2^-50 of the greatest possible. Returns whether the kind of
 * histogram and the parts of the objects fit. */
gboolean
armilla_graph_count_pairs (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                           const ArmillaCountOptions *options, ArmillaHistogram *out,
                           GError **error)
{
  const ArmillaHistogramShape *shape = armilla_histogram_shape (out);
  const ArmillaBins *bins = armilla_histogram_bins (out);
  const ArmillaCountArgs args = { .options = options ? *options : (ArmillaCountOptions) { 0 },
                                  .rows = rows_for (shape->sums),
                                  .patches = shape->n_patches > 0,
                                  .in_space = is_in_space (bins) };
  ArmillaJob job = { .run = run_pairs,
                     .in = { ARMILLA_DATA (a), b ? ARMILLA_DATA (b) : NULL },
                     .out = ARMILLA_DATA (out) };
  const ArmillaCatalogueParts parts
    = (armilla_objects_parts (a) | (args.options.lens ? ARMILLA_CATALOGUE_SHEAR : 0))
      & (b ? armilla_objects_parts (b) : (ArmillaCatalogueParts) ~0u);

  if (shape->kind != ARMILLA_HISTOGRAM_PAIRS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "pairs cannot be counted into a histogram of triangles");
  if (is_in_space (bins) && !graph->view.cores)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "only cores count pairs by distance; enable CPU workers (STARPU_NCPU)");
  if (args.in_space && shape->sums & PER_PAIR_SUMS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "pairs by distance have sums of weights only");
  if (!b && bins->n2 > 0
      && (bins->sight == ARMILLA_SIGHT_FIRSTPOINT || bins->sight == ARMILLA_SIGHT_ENDPOINT))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "line-of-sight: the pairs of one catalogue have no first object; use "
                         "midpoint, or two catalogues");
  if (args.options.lens && !b)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "lenses and objects with shears must be two catalogues");
  if (shape->sums & SHEAR_SUMS && !(parts & ARMILLA_CATALOGUE_SHEAR))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "the catalogue has no shears to correlate");
  if (shape->n_patches > 0 && !(parts & ARMILLA_CATALOGUE_PATCH))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "the catalogue is not divided into patches");
  armilla_graph_defer_count (graph, &job, &args);
  return TRUE;
}
