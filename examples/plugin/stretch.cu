/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stretch-codelets.h"

#include "stretch-math.h"

#define THREADS 256

/* One block per field. Each thread processes every THREADS-th pixel; a tree reduction follows. */
static __global__ void
extremes_kernel (StretchArgs args, const double *x, double *extremes)
{
  __shared__ double lows[THREADS], highs[THREADS];
  const int t = threadIdx.x;
  double *found = extremes + 2 * blockIdx.x;
  double low = args.first ? HUGE_VAL : found[0], high = args.first ? -HUGE_VAL : found[1];

  x += blockIdx.x * args.n_pixels;
  for (gint64 i = t; i < args.n_pixels; i += THREADS)
    if (!stretch_unseen (x[i]))
      {
        low = fmin (low, x[i]);
        high = fmax (high, x[i]);
      }
  lows[t] = low;
  highs[t] = high;
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (t < half)
        {
          lows[t] = fmin (lows[t], lows[t + half]);
          highs[t] = fmax (highs[t], highs[t + half]);
        }
    }
  if (t == 0)
    {
      found[0] = lows[0];
      found[1] = highs[0];
    }
}

static __global__ void
pixels_kernel (StretchArgs args, const double *x, const double *extremes, double *y)
{
  const gint64 n = args.n_fields * args.n_pixels, step = (gint64) gridDim.x * THREADS;

  for (gint64 i = (gint64) blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
    {
      const double *e = extremes + 2 * (i / args.n_pixels);

      if (stretch_unseen (x[i]))
        y[i] = x[i];
      else if (args.back)
        y[i] = stretch_back (x[i], e[0], e[1], args.softness);
      else
        y[i] = stretch_there (x[i], e[0], e[1], args.softness);
    }
}

int
stretch_extremes_launch (const StretchArgs *args, const double *x, double *extremes,
                         cudaStream_t stream)
{
  extremes_kernel<<<(unsigned) args->n_fields, THREADS, 0, stream>>> (*args, x, extremes);
  return cudaGetLastError ();
}

int
stretch_pixels_launch (const StretchArgs *args, const double *x, const double *extremes, double *y,
                       cudaStream_t stream)
{
  gint64 blocks = (args->n_fields * args->n_pixels + THREADS - 1) / THREADS;

  pixels_kernel<<<(unsigned) MIN (blocks, 4096), THREADS, 0, stream>>> (*args, x, extremes, y);
  return cudaGetLastError ();
}
