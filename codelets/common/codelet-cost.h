/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <starpu.h>

#include "codelets/common/cost.h"

G_BEGIN_DECLS

gboolean armilla_codelet_cost (const struct starpu_codelet *codelet, const void *args,
                               const starpu_data_handle_t *handles, ArmillaCost *cost);

G_END_DECLS
