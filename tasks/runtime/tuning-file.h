/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

char *armilla_tuning_machine (void);
const char *armilla_tuning_workers (void);
gboolean armilla_tuning_save (const ArmillaTuning *tuning, const char *path, GError **error);
void armilla_runtime_set_tuning (ArmillaRuntime *runtime, ArmillaTuning *tuning,
                                 const char *workers);

/* The file of this machine. */
char *armilla_runtime_tuning_path (ArmillaRuntime *runtime);
gboolean armilla_runtime_load_tuning (ArmillaRuntime *runtime, char **remark, GError **error);

G_END_DECLS
