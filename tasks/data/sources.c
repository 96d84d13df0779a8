/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources of data, on the ranks that own the tiles: armilla_graph_fill() defers run_fill(), which
 * submits a host step for each tile; see tap.h. */
#include "config.h"

#include "tasks/data/make.h"
#include "tasks/data/tap.h"
#include "tasks/ranks/balance.h"

static gboolean
fill_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  ArmillaTap *tap = user;

  return armilla_tap_add (graph, tile->owner, tile, 1, STARPU_W, armilla_tap_run,
                          armilla_tap_step_new (tap, number), error);
}

/* Submits a step for every tile of the output of the job. If memory is bounded and no consumer
 * waits for the tiles, they are filled when they are needed, and again after they were dropped:
 * reading the input again costs no more than reading the tile from the disk. */
static gboolean
run_fill (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTap *tap = job->user;
  const ArmillaDataVerbs *verbs = tap->cut.verbs;
  const ArmillaTile *tiles = armilla_data_tiles (job->out, graph, error);
  gboolean ok = tiles != NULL;

  if (ok && graph->runtime->bound && verbs->renew
      && verbs->renew (job->out, fill_tile, tap, armilla_tap_free))
    {
      armilla_job_steal_user (job);
      return TRUE;
    }
  for (int b = 0; ok && b < tap->cut.n_tiles; b++)
    ok = fill_tile (graph, tap, b, &tiles[b], error)
         && armilla_data_tile_pass (job->out, graph, b, error);
  return ok;
}

gboolean
armilla_graph_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece fill, gpointer user,
                    GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap;

  if (armilla_data_verbs (data)->is_everywhere)
    {
      armilla_graph_visit (graph, NULL, data, fill, NULL, user, destroy);
      return TRUE;
    }
  tap = armilla_tap_new (graph, data, TRUE, fill, NULL, user, destroy, error);
  if (tap)
    armilla_tap_defer (graph, run_fill, NULL, data, tap);
  return tap != NULL;
}

static gboolean
ignore_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user, (void) piece, (void) error;
  return TRUE;
}

static gboolean
run_alm_all_step (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;
  ArmillaTap *tap = step->tap;
  ArmillaOrderBlocks *orders = tap->cut.orders;
  g_autofree double **values = g_new0 (double *, orders->n);

  for (int i = 0; i < step->block; i++)
    values[step->blocks[i]] = buffers[i];
  if (!tap->on_alm_all (tap->user, orders->n, orders->m_first, orders->m_last, values, error))
    return FALSE;
  for (int i = 0; i < step->block; i++) /* imaginary parts of m = 0 */
    tap->cut.verbs->pieces (&tap->cut, step->blocks[i], buffers[i], ignore_piece, NULL, NULL);
  return TRUE;
}

/* Fills all m-blocks of the rank at once, or as many as may be in memory together if memory is
 * bounded. */
static gboolean
run_fill_alm_at_once (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (job->out, graph, error);
  int n = tap->cut.n_tiles;
  g_autofree ArmillaTile *own = g_new (ArmillaTile, n);
  g_autofree int *blocks = g_new (int, n);
  gint64 max_values = G_MAXINT64;
  gboolean ok = tiles != NULL;

  if (graph->runtime->bound)
    max_values = armilla_bound_for_steps (graph->runtime->bound) / (gint64) sizeof (double);
  for (int first = 0, end = 0; ok && first < n; first = end)
    {
      int n_own = 0;

      for (gint64 sum = 0; end < n && (n_own == 0 || sum + tiles[end].n <= max_values); end++)
        {
          armilla_movers_written (graph, tiles[end].handle, STARPU_W);
          if (tiles[end].owner != tap->rank)
            continue;
          blocks[n_own] = end;
          own[n_own++] = tiles[end];
          sum += tiles[end].n;
        }
      if (n_own > 0)
        {
          ArmillaTapStep *step = armilla_tap_step_new (tap, n_own);

          step->blocks = g_memdup2 (blocks, sizeof (int) * (gsize) n_own);
          ok = armilla_tap_add (graph, tap->rank, own, n_own, STARPU_W, run_alm_all_step, step,
                                error);
        }
    }
  return ok;
}

/* Like armilla_graph_fill (), for sources whose order differs from that of the m-blocks, such as
 * files.
 * @fill: called once per rank, with all m-blocks that the rank owns. */
gboolean
armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlmAll fill,
                                gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaData *data = (ArmillaData *) alm;
  ArmillaTap *tap = armilla_tap_new (graph, data, TRUE, NULL, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm_all = fill;
  armilla_tap_defer (graph, run_fill_alm_at_once, NULL, data, tap);
  return TRUE;
}
