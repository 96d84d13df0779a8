/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/alm-ops.h"
#include "codelets/fields/field-ops-math.h"

#define THREADS 256
#define SPECTRUM_DEGREES 32
#define SPECTRUM_GROUPS 8
#define MAX_GRID 65535

static unsigned
blocks_for (int64_t n, int64_t per_block)
{
  const int64_t blocks = (n + per_block - 1) / per_block;

  return (unsigned) (blocks < 1 ? 1 : blocks < MAX_GRID ? blocks : MAX_GRID);
}

static __global__ void
scale_kernel (ArmillaAlmShape shape, int64_t count, int64_t n_copies, int64_t n_windows,
              int64_t lmax_window, const double *window, const double *in, double *out)
{
  const int64_t field = blockIdx.z;
  const double *b = window + field % n_windows * (lmax_window + 1);
  const double *x = in + field / n_copies * 2 * count;

  for (int64_t m = shape.m_first + blockIdx.y; m <= shape.m_last; m += gridDim.y)
    {
      const int64_t row = armilla_block_offset (shape.lmax, shape.m_first, m);

      for (int64_t l = m + (int64_t) blockIdx.x * blockDim.x + threadIdx.x; l <= shape.lmax;
           l += (int64_t) gridDim.x * blockDim.x)
        {
          const int64_t i = 2 * (row + l - m), o = 2 * field * count + i;

          out[o] = l <= lmax_window ? b[l] * x[i] : 0;
          out[o + 1] = l <= lmax_window ? b[l] * x[i + 1] : 0;
        }
    }
}

int
armilla_alm_scale_launch (const ArmillaAlmShape *shape, int64_t n_copies, int64_t n_windows,
                          int64_t lmax_window, const double *window, const double *in, double *out,
                          cudaStream_t stream)
{
  const dim3 grid (blocks_for (shape->lmax + 1 - shape->m_first, THREADS),
                   blocks_for (shape->m_last + 1 - shape->m_first, 1), (unsigned) shape->n_fields);

  scale_kernel<<<grid, THREADS, 0, stream>>> (*shape, armilla_alm_shape_count (shape), n_copies,
                                                n_windows, lmax_window, window, in, out);
  return cudaGetLastError ();
}

/* For each part of the orders, thread (x, y) adds the orders first + y, first + y + 8, ... of the
 * part at multipole x; the eight sums are then added in order to the sum of the previous parts. */
static __global__ void
spectra_kernel (ArmillaAlmShape shape, ArmillaOrderParts parts, int64_t count, int64_t lmax,
                const double *a, const double *b, int add, double *all)
{
  __shared__ double sums[SPECTRUM_GROUPS][SPECTRUM_DEGREES];
  const int64_t l = (int64_t) blockIdx.x * SPECTRUM_DEGREES + threadIdx.x;
  double *const at = all + blockIdx.y * (lmax + 1) + l;
  int64_t first, second;
  double total = add && threadIdx.y == 0 && l <= lmax ? *at : 0;

  armilla_spectrum_fields (shape.n_fields, blockIdx.y, &first, &second);
  for (int64_t p = 0; p < parts.n; p++)
    {
      const int64_t end = min (parts.first[p + 1], l <= lmax ? l + 1 : 0);
      double sum = 0;

      for (int64_t m = parts.first[p] + threadIdx.y; m < end; m += SPECTRUM_GROUPS)
        {
          const int64_t i = armilla_block_offset (shape.lmax, shape.m_first, m) + l - m;

          sum += armilla_alm_product (m, a + 2 * (first * count + i),
                                      b + 2 * (second * count + i));
        }
      sums[threadIdx.y][threadIdx.x] = sum;
      __syncthreads ();
      for (int i = 1; threadIdx.y == 0 && i < SPECTRUM_GROUPS; i++)
        sum += sums[i][threadIdx.x];
      total += sum;
      __syncthreads ();
    }
  if (threadIdx.y == 0 && l <= lmax)
    *at = total;
}

