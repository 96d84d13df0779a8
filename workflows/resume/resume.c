/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank 0 reads the journal, finds the remaining work, and broadcasts it. */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tasks/runtime/share.h"
#include "workflows/file/passes.h"
#include "workflows/file/sweep.h"
#include "workflows/resume/resume-private.h"

#define DEFAULT_INTERVAL 60 /* default time between checkpoints, s */

/* A file that will be written, and what the journal will record of it. */
typedef struct {
  gint64 index;
  int node, port;
  char *key;
} Expected;

static void
expected_free (gpointer data)
{
  Expected *expected = data;

  g_free (expected->key);
  g_free (expected);
}

static char *
journal_path (const ArmillaWorkflow *workflow, GError **error)
{
  g_autofree char *name = g_path_get_basename (workflow->document->path);

  if (g_str_has_suffix (name, ".workflow"))
    name[strlen (name) - strlen (".workflow")] = '\0';
  for (guint i = 0; i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);
      g_autofree char *path = armilla_resume_output (workflow, node, 0);

      if (path != NULL)
        {
          g_autofree char *folder = g_path_get_dirname (path);
          g_autofree char *file = g_strconcat (name, ".journal", NULL);

          return g_build_filename (folder, file, NULL);
        }
    }
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "a run that can be resumed requires a node that writes a file; its "
                            "journal is stored beside that file");
}

/* Returns whether a recorded file contains a lot. It remains useful for a run with more
 * realisations, or with other nodes after the collecting one. */
static gboolean
is_lot (const ArmillaResume *self, const ArmillaRecord *record)
{
  g_autofree char *prefix = g_strconcat (self->path, ".lot", NULL);

  return g_str_has_prefix (record->path, prefix);
}

/* Removes temporary files of a killed run; with @parts also its checkpoints. */
static void
sweep (ArmillaResume *self, gboolean parts)
{
  g_autoptr (GPtrArray) records = armilla_journal_records (self->journal);
  g_autoptr (ArmillaSweep) sweep = armilla_sweep_new (self->path);
  const gint64 n = armilla_workflow_n_realisations (self->workflow);

  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (self->workflow, (int) i);

      for (gint64 index = 0; node->n_outputs == 0 && index < n; index++)
        {
          g_autofree char *path = armilla_resume_output (self->workflow, node, index);

          if (path != NULL)
            armilla_sweep_add (sweep, path);
        }
    }
  for (guint i = 0; parts && i < records->len; i++)
    {
      const ArmillaRecord *record = g_ptr_array_index (records, i);

      if (record->port >= 0 && !is_lot (self, record))
        g_unlink (record->path); /* no error: the file may not exist any more */
    }
  armilla_sweep_run (sweep);
}

static gboolean
read_journal (ArmillaResume *self, GError **error)
{
  self->journal = armilla_journal_open (self->path, error);
  if (self->journal == NULL || !armilla_journal_absorb (self->journal, error)
      || !armilla_resume_plan (self, error))
    return FALSE;
  sweep (self, FALSE);
  return TRUE;
}

static gboolean
share (ArmillaResume *self, GError **error)
{
  g_autoptr (GByteArray) sums = g_byte_array_new ();

  if (armilla_runtime_rank (self->runtime) == 0)
    armilla_keys_save (self->keys, sums);
  if (!armilla_runtime_share (self->runtime, sums, error)
      || !armilla_runtime_share (self->runtime, self->patterns, error)
      || !armilla_runtime_share (self->runtime, self->pattern_of, error)
      || !armilla_runtime_share (self->runtime, self->lot_keys, error))
    return FALSE;
  if (armilla_runtime_rank (self->runtime) != 0)
    {
      armilla_keys_load (self->keys, sums);
      armilla_resume_set_collected (self);
    }
  for (gint64 index = 0; index < armilla_workflow_n_realisations (self->workflow); index++)
    self->n_done += armilla_resume_done (self, index);
  return TRUE;
}

