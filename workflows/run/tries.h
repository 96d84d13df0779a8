/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

ArmillaRealisation *armilla_tries_once (const ArmillaWorkflow *workflow,
                                        const ArmillaRunContext *context, const GArray *left,
                                        GError **error);
gboolean armilla_tries_all (const ArmillaWorkflow *workflow, const ArmillaRunContext *context,
                            GError **error);

G_END_DECLS
