/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/**
 * ArmillaNeed:
 * @graph: the graph
 * @pixels: of the largest ring blocks of all maps, with their fields
 * @rings: of the grid that has most
 * @largest: doubles of the largest tile
 * @task: doubles of the tiles that a task has of data that are neither maps nor a_lm
 * @alm: doubles of the largest m-blocks of all a_lm
 * @block_pairs: of the largest ring block
 * @pairs: of the largest ring block, times fields
 * @orders: of the a_lm with the most orders
 * @block_orders: likewise, in an m-block
 * @map_fields: fields of the map that was added last
 * @alm_fields: fields of the a_lm that were added last
 *
 * What tasks on some data need at once: each @need of a class adds to it.
 */
struct _ArmillaNeed {
  ArmillaGraph *graph;
  gint64 pixels, rings, largest, task, alm, block_pairs, pairs, orders, block_orders;
  int map_fields, alm_fields;
};

void armilla_data_set_base (ArmillaData *self, ArmillaData *base);
void armilla_data_set_fields (ArmillaData *self, ArmillaFields *fields);
ArmillaData *armilla_data_base (ArmillaData *self);
int armilla_data_holds (ArmillaData *self);

/* How the rings of a map and the orders of a_lm are cut in @graph. */
ArmillaRingBlocks *armilla_map_ring_blocks (ArmillaMap *self, ArmillaGraph *graph, GError **error);
ArmillaOrderBlocks *armilla_alm_order_blocks (ArmillaAlm *self, ArmillaGraph *graph);

/* The tiles of a map in @graph, one a ring block; registered at the first call. NULL on error. */
const ArmillaTile *armilla_map_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
/* The tiles of a_lm in @graph, one an m-block. */
gboolean armilla_check_same_cut (ArmillaRingBlocks *const *rings, int n, GError **error);
const ArmillaTile *armilla_alm_tiles (ArmillaAlm *self, ArmillaGraph *graph, GError **error);

/* A sink takes each tile of a map once, when the task that writes it is submitted. */
typedef gboolean (*ArmillaMapSink) (ArmillaGraph *graph, gpointer user, int ring_block,
                                    const ArmillaTile *tile, GError **error);
void armilla_map_add_sink (ArmillaMap *self, ArmillaMapSink take, gpointer user,
                           GDestroyNotify destroy);
/* A map whose tiles can be made again: who reads it tile by tile says when it needs one and when no
 * more, and others find them all there. Without a source both do nothing. */
void armilla_map_set_source (ArmillaMap *self, ArmillaMapSink fill, gpointer user,
                             GDestroyNotify destroy);
const ArmillaTile *armilla_map_lazy_tiles (ArmillaMap *self, ArmillaGraph *graph, GError **error);
gboolean armilla_map_tile_begin (ArmillaMap *self, ArmillaGraph *graph, int ring_block,
                                 GError **error);
gboolean armilla_map_tile_end (ArmillaMap *self, ArmillaGraph *graph, int ring_block,
                               GError **error);
gboolean armilla_map_has_sinks (ArmillaMap *self);
/* A map whose pixels lie in memory of somebody else's, where transforms read and write them. */
void armilla_map_set_in_place (ArmillaMap *self, double *const *fields);
double *const *armilla_map_in_place (ArmillaMap *self);
/* The same of a_lm of one field, whose tiles are parts of that memory. */
void armilla_alm_set_in_place (ArmillaAlm *self, double *fields, int node);
gboolean armilla_alm_is_in_place (ArmillaAlm *self);
/* To be called when the task that writes a tile is submitted. */
gboolean armilla_map_tile_comes (ArmillaMap *self, ArmillaGraph *graph, int ring_block,
                                 GError **error);
gboolean armilla_map_has_come (ArmillaMap *self);

G_END_DECLS
