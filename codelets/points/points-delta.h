/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delta_m from coarse rings to fine ones, by FFT in theta, divided by the transform of the
 * interpolation kernel; and the transpose. Raw-pointer kernels.
 *
 * Delta_m of degree lmax on at least lmax + 2 equidistant rings with both poles determines its
 * Fourier series on the circle to which its parity, Delta_m (-theta) = (-1)^(m + spin)
 * Delta_m (theta), continues it. The fine rings have its values with each coefficient divided by
 * the transform of the kernel in theta, and each order by that in phi. So the Legendre step
 * computes lmax + 2 rings however fine the grid of the points is. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/points/points-kernel.h"
#include "codelets/rings/ring-fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaPointsDeltaShape:
 * @n_fields: number of fields
 * @m_first: first order of the tiles
 * @n_orders: number of orders of the tiles
 * @spin: spin of the fields
 * @n_coarse: coarse rings, with both poles
 * @n_fine: fine rings, with both poles; more than the coarse ones
 *
 * Tiles: complex double, [field][2 pair + south][m - m_first], with the pairs from the poles to the
 * equator, which is northern; a southern slot there is ignored, or becomes 0.
 */
typedef struct {
  int64_t n_fields;
  int64_t m_first, n_orders;
  int64_t spin;
  int64_t n_coarse, n_fine;
} ArmillaPointsDeltaShape;

int64_t armilla_points_delta_table_size (const ArmillaPointsDeltaShape *shape, int64_t mmax);
int64_t armilla_points_delta_scratch_size (const ArmillaPointsDeltaShape *shape); /* doubles */
/* Adds the lengths of both circles to the plans. Returns 0, or -1 if out of memory. */
int armilla_points_delta_plan (const ArmillaPointsDeltaShape *shape, ArmillaFftPlans *plans);
/* Fills in the table of all orders up to @mmax; @n_columns: pixels per ring of the fine grid. */
void armilla_points_delta_table (const ArmillaPointsDeltaShape *shape,
                                 const ArmillaPointsKernel *kernel, int64_t n_columns,
                                 int64_t mmax, double *table);

void armilla_points_refine_cpu (const ArmillaPointsDeltaShape *shape, const double *table,
                                const ArmillaFftPlans *plans, const double *coarse, double *fine,
                                double *scratch);
void armilla_points_coarsen_cpu (const ArmillaPointsDeltaShape *shape, const double *table,
                                 const ArmillaFftPlans *plans, const double *fine, double *coarse,
                                 double *scratch);

/* CUDA kernels: see points-delta.cu. */
int64_t armilla_points_delta_batch (const ArmillaPointsDeltaShape *shape, int64_t n_sequences);
int armilla_points_delta_launch (const ArmillaPointsDeltaShape *shape, int refines,
                                 const double *table, ArmillaCudaFftPlans *plans, int64_t batch,
                                 const double *in, double *out, void *scratch,
                                 cudaStream_t stream, ArmillaCudaMessage *message);

#ifdef __cplusplus
}
#endif
