/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms whose recurrence works on other equidistant rings than those of the map. Delta of each
 * m-block is resampled between the two sets of rings. This gives the exact analysis on equidistant
 * rings and its adjoint (codelets/theta/theta-resample.h), and maps from which values at points are
 * interpolated (codelets/points/points-delta.h). An m-block is resampled on all rings at once, so
 * Delta of all rings is in memory. */
#include "config.h"

#include <string.h>

#include "codelets/points/points-codelets.h"
#include "codelets/points/points-delta-math.h"
#include "codelets/rings/ring-fft-math.h"
#include "codelets/theta/theta-codelets.h"
#include "codelets/theta/theta-resample-math.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/transform.h"

#include <armilla/memory.h>

/* Data of the resampling that all transforms on a grid share; created once per graph. */
typedef struct {
  const ArmillaRingBlocks *rings;
  ArmillaFftPlans *plans;
  /* shape of the resampling of an exact analysis; fields and orders are set later */
  ArmillaResampleShape shape;
  /* the same for a map of points; n_fine is 0 for an exact analysis */
  ArmillaPointsDeltaShape points;
  ArmillaPointsKernel kernel;     /* interpolation kernel of a map of points */
  gint64 mmax;                    /* highest order in the table of a map of points */
  ArmillaRingBlock whole;         /* ring pairs of the recurrence */
  double *table;
  gint64 table_size;              /* number of doubles of table */
  starpu_data_handle_t table_handle;
  /* maximum number of sequences (in theta, of one order and field) that a task resamples; 0 without
   * GPUs */
  gint64 n_sequences;
  gint64 batch;        /* sequences that a GPU transforms at a time */
  gint64 cuda_scratch; /* doubles of scratch space on a GPU */
} Resampling;

struct _ArmillaResampleTransform {
  const Resampling *resampling;
  ArmillaTile *whole; /* [m-block]: Delta (Fourier coefficients of rings) on the rings of the map,
                       * while it is in use */
  int n_done;         /* ring blocks submitted in this pass */
};

static void
free_resampling (gpointer data)
{
  Resampling *self = data;

  if (self->table_handle)
    starpu_data_unregister (self->table_handle);
  if (self->whole.pairs_handle)
    starpu_data_unregister (self->whole.pairs_handle);
  g_free (self->whole.pairs);
  g_free (self->table);
  g_free (self);
}

static const ArmillaExtraKind resampling_kind = { .free = free_resampling };

/* Returns the index of the ring of each slot of the ring blocks, counted from the north pole of the
 * whole grid; -1 for slots without a ring. */
static gint64 *
find_rings (const ArmillaRingBlocks *rings)
{
  ArmillaGrid *whole = armilla_grid_whole (rings->grid);
  gint64 *ring = g_new (gint64, 2 * rings->grid->n_pairs), *next = ring;

  for (int b = 0; b < rings->n; b++)
    for (gint64 slot = 0; slot < 2 * rings->block[b].n_pairs; slot++)
      *next++ = rings->block[b].slots[slot].n_phi > 0
                  ? armilla_grid_ring_of (whole, rings->block[b].first_pixel[slot]) : -1;
  return ring;
}

static gboolean
make_table (Resampling *self, GError **error)
{
  const gint64 n_phi = self->rings->grid->rings[0].n_phi;
  const char *what = "the weights of a circle";
  g_autofree gint64 *ring = find_rings (self->rings);
  g_autofree double *scratch = NULL;

  if (armilla_resample_plan (&self->shape, self->plans) != 0)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY, "out of memory: FFTW cannot plan a circle");
  self->table_size = armilla_resample_table_size (&self->shape);
  self->table = armilla_try_new (double, self->table_size, what, error);
  scratch = armilla_try_new (double, armilla_resample_scratch_size (&self->shape), what, error);
  if (!self->table || !scratch)
    return FALSE;
  armilla_resample_table (&self->shape, ring, 2 * G_PI / (double) n_phi, self->plans,
                          scratch, self->table);
  return TRUE;
}

/* Creates the cuFFT plans for batches of sequences of @length and @other elements, and determines
 * the size of the scratch space: a batch of each length, and the larger work area of the two
 * plans. */
