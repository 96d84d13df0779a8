/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files that a run writes. */
#include <string.h>

#include "workflows/resume/resume-private.h"
#include "workflows/file/passes.h"

/* Returns the file that the node writes in a realisation; NULL if it writes none. */
char *
armilla_resume_output (const ArmillaWorkflow *workflow, const ArmillaNode *node,
                       gint64 index)
{
  const ArmillaSetting *setting = armilla_written_setting (node);
  g_auto (GValue) value = G_VALUE_INIT;

  if (setting == NULL || !armilla_workflow_value (workflow, setting, index, &value, NULL))
    return NULL;
  return g_value_dup_string (&value);
}

/* Returns the name of the checkpoint file of an output. */
char *
armilla_resume_part (const ArmillaResume *self, gint64 index, int node, int port)
{
  /* names of nodes of definitions contain a slash */
  g_autofree char *name
    = g_strdelimit (g_strdup (armilla_workflow_node (self->workflow, node)->name), "/", '.');

  return g_strdup_printf ("%s.%" G_GINT64_FORMAT ".%s.%d.part", self->path, index, name, port);
}

/* Finds, on rank 0, whether a checkpoint file with this key exists; ARMILLA_ERROR_IO if the file
 * was changed. */
gboolean
armilla_resume_is_part_kept (ArmillaResume *self, const char *path, const char *key,
                             gboolean *kept, GError **error)
{
  const ArmillaRecord *record = armilla_journal_find (self->journal, path);
  g_autofree char *sum = NULL;

  *kept = record != NULL && g_file_test (path, G_FILE_TEST_EXISTS)
          && strcmp (record->key, key) == 0;
  if (!*kept)
    return TRUE;
  sum = armilla_keys_sum_file (path, error);
  if (sum == NULL)
    return FALSE;
  return strcmp (sum, record->sum) == 0
         || armilla_fail (error, ARMILLA_ERROR_IO,
                          "checkpoint %s is damaged; remove it to recompute its data", path);
}
