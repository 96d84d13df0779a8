/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis and its adjoint on the CPU: compiled once for each instruction set.
 *
 * One field, and two in the synthesis with AVX-512: the recurrence and the sums share a loop.
 * Several: q of a segment goes into a buffer that every field reads. In the synthesis the order in
 * which a lane's terms are added is the same either way. */
#include "codelets/legendre/delta-adjoint.h"
#include "codelets/legendre/delta-synthesis.h"

/* A number of each step from k on: the product of those of l, of l - m and of l + m. */
SIMD_INLINE V
product_of_three (const double *of_l, const double *of_n, int64_t m, int64_t k)
{
  return v_load (of_l + k) * (v_load (of_n + k) * v_load (of_n + m + k));
}

static void
delta_factors (const double *basis, int64_t m, int64_t k, int64_t n, ArmillaDeltaFactors *factors)
{
  const double *const even = armilla_basis_degrees (basis, ARMILLA_BASIS_EVEN, m);
  const double *const odd = armilla_basis_degrees (basis, ARMILLA_BASIS_ODD, m);
  const double *const back = armilla_basis_degrees (basis, ARMILLA_BASIS_BACK, m);
  const double *const even_n = armilla_basis_row (basis, ARMILLA_BASIS_EVEN_N);
  const double *const odd_n = armilla_basis_row (basis, ARMILLA_BASIS_ODD_N);
  const double *const back_n = armilla_basis_row (basis, ARMILLA_BASIS_BACK_N);

  for (int64_t i = 0; i < n; i += VL)
    {
      v_store (factors->even + i, product_of_three (even, even_n, m, k + i));
      v_store (factors->odd + i, product_of_three (odd, odd_n, m, k + i));
      v_store (factors->back + i, product_of_three (back, back_n, m, k + i));
    }
}

const ArmillaDeltaKernels SIMD_NAME (armilla_delta_kernels)
  = { delta_synthesis, delta_adjoint, delta_factors };
