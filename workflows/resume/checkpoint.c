/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which outputs of nodes are kept, and in which files. How they are kept is up to the class of the
 * data, see #ArmillaDataClass; key and checksum are in the journal. Whether an output is kept is
 * decided when its first piece exists. */
#include "workflows/resume/resume.h"

#include <armilla/checkpoint.h>

typedef struct {
  ArmillaResume *resume;
  gint64 index;
  int node, port;
} Part;

static gboolean
is_due (gpointer user)
{
  const Part *part = user;

  if (!armilla_resume_due (part->resume))
    return FALSE;
  armilla_resume_expect_part (part->resume, part->index, part->node, part->port);
  return TRUE;
}

/**
 * armilla_resume_keep:
 * @resume: the journal
 * @graph: a graph
 * @index: number of the realisation
 * @node: number of a node that was just built and has inputs
 * @outputs: (array length=n_outputs): what it gives
 * @n_outputs: how many
 * @error: return location
 *
 * Keeps outputs of a node in files, each of them if it is time when its first piece exists.
 *
 * Returns: whether that could be asked for
 */
gboolean
armilla_resume_keep (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                     ArmillaData *const *outputs, int n_outputs, GError **error)
{
  gboolean ok = TRUE;

  /* A node is made again if it is not kept as a whole. */
  for (int port = 0; port < n_outputs; port++)
    if (!armilla_data_can_save (outputs[port]))
      return TRUE;
  for (int port = 0; ok && port < n_outputs; port++)
    {
      g_autofree char *path = armilla_resume_part (resume, index, node, port);
      Part *part = g_new (Part, 1);
      ArmillaCheckpoint *file = armilla_checkpoint_new (graph, path, is_due, part, g_free);

      *part = (Part) { resume, index, node, port };
      ok = ARMILLA_DATA_GET_CLASS (outputs[port])->save (outputs[port], graph, file, error);
    }
  return ok;
}

/**
 * armilla_resume_restore:
 * @resume: the journal
 * @graph: a graph
 * @index: number of the realisation
 * @node: number of a node that is prepared
 * @outputs: (array length=n_outputs): what it gives
 * @n_outputs: how many
 * @error: return location
 *
 * Takes outputs of a node from the files that armilla_resume_keep() made.
 *
 * Returns: whether the files can be opened; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_resume_restore (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                        ArmillaData *const *outputs, int n_outputs, GError **error)
{
  gboolean ok = TRUE;

  for (int port = 0; ok && port < n_outputs; port++)
    {
      g_autofree char *path = armilla_resume_part (resume, index, node, port);
      ArmillaCheckpoint *file = armilla_checkpoint_open (path, error);

      ok = file != NULL
           && ARMILLA_DATA_GET_CLASS (outputs[port])->load (outputs[port], graph, file, error);
    }
  return ok;
}
