/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "workflows/arrays/result.h"

G_BEGIN_DECLS

gboolean armilla_results_hand_out (GPtrArray *results, ArmillaRuntime *runtime, GError **error);

G_END_DECLS
