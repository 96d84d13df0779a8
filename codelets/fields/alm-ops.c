/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/alm-ops.h"

#include <string.h>

#include "codelets/fields/field-ops-math.h"

int64_t
armilla_alm_shape_count (const ArmillaAlmShape *shape)
{
  return armilla_block_offset (shape->lmax, shape->m_first, shape->m_last + 1);
}

void
armilla_alm_scale_cpu (const ArmillaAlmShape *shape, int64_t n_copies, int64_t n_windows,
                       int64_t lmax_window, const double *window, const double *in, double *out)
{
  const int64_t count = armilla_alm_shape_count (shape);

  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      const double *b = window + field % n_windows * (lmax_window + 1);
      const double *x = in + field / n_copies * 2 * count;

      for (int64_t m = shape->m_first; m <= shape->m_last; m++)
        for (int64_t l = m; l <= shape->lmax; l++, x += 2, out += 2)
          {
            out[0] = l <= lmax_window ? b[l] * x[0] : 0;
            out[1] = l <= lmax_window ? b[l] * x[1] : 0;
          }
    }
}

void
armilla_alm_spectra_cpu (const ArmillaAlmShape *shape, int64_t n_spectra, int64_t lmax,
                         const double *a, const double *b, int add, double *sums)
{
  const int64_t count = armilla_alm_shape_count (shape);

  if (!add)
    memset (sums, 0, sizeof (double) * (size_t) (n_spectra * (lmax + 1)));
  for (int64_t i = 0; i < n_spectra; i++)
    {
      double *spectrum = sums + i * (lmax + 1);
      int64_t first, second;
      const double *x, *y;

      armilla_spectrum_fields (shape->n_fields, i, &first, &second);
      x = a + 2 * first * count;
      y = b + 2 * second * count;
      for (int64_t m = shape->m_first; m <= shape->m_last; m++)
        for (int64_t l = m; l <= shape->lmax; l++, x += 2, y += 2)
          if (l <= lmax)
            spectrum[l] += armilla_alm_product (m, x, y);
    }
}

void
armilla_spectra_finish_cpu (int64_t lmax, int64_t n_spectra, double *spectra)
{
  for (int64_t i = 0; i < n_spectra; i++)
    for (int64_t l = 0; l <= lmax; l++)
      spectra[i * (lmax + 1) + l] /= (double) (2 * l + 1);
}

/* Returns the sum of x[i] y[i] for i = 0, @step, 2 @step, ... below @n; @step is 1, or 2 to skip
 * imaginary parts. Eight partial sums, for speed and small rounding errors. */
static inline double
real_product_sum (const double *x, const double *y, int64_t n, int step)
{
  double sum[8] = { 0 };
  int64_t i = 0;

  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; k += step)
      sum[k] += x[i + k] * y[i + k];
  for (; i < n; i += step)
    sum[i % 8] += x[i] * y[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

void
armilla_alm_dot_cpu (const ArmillaAlmShape *shape, const double *a, const double *b, int adds,
                     double *result)
{
  double sum = adds ? *result : 0;

  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int64_t m = shape->m_first; m <= shape->m_last; m++)
      {
        const int64_t n = 2 * (shape->lmax + 1 - m);

        sum += m > 0 ? 2 * real_product_sum (a, b, n, 1) : real_product_sum (a, b, n, 2);
        a += n;
        b += n;
      }
  *result = sum;
}
