/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting pairs as tasks. Every rank has the catalogues, sorted alike into cells; the pairs of
 * nodes are cut into items of bounded cost, the items into tasks of about equal cost. The
 * histograms of the tasks are integers: neither the cut nor the order shows in their sum. */
#include "config.h"

#include <math.h>

#include "codelets/correlation/pair-codelets.h"
#include "codelets/correlation/pair-cut.h"
#include "tasks/correlation/pairs-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"

/* Pairs of an item: enough for a GPU to fill its threads, few enough to be shared out. */
#define LEAST_ITEM_PAIRS (1 << 18)
/* Items, about, where there are many objects. */
#define MOST_ITEMS (1 << 16)
/* Tasks for each rank, unless the work is small: workers of unequal speed end at the same time. */
#define TASKS_A_RANK 96
#define LEAST_TASK_PAIRS (1 << 20)
/* Objects of a catalogue: their pairs are counted in 63 bits. */
#define MOST_OBJECTS G_MAXUINT32

#define PER_PAIR_SUMS                                                                              \
  (1 << ARMILLA_SUM_SEPARATION | 1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)
#define SHEAR_SUMS (1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS)

typedef struct {
  ArmillaGraph *graph;
  ArmillaHistogram *out;
  ArmillaCountOptions options;
  ArmillaPairShape shape;
  ArmillaSorted *a, *b; /* b: the same as a for auto counts */
  double *edges;
  ArmillaTile edges_tile, scratch;
  GArray *items;
  ArmillaPartialSums sums;
} Count;

static int
rows_for (int sums)
{
  return sums & SHEAR_SUMS                   ? ARMILLA_ROWS_SHEAR
         : sums & PER_PAIR_SUMS              ? ARMILLA_ROWS_MASS
         : sums & 1 << ARMILLA_SUM_WEIGHT ? ARMILLA_ROWS_WEIGHT
                                             : ARMILLA_ROWS_POSITION;
}

/* The unit of terms up to @most: a power of two that leaves room for ARMILLA_TERM_BITS. */
static int64_t
term_exponent (double most)
{
  int exponent = 0;

  (void) frexp (most * 1.0001, &exponent);
  return most > 0 ? exponent - 50 : 0;
}

static void
fill_shape (Count *c)
{
  const ArmillaHistogramShape *histogram = armilla_histogram_shape (c->out);
  const ArmillaBins *bins = armilla_histogram_bins (c->out);
  const ArmillaCells *a = c->a->cells, *b = c->b->cells;

  c->shape.n_bins = histogram->n_bins;
  c->shape.n_patches = histogram->n_patches;
  c->shape.n_within = histogram->n_within;
  c->shape.slots[0] = a->n_slots;
  c->shape.slots[1] = b->n_slots;
  c->shape.strides[0] = a->node_stride;
  c->shape.strides[1] = b->node_stride;
  c->shape.sums = histogram->sums;
  c->shape.brute = c->options.brute;
  c->shape.isa = (int32_t) c->graph->view.isa;
  c->shape.exponents[ARMILLA_SUM_WEIGHT] = a->weight_exponent + b->weight_exponent;
  c->shape.exponents[ARMILLA_SUM_SEPARATION]
    = term_exponent (a->mass * b->mass * bins->angle[bins->n]);
  /* Cells that other counts share may have shears, too: no bit may show that. */
  c->shape.exponents[ARMILLA_SUM_XI_PLUS]
    = histogram->sums & SHEAR_SUMS ? term_exponent (a->shear * b->shear) : 0;
  c->shape.exponents[ARMILLA_SUM_XI_MINUS] = c->shape.exponents[ARMILLA_SUM_XI_PLUS];
}

/* Squared chords and chords, each followed by infinity. */
static void
fill_edges (Count *c)
{
  const ArmillaBins *bins = armilla_histogram_bins (c->out);
  const int n = bins->n + 2;

  c->edges = g_new (double, 2 * n);
  for (int k = 0; k < n; k++)
    {
      c->edges[k] = k <= bins->n ? bins->s2[k] : INFINITY;
      c->edges[n + k] = sqrt (c->edges[k]);
    }
}

