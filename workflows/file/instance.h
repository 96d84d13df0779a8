/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

void armilla_instances_expand (ArmillaWorkflow *workflow, ArmillaProblems *problems);
const ArmillaUse *armilla_use_find (const ArmillaWorkflow *workflow, const char *name);
char *armilla_scope_of (const char *name);

G_END_DECLS
