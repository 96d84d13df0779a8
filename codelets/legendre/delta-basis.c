/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-basis.h"

#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/delta-recurrence.h"

static const ArmillaDd one = { 1, 0 };

/* Returns the number of doubles of the basis from which the coefficients of all orders are
 * computed. */
int64_t
armilla_delta_basis_size (int64_t lmax)
{
  return 8 + (1 + ARMILLA_BASIS_ROWS) * armilla_basis_whole (lmax)
         + 2 * ARMILLA_BASIS_DEGREE_ROWS * armilla_basis_half (lmax)
         + 3 * ARMILLA_BASIS_FIRST * (lmax + 1);
}

/* Returns g (y), the solution of g (y) g (y - 2) = y that does not alternate; see
 * armilla_delta_first_a (). */
static double
smooth_root (double y)
{
  return 2 * armilla_delta_gamma_ratio (y / 4);
}

/* Returns 1 + alpha (l). @last: 1 + alpha (l - 2), which is ignored if l < 2. */
static ArmillaDd
next_alpha (int64_t l, ArmillaDd last)
{
  const double j = (double) l, n = (2 * j + 1) * (2 * j + 1);
  ArmillaDd more;

  if (l < 2)
    return armilla_dd_from (4 * smooth_root (j - 0.5) * smooth_root (j - 0.5)
                              * smooth_root (j + 0.5) * smooth_root (j - 1.5) / n, 0);
  more = armilla_dd_divide (armilla_dd_from (4, 0),
                            armilla_dd_from ((2 * j + 1) * (2 * j - 3), 0));
  return armilla_dd_divide (armilla_dd_add (one, more), last);
}

/* Computes the arrays over l = p, p + 2 .. lmax. fill_rows() finds A(l), for l = m, in the first
 * two coefficients of order l. */
static void
fill_degrees (int64_t lmax, int64_t p, double *basis)
{
  double *to[ARMILLA_BASIS_DEGREE_ROWS];
  ArmillaDd v = one, nu = one;

  for (int row = 0; row < ARMILLA_BASIS_DEGREE_ROWS; row++)
    to[row] = armilla_basis_degrees (basis, (ArmillaBasisDegreeRow) row, p);
  for (int64_t l = p, i = 0; l <= lmax; l += 2, i++)
    {
      const double j = (double) l, even = (2 * j + 1) * sqrt ((v = next_alpha (l, v)).hi);
      const ArmillaDd a = armilla_dd_multiply (armilla_dd_product (2 * j + 1, 2 * j + 1), v);

      to[ARMILLA_BASIS_ALPHA][i] = armilla_dd_add (v, armilla_dd_negate (one)).hi;
      to[ARMILLA_BASIS_INVERSE][i] = 4 / ((2 * j - 1) * (2 * j + 3));
      to[ARMILLA_BASIS_EVEN][i] = even;
      to[ARMILLA_BASIS_ODD][i] = even * sqrt ((2 * j + 1) * (2 * j + 3)) / nu.hi;
      to[ARMILLA_BASIS_BACK][i] = nu.hi;
      armilla_basis_first (basis, l)[0] = a.hi;
      armilla_basis_first (basis, l)[1] = a.lo;
      nu = armilla_dd_multiply (nu, armilla_dd_divide (armilla_dd_product (2 * j + 3, 2 * j + 5),
                                                       a));
    }
}

/* Computes the start value and first coefficients of order m. @a: a_0, which must be computed like
 * the factors of later a_k; otherwise q_k after the first ones would alternate between too large
 * and too small, an error that grows with the steps */
static void
fill_order (int64_t m, ArmillaDd a, double *basis)
{
  double *first = armilla_basis_first (basis, m);

  armilla_basis_norms (basis)[m] = armilla_delta_norm (m, a.hi);
  for (int64_t k = 0; k < ARMILLA_BASIS_FIRST; k++, first++)
    {
      if (k > 0)
        a = armilla_delta_next_a (a, m + 2 * k, m);
      *first = a.hi;
      armilla_delta_coefficients (a, m + 2 * k, m, first + ARMILLA_BASIS_FIRST,
                                  first + 2 * ARMILLA_BASIS_FIRST);
    }
}

/* Computes the arrays over n = 0, 2 .. 2 lmax. H (n) is the last factor of a_0 of order n / 2. */
static void
fill_rows (int64_t lmax, double *basis)
{
  double *to[ARMILLA_BASIS_ROWS];
  /* H (0) = 1 / (g (0) g (-1)) */
  ArmillaDd u = armilla_dd_from (0.5 / (smooth_root (0) * smooth_root (-1)), 0), nu = one;
  const ArmillaDd h_0 = armilla_dd_scale (u, 2);

  for (int row = 0; row < ARMILLA_BASIS_ROWS; row++)
    to[row] = armilla_basis_row (basis, (ArmillaBasisRow) row);
  for (int64_t i = 0; i <= lmax; i++)
    {
      const double n = 2 * (double) i, *first = armilla_basis_first (basis, i);
      const ArmillaDd a = armilla_dd_multiply (armilla_dd_from (first[0], first[1]), h_0);
      ArmillaDd h;

      if (i > 0)
        u = armilla_dd_divide (armilla_dd_divide (armilla_dd_product (n + 0.5, n - 1.5),
                                                  armilla_dd_product (n, n - 1)), u);
      h = armilla_dd_divide (u, armilla_dd_from (n + 0.5, 0));
      to[ARMILLA_BASIS_H][i] = armilla_dd_add (u, armilla_dd_negate (one)).hi;
      to[ARMILLA_BASIS_EVEN_N][i] = sqrt (h.hi);
      to[ARMILLA_BASIS_ODD_N][i] = sqrt (h.hi / (n + 1)) / nu.hi;
      to[ARMILLA_BASIS_BACK_N][i] = nu.hi;
      nu = armilla_dd_divide (nu, armilla_dd_multiply (h, armilla_dd_from (n + 2, 0)));
      fill_order (i, armilla_dd_multiply (a, h), basis);
    }
}

void
armilla_delta_basis_cpu (int64_t lmax, double *basis)
{
  const int64_t size = armilla_delta_basis_size (lmax);

  for (int64_t i = 0; i < size; i++)
    basis[i] = 1; /* including the padding */
  basis[0] = (double) lmax;
  fill_degrees (lmax, 0, basis);
  fill_degrees (lmax, 1, basis);
  fill_rows (lmax, basis);
}
