/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of one spherical harmonic transform, ring block by ring block, of one sky or of
 * several, which share the recurrence.
 *
 * Synthesis: for each ring block, Delta tiles are made m-block by m-block (on the rank that owns
 * the a_lm), repacked into the ring block's modes (on the rank that owns the rings), transformed
 * into pixels, and forgotten. Analysis mirrors this; each m-block sums over the ring blocks in
 * their order, so that the sum does not depend on who computes. A ring block is an epoch of the
 * graph: only a few are alive at a time, since Delta as a whole is larger than the map. */
#pragma once

#include "tasks/harmonic/legendre.h"
#include "tasks/harmonic/ring-plans.h"
#include "tasks/harmonic/theta.h"

G_BEGIN_DECLS

/* Neighbouring fields of one spin, which share a recurrence. Tiles of Delta hold all fields of all
 * skies, group by group; tiles of a_lm and of maps hold all fields of one sky. A task of the
 * recurrence is about the rows of one group. */
typedef struct {
  int spin;            /* spin of its fields */
  int first;           /* number of the first one, among those of all skies */
  int n;               /* how many: as many of each sky, those of one after those of the other */
  /* (array): one an m-block: coefficients of the recurrence, for GPUs; may be NULL */
  const ArmillaTile *tables;
  /* (array): one an m-block: a_lm in the recurrence's basis, or a_lm (in_alm) */
  ArmillaTile *prepared;
  ArmillaMover *mover; /* what prepared goes with its blocks by */
  guint8 *summed; /* [m-block] parts of the prepared a_lm that hold a sum already (analysis) */
} ArmillaFieldGroup;

typedef struct {
  ArmillaGraph *graph;
  ArmillaOrderBlocks *orders;
  ArmillaRingBlocks *rings;
  const ArmillaRingPlans *plans;
  ArmillaTransforms which; /* one direction */
  const ArmillaLegendreOptions *legendre; /* of the node */
  int n_skies;
  int n_fields; /* of all of them */
  gint32 isa; /* of the CPU kernels */
  /* The same: the tiles of a_lm of one field serve as prepared ones. What each task does again
   * takes less than memory for as much as a_lm. */
  gboolean in_alm;
  int *spins; /* of the fields of a sky */
  int n_groups;
  ArmillaFieldGroup *groups;
  ArmillaTile delta_scratch;
  ArmillaThetaGrid *theta; /* what the rings are interpolated from; NULL: the recurrence's own */
  ArmillaTile *grid_tiles; /* [block of the grid][m-block]: those in use have a handle */
  gboolean *ring_block_done; /* in this pass */
  int *fresh; /* [m-block]: bits of tiles of the grid that the ring block is the first to meet */
  ArmillaMap **sources; /* of an analysis: whose tiles it reads, one a sky */
  double *const *in_place; /* where the fields of the map lie; NULL: in tiles */
  struct _ArmillaButterflyTransform *butterfly; /* NULL: no order is summed by a table */
} ArmillaTransform;

/* The other direction is the adjoint of the synthesis. */
static inline gboolean
armilla_transform_is_synthesis (const ArmillaTransform *t)
{
  return t->which == ARMILLA_TRANSFORMS_SYNTHESIS;
}

/* Number of the ring block that comes @i-th. On cores polar rings of small HEALPix maps, of which
 * there are two blocks, take longest, as their lengths are seldom products of small primes; else it
 * is the equator. A synthesis begins with what takes longest: other workers have nothing left to do
 * while its last block is transformed. An adjoint ends with it: others cannot begin before its
 * first. */
static inline int
armilla_transform_block (const ArmillaTransform *t, int i)
{
  const int n = t->rings->n;
  const gboolean poles_take_longest
    = n == 2 && !t->graph->view.gpus
      && t->rings->block[0].slots->n_phi != t->rings->block[1].slots->n_phi;

  return armilla_transform_is_synthesis (t) == poles_take_longest ? i : n - 1 - i;
}

/* What a tile's task does first gives way to what frees memory, then to what other ranks wait
 * for. */
enum {
  PRIORITY_DELTA = 0,
  PRIORITY_THETA = 1,
  PRIORITY_DELTA_ADJOINT = 2,
  PRIORITY_REDISTRIBUTE = 2,
  PRIORITY_RING = 3
};

