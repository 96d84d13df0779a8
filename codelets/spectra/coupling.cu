/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices on GPUs: each thread computes one column of a diagonal, and a thread block
 * shares the factors that depend only on diagonal and term. Even and odd sums are computed by
 * different blocks. */
#include "codelets/spectra/coupling.h"

#include "codelets/spectra/coupling-math.h"

#define LANES ARMILLA_COUPLING_PAD

/* Kinds of kernels: the scalar sum alone, the three even sums, the odd sum. */
enum { SCALAR, EVEN, ODD };

template<int KIND>
static __device__ void
add_term (double factor, double x3, double x, double product, double sum[3])
{
  const double y = x3 - x;

  if (KIND == SCALAR)
    sum[0] = sum[0] + factor;
  else if (KIND == EVEN)
    {
      const double t = fma (y, y, -product), u = factor * t;

      sum[0] += factor;
      sum[1] += u;
      sum[2] = fma (u, t, sum[2]);
    }
  else
    sum[0] = fma (factor * y, y, sum[0]);
}

template<int KIND>
static __global__ void
coupling_kernel (ArmillaCouplingShape shape, const double *table, double *below, double *above)
{
  const ArmillaCouplingParts parts = armilla_coupling_parts (shape.lmax, shape.mask_lmax);
  const int odd = KIND == ODD;
  const int64_t d = armilla_coupling_first_diagonal (&shape) + blockIdx.y;
  const int64_t first
    = armilla_coupling_first_column (&shape, d) + (int64_t) blockIdx.x * LANES;
  const int64_t end = armilla_coupling_last_column (&shape, d);
  const int64_t last = end < first + LANES - 1 ? end : first + LANES - 1;
  const int64_t n = armilla_coupling_terms (&shape, d, last, odd);
  /* Lanes without a column repeat the last one. */
  const int64_t l2 = first + threadIdx.x < last ? first + threadIdx.x : last, l1 = l2 + d;
  const double x1 = armilla_coupling_x (l1), x2 = armilla_coupling_x (l2);
  const double *shared = table + (odd ? parts.e : parts.c);
  const double *c = shared + l2 - odd;
  const double *g = table + (odd ? parts.odd_g : parts.even_g) + l1;
  const double *w = armilla_coupling_weights (&parts, table, d + odd);
  __shared__ double factor[LANES], x3[LANES];
  double sum[3] = { 0, 0, 0 };

  if (first > end)
    return;
  for (int64_t k = 0; k < n; k += LANES)
    {
      const int64_t count = n - k < LANES ? n - k : LANES, mine = k + threadIdx.x;

      __syncthreads ();
      if (threadIdx.x < count)
        {
          factor[threadIdx.x] = shared[mine] * shared[d + mine] * w[mine];
          x3[threadIdx.x] = armilla_coupling_x (d + odd + 2 * mine) + (odd ? 2 : 1);
        }
      __syncthreads ();
#pragma unroll 4
      for (int i = 0; i < count; i++)
        add_term<KIND> (factor[i] * (c[-k - i] * g[k + i]), x3[i], x1 + x2, 2 * x1 * x2 + 1, sum);
    }
  if (first + threadIdx.x > last)
    return;
  if (KIND == ODD)
    armilla_coupling_put (&shape, ARMILLA_COUPLING_MM, l1, l2, sum[0], below, above);
  else
    armilla_coupling_put (&shape, ARMILLA_COUPLING_00, l1, l2, sum[0], below, above);
  if (KIND == EVEN)
    {
      armilla_coupling_put (&shape, ARMILLA_COUPLING_0P, l1, l2, sum[1], below, above);
      armilla_coupling_put (&shape, ARMILLA_COUPLING_PP, l1, l2, sum[2], below, above);
    }
}

int
armilla_coupling_launch (const ArmillaCouplingShape *shape, const double *table, double *below,
                         double *above, cudaStream_t stream)
{
  const int64_t first = armilla_coupling_first_diagonal (shape);
  const int64_t diagonals = armilla_coupling_last_diagonal (shape) + 1 - first;
  const int64_t longest = shape->n_rows < shape->n_cols ? shape->n_rows : shape->n_cols;
  const dim3 grid ((unsigned) ((longest + LANES - 1) / LANES), (unsigned) diagonals);

  if (shape->kinds == ARMILLA_COUPLING_00)
    coupling_kernel<SCALAR><<<grid, LANES, 0, stream>>> (*shape, table, below, above);
  else if (shape->kinds != ARMILLA_COUPLING_MM)
    coupling_kernel<EVEN><<<grid, LANES, 0, stream>>> (*shape, table, below, above);
  if (shape->kinds & ARMILLA_COUPLING_MM)
    coupling_kernel<ODD><<<grid, LANES, 0, stream>>> (*shape, table, below, above);
  return (int) cudaGetLastError ();
}
