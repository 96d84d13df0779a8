/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

gboolean armilla_first_start (ArmillaRuntime *runtime, GError **error);
void armilla_first_start_end (ArmillaRuntime *runtime);

G_END_DECLS
