/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis on the GPU: a block has one order and one field and all ring pairs, R a thread
 * at a time. A thread adds its R terms in registers; a warp transposes and adds eight steps at
 * once; the warps' sums meet in shared memory. All in a fixed order, without atomics. */
#include "codelets/delta-lanes.cuh"

namespace
{

constexpr int n_threads = 256;
constexpr int n_warps = n_threads / 32;
constexpr int segment_size = 64;
constexpr int batch = 8; /* steps that a warp adds at once: 8 steps x 4 sums = 32 lanes */

static_assert (batch == ARMILLA_DELTA_CHECK && segment_size % batch == 0, "checks fall on batches");

struct Shared
{
  Segment<segment_size> c;
  double sum[n_warps][segment_size * 4];
};

/* One step of a butterfly: lanes whose bit is clear go on with the sums of @low, the others with
 * those of @high. */
__device__ __forceinline__ double
exchange (double low, double high, int bit)
{
  const bool upper = threadIdx.x & bit;
  const double keep = upper ? high : low, send = upper ? low : high;

  return keep + __shfl_xor_sync (~0u, send, bit);
}

/* Terms of a step: sum over this thread's pairs, then over lanes that agree in the low three bits
 * of their number; those with bits 3 and 4 saying c hold that of component c. */
template <bool ALL, int R>
__device__ __forceinline__ double
step_terms (const Lanes<R> &lanes, const double (&v)[R][4])
{
  double s[4];

#pragma unroll
  for (int c = 0; c < 4; c++)
    {
      s[c] = 0;
#pragma unroll
      for (int r = 0; r < R; r++)
        s[c] = fma (ALL ? lanes.q[r] : lanes.value (r), v[r][c], s[c]);
    }
  return exchange (exchange (s[0], s[2], 16), exchange (s[1], s[3], 16), 8);
}

/* Eight steps; lane k + 8 c gets the sum over the warp of component c of step k. */
template <bool PLAIN, bool ALL, int R>
__device__ __forceinline__ double
batch_terms (Lanes<R> &lanes, const double (&v)[R][4], const Segment<segment_size> &segment, int k0)
{
  double u[batch];

#pragma unroll
  for (int k = 0; k < batch; k++)
    {
      u[k] = step_terms<ALL, R> (lanes, v);
      lanes.template step<PLAIN> (segment, k0 + k);
    }
#pragma unroll
  for (int k = 0; k < 4; k++)
    u[k] = exchange (u[k], u[k + 4], 4);
#pragma unroll
  for (int k = 0; k < 2; k++)
    u[k] = exchange (u[k], u[k + 2], 2);
  return exchange (u[0], u[1], 1);
}

/* A segment of one warp -> sum[k][4]. */
template <bool PLAIN, int R>
__device__ __forceinline__ void
run (Lanes<R> &lanes, const double (&v)[R][4], const Segment<segment_size> &segment, double *sum)
{
  const int lane = threadIdx.x & 31, to = (lane & 7) * 4 + (lane >> 3);

  for (int k0 = 0; k0 < segment_size; k0 += batch)
    {
      double s = 0;

      if (lanes.phase == Phase::FULL)
        s = batch_terms<PLAIN, true, R> (lanes, v, segment, k0);
      else
        {
          if (lanes.phase == Phase::MIXED)
            s = batch_terms<PLAIN, false, R> (lanes, v, segment, k0);
          else
            for (int k = 0; k < batch; k++)
              lanes.template step<PLAIN> (segment, k0 + k);
          lanes.rescale ();
        }
      sum[k0 * 4 + to] = s;
    }
}

/* Even and odd parts of the pairs of a thread. @tile: [4][n_pairs]; index < 0: none */
template <int R>
__device__ __forceinline__ void
load_values (double (&v)[R][4], const double *__restrict__ tile, const double *__restrict__ cosine,
             int64_t n, int64_t at)
{
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      const int64_t i = at + 32 * r;
      const bool is = i < n;
      const double *t = tile + (is ? i : 0);
      const double c = is ? cosine[i] : 0;

      v[r][0] = is ? t[0] + t[2 * n] : 0;
      v[r][1] = is ? t[n] + t[3 * n] : 0;
      v[r][2] = is ? c * (t[0] - t[2 * n]) : 0;
      v[r][3] = is ? c * (t[n] - t[3 * n]) : 0;
    }
}