static gboolean
plan_batch (Resampling *self, ArmillaGraph *graph, gint64 length, gint64 other, GError **error)
{
  ArmillaWorkerPlans *plans = armilla_graph_worker_plans (graph);
  gint64 work, other_work;

  if (!armilla_worker_plans_add_length (plans, length, self->batch, &work, error)
      || !armilla_worker_plans_add_length (plans, other, self->batch, &other_work, error))
    return FALSE;
  self->cuda_scratch = 2 * (length + other) * self->batch + MAX (work, other_work);
  return TRUE;
}

static gboolean
plan_exact (Resampling *self, ArmillaGraph *graph, GError **error)
{
  const gint64 n = armilla_resample_points (&self->shape);

  if (self->n_sequences == 0)
    return TRUE;
#ifdef HAVE_CUDA
  self->batch = armilla_resample_batch (&self->shape, self->n_sequences);
#endif
  return plan_batch (self, graph, n, n, error);
}

static gboolean
plan_points (Resampling *self, ArmillaGraph *graph, GError **error)
{
  if (self->n_sequences == 0)
    return TRUE;
#ifdef HAVE_CUDA
  self->batch = armilla_points_delta_batch (&self->points, self->n_sequences);
#endif
  return plan_batch (self, graph, armilla_points_circle (self->points.n_coarse),
                     armilla_points_circle (self->points.n_fine), error);
}

/* Sets the rings of the recurrence to those of @grid, and registers them and the table of the
 * resampling with StarPU. */
static gboolean
set_whole (Resampling *self, ArmillaGraph *graph, const ArmillaGrid *grid, GError **error)
{
  const gint64 size = ARMILLA_PAIR_ROWS * self->whole.n_pairs;

  self->whole.pairs = armilla_try_new (double, size, "rings", error);
  if (!self->whole.pairs)
    return FALSE;
  armilla_grid_fill_pairs (grid, 0, self->whole.n_pairs, self->whole.pairs);
  armilla_tile_register_table (graph, &self->whole.pairs_handle, self->whole.pairs, size,
                               sizeof (double));
  armilla_tile_register_table (graph, &self->table_handle, self->table, self->table_size,
                               sizeof (double));
  return TRUE;
}

static gboolean
init_exact (Resampling *self, ArmillaGraph *graph, gint64 n_sequences, GError **error)
{
  const ArmillaGrid *whole = armilla_grid_whole (self->rings->grid);

  self->n_sequences = n_sequences;
  self->shape = (ArmillaResampleShape) { .n_rings = whole->n_rings,
                                         .on_poles = whole->kind == ARMILLA_GRID_CLENSHAW_CURTIS,
                                         .n_pairs = self->rings->grid->n_pairs };
  self->whole.n_pairs = (whole->n_rings + 1) / 2;
  return make_table (self, error) && plan_exact (self, graph, error)
         && set_whole (self, graph, whole, error);
}

/* Returns the number of rings on which Delta up to degree lmax is computed: the minimum, or
 * somewhat more so that FFTs along a meridian are fast. */
static gint64
coarse_rings (gint64 lmax)
{
  gint64 n = lmax + 1;

  while (!armilla_is_smooth (n))
    n++;
  return n + 1;
}

static gboolean
init_points (Resampling *self, ArmillaGraph *graph, ArmillaAlmLayout layout,
             const ArmillaPointsKernel *kernel, gint64 n_sequences, GError **error)
{
  const ArmillaGrid *fine = self->rings->grid;
  g_autoptr (ArmillaGrid) coarse
    = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, coarse_rings (layout.lmax), 1,
                                    error);

  if (!coarse)
    return FALSE;
  self->points = (ArmillaPointsDeltaShape) { .n_coarse = coarse->n_rings,
                                             .n_fine = fine->n_rings };
  self->kernel = *kernel;
  self->n_sequences = n_sequences;
  self->mmax = layout.mmax;
  self->whole.n_pairs = coarse->n_pairs;
  self->table_size = armilla_points_delta_table_size (&self->points, layout.mmax);
  self->table = armilla_try_new (double, self->table_size, "factors of points", error);
  if (!self->table)
    return FALSE;
  if (armilla_points_delta_plan (&self->points, self->plans) != 0)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY, "out of memory: FFTW cannot plan a circle");
  armilla_points_delta_table (&self->points, kernel, fine->rings[0].n_phi, layout.mmax,
                              self->table);
  return plan_points (self, graph, error) && set_whole (self, graph, coarse, error);
}

/* Returns whether the data can be used by this transform: of a map of points if there is a kernel,
 * otherwise an exact analysis. */
