/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a transform, for the tasks that transform-rings.c submits ring block by ring block. */
#include "config.h"

#include "tasks/harmonic/harmonic-state.h"
#include "tasks/harmonic/transform.h"

/* recurrence tasks per worker in all ring blocks in flight, so that computation overlaps with
 * transfers */
#define TASKS_PER_WORKER 4

static gboolean
make_scratch (ArmillaTransform *t, GError **error)
{
  gint64 n_pairs = t->resample  ? armilla_transform_resample_pairs (t)
                   : t->theta ? t->theta->max_pairs
                              : t->rings->max_pairs;
  gint64 delta = armilla_transform_recurrence_scratch (t, n_pairs);

  if (t->theta)
    delta = MAX (delta, t->theta->scratch);
  if (t->resample)
    delta = MAX (delta, armilla_transform_resample_scratch (t));
  return armilla_tile_new (t->graph, 0, delta, &t->delta_scratch, error);
}

typedef struct {
  ArmillaTransforms which;
  ArmillaAlmLayout layout;
  ArmillaGrid *grid;
  const int *spins;
  int n_fields, n_skies;
  /* whether Delta is resampled between the map's rings and others; see transform-resample.c */
  gboolean resamples;
  const ArmillaPointsKernel *kernel; /* interpolation kernel, for a map of points; NULL: none */
} Shape;

static gboolean
begin (ArmillaTransform *t, ArmillaGraph *graph, const Shape *shape, GError **error)
{
  const gint64 lmax = shape->layout.lmax;
  const int n_fields = shape->n_fields;

  *t = (ArmillaTransform) { .graph = graph, .which = shape->which,
                            .n_fields = n_fields * shape->n_skies,
                            .n_skies = shape->n_skies,
                            .legendre = armilla_legendre_options (graph, graph->label) };
  if (!armilla_alm_layout_check (shape->layout, error))
    return FALSE;
  t->rings = armilla_graph_ring_blocks (graph, shape->grid, n_fields, error);
  if (!t->rings)
    return FALSE;
  t->orders = armilla_graph_order_blocks (graph, shape->layout, n_fields);
  t->isa = armilla_graph_isa (graph, shape->which, lmax, n_fields);
  t->spins = g_memdup2 (shape->spins, sizeof (int) * (gsize) n_fields);
  if (!armilla_transform_recurrence_begin (t, error)
      || (shape->resamples && !armilla_transform_resample_begin (t, shape->kernel, error)))
    return FALSE;
  if (!shape->resamples
      && !armilla_graph_theta_grid (graph, shape->which, t->rings, lmax, n_fields, t->n_groups,
                                    &t->theta, error))
    return FALSE;
  if (t->theta)
    {
      t->grid_tiles = g_new0 (ArmillaTile, t->theta->n_blocks * t->orders->n);
      t->ring_block_done = g_new0 (gboolean, t->theta->n);
      t->fresh = g_new0 (int, t->orders->n);
    }
  t->plans = armilla_graph_ring_plans (graph, t->rings, shape->layout.mmax, shape->spins, n_fields,
                                       shape->n_skies, error);
  return t->plans && make_scratch (t, error) && armilla_transform_butterfly_begin (t, error);
}

/* Creates the data that the tasks of a transform share: coefficients, a_lm in the basis of the
 * recurrence, scratch space. Tile sizes and choices are those of one realisation, so that its bits
 * do not depend on the others. @n_skies must be 1 if GPUs compute, and armilla_fields_check () must
 * hold for @spins. @exact: an analysis by resampling in theta, or its adjoint, without ring
 * weights; see armilla_analysis_resamples (). armilla_transform_end () must follow, even on
 * failure. */
gboolean
armilla_transform_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaTransforms which,
                         ArmillaAlmLayout layout, ArmillaGrid *grid, const int *spins,
                         int n_fields, int n_skies, gboolean exact, GError **error)
{
  const Shape shape = { which, layout, grid, spins, n_fields, n_skies, exact, NULL };

  return begin (t, graph, &shape, error);
}

/* Like armilla_transform_begin (), for a map of points: values at points are interpolated from it
 * with @kernel (or, for the adjoint, added to it). Its grid is Clenshaw-Curtis with more rings than
 * the a_lm need, and its a_lm are divided by the transform of the kernel. */
gboolean
armilla_transform_begin_points (ArmillaTransform *t, ArmillaGraph *graph, ArmillaTransforms which,
                                ArmillaAlmLayout layout, ArmillaGrid *grid,
                                const ArmillaPointsKernel *kernel, const int *spins, int n_fields,
                                GError **error)
{
  const Shape shape = { which, layout, grid, spins, n_fields, 1, TRUE, kernel };

  return begin (t, graph, &shape, error);
}

/* Frees the data of armilla_transform_begin () after the tasks have ended. */
void
armilla_transform_end (ArmillaTransform *t)
{
  armilla_transform_theta_clear (t);
  armilla_transform_butterfly_clear (t);
  armilla_transform_resample_clear (t);
  armilla_transform_recurrence_end (t);
  armilla_tile_drop (&t->delta_scratch);
  g_clear_pointer (&t->spins, g_free);
  g_clear_pointer (&t->sources, g_free);
}

/* Returns the number of ring blocks in flight that keeps all workers of all ranks busy. An adjoint
 * sums over ring blocks in order, so the ring transforms of several blocks must run at the same
 * time, one per rank at least. */
static gint64
wanted_epochs (const ArmillaTransform *t)
{
  const ArmillaView *view = &t->graph->view;
  gint64 wanted;

  if (view->n_ranks == 1 || view->gpus)
    return 0;
  wanted = TASKS_PER_WORKER * (gint64) view->max_workers * view->n_ranks / t->orders->n;
  return armilla_transform_is_synthesis (t) ? wanted : MAX (wanted, view->n_ranks);
}

/* Begins the epoch of a ring block, sized for the Delta tiles, modes and pixels of the largest
 * block. */
void
armilla_transform_next_epoch (const ArmillaTransform *t)
{
  gint64 modes = 4 * t->rings->max_pairs * (t->orders->layout.mmax + 1);

  armilla_graph_part_begins (t->graph, t->rings->n);
  armilla_graph_next_epoch_of (t->graph,
                               (gint64) sizeof (double) * t->n_fields
                                 * (2 * modes + t->rings->max_pixels),
                               wanted_epochs (t));
}
