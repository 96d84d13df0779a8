/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans keep between calls, shared by those of one shape. All functions are called with the
 * session's lock held. */
#include "config.h"

#include <string.h>

#include "tasks/arrays/kept.h"
#include "tasks/graph/graph-private.h"

/* Without a plan so many are kept in the hope that they are wanted again. */
#define MOST_IDLE 4

static gboolean
equal (const ArmillaKept *a, const ArmillaKept *b)
{
  return a->layout.lmax == b->layout.lmax && a->layout.mmax == b->layout.mmax
         && a->n_fields == b->n_fields && a->n_copies == b->n_copies
         && memcmp (a->spins, b->spins, sizeof (int) * (gsize) a->n_fields) == 0
         && memcmp (a->component, b->component, sizeof (int) * (gsize) a->n_fields) == 0
         && armilla_grid_equal (a->grid, b->grid);
}

/* Of what is in no list. */
static void
kept_free (gpointer data)
{
  ArmillaKept *kept = data;

  g_clear_pointer (&kept->graph, armilla_graph_free);
  g_clear_pointer (&kept->grid, armilla_grid_unref);
  g_free (kept->spins);
  g_free (kept->copy);
  g_free (kept->component);
  g_free (kept);
}

/* The oldest go when there are too many without a plan. */
static void
drop_idle (ArmillaSession *session)
{
  int idle = 0;

  for (GList *link = session->kept, *next; link; link = next)
    {
      ArmillaKept *kept = link->data;

      next = link->next;
      if (kept->users > 0 || ++idle <= MOST_IDLE)
        continue;
      session->kept = g_list_delete_link (session->kept, link);
      kept_free (kept);
    }
}

/**
 * armilla_kept_find:
 * @session: a session
 * @wanted: (transfer full): without a graph
 *
 * Returns: (transfer none): what the session keeps of that shape, with one user more
 */
ArmillaKept *
armilla_kept_find (ArmillaSession *session, ArmillaKept *wanted)
{
  ArmillaKept *found = NULL;

  for (GList *link = session->kept; link && !found; link = link->next)
    if (equal (link->data, wanted))
      found = link->data;
  if (found)
    kept_free (wanted);
  else
    {
      found = wanted;
      session->kept = g_list_prepend (session->kept, found);
    }
  found->users++;
  return found;
}

/**
 * armilla_kept_leave:
 * @kept: what a plan used
 *
 * One user less.
 */
void
armilla_kept_leave (ArmillaKept *kept)
{
  kept->users--;
  drop_idle (kept->session);
}

/**
 * armilla_kept_graph:
 * @kept: what a plan keeps
 * @error: return location
 *
 * Brings it to the front. The tiles that another one has left go: memory is for who computes.
 *
 * Returns: (transfer none) (nullable): its graph, idle
 */
ArmillaGraph *
armilla_kept_graph (ArmillaKept *kept, GError **error)
{
  ArmillaSession *session = kept->session;
  ArmillaKept *last = session->kept->data;

  if (last != kept)
    {
      if (last->graph)
        armilla_tile_pool_trim (last->graph, TRUE);
      session->kept = g_list_remove (session->kept, kept);
      session->kept = g_list_prepend (session->kept, kept);
    }
  /* A failure is for ever; and who cancels cancels all graphs. Ranks have one graph, or none. */
  if (armilla_runtime_most (session->runtime,
                            !kept->graph || armilla_graph_failed (kept->graph)))
    g_clear_pointer (&kept->graph, armilla_graph_free);
  if (!kept->graph)
    {
      kept->graph = armilla_graph_new (session->runtime, NULL, error);
      if (kept->graph)
        armilla_graph_expect_calls (kept->graph);
    }
  return kept->graph;
}

/**
 * armilla_kept_forget_graphs:
 * @session: a session that runs
 *
 * Before its workers stop.
 */
void
armilla_kept_forget_graphs (ArmillaSession *session)
{
  for (GList *link = session->kept; link; link = link->next)
    g_clear_pointer (&((ArmillaKept *) link->data)->graph, armilla_graph_free);
}

/**
 * armilla_kept_free_all:
 * @session: a session that does not run, and that no plan uses
 */
void
armilla_kept_free_all (ArmillaSession *session)
{
  g_list_free_full (g_steal_pointer (&session->kept), kept_free);
}
