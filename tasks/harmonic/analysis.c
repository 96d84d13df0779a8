/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/harmonic.h>
#include <string.h>

#include "codelets/fields/field-codelets.h"
#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/ranks/balance.h"

#define USUAL_CG 10 /* iterations */
/* number of iterations that must be saved to search for a replacement of the rings on few cores;
 * see normal-rings.c */
#define WORTH_FEWER_RINGS 2

/* Submits the producers of a ring block of the maps; tasks that read it are submitted before
 * end_tiles(). */

static gboolean
begin_tiles (ArmillaTransform *t, int b, GError **error)
{
  gboolean ok = TRUE;

  for (int sky = 0; ok && sky < t->n_skies; sky++)
    ok = armilla_data_tile_begin (ARMILLA_DATA (t->sources[sky]), t->graph, b, error);
  return ok;
}

static gboolean
end_tiles (ArmillaTransform *t, int b, GError **error)
{
  gboolean ok = TRUE;

  for (int sky = 0; ok && sky < t->n_skies; sky++)
    ok = armilla_data_tile_end (ARMILLA_DATA (t->sources[sky]), t->graph, b, error);
  return ok;
}

/* Submits one pass over the ring blocks: the adjoint synthesis of each map. armilla_transform_rings
 * () (transform.c) submits the tasks of each block: ring transforms (transform-rings.c), then the
 * adjoint recurrence (transform-recurrence.c). */
static gboolean
adjoint_pass (ArmillaTransform *t, const ArmillaTile *const *map, const ArmillaTile *const *alm,
              int flags, GError **error)
{
  const ArmillaTile **tile = g_newa (const ArmillaTile *, (gsize) t->n_skies);
  gboolean ok = TRUE;

  armilla_transform_restart (t, alm);
  if (t->n_skies == 1)
    t->in_place = armilla_map_in_place (t->sources[0]);
  for (int i = 0; ok && i < t->rings->n; i++)
    {
      const int b = armilla_transform_block (t, i);

      for (int sky = 0; sky < t->n_skies; sky++)
        tile[sky] = &map[sky][b];
      armilla_transform_next_epoch (t);
      ok = (t->in_place || begin_tiles (t, b, error))
           && armilla_transform_rings (t, b, tile, flags, error)
           && (t->in_place || end_tiles (t, b, error));
    }
  t->in_place = NULL;
  return ok && armilla_transform_finish (t, alm, error);
}

/* Submits alm <- A'W A x for each realisation, ring block by ring block, without storing pixels. */
gboolean
armilla_normal_pass (ArmillaTransform *t, const ArmillaTile *const *x,
                     const ArmillaTile *const *alm, GError **error)
{
  ArmillaTransform forward;
  gboolean ok = armilla_transform_begin (&forward, t->graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                         t->orders->layout, t->rings->grid, t->spins,
                                         t->n_fields / t->n_skies, t->n_skies, FALSE, error)
                && armilla_transform_prepare (&forward, x, error);

  armilla_transform_restart (t, alm);
  for (int b = 0; ok && b < t->rings->n; b++)
    {
      armilla_transform_next_epoch (t);
      ok = armilla_transform_normal (t, &forward, b, error);
    }
  armilla_transform_end (&forward);
  return ok && armilla_transform_finish (t, alm, error);
}

/* Returns unwritten tiles for the a_lm of one realisation. */
ArmillaTile *
armilla_alm_tiles_like (ArmillaTransform *t, GError **error)
{
  ArmillaTile *tiles = g_new0 (ArmillaTile, t->orders->n);

  for (int b = 0; b < t->orders->n; b++)
    if (!armilla_tile_new (t->graph, t->orders->owner[b],
                           2 * (t->n_fields / t->n_skies)
                             * armilla_order_block_count (t->orders, b), &tiles[b], error))
      {
        armilla_alm_tiles_free (t, tiles);
        return NULL;
      }
  return tiles;
}

void
armilla_alm_tiles_free (ArmillaTransform *t, ArmillaTile *tiles)
{
  for (int b = 0; tiles && b < t->orders->n; b++)
    armilla_tile_drop (&tiles[b]);
  g_free (tiles);
}

