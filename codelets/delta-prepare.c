/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/delta-recurrence.h"

#include "codelets/delta-math.h"

#define CHUNK 64 /* steps whose factors are computed before they are used */

/* Factors of steps k .. k + n - 1 of order m, see delta-math.h. */
typedef struct {
  double even[CHUNK], odd[CHUNK], back[CHUNK];
} Factors;

static void
factors_get (Factors *f, const double *a, int64_t m, int64_t k, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    {
      f->even[i] = sqrt (a[k + i]);
      armilla_delta_odd (a[k + i], m + 2 * (k + i), m, f->odd + i, f->back + i);
    }
}

/**
 * armilla_delta_prepared_size:
 * @shape: the block
 *
 * Returns: doubles of the prepared a_lm, [m - m_first][field][k][4]: even re, even im, odd re, odd
 * im
 */
int64_t
armilla_delta_prepared_size (const ArmillaDeltaShape *shape)
{
  return 4 * shape->n_fields
         * armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);
}

/* One order of one field. @alm: (re, im) of l = m .. lmax */
static void
prepare_order (int64_t lmax, int64_t m, const double *a, const double *alm, double *prepared)
{
  const int64_t n = armilla_delta_steps (lmax, m);
  double re = 0, im = 0;
  Factors f;

  for (int64_t end = n; end > 0;)
    {
      const int64_t k0 = (end - 1) / CHUNK * CHUNK;

      factors_get (&f, a, m, k0, end - k0);
      for (int64_t k = end - 1; k >= k0; k--)
        {
          const double *c = alm + 4 * k;
          const int odd = m + 2 * k + 1 <= lmax;

          re = f.odd[k - k0] * (odd ? c[2] : 0) - f.back[k - k0] * re;
          im = f.odd[k - k0] * (odd ? c[3] : 0) - f.back[k - k0] * im;
          prepared[4 * k] = f.even[k - k0] * c[0];
          prepared[4 * k + 1] = f.even[k - k0] * c[1];
          prepared[4 * k + 2] = re;
          prepared[4 * k + 3] = im;
        }
      end = k0;
    }
}

/* The transpose of prepare_order(). */
static void
finish_order (int64_t lmax, int64_t m, const double *a, const double *prepared, double *alm)
{
  const int64_t n = armilla_delta_steps (lmax, m);
  double re = 0, im = 0, back = 0;
  Factors f;

  for (int64_t k0 = 0; k0 < n; k0 += CHUNK)
    {
      const int64_t end = k0 + CHUNK < n ? k0 + CHUNK : n;

      factors_get (&f, a, m, k0, end - k0);
      for (int64_t k = k0; k < end; k++)
        {
          double *c = alm + 4 * k;

          re = prepared[4 * k + 2] - back * re;
          im = prepared[4 * k + 3] - back * im;
          back = f.back[k - k0];
          c[0] = f.even[k - k0] * prepared[4 * k];
          c[1] = f.even[k - k0] * prepared[4 * k + 1];
          if (m + 2 * k + 1 <= lmax)
            {
              c[2] = f.odd[k - k0] * re;
              c[3] = f.odd[k - k0] * im;
            }
        }
    }
}

/**
 * armilla_delta_prepare_cpu:
 * @shape: the block
 * @table: (in): from armilla_delta_table_cpu()
 * @alm: (in): complex, [field][m, l in healpy's order within the block]
 * @prepared: (out): armilla_delta_prepared_size() doubles
 *
 * Expresses the a_lm in the basis of the recurrence: sum_l a_lm P_lm = sum_k (even_k + cos theta
 * odd_k) q_k.
 */
void
armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *table, const double *alm,
                           double *prepared)
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);

  for (int64_t m = shape->m_first; m <= shape->m_last; m++)
    for (int64_t f = 0; f < shape->n_fields; f++)
      {
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const int64_t before = armilla_delta_steps_before (shape->lmax, shape->m_first, m);

        prepare_order (shape->lmax, m, table + n_orders + 3 * before, alm + 2 * (f * n_alm + at),
                       prepared);
        prepared += 4 * armilla_delta_steps (shape->lmax, m);
      }
}

/**
 * armilla_delta_finish_cpu:
 * @shape: the block
 * @table: (in): from armilla_delta_table_cpu()
 * @prepared: (in): armilla_delta_prepared_size() doubles
 * @alm: (out): complex, [field][m, l in healpy's order within the block]
 *
 * The transpose of armilla_delta_prepare_cpu().
 */
void
armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *table,
                          const double *prepared, double *alm)
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);

  for (int64_t m = shape->m_first; m <= shape->m_last; m++)
    for (int64_t f = 0; f < shape->n_fields; f++)
      {
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const int64_t before = armilla_delta_steps_before (shape->lmax, shape->m_first, m);

        finish_order (shape->lmax, m, table + n_orders + 3 * before, prepared,
                      alm + 2 * (f * n_alm + at));
        prepared += 4 * armilla_delta_steps (shape->lmax, m);
      }
}
