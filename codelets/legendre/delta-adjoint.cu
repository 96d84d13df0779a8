/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis of one field on the GPU. Each warp processes one order and all ring pairs, 32 R
 * at a time: a lane adds its R terms in registers, the lanes transpose and add eight steps at once,
 * and the results are added to memory. The order is fixed: each sum belongs to one lane.
 *
 * Two degrees of a ring pair take 6 multiply-adds (7 operations near the poles and the equator);
 * two degrees of 32 R pairs take 4 more additions across lanes, and read and write 32 bytes. */
#include "codelets/legendre/delta-fields.cuh"
#include "codelets/legendre/delta-lanes.cuh"

namespace
{

/* Shared memory of a warp. */
template <int R> struct Warp
{
  double2 c[2][chunk];
  Powers<R> powers;
};

/* One step of a butterfly: lanes whose bit is clear continue with the sums of @low, the others with
 * those of @high. */
__device__ __forceinline__ double
exchange (double low, double high, int bit)
{
  const bool upper = threadIdx.x & bit;
  const double keep = upper ? high : low, send = upper ? low : high;

  return keep + __shfl_xor_sync (all_lanes, send, bit);
}

/* Returns a component of the terms of a step, summed over this thread's pairs and then over the
 * lanes whose numbers have the same low three bits. A lane with c in bits 3 and 4 of its number
 * holds component c ^ j in v[][j] and returns component c, so that it always sends the same
 * elements. */
template <bool ALL, int R>
__device__ __forceinline__ double
step_terms (const Lanes<R> &lanes, const double (&v)[R][4])
{
  double s[4];

#pragma unroll
  for (int r = 0; r < R; r++)
    {
      const double q = ALL ? lanes.q[r] : lanes.value (r);

#pragma unroll
      for (int c = 0; c < 4; c++)
        s[c] = r == 0 ? q * v[r][c] : fma (q, v[r][c], s[c]);
    }
  s[0] += __shfl_xor_sync (all_lanes, s[2], 16);
  s[1] += __shfl_xor_sync (all_lanes, s[3], 16);
  return s[0] + __shfl_xor_sync (all_lanes, s[1], 8);
}

/* Takes eight steps; returns to lane k + 8 c the sum over the warp of component c of step k. */
template <Form FORM, bool ALL, int R>
__device__ __forceinline__ double
batch_terms (Lanes<R> &lanes, const double (&v)[R][4], const double2 *c)
{
  double by_four[2];

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      double by_two[2];

#pragma unroll
      for (int j = 0; j < 2; j++)
        {
          const int k = 4 * i + 2 * j;
          const double low = step_terms<ALL, R> (lanes, v);

          lanes.template step<FORM> (c[k]);
          const double high = step_terms<ALL, R> (lanes, v);

          lanes.template step<FORM> (c[k + 1]);
          by_two[j] = exchange (low, high, 1);
        }
      by_four[i] = exchange (by_two[0], by_two[1], 2);
    }
  return exchange (by_four[0], by_four[1], 4);
}

/* Processes steps from k until all pairs contribute (ALL: to the end) and adds their sums to
 * prepared. Returns the next step. */
template <Form FORM, bool ALL, int R>
__device__ __forceinline__ int
run_steps (Lanes<R> &lanes, const double (&v)[R][4], const Columns &columns, double *prepared,
           int k, double2 (&c)[2][chunk])
{
  const int lane = lane_id (), to = 4 * (lane % 8) + lane / 8;
  double2 next = columns.get (k + lane);

  __syncwarp ();
  for (int b = 0; k < columns.n && (ALL || lanes.phase != Phase::FULL); b ^= 1)
    {
      c[b][lane] = next;
      __syncwarp ();
      next = columns.get (k + chunk + lane);
      for (int i = 0; i < chunk && k < columns.n && (ALL || lanes.phase != Phase::FULL); i += batch)
        {
          const double s = batch_terms<FORM, ALL, R> (lanes, v, &c[b][i]);

          /* No other thread adds here; an atomic addition saves the warp from waiting for the
           * read. */
          if (k + lane % 8 < columns.n)
            atomicAdd (prepared + 4 * k + to, s);
          k += batch;
          if (!ALL)
            lanes.rescale ();
        }
    }
  __syncwarp ();
  return k;
}

