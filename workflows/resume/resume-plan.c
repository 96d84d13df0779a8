/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the work that a resumed run must do: which files of the journal are missing, and which
 * nodes must run for them. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "workflows/file/workflow.h"
#include "workflows/file/passes.h"
#include "workflows/resume/resume-private.h"

static gboolean
look_at (const char *path, struct stat *status, gint64 *mtime)
{
  if (g_lstat (path, status) != 0)
    return FALSE;
  *mtime = (gint64) status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
  return TRUE;
}

/* Finds the state of a node that writes a file: skipped if the file exists, otherwise run. */
static gboolean
output_state (ArmillaResume *self, int number, gint64 pass, ArmillaNodeState *state,
              GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  g_autofree char *path = armilla_resume_output (self->workflow, node, pass);
  const ArmillaRecord *record = path != NULL ? armilla_journal_find (self->journal, path) : NULL;
  struct stat status;
  gint64 mtime;

  *state = ARMILLA_NODE_RUN;
  if (record == NULL || !look_at (path, &status, &mtime))
    return TRUE;
  if (record->size == status.st_size && record->mtime == mtime)
    {
      gboolean same = strcmp (record->key, armilla_keys_get (self->keys, number)) == 0;

      *state = same ? ARMILLA_NODE_SKIP : ARMILLA_NODE_REPLACE;
      return TRUE;
    }
  if (self->overwrite)
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "%s was changed since the run of journal %s; move it away to have it computed "
               "again, or allow overwriting",
               path, self->path);
  armilla_blame_node (self->workflow, node, pass, error);
  return FALSE;
}

/* Sets @kept to whether checkpoints of all outputs of a node exist. Fails if such a file was
 * changed. */
static gboolean
is_kept (ArmillaResume *self, int number, gint64 pass, gboolean *kept, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  *kept = node->n_outputs > 0;
  for (int port = 0; *kept && port < node->n_outputs; port++)
    {
      g_autofree char *path = armilla_resume_part (self, pass, number, port);

      if (!armilla_resume_is_part_kept (self, path, armilla_keys_get (self->keys, number), kept,
                                        error))
        return FALSE;
    }
  return TRUE;
}

static void
need (guint8 *states, int node, ArmillaNodeState state)
{
  if (node >= 0 && (states[node] == ARMILLA_NODE_SKIP || state == ARMILLA_NODE_RUN))
    states[node] = (guint8) state;
}

/* Finds the state of a node in a pass, without regard to nodes that need its outputs. */
static gboolean
own_state (ArmillaResume *self, gint64 pass, int number, const gboolean *wants,
           ArmillaNodeState *state, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  const ArmillaNodePasses kind = armilla_pass_kind (self->workflow, pass);
  gboolean kept = FALSE;

  if (node->n_outputs == 0 && !output_state (self, number, pass, state, error))
    return FALSE;
  if (armilla_node_takes (node, kind) && wants[number])
    {
      if (!armilla_resume_has_lot (self, armilla_node_lot (self->workflow, node, pass), number,
                                   &kept, error))
        return FALSE;
      *state = kept ? ARMILLA_NODE_SKIP : ARMILLA_NODE_RUN;
    }
  else if (*state == ARMILLA_NODE_RUN && !armilla_node_collects (node))
    {
      if (!is_kept (self, number, pass, &kept, error))
        return FALSE;
      if (kept)
        *state = ARMILLA_NODE_RESTORE;
      self->n_restored += kept;
    }
  self->n_replaced += *state == ARMILLA_NODE_REPLACE;
  return TRUE;
}

/* Marks the nodes whose outputs the node needs: their values, or only their shapes. */
static void
need_inputs (const ArmillaResume *self, gint64 pass, const ArmillaNode *node,
             ArmillaNodeState state, guint8 *states)
{
  const gboolean reads = (state == ARMILLA_NODE_RUN || state == ARMILLA_NODE_REPLACE)
                         && !armilla_node_gives (node, armilla_pass_kind (self->workflow, pass));

  for (int k = 0; state != ARMILLA_NODE_SKIP && k < node->n_inputs; k++)
    need (states, node->inputs[k].node, reads ? ARMILLA_NODE_RUN : ARMILLA_NODE_SHAPE);
}

/* Finds the states of all nodes in a pass. @wants: [node]: whether a collecting node needs lots
 * that are missing. */