/* Opens the journal of a workflow, which must outlive the result, or begins one, and finds the
 * remaining work. The tuning of the runtime must not change any more. @overwrite: outputs that the
 * journal does not contain may be replaced. ARMILLA_ERROR_IO if the journal or a checkpoint is
 * damaged, in use or unwritable, or an output was changed. Collective. */
ArmillaResume *
armilla_resume_new (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime, gboolean overwrite,
                    GError **error)
{
  g_autoptr (ArmillaResume) self = g_new0 (ArmillaResume, 1);
  g_autofree char *kind = armilla_runtime_kind (runtime);
  GError *local = NULL;

  self->workflow = workflow;
  self->runtime = runtime;
  self->interval = workflow->checkpoint > 0 ? workflow->checkpoint : DEFAULT_INTERVAL;
  self->overwrite = overwrite || workflow->overwrite;
  self->keys = armilla_keys_new (workflow, kind);
  self->patterns = g_byte_array_new ();
  self->pattern_of = g_byte_array_new ();
  self->lot_keys = g_byte_array_new ();
  self->kept_lots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, expected_free);
  self->last = g_get_monotonic_time ();
  g_mutex_init (&self->lock);
  self->path = journal_path (workflow, &local);
  if (local == NULL && armilla_runtime_rank (runtime) == 0)
    read_journal (self, &local);
  if (!armilla_runtime_agree (runtime, local, error) || !share (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Returns the ArmillaNodeState of each node in a pass. */
const guint8 *
armilla_resume_states (const ArmillaResume *self, gint64 index)
{
  guint32 pattern;

  memcpy (&pattern, self->pattern_of->data + (gsize) index * sizeof pattern, sizeof pattern);
  return self->patterns->data + (gsize) pattern * self->workflow->nodes->len;
}

/* Returns whether no work of the pass remains. */
gboolean
armilla_resume_done (const ArmillaResume *self, gint64 index)
{
  const guint8 *states = armilla_resume_states (self, index);

  for (guint i = 0; i < self->workflow->nodes->len; i++)
    if (states[i] != ARMILLA_NODE_SKIP)
      return FALSE;
  return TRUE;
}

/* Describes the remaining work in one line; rank 0. */
char *
armilla_resume_describe (const ArmillaResume *self)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text,
                   "journal %s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " realisations are done",
                   self->path, self->n_done, armilla_workflow_n_realisations (self->workflow));
  if (self->n_restored > 0)
    g_string_append_printf (text, "; nodes that continue from checkpoints: %" G_GINT64_FORMAT,
                            self->n_restored);
  if (self->n_replaced > 0)
    g_string_append_printf (text,
                            "; outputs computed again because the workflow, an input, the program "
                            "or the kind of machine changed: %" G_GINT64_FORMAT,
                            self->n_replaced);
  return g_string_free (text, FALSE);
}

static void
expect (ArmillaResume *self, char *path, gint64 index, int node, int port, const char *key)
{
  Expected *expected = g_new0 (Expected, 1);

  *expected = (Expected) { index, node, port, g_strdup (key) };
  g_mutex_lock (&self->lock);
  g_hash_table_replace (self->expected, path, expected);
  g_mutex_unlock (&self->lock);
}

/* Must be called before the outputs of a pass are written, so that they are recorded when
 * complete. */
gboolean
armilla_resume_begin (ArmillaResume *self, gint64 index, GError **error)
{
  const guint8 *states = armilla_resume_states (self, index);

  if (!armilla_keys_set (self->keys, index, error))
    return FALSE;
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (self->workflow, (int) i);
      char *path = armilla_resume_output (self->workflow, node, index);

      if (path != NULL && states[i] != ARMILLA_NODE_SKIP)
        expect (self, path, index, (int) i, -1, armilla_keys_get (self->keys, (int) i));
      else
        g_free (path);
    }
  return TRUE;
}

/* Lets the file of armilla_resume_part () be recorded when it is complete. */
void
armilla_resume_expect_part (ArmillaResume *self, gint64 index, int node, int port)
{
  expect (self, armilla_resume_part (self, index, node, port), index, node, port,
          armilla_keys_get (self->keys, node));
}

