/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/ranks/balance.h"

/* One pass over the ring blocks: adjoint synthesis of a map. */
static gboolean
adjoint_pass (ArmillaTransform *t, const ArmillaTile *map, const ArmillaTile *alm, int flags,
              GError **error)
{
  gboolean ok = TRUE;

  armilla_transform_restart (t);
  for (int b = 0; ok && b < t->rings->n; b++)
    {
      armilla_transform_next_epoch (t, TRUE);
      ok = armilla_map_tile_begin (t->source, t->graph, b, error)
           && armilla_transform_adjoint (t, b, &map[b], flags, error)
           && armilla_map_tile_end (t->source, t->graph, b, error);
    }
  return ok && armilla_transform_finish (t, alm, error);
}

/* s <- clean(map) - s */
static gboolean
subtract_from_map (ArmillaTransform *t, int b, const ArmillaTile *map, const ArmillaTile *s,
                   GError **error)
{
  ArmillaVectorArgs args = { .fault = armilla_graph_fault (t->graph),
                             .n = t->n_fields * t->rings->block[b].n_pixels };
  ArmillaUse uses[] = { { map->handle, STARPU_R }, { s->handle, STARPU_RW } };

  return armilla_submit (t->graph, &armilla_residual_cl, s->owner, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), 2, error);
}

/**
 * armilla_normal_pass:
 * @t: a transform
 * @x: (array): tiles of a_lm
 * @map: (nullable) (array): tiles of a map
 * @alm: (array): tiles of a_lm; written
 * @error: return location
 *
 * alm <- A'W A x or, with a map y, alm <- A'W (y - A x). Each ring block is
 * synthesized, subtracted and analysed before the next, so no second map is ever whole.
 *
 * Returns: whether the tasks were submitted
 */
gboolean
armilla_normal_pass (ArmillaTransform *t, const ArmillaTile *x, const ArmillaTile *map,
                     const ArmillaTile *alm, GError **error)
{
  ArmillaTransform forward;
  gboolean ok = armilla_transform_begin (&forward, t->graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                         t->orders->layout, t->rings->grid, t->spins,
                                         t->n_fields, error)
                && armilla_transform_prepare (&forward, x, error);

  armilla_transform_restart (t);
  for (int b = 0; ok && b < t->rings->n; b++)
    {
      const ArmillaRingBlock *rings = &t->rings->block[b];
      ArmillaTile pixels = { 0 };

      armilla_transform_next_epoch (t, TRUE);
      ok = armilla_tile_new (t->graph, rings->owner, t->n_fields * rings->n_pixels, &pixels, error)
           && armilla_transform_synthesis (&forward, b, &pixels, error)
           && (!map
               || (armilla_map_tile_begin (t->source, t->graph, b, error)
                   && subtract_from_map (t, b, &map[b], &pixels, error)
                   && armilla_map_tile_end (t->source, t->graph, b, error)))
           && armilla_transform_adjoint (t, b, &pixels, ARMILLA_RING_WEIGHTED, error);
      armilla_tile_drop (&pixels);
    }
  armilla_transform_end (&forward);
  return ok && armilla_transform_finish (t, alm, error);
}

/**
 * armilla_alm_tiles_like:
 * @t: a transform
 * @error: return location
 *
 * Returns: (transfer full) (nullable): unwritten tiles of the transform's a_lm, for
 *   armilla_alm_tiles_free()
 */
ArmillaTile *
armilla_alm_tiles_like (ArmillaTransform *t, GError **error)
{
  ArmillaTile *tiles = g_new0 (ArmillaTile, t->orders->n);

  for (int b = 0; b < t->orders->n; b++)
    if (!armilla_tile_new (t->graph, t->orders->owner[b],
                           2 * t->n_fields * armilla_order_block_count (t->orders, b), &tiles[b],
                           error))
      {
        armilla_alm_tiles_free (t, tiles);
        return NULL;
      }
  return tiles;
}

/**
 * armilla_alm_tiles_free:
 * @t: the transform
 * @tiles: (transfer full) (nullable): what armilla_alm_tiles_like() gave
 */
void
armilla_alm_tiles_free (ArmillaTransform *t, ArmillaTile *tiles)
{
  for (int b = 0; tiles && b < t->orders->n; b++)
    armilla_tile_drop (&tiles[b]);
  g_free (tiles);
}

