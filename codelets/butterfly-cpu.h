/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to butterfly-*.c. */
#pragma once

#include "codelets/butterfly.h"

typedef struct {
  /* Pivoted QR; see butterfly-kernels.h. Returns the rank. */
  int64_t (*factor) (double *const *columns, int64_t n_rows, int64_t n, double limit,
                     int32_t *order, double *norms, double *r);
  void (*forward) (const ArmillaButterfly *b, const ArmillaButterflyNode *node, const double *in,
                   double *out, double *work);
  void (*transposed) (const ArmillaButterfly *b, const ArmillaButterflyNode *node,
                      const double *out, double *in, double *work);
} ArmillaButterflyKernels;

extern const ArmillaButterflyKernels armilla_butterfly_kernels_portable;
#ifdef __x86_64__
extern const ArmillaButterflyKernels armilla_butterfly_kernels_avx2;
extern const ArmillaButterflyKernels armilla_butterfly_kernels_avx512;
#endif

const ArmillaButterflyKernels *armilla_butterfly_kernels (int32_t isa);
