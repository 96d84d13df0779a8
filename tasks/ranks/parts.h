/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that several ranks write. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

/* Has all ranks of the graph find the temporary file of rank 0. Where one does not (the folder
 * is on another machine's disk), or the file will be compressed, rank 0 is to write all of it.
 * Collective. Returns whether the ranks could talk. */
gboolean armilla_graph_share_output (ArmillaGraph *graph, const char *path,
                                     ArmillaOutput **output, gboolean *shared, GError **error);

/* Files that several ranks write, which get their names with armilla_graph_wait(); the same number
 * on every rank. */
int armilla_graph_n_parts (ArmillaGraph *graph);

G_END_DECLS
