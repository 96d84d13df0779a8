/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sinks of data, on rank 0 or in parts on the ranks that own the tiles: armilla_graph_drain()
 * defers run_drain(), which submits a host step for each tile; see tap.h. */
#include "config.h"

#include "tasks/data/make.h"
#include "tasks/data/tap.h"
#include "tasks/planning/forecast-private.h"

static gboolean
run_end (gpointer data, double *const *buffers, GError **error)
{
  (void) buffers;
  return armilla_tap_step_done (((ArmillaTapStep *) data)->tap, error);
}

/* Submits a step without tiles on every rank, by which the rank ends its part of the sink. */
static gboolean
end_parts (ArmillaGraph *graph, ArmillaTap *tap, GError **error)
{
  gboolean ok = TRUE;

  for (int rank = 0; ok && tap->part && rank < graph->view.n_ranks; rank++)
    ok = armilla_tap_add (graph, rank, NULL, 0, STARPU_R, run_end, armilla_tap_step_new (tap, 0),
                          error);
  return ok;
}

/* Records, in a forecast, that the step submitted last belongs to the sink, and after @n steps its
 * final work, if it has any. */
static gboolean
plan_end (ArmillaGraph *graph, ArmillaTap *tap, int rank, const ArmillaTile *tile, int n,
          GError **error)
{
  ArmillaLabel *label = graph->label;
  gboolean ok;

  if (!graph->taker.kind || !(tap->done || tap->in_parts))
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

/* Submits the step that reads one tile and, after the last tile, the end of the sink. */
static gboolean
take_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  ArmillaTap *tap = user;
  const int rank = tap->in_parts ? tile->owner : 0, n = tap->cut.n_tiles;

  if (tap->in_parts && rank == tap->rank)
    g_atomic_int_inc (&tap->left);
  return armilla_tap_add (graph, rank, tile, 1, STARPU_R, armilla_tap_run,
                          armilla_tap_step_new (tap, number), error)
         && plan_end (graph, tap, rank, tile, n, error)
         && (!tap->in_parts || ++tap->submitted < n || end_parts (graph, tap, error));
}

static gboolean
run_drain (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaData *data = job->in[0];
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (data, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < tap->cut.n_tiles; b++)
    ok = armilla_data_tile_begin (data, graph, b, error)
         && take_tile (graph, tap, b, &tiles[b], error)
         && armilla_data_tile_end (data, graph, b, error);
  return ok;
}

/* Counts the steps of this rank, and its end. */
static void
set_parts (ArmillaGraph *graph, ArmillaTap *tap, const ArmillaHostParts *parts)
{
  tap->in_parts = TRUE;
  tap->left = 1;
  g_atomic_int_inc (&tap->refs);
  tap->part = armilla_output_part_new (graph, parts, tap->user, tap, armilla_tap_free);
}

/* Requests a sink. Its steps for a tile are submitted as soon as the task that writes the tile is
 * submitted; if the data are being written already, by run_drain(). */
static void
drain (ArmillaGraph *graph, ArmillaData *data, ArmillaTap *tap)
{
  const ArmillaDataVerbs *verbs = tap->cut.verbs;

  if (!verbs->listen || !verbs->listen (data, take_tile, tap, armilla_tap_free))
    armilla_tap_defer (graph, run_drain, data, NULL, tap);
}

gboolean
armilla_graph_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece take,
                     ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap;

  if (armilla_data_verbs (data)->is_everywhere)
    {
      armilla_graph_visit (graph, data, NULL, take, done, user, destroy);
      return TRUE;
    }
  tap = armilla_tap_new (graph, data, FALSE, take, done, user, destroy, error);
  if (tap)
    drain (graph, data, tap);
  return tap != NULL;
}

/* Like armilla_graph_drain (), but every rank calls @take for its own tiles. armilla_graph_wait ()
 * merges the parts. @parts: functions to call after the last @take. */
gboolean
armilla_graph_drain_in_parts (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece take,
                              const ArmillaHostParts *parts, gpointer user, GDestroyNotify destroy,
                              GError **error)
{
  ArmillaTap *tap = armilla_tap_new (graph, data, FALSE, take, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  set_parts (graph, tap, parts);
  drain (graph, data, tap);
  return TRUE;
}
