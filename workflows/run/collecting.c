/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of collected data, one for each lot (group of realisations). A run that can be resumed
 * stores them beside its journal, which records them. Other runs store them beside the first
 * output, under hidden names, and remove them at the end. Such a run holds a lock on another file
 * beside them, so that the next run can recognise and remove files of a killed run. */
#include "workflows/run/collecting.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tasks/data/collect.h"
#include "tasks/runtime/share.h"
#include "workflows/file/passes.h"

#define HIDDEN ".armilla-collect."
#define LOCK ".lock"

struct _ArmillaCollecting {
  const ArmillaWorkflow *workflow;
  ArmillaResume *resume; /* journal; NULL: none */
  char *prefix;          /* beginning of the file names if there is no journal */
  int lock;              /* file descriptor of the lock on rank 0; -1: none */
  ArmillaLot **lots;     /* [node]: lot to which it adds realisations; NULL: none yet */
  gint64 *numbers;       /* [node]: number of that lot */
};

typedef struct {
  ArmillaResume *resume;
  int node;
  gint64 lot;
} Due;

static ArmillaCollecting *
new_for (const ArmillaWorkflow *workflow, ArmillaResume *resume)
{
  ArmillaCollecting *self = g_new0 (ArmillaCollecting, 1);

  self->workflow = workflow;
  self->resume = resume;
  self->lock = -1;
  self->lots = g_new0 (ArmillaLot *, workflow->nodes->len);
  self->numbers = g_new0 (gint64, workflow->nodes->len);
  return self;
}

/* Returns the beginning of file names: in the folder of the first output, or in the folder for
 * temporary files if the run writes no file. */
static char *
choose_prefix (const ArmillaWorkflow *workflow)
{
  g_autofree char *folder = NULL, *name = NULL;

  for (guint i = 0; folder == NULL && i < workflow->nodes->len; i++)
    {
      g_autofree char *path
        = armilla_resume_output (workflow, armilla_workflow_node (workflow, (int) i), 0);

      if (path != NULL)
        folder = g_path_get_dirname (path);
    }
  name = g_strdup_printf (HIDDEN "%d.%08x%08x", (int) getpid (), g_random_int (),
                          g_random_int ());
  return g_build_filename (folder != NULL ? folder : g_get_tmp_dir (), name, NULL);
}

/* Removes the files of a killed run if no process holds its lock file @lock: those whose names
 * begin like it, and their temporary files, with one more dot in front (see
 * core/files/temporary.c). */
static void
remove_stale (const char *folder, const char *lock)
{
  g_autofree char *start = g_strndup (lock, strlen (lock) - strlen (LOCK));
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    if ((g_str_has_prefix (name, start) || (*name == '.' && g_str_has_prefix (name + 1, start)))
        && strcmp (name, lock) != 0)
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        g_unlink (path); /* no error: another run may be removing it, too */
      }
}

/* Removes files of all killed runs in a folder. */
static void
remove_all_stale (const char *folder)
{
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      int file;

      if (!g_str_has_prefix (name, HIDDEN) || !g_str_has_suffix (name, LOCK)
          || (file = g_open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)) < 0)
        continue;
      if (flock (file, LOCK_EX | LOCK_NB) == 0)
        {
          remove_stale (folder, name);
          g_unlink (path);
        }
      close (file); /* nothing was written */
    }
}

/* Takes the lock of this run. On file systems without locks, files of killed runs are not
 * removed. */
static void
hold_lock (ArmillaCollecting *self)
{
  g_autofree char *path = g_strconcat (self->prefix, LOCK, NULL);
  g_autofree char *folder = g_path_get_dirname (path);

  remove_all_stale (folder);
  self->lock = g_open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (self->lock >= 0 && flock (self->lock, LOCK_EX | LOCK_NB) == 0)
    return;
  if (self->lock >= 0)
    {
      close (self->lock); /* nothing was written */
      g_unlink (path);
    }
  self->lock = -1;
}

/* Chooses where the files of lots are stored. @workflow and @resume (may be NULL) must outlive the
 * result. Collective. */
ArmillaCollecting *
armilla_collecting_new (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                        ArmillaResume *resume, GError **error)
{
  g_autoptr (ArmillaCollecting) self = new_for (workflow, resume);
  g_autoptr (GByteArray) shared = g_byte_array_new ();

  if (armilla_runtime_rank (runtime) == 0 && armilla_workflow_collects (workflow))
    {
      g_autofree char *prefix = choose_prefix (workflow);

      g_byte_array_append (shared, (const guint8 *) prefix, (guint) strlen (prefix) + 1);
    }
  if (!armilla_runtime_share (runtime, shared, error))
    return NULL;
  self->prefix = g_strdup (shared->len > 0 ? (const char *) shared->data : "");
  if (resume == NULL && armilla_runtime_rank (runtime) == 0 && *self->prefix != '\0')
    hold_lock (self);
  return g_steal_pointer (&self);
}

