/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/arrays/input.h"

G_BEGIN_DECLS

/* property of these stages: number of the array, 0 for the first realisation's */
#define ARMILLA_GIVEN_NUMBER "number"

gboolean armilla_given_register (ArmillaRegistry *registry, GError **error);
gboolean armilla_given_set (ArmillaStage *stage, ArmillaInput *input);

G_END_DECLS
