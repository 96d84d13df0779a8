/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that several ranks write. */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

/* Makes all ranks of the graph open the temporary file of rank 0. If one cannot (the folder is on
 * another machine's disk), or the file will be compressed, rank 0 writes the whole file.
 * Collective. Returns whether communication succeeded. */
gboolean armilla_graph_share_output (ArmillaGraph *graph, const char *path,
                                     ArmillaOutput **output, gboolean *shared, GError **error);

/* Returns the number of shared files that armilla_graph_wait() renames; the same on every rank. */
int armilla_graph_n_parts (ArmillaGraph *graph);

G_END_DECLS