/* Submits y <- x + beta y on all m-blocks of one realisation. */
gboolean
armilla_alm_combine (ArmillaTransform *t, const ArmillaTile *x, double beta, const ArmillaTile *y,
                     GError **error)
{
  for (int b = 0; b < t->orders->n; b++)
    {
      ArmillaVectorArgs args = { .fault = armilla_graph_fault (t->graph),
                                 .n = y[b].n, .alpha = 1, .beta = beta };
      ArmillaUse uses[]
        = { { x[b].handle, STARPU_R }, { y[b].handle, beta != 0 ? STARPU_RW : STARPU_W } };

      if (!armilla_submit (t->graph, &armilla_combine_cl, y[b].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *const *jobs, int n,
       const ArmillaTile **in, const ArmillaTile **out, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (jobs[0]->in[0]);
  ArmillaAlm *alm = ARMILLA_ALM (jobs[0]->out);
  const ArmillaAnalysisArgs *args = jobs[0]->args;

  *t = (ArmillaTransform) { 0 };
  for (int i = 0; i < n; i++)
    {
      in[i] = armilla_map_lazy_tiles (ARMILLA_MAP (jobs[i]->in[0]), graph, error);
      out[i] = in[i] ? armilla_alm_tiles (ARMILLA_ALM (jobs[i]->out), graph, error) : NULL;
      if (!out[i])
        return FALSE;
    }
  if (!armilla_transform_begin (t, graph, ARMILLA_TRANSFORMS_ANALYSIS, armilla_alm_layout (alm),
                                armilla_map_grid (map), armilla_map_spins (map),
                                armilla_map_n_fields (map), n, args && args->exact, error))
    return FALSE;
  t->sources = g_new (ArmillaMap *, MAX (n, 1));
  for (int i = 0; i < n; i++)
    t->sources[i] = ARMILLA_MAP (jobs[i]->in[0]);
  return TRUE;
}

/* Checks the shapes of an analysis and adds the job, whose argument is an ArmillaAnalysisArgs or
 * NULL; armilla_graph_flush () runs run_analysis (). */
gboolean
armilla_graph_defer_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                              ArmillaJob *job, GError **error)
{
  const ArmillaAnalysisArgs *args = job->args;
  /* conjugate gradients need far fewer iterations than the maximum, so they count as 0 */
  int iterations = 0;

  if (!armilla_check_transform (alm, map, error))
    return FALSE;
  job->in[0] = ARMILLA_DATA (map);
  job->out = ARMILLA_DATA (alm);
  if (args)
    iterations = args->tolerance > 0 ? MIN (args->iterations, USUAL_CG) : args->iterations;
  armilla_job_set_transforms (job, alm, map, 1 + 2 * iterations);
  armilla_graph_defer (graph, job);
  return TRUE;
}

static gboolean
run_adjoint (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error)
{
  const ArmillaTile **in = g_newa (const ArmillaTile *, (gsize) n);
  const ArmillaTile **out = g_newa (const ArmillaTile *, (gsize) n);
  ArmillaTransform t;
  gboolean ok = begin (&t, graph, jobs, n, in, out, error)
                && adjoint_pass (&t, in, out, ARMILLA_RING_UNSEEN_IS_ZERO, error);

  armilla_transform_end (&t);
  return ok;
}

static const ArmillaJobKind adjoint_kind
  = { .alike = armilla_analyses_alike, .run = run_adjoint };

gboolean
armilla_graph_adjoint_synthesis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                 GError **error)
{
  ArmillaJob job = { .kind = &adjoint_kind };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}

/* Begins an analysis of the maps of the jobs: a_lm <- A'W y, with A the synthesis, W the quadrature
 * weights and y the map; or the exact a_lm by resampling. The maps are not read after this call.
 * armilla_transform_end () must follow, even on failure. */
gboolean
armilla_analysis_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *const *jobs, int n,
                        const ArmillaTile **in, const ArmillaTile **out, GError **error)
{
  const gboolean begun = begin (t, graph, jobs, n, in, out, error);
  const int weighted = t->resample ? 0 : ARMILLA_RING_WEIGHTED;
  const gboolean ok
    = begun && adjoint_pass (t, in, out, weighted | ARMILLA_RING_UNSEEN_IS_ZERO, error);

  for (int i = 0; ok && i < n; i++)
    armilla_job_done_with (jobs[i], 0);
  return ok;
}

/* Returns whether to stop iterating after a failure. With several ranks iterations continue: the
 * other ranks do not know of it yet, and wait for this rank's tasks. */
static gboolean
is_iterating_useless (ArmillaGraph *graph)
{
  return graph->view.n_ranks == 1 && armilla_graph_failed (graph);
}

/* Change that the last iteration added to the a_lm of a realisation. */
typedef struct {
  ArmillaTile *alm;
  ArmillaMover *mover;
} Change;

