/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that keep what a node gives, for a run that is resumed. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * ArmillaCheckpoint:
 *
 * The file that keeps the values of one data object: bytes, in whatever order its class chooses.
 * Shape, names and units need not be in it: the stage describes its output again before it is
 * loaded. Who made the file, and whether its bytes are what was written, is known before, too.
 */
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;

/**
 * ArmillaCheckpointDue:
 * @user: what the caller gave
 *
 * Called once, in any thread, when the first piece exists.
 *
 * Returns: whether it is to be kept, and all that follow
 */
typedef gboolean (*ArmillaCheckpointDue) (gpointer user);

ArmillaCheckpoint *armilla_checkpoint_new (ArmillaGraph *graph, const char *path,
                                           ArmillaCheckpointDue due, gpointer user,
                                           GDestroyNotify destroy);
ArmillaCheckpoint *armilla_checkpoint_open (const char *path, GError **error);
gboolean armilla_checkpoint_write (ArmillaCheckpoint *self, gint64 offset, gconstpointer bytes,
                                   gint64 size, GError **error);
gboolean armilla_checkpoint_read (ArmillaCheckpoint *self, gint64 offset, gpointer bytes,
                                  gint64 size, GError **error);
gboolean armilla_checkpoint_end (gpointer self, GError **error);
void armilla_checkpoint_free (gpointer self);

G_END_DECLS
