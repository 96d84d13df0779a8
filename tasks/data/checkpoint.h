/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/checkpoint.h>

G_BEGIN_DECLS

/* Called once, in any thread, when the first piece exists. Returns whether to keep all pieces. */
typedef gboolean (*ArmillaCheckpointDue) (gpointer user);

struct _ArmillaCheckpoint {
  ArmillaGraph *graph; /* NULL for reading */
  /* fault to which errors are reported, with the label of the node; NULL for reading */
  ArmillaFault *fault;
  char *path;
  ArmillaCheckpointDue due;
  gpointer user;
  GDestroyNotify destroy;
  GMutex lock;         /* guards the members below */
  enum { ARMILLA_CHECKPOINT_UNDECIDED, ARMILLA_CHECKPOINT_KEPT, ARMILLA_CHECKPOINT_PASSED } state;
  ArmillaOutput *output;
  int fd;
};

ArmillaCheckpoint *armilla_checkpoint_new (ArmillaGraph *graph, const char *path,
                                           ArmillaCheckpointDue due, gpointer user,
                                           GDestroyNotify destroy);
ArmillaCheckpoint *armilla_checkpoint_open (const char *path, GError **error);

G_END_DECLS