/* One task: the items from @first on, up to @end. */
static gboolean
submit_items (Count *c, guint first, guint end, int rank, GError **error)
{
  const gint64 n_words = armilla_histogram_words (armilla_histogram_shape (c->out));
  ArmillaPairArgs args = { armilla_graph_fault (c->graph), c->shape };
  g_autofree int64_t *words = g_new (int64_t, ARMILLA_ITEM_WORDS * (gsize) (end - first));
  ArmillaTile items = { 0 }, part = { 0 };
  gboolean ok;

  args.shape.n_items = end - first;
  args.shape.pairs = 0;
  for (guint i = first; i < end; i++)
    {
      const ArmillaPairItem *item = &g_array_index (c->items, ArmillaPairItem, i);

      for (int k = 0; k < ARMILLA_ITEM_WORDS; k++)
        words[ARMILLA_ITEM_WORDS * (i - first) + k] = item->words[k];
      args.shape.pairs += item->pairs;
    }
  ok = armilla_tile_from_words (c->graph, rank, words,
                                ARMILLA_ITEM_WORDS * (gint64) (end - first), &items, error)
       && armilla_tile_new (c->graph, rank, n_words, &part, error);
  if (ok)
    {
      const ArmillaUse uses[] = { { c->a->points.handle, STARPU_R },
                                  { c->a->nodes.handle, STARPU_R },
                                  { c->b->points.handle, STARPU_R },
                                  { c->b->nodes.handle, STARPU_R },
                                  { c->edges_tile.handle, STARPU_R },
                                  { items.handle, STARPU_R },
                                  { part.handle, STARPU_W },
                                  { c->scratch.handle, STARPU_SCRATCH } };

      ok = armilla_submit (c->graph,
                           c->shape.sums & PER_PAIR_SUMS ? &armilla_shear_histogram_cl
                                                         : &armilla_pair_histogram_cl,
                           rank, &args, sizeof args, uses, G_N_ELEMENTS (uses), 0, error)
           && armilla_partial_sums_add (&c->sums, &part, error);
    }
  armilla_tile_drop (&items);
  armilla_tile_drop (&part);
  return ok;
}

/* Runs of items of about equal cost; neighbouring tasks go to different ranks. */
static gboolean
submit_all (Count *c, GError **error)
{
  const int n_ranks = c->graph->view.n_ranks;
  g_auto (ArmillaBatches) batches;
  double total = 0, done = 0, dealt = 0;
  gint64 n_tasks = c->options.tasks;
  guint first = 0;
  int task = 0;

  armilla_batches_init (&batches, c->graph);
  for (guint i = 0; i < c->items->len; i++)
    total += g_array_index (c->items, ArmillaPairItem, i).pairs;
  if (n_tasks <= 0)
    n_tasks = CLAMP ((gint64) (total / LEAST_TASK_PAIRS), 1, TASKS_A_RANK * n_ranks);
  n_tasks = MIN (n_tasks, MAX ((gint64) c->items->len, 1)); /* a task has one item at the least */
  for (guint i = 0; i < c->items->len; i++)
    {
      done += g_array_index (c->items, ArmillaPairItem, i).pairs;
      if (done < total * (task + 1) / (double) n_tasks && i + 1 < c->items->len)
        continue;
      if (!submit_items (c, first, i + 1, armilla_batches_next (&batches, done - dealt), error))
        return FALSE;
      first = i + 1;
      dealt = done;
      while (done >= total * (task + 1) / (double) n_tasks && task < n_tasks)
        task++;
    }
  /* A histogram of nothing is written, too. */
  return c->items->len > 0 || submit_items (c, 0, 0, 0, error);
}

static void
release_both (const Count *c)
{
  armilla_sorted_release (c->a);
  if (!c->shape.is_auto)
    armilla_sorted_release (c->b);
}

static gboolean
sort_both (Count *c, ArmillaCatalogue *a, ArmillaCatalogue *b, GError **error)
{
  const gboolean patches = c->shape.n_patches > 0;
  const int n_rows = rows_for (armilla_histogram_shape (c->out)->sums);

  c->a = armilla_sorted_get (c->graph, a, n_rows, patches, error);
  if (!c->a)
    return FALSE;
  c->b = b ? armilla_sorted_get (c->graph, b, n_rows, patches, error) : c->a;
  return c->b != NULL;
}

static gboolean
count (Count *c, ArmillaCatalogue *a, ArmillaCatalogue *b, const ArmillaTile *out, GError **error)
{
  const gint64 n_edges = 2 * ((gint64) armilla_histogram_bins (c->out)->n + 2);
  double all, most, begin;
  GError *local = NULL;
  gboolean ok;

  c->shape.n_patches = armilla_histogram_shape (c->out)->n_patches;
  c->shape.is_auto = b == NULL;
  (void) sort_both (c, a, b, &local);
  /* One rank may lack memory: then all stop. */
  if (!armilla_graph_agree (c->graph, local, error))
    {
      release_both (c);
      return FALSE;
    }
  fill_shape (c);
  fill_edges (c);
  all = (double) c->a->cells->n * (double) c->b->cells->n;
  most = MAX (all / MOST_ITEMS, LEAST_ITEM_PAIRS);
  if (c->options.tasks > 0)
    most = MIN (most, all / (double) c->options.tasks);
  begin = armilla_forecast_clock (c->graph);
  c->items = armilla_pair_cut (&c->shape, c->edges, c->a->cells, c->b->cells, most);
  armilla_forecast_spend (c->graph, begin);
  release_both (c);
  armilla_partial_sums_init (&c->sums, c->graph, armilla_histogram_shape (c->out));
  ok = armilla_tile_from_words (c->graph, ARMILLA_OWNER_EACH, c->edges, n_edges, &c->edges_tile,
                                error)
       && armilla_tile_borrow (c->graph, 0, armilla_pair_scratch (&c->shape), &c->scratch, error)
       && submit_all (c, error) && armilla_partial_sums_finish (&c->sums, out, error);
  armilla_partial_sums_clear (&c->sums);
  armilla_tile_drop (&c->edges_tile);
  if (c->scratch.handle)
    armilla_tile_return (c->graph, &c->scratch);
  armilla_graph_trim_cells (c->graph);
  return ok;
}

