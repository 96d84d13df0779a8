/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of one spherical harmonic transform, ring block by ring block, of one realisation or of
 * several, which share the recurrence.
 *
 * Synthesis: for each ring block, Delta tiles (Fourier coefficients of rings) are computed m-block
 * by m-block (on the rank that owns the a_lm), repacked into the ring block's modes (on the rank
 * that owns the rings), transformed into pixels, and freed. Analysis mirrors this; each m-block
 * sums over the ring blocks in their order, so that the sum does not depend on the number of
 * workers or ranks. A ring block is an epoch of the graph: only a few are in flight at a time,
 * since Delta as a whole is larger than the map. */
#pragma once

#include "codelets/points/points-kernel.h"
#include "tasks/harmonic/legendre.h"
#include "tasks/harmonic/ring-plans.h"
#include "tasks/harmonic/theta.h"

G_BEGIN_DECLS

/* Adjacent fields of one spin, which share a recurrence. Tiles of Delta hold all fields of all
 * realisations, group by group; tiles of a_lm and of maps hold all fields of one realisation. A
 * recurrence task processes the rows of one group. */
typedef struct {
  int spin;            /* spin of its fields */
  int first;           /* number of the first field, among those of all realisations */
  int n; /* number of fields: equally many of each realisation, in the order of realisations */
  /* (array): coefficients of the recurrence per m-block, for GPUs; may be NULL */
  const ArmillaTile *tables;
  /* (array): a_lm in the basis of the recurrence per m-block; the a_lm themselves if in_alm */
  ArmillaTile *prepared;
  ArmillaMover *mover; /* moves prepared together with its m-blocks */
  /* [m-block]: flags ARMILLA_SPIN_PART_*: parts of the prepared a_lm to which an analysis has
   * added */
  guint8 *summed;
} ArmillaFieldGroup;

typedef struct {
  ArmillaGraph *graph;
  ArmillaOrderBlocks *orders;
  ArmillaRingBlocks *rings;
  const ArmillaRingPlans *plans;
  ArmillaTransforms which; /* direction, a single flag */
  const ArmillaLegendreOptions *legendre; /* options of the node */
  int n_skies;
  int n_fields; /* number of fields of all realisations */
  gint32 isa; /* instruction set of the CPU kernels */
  /* whether the recurrence reads the tiles of the a_lm of one field directly, see prepared:
   * converting them to its basis in each task costs less than memory for a converted copy */
  gboolean in_alm;
  int *spins; /* spins of the fields of one realisation */
  int n_groups;
  ArmillaFieldGroup *groups;
  ArmillaTile delta_scratch;
  ArmillaThetaGrid *theta; /* grid from whose rings Delta is interpolated; NULL: every ring is
                            * computed */
  ArmillaTile *grid_tiles; /* [grid block][m-block]: the handle is NULL unless the tile is in use */
  gboolean *ring_block_done; /* whether the ring block was submitted in this pass */
  /* [m-block]: bit mask of the grid blocks that the current ring block is the first to use */
  int *fresh;
  ArmillaMap **sources; /* maps that an analysis reads, one per realisation */
  double *const *in_place; /* addresses of the map's fields; NULL: in tiles */
  struct _ArmillaButterflyTransform *butterfly; /* NULL if no order is summed by a table */
  struct _ArmillaResampleTransform *resample; /* NULL unless Delta is resampled by FFT */
} ArmillaTransform;

/* Returns whether the transform is a synthesis; otherwise it is an adjoint synthesis (analysis). */
static inline gboolean
armilla_transform_is_synthesis (const ArmillaTransform *t)
{
  return t->which == ARMILLA_TRANSFORMS_SYNTHESIS;
}

/* Returns the ring block that is submitted @i-th. On cores the polar blocks of small HEALPix maps
 * take longest, as their ring lengths are seldom products of small primes; otherwise the blocks at
 * the equator do. A synthesis begins with the slowest block, since workers idle while the last
 * block is transformed; an adjoint ends with it, since workers idle until the first one is. */
static inline int
armilla_transform_block (const ArmillaTransform *t, int i)
{
  const int n = t->rings->n;
  const gboolean poles_take_longest
    = n == 2 && !t->graph->view.gpus
      && t->rings->block[0].slots->n_phi != t->rings->block[1].slots->n_phi;

  return armilla_transform_is_synthesis (t) == poles_take_longest ? i : n - 1 - i;
}

/* Priorities of tasks: those that free memory are preferred, then those for which other ranks
 * wait. */
enum {
  PRIORITY_DELTA = 0,
  PRIORITY_THETA = 1,
  PRIORITY_DELTA_ADJOINT = 2,
  PRIORITY_REDISTRIBUTE = 2,
  PRIORITY_RING = 3
};

