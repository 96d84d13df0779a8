/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-index factors of the coefficients of the recurrence.
 *
 * The recurrence of delta-math.h, a_k a_{k-1} = 1 / (eps_l eps_{l-1})^2 with l = m + 2 k, is a
 * product of factors of l, l - m and l + m:
 *
 *   a_k = A(l) H(l - m) H(l + m),
 *   A(l) A(l-2) = (2l-3) (2l-1)^2 (2l+1),  H(n) H(n-2) = 1/(n (n-1)).
 *
 * n is even here. With L = l + 1/2, A = (2 L)^2 (1 + alpha) and H = (1 + h) / (n + 1/2), alpha and
 * h being small, so that with P = L^2 - m^2, 1 + delta = (1 + alpha(l)) (1 + h(l-m)) (1 + h(l+m))
 * and w = (1 + 1 / (L^2 - 1)) (1 - 3/4 / P) - 1
 *
 *   a_k = 4 + 4 (m^2 / P + delta (1 + m^2 / P)),   b_k + 2 = -2 (w + delta (1 + w)),
 *
 * without differences of large numbers: in double, a step's coefficients take one division and
 * twenty additions and products, independent of other steps. Rounding errors of b + 2 are of order
 * 1 / k^2 and grow with the number of steps that follow: near the equator those of the first steps
 * would be as large as all others together. So the first coefficients of each order are stored,
 * computed in double-doubles.
 *
 * Even coefficients are multiplied by sqrt (a_k). The chain of the odd ones, g_k = A_k a_{l+1} -
 * B_k g_{k+1} (armilla_delta_odd ()), is a sum with alternating signs times nu_k, since B_k is also
 * a product of factors: with B_k = nu_k / nu_{k+1},
 *
 *   g_k = nu_k s_k,  s_k = (A_k / nu_k) a_{l+1} - s_{k+1}. */
#pragma once

#include <stdint.h>

/* Arrays over l, one each for even and odd l. */
typedef enum {
  ARMILLA_BASIS_ALPHA,
  ARMILLA_BASIS_INVERSE, /* 1 / (L^2 - 1) */
  ARMILLA_BASIS_EVEN,    /* EVEN, ODD, BACK: factors of sqrt (a_k), A_k / nu_k and nu_k */
  ARMILLA_BASIS_ODD,
  ARMILLA_BASIS_BACK,
  ARMILLA_BASIS_DEGREE_ROWS
} ArmillaBasisDegreeRow;

/* Arrays over even n, n = l - m or l + m. */
typedef enum {
  ARMILLA_BASIS_H,
  ARMILLA_BASIS_EVEN_N, /* the factors of l - m and l + m of the same three quantities */
  ARMILLA_BASIS_ODD_N,
  ARMILLA_BASIS_BACK_N,
  ARMILLA_BASIS_ROWS
} ArmillaBasisRow;

/* steps whose coefficients are stored for each order */
#define ARMILLA_BASIS_FIRST 8

/* Layout of a basis: its first double is lmax. Arrays are padded by at least one vector. */
#define ARMILLA_BASIS_PAD 16

/* Returns the number of doubles of an array over half the numbers up to lmax, or over all of
 * them. */
static inline int64_t
armilla_basis_half (int64_t lmax)
{
  return (lmax / 2 + 1 + ARMILLA_BASIS_PAD) / 8 * 8;
}

static inline int64_t
armilla_basis_whole (int64_t lmax)
{
  return (lmax + 1 + ARMILLA_BASIS_PAD) / 8 * 8;
}

/* Returns the start values of the orders: q_0 / sin^m theta. */
static inline double *
armilla_basis_norms (const double *basis)
{
  return (double *) basis + 8;
}

/* Returns the elements of @row from l = m on: l = m, m + 2 .. */
static inline double *
armilla_basis_degrees (const double *basis, ArmillaBasisDegreeRow row, int64_t m)
{
  const int64_t lmax = (int64_t) basis[0], n = armilla_basis_half (lmax);

  return armilla_basis_norms (basis) + armilla_basis_whole (lmax) + (2 * row + m % 2) * n + m / 2;
}

/* Returns the elements of @row for n = 0, 2 .. 2 lmax; for n = l + m begin at m. */
static inline double *
armilla_basis_row (const double *basis, ArmillaBasisRow row)
{
  const int64_t lmax = (int64_t) basis[0];

  return armilla_basis_norms (basis) + (1 + row) * armilla_basis_whole (lmax)
         + 2 * ARMILLA_BASIS_DEGREE_ROWS * armilla_basis_half (lmax);
}

/* Returns the coefficients of the first steps of order m: a, a + b - 2, b + 2, ARMILLA_BASIS_FIRST
 * each. */
static inline double *
armilla_basis_first (const double *basis, int64_t m)
{
  return armilla_basis_row (basis, ARMILLA_BASIS_ROWS) + 3 * ARMILLA_BASIS_FIRST * m;
}
