/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

void armilla_written_find (ArmillaWorkflow *workflow, ArmillaProblems *problems);
void armilla_written_check (ArmillaWorkflow *workflow, ArmillaProblems *problems);
const ArmillaSetting *armilla_written_setting (const ArmillaNode *node);
int armilla_written_by (const ArmillaNode *node, const ArmillaSetting *setting);

G_END_DECLS
