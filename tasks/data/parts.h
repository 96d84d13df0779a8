/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that fill all blocks at once, and sinks that write on every rank. */
#pragma once

#include <armilla/data.h>
#include <armilla/graph.h>

#include "tasks/ranks/host-parts.h"

G_BEGIN_DECLS

/**
 * ArmillaHostAlmAll:
 * @user: argument of the caller
 * @n_blocks: number of m-blocks
 * @m_first: (array length=n_blocks): first order of each block
 * @m_last: (array length=n_blocks): last order of each block
 * @values: (array length=n_blocks): complex double, [field][m][l]; NULL for a block that another
 *   rank owns
 * @error: return location
 */
typedef gboolean (*ArmillaHostAlmAll) (gpointer user, int n_blocks, const gint64 *m_first,
                                       const gint64 *m_last, double *const *values,
                                       GError **error);

gboolean armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm,
                                         ArmillaHostAlmAll fill, gpointer user,
                                         GDestroyNotify destroy, GError **error);

gboolean armilla_graph_drain_in_parts (ArmillaGraph *graph, ArmillaData *data,
                                       ArmillaHostPiece take, const ArmillaHostParts *parts,
                                       gpointer user, GDestroyNotify destroy, GError **error);

G_END_DECLS