static gboolean
serves (const Resampling *self, const ArmillaTransform *t, const ArmillaPointsKernel *kernel,
        gint64 n_sequences)
{
  if (self->rings != t->rings || (kernel != NULL) != (self->points.n_fine > 0)
      || self->n_sequences != n_sequences)
    return FALSE;
  if (!kernel)
    return TRUE;
  return self->points.n_coarse == coarse_rings (t->orders->layout.lmax)
         && self->mmax >= t->orders->layout.mmax
         && memcmp (&self->kernel, kernel, sizeof *kernel) == 0;
}

/* Makes the transform one to a map of points with @kernel, or, if that is NULL, an exact analysis
 * or its adjoint, for which armilla_analysis_resamples() must be TRUE.
 * armilla_transform_resample_clear () must follow. */
gboolean
armilla_transform_resample_begin (ArmillaTransform *t, const ArmillaPointsKernel *kernel,
                                  GError **error)
{
  GPtrArray *all = armilla_extras_get (t->graph->extras, &resampling_kind);
  /* the real and the imaginary part of Delta of two orders make one sequence; a block may have one
   * half of such a pair */
  const gint64 n_sequences
    = t->graph->view.gpus ? (t->orders->max_orders / 2 + 1) * t->n_fields : 0;
  Resampling *found = NULL;

  for (guint i = 0; i < all->len && !found; i++)
    if (serves (g_ptr_array_index (all, i), t, kernel, n_sequences))
      found = g_ptr_array_index (all, i);
  if (!found)
    {
      found = g_new0 (Resampling, 1);
      found->rings = t->rings;
      found->plans = armilla_graph_fft_plans (t->graph);
      if (!(kernel ? init_points (found, t->graph, t->orders->layout, kernel, n_sequences, error)
                   : init_exact (found, t->graph, n_sequences, error)))
        {
          free_resampling (found);
          return FALSE;
        }
      g_ptr_array_add (all, found);
    }
  t->resample = g_new0 (struct _ArmillaResampleTransform, 1);
  t->resample->resampling = found;
  t->resample->whole = g_new0 (ArmillaTile, t->orders->n);
  return TRUE;
}

/* Returns the number of ring pairs of the tiles that the recurrence writes or reads. */
gint64
armilla_transform_resample_pairs (const ArmillaTransform *t)
{
  return t->resample->resampling->whole.n_pairs;
}

/* Returns the doubles of scratch space of the kernels. */
gint64
armilla_transform_resample_scratch (const ArmillaTransform *t)
{
  const Resampling *self = t->resample->resampling;

  return MAX (self->points.n_fine > 0 ? armilla_points_delta_scratch_size (&self->points)
                                      : armilla_resample_scratch_size (&self->shape),
              self->cuda_scratch);
}

static gboolean
borrow (ArmillaTransform *t, int m_block, gint64 n_pairs, ArmillaTile *tile, GError **error)
{
  return armilla_tile_borrow (t->graph, t->orders->owner[m_block],
                              4 * n_pairs * t->n_fields * t->orders->max_orders, tile, error);
}

static gboolean
submit_exact (ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block,
              const ArmillaUse *uses, int n_uses, GError **error)
{
  const Resampling *self = t->resample->resampling;
  ArmillaResampleArgs args = { .fault = armilla_graph_fault (t->graph),
                               .plans = t->resample->resampling->plans,
                               .cuda_plans = armilla_graph_worker_plans (t->graph),
                               .batch = self->batch,
                               .first_field = group->first,
                               .shape = self->shape };

  args.shape.n_fields = group->n;
  args.shape.spin = group->spin;
  args.shape.m_first = t->orders->m_first[m_block];
  args.shape.n_orders = t->orders->m_last[m_block] - t->orders->m_first[m_block] + 1;
  args.shape.to_map = armilla_transform_is_synthesis (t);
  return armilla_submit (t->graph, &armilla_theta_resample_cl, t->orders->owner[m_block], &args,
                         sizeof args, uses, n_uses, PRIORITY_THETA, error);
}

