/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/points/block-values.h"

#include "tasks/planning/forecast-private.h"

static gboolean
submit (ArmillaGraph *graph, ArmillaRingBlocks *rings, const ArmillaTile *in, double reach,
        const ArmillaBlockValues *how, gpointer user, int b, ArmillaTile *tile, GError **error)
{
  const gint64 size = how->size (user, b);

  return size == 0
         || (armilla_tile_new (graph, rings->block[b].owner, size, tile, error)
             && armilla_gather (graph, rings, in, &rings->block[b], tile, reach, how->step,
                                how->begin (user, b), how->destroy, error));
}

static gboolean
take (ArmillaGraph *graph, const ArmillaBlockValues *how, gpointer user, int b,
      const ArmillaTile *tile, GError **error)
{
  const double *values;
  gboolean ok;

  if (!tile->handle)
    return TRUE;
  if (graph->taker.kind)
    {
      armilla_forecast_fetch (graph, tile);
      return TRUE;
    }
  values = armilla_graph_hold (graph, tile, error);
  if (!values)
    return FALSE;
  ok = how->take (user, b, values, error);
  starpu_data_release (tile->handle);
  return ok;
}

/* Runs a step for each ring block, with input rings up to reach (radian) away, in I/O threads of
 * the blocks' owners, and takes the results in the order of the blocks. At most
 * ARMILLA_BLOCKS_AHEAD results exist at a time. */
gboolean
armilla_block_values (ArmillaGraph *graph, ArmillaRingBlocks *rings, const ArmillaTile *in,
                      double reach, const ArmillaBlockValues *how, gpointer user, GError **error)
{
  g_autofree ArmillaTile *tiles = g_new0 (ArmillaTile, rings->n);
  gboolean ok = TRUE;

  for (int b = 0; ok && b < rings->n + ARMILLA_BLOCKS_AHEAD; b++)
    {
      const int done = b - ARMILLA_BLOCKS_AHEAD;

      if (done >= 0)
        {
          ok = take (graph, how, user, done, &tiles[done], error);
          armilla_tile_drop (&tiles[done]);
        }
      ok = ok && (b >= rings->n
                  || submit (graph, rings, in, reach, how, user, b, &tiles[b], error));
    }
  for (int b = 0; b < rings->n; b++)
    armilla_tile_drop (&tiles[b]);
  return ok;
}
