/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes after the last piece of a sink on every rank. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/* How what several ranks have written becomes one file. merge and done are called by
 * armilla_graph_wait (), when no rank has failed. */
typedef struct {
  /* called on every rank in an I/O thread after its last piece, or without one: has what was
   * written here put on the disk, and appends to summary what rank 0 must know of it */
  gboolean (*end) (gpointer user, GByteArray *summary, GError **error);
  /* called on rank 0 for every other rank, with its summary */
  gboolean (*merge) (gpointer user, const guint8 *summary, gsize size, GError **error);
  ArmillaHostDone done; /* called on rank 0 after that */
} ArmillaHostParts;

G_END_DECLS