static gboolean
find_states (ArmillaResume *self, gint64 pass, const gboolean *wants, guint8 *states,
             GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const ArmillaNodePasses now = armilla_pass_kind (workflow, pass);
  gboolean left = FALSE;

  memset (states, ARMILLA_NODE_SKIP, workflow->nodes->len);
  for (guint i = workflow->order->len; i-- > 0;)
    {
      int number = g_array_index (workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (workflow, number);
      ArmillaNodeState state = states[number];

      if ((node->passes & now) && !own_state (self, pass, number, wants, &state, error))
        return FALSE;
      states[number] = (guint8) state;
      left = left || state != ARMILLA_NODE_SKIP;
      need_inputs (self, pass, node, state, states);
    }
  /* All nodes must at least be prepared, since the division into tiles depends on all data. */
  for (guint i = 0; left && i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      if (states[i] == ARMILLA_NODE_SKIP && node->n_outputs > 0
          && (now != ARMILLA_PASS_EACH || (node->passes & ARMILLA_PASS_EACH)))
        states[i] = ARMILLA_NODE_SHAPE;
    }
  return TRUE;
}

/* Stores the states of a pass and returns their number: few different ones occur, and each is
 * stored once. */
static guint32
note_states (ArmillaResume *self, GHashTable *seen, const guint8 *states)
{
  const guint n = self->workflow->nodes->len;
  g_autoptr (GBytes) bytes = g_bytes_new (states, n);
  gpointer found;
  guint32 pattern;

  if (g_hash_table_lookup_extended (seen, bytes, NULL, &found))
    return GPOINTER_TO_UINT (found);
  pattern = g_hash_table_size (seen);
  g_byte_array_append (self->patterns, states, n);
  g_hash_table_insert (seen, g_bytes_ref (bytes), GUINT_TO_POINTER (pattern));
  return pattern;
}

static gboolean
plan_pass (ArmillaResume *self, gint64 pass, const gboolean *wants, GHashTable *seen,
           guint8 *states, GError **error)
{
  guint32 pattern;

  if (!armilla_keys_set (self->keys, pass, error)
      || !find_states (self, pass, wants, states, error))
    return FALSE;
  pattern = note_states (self, seen, states);
  memcpy (self->pattern_of->data + (gsize) pass * sizeof pattern, &pattern, sizeof pattern);
  return TRUE;
}

/* Sets @wants: whether a collecting node must produce its outputs in this pass of @kind. */
static void
note_wants (const ArmillaWorkflow *workflow, ArmillaNodePasses kind, const guint8 *states,
            gboolean *wants)
{
  for (guint i = 0; i < workflow->nodes->len; i++)
    if (armilla_node_gives (armilla_workflow_node (workflow, (int) i), kind))
      wants[i] = states[i] == ARMILLA_NODE_RUN;
}

/* Finds the states of the nodes in all passes, from the end: what remains after the last point
 * determines which points must be computed again, and what remains after the last realisation of a
 * point which of its realisations. Errors as in armilla_resume_new (). */
gboolean
armilla_resume_plan (ArmillaResume *self, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const gint64 n_passes = armilla_workflow_n_passes (workflow);
  const guint n = workflow->nodes->len;
  g_autofree guint8 *states = g_new (guint8, n);
  g_autofree gboolean *wants = g_new0 (gboolean, n);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                       (GDestroyNotify) g_bytes_unref, NULL);

  if (!armilla_resume_make_lot_keys (self, error))
    return FALSE;
  g_byte_array_set_size (self->pattern_of, (guint) n_passes * (guint) sizeof (guint32));
  if (armilla_workflow_has_end (workflow)
      && !plan_pass (self, n_passes - 1, wants, seen, states, error))
    return FALSE;
  note_wants (workflow, ARMILLA_PASS_END, states, wants);
  for (gint64 point = 0; point < armilla_sweep_points_count (workflow->points); point++)
    {
      if (armilla_workflow_has_last (workflow)
          && !plan_pass (self, armilla_pass_last_of (workflow, point), wants, seen, states, error))
        return FALSE;
      note_wants (workflow, ARMILLA_PASS_LAST, states, wants);
      for (gint64 index = 0; index < workflow->repeat; index++)
        if (!plan_pass (self, point * workflow->repeat + index, wants, seen, states, error))
          return FALSE;
    }
  return TRUE;
}
