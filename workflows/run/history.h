/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

char *armilla_workflow_history (const ArmillaWorkflow *workflow, int number, gint64 pass,
                                char **sum);

G_END_DECLS
