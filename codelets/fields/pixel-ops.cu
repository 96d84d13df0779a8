/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/pixel-ops.h"

#include "codelets/fields/each.cuh"
#include "codelets/fields/pixel-ops-math.h"

static __global__ void
weights_kernel (int64_t n, int from_unseen, const double *mask, double *out)
{
  FOR_EACH (i, n)
  out[i] = armilla_pixel_weight (mask[i], from_unseen);
}

int
armilla_pixel_weights_launch (int64_t n, int from_unseen, const double *mask, double *out,
                              cudaStream_t stream)
{
  if (n == 0)
    return cudaSuccess;
  weights_kernel<<<blocks_for (n), THREADS, 0, stream>>> (n, from_unseen, mask, out);
  return cudaGetLastError ();
}

static __global__ void
mask_kernel (int64_t n_pixels, int64_t n_weights, int outside_unseen, const double *in,
             const double *weights, double *out)
{
  const int64_t first = blockIdx.y * n_pixels;
  const double *w = weights + (n_weights > 1 ? first : 0);

  FOR_EACH (i, n_pixels)
  out[first + i] = armilla_pixel_masked (in[first + i], w[i], outside_unseen);
}

int
armilla_pixel_mask_launch (int64_t n_fields, int64_t n_pixels, int64_t n_weights,
                           int outside_unseen, const double *in, const double *weights,
                           double *out, cudaStream_t stream)
{
  const dim3 grid (blocks_for (n_pixels), (unsigned) n_fields);

  if (n_pixels == 0)
    return cudaSuccess;
  mask_kernel<<<grid, THREADS, 0, stream>>> (n_pixels, n_weights, outside_unseen, in, weights,
                                               out);
  return cudaGetLastError ();
}

static __global__ void
scale_kernel (int64_t n, double alpha, const double *x, double *out)
{
  FOR_EACH (i, n)
  out[i] = armilla_pixel_sum (alpha, x[i], 0, 0);
}

int
armilla_pixel_scale_launch (int64_t n, double alpha, const double *x, double *out,
                            cudaStream_t stream)
{
  if (n == 0)
    return cudaSuccess;
  scale_kernel<<<blocks_for (n), THREADS, 0, stream>>> (n, alpha, x, out);
  return cudaGetLastError ();
}

static __global__ void
combine_kernel (int64_t n, double alpha, const double *x, double beta, const double *y, double *out)
{
  FOR_EACH (i, n)
  out[i] = armilla_pixel_sum (alpha, x[i], beta, y[i]);
}

int
armilla_pixel_combine_launch (int64_t n, double alpha, const double *x, double beta,
                              const double *y, double *out, cudaStream_t stream)
{
  if (n == 0)
    return cudaSuccess;
  combine_kernel<<<blocks_for (n), THREADS, 0, stream>>> (n, alpha, x, beta, y, out);
  return cudaGetLastError ();
}
