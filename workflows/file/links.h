/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

char *armilla_port_kind (const ArmillaPort *port);
void armilla_link_parse (ArmillaWorkflow *workflow, ArmillaNode *node, int input, const char *text,
                         ArmillaProblems *problems);
void armilla_links_check_missing (ArmillaWorkflow *workflow, const ArmillaNode *node,
                                  ArmillaProblems *problems);
void armilla_links_sort (ArmillaWorkflow *workflow, ArmillaProblems *problems);

G_END_DECLS
