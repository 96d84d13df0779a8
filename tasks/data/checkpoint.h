/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/checkpoint.h>

G_BEGIN_DECLS

/**
 * ArmillaCheckpointDue:
 * @user: what the caller gave
 *
 * Called once, in any thread, when the first piece exists.
 *
 * Returns: whether it is to be kept, and all that follow
 */
typedef gboolean (*ArmillaCheckpointDue) (gpointer user);

struct _ArmillaCheckpoint {
  ArmillaGraph *graph; /* NULL: the file is read */
  ArmillaFault *fault; /* of the node; likewise */
  char *path;
  ArmillaCheckpointDue due;
  gpointer user;
  GDestroyNotify destroy;
  GMutex lock;         /* of what follows */
  enum { ARMILLA_CHECKPOINT_UNDECIDED, ARMILLA_CHECKPOINT_KEPT, ARMILLA_CHECKPOINT_PASSED } state;
  ArmillaOutput *output;
  int fd;
};

ArmillaCheckpoint *armilla_checkpoint_new (ArmillaGraph *graph, const char *path,
                                           ArmillaCheckpointDue due, gpointer user,
                                           GDestroyNotify destroy);
ArmillaCheckpoint *armilla_checkpoint_open (const char *path, GError **error);

G_END_DECLS
