/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random a_lm one by one, by the arithmetic of core/base/random-draw.h, as random.h of
 * codelets/fields defines them. */
#pragma once

#include <glib.h>
#include <math.h>

#include "core/base/random-draw.h"

/* Draws a field with the variances @cl. */
static inline void
draw_field (const double *cl, gint64 lmax_cl, gint64 lmax, gint64 m_first, gint64 m_last,
            guint64 seed, guint64 realisation, guint64 field, double *out)
{
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++, out += 2)
      {
        const double scale = sqrt ((l <= lmax_cl ? cl[l] : 0) * (m == 0 ? 1 : 0.5));
        double u[2], g[2];

        armilla_random_uniform (seed, realisation, l, m, field, &u[0], &u[1]);
        armilla_random_normal (u[0], u[1], g);
        out[0] = scale * g[0];
        out[1] = m == 0 ? 0 : scale * g[1];
      }
}

/* Draws @n fields, products of triangles, see armilla_random_factor (), with normal numbers. */
static inline void
draw_fields (int n, const double *factor, gint64 lmax_cl, gint64 lmax, gint64 m_first,
             gint64 m_last, guint64 seed, guint64 realisation, double *out)
{
  const double *half = factor + n * (n + 1) / 2 * (lmax_cl + 1);
  g_autofree double *g = g_new (double, 2 * n);
  gint64 count = 0;

  for (gint64 m = m_first; m <= m_last; m++)
    count += lmax - m + 1;
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++, out += 2)
      for (int f = 0; f < n; f++)
        {
          double u[2];

          armilla_random_uniform (seed, realisation, l, m, (guint64) f, &u[0], &u[1]);
          armilla_random_normal (u[0], u[1], g + 2 * f);
          if (m == 0)
            g[2 * f + 1] = 0;
          for (int part = 0; part < 2; part++)
            {
              double sum = 0;

              for (int k = 0; k <= f; k++)
                {
                  const double *row
                    = (m == 0 ? factor : half) + (f * (f + 1) / 2 + k) * (lmax_cl + 1);
                  const double term = (l <= lmax_cl ? row[l] : 0) * g[2 * k + part];

                  sum = k == 0 ? term : sum + term;
                }
              out[2 * f * count + part] = sum;
            }
        }
}
