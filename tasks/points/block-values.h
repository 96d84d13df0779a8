/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers computed from the pixels around each ring block of a map, on every rank while the graph
 * is submitted. */
#pragma once

#include "tasks/ranks/gather.h"

G_BEGIN_DECLS

/* maximum number of results that exist at a time: twice the number of I/O threads */
#define ARMILLA_BLOCKS_AHEAD 8

/* How to compute and take the numbers of the blocks. All functions but step and destroy are called
 * by the submitting thread, on every rank. */
typedef struct {
  gint64 (*size) (gpointer user, int block); /* number of doubles; 0: the block is skipped */
  gpointer (*begin) (gpointer user, int block); /* returns the user data of the step */
  ArmillaGatherStep step;
  GDestroyNotify destroy;                       /* frees the user data of a step */
  /* takes the numbers, block by block; not called in a forecast, which has none */
  gboolean (*take) (gpointer user, int block, const double *values, GError **error);
} ArmillaBlockValues;

gboolean armilla_block_values (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                               const ArmillaTile *in, double reach,
                               const ArmillaBlockValues *how, gpointer user, GError **error);

G_END_DECLS
