/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime for the program. Functions are for the thread that started it, unless stated
 * otherwise. */
#pragma once

#include <armilla/runtime.h>

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

const char *armilla_runtime_launcher (void);
const char *armilla_runtime_paje (ArmillaRuntime *runtime);
void armilla_runtime_uncancel (ArmillaRuntime *runtime);
void armilla_runtime_describe_wait (ArmillaRuntime *runtime, char *text, gsize size);
char *armilla_runtime_describe (ArmillaRuntime *runtime);
char *armilla_runtime_describe_json (ArmillaRuntime *runtime);
char *armilla_runtime_warnings (ArmillaRuntime *runtime);
double armilla_runtime_seconds (void);
void armilla_runtime_pause (ArmillaRuntime *runtime);

void armilla_runtime_set_tuning (ArmillaRuntime *runtime, ArmillaTuning *tuning,
                                 const char *workers);
gboolean armilla_runtime_load_tuning (ArmillaRuntime *runtime, char **remark, GError **error);

G_END_DECLS
