/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

ArmillaWorkflow *armilla_workflow_load (ArmillaRegistry *registry, const char *path,
                                        const char *text, gsize length,
                                        const ArmillaOverrides *overrides, GError **error);

/* validate.c */
gboolean armilla_workflow_validate (ArmillaWorkflow *self, ArmillaRegistry *registry,
                                    ArmillaProblems *problems);

G_END_DECLS