/* What the objects turned out to be; the same on every rank. */
static gboolean
check_objects (const ArmillaCatalogue *catalogue, const ArmillaHistogramShape *shape,
               GError **error)
{
  const char *lacking = NULL;

  if (catalogue->n > MOST_OBJECTS)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "a catalogue has %" G_GINT64_FORMAT " objects; pairs of at most %u are counted",
                   catalogue->n, MOST_OBJECTS);
      return FALSE;
    }
  if (shape->sums & SHEAR_SUMS && !catalogue->g1)
    lacking = "shears";
  if (shape->n_patches > 0
      && (!catalogue->patch || catalogue->n_patches != shape->n_patches))
    lacking = "the patches";
  if (!lacking)
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
               "a catalogue lacks %s that its pairs shall be counted with", lacking);
  return FALSE;
}

static gboolean
run_pairs (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaHistogram *out = ARMILLA_HISTOGRAM (job->out);
  const ArmillaHistogramShape *shape = armilla_histogram_shape (out);
  const ArmillaTile *tile = armilla_histogram_tile (out, graph, error);
  ArmillaCatalogue *a = tile ? armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[0]), error)
                             : NULL;
  ArmillaCatalogue *b = NULL;
  Count c = { .graph = graph, .out = out,
              .options = *(const ArmillaCountOptions *) job->user };
  gboolean ok;

  if (!a || !check_objects (a, shape, error))
    return FALSE;
  if (job->in[1])
    {
      b = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[1]), error);
      if (!b || !check_objects (b, shape, error))
        return FALSE;
    }
  armilla_graph_next_epoch (graph);
  ok = count (&c, a, b, tile, error);
  g_free (c.edges);
  g_clear_pointer (&c.items, g_array_unref);
  return ok;
}

/**
 * armilla_graph_count_pairs:
 * @graph: a graph
 * @a: objects
 * @b: (nullable): other objects: pairs of one of @a and one of @b; %NULL: pairs within @a, each
 *   once, none of an object with itself
 * @options: (nullable): how to count
 * @out: a histogram of pairs; written
 * @error: return location
 *
 * Asks for pairs to be counted by their separation; see #ArmillaBins. Counts are exact, and so are
 * sums of weights, but for the rounding of each weight by at most 2^-57 of the greatest.
 * Terms of the other sums are rounded to multiples of 2^-50 of the greatest that there may be.
 *
 * Returns: whether the kind of histogram and the parts of the objects fit; %ARMILLA_ERROR_SHAPE
 *   otherwise
 */
gboolean
armilla_graph_count_pairs (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                           const ArmillaCountOptions *options, ArmillaHistogram *out,
                           GError **error)
{
  const ArmillaHistogramShape *shape = armilla_histogram_shape (out);
  const ArmillaCountOptions defaults = { 0 };
  ArmillaJob job = { .run = run_pairs,
                     .in = { ARMILLA_DATA (a), b ? ARMILLA_DATA (b) : NULL },
                     .out = ARMILLA_DATA (out),
                     .cell_rows = rows_for (shape->sums),
                     .cell_patches = shape->n_patches > 0,
                     .destroy = g_free };
  const ArmillaCatalogueParts parts
    = armilla_objects_parts (a) & (b ? armilla_objects_parts (b) : (ArmillaCatalogueParts) ~0u);

  if (shape->kind != ARMILLA_HISTOGRAM_PAIRS)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                           "pairs cannot be counted into a histogram of triangles");
      return FALSE;
    }
  if (shape->sums & SHEAR_SUMS && !(parts & ARMILLA_CATALOGUE_SHEAR))
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                           "the catalogue has no shears to correlate");
      return FALSE;
    }
  if (shape->n_patches > 0 && !(parts & ARMILLA_CATALOGUE_PATCH))
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                           "the catalogue is not divided into patches");
      return FALSE;
    }
  job.user = g_memdup2 (options ? options : &defaults, sizeof defaults);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