/* Returns the state for a forecast, which writes no files. */
ArmillaCollecting *
armilla_collecting_new_forecast (const ArmillaWorkflow *workflow)
{
  ArmillaCollecting *self = new_for (workflow, NULL);

  self->prefix = g_strdup ("");
  return self;
}

static char *
path_of (const ArmillaCollecting *self, int node, gint64 lot)
{
  const ArmillaNode *collector = armilla_workflow_node (self->workflow, node);
  g_autofree char *name = g_strdelimit (g_strdup (collector->name), "/", '.');
  g_autofree char *number = NULL;

  if (self->resume != NULL)
    return armilla_resume_lot (self->resume, lot, node);
  number = armilla_lot_name (self->workflow, collector, lot);
  return g_strdup_printf ("%s.%s.%s", self->prefix, number, name);
}

/* Lets the journal record the lot's file; an ArmillaCheckpointDue, in any thread. All lots are
 * saved. */
static gboolean
is_due (gpointer user)
{
  const Due *due = user;

  armilla_resume_expect_lot (due->resume, due->lot, due->node);
  return TRUE;
}

/* Returns the lot to which a node adds the results of a pass. Results of all earlier passes of the
 * lot must have been requested. */
ArmillaLot *
armilla_collecting_lot (ArmillaCollecting *self, ArmillaGraph *graph, int node, gint64 pass)
{
  const ArmillaNode *collector = armilla_workflow_node (self->workflow, node);
  const gint64 lot = armilla_node_lot (self->workflow, collector, pass);

  if (self->lots[node] == NULL || self->numbers[node] != lot)
    {
      g_autofree char *path = path_of (self, node, lot);
      Due *due = g_new (Due, 1);

      *due = (Due) { self->resume, node, lot };
      armilla_lot_unref (self->lots[node]);
      self->lots[node] = armilla_lot_new (graph, path,
                                          armilla_node_lot_count (self->workflow, collector, lot),
                                          self->resume != NULL ? is_due : NULL, due, g_free);
      self->numbers[node] = lot;
    }
  return self->lots[node];
}

/* Returns the files of all lots of a point; for a node that joins points, of all points. */
ArmillaCollected *
armilla_collecting_files (const ArmillaCollecting *self, int node, gint64 point)
{
  const ArmillaWorkflow *workflow = self->workflow;
  const ArmillaNode *collector = armilla_workflow_node (workflow, node);
  const gboolean joins = armilla_node_joins (collector);
  const gint64 first = joins ? 0 : armilla_pass_lot (workflow, point * workflow->repeat);
  const gint64 last = joins ? armilla_node_n_lots (workflow, collector) - 1
                            : armilla_pass_lot (workflow, (point + 1) * workflow->repeat - 1);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 lot = first; lot <= last; lot++)
    {
      const gint64 size = armilla_node_lot_count (workflow, collector, lot);

      g_ptr_array_add (paths, path_of (self, node, lot));
      g_array_append_val (sizes, size);
    }
  g_ptr_array_add (paths, NULL);
  return armilla_collected_new_lots ((const char *const *) paths->pdata,
                                     (const gint64 *) (gconstpointer) sizes->data);
}

/* Removes the files of lots at the end of a run without journal. */
void
armilla_collecting_remove (const ArmillaCollecting *self)
{
  const ArmillaWorkflow *workflow = self->workflow;

  for (guint i = 0; self->resume == NULL && i < workflow->nodes->len; i++)
    {
      const ArmillaNode *node = armilla_workflow_node (workflow, (int) i);

      for (gint64 lot = 0;
           armilla_node_collects (node) && lot < armilla_node_n_lots (workflow, node); lot++)
        {
          g_autofree char *path = path_of (self, (int) i, lot);

          g_unlink (path); /* no error: a failed run may not have created it */
        }
    }
}

void
armilla_collecting_free (ArmillaCollecting *self)
{
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    armilla_lot_unref (self->lots[i]);
  if (self->lock >= 0)
    {
      g_autofree char *path = g_strconcat (self->prefix, LOCK, NULL);

      g_unlink (path);
      close (self->lock); /* nothing was written */
    }
  g_free (self->lots);
  g_free (self->numbers);
  g_free (self->prefix);
  g_free (self);
}
