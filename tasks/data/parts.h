/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources that fill all blocks at once, and sinks that write on every rank. */
#pragma once

#include <armilla/data.h>
#include <armilla/graph.h>

#include "tasks/ranks/host-parts.h"

G_BEGIN_DECLS

/* Fills m-blocks: block b has the orders m_first[b] to m_last[b], complex double, [field][m][l];
 * values[b] is NULL if another rank owns the block. */
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
