/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis on the GPU: a thread has R ring pairs and sums F fields in registers; a block has one
 * order, whose coefficients and a_lm it passes through shared memory. */
#include "codelets/delta-lanes.cuh"

namespace
{

constexpr int n_threads = 128;
constexpr int segment_size = 64;

template <int F> struct Staged
{
  Segment<segment_size> c;
  double2 alm[segment_size][F][2]; /* even, odd */
};

template <int R, int F>
__device__ __forceinline__ void
add_terms (double (&sum)[R][F][4], const double (&q)[R], const double2 (&alm)[F][2])
{
#pragma unroll
  for (int f = 0; f < F; f++)
    {
      const double2 even = alm[f][0], odd = alm[f][1];

#pragma unroll
      for (int r = 0; r < R; r++)
        {
          sum[r][f][0] = fma (q[r], even.x, sum[r][f][0]);
          sum[r][f][1] = fma (q[r], even.y, sum[r][f][1]);
          sum[r][f][2] = fma (q[r], odd.x, sum[r][f][2]);
          sum[r][f][3] = fma (q[r], odd.y, sum[r][f][3]);
        }
    }
}

/* A segment of n steps of one warp. */
template <bool PLAIN, int R, int F>
__device__ __forceinline__ void
run (Lanes<R> &lanes, double (&sum)[R][F][4], const Staged<F> &staged, int n)
{
  int k = 0;

  while (lanes.phase != Phase::FULL && k < n)
    {
      const int end = min (n, k + ARMILLA_DELTA_CHECK);

      for (; k < end; k++)
        {
          if (lanes.phase == Phase::MIXED)
            {
              double q[R];

#pragma unroll
              for (int r = 0; r < R; r++)
                q[r] = lanes.value (r);
              add_terms<R, F> (sum, q, staged.alm[k]);
            }
          lanes.template step<PLAIN> (staged.c, k);
        }
      lanes.rescale ();
    }
#pragma unroll 4
  for (; k < n; k++)
    {
      add_terms<R, F> (sum, lanes.q, staged.alm[k]);
      lanes.template step<PLAIN> (staged.c, k);
    }
}

/* Fields field .. field + F - 1. Warps have neighbouring pairs, so that they skip together. */
template <int R, int F>
__global__ void __launch_bounds__ (n_threads)
synthesis_kernel (ArmillaDeltaShape shape, int field, const double *__restrict__ table,
                  const double *__restrict__ prepared, const double *__restrict__ pairs,
                  double *__restrict__ tile)
{
  __shared__ Staged<F> staged;
  const int64_t m = shape.m_first + blockIdx.y;
  const int64_t before = armilla_delta_steps_before (shape.lmax, shape.m_first, m);
  const int n = (int) armilla_delta_steps (shape.lmax, m);
  const int64_t at = ((int64_t) blockIdx.x * n_threads + (threadIdx.x & ~31u)) * R
                     + (threadIdx.x & 31u);
  double sum[R][F][4] = {};
  int64_t index[R];
  Lanes<R> lanes;

#pragma unroll
  for (int r = 0; r < R; r++)
    index[r] = min (at + 32 * r, shape.n_pairs - 1);
  lanes.start (shape, pairs, index, m, table[blockIdx.y]);
  table += shape.m_last - shape.m_first + 1 + 3 * before;
  prepared += 4 * (before * shape.n_fields + (int64_t) field * n);
  if (__syncthreads_or (lanes.phase != Phase::NEVER))
    for (int k0 = 0; k0 < n; k0 += segment_size)
      {
        const int end = min (segment_size, n - k0);

        segment_load (staged.c, table, n, k0);
        for (int i = threadIdx.x; i < end * 2 * F; i += n_threads)
          {
            const int f = i / (2 * end), j = i % (2 * end);

            staged.alm[j / 2][f][j % 2]
              = ((const double2 *) (prepared + 4 * ((int64_t) f * n + k0)))[j];
          }
        __syncthreads ();
        if (lanes.phase != Phase::NEVER)
          {
            if (lanes.plain)
              run<true, R, F> (lanes, sum, staged, end);
            else
              run<false, R, F> (lanes, sum, staged, end);
          }
        __syncthreads ();
      }
  tile += ((int64_t) blockIdx.y * shape.n_fields + field) * 4 * shape.n_pairs;
#pragma unroll
  for (int r = 0; r < R; r++)
    if (at + 32 * r < shape.n_pairs)
      {
        const double c = pairs[ARMILLA_PAIR_COS * shape.n_pairs + index[r]];
        double *t = tile + index[r];

#pragma unroll
        for (int f = 0; f < F; f++, t += 4 * shape.n_pairs)
          {
            const double re = sum[r][f][2] * c, im = sum[r][f][3] * c;

            t[0] = sum[r][f][0] + re;
            t[shape.n_pairs] = sum[r][f][1] + im;
            t[2 * shape.n_pairs] = sum[r][f][0] - re;
            t[3 * shape.n_pairs] = sum[r][f][1] - im;
          }
      }
}

template <int R, int F>
void
launch (const ArmillaDeltaShape *shape, int64_t field, const double *table, const double *prepared,
        const double *pairs, double *tile, cudaStream_t stream)
{
  const int64_t per_block = n_threads * R;
  const dim3 grid ((unsigned) ((shape->n_pairs + per_block - 1) / per_block),
                   (unsigned) (shape->m_last - shape->m_first + 1));

  synthesis_kernel<R, F><<<grid, n_threads, 0, stream>>> (*shape, (int) field, table, prepared,
                                                          pairs, tile);
}

} // namespace

/**
 * armilla_delta_synthesis_launch:
 * @shape: the block
 * @table: (in): the table
 * @prepared: (in): the prepared a_lm, aligned to 16 bytes
 * @pairs: (in): the pair table
 * @tile: (out): as armilla_delta_synthesis_cpu() fills it
 * @stream: where to queue the work
 *
 * Returns: whether the work could be queued
 */
cudaError_t
armilla_delta_synthesis_launch (const ArmillaDeltaShape *shape, const double *table,
                                const double *prepared, const double *pairs, double *tile,
                                cudaStream_t stream)
{
  const int64_t n = shape->n_pairs, n_orders = shape->m_last - shape->m_first + 1;
  /* Four pairs a thread share what is read from shared memory, if enough blocks remain. */
  const bool large = (n + 511) / 512 * n_orders >= 1024;
  cudaError_t status = cudaSuccess;

  if (n == 0)
    return status;
  for (int64_t f = 0; f < shape->n_fields && status == cudaSuccess;)
    {
      const int64_t left = shape->n_fields - f;

      if (left >= 4)
        launch<2, 4> (shape, f, table, prepared, pairs, tile, stream);
      else if (left >= 2)
        launch<2, 2> (shape, f, table, prepared, pairs, tile, stream);
      else if (large)
        launch<4, 1> (shape, f, table, prepared, pairs, tile, stream);
      else
        launch<1, 1> (shape, f, table, prepared, pairs, tile, stream);
      f += left >= 4 ? 4 : left >= 2 ? 2 : 1;
      status = cudaGetLastError ();
    }
  return status;
}
