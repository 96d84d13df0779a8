/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that a step on the host has been promised stay in memory until it is done, and so do those
 * that a message brings to another rank. Where the resident size is bounded, submission waits while
 * they are too many: what they leave is for the tasks that they wait for. Submission goes in the
 * same order on all ranks and waits for what came before only, so ranks cannot wait for each other
 * in a circle. */
#include "config.h"

#include "tasks/graph-private.h"

/**
 * armilla_graph_can_claim:
 * @graph: a graph whose resident size is bounded
 * @tiles: (array length=n_tiles): what one step needs at once
 * @n_tiles: how many
 * @error: return location
 *
 * Returns: whether a step can have so much; %ARMILLA_ERROR_MEMORY otherwise, the same on all ranks
 *   that have the same bound
 */
gboolean
armilla_graph_can_claim (ArmillaGraph *graph, const ArmillaTile *tiles, int n_tiles, GError **error)
{
  ArmillaBound *bound = graph->runtime->bound;
  gint64 bytes = 0;

  for (int i = 0; i < n_tiles; i++)
    bytes += (gint64) sizeof (double) * tiles[i].n;
  /* half of it, since others may hold something already; the bound itself is the same everywhere */
  if (bytes <= armilla_bound_bytes (bound) / 2)
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "needs %.2f GiB of tiles at once, and memory = %.2f GiB has no place for that; "
               "%.2f GiB would do, or a smaller ring-block",
               (double) bytes / (1 << 30), (double) armilla_bound_bytes (bound) / (1 << 30),
               2.0 * (double) bytes / (1 << 30));
  return FALSE;
}

/**
 * armilla_graph_claim:
 * @graph: a graph whose resident size is bounded
 * @bytes: of tiles that will stay in memory for a while
 *
 * Waits until there is place for them, beside other such tiles.
 */
void
armilla_graph_claim (ArmillaGraph *graph, gint64 bytes)
{
  gint64 most = armilla_bound_for_steps (graph->runtime->bound);

  g_mutex_lock (&graph->lock);
  while (graph->step_bytes > 0 && graph->step_bytes + bytes > most)
    g_cond_wait (&graph->changed, &graph->lock);
  graph->step_bytes += bytes;
  g_mutex_unlock (&graph->lock);
}

/**
 * armilla_graph_unclaim:
 * @graph: a graph
 * @bytes: what was claimed
 *
 * May be called from any thread.
 */
void
armilla_graph_unclaim (ArmillaGraph *graph, gint64 bytes)
{
  g_mutex_lock (&graph->lock);
  graph->step_bytes -= bytes;
  g_cond_broadcast (&graph->changed);
  g_mutex_unlock (&graph->lock);
}
