/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis of several fields on the GPU. A warp processes 32 RG ring pairs and 4 NQ fields and
 * sums their products with the matrix unit: q of 8 steps and 16 pairs times the a_lm of 8 steps and
 * two fields. The recurrence computes q with one pair per lane; shared memory rearranges it for the
 * product.
 *
 * Two degrees of a ring pair take 2 or 3 operations for the recurrence and 4 F multiply-adds, at
 * twice the rate of ordinary ones on Hopper. */
#include <cuda_pipeline.h>

#include "codelets/legendre/delta-fields.cuh"
#include "codelets/legendre/delta-lanes.cuh"
#include "codelets/legendre/delta-mma.cuh"

namespace
{

constexpr int n_warps = 4;
constexpr int n_threads = n_warps * warp_size;

template <int NQ, int RG> struct Shared
{
  double alm[2][chunk][16 * NQ + 4];
  double2 c[n_warps][chunk];
  double q[n_warps][batch][warp_size * RG + 4];
  int first[n_warps];
  Powers<RG> powers[n_warps];
};

template <int NQ, int RG>
__device__ __forceinline__ void
stage_alm (Shared<NQ, RG> &shared, int b, const double *__restrict__ prepared, int n_fields,
           int k, int n)
{
  constexpr int pieces = chunk * NQ * 8;

#pragma unroll
  for (int j = threadIdx.x; j < pieces; j += n_threads)
    {
      const int f = j / (2 * chunk), rest = j % (2 * chunk);
      const bool is = f < n_fields && k + rest / 2 < n;
      const double *from = prepared + (is ? 4 * ((int64_t) f * n + k) + 2 * rest : 0);

      __pipeline_memcpy_async (&shared.alm[b][rest / 2][4 * f + 2 * (rest % 2)], from, 16,
                               is ? 0 : 16);
    }
  __pipeline_commit ();
}

/* A lane's part of the products of 16 pairs and 8 columns (four per field). Of sixteen columns, 2 g
 * and 2 g + 1 belong to different products, so that a lane obtains all four columns of a field. */
template <int NQ, int RG>
struct Sums
{
  double c[2 * RG][2 * NQ][4];
};

template <Form FORM, bool ALL, int NQ, int RG>
__device__ __forceinline__ void
run_batch (Lanes<RG> &lanes, Sums<NQ, RG> &sums, Shared<NQ, RG> &shared, int b, int i)
{
  const int w = threadIdx.x / warp_size, g = lane_id () / 4, t = lane_id () % 4;
  double a[2 * RG][4];

#pragma unroll
  for (int j = 0; j < batch; j++)
    {
#pragma unroll
      for (int r = 0; r < RG; r++)
        shared.q[w][j][warp_size * r + lane_id ()] = ALL ? lanes.q[r] : lanes.value (r);
      lanes.template step<FORM> (shared.c[w][i + j]);
    }
  __syncwarp ();
#pragma unroll
  for (int j = 0; j < 2 * RG; j++)
#pragma unroll
    for (int h = 0; h < 4; h++)
      a[j][h] = shared.q[w][t + 4 * (h / 2)][16 * j + g + 8 * (h % 2)];
#pragma unroll
  for (int u = 0; u < NQ; u++)
    {
      const double2 v0 = *(const double2 *) &shared.alm[b][i + t][16 * u + 2 * g];
      const double2 v1 = *(const double2 *) &shared.alm[b][i + 4 + t][16 * u + 2 * g];

#pragma unroll
      for (int j = 0; j < 2 * RG; j++)
        {
          warp_multiply (sums.c[j][2 * u], a[j], v0.x, v1.x);
          warp_multiply (sums.c[j][2 * u + 1], a[j], v0.y, v1.y);
        }
    }
  __syncwarp ();
}

template <Form FORM, int NQ, int RG>
__device__ __forceinline__ void
run_order (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, int64_t at,
           const Order &o, unsigned forms, const double *__restrict__ prepared, int n_fields,
           Sums<NQ, RG> &sums, Shared<NQ, RG> &shared)
{
  const int w = threadIdx.x / warp_size;
  const Columns columns = columns_get (o, FORM);
  Lanes<RG> lanes;
  int first = o.n, k;

  if (is_wanted (forms, FORM)
      && lanes.start (shape, pairs, at, o, FORM, shared.powers[w]))
    first = lanes.template skip<FORM> (columns, shared.c[w]);
  shared.first[w] = first;
  __syncthreads ();
  k = shared.first[0];
#pragma unroll
  for (int i = 1; i < n_warps; i++)
    k = min (k, shared.first[i]);
  if (k < o.n)
    stage_alm<NQ, RG> (shared, 0, prepared, n_fields, k, o.n);
  for (int b = 0; k < o.n; b ^= 1)
    {
      const int end = min (k + chunk, o.n);

      __syncwarp ();
      shared.c[w][lane_id ()] = columns.get (k + lane_id ());
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (k + chunk < o.n)
        stage_alm<NQ, RG> (shared, b ^ 1, prepared, n_fields, k + chunk, o.n);
      for (int at_k = k, i = 0; at_k < end; at_k += batch, i += batch)
        if (at_k >= first)
          {
            if (lanes.phase == Phase::FULL)
              run_batch<FORM, true, NQ, RG> (lanes, sums, shared, b, i);
            else
              {
                run_batch<FORM, false, NQ, RG> (lanes, sums, shared, b, i);
                lanes.rescale ();
              }
          }
      k += chunk;
    }
  __syncthreads ();
}

template <int NQ, int RG>
__global__ void __launch_bounds__ (n_threads, 3)
synthesis_kernel (ArmillaDeltaShape shape, int field, const double *__restrict__ table,
                  const double *__restrict__ prepared, const double *__restrict__ pairs,
                  double2 *__restrict__ tile)
{
  __shared__ Shared<NQ, RG> shared;
  const int w = threadIdx.x / warp_size, g = lane_id () / 4, t = lane_id () % 4;
  const int64_t first = ((int64_t) blockIdx.x * n_warps + w) * warp_size * RG;
  const int64_t at = first + lane_id ();
  const Order o = order_get (shape, table, shape.m_first + blockIdx.y);
  const unsigned forms = forms_wanted<RG> (pairs, shape.n_pairs, at);
  const int n_fields = min (4 * NQ, (int) shape.n_fields - field);
  const double *alm = prepared + 4 * (o.before * shape.n_fields + (int64_t) field * o.n);
  Sums<NQ, RG> sums = {};

  powers_first<RG> (shared.powers[w], pairs, shape.n_pairs, at, o.m);
  if (__syncthreads_or (is_wanted (forms, Form::PLAIN)))
    run_order<Form::PLAIN, NQ, RG> (shape, pairs, at, o, forms, alm, n_fields, sums,
                                        shared);
  if (__syncthreads_or (is_wanted (forms, Form::DIFFERENCE)))
    run_order<Form::DIFFERENCE, NQ, RG> (shape, pairs, at, o, forms, alm, n_fields, sums,
                                        shared);
  if (__syncthreads_or (is_wanted (forms, Form::SUM)))
    run_order<Form::SUM, NQ, RG> (shape, pairs, at, o, forms, alm, n_fields, sums,
                                        shared);
#pragma unroll
  for (int j = 0; j < 4 * RG; j++)
    {
      const int64_t pair = first + 8 * j + g;

      if (pair < shape.n_pairs)
#pragma unroll
        for (int u = 0; u < NQ; u++)
          if (4 * u + t < n_fields)
            {
              const double (&x)[4] = sums.c[j / 2][2 * u], (&y)[4] = sums.c[j / 2][2 * u + 1];
              const int h = 2 * (j % 2);

              tile_store (shape, tile, field + 4 * u + t, pair, o.m,
                          pairs[ARMILLA_PAIR_COS * shape.n_pairs + pair],
                          make_double2 (x[h], y[h]), make_double2 (x[h + 1], y[h + 1]));
            }
    }
}

template <int NQ, int RG>
cudaError_t
launch (const ArmillaDeltaShape *shape, int64_t field, const double *table, const double *prepared,
        const double *pairs, double *tile, cudaStream_t stream)
{
  const int64_t per_block = n_threads * RG;
  const dim3 grid ((unsigned) ((shape->n_pairs + per_block - 1) / per_block),
                   (unsigned) (shape->m_last - shape->m_first + 1));

  synthesis_kernel<NQ, RG><<<grid, n_threads, 0, stream>>> (*shape, (int) field, table, prepared,
                                                            pairs, (double2 *) tile);
  return cudaGetLastError ();
}

} // namespace

cudaError_t
delta_synthesis_fields (const ArmillaDeltaShape *shape, int64_t field, const double *table,
                        const double *prepared, const double *pairs, double *tile,
                        cudaStream_t stream)
{
  const int64_t left = shape->n_fields - field;

  if (left > 8)
    return launch<4, 1> (shape, field, table, prepared, pairs, tile, stream);
  if (left > 4)
    return launch<2, 1> (shape, field, table, prepared, pairs, tile, stream);
  return launch<1, 2> (shape, field, table, prepared, pairs, tile, stream);
}