/* Between a_lm and their form in the basis of the recurrence; see transform-recurrence.c. */
gboolean armilla_transform_recurrence_begin (ArmillaTransform *transform, GError **error);
void armilla_transform_recurrence_end (ArmillaTransform *transform);
gint64 armilla_transform_recurrence_scratch (ArmillaTransform *transform, gint64 n_pairs);
/* Submits the recurrence that computes Delta of a group of fields and one m-block on some ring
 * pairs; or its adjoint, which adds Delta to the m-block's sum. */
gboolean armilla_transform_delta (ArmillaTransform *transform, int i_group, int m_block,
                                  const ArmillaRingBlock *pairs, const ArmillaTile *tile,
                                  GError **error);
gboolean armilla_transform_complete_sum (ArmillaTransform *transform, int m_block, GError **error);

/* The same with rings interpolated from a grid: begin; for a synthesis, grid for each group; theta
 * for each group; end after all m-blocks of the ring block are submitted. See transform-theta.c. */
gboolean armilla_transform_theta_begin (ArmillaTransform *transform, int m_block, int ring_block,
                                        GError **error);
gboolean armilla_transform_theta_grid (ArmillaTransform *transform, int i_group, int m_block,
                                       int ring_block, GError **error);
gboolean armilla_transform_theta (ArmillaTransform *transform, int i_group, int m_block,
                                  int ring_block, const ArmillaTile *tile, GError **error);
gboolean armilla_transform_theta_end (ArmillaTransform *transform, int ring_block, GError **error);
void armilla_transform_theta_clear (ArmillaTransform *transform);

/* The same by a table of compressed matrices, for the m-blocks that it contains, see
 * transform-butterfly.c; end: after all m-blocks of a ring block are submitted. */
gboolean armilla_transform_butterfly_begin (ArmillaTransform *transform, GError **error);
gboolean armilla_transform_butterfly_has (const ArmillaTransform *transform, int m_block);
gboolean armilla_transform_butterfly (ArmillaTransform *transform, int m_block,
                                      const ArmillaRingBlock *rings, const ArmillaTile *tile,
                                      GError **error);
gboolean armilla_transform_butterfly_end (ArmillaTransform *transform, GError **error);
void armilla_transform_butterfly_clear (ArmillaTransform *transform);

/* Copies Delta of an m-block from the tile of all rings to that of a ring block or, for an adjoint,
 * back; see transform-whole.c. @fresh: nothing has been copied to @whole yet. */
gboolean armilla_transform_copy_whole (ArmillaTransform *transform, int m_block,
                                       const ArmillaRingBlock *rings, const ArmillaTile *tile,
                                       const ArmillaTile *whole, gboolean fresh, GError **error);

/* Transforms whose recurrence works on other rings than those of the map; see
 * transform-resample.c. */
gboolean armilla_transform_resample_begin (ArmillaTransform *transform,
                                           const ArmillaPointsKernel *kernel, GError **error);
gint64 armilla_transform_resample_pairs (const ArmillaTransform *transform);
gint64 armilla_transform_resample_scratch (const ArmillaTransform *transform);
gboolean armilla_transform_resample (ArmillaTransform *transform, int m_block,
                                     const ArmillaRingBlock *rings, const ArmillaTile *tile,
                                     GError **error);
gboolean armilla_transform_resample_end (ArmillaTransform *transform, GError **error);
void armilla_transform_resample_clear (ArmillaTransform *transform);

/* Chooses the m-blocks that use a table and reports the choice; see transform-choice.c. */
int armilla_transform_choose_table (const ArmillaTransform *transform,
                                    const ArmillaLegendreTable *table, gboolean all,
                                    gboolean *use);
void armilla_transform_tell_table (ArmillaTransform *transform, const ArmillaLegendreTable *table,
                                   const gboolean *use, int n_used);
void armilla_transform_tell_no_table (ArmillaTransform *transform,
                                      const ArmillaLegendreOptions *options);
void armilla_graph_tell_once (ArmillaGraph *graph, const char *format, ...) G_GNUC_PRINTF (2, 3);

gboolean armilla_transform_begin (ArmillaTransform *transform, ArmillaGraph *graph,
                                  ArmillaTransforms which, ArmillaAlmLayout layout,
                                  ArmillaGrid *grid, const int *spins, int n_fields, int n_skies,
                                  gboolean exact, GError **error);
gboolean armilla_transform_begin_points (ArmillaTransform *transform, ArmillaGraph *graph,
                                         ArmillaTransforms which, ArmillaAlmLayout layout,
                                         ArmillaGrid *grid, const ArmillaPointsKernel *kernel,
                                         const int *spins, int n_fields, GError **error);
void armilla_transform_end (ArmillaTransform *transform);

void armilla_transform_next_epoch (const ArmillaTransform *transform);
/* @alm: [realisation] tiles, one per m-block; @maps: [realisation] tile of the ring block. */
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
