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
