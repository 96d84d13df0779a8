/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Renames output files to their final names. On one rank this happens as soon as they are complete
 * and on the disk, in groups: a disk flushes many files in the time of one, so the I/O thread that
 * renames its file also renames those that other threads complete meanwhile. On several ranks it
 * happens at the end, when all ranks agree that nothing failed. */
#include "config.h"

#include "core/files/output.h"
#include "tasks/graph/graph-private.h"
#include "tasks/graph/ledger.h"

/* maximum number of waiting files, since each keeps a descriptor open */
#define MAX_DUE 64

/* A complete file without its final name. */
typedef struct {
  ArmillaOutput *output;
  ArmillaFault *fault; /* fault of the label to which a failure is attributed */
} Due;

static void
due_free (gpointer data)
{
  Due *due = data;

  armilla_output_free (due->output);
  g_free (due);
}

GPtrArray *
armilla_graph_due_new (void)
{
  return g_ptr_array_new_with_free_func (due_free);
}

/* Sets a function to call for outputs before they get their names; (nullable). The graph must have
 * no tasks. */
void
armilla_graph_set_commit_hook (ArmillaGraph *graph, ArmillaCommitHook hook, gpointer user)
{
  graph->hook = hook;
  graph->hook_user = user;
}

static void
note_file (ArmillaGraph *graph, const Due *due)
{
  const ArmillaLabel *label = armilla_graph_label_of (graph, due->fault);

  if (label)
    armilla_ledger_note_file (graph, label->node, armilla_output_path (due->output));
}

/* Flushes all files, then renames them. Returns the errors, one per file, %NULL for none. */
static GError **
name_group (ArmillaGraph *graph, GPtrArray *group)
{
  GError **errors = g_new0 (GError *, group->len);
  g_autofree ArmillaOutput **outputs = g_new (ArmillaOutput *, group->len);

  for (guint i = 0; i < group->len; i++)
    {
      ArmillaOutput *output = ((Due *) g_ptr_array_index (group, i))->output;

      outputs[i] = NULL;
      if (!armilla_fault_is_set (((Due *) g_ptr_array_index (group, i))->fault)
          && armilla_output_finish (output, &errors[i])
          && (!graph->hook || graph->hook (graph->hook_user, output, &errors[i])))
        outputs[i] = output;
    }
  armilla_output_commit_all (outputs, group->len, errors);
  for (guint i = 0; i < group->len; i++)
    if (outputs[i] && !errors[i])
      note_file (graph, g_ptr_array_index (group, i));
  return errors;
}

/* Renames files until none is waiting. */
static void
name_due (ArmillaGraph *graph)
{
  for (;;)
    {
      g_autoptr (GPtrArray) group = NULL;
      g_autofree GError **errors = NULL;

      g_mutex_lock (&graph->lock);
      if (graph->outputs->len > 0)
        {
          group = graph->outputs;
          graph->outputs = armilla_graph_due_new ();
        }
      graph->naming = group != NULL;
      g_cond_broadcast (&graph->changed);
      g_mutex_unlock (&graph->lock);
      if (!group)
        return;
      errors = name_group (graph, group);
      for (guint i = 0; i < group->len; i++)
        if (errors[i])
          armilla_fault_take (((Due *) g_ptr_array_index (group, i))->fault, errors[i]);
    }
}

gboolean
armilla_graph_commit (ArmillaGraph *graph, ArmillaFault *fault, ArmillaOutput *output,
                      GError **error)
{
  const gboolean alone = graph->view.n_ranks == 1;
  gboolean mine;
  Due *due;

  if (armilla_fault_is_set (fault))
    {
      armilla_output_free (output);
      return TRUE;
    }
  if (!(alone ? armilla_output_pack (output, error) : armilla_output_finish (output, error)))
    {
      armilla_output_free (output);
      return FALSE;
    }
  due = g_new (Due, 1);
  *due = (Due) { output, fault };
  g_mutex_lock (&graph->lock);
  g_ptr_array_add (graph->outputs, due);
  mine = alone && !graph->naming;
  graph->naming |= mine;
  while (alone && !mine && graph->outputs->len > MAX_DUE)
    armilla_graph_wait_change (graph);
  g_mutex_unlock (&graph->lock);
  if (mine)
    name_due (graph);
  return TRUE;
}

/* Renames the files that wait for the agreement of all ranks, after all tasks are done without a
 * failure on any rank. Returns the first error. */
GError *
armilla_graph_name_outputs (ArmillaGraph *graph)
{
  g_autofree GError **errors = name_group (graph, graph->outputs);
  GError *first = NULL;

  for (guint i = 0; i < graph->outputs->len; i++)
    if (errors[i] && !first)
      first = g_steal_pointer (&errors[i]);
    else
      g_clear_error (&errors[i]);
  g_ptr_array_set_size (graph->outputs, 0);
  if (first)
    armilla_graph_blame (graph, NULL, &first);
  return first;
}
