/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/runtime/runtime-private.h"

G_BEGIN_DECLS

void armilla_fxt_begin (ArmillaRuntime *runtime, const char *trace);
void armilla_fxt_end (ArmillaRuntime *runtime);

G_END_DECLS
