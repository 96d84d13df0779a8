/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Squares of Wigner's 3j symbols in closed form: products of one-index functions, without
 * recurrence and without cancellation.
 *
 * With c (n) = (2 n)! / (4^n n!^2), for l1 + l2 + l3 = 2 g (Varshalovich et al., 8.5.2):
 *   (l1 l2 l3; 0 0 0)^2 = c (g - l1) c (g - l2) c (g - l3) / ((2 g + 1) c (g)) and with e (n) = (2
 *   n + 1) c (n), x_i = l_i (l_i + 1), for l1 + l2 + l3 = 2 g + 1:
 *   (l1 l2 l3; 1 -1 0)^2 = e (g - l1) e (g - l2) e (g - l3) (g + 1) / (2 e (g) x1 x2)
 *
 * (J1 + J2)^2 acts on |m, -m> as x1 + x2 - 2 m^2 plus steps to m + 1 and m - 1, which gives the
 * symbols of m = 2 from those of m = 0 and 1. With y = x3 - x1 - x2 and N_i = 1 / sqrt (x_i (x_i -
 * 2)):
 *   (2 -2 0) / (0 0 0) = (y (y + 2) - 2 x1 x2) N1 N2 / 2              if the sum is even
 *   (2 -2 0)^2 = (y + 2)^2 N1^2 N2^2 times x1 x2 (1 -1 0)^2           if it is odd
 *
 * On a diagonal l1 = l2 + d, term k has l3 = d + 2 k, g - l1 = k, g - l2 = d + k, g - l3 = l2 - k
 * and g = l1 + k in even sums; in odd ones l3 = d + 2 k + 1, and l2 - 1 - k instead of l2 - k. */
#pragma once

#include <math.h>

#include "codelets/spectra/coupling.h"

/* zeros before c and e and after the weights, for lanes beyond the end of a sum */
#define ARMILLA_COUPLING_PAD 128

/* Parts of a table: c (n) and e (n), n = 0..lmax; 1 / ((2 g + 1) c (g)) and (g + 1) / (2 e (g)), g
 * = 0..2 lmax; (2 l + 1) W_l / (4 pi) of even l, then of odd l. */
typedef struct {
  int64_t c, e, even_g, odd_g, even_l, odd_l, size;
} ArmillaCouplingParts;

ARMILLA_HD ArmillaCouplingParts
armilla_coupling_parts (int64_t lmax, int64_t mask_lmax)
{
  const int64_t n = lmax + 1 + 2 * ARMILLA_COUPLING_PAD, g = 2 * lmax + 1 + ARMILLA_COUPLING_PAD;
  const int64_t l = mask_lmax / 2 + 1 + ARMILLA_COUPLING_PAD;
  ArmillaCouplingParts parts;

  parts.c = ARMILLA_COUPLING_PAD;
  parts.e = parts.c + n;
  parts.even_g = 2 * n;
  parts.odd_g = parts.even_g + g;
  parts.even_l = parts.odd_g + g;
  parts.odd_l = parts.even_l + l;
  parts.size = parts.odd_l + l;
  return parts;
}

/* Returns the weights (2 l + 1) W_l / (4 pi) of l = l3, l3 + 2, l3 + 4 .. */
ARMILLA_HD const double *
armilla_coupling_weights (const ArmillaCouplingParts *parts, const double *table, int64_t l3)
{
  return table + (l3 % 2 ? parts->odd_l : parts->even_l) + l3 / 2;
}

ARMILLA_HD double
armilla_coupling_x (int64_t l)
{
  return (double) l * (double) (l + 1);
}

/* These return the first and the last diagonal l1 - l2 of a block. */
ARMILLA_HD int64_t
armilla_coupling_first_diagonal (const ArmillaCouplingShape *shape)
{
  return shape->row == shape->col ? 0 : shape->row - (shape->col + shape->n_cols - 1);
}

ARMILLA_HD int64_t
armilla_coupling_last_diagonal (const ArmillaCouplingShape *shape)
{
  return shape->row + shape->n_rows - 1 - shape->col;
}

/* These return the first and the last column of a block on diagonal @d. */
ARMILLA_HD int64_t
armilla_coupling_first_column (const ArmillaCouplingShape *shape, int64_t d)
{
  return shape->row - d > shape->col ? shape->row - d : shape->col;
}

