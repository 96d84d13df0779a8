/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"

G_BEGIN_DECLS

/**
 * ArmillaProgress:
 *
 * Tells a user on standard error how far a run is: a bar on a terminal, lines elsewhere.
 */
typedef struct _ArmillaProgress ArmillaProgress;

void armilla_progress_program_begins (void);
double armilla_progress_program_seconds (void);

ArmillaProgress *armilla_progress_new (const ArmillaWorkflow *workflow, ArmillaGraph *graph,
                                       gboolean silent);
void armilla_progress_node (gpointer self, const ArmillaNode *node, ArmillaData *const *outputs);
void armilla_progress_realisation (ArmillaProgress *self, gint64 index);
void armilla_progress_all_submitted (ArmillaProgress *self);
void armilla_progress_free (ArmillaProgress *self, gboolean done);

G_END_DECLS
