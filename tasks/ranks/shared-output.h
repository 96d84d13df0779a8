/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files to which several ranks write. */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/ranks/host-parts.h"

G_BEGIN_DECLS

typedef struct _ArmillaOutputPart ArmillaOutputPart;

ArmillaOutputPart *armilla_output_part_new (ArmillaGraph *graph, const ArmillaHostParts *parts,
                                            gpointer user, gpointer hold,
                                            GDestroyNotify free_hold);
gboolean armilla_output_part_end (ArmillaOutputPart *part, GError **error);

G_END_DECLS
