/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that several ranks write. */
#pragma once

#include "tasks/data/parts.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

typedef struct _ArmillaOutputPart ArmillaOutputPart;

ArmillaOutputPart *armilla_output_part_new (ArmillaGraph *graph, const ArmillaHostParts *parts,
                                            gpointer user, gpointer hold,
                                            GDestroyNotify let_go);
gboolean armilla_output_part_end (ArmillaOutputPart *part, GError **error);
void armilla_output_part_free (gpointer part);
GError *armilla_graph_join_parts (ArmillaGraph *graph);

G_END_DECLS
