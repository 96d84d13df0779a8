/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data leave the graph: on rank 0, or in parts on the ranks that own the tiles. */
#include "config.h"

#include "tasks/data/tap.h"
#include "tasks/planning/forecast-private.h"

static gboolean
run_end (gpointer data, double *const *buffers, GError **error)
{
  (void) buffers;
  return armilla_tap_step_done (((ArmillaTapStep *) data)->tap, error);
}

/* Of a sink in parts every rank has an end of its own: a step without tiles. */
static gboolean
end_parts (ArmillaGraph *graph, ArmillaTap *tap, GError **error)
{
  gboolean ok = TRUE;

  for (int rank = 0; ok && tap->part && rank < graph->view.n_ranks; rank++)
    ok = armilla_tap_add (graph, rank, NULL, 0, STARPU_R, run_end, armilla_tap_step_new (tap, 0),
                          error);
  return ok;
}

/* In a forecast: the step that was added last is the sink's, which comes to its end after @n. */
static gboolean
plan_end (ArmillaGraph *graph, ArmillaTap *tap, int rank, const ArmillaTile *tile, int n,
          GError **error)
{
  ArmillaLabel *label = graph->label;
  gboolean ok;

  if (!graph->taker.kind)
    return TRUE;
  if (!tap->planned)
    tap->planned = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastStep));
  armilla_forecast_host_note (graph, rank, tile, tap->planned);
  if ((int) tap->planned->len < n)
    return TRUE;
  graph->label = tap->label;
  ok = armilla_forecast_host_end (graph, tap->planned, error);
  graph->label = label;
  return ok;
}

/* Adds the step that takes one tile, and the end after the last of @n. */
static gboolean
take_tile (ArmillaGraph *graph, ArmillaTap *tap, int block, int n, const ArmillaTile *tile,
           ArmillaHostStep run, GError **error)
{
  int rank = tap->in_parts ? tile->owner : 0;

  if (tap->in_parts && rank == tap->rank)
    g_atomic_int_inc (&tap->left);
  return armilla_tap_add (graph, rank, tile, 1, STARPU_R, run, armilla_tap_step_new (tap, block),
                          error)
         && plan_end (graph, tap, rank, tile, n, error)
         && (!tap->in_parts || ++tap->submitted < n || end_parts (graph, tap, error));
}

static gboolean
take_map_tile (ArmillaGraph *graph, gpointer user, int ring_block, const ArmillaTile *tile,
               GError **error)
{
  ArmillaTap *tap = user;

  return take_tile (graph, tap, ring_block, tap->rings->n, tile, armilla_tap_run_map, error);
}

static gboolean
run_drain_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = (ArmillaMap *) job->in[0];
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_map_lazy_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < tap->rings->n; b++)
    ok = armilla_map_tile_begin (map, graph, b, error)
         && take_map_tile (graph, tap, b, &tiles[b], error)
         && armilla_map_tile_end (map, graph, b, error);
  return ok;
}

static gboolean
run_drain_alm (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_alm_tiles ((ArmillaAlm *) job->in[0], graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < tap->orders->n; b++)
    ok = take_tile (graph, tap, b, tap->orders->n, &tiles[b], armilla_tap_run_alm, error);
  return ok;
}

static gboolean
run_drain_cl (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *tile = armilla_cl_tile ((ArmillaCl *) job->in[0], graph, error);

  return tile && take_tile (graph, job->user, 0, 1, tile, armilla_tap_run_cl, error);
}

/* Each rank counts its own steps, and its end. */
static void
set_parts (ArmillaGraph *graph, ArmillaTap *tap, const ArmillaHostParts *parts)
{
  tap->in_parts = TRUE;
  tap->left = 1;
  g_atomic_int_inc (&tap->refs);
  tap->part = armilla_output_part_new (graph, parts, tap->user, tap, armilla_tap_free);
}

static void
drain_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaTap *tap)
{
  if (armilla_map_has_come (map))
    armilla_tap_defer (graph, run_drain_map, map, NULL, tap);
  else
    armilla_map_add_sink (map, take_map_tile, tap, armilla_tap_free);
}

gboolean
armilla_graph_drain_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap take,
                         ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                         GError **error)
{
  ArmillaTap *tap = armilla_tap_new_map (graph, map, take, done, user, destroy, error);

  if (tap)
    drain_map (graph, map, tap);
  return tap != NULL;
}

/**
 * armilla_graph_drain_map_in_parts:
 * @graph: a graph
 * @map: a map
 * @take: called for every run of contiguous pixels, on the rank that owns them, in any order, from
 *   several I/O threads at once
 * @parts: what comes after the last @take
 * @user: for all of them
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * Has every rank take its own tiles, each as soon as it exists. armilla_graph_wait() puts the parts
 * together.
 *
 * Returns: whether the grid could be cut into blocks
 */
gboolean
armilla_graph_drain_map_in_parts (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap take,
                                  const ArmillaHostParts *parts, gpointer user,
                                  GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new_map (graph, map, take, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  set_parts (graph, tap, parts);
  drain_map (graph, map, tap);
  return TRUE;
}

gboolean
armilla_graph_drain_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm take,
                         ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                         GError **error)
{
  ArmillaTap *tap = armilla_tap_new_alm (graph, alm, done, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm = take;
  armilla_tap_defer (graph, run_drain_alm, alm, NULL, tap);
  return TRUE;
}

/**
 * armilla_graph_drain_alm_in_parts:
 * @graph: a graph
 * @alm: a_lm
 * @take: called for every field of every m-block, on the rank that owns it, in any order
 * @parts: what comes after the last @take
 * @user: for all of them
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * As armilla_graph_drain_map_in_parts().
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_graph_drain_alm_in_parts (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm take,
                                  const ArmillaHostParts *parts, gpointer user,
                                  GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new_alm (graph, alm, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm = take;
  set_parts (graph, tap, parts);
  armilla_tap_defer (graph, run_drain_alm, alm, NULL, tap);
  return TRUE;
}

gboolean
armilla_graph_drain_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl take,
                        ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new (graph, 1, armilla_cl_n_fields (cl), done, user, destroy);

  (void) error;
  tap->on_cl = take;
  armilla_tap_defer (graph, run_drain_cl, cl, NULL, tap);
  return TRUE;
}
