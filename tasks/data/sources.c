/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data enter the graph, on the ranks that own the tiles. */
#include "config.h"

#include "tasks/data/tap.h"
#include "tasks/ranks/balance.h"

static gboolean
fill_map_tile (ArmillaGraph *graph, gpointer user, int ring_block, const ArmillaTile *tile,
               GError **error)
{
  ArmillaTap *tap = user;

  return armilla_tap_add (graph, tap->rings->block[ring_block].owner, tile, 1, STARPU_W,
                          armilla_tap_run_map, armilla_tap_step_new (tap, ring_block), error);
}

/* One step for every tile of what the job writes. Where memory is bounded and nobody waits for the
 * tiles, they come when they are needed, and come again: from the input it costs no more than from
 * the disk. */
static gboolean
run_fill_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = (ArmillaMap *) job->out;
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_map_tiles (map, graph, error);
  gboolean ok = tiles != NULL;

  if (ok && graph->runtime->bound && !armilla_map_has_sinks (map))
    {
      g_atomic_int_inc (&tap->refs);
      armilla_map_set_source (map, fill_map_tile, tap, armilla_tap_free);
      return TRUE;
    }
  for (int b = 0; ok && b < tap->rings->n; b++)
    ok = fill_map_tile (graph, tap, b, &tiles[b], error)
         && armilla_map_tile_comes (map, graph, b, error);
  return ok;
}

/* The imaginary parts of m = 0, which are ignored everywhere, in the tile of an m-block. */
static void
clear_imaginary (const ArmillaTap *tap, int block, double *values)
{
  const gint64 count = armilla_order_block_count (tap->orders, block);

  for (int f = 0; tap->orders->m_first[block] == 0 && f < tap->n_fields; f++)
    for (gint64 l = 0; l <= tap->orders->layout.lmax; l++)
      values[2 * (f * count + l) + 1] = 0;
}

static gboolean
run_alm_all_step (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;
  ArmillaTap *tap = step->tap;
  ArmillaOrderBlocks *orders = tap->orders;
  g_autofree double **values = g_new0 (double *, orders->n);

  for (int i = 0; i < step->block; i++)
    values[step->blocks[i]] = buffers[i];
  if (!tap->on_alm_all (tap->user, orders->n, orders->m_first, orders->m_last, values, error))
    return FALSE;
  for (int i = 0; i < step->block; i++)
    clear_imaginary (tap, step->blocks[i], buffers[i]);
  return TRUE;
}

static gboolean
run_alm_step (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;

  if (!armilla_tap_run_alm (data, buffers, error))
    return FALSE;
  clear_imaginary (step->tap, step->block, buffers[0]);
  return TRUE;
}

static gboolean
run_fill_alm (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_alm_tiles ((ArmillaAlm *) job->out, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < tap->orders->n; b++)
    ok = armilla_tap_add (graph, tap->orders->owner[b], &tiles[b], 1, STARPU_W,
                          run_alm_step, armilla_tap_step_new (tap, b), error);
  return ok;
}

/* All m-blocks of the rank; as many as may be held at once where memory is bounded. */
static gboolean
run_fill_alm_at_once (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaTap *tap = job->user;
  const ArmillaTile *tiles = armilla_alm_tiles ((ArmillaAlm *) job->out, graph, error);
  int n = tap->orders->n;
  g_autofree ArmillaTile *own = g_new (ArmillaTile, n);
  g_autofree int *blocks = g_new (int, n);
  gint64 most = G_MAXINT64;
  gboolean ok = tiles != NULL;

  if (graph->runtime->bound)
    most = armilla_bound_for_steps (graph->runtime->bound) / (gint64) sizeof (double);
  for (int first = 0, end = 0; ok && first < n; first = end)
    {
      int n_own = 0;

      for (gint64 sum = 0; end < n && (n_own == 0 || sum + tiles[end].n <= most); end++)
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

static gboolean
run_fill_cl (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *tile = armilla_cl_tile ((ArmillaCl *) job->out, graph, error);

  return tile
         && armilla_tap_add (graph, 0, tile, 1, STARPU_W, armilla_tap_run_cl,
                             armilla_tap_step_new (job->user, 0), error);
}

gboolean
armilla_graph_fill_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap fill, gpointer user,
                        GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new_map (graph, map, fill, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  armilla_tap_defer (graph, run_fill_map, NULL, map, tap);
  return TRUE;
}

gboolean
armilla_graph_fill_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm fill, gpointer user,
                        GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new_alm (graph, alm, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm = fill;
  armilla_tap_defer (graph, run_fill_alm, NULL, alm, tap);
  return TRUE;
}

/**
 * armilla_graph_fill_alm_at_once:
 * @graph: a graph
 * @alm: a_lm without a source
 * @fill: called once a rank, with all m-blocks that the rank owns
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * As armilla_graph_fill_alm(), for sources whose order is not that of the m-blocks, such as a file.
 *
 * Returns: whether the layout can be used
 */
gboolean
armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlmAll fill,
                                gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new_alm (graph, alm, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm_all = fill;
  armilla_tap_defer (graph, run_fill_alm_at_once, NULL, alm, tap);
  return TRUE;
}

gboolean
armilla_graph_fill_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl fill, gpointer user,
                       GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = armilla_tap_new (graph, 1, armilla_cl_n_fields (cl), NULL, user, destroy);

  (void) error;
  tap->on_cl = fill;
  armilla_tap_defer (graph, run_fill_cl, NULL, cl, tap);
  return TRUE;
}
