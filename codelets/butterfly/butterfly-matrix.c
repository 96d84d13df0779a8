/* SPDX-License-Identifier: GPL-3.0-or-later */
#define ARMILLA_BUTTERFLY_LANES ARMILLA_BUTTERFLY_PAD
#include "codelets/butterfly/butterfly-rows.h"

/**
 * armilla_butterfly_matrix:
 * @shape: the order
 * @table: (in): the recurrence's table of a block of this order alone
 * @pairs: (in): [ARMILLA_PAIR_ROWS][n_pairs], from the poles to the equator
 * @matrix: (out): [k][n_pairs rounded up to a multiple of 8]
 *
 * P_lm (x), orthonormal with the Condon-Shortley phase, l = m + 2 k, by the recurrence; what stays
 * below 2^-100 and the rows beyond the last pair are 0.
 */
void
armilla_butterfly_matrix (const ArmillaButterflyShape *shape, const double *table,
                          const double *pairs, double *matrix)
{
  for (int64_t pair = 0; pair < shape->n_pairs; pair += ARMILLA_BUTTERFLY_LANES)
    armilla_butterfly_fill_rows (shape, table, pairs, pair, matrix + pair);
}
