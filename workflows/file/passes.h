/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run processes a workflow in passes: one for each realisation of each point of a sweep; one more
 * for each point if data are collected over realisations; and one at the end if points are joined.
 * Passes are numbered in this order: realisations of the first point, of the second, ...; the last
 * passes of the points; the pass at the end. */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Called for each pass in which a value may differ; returns FALSE to stop. */
typedef gboolean (*ArmillaPassVisitor) (gpointer user, gint64 pass);

void armilla_setting_each_pass (const ArmillaWorkflow *self, const ArmillaSetting *setting,
                                gint64 tries, ArmillaPassVisitor visit, gpointer user);

gboolean armilla_workflow_expand (const ArmillaWorkflow *self, const char *value, gint64 pass,
                                  ArmillaExpansion *result, GError **error);
gboolean armilla_workflow_value (const ArmillaWorkflow *self, const ArmillaSetting *setting,
                                 gint64 pass, GValue *value, GError **error);

gint64 armilla_workflow_n_realisations (const ArmillaWorkflow *self);
gint64 armilla_workflow_n_passes (const ArmillaWorkflow *self);
int armilla_pass_n_phases (const ArmillaWorkflow *self, gint64 pass);
ArmillaNodePasses armilla_pass_kind (const ArmillaWorkflow *self, gint64 pass);
gboolean armilla_pass_is_last (const ArmillaWorkflow *self, gint64 pass);
gint64 armilla_pass_last_of (const ArmillaWorkflow *self, gint64 point);
gint64 armilla_pass_point (const ArmillaWorkflow *self, gint64 pass);
gint64 armilla_pass_index (const ArmillaWorkflow *self, gint64 pass);
char *armilla_pass_describe (const ArmillaWorkflow *self, gint64 pass);

gboolean armilla_node_collects (const ArmillaNode *node);
gboolean armilla_node_joins (const ArmillaNode *node);
gboolean armilla_node_takes (const ArmillaNode *node, ArmillaNodePasses kind);
gboolean armilla_node_gives (const ArmillaNode *node, ArmillaNodePasses kind);
gboolean armilla_workflow_collects (const ArmillaWorkflow *self);
gboolean armilla_workflow_has_last (const ArmillaWorkflow *self);
gboolean armilla_workflow_has_end (const ArmillaWorkflow *self);

/* Returns the number of lots: groups of realisations whose results are stored together
 * (armilla/checkpoint.h). Lots of all points are numbered in sequence. For a node that joins the
 * points of a sweep, each point is a lot. */
gint64 armilla_workflow_n_lots (const ArmillaWorkflow *self);
gint64 armilla_pass_lot (const ArmillaWorkflow *self, gint64 pass);
gint64 armilla_lot_first (const ArmillaWorkflow *self, gint64 lot);
char *armilla_lot_name (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 lot);
gint64 armilla_lot_count (const ArmillaWorkflow *self, gint64 lot);
gint64 armilla_node_lot (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 pass);
gint64 armilla_node_lot_count (const ArmillaWorkflow *self, const ArmillaNode *node, gint64 lot);
gint64 armilla_node_n_lots (const ArmillaWorkflow *self, const ArmillaNode *node);

/* in roles.c */
void armilla_workflow_find_roles (ArmillaWorkflow *self, ArmillaProblems *problems);

/* in written.c */
void armilla_written_find (ArmillaWorkflow *workflow, ArmillaProblems *problems);
void armilla_written_check (ArmillaWorkflow *workflow, ArmillaProblems *problems);
const ArmillaSetting *armilla_written_setting (const ArmillaNode *node);
int armilla_written_by (const ArmillaNode *node, const ArmillaSetting *setting);

G_END_DECLS
