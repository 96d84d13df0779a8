/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element by element kernels on blocks of a map or of a_lm taken as vectors of doubles. Raw
 * pointers; out may be x or y everywhere. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/common/isa.h"
#include "codelets/fields/pixel-ops-math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out <- alpha x + beta y; a vector whose factor is 0 is not read. */
void armilla_vector_combine_cpu (int64_t n, double alpha, const double *x, double beta,
                                 const double *y, double *out);
/* out <- y + sign (numerator[0] / denominator[0]) x; out <- y where the numerator is 0. */
void armilla_vector_step_cpu (int64_t n, double sign, const double *numerator,
                              const double *denominator, const double *x, const double *y,
                              double *out);

/* sums [array][n] <- those with values [realisation][n] beside. */
void armilla_vector_collect_cpu (const ArmillaCollectShape *shape, int n_realisations,
                                 const double *const *values, double *sums);

/* armilla_collect_add() of one realisation, for some numbers of a tile: @n values and, at @at, as
 * many sums of each array; for each instruction set. */
typedef void ArmillaCollectKernel (const ArmillaCollectShape *shape, int64_t n,
                                   const double *values, double *at);

extern ArmillaCollectKernel ARMILLA_EACH_ISA (armilla_collect_some);

/* CUDA kernels: the same arguments, what they point at in device memory. */
int armilla_vector_combine_launch (int64_t n, double alpha, const double *x, double beta,
                                   const double *y, double *out, cudaStream_t stream);
int armilla_vector_step_launch (int64_t n, double sign, const double *numerator,
                                const double *denominator, const double *x,
                                const double *y, double *out, cudaStream_t stream);
int armilla_vector_collect_launch (const ArmillaCollectShape *shape, int n_realisations,
                                   const double *const *values, double *sums,
                                   cudaStream_t stream);

#ifdef __cplusplus
}
#endif
