/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rank has which block of a graph that all ranks share, decided anew while it runs. */
#pragma once

#include "tasks/block-deal.h"
#include "tasks/movers.h"

G_BEGIN_DECLS

ArmillaBalance *armilla_balance_new (ArmillaRuntime *runtime);
void armilla_balance_free (ArmillaBalance *self);
const double *armilla_graph_speeds (const ArmillaGraph *graph);

gpointer armilla_balance_task (ArmillaGraph *graph, struct starpu_codelet *codelet, int rank,
                               const void *args, const ArmillaUse *uses, int n_uses,
                               void (**done) (void *), gpointer work);
void armilla_graph_balance (ArmillaGraph *graph);
int armilla_balance_deal (ArmillaGraph *graph, ArmillaBlockDeal *deal, double cost);

G_END_DECLS