ARMILLA_HD int64_t
armilla_coupling_last_column (const ArmillaCouplingShape *shape, int64_t d)
{
  const int64_t by_row = shape->row + shape->n_rows - d, by_col = shape->col + shape->n_cols;

  return (by_row < by_col ? by_row : by_col) - 1;
}

/* Returns the number of terms of the even (@odd is 0) or odd (1) sum at column l2 of diagonal
 * @d. */
ARMILLA_HD int64_t
armilla_coupling_terms (const ArmillaCouplingShape *shape, int64_t d, int64_t l2, int odd)
{
  const int64_t by_triangle = l2 + 1 - odd;
  const int64_t by_mask = shape->mask_lmax - odd < d ? 0 : (shape->mask_lmax - odd - d) / 2 + 1;

  return by_triangle < by_mask ? by_triangle : by_mask;
}

/* Returns N^2 = 1 / (x (x - 2)), x = l (l + 1); 0 below l = 2, where spin 2 begins. */
ARMILLA_HD double
armilla_coupling_norm (int64_t l)
{
  const double x = armilla_coupling_x (l);

  return l < 2 ? 0 : 1 / (x * (x - 2));
}

/* Converts a sum of terms to the factor of 2 l2 + 1 in the element of a matrix. */
ARMILLA_HD double
armilla_coupling_scale (int32_t kind, int64_t l1, int64_t l2, double sum)
{
  const double n = armilla_coupling_norm (l1) * armilla_coupling_norm (l2);

  switch (kind)
    {
    case ARMILLA_COUPLING_0P:
      return sum * (0.5 * sqrt (n));
    case ARMILLA_COUPLING_PP:
      return sum * (0.25 * n);
    case ARMILLA_COUPLING_MM:
      return sum * n;
    default:
      return sum;
    }
}

/* Returns r (coupling.h) of row l1 and column l2. */
ARMILLA_HD double
armilla_coupling_pure (int64_t l1, int64_t l2)
{
  const double x = armilla_coupling_x (l2);

  return l2 < 2 ? 0 : sqrt (x * (x - 2) * armilla_coupling_norm (l1));
}

/* Stores @value times 2 l2 + 1 at (l1, l2), and @mirrored times 2 l1 + 1 at (l2, l1). */
ARMILLA_HD void
armilla_coupling_store (const ArmillaCouplingShape *shape, int32_t kind, int64_t l1, int64_t l2,
                        double value, double mirrored, double *below, double *above)
{
  const int64_t i = l1 - shape->row, j = l2 - shape->col;
  int64_t field = 0;

  if (!(shape->kinds & kind))
    return;
  for (int32_t k = 1; k < kind; k *= 2)
    field += (shape->kinds & k) != 0;
  field *= shape->n_rows * shape->n_cols;
  below[field + i * shape->n_cols + j] = value * (double) (2 * l2 + 1);
  if (shape->row != shape->col)
    above[field + j * shape->n_rows + i] = mirrored * (double) (2 * l1 + 1);
  else
    below[field + j * shape->n_cols + i] = mirrored * (double) (2 * l1 + 1);
}

/* Stores the elements of one kind from their sum, and those for purified fields that are derived
 * from it, on both sides of the diagonal. */
ARMILLA_HD void
armilla_coupling_put (const ArmillaCouplingShape *shape, int32_t kind, int64_t l1, int64_t l2,
                      double sum, double *below, double *above)
{
  const int32_t pure = kind == ARMILLA_COUPLING_00   ? ARMILLA_COUPLING_0PURE
                       : kind == ARMILLA_COUPLING_0P ? ARMILLA_COUPLING_PPURE
                                                     : 0;
  const double value = armilla_coupling_scale (kind, l1, l2, sum);

  armilla_coupling_store (shape, kind, l1, l2, value, value, below, above);
  if (pure && shape->kinds & (pure | ARMILLA_COUPLING_PUREPURE))
    {
      const double r = armilla_coupling_pure (l1, l2), s = armilla_coupling_pure (l2, l1);

      armilla_coupling_store (shape, pure, l1, l2, value * r, value * s, below, above);
      if (kind == ARMILLA_COUPLING_00)
        armilla_coupling_store (shape, ARMILLA_COUPLING_PUREPURE, l1, l2, value * r * r,
                                value * s * s, below, above);
    }
}
