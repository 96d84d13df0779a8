/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that change their ranks with the blocks that they belong to. */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Tiles that go with their blocks when these get other owners. */
typedef struct {
  GPtrArray *movers;                /* (owned): the list it is in */
  ArmillaTile *tiles;               /* tiles, one a block */
  const ArmillaOrderBlocks *orders; /* the m-blocks that they belong to; may be NULL */
  const ArmillaRingBlocks *rings;   /* or the ring blocks; may be NULL */
  gboolean remade;                  /* whether they are dropped instead of moved */
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