int
armilla_alm_spectra_launch (const ArmillaAlmShape *shape, const ArmillaOrderParts *parts,
                            int64_t n_spectra, int64_t lmax, const double *a, const double *b,
                            int add, double *sums, cudaStream_t stream)
{
  const dim3 grid ((unsigned) (lmax / SPECTRUM_DEGREES + 1), (unsigned) n_spectra);

  spectra_kernel<<<grid, dim3 (SPECTRUM_DEGREES, SPECTRUM_GROUPS), 0, stream>>> (
      *shape, *parts, armilla_alm_shape_count (shape), lmax, a, b, add, sums);
  return cudaGetLastError ();
}

static __global__ void
spectra_finish_kernel (int64_t lmax, int64_t n, double *spectra)
{
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (int64_t) gridDim.x * blockDim.x)
    spectra[i] /= (double) (2 * (i % (lmax + 1)) + 1);
}

int
armilla_spectra_finish_launch (int64_t lmax, int64_t n_spectra, double *spectra,
                               cudaStream_t stream)
{
  const int64_t n = n_spectra * (lmax + 1);

  spectra_finish_kernel<<<blocks_for (n, THREADS), THREADS, 0, stream>>> (lmax, n, spectra);
  return cudaGetLastError ();
}

/* Returns the sum over the threads of a block by pairwise halving; only thread 0 returns the
 * result. */
static __device__ double
block_sum (double value)
{
  __shared__ double sums[THREADS];

  sums[threadIdx.x] = value;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        sums[threadIdx.x] += sums[threadIdx.x + half];
    }
  return threadIdx.x == 0 ? sums[0] : 0;
}

/* Computes the inner product of the coefficients begin <= i < end of each field. The grid size is
 * fixed, and so is the order of additions. */
static __global__ void
dot_kernel (ArmillaAlmShape shape, int64_t count, int64_t begin, int64_t end, const double *a,
            const double *b, double *scratch)
{
  const int64_t n_zonal = shape.m_first == 0 ? shape.lmax + 1 : 0;
  double sum = 0;

  for (int64_t field = 0; field < shape.n_fields; field++)
    for (int64_t i = begin + (int64_t) blockIdx.x * THREADS + threadIdx.x; i < end;
         i += (int64_t) ARMILLA_DOT_SCRATCH * THREADS)
      sum += armilla_alm_product (i < n_zonal ? 0 : 1, a + 2 * (field * count + i),
                                  b + 2 * (field * count + i));
  sum = block_sum (sum);
  if (threadIdx.x == 0)
    scratch[blockIdx.x] = sum;
}

static __global__ void
dot_finish_kernel (const double *scratch, bool add, double *result)
{
  const double sum = block_sum (scratch[threadIdx.x]);

  if (threadIdx.x == 0)
    *result = add ? *result + sum : sum;
}

int
armilla_alm_dot_launch (const ArmillaAlmShape *shape, const ArmillaOrderParts *parts,
                        const double *a, const double *b, int adds, double *result,
                        double *scratch, cudaStream_t stream)
{
  const int64_t count = armilla_alm_shape_count (shape);
  cudaError_t code = cudaSuccess;

  static_assert (ARMILLA_DOT_SCRATCH == THREADS, "one thread for every block's sum");
  for (int64_t p = 0; p < parts->n && code == cudaSuccess; p++)
    {
      dot_kernel<<<ARMILLA_DOT_SCRATCH, THREADS, 0, stream>>> (
        *shape, count, armilla_block_offset (shape->lmax, shape->m_first, parts->first[p]),
        armilla_block_offset (shape->lmax, shape->m_first, parts->first[p + 1]), a, b, scratch);
      code = cudaGetLastError ();
      if (code != cudaSuccess)
        break;
      dot_finish_kernel<<<1, THREADS, 0, stream>>> (scratch, adds || p > 0, result);
      code = cudaGetLastError ();
    }
  return code;
}
