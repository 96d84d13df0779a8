/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E and B <-> the recurrence's basis on the GPU: each thread converts one degree of one order from
 * spin s to scalar fields or back; the kernels of delta-table.cu do the rest. Some hundreds of
 * orders are processed at once, which bounds the memory of the scalar fields. */
#include <algorithm>

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/spin-coupling.h"
#include "codelets/legendre/spin-recurrence.h"

namespace
{

constexpr int n_threads = 128;

/* Square roots and factors that all orders and maps share: computing them in each thread would take
 * ten times as long. */
__global__ void __launch_bounds__ (n_threads)
numbers_kernel (ArmillaSpinShape shape, double *array)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x;

  if (i < armilla_spin_numbers_size (&shape))
    array[i] = armilla_spin_number (&shape, i);
}

cudaError_t
numbers_launch (const ArmillaSpinShape *shape, double *array, cudaStream_t stream)
{
  const int64_t n = armilla_spin_numbers_size (shape);

  numbers_kernel<<<(unsigned) ((n + n_threads - 1) / n_threads), n_threads, 0, stream>>> (*shape,
                                                                                         array);
  return cudaGetLastError ();
}

template <int SPIN>
__global__ void __launch_bounds__ (n_threads)
couple_kernel (ArmillaSpinChunk chunk, ArmillaSpinNumbers numbers, const double *__restrict__ alm,
               double *__restrict__ scalar)
{
  const int64_t k = (int64_t) blockIdx.x * n_threads + threadIdx.x;

  armilla_spin_chunk_couple (&chunk, SPIN, blockIdx.y, k, blockIdx.z, &numbers, alm, scalar);
}

template <int SPIN>
__global__ void __launch_bounds__ (n_threads)
couple_back_kernel (ArmillaSpinChunk chunk, ArmillaSpinNumbers numbers,
                    const double *__restrict__ scalar, double *__restrict__ alm)
{
  const int64_t k = (int64_t) blockIdx.x * n_threads + threadIdx.x;

  armilla_spin_chunk_couple_back (&chunk, SPIN, blockIdx.y, k, blockIdx.z, &numbers, scalar, alm);
}

/* Kernels for one spin, a compile-time constant so that arrays stay in registers. */
struct Kernels
{
  void (*couple) (ArmillaSpinChunk chunk, ArmillaSpinNumbers numbers, const double *alm,
                  double *scalar);
  void (*couple_back) (ArmillaSpinChunk chunk, ArmillaSpinNumbers numbers, const double *scalar,
                       double *alm);
};

#define KERNELS(spin) { couple_kernel<spin>, couple_back_kernel<spin> }

const Kernels kernels[ARMILLA_SPIN_KERNEL_MAX + 1] = {
  { nullptr, nullptr }, KERNELS (1), KERNELS (2), KERNELS (3), KERNELS (4),
  KERNELS (5),          KERNELS (6), KERNELS (7), KERNELS (8),
};

dim3
grid_of (const ArmillaSpinShape *shape, const ArmillaSpinChunk &chunk)
{
  const int64_t degrees = shape->lmax + shape->spin + 1;

  return dim3 ((unsigned) ((degrees + n_threads - 1) / n_threads), (unsigned) chunk.n,
               (unsigned) shape->n_maps);
}

/* Returns the shape of the scalar fields of a chunk for delta-recurrence.h. */
ArmillaDeltaShape
scalar_shape (const ArmillaSpinShape *shape, const ArmillaSpinChunk &chunk)
{
  return { shape->lmax + shape->spin, chunk.order, chunk.order + chunk.n - 1, 2 * shape->n_maps,
           shape->n_pairs, shape->isa };
}

} // namespace

int
armilla_spin_prepare_launch (const ArmillaSpinShape *shape, const double *table, const double *alm,
                             double *prepared, double *scratch, cudaStream_t stream)
{
  const ArmillaSpinNumbers numbers = armilla_spin_numbers (shape, scratch);
  double *scalars = scratch + armilla_spin_numbers_size (shape);
  int status = numbers_launch (shape, scratch, stream);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n && status == cudaSuccess; i += ARMILLA_SPIN_CHUNK)
      {
        const ArmillaSpinChunk chunk = armilla_spin_chunk (
          shape, runs, r, i, std::min<int64_t> (ARMILLA_SPIN_CHUNK, runs[r].n - i));
        const ArmillaDeltaShape scalar = scalar_shape (shape, chunk);

        kernels[shape->spin].couple<<<grid_of (shape, chunk), n_threads, 0, stream>>> (
          chunk, numbers, alm, scalars);
        status = cudaGetLastError ();
        if (status == cudaSuccess)
          status = armilla_delta_prepare_launch (&scalar, table + chunk.table, scalars,
                                                 prepared + chunk.prepared, stream);
      }
  return status;
}

int
armilla_spin_finish_launch (const ArmillaSpinShape *shape, const double *table,
                            const double *prepared, double *alm, double *scratch,
                            cudaStream_t stream)
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  const ArmillaSpinNumbers numbers = armilla_spin_numbers (shape, scratch);
  double *scalars = scratch + armilla_spin_numbers_size (shape);
  int status
    = cudaMemsetAsync (alm, 0, sizeof (double) * 4 * (size_t) (shape->n_maps * n_alm), stream);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  if (status == cudaSuccess)
    status = numbers_launch (shape, scratch, stream);

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n && status == cudaSuccess; i += ARMILLA_SPIN_CHUNK)
      {
        const ArmillaSpinChunk chunk = armilla_spin_chunk (
          shape, runs, r, i, std::min<int64_t> (ARMILLA_SPIN_CHUNK, runs[r].n - i));
        const ArmillaDeltaShape scalar = scalar_shape (shape, chunk);

        status = armilla_delta_finish_launch (&scalar, table + chunk.table,
                                              prepared + chunk.prepared, scalars, stream);
        if (status != cudaSuccess)
          break;
        kernels[shape->spin].couple_back<<<grid_of (shape, chunk), n_threads, 0, stream>>> (
          chunk, numbers, scalars, alm);
        status = cudaGetLastError ();
      }
  return status;
}
