/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that fail, cancel or describe all graphs of a runtime. */
#include "config.h"

#include "tasks/graph/graph-private.h"

static void
cancel (ArmillaGraph *graph, const char *why)
{
  armilla_fault_set (&graph->fault, ARMILLA_ERROR_CANCELLED,
                     "stopped by %s; unfinished outputs were removed", why);
}

gboolean
armilla_runtime_cancel (ArmillaRuntime *runtime, const char *why)
{
  if (!g_mutex_trylock (&runtime->lock))
    return FALSE;
  if (!runtime->graphs)
    g_strlcpy (runtime->cancelled, why, sizeof runtime->cancelled);
  for (GList *g = runtime->graphs; g; g = g->next)
    cancel (g->data, why);
  g_mutex_unlock (&runtime->lock);
  return TRUE;
}

/* Withdraws a pending cancellation, whose graph will not be created: the next graph belongs to
 * another call. */
void
armilla_runtime_uncancel (ArmillaRuntime *runtime)
{
  g_mutex_lock (&runtime->lock);
  *runtime->cancelled = '\0';
  g_mutex_unlock (&runtime->lock);
}

/* Returns whether a cancellation is pending: armilla_runtime_cancel () was called while there was
 * no graph. */
gboolean
armilla_runtime_is_cancelled (ArmillaRuntime *runtime)
{
  gboolean cancelled;

  g_mutex_lock (&runtime->lock);
  cancelled = *runtime->cancelled != '\0';
  g_mutex_unlock (&runtime->lock);
  return cancelled;
}

/* Prints what this rank waits for, for callers whose wait timed out. May be called in any thread;
 * allocates nothing. */
void
armilla_runtime_describe_wait (ArmillaRuntime *runtime, char *text, gsize size)
{
  const char *phase = g_atomic_pointer_get (&runtime->phase);
  gint64 left = 0, all = 0;

  if (g_mutex_trylock (&runtime->lock))
    {
      for (GList *g = runtime->graphs; g; g = g->next)
        {
          ArmillaGraph *graph = g->data;

          if (!g_mutex_trylock (&graph->lock))
            continue;
          left += graph->submitted - graph->done;
          all += graph->submitted;
          g_mutex_unlock (&graph->lock);
        }
      g_mutex_unlock (&runtime->lock);
    }
  if (left > 0)
    g_snprintf (text, size,
                "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " tasks, or files that they write",
                left, all);
  else
    g_strlcpy (text, phase ? phase : "the main thread, which reads files or prepares tasks", size);
}

/* Makes the program abort all ranks, which would wait for this one forever. Returns if the program
 * provides no function for it. */
void
armilla_runtime_abandon (ArmillaRuntime *runtime, const GError *error)
{
  if (runtime->process && runtime->process->abandons)
    runtime->process->abandons (runtime->process->user, error);
}

/* Makes the program end the process. Returns if the program provides no function for it. @reason:
 * message, which contains "out of memory". Thread-safe, allocates nothing. */
void
armilla_runtime_die (ArmillaRuntime *runtime, const char *reason)
{
  char text[384];

  if (!runtime->process || !runtime->process->dies)
    return;
  if (runtime->n_ranks > 1)
    g_snprintf (text, sizeof text, "rank %d: %s", runtime->rank, reason);
  else
    g_strlcpy (text, reason, sizeof text);
  runtime->process->dies (runtime->process->user, text);
}

/* Lets armilla_runtime_cancel () cancel the graph. */
void
armilla_runtime_add_graph (ArmillaRuntime *runtime, ArmillaGraph *graph)
{
  g_mutex_lock (&runtime->lock);
  runtime->graphs = g_list_prepend (runtime->graphs, graph);
  if (*runtime->cancelled)
    cancel (graph, runtime->cancelled);
  *runtime->cancelled = '\0';
  g_mutex_unlock (&runtime->lock);
}

void
armilla_runtime_remove_graph (ArmillaRuntime *runtime, ArmillaGraph *graph)
{
  g_mutex_lock (&runtime->lock);
  runtime->graphs = g_list_remove (runtime->graphs, graph);
  g_mutex_unlock (&runtime->lock);
}

/* Makes all graphs of this rank fail. */
void
armilla_runtime_fail (ArmillaRuntime *runtime, const GError *error)
{
  g_mutex_lock (&runtime->lock);
  for (GList *i = runtime->graphs; i; i = i->next)
    armilla_fault_take (&((ArmillaGraph *) i->data)->fault, g_error_copy (error));
  g_mutex_unlock (&runtime->lock);
}

/* Computes @sum, submitted plus completed tasks of all graphs, which grows whenever a task is
 * submitted or ends; and @left, the submitted tasks that are not completed. */
void
armilla_runtime_find_progress (gpointer user, gint64 *sum, gint64 *left)
{
  ArmillaRuntime *runtime = user;

  *sum = *left = 0;
  g_mutex_lock (&runtime->lock);
  for (GList *i = runtime->graphs; i; i = i->next)
    {
      gint64 done, submitted;

      armilla_graph_progress (i->data, &done, &submitted);
      *sum += done + submitted;
      *left += submitted - done;
    }
  g_mutex_unlock (&runtime->lock);
}

/* If there are graphs and all have failed, calls a function with @data while no graph can be added.
 * Returns whether it did. */
gboolean
armilla_runtime_if_failed (gpointer user, GFunc call, gpointer data)
{
  ArmillaRuntime *runtime = user;
  gboolean failed;

  g_mutex_lock (&runtime->lock);
  failed = runtime->graphs != NULL;
  for (GList *i = runtime->graphs; failed && i; i = i->next)
    failed = armilla_fault_is_set (&((ArmillaGraph *) i->data)->fault);
  if (failed)
    call (data, NULL);
  g_mutex_unlock (&runtime->lock);
  return failed;
}
