/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Store of prepared stages with open inputs, for later passes in which their properties are the
 * same. */
#pragma once

#include "workflows/file/workflow.h"

G_BEGIN_DECLS

typedef struct _ArmillaOpened ArmillaOpened;

ArmillaOpened *armilla_opened_new (double limit);
void armilla_opened_free (ArmillaOpened *self);
ArmillaStage *armilla_opened_take (ArmillaOpened *self, const ArmillaWorkflow *workflow,
                                   const ArmillaNode *node, gint64 pass, gboolean again);
void armilla_opened_keep (ArmillaOpened *self, const ArmillaWorkflow *workflow,
                          const ArmillaNode *node, gint64 pass, gboolean again,
                          ArmillaStage *stage, double bytes);
void armilla_opened_drop (ArmillaOpened *self, const ArmillaNode *node);

G_END_DECLS
