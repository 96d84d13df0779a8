/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plugins/base/registry.h"
#include "workflows/file/workflow.h"
#include <armilla/workflow-arrays.h>

G_BEGIN_DECLS

ArmillaWorkflow *armilla_workflow_load (ArmillaRegistry *registry, const char *path,
                                        const char *text, gsize length,
                                        const ArmillaOverrides *overrides, GError **error);

gboolean armilla_workflow_validate (ArmillaWorkflow *self, ArmillaRegistry *registry,
                                    ArmillaProblems *problems);

/* In stage-infos.c: */
ArmillaStages *armilla_stage_infos_new (GError **error);
ArmillaStages *armilla_stage_infos_open (ArmillaRegistry *registry);
const ArmillaStageInfo *armilla_stage_infos_add (ArmillaStages *self, const char *name);
char **armilla_stage_infos_names (const ArmillaStages *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaStages, armilla_stages_free)

G_END_DECLS
