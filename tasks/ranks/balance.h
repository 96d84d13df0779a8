/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assigns the blocks of a shared graph to ranks, and reassigns them while it runs. */
#pragma once

#include "tasks/runtime/block-deal.h"
#include "tasks/ranks/movers.h"

G_BEGIN_DECLS

void armilla_graph_balance (ArmillaGraph *graph);
int armilla_balance_deal (ArmillaGraph *graph, ArmillaBlockDeal *deal, double cost);

G_END_DECLS
