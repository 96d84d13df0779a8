/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/data.h>

G_BEGIN_DECLS

gboolean armilla_memory_check (ArmillaData *const *inputs, int n_inputs,
                               ArmillaData *const *outputs, int n_outputs, double held,
                               double memories, GError **error);
double armilla_memory_held (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                            int n_outputs);

G_END_DECLS