static void
change_clear (ArmillaTransform *t, Change *change)
{
  armilla_mover_free (change->mover);
  armilla_alm_tiles_free (t, change->alm);
  *change = (Change) { NULL, NULL };
}

/* Submits change <- last - change, out <- out + change, where change is A'W A last. */
static gboolean
add_change (ArmillaTransform *t, const ArmillaTile *last, const ArmillaTile *change,
            const ArmillaTile *out, GError **error)
{
  return armilla_alm_combine (t, last, -1, change, error)
         && armilla_alm_combine (t, change, 1, out, error);
}

/* Submits an iteration. It computes its change from the previous change (at first the a_lm
 * themselves), so it needs no map. */
static gboolean
improve (ArmillaTransform *t, Change *changes, const ArmillaTile *const *out, GError **error)
{
  const gsize n = (gsize) t->n_skies;
  const ArmillaTile **last = g_newa0 (const ArmillaTile *, n);
  const ArmillaTile **next = g_newa0 (const ArmillaTile *, n);
  Change *fresh = g_newa0 (Change, n);
  gboolean ok = TRUE;

  for (gsize sky = 0; ok && sky < n; sky++)
    {
      last[sky] = changes[sky].alm ? changes[sky].alm : out[sky];
      next[sky] = fresh[sky].alm = armilla_alm_tiles_like (t, error);
      ok = next[sky] != NULL;
      if (ok)
        fresh[sky].mover = armilla_mover_new (t->graph, fresh[sky].alm, t->orders, NULL);
    }
  ok = ok && armilla_normal_pass (t, last, next, error);
  for (gsize sky = 0; ok && sky < n; sky++)
    ok = add_change (t, last[sky], next[sky], out[sky], error);
  for (gsize sky = 0; sky < n; sky++)
    {
      change_clear (t, &changes[sky]);
      changes[sky] = fresh[sky];
    }
  return ok;
}

static gboolean
run_analysis (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error)
{
  const ArmillaTile **in = g_newa (const ArmillaTile *, (gsize) n);
  const ArmillaTile **out = g_newa (const ArmillaTile *, (gsize) n);
  Change *changes = g_newa0 (Change, (gsize) n);
  const int iterations = ((const ArmillaAnalysisArgs *) jobs[0]->args)->iterations;
  ArmillaTransform t;
  gboolean ok = armilla_analysis_begin (&t, graph, jobs, n, in, out, error)
                && (iterations < WORTH_FEWER_RINGS || armilla_analysis_thin (&t, error));

  for (int i = 0; ok && i < iterations && !is_iterating_useless (graph); i++)
    {
      armilla_graph_balance (graph);
      ok = improve (&t, changes, out, error);
    }
  for (int sky = 0; sky < n; sky++)
    change_clear (&t, &changes[sky]);
  armilla_transform_end (&t);
  return ok;
}

static const ArmillaJobKind analysis_kind
  = { .alike = armilla_analyses_alike, .run = run_analysis };

/* Requests the sum over pixels of Y_lm^* times the quadrature weights, on any grid. */
gboolean
armilla_graph_quadrature (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm, GError **error)
{
  const ArmillaAnalysisArgs args = { .iterations = 0 };
  ArmillaJob job = { .kind = &analysis_kind, .args = &args, .args_size = sizeof args };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}

/* Returns whether the map is an image of a part of a grid, 0 on the rings that it lacks, and the
 * analysis on the rings of the whole grid is exact. */
static gboolean
is_exact_image (ArmillaGrid *grid, ArmillaAlmLayout layout)
{
  const ArmillaGrid *whole = armilla_grid_whole (grid);
  gint64 first, n;

  return armilla_grid_array_pixels (grid, &first, &n)
         && layout.lmax <= armilla_grid_held_lmax (whole)
         && layout.mmax <= (whole->rings[0].n_phi - 1) / 2;
}

gboolean
armilla_graph_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm, int iterations,
                        GError **error)
{
  ArmillaGrid *grid = armilla_map_grid (map);
  const gboolean resamples = armilla_analysis_resamples (grid, armilla_alm_layout (alm).lmax);
  /* After an exact analysis on all rings of a grid, iterations would change nothing. */
  const gboolean complete = (resamples && armilla_grid_whole (grid) == grid)
                            || is_exact_image (grid, armilla_alm_layout (alm));
  const int needed = complete ? 0 : iterations;
  const ArmillaAnalysisArgs args = { .iterations = needed, .exact = resamples && needed == 0 };
  ArmillaJob job = { .kind = &analysis_kind, .args = &args, .args_size = sizeof args };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}
