/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adjoint synthesis of several fields on the GPU. A thread block processes one order and all ring
 * pairs, 256 at a time. Its warps compute q of 32 steps, one pair per lane, in shared memory; each
 * then multiplies them, with the matrix unit, by its part of the values (4 fields and 32 NQ pairs,
 * in registers) while it computes its q of the next steps. All sums have a fixed order.
 *
 * Two degrees of a ring pair take 2 or 3 operations for the recurrence and 4 F multiply-adds, at
 * twice the rate of ordinary ones on Hopper; two degrees of 256 pairs add 32 F bytes in memory. */
#include "codelets/legendre/delta-fields.cuh"
#include "codelets/legendre/delta-lanes.cuh"
#include "codelets/legendre/delta-mma.cuh"

namespace
{

constexpr int n_warps = 8;
constexpr int n_threads = n_warps * warp_size; /* and number of ring pairs processed together */

struct Shared
{
  double q[2][chunk][n_threads + 4];
  double sum[2][n_warps][chunk][20];
  double2 c[n_warps][chunk];
  int first[n_warps];
  Powers<1> powers[n_warps];
};

/* State of a warp that computes q of its pairs for the next window of 32 steps. */
struct Producer
{
  Lanes<1> lanes;
  Columns columns;
  double2 next; /* coefficients of the next window */
  int first;    /* step at which the warp begins */
  int k;        /* first step of the window */
  double *to;
  bool on;

  __device__ __forceinline__ void
  begin (Shared &shared, int k0, int b)
  {
    const int w = threadIdx.x / warp_size;

    k = k0;
    to = &shared.q[b][0][threadIdx.x];
    on = k < columns.n && first < k + chunk;
    if (!on)
      return;
    __syncwarp ();
    shared.c[w][lane_id ()] = next;
    __syncwarp ();
    next = columns.get (k + chunk + lane_id ());
  }

