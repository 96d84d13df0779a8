/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/vector-ops.h"

#include <string.h>

#include "codelets/fields/field-ops-math.h"

void
armilla_vector_combine_cpu (int64_t n, double alpha, const double *x, double beta, const double *y,
                            double *out)
{
  if (alpha == 0 && beta == 0)
    memset (out, 0, sizeof (double) * (size_t) n);
  else if (alpha == 0 || beta == 0)
    for (int64_t i = 0; i < n; i++)
      out[i] = armilla_combine (alpha, alpha == 0 ? 0 : x[i], beta, beta == 0 ? 0 : y[i]);
  else
    for (int64_t i = 0; i < n; i++)
      out[i] = alpha * x[i] + beta * y[i];
}

void
armilla_vector_step_cpu (int64_t n, double sign, const double *numerator,
                         const double *denominator, const double *x, const double *y, double *out)
{
  const double step = armilla_step_length (sign, *numerator, *denominator);

  for (int64_t i = 0; i < n; i++)
    out[i] = armilla_combine (step, x[i], 1, y[i]);
}

/* numbers to which all realisations are added at a time: their sums fit the first-level cache */
#define AT_ONCE 512

void
armilla_vector_collect_cpu (const ArmillaCollectShape *shape, int n_realisations,
                            const double *const *values, double *sums)
{
  ArmillaCollectKernel *const add
    = ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_collect_some);

  for (int64_t begin = 0; begin < shape->n; begin += AT_ONCE)
    {
      const int64_t n = begin + AT_ONCE < shape->n ? AT_ONCE : shape->n - begin;
      ArmillaCollectShape now = *shape;

      for (int r = 0; r < n_realisations; r++, now.count++)
        add (&now, n, values[r] + begin, sums + begin);
    }
}