static gboolean
submit_points (ArmillaTransform *t, const ArmillaFieldGroup *group, int m_block,
               const ArmillaUse *uses, int n_uses, GError **error)
{
  ArmillaPointsDeltaArgs args = { .fault = armilla_graph_fault (t->graph),
                                  .plans = t->resample->resampling->plans,
                                  .cuda_plans = armilla_graph_worker_plans (t->graph),
                                  .batch = t->resample->resampling->batch,
                                  .shape = t->resample->resampling->points,
                                  .first_field = group->first };

  args.shape.n_fields = group->n;
  args.shape.spin = group->spin;
  args.shape.m_first = t->orders->m_first[m_block];
  args.shape.n_orders = t->orders->m_last[m_block] - t->orders->m_first[m_block] + 1;
  return armilla_submit (t->graph,
                         armilla_transform_is_synthesis (t) ? &armilla_points_refine_cl
                                                            : &armilla_points_coarsen_cl,
                         t->orders->owner[m_block], &args, sizeof args, uses, n_uses,
                         PRIORITY_THETA, error);
}

/* Submits the resampling of a group of fields between the tile of the map's rings and that of the
 * recurrence. The first group is submitted first. */
static gboolean
submit_resample (ArmillaTransform *t, int i_group, int m_block, const ArmillaTile *in,
                 const ArmillaTile *out, GError **error)
{
  const Resampling *self = t->resample->resampling;
  const ArmillaUse uses[] = { { self->table_handle, STARPU_R },
                              { in->handle, STARPU_R },
                              { out->handle, i_group == 0 ? STARPU_W : STARPU_RW },
                              { t->delta_scratch.handle, STARPU_SCRATCH } };

  return (self->points.n_fine > 0 ? submit_points : submit_exact) (
    t, &t->groups[i_group], m_block, uses, G_N_ELEMENTS (uses), error);
}

/* Submits the recurrence of an m-block on all rings and the resampling after it; or its adjoint,
 * the resampling first. */
static gboolean
submit_whole (ArmillaTransform *t, int m_block, GError **error)
{
  const Resampling *self = t->resample->resampling;
  const gboolean synthesis = armilla_transform_is_synthesis (t);
  const ArmillaTile *map = &t->resample->whole[m_block];
  ArmillaTile rows = { 0 };
  gboolean ok = borrow (t, m_block, self->whole.n_pairs, &rows, error);

  for (int i = 0; ok && synthesis && i < t->n_groups; i++)
    ok = armilla_transform_delta (t, i, m_block, &self->whole, &rows, error);
  for (int i = 0; ok && i < t->n_groups; i++)
    ok = submit_resample (t, i, m_block, synthesis ? &rows : map, synthesis ? map : &rows, error);
  for (int i = 0; ok && !synthesis && i < t->n_groups; i++)
    ok = armilla_transform_delta (t, i, m_block, &self->whole, &rows, error);
  armilla_tile_return (t->graph, &rows);
  return ok;
}

/* Submits the task that copies Delta to a ring block, and at the first one the sum on all rings.
 * For an adjoint, keeps the tile until all ring blocks are submitted. */
gboolean
armilla_transform_resample (ArmillaTransform *t, int m_block, const ArmillaRingBlock *rings,
                            const ArmillaTile *tile, GError **error)
{
  ArmillaTile *whole = &t->resample->whole[m_block];
  const gboolean fresh = !whole->handle;

  if (fresh
      && (!borrow (t, m_block, t->rings->grid->n_pairs, whole, error)
          || (armilla_transform_is_synthesis (t) && !submit_whole (t, m_block, error))))
    return FALSE;
  return armilla_transform_copy_whole (t, m_block, rings, tile, whole, fresh, error);
}

/* Must be called after each ring block. After the last one of a pass it frees the kept tiles, for
 * an adjoint after submitting the sums. */
gboolean
armilla_transform_resample_end (ArmillaTransform *t, GError **error)
{
  struct _ArmillaResampleTransform *by = t->resample;

  if (!by)
    return TRUE;
  by->n_done = (by->n_done + 1) % t->rings->n;
  for (int b = 0; by->n_done == 0 && b < t->orders->n; b++)
    {
      if (!armilla_transform_is_synthesis (t) && !submit_whole (t, b, error))
        return FALSE;
      armilla_tile_return (t->graph, &by->whole[b]);
    }
  return TRUE;
}

void
armilla_transform_resample_clear (ArmillaTransform *t)
{
  if (!t->resample)
    return;
  for (int b = 0; b < t->orders->n; b++)
    armilla_tile_return (t->graph, &t->resample->whole[b]);
  g_free (t->resample->whole);
  g_clear_pointer (&t->resample, g_free);
}
