/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that fill all blocks at once, and sinks that write on every rank. */
#pragma once

#include <armilla/data.h>
#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * ArmillaHostAlmAll:
 * @user: what the caller gave
 * @n_blocks: number of m-blocks
 * @m_first: (array length=n_blocks): first order of each
 * @m_last: (array length=n_blocks): last order of each
 * @values: (array length=n_blocks): complex double, [field][m][l]; NULL for a block that another
 *   rank owns
 * @error: where to put an error
 */
typedef gboolean (*ArmillaHostAlmAll) (gpointer user, int n_blocks, const gint64 *m_first,
                                       const gint64 *m_last, double *const *values,
                                       GError **error);

gboolean armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm,
                                         ArmillaHostAlmAll fill, gpointer user,
                                         GDestroyNotify destroy, GError **error);

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

gboolean armilla_graph_drain_in_parts (ArmillaGraph *graph, ArmillaData *data,
                                       ArmillaHostPiece take, const ArmillaHostParts *parts,
                                       gpointer user, GDestroyNotify destroy, GError **error);

G_END_DECLS
