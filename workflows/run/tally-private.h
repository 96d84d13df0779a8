/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tally.c and tally-gather.c share. */
#pragma once

#include "core/files/name-pattern.h"
#include "workflows/run/tally.h"

G_BEGIN_DECLS

/* The files that a property of @node names; none yet, perhaps. */
ArmillaNamePattern *armilla_tally_reads (ArmillaTallyNode *node, const char *property);

G_END_DECLS
