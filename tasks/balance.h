/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rank has which block of a graph that all ranks share, decided anew while it runs. */
#pragma once

#include "tasks/block-deal.h"
#include "tasks/transform.h"

G_BEGIN_DECLS

/**
 * ArmillaMover:
 * @movers: (owned): the list it is in
 * @tiles: (array): tiles, one a block
 * @orders: (nullable): the m-blocks that they belong to
 * @rings: (nullable): or the ring blocks
 *
 * Tiles that go with their blocks when these get other owners.
 */
struct _ArmillaMover {
  GPtrArray *movers;
  ArmillaTile *tiles;
  const ArmillaOrderBlocks *orders;
  const ArmillaRingBlocks *rings;
};

ArmillaBalance *armilla_balance_new (ArmillaRuntime *runtime);
void armilla_balance_free (ArmillaBalance *self);
const double *armilla_graph_speeds (const ArmillaGraph *graph);

ArmillaMover *armilla_mover_new (ArmillaGraph *graph, ArmillaTile *tiles,
                                 const ArmillaOrderBlocks *orders, const ArmillaRingBlocks *rings);
void armilla_mover_free (ArmillaMover *mover);
gint64 armilla_movers_run (ArmillaGraph *graph, ArmillaOrderBlocks *orders,
                           ArmillaRingBlocks *rings, const int *owners, gboolean really);

gpointer armilla_balance_task (ArmillaGraph *graph, struct starpu_codelet *codelet, int rank,
                               const void *args, const ArmillaUse *uses, int n_uses,
                               void (**done) (void *), gpointer work);
void armilla_balance_written (ArmillaGraph *graph, starpu_data_handle_t handle,
                              enum starpu_data_access_mode mode);
void armilla_balance_written_all (ArmillaGraph *graph, const ArmillaTile *tiles,
                                  const enum starpu_data_access_mode *modes, int n_tiles);
void armilla_graph_balance (ArmillaGraph *graph);
int armilla_balance_deal (ArmillaGraph *graph, ArmillaBlockDeal *deal, double cost);

G_END_DECLS
