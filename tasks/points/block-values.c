/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/points/block-values.h"

#include "tasks/planning/forecast-private.h"

/* A request in progress. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaRingBlocks *rings;
  const ArmillaTile *in;
  double reach;
  const ArmillaBlockValues *how;
  gpointer user;
  ArmillaTile *tiles; /* [part] */
} Request;

static gboolean
submit (const Request *self, int part, GError **error)
{
  const ArmillaBlockValues *how = self->how;
  const ArmillaRingBlock *block = &self->rings->block[how->block (self->user, part)];
  ArmillaTile *tile = &self->tiles[part];

  if (!armilla_tile_new (self->graph, block->owner, how->size (self->user, part), tile, error))
    return FALSE;
  return how->flops
           ? armilla_gather_task (self->graph, self->rings, self->in, block, tile, self->reach,
                                  how->step, how->begin (self->user, part), how->destroy,
                                  how->flops (self->user, part), error)
           : armilla_gather (self->graph, self->rings, self->in, block, tile, self->reach,
                             how->step, how->begin (self->user, part), how->destroy, error);
}

static gboolean
take (const Request *self, int part, GError **error)
{
  const ArmillaTile *tile = &self->tiles[part];
  const double *values;
  gboolean ok;

  if (self->graph->taker.kind)
    {
      armilla_forecast_fetch (self->graph, tile);
      return TRUE;
    }
  values = armilla_graph_hold (self->graph, tile, error);
  if (!values)
    return FALSE;
  ok = self->how->take (self->user, part, values, error);
  starpu_data_release (tile->handle);
  return ok;
}

/* Runs a step for each part, with input rings up to reach (radian) from its ring block, on the
 * owner of that block, and takes the results in the order of the parts. */
gboolean
armilla_block_values (ArmillaGraph *graph, ArmillaRingBlocks *rings, const ArmillaTile *in,
                      double reach, int n_parts, const ArmillaBlockValues *how, gpointer user,
                      GError **error)
{
  g_autofree ArmillaTile *tiles = g_new0 (ArmillaTile, n_parts);
  const Request self = { graph, rings, in, reach, how, user, tiles };
  gint64 ahead = 0; /* doubles of submitted parts */
  gboolean ok = TRUE;

  for (int next = 0, part = 0; ok && part < n_parts; part++)
    {
      while (ok && next < n_parts && next < part + ARMILLA_PARTS_AHEAD
             && (next == part || ahead + how->size (user, next) <= ARMILLA_PARTS_DOUBLES))
        {
          ahead += how->size (user, next);
          ok = submit (&self, next++, error);
        }
      ok = ok && take (&self, part, error);
      ahead -= how->size (user, part);
      armilla_tile_drop (&tiles[part]);
    }
  for (int part = 0; part < n_parts; part++)
    armilla_tile_drop (&tiles[part]);
  return ok;
}
