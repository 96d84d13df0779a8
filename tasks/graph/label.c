/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels identify the origin of a task: the runner passes them through the jobs to the tasks. */
#include "config.h"

#include "tasks/graph/graph-private.h"

/* maximum number of failed outputs that are reported with reasons */
#define MAX_TOLD 5

ArmillaFault *
armilla_graph_fault (ArmillaGraph *graph)
{
  return &graph->label->fault;
}

void
armilla_graph_set_label (ArmillaGraph *graph, const char *node, const char *stage, gint64 index)
{
  ArmillaLabel *label = g_new0 (ArmillaLabel, 1);

  label->fault.latch = &graph->fault;
  label->number = (int) graph->labels->len;
  label->node = node ? g_string_chunk_insert_const (graph->names, node) : NULL;
  label->stage = stage ? g_string_chunk_insert_const (graph->names, stage) : NULL;
  label->index = index;
  g_ptr_array_add (graph->labels, label);
  graph->label = label;
}

void
armilla_graph_label_free (gpointer data)
{
  ArmillaLabel *label = data;

  g_clear_error (&label->fault.first);
  g_free (label);
}

/* Declares that the current node writes a file and no other node depends on it: an error in its
 * values then prevents only that file, and armilla_graph_check_apart() reports it. If ranks share
 * the graph, they write files together, so that the error stops the run. */
void
armilla_graph_set_label_apart (ArmillaGraph *graph)
{
  graph->label->fault.apart = graph->view.n_ranks == 1;
}

/* Returns whether all nodes of armilla_graph_set_label_apart() have succeeded; the error names
 * those that have not. The tasks must be done. */
gboolean
armilla_graph_check_apart (ArmillaGraph *graph, GError **error)
{
  g_autoptr (GError) first = NULL;
  g_autoptr (GString) more = g_string_new (NULL);
  int n = 0;

  for (guint i = 0; i < graph->labels->len; i++)
    {
      ArmillaLabel *label = g_ptr_array_index (graph->labels, i);
      g_autoptr (GError) local = NULL;

      if (!label->fault.apart || !label->fault.first)
        continue;
      local = g_error_copy (label->fault.first);
      armilla_graph_blame (graph, label, &local);
      if (n == 0)
        first = g_steal_pointer (&local);
      else if (n < MAX_TOLD)
        g_string_append_printf (more, "; %s", local->message);
      n++;
    }
  if (n == 0)
    return TRUE;
  if (n > MAX_TOLD)
    g_string_append_printf (more, "; and %d more", n - MAX_TOLD);
  g_set_error (error, first->domain, first->code,
               "%s%s; %d output%s not written, all others were", first->message, more->str, n,
               n == 1 ? " was" : "s were");
  return FALSE;
}

/* Records the method that the current node has chosen, and the predicted seconds, for report and
 * trace. */
void
armilla_graph_add_choice (ArmillaGraph *graph, double predicted, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_mutex_lock (&graph->lock); /* workers check whether there is a choice */
  graph->label->choice = g_string_chunk_insert (graph->names, text);
  graph->label->predicted = predicted;
  g_mutex_unlock (&graph->lock);
}

void
armilla_graph_note (ArmillaGraph *graph, const char *node, const char *format, ...)
{
  g_autoptr (GString) line = g_string_new (NULL);
  va_list args;

  if (!node)
    node = graph->label->node;
  if (node)
    g_string_append_printf (line, "[%s]: ", node);
  g_string_append (line, "note: ");
  va_start (args, format);
  g_string_append_vprintf (line, format, args);
  va_end (args);
  g_mutex_lock (&graph->lock);
  if (!g_ptr_array_find_with_equal_func (graph->notes, line->str, g_str_equal, NULL))
    g_ptr_array_add (graph->notes, g_strdup (line->str));
  g_mutex_unlock (&graph->lock);
}

char *
armilla_graph_choices (ArmillaGraph *graph)
{
  g_autofree char *workers = armilla_worth_describe (&graph->worth);
  GString *text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer folder, why;

  for (guint i = 0; i < graph->labels->len; i++)
    {
      const ArmillaLabel *label = g_ptr_array_index (graph->labels, i);

      if (!label->choice)
        continue;
      if (label->node)
        g_string_append_printf (text, "[%s]: ", label->node);
      g_string_append_printf (text, "%s; predicted %.3g s", label->choice, label->predicted);
      g_mutex_lock (&graph->lock);
      if (label->seconds > 0)
        g_string_append_printf (text, ", took %.3g s", label->seconds);
      g_mutex_unlock (&graph->lock);
      g_string_append_c (text, '\n');
    }
  if (workers)
    g_string_append_printf (text, "%s\n", workers);
  g_hash_table_iter_init (&iter, graph->apart);
  while (g_hash_table_iter_next (&iter, &folder, &why))
    g_string_append_printf (text, "files in folder %s are written by rank 0 alone: %s\n",
                            (const char *) folder, (const char *) why);
  g_mutex_lock (&graph->lock);
  for (guint i = 0; i < graph->notes->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) g_ptr_array_index (graph->notes, i));
  g_mutex_unlock (&graph->lock);
  return g_string_free (text, FALSE);
}

/* Sets the function that prefixes errors of this rank, before the ranks agree on one in
 * armilla_graph_wait(). */
void
armilla_graph_set_blame (ArmillaGraph *graph, ArmillaBlame blame, gpointer user)
{
  graph->blame = blame;
  graph->blame_user = user;
}

/* Returns the label whose fault is @fault; NULL if it is the fault of the graph. */
const ArmillaLabel *
armilla_graph_label_of (const ArmillaGraph *graph, const ArmillaFault *fault)
{
  /* The fault is the first member of a label; a signal sets the fault of the graph itself. */
  return fault && fault != &graph->fault ? (const ArmillaLabel *) fault : NULL;
}

/* Returns the label of the task that failed first. All tasks must be done. */
const ArmillaLabel *
armilla_graph_culprit (ArmillaGraph *graph)
{
  return armilla_graph_label_of (graph, graph->fault.by);
}

/* Prefixes the error with the place of the label's node, if armilla_graph_set_blame() was called.
 * Cancellation by the user is not attributed to a node. */
void
armilla_graph_blame (ArmillaGraph *graph, const ArmillaLabel *label, GError **error)
{
  if (graph->blame && !g_error_matches (*error, ARMILLA_ERROR, ARMILLA_ERROR_CANCELLED))
    graph->blame (graph->blame_user, label ? label->node : NULL, label ? label->index : 0, error);
}
