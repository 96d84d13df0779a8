/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids of equidistant rings from which the rings of a map are interpolated. */
#pragma once

#include "codelets/theta/theta-interpolation.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Which grid blocks a ring block of the map reads, and how. */
typedef struct {
  int lo, hi;              /* first and last grid block */
  ArmillaThetaShape shape; /* shape of the interpolation without fields and orders */
  double *weights;
  starpu_data_handle_t weights_handle;
} ArmillaThetaBlock;

typedef struct {
  ArmillaRingBlocks *rings; /* the map's ring blocks */
  gint64 lmax;              /* highest multipole */
  int n;                    /* number of map blocks; 0: these rings cannot be interpolated */
  int join; /* maximum number of adjacent map blocks that begin with the same grid block */
  int n_blocks;             /* number of blocks of the grid */
  ArmillaRingBlock *pairs; /* (array length=n_blocks): ring pairs of the grid's blocks; no pixels */
  ArmillaThetaBlock *block; /* (array length=n): the map's blocks */
  gint64 n_pairs;           /* ring pairs of the whole grid */
  gint64 max_pairs;         /* maximum number of pairs in a grid block */
  gint64 scratch;           /* doubles of scratch space of the CPU kernels */
} ArmillaThetaGrid;

gboolean armilla_graph_theta_grid (ArmillaGraph *graph, ArmillaTransforms which,
                                   ArmillaRingBlocks *rings, gint64 lmax, int n_fields,
                                   int n_groups, ArmillaThetaGrid **grid, GError **error);
double armilla_theta_grid_share (const ArmillaThetaGrid *grid, int n_fields, int n_groups);

G_END_DECLS
