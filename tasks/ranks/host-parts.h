/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that each rank calls after the last piece of a sink. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/* Functions to complete a file whose rows several ranks have written. armilla_graph_wait () calls
 * merge and done unless a rank failed. */
typedef struct {
  /* called on every rank in an I/O thread after its last piece, or if it has no piece: flushes the
   * data of this rank to the disk, and appends data for rank 0 to summary */
  gboolean (*end) (gpointer user, GByteArray *summary, GError **error);
  /* called on rank 0 for every other rank, with the summary of that rank */
  gboolean (*merge) (gpointer user, const guint8 *summary, gsize size, GError **error);
  ArmillaHostDone done; /* called on rank 0 after all merge calls */
} ArmillaHostParts;

G_END_DECLS
