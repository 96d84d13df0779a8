/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quadrature of equidistant rings that is exact for Delta_m as long as they determine it.
 * Raw-pointer kernels.
 *
 * n rings at theta = (i + 1/2) pi / n (Fejer 1), or at i pi / (n - 1) (Clenshaw-Curtis), determine
 * a trigonometric polynomial Delta_m of degree lmax <= n - 1, or n - 2. Its product with a Legendre
 * function has twice this degree, for which weights on the same rings do not exist. Therefore
 * Delta_m is continued to the whole circle by its parity, Delta_m (-theta) = (-1)^(m + spin)
 * Delta_m (theta); its values midway between the points follow by FFT (H); and all points together
 * are those of Clenshaw and Curtis with twice the intervals, whose weights (v, on the points; w,
 * midway) suffice. The adjoint of H brings the weighted values back to the rings:
 *
 *   a_lm = sum_i P_lm (cos theta_i) (E' (v + H' w H) E Delta_m)_i
 *
 * where E continues rings to the circle. So the Legendre step sees n rings and no weights. The
 * matrix E' (v + H' w H) E is symmetric: the adjoint of an analysis uses it too. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/rings/ring-fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaResampleShape:
 * @n_fields: number of fields
 * @m_first: first order of the tiles
 * @n_orders: number of orders of the tiles
 * @spin: spin of the fields
 * @n_rings: number of rings from pole to pole
 * @on_poles: whether the first and the last are the poles
 * @n_pairs: ring pairs of the map's tile, which may lack rings
 * @to_map: whether the map's tile is the output; otherwise the input
 *
 * Tiles: complex double, [field][2 pair + south][m - m_first]. The map's tile has the rings of the
 * table; rings that it lacks count as 0. The other tile has all rings, the pairs from the poles to
 * the equator.
 */
typedef struct {
  int64_t n_fields;
  int64_t m_first, n_orders;
  int64_t spin;
  int64_t n_rings;
  int32_t on_poles;
  int32_t to_map;
  int64_t n_pairs;
} ArmillaResampleShape;

int64_t armilla_resample_table_size (const ArmillaResampleShape *shape);   /* doubles */
int64_t armilla_resample_scratch_size (const ArmillaResampleShape *shape); /* doubles, CPU */
/* Adds the length of the circle to the plans. Returns 0, or -1 if out of memory. */
int armilla_resample_plan (const ArmillaResampleShape *shape, ArmillaFftPlans *plans);
/* Fills in the table, which the sizes, the map's rings and their pixels determine. @ring: ring from
 * the north of each slot of the map's tile, -1 if absent; the result is an integral over the sphere
 * if @factor is 2 pi / pixels of a ring. The plans must have the length of the circle. */
void armilla_resample_table (const ArmillaResampleShape *shape, const int64_t *ring, double factor,
                             const ArmillaFftPlans *plans, double *scratch, double *table);

/* out <- E' (v + H' w H) E in; rings that the map's tile lacks count as 0 in @in and become 0 in
 * @out. The plans must have the length of the circle. */
void armilla_resample_cpu (const ArmillaResampleShape *shape, const double *table,
                           const ArmillaFftPlans *plans, const double *in, double *out,
                           double *scratch);

/* CUDA kernels: see theta-resample.cu. */
int64_t armilla_resample_batch (const ArmillaResampleShape *shape, int64_t n_sequences);
int armilla_resample_launch (const ArmillaResampleShape *shape, const double *table,
                             ArmillaCudaFftPlans *plans, int64_t batch, const double *in,
                             double *out, void *scratch, cudaStream_t stream,
                             ArmillaCudaMessage *message);

#ifdef __cplusplus
}
#endif
