/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/workflow.h"

#include <armilla/stage.h>

G_BEGIN_DECLS

/* Adds a problem with an input of a node; message as for printf(). */
#define armilla_link_complain(problems, node, input, ...) \
  armilla_problems_add (problems, (node)->inputs[input].place, (node)->name, \
                        armilla_stage_port ((node)->klass, ARMILLA_PORT_IN, input)->name, \
                        __VA_ARGS__)

char *armilla_data_kind (GType type);
char *armilla_port_kind (const ArmillaPort *port);
const ArmillaPort *armilla_link_port (const ArmillaWorkflow *workflow, const ArmillaLink *link);
void armilla_links_check_kinds (ArmillaWorkflow *workflow, ArmillaProblems *problems);
void armilla_link_parse (ArmillaWorkflow *workflow, ArmillaNode *node, int input,
                         const char *scope, const char *text, ArmillaProblems *problems);
void armilla_link_connect (ArmillaWorkflow *workflow, ArmillaNode *node, int input,
                           const char *scope, const char *text, ArmillaProblems *problems);
gboolean armilla_link_output (const ArmillaWorkflow *workflow, const char *name, const char *port,
                              int *node, int *output);
void armilla_links_check_missing (ArmillaWorkflow *workflow, const ArmillaNode *node,
                                  ArmillaProblems *problems);
gboolean armilla_output_is_used (const ArmillaWorkflow *workflow, int node, int port);
const char *armilla_name_within (const char *name, const char *scope);
void armilla_links_sort (ArmillaWorkflow *workflow, ArmillaProblems *problems);

G_END_DECLS
