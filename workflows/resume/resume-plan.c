/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a journal leaves to do: from the files that are not there back to what they are made of. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "workflows/file/blame.h"
#include "workflows/resume/resume-private.h"

static gboolean
look_at (const char *path, struct stat *status, gint64 *mtime)
{
  if (g_lstat (path, status) != 0)
    return FALSE;
  *mtime = (gint64) status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
  return TRUE;
}

/* Whether the output of a node is there, or what is to be done for it. */
static gboolean
output_state (ArmillaResume *self, int number, gint64 index, ArmillaNodeState *state,
              GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);
  g_autofree char *path = armilla_resume_output (self->workflow, node, index);
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
               "%s was changed since the run that journal %s tells of; move it away to have it "
               "made again, or allow overwriting",
               path, self->path);
  armilla_blame_node (self->workflow, node, index, error);
  return FALSE;
}

/* Whether all outputs of a node that anybody reads are kept in files. A file that is not what was
 * written is an error. */
static gboolean
is_kept (ArmillaResume *self, int number, gint64 index, gboolean *kept, GError **error)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  *kept = node->n_outputs > 0;
  for (int port = 0; *kept && port < node->n_outputs; port++)
    {
      g_autofree char *path = armilla_resume_part (self, index, number, port);
      const ArmillaRecord *record = armilla_journal_find (self->journal, path);
      g_autofree char *sum = NULL;

      *kept = record != NULL && g_file_test (path, G_FILE_TEST_EXISTS)
              && strcmp (record->key, armilla_keys_get (self->keys, number)) == 0;
      if (!*kept)
        return TRUE;
      sum = armilla_keys_sum_file (path, error);
      if (sum == NULL)
        return FALSE;
      if (strcmp (sum, record->sum) != 0)
        return armilla_fail (error, ARMILLA_ERROR_IO,
                             "checkpoint %s is damaged; remove it to have what it kept computed "
                             "again", path);
    }
  return TRUE;
}

static void
need (guint8 *states, int node, ArmillaNodeState state)
{
  if (node >= 0 && (states[node] == ARMILLA_NODE_SKIP || state == ARMILLA_NODE_RUN))
    states[node] = (guint8) state;
}

static gboolean
find_states (ArmillaResume *self, gint64 index, guint8 *states, GError **error)
{
  const ArmillaWorkflow *workflow = self->workflow;

  gboolean left = FALSE;

  memset (states, ARMILLA_NODE_SKIP, workflow->nodes->len);
  for (guint i = workflow->order->len; i-- > 0;)
    {
      int number = g_array_index (workflow->order, int, i);
      const ArmillaNode *node = armilla_workflow_node (workflow, number);
      ArmillaNodeState state = states[number];
      gboolean kept = FALSE;

      if (node->n_outputs == 0 && !output_state (self, number, index, &state, error))
        return FALSE;
      if (state == ARMILLA_NODE_RUN && !is_kept (self, number, index, &kept, error))
        return FALSE;
      if (kept)
        state = ARMILLA_NODE_RESTORE;
      self->n_restored += kept;
      self->n_replaced += state == ARMILLA_NODE_REPLACE;
      states[number] = (guint8) state;
      left = left || state != ARMILLA_NODE_SKIP;
      for (int k = 0; state != ARMILLA_NODE_SKIP && k < node->n_inputs; k++)
        need (states, node->inputs[k].node,
              state == ARMILLA_NODE_RUN || state == ARMILLA_NODE_REPLACE ? ARMILLA_NODE_RUN
                                                                         : ARMILLA_NODE_SHAPE);
    }
  /* How data are cut into tiles depends on the shapes of all of them. */
  for (guint i = 0; left && i < workflow->nodes->len; i++)
    if (states[i] == ARMILLA_NODE_SKIP
        && armilla_workflow_node (workflow, (int) i)->n_outputs > 0)
      states[i] = ARMILLA_NODE_SHAPE;
  return TRUE;
}

/**
 * armilla_resume_plan:
 * @self: a journal that is open
 * @error: return location
 *
 * Decides what is to be done for each realisation. Few of them differ in that, so that each kind is
 * kept once.
 *
 * Returns: whether nothing speaks against it, see armilla_resume_new()
 */
gboolean
armilla_resume_plan (ArmillaResume *self, GError **error)
{
  guint n = self->workflow->nodes->len;
  g_autofree guint8 *states = g_new (guint8, n);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                       (GDestroyNotify) g_bytes_unref, NULL);

  for (gint64 index = 0; index < self->workflow->repeat; index++)
    {
      g_autoptr (GBytes) bytes = NULL;
      gpointer found;
      guint32 pattern;

      if (!armilla_keys_set (self->keys, index, error)
          || !find_states (self, index, states, error))
        return FALSE;
      bytes = g_bytes_new (states, n);
      if (g_hash_table_lookup_extended (seen, bytes, NULL, &found))
        pattern = GPOINTER_TO_UINT (found);
      else
        {
          pattern = g_hash_table_size (seen);
          g_byte_array_append (self->patterns, states, n);
          g_hash_table_insert (seen, g_bytes_ref (bytes), GUINT_TO_POINTER (pattern));
        }
      g_byte_array_append (self->pattern_of, (const guint8 *) &pattern, sizeof pattern);
    }
  return TRUE;
}

