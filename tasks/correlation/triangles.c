/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting triangles as tasks: each has a run of leaves of apexes, cut so that the numbers of pairs
 * of neighbours are about equal. */
#include "config.h"

#include <math.h>

#include "codelets/correlation/triple-codelets.h"
#include "tasks/correlation/pairs-private.h"
#include "tasks/graph/jobs.h"

/* Tasks for each rank, unless the work is small. */
#define TASKS_A_RANK 96
#define LEAST_TASK_TESTS (1 << 20)
/* Objects of a catalogue: the numbers of their triangles fit 63 bits. */
#define MOST_OBJECTS 3000000

typedef struct {
  ArmillaGraph *graph;
  ArmillaHistogram *out;
  ArmillaCountOptions options;
  ArmillaTripleShape shape;
  ArmillaSorted *apexes, *others; /* within one catalogue the same */
  double *edges;
  int64_t *reach;
  ArmillaTile edges_tile, scratch;
  ArmillaPartialSums sums;
} Count;

static void
release_both (const Count *c, gboolean within)
{
  armilla_sorted_release (c->others);
  if (!within)
    armilla_sorted_release (c->apexes);
}

/* The objects of @a are two of the corners, or all three. */
static gboolean
sort_both (Count *c, ArmillaCatalogue *a, ArmillaCatalogue *b, GError **error)
{
  c->others = armilla_sorted_get (c->graph, a, ARMILLA_ROWS_POSITION, FALSE, error);
  if (!c->others)
    return FALSE;
  c->apexes
    = b ? armilla_sorted_get (c->graph, b, ARMILLA_ROWS_POSITION, FALSE, error) : c->others;
  return c->apexes != NULL;
}

static void
fill_shape (Count *c, gboolean within)
{
  const ArmillaHistogramShape *histogram = armilla_histogram_shape (c->out);
  const ArmillaCells *apexes = c->apexes->cells, *others = c->others->cells;

  c->shape = (ArmillaTripleShape) { .n_bins = histogram->n_bins,
                                    .equal = histogram->kind == ARMILLA_HISTOGRAM_EQUAL_SIDES,
                                    .within = within,
                                    .isa = (int32_t) c->graph->view.isa,
                                    .n_leaves = apexes->n_slots / ARMILLA_LEAF,
                                    .slots = { apexes->n_slots, others->n_slots },
                                    .strides = { apexes->node_stride, others->node_stride },
                                    .n_nodes = others->n_nodes,
                                    .n_roots = others->n_roots };
}

static double
leaf_tests (const Count *c, int64_t leaf)
{
  const double reach = (double) c->reach[leaf];

  return 0.5 * ARMILLA_LEAF * reach * reach + 1;
}

/* Squared chords and chords, each followed by infinity; how many objects each leaf may reach. */
static void
prepare (Count *c)
{
  const ArmillaBins *bins = armilla_histogram_bins (c->out);
  const int n = bins->n + 2;
  ArmillaTripleInput input = { .points = { c->apexes->cells->points, c->others->cells->points },
                               .nodes = { c->apexes->cells->nodes, c->others->cells->nodes } };

  c->edges = g_new (double, 2 * n);
  for (int k = 0; k < n; k++)
    {
      c->edges[k] = k <= bins->n ? bins->s2[k] : INFINITY;
      c->edges[n + k] = sqrt (c->edges[k]);
    }
  input.edges = c->edges;
  c->reach = g_new (int64_t, MAX (c->shape.n_leaves, 1));
  armilla_triple_reach (&c->shape, &input, c->reach);
  for (int64_t leaf = 0; leaf < c->shape.n_leaves; leaf++)
    c->shape.reach = MAX (c->shape.reach, c->reach[leaf]);
}

static gboolean
submit_leaves (Count *c, int64_t first, int64_t end, int rank, GError **error)
{
  ArmillaTripleArgs args = { armilla_graph_fault (c->graph), c->shape };
  ArmillaTile part = { 0 };
  gboolean ok;

  args.shape.first_leaf = first;
  args.shape.n_leaves = end - first;
  for (int64_t leaf = first; leaf < end; leaf++)
    args.shape.tests += leaf_tests (c, leaf);
  if (!armilla_tile_new (c->graph, rank,
                         armilla_histogram_words (armilla_histogram_shape (c->out)), &part, error))
    return FALSE;
  const ArmillaUse uses[]
    = { { c->apexes->points.handle, STARPU_R }, { c->apexes->nodes.handle, STARPU_R },
        { c->others->points.handle, STARPU_R }, { c->others->nodes.handle, STARPU_R },
        { c->edges_tile.handle, STARPU_R },    { part.handle, STARPU_W },
        { c->scratch.handle, STARPU_SCRATCH } };

  ok = armilla_submit (c->graph, &armilla_triple_histogram_cl, rank, &args, sizeof args, uses,
                       G_N_ELEMENTS (uses), 0, error)
       && armilla_partial_sums_add (&c->sums, &part, error);
  armilla_tile_drop (&part);
  return ok;
}