  template <Form FORM, int N>
  __device__ __forceinline__ void
  steps (const Shared &shared, int i)
  {
    const int w = threadIdx.x / warp_size;

    if (!on)
      return;
    const bool started = k + i >= first; /* the same for the whole batch */

#pragma unroll
    for (int j = 0; j < N; j++)
      {
        to[(i + j) * (n_threads + 4)] = started ? lanes.value (0) : 0;
        if (started)
          lanes.template step<FORM> (shared.c[w][i + j]);
      }
    if (started && (i + N) % batch == 0 && lanes.phase != Phase::FULL)
      lanes.rescale ();
  }
};

/* Sums the products of q and v over one window, while it computes q of the next window. */
template <Form FORM, int NQ>
__device__ __forceinline__ void
window (Producer &producer, const double2 (&v)[NQ][8], int k, Shared &shared, int b)
{
  constexpr int per_product = chunk / (4 * NQ);
  const int w = threadIdx.x / warp_size, wr = w / NQ, g = lane_id () / 4, t = lane_id () % 4;
  double c[2][2][4] = {};

  producer.begin (shared, k + chunk, b ^ 1);
#pragma unroll
  for (int i = 0; i < NQ; i++)
    {
      const bool live = shared.first[wr * NQ + i] < k + chunk;

#pragma unroll
      for (int s = 0; s < 4; s++)
        {
          double a[2][4];

          if (live)
#pragma unroll
            for (int j = 0; j < 2; j++)
#pragma unroll
              for (int h = 0; h < 4; h++)
                a[j][h] = shared.q[b][16 * j + g + 8 * (h % 2)]
                                  [warp_size * (wr * NQ + i) + 8 * s + t + 4 * (h / 2)];
          producer.steps<FORM, per_product> (shared, (4 * i + s) * per_product);
          if (live)
#pragma unroll
            for (int j = 0; j < 2; j++)
              {
                warp_multiply (c[j][0], a[j], v[i][2 * s].x, v[i][2 * s + 1].x);
                warp_multiply (c[j][1], a[j], v[i][2 * s].y, v[i][2 * s + 1].y);
              }
        }
    }
#pragma unroll
  for (int j = 0; j < 4; j++)
    {
      double2 *to = (double2 *) &shared.sum[b][w][8 * j + g][4 * t];
      const double (&x)[4] = c[j / 2][0], (&y)[4] = c[j / 2][1];
      const int h = 2 * (j % 2);

      to[0] = make_double2 (x[h], y[h]);
      to[1] = make_double2 (x[h + 1], y[h + 1]);
    }
}

template <int NQ>
__device__ __forceinline__ void
add_sums (double *prepared, int n_fields, int k, int n, const Shared &shared, int b)
{
#pragma unroll
  for (int j = threadIdx.x; j < NQ * 4 * chunk * 2; j += n_threads)
    {
      const int f = j / (2 * chunk), rest = j % (2 * chunk), at = rest / 2;

      if (f < n_fields && k + at < n)
        {
          double2 *to = (double2 *) (prepared + 4 * ((int64_t) f * n + k) + 2 * rest);
          const int column = 4 * (f % 4) + 2 * (rest % 2);
          double2 s = make_double2 (0, 0);

#pragma unroll
          for (int wr = 0; wr < n_warps / NQ; wr++)
            {
              const double2 x
                = *(const double2 *) &shared.sum[b][wr * NQ + f / 4][at][column];

              s.x += x.x;
              s.y += x.y;
            }
          /* No other thread adds here; an atomic addition saves the thread from waiting for the
           * read. */
          atomicAdd (&to->x, s.x);
          atomicAdd (&to->y, s.y);
        }
    }
}

template <Form FORM, int NQ>
__device__ __forceinline__ void
run_order (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, int64_t at,
           const Order &o, unsigned forms, const double2 (&v)[NQ][8], double *prepared,
           int n_fields, Shared &shared)
{
  const int w = threadIdx.x / warp_size;
  Producer producer;
  int k;

  producer.columns = columns_get (o, FORM);
  producer.first = o.n + 2 * chunk; /* beyond the last step: the warp never begins */
  if (is_wanted (forms, FORM) && producer.lanes.start (shape, pairs, at, o, FORM, shared.powers[w]))
    {
      const int first = producer.lanes.template skip<FORM> (producer.columns, shared.c[w]);

      if (first < o.n)
        producer.first = first;
    }
  shared.first[w] = producer.first;
  __syncthreads ();
  k = shared.first[0];
#pragma unroll
  for (int i = 1; i < n_warps; i++)
    k = min (k, shared.first[i]);
  /* If a warp begins within a window, q of the steps before is 0, and the coefficients of the
   * window are loaded as if it began with it. */
  producer.next = producer.columns.get (k + (producer.first - k) / chunk * chunk + lane_id ());
  producer.begin (shared, k, 0);
#pragma unroll 1
  for (int i = 0; i < chunk; i += batch)
    producer.steps<FORM, batch> (shared, i);
  __syncthreads ();
  for (int b = 0; k < o.n; b ^= 1, k += chunk)
    {
      window<FORM, NQ> (producer, v, k, shared, b);
      __syncthreads ();
      add_sums<NQ> (prepared, n_fields, k, o.n, shared, b);
    }
  __syncthreads ();
}

template <int NQ>
__global__ void __launch_bounds__ (n_threads, 1)
adjoint_kernel (ArmillaDeltaShape shape, int field, const double *__restrict__ table,
                const double2 *__restrict__ tile, const double *__restrict__ pairs,
                double *prepared)
{
  extern __shared__ double2 memory[];
  Shared &shared = *(Shared *) memory;
  const int w = threadIdx.x / warp_size, wc = w % NQ, wr = w / NQ, g = lane_id () / 4,
            t = lane_id () % 4;
  const Order o = order_get (shape, table, shape.m_first + blockIdx.x);
  const int n_fields = min (4 * NQ, (int) shape.n_fields - field);
  double *to = prepared + 4 * (o.before * shape.n_fields + (int64_t) field * o.n);

  for (int64_t first = 0; first < shape.n_pairs; first += n_threads)
    {
      const int64_t at = first + threadIdx.x;
      const unsigned forms = forms_wanted<1> (pairs, shape.n_pairs, at);
      double2 v[NQ][8];

      powers_first<1> (shared.powers[w], pairs, shape.n_pairs, at, o.m);
#pragma unroll
      for (int i = 0; i < NQ; i++)
#pragma unroll
        for (int s = 0; s < 8; s++)
          {
            const int64_t pair = first + warp_size * (wr * NQ + i) + 4 * s + t;
            const int f = 4 * wc + g / 2;
            double2 even = make_double2 (0, 0), odd = even;

            if (pair < shape.n_pairs && f < n_fields)
              tile_load (shape, tile, field + f, pair, o.m,
                         pairs[ARMILLA_PAIR_COS * shape.n_pairs + pair], &even, &odd);
            v[i][s] = g % 2 ? odd : even;
          }
      if (__syncthreads_or (is_wanted (forms, Form::PLAIN)))
        run_order<Form::PLAIN, NQ> (shape, pairs, at, o, forms, v, to, n_fields, shared);
      if (__syncthreads_or (is_wanted (forms, Form::DIFFERENCE)))
        run_order<Form::DIFFERENCE, NQ> (shape, pairs, at, o, forms, v, to, n_fields, shared);
      if (__syncthreads_or (is_wanted (forms, Form::SUM)))
        run_order<Form::SUM, NQ> (shape, pairs, at, o, forms, v, to, n_fields, shared);
    }
}

template <int NQ>
cudaError_t
launch (const ArmillaDeltaShape *shape, int64_t field, const double *table, const double *tile,
        const double *pairs, double *prepared, cudaStream_t stream)
{
  const cudaError_t status
    = cudaFuncSetAttribute (adjoint_kernel<NQ>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            (int) sizeof (Shared));

  if (status != cudaSuccess)
    return status;
  adjoint_kernel<NQ>
    <<<(unsigned) (shape->m_last - shape->m_first + 1), n_threads, sizeof (Shared), stream>>> (
      *shape, (int) field, table, (const double2 *) tile, pairs, prepared);
  return cudaGetLastError ();
}

} // namespace

bool
delta_adjoint_fields_fits ()
{
  int device = 0, bytes = 0;

  return cudaGetDevice (&device) == cudaSuccess
         && cudaDeviceGetAttribute (&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)
              == cudaSuccess
         && (size_t) bytes >= sizeof (Shared);
}

cudaError_t
delta_adjoint_fields (const ArmillaDeltaShape *shape, int64_t field, const double *table,
                      const double *tile, const double *pairs, double *prepared,
                      cudaStream_t stream)
{
  const int64_t left = shape->n_fields - field;

  if (left > 8)
    return launch<4> (shape, field, table, tile, pairs, prepared, stream);
  if (left > 4)
    return launch<2> (shape, field, table, tile, pairs, prepared, stream);
  return launch<1> (shape, field, table, tile, pairs, prepared, stream);
}
