/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise kernels on blocks of a map or of a_lm as vectors of doubles. Raw pointers; out may
 * alias x or y. */
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
/* out <- y + sign (numerator[0] / denominator[0]) x; out <- y if the numerator is 0. */
void armilla_vector_step_cpu (int64_t n, double sign, const double *numerator,
                              const double *denominator, const double *x, const double *y,
                              double *out);

/* sums [array][n] <- sums including the realisations values [realisation][n]. */
void armilla_vector_collect_cpu (const ArmillaCollectShape *shape, int n_realisations,
                                 const double *const *values, double *sums);

/* armilla_collect_add() for one realisation of some numbers of a tile: @n values and, at @at, as
 * many sums of each array; one per instruction set. */
typedef void ArmillaCollectKernel (const ArmillaCollectShape *shape, int64_t n,
                                   const double *values, double *at);

extern ArmillaCollectKernel ARMILLA_EACH_ISA (armilla_collect_some);

/* CUDA kernels: the same arguments, pointing to device memory. */
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
