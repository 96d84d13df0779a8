/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/files/output.h"
#include "core/files/regular-file.h"

static ArmillaCheckpoint *
checkpoint_new (const char *path)
{
  ArmillaCheckpoint *self = g_new0 (ArmillaCheckpoint, 1);

  self->path = g_strdup (path);
  self->fd = -1;
  g_mutex_init (&self->lock);
  return self;
}

/* Returns a file to be written, which is renamed to @path when it is complete. @due: called when
 * the first piece exists, returns whether to save the data; %NULL: always. @user: argument of @due,
 * freed by @destroy. */
ArmillaCheckpoint *
armilla_checkpoint_new (ArmillaGraph *graph, const char *path, ArmillaCheckpointDue due,
                        gpointer user, GDestroyNotify destroy)
{
  ArmillaCheckpoint *self = checkpoint_new (path);

  self->graph = graph;
  self->fault = armilla_graph_fault (graph);
  self->due = due;
  self->user = user;
  self->destroy = destroy;
  return self;
}

/* Opens a file for reading; NULL with %ARMILLA_ERROR_IO on error. */
ArmillaCheckpoint *
armilla_checkpoint_open (const char *path, GError **error)
{
  g_autoptr (GError) why = NULL;
  int fd = armilla_regular_open (path, O_RDONLY, &why);
  ArmillaCheckpoint *self;

  if (fd < 0)
    return armilla_fail_null (error, ARMILLA_ERROR_IO, "checkpoint %s: %s", path, why->message);
  self = checkpoint_new (path);
  self->fd = fd;
  return self;
}

static gboolean
fail (const ArmillaCheckpoint *self, int number, GError **error)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "checkpoint %s: %s%s", self->path,
               number != 0 ? g_strerror (number) : "it is too short",
               number == ENOSPC || number == EDQUOT
                 ? "; free some space there, or run without [workflow] checkpoint"
                 : "");
  return FALSE;
}

static gboolean
begin (ArmillaCheckpoint *self, GError **error)
{
  self->output = armilla_output_new (self->path, TRUE, error);
  if (!self->output)
    return FALSE;
  if (!self->due)
    armilla_output_set_passing (self->output);
  self->fd = g_open (armilla_output_temporary (self->output), O_RDWR | O_CLOEXEC, 0);
  return self->fd >= 0 || fail (self, errno, error);
}

/* Sets whether the next piece is to be written. */
static gboolean
wants (ArmillaCheckpoint *self, gboolean *wanted, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gboolean ok = TRUE;

  if (self->state == ARMILLA_CHECKPOINT_UNDECIDED)
    {
      self->state = !self->due || self->due (self->user) ? ARMILLA_CHECKPOINT_KEPT
                                                         : ARMILLA_CHECKPOINT_PASSED;
      ok = self->state == ARMILLA_CHECKPOINT_PASSED || begin (self, error);
      if (!ok)
        /* the error is reported once; later pieces are skipped */
        self->state = ARMILLA_CHECKPOINT_PASSED;
    }
  *wanted = self->state == ARMILLA_CHECKPOINT_KEPT;
  return ok;
}

gboolean
armilla_checkpoint_write (ArmillaCheckpoint *self, gint64 offset, gconstpointer bytes, gint64 size,
                          GError **error)
{
  gboolean wanted;

  if (!wants (self, &wanted, error))
    return FALSE;
  return !wanted || armilla_write_all (self->fd, bytes, (gsize) size, offset) == size
         || fail (self, errno, error);
}

gboolean
armilla_checkpoint_read (ArmillaCheckpoint *self, gint64 offset, gpointer bytes, gint64 size,
                         GError **error)
{
  const gssize got = armilla_read_all (self->fd, bytes, (gsize) size, offset);

  return got == size || fail (self, got < 0 ? errno : 0, error);
}

gboolean
armilla_checkpoint_end (gpointer self, GError **error)
{
  ArmillaCheckpoint *file = self;
  int fd = file->fd;

  if (file->state != ARMILLA_CHECKPOINT_KEPT)
    return TRUE;
  file->fd = -1;
  if (close (fd) != 0)
    return fail (file, errno, error);
  return armilla_graph_commit (file->graph, file->fault, g_steal_pointer (&file->output), error);
}

void
armilla_checkpoint_free (gpointer self)
{
  ArmillaCheckpoint *file = self;

  if (file->fd >= 0)
    close (file->fd); /* no data can be lost: readers and writers have checked for errors */
  armilla_output_free (file->output);
  if (file->destroy)
    file->destroy (file->user);
  g_mutex_clear (&file->lock);
  g_free (file->path);
  g_free (file);
}
