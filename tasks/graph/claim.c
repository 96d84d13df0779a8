/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds the memory of tiles that StarPU cannot move to the disk: those that a host step has
 * acquired or waits for, until it ends, and those being sent to another rank. If memory is limited,
 * submission waits while these tiles are too large together, since tasks need the rest. Ranks
 * cannot wait for each other in a circle: all submit in the same order, and wait for earlier work
 * only. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* Returns whether a step can hold so many bytes; ARMILLA_ERROR_MEMORY otherwise, the same on all
 * ranks that have the same bound. */
gboolean
armilla_graph_can_claim (ArmillaGraph *graph, const ArmillaTile *tiles, int n_tiles, GError **error)
{
  ArmillaBound *bound = graph->runtime->bound;
  gint64 all = armilla_bound_bytes (bound), max_bytes = all / 2, bytes = 0;
  gint64 others = armilla_bound_others (bound);

  for (int i = 0; i < n_tiles; i++)
    bytes += (gint64) sizeof (double) * tiles[i].n;
  /* All ranks must decide alike, although they differ in memory other than tiles. */
  if (graph->view.n_ranks == 1)
    max_bytes = MIN (max_bytes, MAX (all - others, 0) / 4 * 3);
  if (bytes <= max_bytes)
    {
      armilla_bound_take_step (bound, bytes);
      return TRUE;
    }
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "needs %.0f MiB of tiles at once, but memory = %.0f MiB is too little; set "
                       "memory = %.0f MiB, or a smaller ring-block",
                       (double) bytes / (1 << 20), (double) all / (1 << 20),
                       (double) MAX (2 * bytes, bytes / 3 * 4 + others) / (1 << 20) + 16);
}

/* Waits until there is room for @bytes in addition to the tiles of other steps. */
void
armilla_graph_claim (ArmillaGraph *graph, gint64 bytes)
{
  gint64 max_bytes = armilla_bound_for_steps (graph->runtime->bound);

  g_mutex_lock (&graph->lock);
  while (graph->step_bytes > 0 && graph->step_bytes + bytes > max_bytes)
    armilla_graph_wait_change (graph);
  graph->step_bytes += bytes;
  g_mutex_unlock (&graph->lock);
}

/* Thread-safe. */
void
armilla_graph_unclaim (ArmillaGraph *graph, gint64 bytes)
{
  g_mutex_lock (&graph->lock);
  graph->step_bytes -= bytes;
  g_cond_broadcast (&graph->changed);
  g_mutex_unlock (&graph->lock);
}
