/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles that move to another rank together with their blocks. */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Tiles that follow their blocks to new owners. */
typedef struct {
  GPtrArray *movers; /* (owned): list of all movers of the graph, which contains this one */
  ArmillaTile *tiles;               /* one tile per block */
  const ArmillaOrderBlocks *orders; /* m-blocks of the tiles; may be NULL */
  const ArmillaRingBlocks *rings;   /* or ring blocks of the tiles; may be NULL */
  gboolean remade;                  /* whether tiles are dropped and recreated instead of moved */
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
