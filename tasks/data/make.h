/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data computed on the host of rank 0 from tiles, and reading of their values while the graph is
 * submitted. */
#pragma once

#include <armilla/task.h>

#include "tasks/data/data-private.h"

G_BEGIN_DECLS

gboolean armilla_host_make (ArmillaGraph *graph, const ArmillaTile *tiles, int n, ArmillaData *out,
                            ArmillaHostMake make, gpointer user, GDestroyNotify destroy,
                            GError **error);

void armilla_graph_visit (ArmillaGraph *graph, ArmillaData *in, ArmillaData *out,
                          ArmillaHostPiece on_piece, ArmillaHostDone done, gpointer user,
                          GDestroyNotify destroy);

G_END_DECLS
