/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random a_lm one by one, by the arithmetic of core/base/random-draw.h, as random.h of
 * codelets/fields defines them. */
#pragma once

#include <glib.h>

#include "core/base/random-draw.h"

/* Draws a field. */
static inline void
draw_field (const double *cl, gint64 lmax_cl, gint64 lmax, gint64 m_first, gint64 m_last,
            guint64 seed, guint64 realisation, guint64 field, double *out)
{
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++, out += 2)
      {
        double u[2];

        armilla_random_uniform (seed, realisation, l, m, field, &u[0], &u[1]);
        armilla_random_coefficient (l <= lmax_cl ? cl[l] : 0, armilla_random_share (m), u[0], u[1],
                                    out);
      }
}

/* Draws T, E and B. */
static inline void
draw_teb (const double *cl, int n_spectra, gint64 lmax_cl, gint64 lmax, gint64 m_first,
          gint64 m_last, guint64 seed, guint64 realisation, double *out)
{
  gint64 count = 0;

  for (gint64 m = m_first; m <= m_last; m++)
    count += lmax - m + 1;
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++, out += 2)
      {
        double c[6], u[3][2], a[3][2];

        armilla_random_spectra_at (cl, n_spectra, lmax_cl, l, c);
        for (int field = 0; field < 3; field++)
          armilla_random_uniform (seed, realisation, l, m, (guint64) field, &u[field][0],
                                  &u[field][1]);
        armilla_random_polarised (c, armilla_random_share (m), u, a);
        for (int field = 0; field < 3; field++)
          for (int part = 0; part < 2; part++)
            out[2 * field * count + part] = a[field][part];
      }
}