/* The way between a_lm and Delta; see transform-recurrence.c. */
gboolean armilla_transform_recurrence_begin (ArmillaTransform *transform, GError **error);
void armilla_transform_recurrence_end (ArmillaTransform *transform);
gint64 armilla_transform_recurrence_scratch (ArmillaTransform *transform, gint64 n_pairs);
/* Delta of a group of fields and one m-block on ring pairs; or its adjoint, added to the m-block's
 * sum. */
gboolean armilla_transform_delta (ArmillaTransform *transform, int i_group, int m_block,
                                  const ArmillaRingBlock *pairs, const ArmillaTile *tile,
                                  GError **error);
gboolean armilla_transform_complete_sum (ArmillaTransform *transform, int m_block, GError **error);

/* The same for a ring block through the grid: begin, of a synthesis grid for each group, theta for
 * each group; and end, once all m-blocks of the ring block are submitted. */
gboolean armilla_transform_theta_begin (ArmillaTransform *transform, int m_block, int ring_block,
                                        GError **error);
gboolean armilla_transform_theta_grid (ArmillaTransform *transform, int i_group, int m_block,
                                       int ring_block, GError **error);
gboolean armilla_transform_theta (ArmillaTransform *transform, int i_group, int m_block,
                                  int ring_block, const ArmillaTile *tile, GError **error);
gboolean armilla_transform_theta_end (ArmillaTransform *transform, int ring_block, GError **error);
void armilla_transform_theta_clear (ArmillaTransform *transform);

/* The same by a table of compressed matrices, for m-blocks that it has: all rings of the grid at
 * once, handed out (or gathered) ring block by ring block; end: once all m-blocks of a ring block
 * are submitted. */
gboolean armilla_transform_butterfly_begin (ArmillaTransform *transform, GError **error);
gboolean armilla_transform_butterfly_has (const ArmillaTransform *transform, int m_block);
gboolean armilla_transform_butterfly (ArmillaTransform *transform, int m_block,
                                      const ArmillaRingBlock *rings, const ArmillaTile *tile,
                                      GError **error);
gboolean armilla_transform_butterfly_end (ArmillaTransform *transform, GError **error);
void armilla_transform_butterfly_clear (ArmillaTransform *transform);

/* For which m-blocks a table is used, and what the user is told of it; see transform-choice.c. */
int armilla_transform_choose_table (const ArmillaTransform *transform,
                                    const ArmillaLegendreTable *table, gboolean all,
                                    gboolean *use);
void armilla_transform_tell_table (ArmillaTransform *transform, const ArmillaLegendreTable *table,
                                   const gboolean *use, int n_used);
void armilla_transform_tell_no_table (ArmillaTransform *transform,
                                      const ArmillaLegendreOptions *options);
void armilla_graph_tell_once (ArmillaGraph *graph, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* What transforms the rings of a block, or goes there and back without pixels. */
gboolean armilla_transform_submit_rings (ArmillaTransform *transform,
                                         const ArmillaRingBlock *rings, const ArmillaTile *modes,
                                         int n, const ArmillaTile *const *map, int flags,
                                         GError **error);
gboolean armilla_transform_submit_normal (ArmillaTransform *transform,
                                          const ArmillaRingBlock *rings, const ArmillaTile *modes,
                                          int n, GError **error);

gboolean armilla_transform_begin (ArmillaTransform *transform, ArmillaGraph *graph,
                                  ArmillaTransforms which, ArmillaAlmLayout layout,
                                  ArmillaGrid *grid, const int *spins, int n_fields, int n_skies,
                                  GError **error);
void armilla_transform_end (ArmillaTransform *transform);

void armilla_transform_next_epoch (const ArmillaTransform *transform);
/* Of a_lm the tiles of each sky, one an m-block; of maps each sky's tile of the ring block. */
gboolean armilla_transform_prepare (ArmillaTransform *transform, const ArmillaTile *const *alm,
                                    GError **error);
gboolean armilla_transform_rings (ArmillaTransform *transform, int ring_block,
                                  const ArmillaTile *const *map, int flags, GError **error);
gboolean armilla_transform_normal (ArmillaTransform *transform, ArmillaTransform *forward,
                                   int ring_block, GError **error);
void armilla_transform_restart (ArmillaTransform *transform, const ArmillaTile *const *alm);
gboolean armilla_transform_finish (ArmillaTransform *transform, const ArmillaTile *const *alm,
                                   GError **error);

G_END_DECLS
