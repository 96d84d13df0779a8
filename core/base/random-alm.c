/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>

#include "core/base/random-alm.h"
#include "core/base/random-draw.h"

/* Returns whether @cl can be a variance: finite and not negative. */
gboolean
armilla_random_alm_check (const double *cl, gint64 lmax_cl, GError **error)
{
  for (gint64 l = 0; l <= lmax_cl; l++)
    if (!isfinite (cl[l]) || cl[l] < 0)
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "the spectrum is %g at l = %" G_GINT64_FORMAT "; it must be finite and "
                           "not negative", cl[l], l);
  return TRUE;
}

/* Draws Gaussian a_lm of a real field: a_l0 = sqrt (C_l) g0, a_lm = sqrt (C_l / 2) (g0 + i g1). The
 * pair (g0, g1) comes from Philox4x64-10 (Salmon et al. 2011) with the key {seed, realisation} and
 * the counter {l, m, field, 0}, its words 0 and 1 made uniform by u = ((x >> 11) + 0.5) 2^-53, and
 * Box-Muller: g0 = sqrt (-2 ln u0) cos (2 pi u1), g1 with the sine. So each a_lm depends only on
 * seed, realisation, field, l and m, not on blocks, ranks, order or lmax. All operations are those
 * of core/base/random-draw.h, in double and in the order written there: all machines draw the same
 * bits. */
void
armilla_random_alm (const double *cl, gint64 lmax_cl, gint64 lmax, gint64 m_first, gint64 m_last,
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

/* Files in float32 round fully correlated spectra by a relative 6e-8; violations of the
 * Cauchy-Schwarz inequality up to this size are treated as full correlation. */
#define EXCESS 1e-6

static const char *const six[] = { "TT", "EE", "BB", "TE", "EB", "TB" };

static gboolean
check_cross (const double c[6], int cross, int a, int b, gint64 l, GError **error)
{
  if (c[cross] * c[cross] <= (1 + EXCESS) * c[a] * c[b])
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "at l = %" G_GINT64_FORMAT ", %s = %g, %s = %g and %s = %g break |%s|^2 <= "
                       "%s %s, which is impossible; are the columns in the order TT, EE, BB, TE, "
                       "EB, TB?", l, six[cross], c[cross], six[a], c[a], six[b], c[b],
                       six[cross], six[a], six[b]);
}

/* Returns whether the spectra at each multipole can be a covariance: finite; TT, EE and BB not
 * negative; neither two nor all three fields more than fully correlated. Otherwise sets
 * ARMILLA_ERROR_NUMERIC with the first multipole that fails. @cl: double, [@n_spectra][@lmax_cl +
 * 1]: TT, EE, BB, TE and, of six, EB, TB. */
gboolean
armilla_random_alm_check_polarised (const double *cl, int n_spectra, gint64 lmax_cl,
                                    GError **error)
{
  for (gint64 l = 0; l <= lmax_cl; l++)
    {
      double c[6], determinant;

      armilla_random_spectra_at (cl, n_spectra, lmax_cl, l, c);
      for (int i = 0; i < 6; i++)
        if (!isfinite (c[i]) || (i < 3 && c[i] < 0))
          {
            g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
                         "%s is %g at l = %" G_GINT64_FORMAT "; it must be finite%s", six[i], c[i],
                         l, i < 3 ? " and not negative; are the columns in the order TT, EE, BB, "
                                    "TE, EB, TB?" : "");
            return FALSE;
          }
      if (!check_cross (c, 3, 0, 1, l, error) || !check_cross (c, 4, 1, 2, l, error)
          || !check_cross (c, 5, 0, 2, l, error))
        return FALSE;
      determinant = c[0] * (c[1] * c[2] - c[4] * c[4]) - c[3] * (c[3] * c[2] - c[4] * c[5])
                    + c[5] * (c[3] * c[4] - c[1] * c[5]);
      if (determinant < -EXCESS * c[0] * c[1] * c[2])
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "at l = %" G_GINT64_FORMAT " TE = %g, EB = %g and TB = %g together "
                             "are impossible: their covariance matrix is not positive", l,
                             c[3], c[4], c[5]);
    }
  return TRUE;
}

/* Draws Gaussian a_lm of T, E and B with the given auto and cross spectra. The numbers g of field
 * 0, 1, 2 are those of armilla_random_alm(); with V the covariance matrix at the multipole (half of
 * it for m > 0) and L its lower triangular factor, V = L L', a = L g, for real and imaginary parts.
 * So T is bit by bit the result of armilla_random_alm() for TT, whatever the other spectra. */
void
armilla_random_alm_polarised (const double *cl, int n_spectra, gint64 lmax_cl, gint64 lmax,
                              gint64 m_first, gint64 m_last, guint64 seed, guint64 realisation,
                              double *out)
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
