/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes the owners of blocks and moves their tiles. Tasks submitted afterwards run on the new
 * owners; tasks submitted before are not affected. */
#include "config.h"

#include "tasks/ranks/movers.h"

/* Makes the tiles of blocks (of orders or rings) move with their blocks. Needed for all tiles that
 * are used after the next armilla_graph_balance (). Returns NULL if blocks never move; otherwise
 * free the result before the tiles. */
ArmillaMover *
armilla_mover_new (ArmillaGraph *graph, ArmillaTile *tiles, const ArmillaOrderBlocks *orders,
                   const ArmillaRingBlocks *rings)
{
  ArmillaMover *mover;

  if (!graph->movers)
    return NULL;
  mover = g_new (ArmillaMover, 1);
  *mover = (ArmillaMover) { g_ptr_array_ref (graph->movers), tiles, orders, rings, FALSE };
  g_ptr_array_add (graph->movers, mover);
  return mover;
}

/* Like armilla_mover_new (), for tiles that are dropped when their blocks change owners; the new
 * owner reads them again from a shared file. Tiles without a handle do not exist. */
ArmillaMover *
armilla_mover_new_remade (ArmillaGraph *graph, ArmillaTile *tiles,
                          const ArmillaOrderBlocks *orders)
{
  ArmillaMover *mover = armilla_mover_new (graph, tiles, orders, NULL);

  if (mover)
    mover->remade = TRUE;
  return mover;
}

void
armilla_mover_free (ArmillaMover *mover)
{
  if (!mover)
    return;
  g_ptr_array_remove_fast (mover->movers, mover);
  g_ptr_array_unref (mover->movers);
  g_free (mover);
}

/* Records which tiles have contents; must be called for every task on every rank. */
void
armilla_movers_written (ArmillaGraph *graph, starpu_data_handle_t handle,
                         enum starpu_data_access_mode mode)
{
  if (graph->movers && (mode & STARPU_W))
    starpu_data_set_user_data (handle, &armilla_tile_written);
}

#ifdef HAVE_MPI
typedef struct {
  starpu_data_handle_t handle;
  ArmillaEpoch *epoch;
} Arrival;

static void
arrived (void *data)
{
  Arrival *arrival = data;

  starpu_data_release (arrival->handle);
  armilla_work_done (arrival->epoch);
  g_free (arrival);
}

/* Adds a task that reads the tile, so that the graph waits for it even if no other task needs
 * it. */
static void
await (ArmillaGraph *graph, starpu_data_handle_t handle)
{
  Arrival *arrival = g_new (Arrival, 1);

  *arrival = (Arrival) { handle, armilla_graph_enter (graph) };
  if (starpu_data_acquire_cb (handle, STARPU_R, arrived, arrival) == 0)
    return;
  armilla_work_done (arrival->epoch);
  g_free (arrival);
}
#endif

/* Moves a tile to rank @to; without @really only returns the bytes to move. */
static gint64
move_tile (ArmillaGraph *graph, ArmillaTile *tile, int to, gboolean really)
{
  gint64 bytes;

  if (!tile->handle || tile->owner == to)
    return 0;
  bytes = starpu_data_get_user_data (tile->handle) == &armilla_tile_written ? 8 * tile->n : 0;
#ifdef HAVE_MPI
  if (really && bytes > 0)
    starpu_mpi_data_migrate (graph->view.comm, tile->handle, to);
  else if (really)
    starpu_mpi_data_set_rank_comm (tile->handle, to, graph->view.comm);
  if (really && bytes > 0 && to == graph->view.rank)
    await (graph, tile->handle);
#else
  (void) graph;
#endif
  if (really)
    tile->owner = to;
  return bytes;
}

/* Drops a tile, which rank @to recreates. */
static gint64
forget_tile (ArmillaTile *tile, int to, gboolean really)
{
  if (!tile->handle || tile->owner == to)
    return 0;
  if (really)
    armilla_tile_drop (tile);
  return 8 * tile->n;
}

/* Moves blocks (orders or rings) and their tiles to new owners and returns the bytes that this
 * moves; if really is FALSE, only computes them. Every rank must call it at the same point. */
gint64
armilla_movers_run (ArmillaGraph *graph, ArmillaOrderBlocks *orders, ArmillaRingBlocks *rings,
                    const int *owners, gboolean really)
{
  const int n = orders ? orders->n : rings->n;
  gint64 bytes = 0;

  for (guint i = 0; i < graph->movers->len; i++)
    {
      ArmillaMover *mover = g_ptr_array_index (graph->movers, i);

      for (int b = 0; mover->orders == orders && mover->rings == rings && b < n; b++)
        bytes += mover->remade ? forget_tile (&mover->tiles[b], owners[b], really)
                               : move_tile (graph, &mover->tiles[b], owners[b], really);
    }
  for (int spin = 0; orders && spin <= ARMILLA_SPIN_MAX; spin++)
    for (int b = 0; orders->tables[spin] && b < n; b++)
      bytes += move_tile (graph, &orders->tables[spin][b], owners[b], really);
  for (int b = 0; really && b < n; b++)
    if (orders)
      orders->owner[b] = owners[b];
    else
      rings->block[b].owner = owners[b];
  return bytes;
}
