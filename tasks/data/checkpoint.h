/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/checkpoint.h>

G_BEGIN_DECLS

struct _ArmillaCheckpoint {
  ArmillaGraph *graph; /* NULL: the file is read */
  ArmillaFault *fault; /* of the node; likewise */
  char *path;
  gint64 count, lmax;  /* for maps, a_lm and spectra: numbers of a field, and the highest degree */
  ArmillaCheckpointDue due;
  gpointer user;
  GDestroyNotify destroy;
  GMutex lock;         /* of what follows */
  enum { ARMILLA_CHECKPOINT_UNDECIDED, ARMILLA_CHECKPOINT_KEPT, ARMILLA_CHECKPOINT_PASSED } state;
  ArmillaOutput *output;
  int fd;
};

G_END_DECLS
