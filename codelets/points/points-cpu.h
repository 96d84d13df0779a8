/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to points-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/points/points.h"

/* Number of points whose weights are computed together. */
#define ARMILLA_POINTS_GROUP 8
/* Number of points whose weights are kept while all fields use them; a multiple of the group. */
#define ARMILLA_POINTS_CHUNK 512
/* Number of doubles per row of a patch: the weights of a point are padded to a multiple of 8. */
#define ARMILLA_POINTS_STRIDE (ARMILLA_POINTS_CELL + ARMILLA_POINTS_MAX_WIDTH)

/* Memory of a task, on its stack. It fits a second-level cache; the patch, which is used most, fits
 * the first-level cache. */
typedef struct {
  _Alignas (64) double patch[ARMILLA_POINTS_PATCH * ARMILLA_POINTS_STRIDE];
  double rows[ARMILLA_POINTS_CHUNK * ARMILLA_POINTS_MAX_WIDTH];    /* [group][tap][point] */
  double columns[ARMILLA_POINTS_CHUNK * ARMILLA_POINTS_MAX_WIDTH]; /* [point][tap] */
  double values[ARMILLA_POINTS_CHUNK];
  double offset[ARMILLA_POINTS_CHUNK]; /* position of the support in the patch */
} ArmillaPointsRoom;

/* Constants for the computation of positions on a grid. Angles times the scales are rows and
 * columns; each scale is the sum of two doubles. */
typedef struct {
  double width, last_ring, n_columns; /* last_ring: counted from the north pole */
  double row_scale, row_scale_low, column_scale, column_scale_low;
} ArmillaPointsScales;

/* Positions at which supports begin: the row, counted from the one farthest beyond the pole (in the
 * southern half, -1 minus this number), and the column. The fractions, row_part and column_part,
 * are multiples of 2^-47. */
typedef struct {
  double row[ARMILLA_POINTS_CHUNK], row_part[ARMILLA_POINTS_CHUNK];
  double column[ARMILLA_POINTS_CHUNK], column_part[ARMILLA_POINTS_CHUNK];
} ArmillaPointsPositions;

/* Functions for one width of the kernel, on up to ARMILLA_POINTS_CHUNK points. */
typedef struct {
  void (*weights) (const ArmillaPointsKernel *kernel, const double *places, int64_t n,
                   ArmillaPointsRoom *room);
  void (*interpolate) (int64_t n, ArmillaPointsRoom *room); /* writes values */
  void (*spread) (int64_t n, ArmillaPointsRoom *room);      /* adds to the patch */
} ArmillaPointsWidth;

typedef struct {
  /* Locates points given as vectors. The result has the same bits for all instruction sets. */
  void (*locate) (const ArmillaPointsScales *scales, const double *x, const double *y,
                  const double *z, int64_t n, ArmillaPointsPositions *positions);
  /* Does the same for points given as angles. */
  void (*locate_angles) (const ArmillaPointsScales *scales, const double *theta, const double *phi,
                         int64_t n, ArmillaPointsPositions *positions);
  void (*copy) (double sign, const double *from, int64_t n, double *to);
  void (*add) (double sign, const double *from, int64_t n, double *to);
  ArmillaPointsWidth width[ARMILLA_POINTS_MAX_WIDTH - ARMILLA_POINTS_MIN_WIDTH + 1];
} ArmillaPointsKernels;

extern const ArmillaPointsKernels ARMILLA_EACH_ISA (armilla_points_kernels);
