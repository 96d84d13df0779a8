/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that change their ranks with the blocks that they belong to. */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/**
 * ArmillaMover:
 * @movers: (owned): the list it is in
 * @tiles: (array): tiles, one a block
 * @orders: (nullable): the m-blocks that they belong to
 * @rings: (nullable): or the ring blocks
 * @remade: whether they are dropped instead of moved
 *
 * Tiles that go with their blocks when these get other owners.
 */
typedef struct {
  GPtrArray *movers;
  ArmillaTile *tiles;
  const ArmillaOrderBlocks *orders;
  const ArmillaRingBlocks *rings;
  gboolean remade;
} ArmillaMover;

ArmillaMover *armilla_mover_new (ArmillaGraph *graph, ArmillaTile *tiles,
                                 const ArmillaOrderBlocks *orders, const ArmillaRingBlocks *rings);
ArmillaMover *armilla_mover_new_remade (ArmillaGraph *graph, ArmillaTile *tiles,
                                        const ArmillaOrderBlocks *orders);
void armilla_mover_free (ArmillaMover *mover);
gint64 armilla_movers_run (ArmillaGraph *graph, ArmillaOrderBlocks *orders,
                           ArmillaRingBlocks *rings, const int *owners, gboolean really);
void armilla_movers_written (ArmillaGraph *graph, starpu_data_handle_t handle,
                             enum starpu_data_access_mode mode);

G_END_DECLS
