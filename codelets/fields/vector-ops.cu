/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/vector-ops.h"

#include "codelets/fields/each.cuh"
#include "codelets/fields/field-ops-math.h"

static __global__ void
combine_kernel (int64_t n, double alpha, const double *x, double beta, const double *y, double *out)
{
  FOR_EACH (i, n)
  out[i] = armilla_combine (alpha, alpha == 0 ? 0 : x[i], beta, beta == 0 ? 0 : y[i]);
}

int
armilla_vector_combine_launch (int64_t n, double alpha, const double *x, double beta,
                               const double *y, double *out, cudaStream_t stream)
{
  if (n == 0)
    return cudaSuccess;
  combine_kernel<<<blocks_for (n), THREADS, 0, stream>>> (n, alpha, x, beta, y, out);
  return cudaGetLastError ();
}

static __global__ void
step_kernel (int64_t n, double sign, const double *numerator, const double *denominator,
             const double *x, const double *y, double *out)
{
  const double step = armilla_step_length (sign, *numerator, *denominator);

  FOR_EACH (i, n)
  out[i] = armilla_combine (step, x[i], 1, y[i]);
}

int
armilla_vector_step_launch (int64_t n, double sign, const double *numerator,
                            const double *denominator, const double *x, const double *y,
                            double *out, cudaStream_t stream)
{
  if (n == 0)
    return cudaSuccess;
  step_kernel<<<blocks_for (n), THREADS, 0, stream>>> (n, sign, numerator, denominator, x, y,
                                                         out);
  return cudaGetLastError ();
}

static __global__ void
collect_kernel (const ArmillaCollectShape shape, const double *values, double *sums)
{
  const double share = 1 / (double) shape.count;

  FOR_EACH (i, shape.n)
  armilla_collect_add (&shape, share, values[i], sums + i);
}

int
armilla_vector_collect_launch (const ArmillaCollectShape *shape, int n_realisations,
                               const double *const *values, double *sums, cudaStream_t stream)
{
  ArmillaCollectShape now = *shape;

  for (int r = 0; shape->n > 0 && r < n_realisations; r++, now.count++)
    collect_kernel<<<blocks_for (now.n), THREADS, 0, stream>>> (now, values[r], sums);
  return cudaGetLastError ();
}
