/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

void armilla_workflow_find_roles (ArmillaWorkflow *self, ArmillaProblems *problems);

G_END_DECLS
