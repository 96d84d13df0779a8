/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU kernels of the instruction sets share; internal to reduction-*.c. */
#pragma once

#include "codelets/convolve.h"

typedef void (*ArmillaReductionKernel) (const ArmillaReductionShape *shape,
                                        const ArmillaConvolveGroup *groups, const int32_t *first,
                                        const double *table, const double *values,
                                        const double *in, double *out);

void armilla_theta_reduction_portable (const ArmillaReductionShape *shape,
                                       const ArmillaConvolveGroup *groups, const int32_t *first,
                                       const double *table, const double *values, const double *in,
                                       double *out);
#ifdef __x86_64__
void armilla_theta_reduction_avx2 (const ArmillaReductionShape *shape,
                                   const ArmillaConvolveGroup *groups, const int32_t *first,
                                   const double *table, const double *values, const double *in,
                                   double *out);
void armilla_theta_reduction_avx512 (const ArmillaReductionShape *shape,
                                     const ArmillaConvolveGroup *groups, const int32_t *first,
                                     const double *table, const double *values, const double *in,
                                     double *out);
#endif
