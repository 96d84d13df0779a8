/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis of one or two fields on the GPU: a warp sums R ring pairs per lane in registers, for
 * several orders in turn; coefficients and a_lm pass through its part of the shared memory.
 *
 * Two degrees of a ring pair take 2 + 4 F fused multiply-adds for F fields (one more addition near
 * the poles and the equator), 16 + 32 F bytes of coefficients and a_lm per warp, and at the end 32
 * bytes per pair and field. So arithmetic is the limit: 12 flops for two degrees of one field.
 * Register ports keep it below the peak: a multiply-add of three new operands takes three cycles
 * instead of two, and so do loads from shared memory. */
#include <algorithm>
#include <cuda_pipeline.h>

#include "codelets/legendre/delta-fields.cuh"
#include "codelets/legendre/delta-lanes.cuh"

namespace
{

constexpr int n_warps = 4;
constexpr int n_threads = n_warps * warp_size;

/* Data that a warp loads together: a and p, and the prepared a_lm (even, odd) of some steps. */
template <int F> struct Stage
{
  double2 c[chunk];
  double2 alm[F][2 * chunk];
};

template <int R, int F> struct Warp
{
  Stage<F> stage[2];
  Powers<R> powers;
};

/* Starts loading the a_lm of steps k .. k + chunk - 1 to @stage. @prepared: a_lm of the first
 * field; those of the next one are 2 n numbers later */
template <int F>
__device__ __forceinline__ void
stage_alm (Stage<F> &stage, const double2 *__restrict__ prepared, int k, int n)
{
#pragma unroll
  for (int f = 0; f < F; f++)
#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        const int i = half * warp_size + lane_id ();
        const bool is = k + i / 2 < n;

        __pipeline_memcpy_async (&stage.alm[f][i], prepared + (is ? 2 * (f * n + k) + i : 0),
                                 sizeof (double2), is ? 0 : sizeof (double2));
      }
  __pipeline_commit ();
}

template <Form FORM, bool ALL, int R, int F>
__device__ __forceinline__ void
run_batch (Lanes<R> &lanes, double (&sum)[R][4 * F], const Stage<F> &stage, int i)
{
#pragma unroll (ALL ? batch : 1)
  for (int j = 0; j < batch; j++)
    {
#pragma unroll
      for (int f = 0; f < F; f++)
        {
          const double2 even = stage.alm[f][2 * (i + j)], odd = stage.alm[f][2 * (i + j) + 1];

#pragma unroll
          for (int r = 0; r < R; r++)
            {
              const double q = ALL ? lanes.q[r] : lanes.value (r);

              sum[r][4 * f] = fma (q, even.x, sum[r][4 * f]);
              sum[r][4 * f + 1] = fma (q, even.y, sum[r][4 * f + 1]);
              sum[r][4 * f + 2] = fma (q, odd.x, sum[r][4 * f + 2]);
              sum[r][4 * f + 3] = fma (q, odd.y, sum[r][4 * f + 3]);
            }
        }
      lanes.template step<FORM> (stage.c[i + j]);
    }
}

/* Processes steps from k until all pairs contribute (ALL: to the end). Returns the next step. */
template <Form FORM, bool ALL, int R, int F>
__device__ __forceinline__ int
run_steps (Lanes<R> &lanes, double (&sum)[R][4 * F], const Columns &columns,
           const double2 *__restrict__ prepared, int k, Stage<F> (&stages)[2])
{
  double2 next = columns.get (k + lane_id ());

  __syncwarp ();
  stage_alm<F> (stages[0], prepared, k, columns.n);
  for (int b = 0; k < columns.n && (ALL || lanes.phase != Phase::FULL); b ^= 1)
    {
      Stage<F> &stage = stages[b];

      stage.c[lane_id ()] = next;
      __pipeline_wait_prior (0);
      __syncwarp ();
      next = columns.get (k + chunk + lane_id ());
      stage_alm<F> (stages[b ^ 1], prepared, k + chunk, columns.n);
      for (int i = 0; i < chunk && k < columns.n && (ALL || lanes.phase != Phase::FULL); i += batch)
        {
          run_batch<FORM, ALL, R, F> (lanes, sum, stage, i);
          k += batch;
          if (!ALL)
            lanes.rescale ();
        }
    }
  __pipeline_wait_prior (0);
  __syncwarp ();
  return k;
}

template <Form FORM, int R, int F>
__device__ __forceinline__ void
run_order (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, int64_t at,
           const Order &o, const double2 *__restrict__ prepared, double (&sum)[R][4 * F],
           Warp<R, F> &warp)
{
  const Columns columns = columns_get (o, FORM);
  Lanes<R> lanes;
  int k;

  if (!lanes.start (shape, pairs, at, o, FORM, warp.powers))
    return;
  k = lanes.template skip<FORM> (columns, warp.stage[0].c);
  if (k < o.n && lanes.phase != Phase::FULL)
    k = run_steps<FORM, false, R, F> (lanes, sum, columns, prepared, k, warp.stage);
  if (k < o.n)
    run_steps<FORM, true, R, F> (lanes, sum, columns, prepared, k, warp.stage);
}

