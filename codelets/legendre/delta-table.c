/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-cpu.h"

/* Returns the number of doubles of the prepared a_lm, [m - m_first][field][k][4]: even re, even im,
 * odd re, odd im; with shape.in_alm that of the a_lm. */
int64_t
armilla_delta_prepared_size (const ArmillaDeltaShape *shape)
{
  return armilla_delta_prepared_before (shape, shape->m_last + 1);
}

/* Returns the number of doubles of the table of coefficients: a start value per order, then for
 * each order a, a + b - 2 and b + 2 of its (lmax - m) / 2 + 1 steps. It does not depend on pairs
 * and fields. */
int64_t
armilla_delta_table_size (const ArmillaDeltaShape *shape)
{
  return shape->m_last - shape->m_first + 1
         + 3 * armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);
}

void
armilla_delta_table_cpu (const ArmillaDeltaShape *shape, double *table)
{
  double *p = table + (shape->m_last - shape->m_first + 1);

  for (int64_t m = shape->m_first; m <= shape->m_last; m++)
    {
      const int64_t n = armilla_delta_steps (shape->lmax, m);
      ArmillaDd a = { armilla_delta_first_a (m), 0 };

      table[m - shape->m_first] = armilla_delta_norm (m, a.hi);
      for (int64_t k = 0; k < n; k++)
        {
          if (k > 0)
            a = armilla_delta_next_a (a, m + 2 * k, m);
          p[k] = a.hi;
          armilla_delta_coefficients (a, m + 2 * k, m, p + n + k, p + 2 * n + k);
        }
      p += 3 * n;
    }
}
