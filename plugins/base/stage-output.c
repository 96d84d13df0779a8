/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "plugins/base/stage-util.h"
#include "tasks/ranks/parts.h"

/* Fails if the property "file" is not set. */
gboolean
armilla_stage_need_file (const char *path, GError **error)
{
  if (path != NULL && path[0] != '\0')
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "file is not set; give the name of a file");
}

/* Fails if the property "file" is not set, or has the extension of a format other than FITS. @what:
 * the data, for the message. */
gboolean
armilla_stage_need_fits (const char *path, const char *what, GError **error)
{
  static const char *const others[]
    = { "png",  "svg",  "pdf",     "ps",   "eps", "jpg", "jpeg", "gif",  "tif", "tiff", "csv",
        "ecsv", "tsv",  "txt",     "dat",  "npy", "npz", "h5",   "hdf5", "xml", "vot",  "json",
        "asdf", "html", "parquet", "yaml", "bz2", "xz",  "zst",  "zip",  "fz",  "workflow", NULL };
  g_autofree char *name = NULL;
  const char *ending;

  if (!armilla_stage_need_file (path, error))
    return FALSE;
  name = g_ascii_strdown (path, -1);
  if (g_str_has_suffix (name, ".gz"))
    name[strlen (name) - 3] = 0;
  ending = strrchr (name, '.');
  if (ending == NULL || !g_strv_contains (others, ending + 1))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "file = %s: %s written as FITS, but the name ends in %s; use .fits or "
                       ".fits.gz", path, what, ending);
}

/* Creates the temporary file on rank 0, and the lines for HISTORY from the notes of @data. */
ArmillaStageOutput *
armilla_stage_output_new (const char *path, const ArmillaStageContext *context, ArmillaData *data,
                          GError **error)
{
  ArmillaStageOutput *self;

  if (!armilla_stage_need_file (path, error))
    return NULL;
  self = g_new0 (ArmillaStageOutput, 1);
  g_mutex_init (&self->lock);
  if (data != NULL)
    self->history = armilla_stage_history (context, data);
  if (context->rank == 0)
    self->output = armilla_output_new (path, context->overwrite, error);
  if (context->rank == 0 && self->output == NULL)
    g_clear_pointer (&self, armilla_stage_output_free);
  return self;
}

/* Called in build: the output belongs to @graph and its current node. Until then they are
 * unknown. */
void
armilla_stage_output_begin (ArmillaStageOutput *self, ArmillaGraph *graph)
{
  self->graph = graph;
  self->fault = armilla_graph_fault (graph);
}

/* Opens the temporary file on all ranks of the graph if @can is TRUE: the offset of every row is
 * known in advance. Sets @shared if every rank writes its rows; otherwise rank 0 writes all.
 * Collective. */
gboolean
armilla_stage_output_share (ArmillaStageOutput *self, const char *path, gboolean can,
                            gboolean *shared, GError **error)
{
  *shared = FALSE;
  return !can || armilla_graph_share_output (self->graph, path, &self->output, shared, error);
}

/* Renames the complete file, at once or when all ranks agree. */
gboolean
armilla_stage_output_commit (ArmillaStageOutput *self, GError **error)
{
  return armilla_graph_commit (self->graph, self->fault, g_steal_pointer (&self->output), error);
}

gboolean
armilla_stage_output_write_table (ArmillaStageOutput *self, const ArmillaTable *table,
                                  ArmillaTableFormat format, GError **error)
{
  return armilla_table_write (self->output, table, format, self->history, error)
         && armilla_stage_output_commit (self, error);
}

/* Frees the output, and removes a temporary file that was not committed. */
void
armilla_stage_output_free (ArmillaStageOutput *self)
{
  g_clear_pointer (&self->output, armilla_output_free);
  g_strfreev (self->history);
  g_mutex_clear (&self->lock);
  g_free (self);
}