/* A warp processes consecutive orders, so that its writes are adjacent. */
template <int R, int F, int BLOCKS>
__global__ void __launch_bounds__ (n_threads, BLOCKS)
synthesis_kernel (ArmillaDeltaShape shape, int field, int n_orders,
                  const double *__restrict__ table, const double2 *__restrict__ prepared,
                  const double *__restrict__ pairs, double2 *__restrict__ tile)
{
  __shared__ Warp<R, F> warps[n_warps];
  Warp<R, F> &warp = warps[threadIdx.x / warp_size];
  const int64_t group = (int64_t) blockIdx.x * n_warps + threadIdx.x / warp_size;
  const int64_t at = group * warp_size * R + lane_id ();
  const int64_t first = shape.m_first + (int64_t) blockIdx.y * n_orders;
  const int64_t end = min (first + n_orders, shape.m_last + 1);
  const unsigned forms = forms_wanted<R> (pairs, shape.n_pairs, at);

  if (forms == 0)
    return;
  powers_first<R> (warp.powers, pairs, shape.n_pairs, at, first);
  for (int64_t m = first; m < end; m++)
    {
      const Order o = order_get (shape, table, m);
      const double2 *alm = prepared + 2 * (o.before * shape.n_fields + (int64_t) field * o.n);
      double sum[R][4 * F] = {};

      if (m > first)
        powers_next<R> (warp.powers, pairs, shape.n_pairs, at);
      if (is_wanted (forms, Form::PLAIN))
        run_order<Form::PLAIN, R, F> (shape, pairs, at, o, alm, sum, warp);
      if (is_wanted (forms, Form::DIFFERENCE))
        run_order<Form::DIFFERENCE, R, F> (shape, pairs, at, o, alm, sum, warp);
      if (is_wanted (forms, Form::SUM))
        run_order<Form::SUM, R, F> (shape, pairs, at, o, alm, sum, warp);
#pragma unroll
      for (int r = 0; r < R; r++)
        if (at + warp_size * r < shape.n_pairs)
#pragma unroll
          for (int f = 0; f < F; f++)
            tile_store (shape, tile, field + f, at + warp_size * r, m,
                        pairs[ARMILLA_PAIR_COS * shape.n_pairs + at + warp_size * r],
                        make_double2 (sum[r][4 * f], sum[r][4 * f + 1]),
                        make_double2 (sum[r][4 * f + 2], sum[r][4 * f + 3]));
    }
}

template <int R, int F, int BLOCKS>
cudaError_t
launch (const ArmillaDeltaShape *shape, int64_t field, int64_t n_orders, const double *table,
        const double *prepared, const double *pairs, double *tile, cudaStream_t stream)
{
  const int64_t per_block = n_threads * R;
  const dim3 grid ((unsigned) ((shape->n_pairs + per_block - 1) / per_block),
                   (unsigned) ((shape->m_last - shape->m_first + n_orders) / n_orders));

  synthesis_kernel<R, F, BLOCKS><<<grid, n_threads, 0, stream>>> (
    *shape, (int) field, (int) n_orders, table, (const double2 *) prepared, pairs,
    (double2 *) tile);
  return cudaGetLastError ();
}

} // namespace

int
armilla_delta_synthesis_launch (const ArmillaDeltaShape *shape, const double *table,
                                const double *prepared, const double *pairs, double *tile,
                                cudaStream_t stream)
{
  const int64_t n = shape->n_pairs, n_orders = delta_orders (*shape);
  /* With four pairs per lane, more work shares the loads from shared memory, if enough warps
   * remain; likewise several orders per warp share the powers of the sine. */
  const bool large = (n + 127) / 128 * n_orders >= 8192;
  const int64_t turn = std::max<int64_t> (
    (n_orders + 65534) / 65535, std::min<int64_t> (4, (n + 511) / 512 * n_orders / 4096));
  cudaError_t status = cudaSuccess;

  if (n == 0)
    return status;
  for (int64_t f = 0; f < shape->n_fields && status == cudaSuccess;)
    if (shape->n_fields - f >= DELTA_MIN_FIELDS_SYNTHESIS)
      {
        status = delta_synthesis_fields (shape, f, table, prepared, pairs, tile, stream);
        f += DELTA_MAX_FIELDS;
      }
    else if (shape->n_fields - f == 2)
      {
        status = large ? launch<4, 2, 3> (shape, f, turn, table, prepared, pairs, tile, stream)
                       : launch<1, 2, 4> (shape, f, turn, table, prepared, pairs, tile, stream);
        f += 2;
      }
    else
      {
        status = large ? launch<4, 1, 4> (shape, f, turn, table, prepared, pairs, tile, stream)
                       : launch<1, 1, 4> (shape, f, turn, table, prepared, pairs, tile, stream);
        f++;
      }
  return status;
}
