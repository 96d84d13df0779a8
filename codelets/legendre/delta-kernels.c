/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis and its adjoint on the CPU: compiled once for each instruction set.
 *
 * One field, and two in the synthesis with AVX-512: the recurrence and the sums share a loop.
 * Several: q of a segment goes into a buffer that every field reads. In the synthesis the order in
 * which a lane's terms are added is the same either way. */
#include "codelets/legendre/delta-adjoint.h"
#include "codelets/legendre/delta-synthesis.h"

/* As armilla_delta_odd(), whose operations and bits these are. */
static void
delta_factors (const double *a, int64_t m, int64_t k, int64_t n, ArmillaDeltaFactors *factors)
{
  const V f = v_set ((double) m), one = v_set (1), two = v_set (2), three = v_set (3);
  const V first = v_iota () * two;

  for (int64_t i = 0; i < n; i += VL)
    {
      const V j = v_set ((double) (m + 2 * (k + i) + 1)) + first;
      V x = one;

      if (i + VL <= n)
        x = v_load (a + k + i);
      else
        memcpy (&x, a + k + i, sizeof (double) * (size_t) (n - i));
      v_store (factors->even + i, v_sqrt (x));
      v_store (factors->odd + i, v_sqrt (x * ((two * j - one) * (two * j + one))
                                         / ((j - f) * (j + f))));
      v_store (factors->back + i, x * ((j + one - f) * (j + one + f))
                                    / ((two * j + one) * (two * j + three)));
    }
}

const ArmillaDeltaKernels SIMD_NAME (armilla_delta_kernels)
  = { delta_synthesis, delta_adjoint, delta_factors };