/* One order of the pairs of a warp that use one form of the recurrence. */
template <Form FORM, int R>
__device__ __forceinline__ void
run_order (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, int64_t at,
           const Order &o, const double (&v)[R][4], double *prepared, Warp<R> &warp)
{
  const Columns columns = columns_get (o, FORM);
  Lanes<R> lanes;
  int k;

  if (!lanes.start (shape, pairs, at, o, FORM, warp.powers))
    return;
  k = lanes.template skip<FORM> (columns, warp.c[0]);
  if (k < o.n && lanes.phase != Phase::FULL)
    k = run_steps<FORM, false, R> (lanes, v, columns, prepared, k, warp.c);
  if (k < o.n)
    run_steps<FORM, true, R> (lanes, v, columns, prepared, k, warp.c);
}

template <int R>
__device__ __forceinline__ void
load_values (double (&v)[R][4], const ArmillaDeltaShape &shape, const double2 *__restrict__ tile,
             const double *__restrict__ pairs, int64_t at, int64_t m, int64_t field)
{
  const bool swap_re = threadIdx.x & 8, swap_odd = threadIdx.x & 16;

#pragma unroll
  for (int r = 0; r < R; r++)
    {
      const int64_t i = at + warp_size * r;
      double2 even = make_double2 (0, 0), odd = even;

      if (i < shape.n_pairs)
        tile_load (shape, tile, field, i, m, pairs[ARMILLA_PAIR_COS * shape.n_pairs + i], &even,
                   &odd);
      const double2 a = swap_odd ? odd : even, b = swap_odd ? even : odd;

      v[r][0] = swap_re ? a.y : a.x;
      v[r][1] = swap_re ? a.x : a.y;
      v[r][2] = swap_re ? b.y : b.x;
      v[r][3] = swap_re ? b.x : b.y;
    }
}

template <int R, int BLOCKS>
__global__ void __launch_bounds__ (warp_size, BLOCKS)
adjoint_kernel (ArmillaDeltaShape shape, int field, const double *__restrict__ table,
                const double2 *__restrict__ tile, const double *__restrict__ pairs,
                double *prepared)
{
  __shared__ Warp<R> warp;
  const Order o = order_get (shape, table, shape.m_first + blockIdx.x);

  prepared += 4 * (o.before * shape.n_fields + (int64_t) field * o.n);
  for (int64_t first = 0; first < shape.n_pairs; first += warp_size * R)
    {
      const int64_t at = first + lane_id ();
      const unsigned forms = forms_wanted<R> (pairs, shape.n_pairs, at);
      double v[R][4];

      powers_first<R> (warp.powers, pairs, shape.n_pairs, at, o.m);
      load_values<R> (v, shape, tile, pairs, at, o.m, field);
      if (is_wanted (forms, Form::PLAIN))
        run_order<Form::PLAIN, R> (shape, pairs, at, o, v, prepared, warp);
      if (is_wanted (forms, Form::DIFFERENCE))
        run_order<Form::DIFFERENCE, R> (shape, pairs, at, o, v, prepared, warp);
      if (is_wanted (forms, Form::SUM))
        run_order<Form::SUM, R> (shape, pairs, at, o, v, prepared, warp);
    }
}

template <int R, int BLOCKS>
cudaError_t
launch (const ArmillaDeltaShape *shape, int64_t field, const double *table, const double *tile,
        const double *pairs, double *prepared, cudaStream_t stream)
{
  adjoint_kernel<R, BLOCKS>
    <<<(unsigned) (shape->m_last - shape->m_first + 1), warp_size, 0, stream>>> (
      *shape, (int) field, table, (const double2 *) tile, pairs, prepared);
  return cudaGetLastError ();
}

} // namespace

int
armilla_delta_adjoint_launch (const ArmillaDeltaShape *shape, const double *table,
                              const double *tile, const double *pairs, double *prepared,
                              cudaStream_t stream)
{
  /* If there are too few orders to fill the GPU, several warps per order are faster. */
  const bool many = delta_orders (*shape) >= 1024;
  const bool blocks = !many && delta_adjoint_fields_fits ();
  cudaError_t status = cudaSuccess;

  if (shape->n_pairs == 0)
    return status;
  for (int64_t f = 0; f < shape->n_fields && status == cudaSuccess;)
    if (blocks)
      {
        status = delta_adjoint_fields (shape, f, table, tile, pairs, prepared, stream);
        f += DELTA_MAX_FIELDS;
      }
    else if (many && shape->n_fields - f > 1)
      {
        status = delta_adjoint_warps (shape, f, table, tile, pairs, prepared, stream);
        f += DELTA_FIELDS_OF_WARPS;
      }
    else
      {
        status = shape->n_pairs > 4 * warp_size
                   ? launch<8, 8> (shape, f, table, tile, pairs, prepared, stream)
                   : launch<2, 16> (shape, f, table, tile, pairs, prepared, stream);
        f++;
      }
  return status;
}
