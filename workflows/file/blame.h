/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

void armilla_blame_node (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 index,
                         GError **error);
void armilla_blame_workflow (const ArmillaWorkflow *workflow, GError **error);

G_END_DECLS
