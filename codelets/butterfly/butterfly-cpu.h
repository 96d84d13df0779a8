/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to butterfly-*.c. */
#pragma once

#include "codelets/butterfly/butterfly.h"
#include "codelets/common/isa.h"

/* Numbers of T unpacked at a time (at least one column): they stay in the first-level cache beside
 * the rows that they multiply. */
#define ARMILLA_BUTTERFLY_PANEL 2048
/* Fields per group, whose vectors are adjacent, and maximum number of groups that pass through the
 * stages together, so that each T is read and unpacked once for all of them. */
#define ARMILLA_BUTTERFLY_GROUP 8
#define ARMILLA_BUTTERFLY_GROUPS 2

/* Operands of the nodes of a stage. Vectors are [group][index][n_fields][4]: even re, even im, odd
 * re, odd im. @n_fields: fields per group: 1, 2, 4 or 8; @in, @out: vectors of the previous stage
 * and of this one (the transposed product adds to @in); @stride: doubles between groups; @panel:
 * room for unpacked numbers of T; @ahead, @end: memory to prefetch during the product */
typedef struct {
  const ArmillaButterfly *b;
  int64_t n_fields, n_groups;
  double *in, *out;
  int64_t stride;
  double *panel;
  const char *ahead, *end;
} ArmillaButterflyProduct;

typedef struct {
  /* forward() sets out to the product of a node and in; transposed() adds the product of the
   * transposed node and out to in. */
  void (*forward) (ArmillaButterflyProduct *product, const ArmillaButterflyNode *node);
  void (*transposed) (ArmillaButterflyProduct *product, const ArmillaButterflyNode *node);
} ArmillaButterflyKernels;

extern const ArmillaButterflyKernels ARMILLA_EACH_ISA (armilla_butterfly_kernels);