static gboolean
submit_all (Count *c, GError **error)
{
  const int n_ranks = c->graph->view.n_ranks;
  g_auto (ArmillaBatches) batches;
  double total = 0, done = 0, dealt = 0;
  gint64 n_tasks = c->options.tasks;
  int64_t first = 0;
  int task = 0;

  armilla_batches_init (&batches, c->graph);
  for (int64_t leaf = 0; leaf < c->shape.n_leaves; leaf++)
    total += leaf_tests (c, leaf);
  if (n_tasks <= 0)
    n_tasks = CLAMP ((gint64) (total / LEAST_TASK_TESTS), 1, TASKS_A_RANK * n_ranks);
  n_tasks = MIN (n_tasks, MAX (c->shape.n_leaves, 1)); /* a task has one leaf at the least */
  for (int64_t leaf = 0; leaf < c->shape.n_leaves; leaf++)
    {
      done += leaf_tests (c, leaf);
      if (done < total * (task + 1) / (double) n_tasks && leaf + 1 < c->shape.n_leaves)
        continue;
      if (!submit_leaves (c, first, leaf + 1, armilla_batches_next (&batches, done - dealt), error))
        return FALSE;
      first = leaf + 1;
      dealt = done;
      while (done >= total * (task + 1) / (double) n_tasks && task < n_tasks)
        task++;
    }
  return c->shape.n_leaves > 0 || submit_leaves (c, 0, 0, 0, error);
}

static gboolean
count (Count *c, ArmillaCatalogue *a, ArmillaCatalogue *b, const ArmillaTile *out, GError **error)
{
  const gint64 n_edges = 2 * ((gint64) armilla_histogram_bins (c->out)->n + 2);
  GError *local = NULL;
  gboolean ok;

  (void) sort_both (c, a, b, &local);
  /* One rank may lack memory: then all stop. */
  if (!armilla_graph_agree (c->graph, local, error))
    {
      release_both (c, b == NULL);
      return FALSE;
    }
  fill_shape (c, b == NULL);
  prepare (c);
  release_both (c, b == NULL);
  armilla_partial_sums_init (&c->sums, c->graph, armilla_histogram_shape (c->out));
  ok = armilla_tile_from_words (c->graph, ARMILLA_OWNER_EACH, c->edges, n_edges, &c->edges_tile,
                                error)
       && armilla_tile_borrow (c->graph, 0, armilla_triple_scratch (&c->shape), &c->scratch, error)
       && submit_all (c, error) && armilla_partial_sums_finish (&c->sums, out, error);
  armilla_partial_sums_clear (&c->sums);
  armilla_tile_drop (&c->edges_tile);
  if (c->scratch.handle)
    armilla_tile_return (c->graph, &c->scratch);
  armilla_graph_trim_cells (c->graph);
  return ok;
}

static gboolean
check_objects (const ArmillaCatalogue *catalogue, GError **error)
{
  if (catalogue->n <= MOST_OBJECTS)
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
               "a catalogue has %" G_GINT64_FORMAT " objects; triangles of at most %d are counted",
               catalogue->n, MOST_OBJECTS);
  return FALSE;
}

static gboolean
run_triangles (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaHistogram *out = ARMILLA_HISTOGRAM (job->out);
  const ArmillaTile *tile = armilla_histogram_tile (out, graph, error);
  ArmillaCatalogue *a = tile ? armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[0]), error)
                             : NULL;
  ArmillaCatalogue *b = NULL;
  Count c = { .graph = graph, .out = out,
              .options = *(const ArmillaCountOptions *) job->user };
  gboolean ok;

  if (!a || !check_objects (a, error))
    return FALSE;
  if (job->in[1])
    {
      b = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[1]), error);
      if (!b || !check_objects (b, error))
        return FALSE;
    }
  armilla_graph_next_epoch (graph);
  ok = count (&c, a, b, tile, error);
  g_free (c.edges);
  g_free (c.reach);
  return ok;
}

/**
 * armilla_graph_count_triangles:
 * @graph: a graph
 * @a: objects
 * @b: (nullable): other objects: triangles of two of @a and one of @b; %NULL: triangles within @a,
 *   each once
 * @options: (nullable): how to count; brute means nothing here
 * @out: a histogram of triangles, or of those of equal sides; written
 * @error: return location
 *
 * Asks for triangles to be counted by the bins of their three sides; see #ArmillaBins. Those with a
 * side in no bin do not count. Counts are exact.
 *
 * Returns: whether the kind of histogram fits; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_count_triangles (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                               const ArmillaCountOptions *options, ArmillaHistogram *out,
                               GError **error)
{
  const ArmillaCountOptions defaults = { 0 };
  ArmillaJob job = { .run = run_triangles,
                     .in = { ARMILLA_DATA (a), b ? ARMILLA_DATA (b) : NULL },
                     .out = ARMILLA_DATA (out),
                     .cell_rows = ARMILLA_ROWS_POSITION,
                     .destroy = g_free };

  if (armilla_histogram_shape (out)->kind == ARMILLA_HISTOGRAM_PAIRS)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                           "triangles cannot be counted into a histogram of pairs");
      return FALSE;
    }
  job.user = g_memdup2 (options ? options : &defaults, sizeof defaults);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
