/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis of up to four fields on the GPU if there are many orders. Each warp processes
 * one order and all ring pairs, 128 at a time: it holds the values of the fields in registers and
 * multiplies them, with the matrix unit, by q of eight steps, which the recurrence computes with
 * one pair per lane and passes through shared memory. Meanwhile it computes q of the next eight
 * steps and adds the previous sums. No warp waits for another, and each sum belongs to one lane.
 *
 * Two degrees of a ring pair take 2 or 3 operations for the recurrence and 16 multiply-adds, at
 * twice the rate of ordinary ones on Hopper, for any number of fields up to four; 16 bytes pass
 * through shared memory. Two degrees of 128 pairs and a field add 32 bytes in memory. The limit is
 * latency: 255 registers leave two warps per scheduler. */
#include "codelets/legendre/delta-fields.cuh"
#include "codelets/legendre/delta-lanes.cuh"
#include "codelets/legendre/delta-mma.cuh"

namespace
{

constexpr int R = 4; /* pairs per lane */
constexpr int n_products = 4 * R;

/* Shared memory of a warp. A row of q holds one step; padding avoids bank conflicts. */
struct Warp
{
  double q[2][batch][warp_size * R + 4];
  double2 c[chunk];
  Powers<R> powers;
};

/* A lane's part of the matrices of values, [product of eight pairs]; row 4 f + c of a matrix is
 * component c (even re, even im, odd re, odd im) of field f. */
typedef double Values[n_products][4];
/* A lane's part of the sums of these rows for eight steps: one array for products of even number
 * and one for odd ones, so that two products are in flight. */
typedef double Sums[2][4];

/* Destination of the sums: prepared a_lm of n_fields fields, n steps each. */
struct Target
{
  double *prepared;
  int n_fields, n;
};

__device__ __forceinline__ void
load_values (Values &v, const ArmillaDeltaShape &shape, const double2 *__restrict__ tile,
             const double *__restrict__ pairs, int64_t first, int64_t m, int field, int n_fields)
{
  const int g = lane_id () / 4, t = lane_id () % 4;
  const int64_t to_south = 2 * (shape.m_last - shape.m_first + 1);

#pragma unroll
  for (int s = 0; s < n_products; s++)
#pragma unroll
    for (int h = 0; h < 4; h++)
      {
        const int64_t pair = first + 8 * s + t + 4 * (h / 2);
        const int f = 2 * (h % 2) + g / 4;
        double value = 0;

        if (pair < shape.n_pairs && f < n_fields)
          {
            const double2 *mode = tile + tile_index (shape, field + f, pair, m);
            const double *at = (const double *) mode + g % 2;
            const double north = at[0], south = at[to_south];

            value = g & 2 ? pairs[ARMILLA_PAIR_COS * shape.n_pairs + pair] * (north - south)
                          : north + south;
          }
        v[s][h] = value;
      }
}

/* Adds the sums of steps k .. k + 7. No other thread adds here; an atomic addition saves the warp
 * from waiting for the read. */
__device__ __forceinline__ void
add_sums (const Target &target, int k, const double (&sums)[4])
{
  const int g = lane_id () / 4, t = lane_id () % 4;

#pragma unroll
  for (int h = 0; h < 4; h++)
    {
      const int f = 2 * (h / 2) + g / 4, step = k + 2 * t + h % 2;

      if (f < target.n_fields && step < target.n)
        atomicAdd (target.prepared + 4 * ((int64_t) f * target.n + step) + g % 4, sums[h]);
    }
}

template <bool ALL>
__device__ __forceinline__ void
put_q (Warp &warp, int b, int j, const Lanes<R> &lanes)
{
#pragma unroll
  for (int r = 0; r < R; r++)
    warp.q[b][j][warp_size * r + lane_id ()] = ALL ? lanes.q[r] : lanes.value (r);
}

/* Computes the sums of the eight steps from k on, whose q are in shared memory, while it computes q
 * of the next eight steps with the coefficients from i on and adds the previous sums, if any. */
template <Form FORM, bool ALL>
__device__ __forceinline__ void
eight_steps (Lanes<R> &lanes, const Values &v, Warp &warp, int b, int i, const Target &target,
             int k, bool was, double (&last)[4])
{
  const int g = lane_id () / 4, t = lane_id () % 4;
  Sums sums = {};

#pragma unroll
  for (int j = 0; j < batch; j++)
    {
      put_q<ALL> (warp, b ^ 1, j, lanes);
      lanes.template step<FORM> (warp.c[i + j]);
      if (j == 2 && was)
        add_sums (target, k - batch, last);
#pragma unroll
      for (int s = j * n_products / batch; s < (j + 1) * n_products / batch; s++)
        warp_multiply (sums[s % 2], v[s], warp.q[b][g][8 * s + t], warp.q[b][g][8 * s + t + 4]);
    }
#pragma unroll
  for (int h = 0; h < 4; h++)
    last[h] = sums[0][h] + sums[1][h];
}

/* One order of the pairs of a warp that use one form of the recurrence. */
template <Form FORM>
__device__ __forceinline__ void
run_order (const ArmillaDeltaShape &shape, const double2 *__restrict__ tile,
           const double *__restrict__ pairs, int64_t first, const Order &o, int field,
           const Target &target, Warp &warp)
{
  const Columns columns = columns_get (o, FORM);
  Lanes<R> lanes;
  Values v;
  double2 next;
  double last[4] = {};
  int start, k, i = batch;

  if (!lanes.start (shape, pairs, first + lane_id (), o, FORM, warp.powers))
    return;
  k = start = lanes.template skip<FORM> (columns, warp.c);
  if (k >= o.n)
    return;
  load_values (v, shape, tile, pairs, first, o.m, field, target.n_fields);
  __syncwarp ();
  warp.c[lane_id ()] = columns.get (k + lane_id ());
  next = columns.get (k + chunk + lane_id ());
  __syncwarp ();
#pragma unroll
  for (int j = 0; j < batch; j++)
    {
      put_q<false> (warp, 0, j, lanes);
      lanes.template step<FORM> (warp.c[j]);
    }
  if (lanes.phase != Phase::FULL)
    lanes.rescale ();
  for (int b = 0; k < o.n; b ^= 1, k += batch, i += batch)
    {
      __syncwarp ();
      if (i == chunk)
        {
          i = 0;
          warp.c[lane_id ()] = next;
          next = columns.get (k + batch + chunk + lane_id ());
          __syncwarp ();
        }
      if (lanes.phase == Phase::FULL)
        eight_steps<FORM, true> (lanes, v, warp, b, i, target, k, k > start, last);
      else
        {
          eight_steps<FORM, false> (lanes, v, warp, b, i, target, k, k > start, last);
          lanes.rescale ();
        }
    }
  add_sums (target, k - batch, last);
  __syncwarp ();
}

__global__ void __launch_bounds__ (warp_size, 8)
adjoint_kernel (ArmillaDeltaShape shape, int field, const double *__restrict__ table,
                const double2 *__restrict__ tile, const double *__restrict__ pairs,
                double *prepared)
{
  __shared__ Warp warp;
  const Order o = order_get (shape, table, shape.m_first + blockIdx.x);
  const Target target
    = { prepared + 4 * (o.before * shape.n_fields + (int64_t) field * o.n),
        min (DELTA_FIELDS_OF_WARPS, (int) shape.n_fields - field), o.n };

  for (int64_t first = 0; first < shape.n_pairs; first += warp_size * R)
    {
      const unsigned forms = forms_wanted<R> (pairs, shape.n_pairs, first + lane_id ());

      powers_first<R> (warp.powers, pairs, shape.n_pairs, first + lane_id (), o.m);
      if (is_wanted (forms, Form::PLAIN))
        run_order<Form::PLAIN> (shape, tile, pairs, first, o, field, target, warp);
      if (is_wanted (forms, Form::DIFFERENCE))
        run_order<Form::DIFFERENCE> (shape, tile, pairs, first, o, field, target, warp);
      if (is_wanted (forms, Form::SUM))
        run_order<Form::SUM> (shape, tile, pairs, first, o, field, target, warp);
    }
}

} // namespace

cudaError_t
delta_adjoint_warps (const ArmillaDeltaShape *shape, int64_t field, const double *table,
                     const double *tile, const double *pairs, double *prepared, cudaStream_t stream)
{
  adjoint_kernel<<<(unsigned) (shape->m_last - shape->m_first + 1), warp_size, 0, stream>>> (
    *shape, (int) field, table, (const double2 *) tile, pairs, prepared);
  return cudaGetLastError ();
}