/* Lets the file of armilla_resume_lot () be recorded when it is complete. Thread-safe. */
void
armilla_resume_expect_lot (ArmillaResume *self, gint64 lot, int node)
{
  g_autofree char *key = armilla_resume_lot_key (self, lot, node);

  expect (self, armilla_resume_lot (self, lot, node), armilla_lot_first (self->workflow, lot),
          node, 0, key);
}

/* Fills @record with what is known of an expected file and moves its key to @key; returns FALSE if
 * the file is not expected. */
static gboolean
take_expected (ArmillaResume *self, const char *path, ArmillaRecord *record, char **key)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  Expected *expected = g_hash_table_lookup (self->expected, path);

  if (expected == NULL)
    return FALSE;
  record->index = expected->index;
  record->node = (char *) armilla_workflow_node (self->workflow, expected->node)->name;
  record->port = expected->port;
  record->key = *key = g_steal_pointer (&expected->key);
  g_hash_table_remove (self->expected, path);
  return TRUE;
}

/* Opens the journal of this rank. Ranks other than 0 create it with their first record. */
static gboolean
open_own_journal (ArmillaResume *self, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autofree char *path
    = g_strdup_printf ("%s.%d", self->path, armilla_runtime_rank (self->runtime));

  if (self->journal == NULL)
    self->journal = armilla_journal_open (path, error);
  return self->journal != NULL;
}

/* Records a complete output just before it gets its final name; an ArmillaCommitHook. If the run is
 * killed in between, the next run does not find the file and computes it again. */
gboolean
armilla_resume_note (gpointer self, ArmillaOutput *output, GError **error)
{
  ArmillaResume *resume = self;
  const char *path = armilla_output_path (output);
  const char *temporary = armilla_output_temporary (output);
  ArmillaRecord record = { .path = (char *) path };
  g_autofree char *key = NULL;
  g_autofree char *sum = NULL;
  struct stat status;

  if (!take_expected (resume, path, &record, &key))
    return TRUE;
  if (g_stat (temporary, &status) != 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be examined: %s", path,
                         g_strerror (errno));
  sum = record.port >= 0 ? armilla_keys_sum_file (temporary, error) : g_strdup ("-");
  if (sum == NULL)
    return FALSE;
  record.sum = sum;
  record.size = status.st_size;
  record.mtime = (gint64) status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  return open_own_journal (resume, error)
         && armilla_journal_add (resume->journal, &record, error);
}

/* Returns whether the checkpoint interval has elapsed, and restarts it if so. */
gboolean
armilla_resume_due (ArmillaResume *self)
{
  gint64 now = g_get_monotonic_time ();
  gboolean due;

  g_mutex_lock (&self->lock);
  due = (double) (now - self->last) >= self->interval * G_USEC_PER_SEC;
  if (due)
    self->last = now;
  g_mutex_unlock (&self->lock);
  return due;
}

/* Merges the journals of all ranks into that of rank 0. Removes the checkpoints if no work remains.
 * Collective. */
gboolean
armilla_resume_end (ArmillaResume *self, GError **error)
{
  GError *local = NULL;

  if (armilla_runtime_rank (self->runtime) != 0)
    g_clear_pointer (&self->journal, armilla_journal_free);
  if (!armilla_runtime_agree (self->runtime, NULL, error))
    return FALSE;
  if (armilla_runtime_rank (self->runtime) == 0
      && armilla_journal_absorb (self->journal, &local))
    sweep (self, TRUE);
  return armilla_runtime_agree (self->runtime, local, error);
}

void
armilla_resume_free (ArmillaResume *self)
{
  g_clear_pointer (&self->journal, armilla_journal_free);
  g_clear_pointer (&self->keys, armilla_keys_free);
  g_byte_array_unref (self->patterns);
  g_byte_array_unref (self->pattern_of);
  g_byte_array_unref (self->lot_keys);
  g_hash_table_unref (self->kept_lots);
  g_hash_table_unref (self->expected);
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self);
}