/* prepared[n][4] += the pairs from @first on */
template <int R>
__device__ __forceinline__ void
add_pairs (const ArmillaDeltaShape &shape, int64_t m, int64_t first, double norm,
           const double *__restrict__ table, const double *__restrict__ tile,
           const double *__restrict__ pairs, double *prepared, Shared &shared)
{
  const int warp = threadIdx.x / 32, n = (int) armilla_delta_steps (shape.lmax, m);
  const int64_t at = first + (threadIdx.x & ~31u) * R + (threadIdx.x & 31u);
  int64_t index[R];
  double v[R][4];
  Lanes<R> lanes;

#pragma unroll
  for (int r = 0; r < R; r++)
    index[r] = min (at + 32 * r, shape.n_pairs - 1);
  lanes.start (shape, pairs, index, m, norm);
  if (!__syncthreads_or (lanes.phase != Phase::NEVER))
    return;
  load_values<R> (v, tile, pairs + ARMILLA_PAIR_COS * shape.n_pairs, shape.n_pairs, at);
  for (int i = threadIdx.x & 31; i < segment_size * 4; i += 32)
    shared.sum[warp][i] = 0; /* stays so where the phase is NEVER */
  for (int k0 = 0; k0 < n; k0 += segment_size)
    {
      const int end = 4 * min (segment_size, n - k0);

      segment_load (shared.c, table, n, k0);
      __syncthreads ();
      if (lanes.phase != Phase::NEVER)
        {
          if (lanes.plain)
            run<true, R> (lanes, v, shared.c, shared.sum[warp]);
          else
            run<false, R> (lanes, v, shared.c, shared.sum[warp]);
        }
      __syncthreads ();
      for (int i = threadIdx.x; i < end; i += n_threads)
        {
          double s = shared.sum[0][i];

#pragma unroll
          for (int w = 1; w < n_warps; w++)
            s += shared.sum[w][i];
          prepared[4 * k0 + i] += s;
        }
    }
  __syncthreads (); /* the next pairs clear the sums */
}

template <int R>
__global__ void __launch_bounds__ (n_threads)
adjoint_kernel (ArmillaDeltaShape shape, const double *__restrict__ table,
                const double *__restrict__ tile, const double *__restrict__ pairs, double *prepared)
{
  __shared__ Shared shared;
  const int64_t m = shape.m_first + blockIdx.x;
  const int64_t before = armilla_delta_steps_before (shape.lmax, shape.m_first, m);
  const double norm = table[blockIdx.x];

  table += shape.m_last - shape.m_first + 1 + 3 * before;
  tile += ((int64_t) blockIdx.x * shape.n_fields + blockIdx.y) * 4 * shape.n_pairs;
  prepared += 4 * (before * shape.n_fields
                   + blockIdx.y * armilla_delta_steps (shape.lmax, m));
  for (int64_t first = 0; first < shape.n_pairs; first += n_threads * R)
    add_pairs<R> (shape, m, first, norm, table, tile, pairs, prepared, shared);
}

} // namespace

/**
 * armilla_delta_adjoint_launch:
 * @shape: the block
 * @table: (in): the table
 * @tile: (in): as for armilla_delta_adjoint_cpu()
 * @pairs: (in): the pair table
 * @prepared: (inout): the adjoint of the synthesis is added, as by armilla_delta_adjoint_cpu()
 * @stream: where to queue the work
 *
 * Returns: whether the work could be queued
 */
cudaError_t
armilla_delta_adjoint_launch (const ArmillaDeltaShape *shape, const double *table,
                              const double *tile, const double *pairs, double *prepared,
                              cudaStream_t stream)
{
  const dim3 grid ((unsigned) (shape->m_last - shape->m_first + 1), (unsigned) shape->n_fields);

  if (shape->n_pairs == 0)
    return cudaSuccess;
  if (shape->n_pairs > 2 * n_threads)
    adjoint_kernel<4><<<grid, n_threads, 0, stream>>> (*shape, table, tile, pairs, prepared);
  else
    adjoint_kernel<1><<<grid, n_threads, 0, stream>>> (*shape, table, tile, pairs, prepared);
  return cudaGetLastError ();
}
