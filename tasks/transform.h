/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tasks of one spherical harmonic transform, ring block by ring block.
 *
 * Synthesis: for each ring block, Delta tiles are made m-block by m-block (on the rank that owns
 * the a_lm), repacked into the ring block's modes (on the rank that owns the rings), transformed
 * into pixels, and forgotten. Analysis mirrors this; each m-block sums over the ring blocks in
 * their order, so that the sum does not depend on who computes. A ring block is an epoch of the
 * graph: only a few are alive at a time, since Delta as a whole is larger than the map. */
#pragma once

#include "tasks/graph-private.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaGraph *graph;
  ArmillaOrderBlocks *orders;
  ArmillaRingBlocks *rings;
  const ArmillaRingPlans *plans;
  int n_fields;
  ArmillaTile *prepared; /* one an m-block: a_lm in the recurrence's basis */
  gboolean *summed;      /* whether prepared holds a sum already (analysis) */
  ArmillaTile delta_scratch;
} ArmillaTransform;

gboolean armilla_transform_begin (ArmillaTransform *transform, ArmillaGraph *graph,
                                  ArmillaAlmLayout layout, ArmillaGrid *grid, int n_fields,
                                  GError **error);
void armilla_transform_end (ArmillaTransform *transform);

gboolean armilla_transform_prepare (ArmillaTransform *transform, const ArmillaTile *alm,
                                    GError **error);
gboolean armilla_transform_synthesis (ArmillaTransform *transform, int ring_block,
                                      const ArmillaTile *map, GError **error);

void armilla_transform_restart (ArmillaTransform *transform);
gboolean armilla_transform_adjoint (ArmillaTransform *transform, int ring_block,
                                    const ArmillaTile *map, int flags, GError **error);
gboolean armilla_transform_finish (ArmillaTransform *transform, const ArmillaTile *alm,
                                   GError **error);

G_END_DECLS
