/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table, prepare and finish on the GPU. Each is a chain over the degrees: a thread block processes
 * one order, each thread a piece of the chain, and a scan over the threads links the pieces. */
#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/delta-math.h"

namespace
{

/* The scan of the coefficients multiplies double-doubles: fewer threads mean fewer roundings. */
constexpr int n_table_threads = 128;
/* Many threads, so that pieces are short and the lanes of a warp read adjacent memory. */
constexpr int n_threads = 512;

/* Returns the number of steps of each thread's piece, even. */
__device__ int
piece_size (int n, int threads)
{
  return (n + 2 * threads - 1) / (2 * threads) * 2;
}

/* Returns a_{k+2} from a = a_k, l = m + 2 k. The ratio of both does not depend on a, so that
 * threads can compute ratios of their pieces from a = 1. */
__device__ ArmillaDd
two_steps (ArmillaDd a, int64_t l, int64_t m)
{
  return armilla_delta_next_a (armilla_delta_next_a (a, l + 2, m), l + 4, m);
}

__global__ void __launch_bounds__ (n_table_threads)
table_kernel (ArmillaDeltaShape shape, double *table)
{
  __shared__ double hi[n_table_threads], lo[n_table_threads];
  const int64_t m = shape.m_first + blockIdx.x;
  const int t = threadIdx.x, n = (int) armilla_delta_steps (shape.lmax, m);
  const int c = piece_size (n, n_table_threads);
  const int end = min (n, (t + 1) * c);
  double *const p = table + (shape.m_last - shape.m_first + 1)
                    + 3 * armilla_delta_steps_before (shape.lmax, shape.m_first, m);
  ArmillaDd a = { 1, 0 };
  const double first = armilla_delta_first_a (m);

  for (int k = t * c; k < (t + 1) * c && k + 2 <= n; k += 2)
    a = two_steps (a, m + 2 * k, m);
  hi[t] = a.hi;
  lo[t] = a.lo;
  __syncthreads ();
  for (int step = 1; step < n_table_threads; step *= 2)
    {
      if (t >= step)
        a = armilla_dd_multiply (a, armilla_dd_from (hi[t - step], lo[t - step]));
      __syncthreads ();
      hi[t] = a.hi;
      lo[t] = a.lo;
      __syncthreads ();
    }
  a = armilla_dd_from (first, 0);
  if (t > 0)
    a = armilla_dd_multiply (a, armilla_dd_from (hi[t - 1], lo[t - 1]));
  else
    table[blockIdx.x] = armilla_delta_norm (m, first);
  for (int k = t * c; k < end; k++)
    {
      if (k > t * c)
        a = armilla_delta_next_a (a, m + 2 * k, m);
      p[k] = a.hi;
      armilla_delta_coefficients (a, m + 2 * k, m, p + n + k, p + 2 * n + k);
    }
}

/* The map y -> factor y + (re, im) of complex numbers. */
struct Affine
{
  double factor, re, im;
};

__device__ Affine
affine_after (Affine f, Affine g)
{
  return { f.factor * g.factor, f.factor * g.re + f.re, f.factor * g.im + f.im };
}

/* Returns to thread t the composition of the maps of threads 0 .. t - 1, that of thread 0 applied
 * first; its result for y = 0 is in re and im. */
__device__ Affine
scan_before (Affine f)
{
  __shared__ Affine shared[n_threads];
  const int t = threadIdx.x;

  shared[t] = f;
  __syncthreads ();
  for (int step = 1; step < n_threads; step *= 2)
    {
      if (t >= step)
        f = affine_after (f, shared[t - step]);
      __syncthreads ();
      shared[t] = f;
      __syncthreads ();
    }
  if (t == 0)
    return { 0, 0, 0 };
  return shared[t - 1];
}

/* An order and a field of a block. */
struct Order
{
  int64_t m;
  int n, c;
  const double *a;
  int64_t alm, prepared; /* offsets */
};

__device__ Order
order_get (const ArmillaDeltaShape &shape, const double *table)
{
  const int64_t m = shape.m_first + blockIdx.x, f = blockIdx.y;
  const int64_t before = armilla_delta_steps_before (shape.lmax, shape.m_first, m);
  const int64_t n_alm = armilla_delta_alm_before (shape.lmax, shape.m_first, shape.m_last + 1);
  Order o;

  o.m = m;
  o.n = (int) armilla_delta_steps (shape.lmax, m);
  o.c = piece_size (o.n, n_threads);
  o.a = table + (shape.m_last - shape.m_first + 1) + 3 * before;
  o.alm = 2 * (f * n_alm + armilla_delta_alm_before (shape.lmax, shape.m_first, m));
  o.prepared = 4 * (before * shape.n_fields + f * o.n);
  return o;
}

/* Thread 0 has the highest degrees: the chain runs downwards. */
__global__ void __launch_bounds__ (n_threads)
prepare_kernel (ArmillaDeltaShape shape, const double *table, const double *alm, double *prepared)
{
  const Order o = order_get (shape, table);
  const int piece = n_threads - 1 - (int) threadIdx.x;
  const int begin = min (o.n, piece * o.c), end = min (o.n, (piece + 1) * o.c);
  Affine y = { 1, 0, 0 };

  alm += o.alm;
  prepared += o.prepared;
  for (int pass = 0; pass < 2; pass++)
    {
      if (pass == 1)
        y = scan_before (y);
      for (int k = end - 1; k >= begin; k--)
        {
          const int64_t l = o.m + 2 * k;
          const bool odd = l + 1 <= shape.lmax;
          double A, B;

          armilla_delta_odd (o.a[k], l, o.m, &A, &B);
          y.factor *= -B;
          y.re = A * (odd ? alm[4 * k + 2] : 0) - B * y.re;
          y.im = A * (odd ? alm[4 * k + 3] : 0) - B * y.im;
          if (pass == 1)
            {
              const double even = sqrt (o.a[k]);

              prepared[4 * k] = even * alm[4 * k];
              prepared[4 * k + 1] = even * alm[4 * k + 1];
              prepared[4 * k + 2] = y.re;
              prepared[4 * k + 3] = y.im;
            }
        }
    }
}

__global__ void __launch_bounds__ (n_threads)
finish_kernel (ArmillaDeltaShape shape, const double *table, const double *prepared, double *alm)
{
  const Order o = order_get (shape, table);
  const int begin = min (o.n, (int) threadIdx.x * o.c), end = min (o.n, begin + o.c);
  Affine y = { 1, 0, 0 };

  alm += o.alm;
  prepared += o.prepared;
  for (int pass = 0; pass < 2; pass++)
    {
      double A, B = 0;

      if (pass == 1)
        y = scan_before (y);
      if (begin > 0 && begin < end)
        armilla_delta_odd (o.a[begin - 1], o.m + 2 * (begin - 1), o.m, &A, &B);
      for (int k = begin; k < end; k++)
        {
          const int64_t l = o.m + 2 * k;

          y.factor *= -B;
          y.re = prepared[4 * k + 2] - B * y.re;
          y.im = prepared[4 * k + 3] - B * y.im;
          armilla_delta_odd (o.a[k], l, o.m, &A, &B);
          if (pass == 1)
            {
              const double even = sqrt (o.a[k]);

              alm[4 * k] = even * prepared[4 * k];
              alm[4 * k + 1] = even * prepared[4 * k + 1];
              if (l + 1 <= shape.lmax)
                {
                  alm[4 * k + 2] = A * y.re;
                  alm[4 * k + 3] = A * y.im;
                }
            }
        }
    }
}

dim3
grid_of (const ArmillaDeltaShape *shape, int64_t n_fields)
{
  return dim3 ((unsigned) (shape->m_last - shape->m_first + 1), (unsigned) n_fields);
}

} // namespace

int
armilla_delta_table_launch (const ArmillaDeltaShape *shape, double *table, cudaStream_t stream)
{
  table_kernel<<<grid_of (shape, 1), n_table_threads, 0, stream>>> (*shape, table);
  return cudaGetLastError ();
}

int
armilla_delta_prepare_launch (const ArmillaDeltaShape *shape, const double *table,
                              const double *alm, double *prepared, cudaStream_t stream)
{
  prepare_kernel<<<grid_of (shape, shape->n_fields), n_threads, 0, stream>>> (*shape, table, alm,
                                                                              prepared);
  return cudaGetLastError ();
}

int
armilla_delta_finish_launch (const ArmillaDeltaShape *shape, const double *table,
                             const double *prepared, double *alm, cudaStream_t stream)
{
  finish_kernel<<<grid_of (shape, shape->n_fields), n_threads, 0, stream>>> (*shape, table,
                                                                             prepared, alm);
  return cudaGetLastError ();
}
