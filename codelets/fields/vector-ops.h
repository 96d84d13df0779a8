/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elementwise kernels on blocks of a map or of a_lm as vectors of doubles. Raw-pointer kernels; out
 * may alias x or y. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/common/isa.h"
#include "codelets/fields/pixel-ops-math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out <- alpha x + beta y; a vector whose factor is 0 is not read: it may be NULL. */
void armilla_vector_combine_cpu (int64_t n, double alpha, const double *x, double beta,
                                 const double *y, double *out);
/* out <- y + sign (numerator[0] / denominator[0]) x, a step of conjugate gradients whose length was
 * computed by other tasks; out <- y if the numerator is 0, whatever the denominator. */
void armilla_vector_step_cpu (int64_t n, double sign, const double *numerator,
                              const double *denominator, const double *x, const double *y,
                              double *out);

/* Adds the realisations values[realisation][n], in sequence, to sums[array][n], which is not read
 * for the first realisation. */
void armilla_vector_collect_cpu (const ArmillaCollectShape *shape, int n_realisations,
                                 const double *const *values, double *sums);

/* Applies armilla_collect_add() to @n numbers of a tile, given the values of one realisation and
 * the address @at of the means. There is one function per instruction set. */
typedef void ArmillaCollectKernel (const ArmillaCollectShape *shape, int64_t n,
                                   const double *values, double *at);

extern ArmillaCollectKernel ARMILLA_EACH_ISA (armilla_collect_some);

/* CUDA kernels: the same arguments; vectors, scalars and sums are in device memory. */
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
