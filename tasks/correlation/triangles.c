/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts triangles by tasks: each processes consecutive leaves of apexes, with about equal numbers
 * of pairs of neighbours. */
#include "config.h"

#include "codelets/correlation/triple-codelets.h"
#include "tasks/correlation/counting.h"

/* maximum number of objects of a catalogue: the numbers of their triangles fit into 63 bits */
#define MAX_OBJECTS 3000000

typedef struct {
  ArmillaCounting base;
  ArmillaTripleShape shape;
  int64_t *reach; /* number of objects within reach of each leaf */
} Triangles;

static double
leaf_tests (const ArmillaCounting *base, gint64 leaf)
{
  const double reach = (double) ((const Triangles *) base)->reach[leaf];

  return 0.5 * ARMILLA_LEAF * reach * reach + 1;
}

/* Prepares the count. The objects of the first catalogue are two of the corners, or all three;
 * those of the second are apexes. */
static void
prepare (ArmillaCounting *base)
{
  Triangles *self = (Triangles *) base;
  const ArmillaHistogramShape *histogram = armilla_histogram_shape (base->out);
  const ArmillaCells *apexes = base->b->cells, *others = base->a->cells;
  const ArmillaTripleInput input = { .points = { apexes->points, others->points },
                                     .nodes = { apexes->nodes, others->nodes },
                                     .edges = base->edges };

  self->shape = (ArmillaTripleShape) { .n_bins = histogram->n_bins,
                                       .equal = histogram->kind == ARMILLA_HISTOGRAM_EQUAL_SIDES,
                                       .within = base->within,
                                       .isa = (int32_t) base->graph->view.isa,
                                       .n_leaves = apexes->n_slots / ARMILLA_LEAF,
                                       .slots = { apexes->n_slots, others->n_slots },
                                       .strides = { apexes->node_stride, others->node_stride },
                                       .n_nodes = others->n_nodes,
                                       .n_roots = others->n_roots };
  self->reach = g_new (int64_t, MAX (self->shape.n_leaves, 1));
  armilla_triple_reach (&self->shape, &input, self->reach);
  for (int64_t leaf = 0; leaf < self->shape.n_leaves; leaf++)
    self->shape.reach = MAX (self->shape.reach, self->reach[leaf]);
  base->n_pieces = self->shape.n_leaves;
  base->scratch_size
    = MAX (armilla_triple_histogram_scratch (&self->shape),
           ARMILLA_CUDA_SCRATCH (armilla_triple_histogram_device_scratch (&self->shape)));
}

static gboolean
submit_leaves (ArmillaCounting *base, gint64 first, gint64 end, int rank, const ArmillaTile *part,
               GError **error)
{
  ArmillaTripleArgs args = { armilla_graph_fault (base->graph), ((Triangles *) base)->shape };
  const ArmillaUse uses[]
    = { { base->b->points.handle, STARPU_R },    { base->b->nodes.handle, STARPU_R },
        { base->a->points.handle, STARPU_R },    { base->a->nodes.handle, STARPU_R },
        { base->edges_tile.handle, STARPU_R },   { part->handle, STARPU_W },
        { base->scratch.handle, STARPU_SCRATCH } };

  args.shape.first_leaf = first;
  args.shape.n_leaves = end - first;
  for (gint64 leaf = first; leaf < end; leaf++)
    args.shape.tests += leaf_tests (base, leaf);
  return armilla_submit (base->graph, &armilla_triple_histogram_cl, rank, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), 0, error);
}

static gboolean
check_objects (const ArmillaCounting *base G_GNUC_UNUSED, int which G_GNUC_UNUSED,
               const ArmillaCatalogue *catalogue, GError **error)
{
  if (catalogue->n <= MAX_OBJECTS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "a catalogue has %" G_GINT64_FORMAT " objects; must be at most %d for "
                       "counting triangles", catalogue->n, MAX_OBJECTS);
}

static gboolean
run_triangles (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  static const ArmillaCountingKind kind = { check_objects, prepare, leaf_tests, submit_leaves };
  Triangles self = { .base.kind = &kind };
  const gboolean ok = armilla_counting_run (&self.base, graph, job, error);

  g_free (self.reach);
  return ok;
}

/* Requests the count of triangles by the bins of their sides; see ArmillaBins. Triangles with a
 * side outside all bins do not count. Counts are exact. Returns whether the kind of histogram
 * fits. */
gboolean
armilla_graph_count_triangles (ArmillaGraph *graph, ArmillaObjects *a, ArmillaObjects *b,
                               const ArmillaCountOptions *options, ArmillaHistogram *out,
                               GError **error)
{
  const ArmillaCountArgs args = { .options = options ? *options : (ArmillaCountOptions) { 0 },
                                  .rows = ARMILLA_ROWS_POSITION };
  ArmillaJob job = { .run = run_triangles,
                     .in = { ARMILLA_DATA (a), b ? ARMILLA_DATA (b) : NULL },
                     .out = ARMILLA_DATA (out) };

  if (armilla_histogram_shape (out)->kind == ARMILLA_HISTOGRAM_PAIRS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "triangles cannot be counted into a histogram of pairs");
  armilla_graph_defer_count (graph, &job, &args);
  return TRUE;
}
