/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to butterfly-*.c. */
#pragma once

#include "codelets/butterfly/butterfly.h"
#include "codelets/common/isa.h"

/* Numbers of T that are unpacked at once, unless a column alone has more: they stay in a core's
 * first-level cache beside the rows that they meet. */
#define ARMILLA_BUTTERFLY_PANEL 2048
/* Fields whose vectors lie together, and the most groups of such that go through the stages
 * together, so that each T is read from memory and unpacked once for all of them. */
#define ARMILLA_BUTTERFLY_GROUP 8
#define ARMILLA_BUTTERFLY_GROUPS 2

/* What a stage's nodes are applied to. Vectors are [group][index][n_fields][4]: even re, even im,
 * odd re, odd im. @n_fields: of a group: 1, 2, 4 or 8; @in, @out: of the stage before and of the
 * stage (the transposed product adds to @in); @stride: doubles from a group to the next; @panel:
 * room for unpacked numbers; @ahead, @end: what will be needed next, asked for meanwhile */
typedef struct {
  const ArmillaButterfly *b;
  int64_t n_fields, n_groups;
  double *in, *out;
  int64_t stride;
  double *panel;
  const char *ahead, *end;
} ArmillaButterflyProduct;

typedef struct {
  /* out <- nodes of in; in += transposed nodes of out. See butterfly-products.h. */
  void (*forward) (ArmillaButterflyProduct *product, const ArmillaButterflyNode *node);
  void (*transposed) (ArmillaButterflyProduct *product, const ArmillaButterflyNode *node);
} ArmillaButterflyKernels;

extern const ArmillaButterflyKernels ARMILLA_EACH_ISA (armilla_butterfly_kernels);