/* y <- y + x on all m-blocks */
static gboolean
add_alm (ArmillaTransform *t, const ArmillaTile *x, const ArmillaTile *y, GError **error)
{
  for (int b = 0; b < t->orders->n; b++)
    {
      ArmillaVectorArgs args = { .fault = armilla_graph_fault (t->graph),
                                 .n = y[b].n, .alpha = 1, .beta = 1 };
      ArmillaUse uses[] = { { x[b].handle, STARPU_R }, { y[b].handle, STARPU_RW } };

      if (!armilla_submit (t->graph, &armilla_combine_cl, y[b].owner, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *job, const ArmillaTile **in,
       const ArmillaTile **out, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaAlm *alm = ARMILLA_ALM (job->out);

  *t = (ArmillaTransform) { 0 };
  *in = armilla_map_lazy_tiles (map, graph, error);
  *out = *in ? armilla_alm_tiles (alm, graph, error) : NULL;
  if (!*out
      || !armilla_transform_begin (t, graph, ARMILLA_TRANSFORMS_ANALYSIS, armilla_alm_layout (alm),
                                   armilla_map_grid (map), armilla_map_spins (map),
                                   armilla_map_n_fields (map), error))
    return FALSE;
  t->source = map;
  return TRUE;
}

/**
 * armilla_graph_defer_analysis:
 * @graph: a graph
 * @map: a map
 * @alm: a_lm
 * @job: what to do with them
 * @error: return location
 *
 * Checks the shapes of an analysis and notes it down.
 *
 * Returns: whether the shapes fit
 */
gboolean
armilla_graph_defer_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                              ArmillaJob *job, GError **error)
{
  if (!armilla_check_transform (alm, map, error))
    return FALSE;
  job->in[0] = ARMILLA_DATA (map);
  job->out = ARMILLA_DATA (alm);
  armilla_graph_defer (graph, job);
  return TRUE;
}

static gboolean
run_adjoint (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *in, *out;
  ArmillaTransform t;
  gboolean ok = begin (&t, graph, job, &in, &out, error)
                && adjoint_pass (&t, in, out, ARMILLA_RING_UNSEEN_IS_ZERO, error);

  armilla_transform_end (&t);
  return ok;
}

/**
 * armilla_graph_adjoint_synthesis:
 * @graph: a graph
 * @map: a map of F fields; UNSEEN pixels count as 0
 * @alm: a_lm of F fields; written
 * @error: return location
 *
 * Asks for a_lm = sum_p y(p) conj Y_lm(p): the adjoint of the synthesis, without weights.
 *
 * Returns: whether the shapes fit
 */
gboolean
armilla_graph_adjoint_synthesis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm,
                                 GError **error)
{
  ArmillaJob job = { .run = run_adjoint };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}

/**
 * armilla_analysis_begin:
 * @t: (out caller-allocates): the transform; armilla_transform_end() is due even on failure
 * @graph: a graph
 * @job: reads a map and writes a_lm
 * @in: (out): tiles of the map
 * @out: (out): tiles of the a_lm
 * @error: return location
 *
 * Begins an analysis: a_lm <- A'W y.
 *
 * Returns: whether the tasks were submitted
 */
gboolean
armilla_analysis_begin (ArmillaTransform *t, ArmillaGraph *graph, ArmillaJob *job,
                        const ArmillaTile **in, const ArmillaTile **out, GError **error)
{
  return begin (t, graph, job, in, out, error)
         && adjoint_pass (t, *in, *out, ARMILLA_RING_WEIGHTED | ARMILLA_RING_UNSEEN_IS_ZERO,
                          error);
}

/* Other ranks do not know yet that one has failed, and count on its tasks. */
static gboolean
is_in_vain (ArmillaGraph *graph)
{
  return graph->view.n_ranks == 1 && armilla_graph_failed (graph);
}

static gboolean
run_analysis (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *in, *out;
  ArmillaTransform t;
  gboolean ok = armilla_analysis_begin (&t, graph, job, &in, &out, error);

  for (int i = 0; ok && i < job->count && !is_in_vain (graph); i++)
    {
      ArmillaTile *change;

      armilla_graph_balance (graph);
      change = armilla_alm_tiles_like (&t, error);
      ok = change && armilla_normal_pass (&t, out, in, change, error)
           && add_alm (&t, change, out, error);
      armilla_alm_tiles_free (&t, change);
    }
  armilla_transform_end (&t);
  return ok;
}

/**
 * armilla_graph_analysis:
 * @graph: a graph
 * @map: a map of F fields; UNSEEN pixels count as 0
 * @alm: a_lm of F fields; written
 * @iterations: residual iterations, 0 or more, as healpy's `iter`
 * @error: return location
 *
 * Asks for a <- A'W y, then @iterations times a <- a + A'W (y - A a), with the quadrature weights
 * of the map's grid.
 *
 * Returns: whether the shapes fit
 */
gboolean
armilla_graph_analysis (ArmillaGraph *graph, ArmillaMap *map, ArmillaAlm *alm, int iterations,
                        GError **error)
{
  ArmillaJob job = { .run = run_analysis, .count = iterations };

  return armilla_graph_defer_analysis (graph, map, alm, &job, error);
}
