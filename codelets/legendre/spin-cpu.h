/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions that the CPU kernels of all instruction sets share; internal to spin-*.c. */
#pragma once

#include "codelets/common/isa.h"
#include "codelets/legendre/spin-recurrence.h"

/* Zero padding, in doubles, on either side of an array over l. */
#define ARMILLA_SPIN_MARGIN 16

/* Coefficients of a step from each degree to the next, to itself and to the previous one, without
 * the factors that depend on the order. */
typedef struct {
  double *up, *same, *down;
} ArmillaSpinBand;

/* Scratch space. Arrays over l begin at l = -ARMILLA_SPIN_MARGIN. */
typedef struct {
  int64_t lmax, m;                    /* lmax of E_lm and B_lm; the current order */
  int32_t spin;
  double *root;                       /* sqrt of integers, 0 for negative ones */
  ArmillaSpinBand factor[ARMILLA_SPIN_KERNEL_MAX]; /* f+, f0, f- of step j + 1 -> j */
  double *from[4], *to[4];            /* two complex fields over l */
  double *alm;                        /* [2 n_maps][l], complex, of one order of a scalar field */
} ArmillaSpinCoupling;

typedef struct {
  /* Computes two scalar fields @q, @u of @order, from degree @order on, from @e and @b, which begin
   * with degree m. */
  void (*couple) (ArmillaSpinCoupling *c, int run, int64_t order, const double *e, const double *b,
                  double *q, double *u);
  /* The transpose of couple(); adds to @e and @b. */
  void (*couple_back) (ArmillaSpinCoupling *c, int run, int64_t order, double *e, double *b,
                       const double *q, const double *u);
} ArmillaSpinKernels;

extern const ArmillaSpinKernels ARMILLA_EACH_ISA (armilla_spin_kernels);
