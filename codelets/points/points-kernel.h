/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel that interpolates on an oversampled grid: piecewise polynomials, one per tap (a grid point
 * of the support), that approximate exp (beta (sqrt (1 - x^2) - 1)). If the Fourier coefficients of
 * the grid are divided by the kernel's transform, interpolation is exact up to aliasing. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARMILLA_POINTS_MIN_WIDTH 4
#define ARMILLA_POINTS_MAX_WIDTH 16
/* Maximum number of coefficients of the even part, and of the odd part, of a tap's polynomial. */
#define ARMILLA_POINTS_TERMS(width) (((width) + 5) / 2)
/* Number of taps that are stored; the others are mirror images of these. */
#define ARMILLA_POINTS_HALF(width) (((width) + 1) / 2)
#define ARMILLA_POINTS_TABLE                                                                       \
  (2 * ARMILLA_POINTS_TERMS (ARMILLA_POINTS_MAX_WIDTH)                                             \
   * ARMILLA_POINTS_HALF (ARMILLA_POINTS_MAX_WIDTH))

/**
 * ArmillaPointsKernel:
 * @width: number of taps per dimension
 * @n_terms: number of terms, as many as the error needs
 * @error: relative rms error of the worst wave, both dimensions together
 * @table: [term][tap][even, odd part]: tap j is sum_i v^(2 i) (even + v odd) for v from -1 to 1,
 *   and tap width - 1 - j the same with -v
 *
 * For a position y of the grid, the taps are at floor (y - width / 2) + 1 and the grid points after
 * it; v = 2 (y - width / 2 - floor (y - width / 2)) - 1.
 */
typedef struct {
  int64_t width, n_terms;
  double error;
  double table[ARMILLA_POINTS_TABLE];
} ArmillaPointsKernel;

/* Finds the narrowest kernel for a relative error of @epsilon, if waves on the grid have at least
 * 2 @oversampling samples per period. Returns 0, or -1 if no kernel is that accurate. */
int armilla_points_kernel_init (ArmillaPointsKernel *kernel, double epsilon, double oversampling);

/* Computes the Fourier transform of the kernel for @n waves, which advance by 0, @step, 2 @step and
 * so on, radians per grid point. */
void armilla_points_kernel_transforms (const ArmillaPointsKernel *kernel, double step, int64_t n,
                                       double *transform);

#ifdef __cplusplus
}
#endif
