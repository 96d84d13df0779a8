/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses which outputs of nodes are saved, and in which files. The decision for an output is made
 * when its first piece exists. The class of the data writes it, see #ArmillaDataClass; the journal
 * contains key and checksum. */
#include "tasks/data/checkpoint.h"
#include "tasks/data/data.h"
#include "workflows/resume/resume.h"

#include <armilla/checkpoint.h>

/* Decision for a node: either all of its outputs are saved or none, since the node runs again
 * unless all exist. */
typedef struct {
  ArmillaResume *resume;
  gint64 index;
  int node;
  enum { UNDECIDED, KEPT, PASSED } decision;
} Kept;

typedef struct {
  Kept *kept; /* decision, common to all outputs of the node */
  int port;
} Part;

static gboolean
is_due (gpointer user)
{
  static GMutex lock; /* guards the decisions for all nodes */
  const Part *part = user;
  Kept *kept = part->kept;
  gboolean due;

  g_mutex_lock (&lock);
  if (kept->decision == UNDECIDED)
    kept->decision = armilla_resume_due (kept->resume) ? KEPT : PASSED;
  due = kept->decision == KEPT;
  g_mutex_unlock (&lock);
  if (due)
    armilla_resume_expect_part (kept->resume, kept->index, kept->node, part->port);
  return due;
}

static void
part_free (gpointer user)
{
  g_atomic_rc_box_release (((Part *) user)->kept);
  g_free (user);
}

/* Makes the graph save the outputs of a node that was just built. They are saved if the checkpoint
 * interval has elapsed when the first piece of one of them exists. */
gboolean
armilla_resume_keep (ArmillaResume *resume, ArmillaGraph *graph, gint64 index, int node,
                     ArmillaData *const *outputs, int n_outputs, GError **error)
{
  gboolean ok = TRUE;
  Kept *kept;

  for (int port = 0; port < n_outputs; port++)
    if (outputs[port] == NULL || !armilla_data_can_save (outputs[port]))
      return TRUE;
  kept = g_atomic_rc_box_new0 (Kept);
  *kept = (Kept) { resume, index, node, UNDECIDED };
  for (int port = 0; ok && port < n_outputs; port++)
    {
      g_autofree char *path = armilla_resume_part (resume, index, node, port);
      Part *part = g_new (Part, 1);
      ArmillaCheckpoint *file = armilla_checkpoint_new (graph, path, is_due, part, part_free);

      *part = (Part) { g_atomic_rc_box_acquire (kept), port };
      ok = ARMILLA_DATA_GET_CLASS (outputs[port])->save (outputs[port], graph, file, error);
    }
  g_atomic_rc_box_release (kept);
  return ok;
}

/* Restores the outputs of a prepared node from the files that armilla_resume_keep () has saved. */
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
