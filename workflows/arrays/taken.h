/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/arrays/result.h"
#include "workflows/text/points.h"

G_BEGIN_DECLS

#define ARMILLA_TAKEN_STAGE "to-array"
#define ARMILLA_TAKEN_INPUT "data"

gboolean armilla_taken_register (ArmillaRegistry *registry, GError **error);
gboolean armilla_taken_set (ArmillaStage *stage, const char *name, gint64 index,
                            GPtrArray *results);
void armilla_taken_set_point (ArmillaStage *stage, const ArmillaSweepPoints *points, gint64 point);

G_END_DECLS
