/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/random.h>

#include <math.h>

#include <Random123/philox.h>

/* ((x >> 11) + 1/2) 2^-53, the sum rounded to even: (0, 1] */
static double
uniform (guint64 x)
{
  return ((double) (x >> 11) + 0.5) * 0x1p-53;
}

/* Two independent numbers of the standard normal distribution for (l, m, field). */
static void
normal_pair (philox4x64_key_t key, gint64 l, gint64 m, guint64 field, double g[2])
{
  philox4x64_ctr_t counter = { { (guint64) l, (guint64) m, field, 0 } };
  philox4x64_ctr_t words = philox4x64_R (10, counter, key);
  double radius = sqrt (-2 * log (uniform (words.v[0])));
  double angle = 2 * G_PI * uniform (words.v[1]);

  g[0] = radius * cos (angle);
  g[1] = radius * sin (angle);
}

/**
 * armilla_random_alm_check:
 * @cl: (array length=lmax_cl+1): a spectrum
 * @lmax_cl: its highest multipole
 * @error: return location
 *
 * Returns: whether @cl can be a variance: finite and not negative; %ARMILLA_ERROR_NUMERIC otherwise
 */
gboolean
armilla_random_alm_check (const double *cl, gint64 lmax_cl, GError **error)
{
  for (gint64 l = 0; l <= lmax_cl; l++)
    if (!isfinite (cl[l]) || cl[l] < 0)
      {
        g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
                     "the spectrum is %g at l = %" G_GINT64_FORMAT
                     "; it must be finite and not negative",
                     cl[l], l);
        return FALSE;
      }
  return TRUE;
}

/**
 * armilla_random_alm:
 * @cl: (array length=lmax_cl+1): spectrum, see armilla_random_alm_check()
 * @lmax_cl: its highest multipole; beyond, it is taken as 0
 * @lmax: highest degree
 * @m_first: first order of the block
 * @m_last: last order of the block, at most @lmax
 * @seed: seed of the run
 * @realisation: number of the realisation
 * @field: number of the field
 * @out: (out): complex double, [m][l], the block's part of healpy's order
 *
 * Gaussian a_lm of a real field: a_l0 = sqrt (C_l) g0, a_lm = sqrt (C_l / 2) (g0 + i g1). The pair
 * (g0, g1) comes from Philox4x64-10 (Salmon et al. 2011) with the key {seed, realisation} and the
 * counter {l, m, field, 0}, its words 0 and 1 made uniform by u = ((x >> 11) + 0.5) 2^-53, and
 * Box-Muller: g0 = sqrt (-2 ln u0) cos (2 pi u1), g1 with the sine. So each a_lm depends on what it
 * is called and on nothing else: not on blocks, ranks, order or lmax. All operations are in double
 * and in the order written; log, sin and cos are the C library's, which in glibc are within 1 ulp,
 * so that other libraries may differ in the last bits.
 */
void
armilla_random_alm (const double *cl, gint64 lmax_cl, gint64 lmax, gint64 m_first, gint64 m_last,
                    guint64 seed, guint64 realisation, guint64 field, double *out)
{
  philox4x64_key_t key = { { seed, realisation } };

  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++)
      {
        double variance = l <= lmax_cl ? cl[l] : 0;
        double scale = sqrt (m == 0 ? variance : variance / 2);
        double g[2];

        normal_pair (key, l, m, field, g);
        *out++ = scale * g[0];
        *out++ = m == 0 ? 0 : scale * g[1];
      }
}

/* Files in float32 round fully correlated spectra by 6e-8 of them; what breaks the inequality of
 * Cauchy and Schwarz by no more than that counts as full correlation. */
#define EXCESS 1e-6

static const char *const six[] = { "TT", "EE", "BB", "TE", "EB", "TB" };

/* The six spectra at one degree; EB and TB are 0 where there are four. */
static void
spectra_at (const double *cl, int n_spectra, gint64 lmax_cl, gint64 l, double c[6])
{
  for (int i = 0; i < 6; i++)
    c[i] = i < n_spectra && l <= lmax_cl ? cl[i * (lmax_cl + 1) + l] : 0;
}

static gboolean
check_cross (const double c[6], int cross, int a, int b, gint64 l, GError **error)
{
  if (c[cross] * c[cross] <= (1 + EXCESS) * c[a] * c[b])
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
               "at l = %" G_GINT64_FORMAT ", %s = %g, %s = %g and %s = %g break |%s|^2 <= %s %s: "
               "no fields have such spectra; are the columns in the order TT, EE, BB, TE, EB, TB?",
               l, six[cross], c[cross], six[a], c[a], six[b], c[b], six[cross], six[a], six[b]);
  return FALSE;
}

/**
 * armilla_random_alm_check_polarised:
 * @cl: double, [@n_spectra][@lmax_cl + 1]: TT, EE, BB, TE and, of six, EB, TB
 * @n_spectra: 4 or 6
 * @lmax_cl: their highest multipole
 * @error: return location
 *
 * Returns: whether the spectra of each degree can be a covariance: finite, TT, EE and BB not
 *   negative, no two fields more than fully correlated, nor all three;
 *   %ARMILLA_ERROR_NUMERIC otherwise, with the first degree where they are not
 */
gboolean
armilla_random_alm_check_polarised (const double *cl, int n_spectra, gint64 lmax_cl,
                                    GError **error)
{
  for (gint64 l = 0; l <= lmax_cl; l++)
    {
      double c[6], determinant;

      spectra_at (cl, n_spectra, lmax_cl, l, c);
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
        {
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
                       "at l = %" G_GINT64_FORMAT " no fields have these TE = %g, EB = %g and TB = "
                       "%g together: their covariance matrix is not positive",
                       l, c[3], c[4], c[5]);
          return FALSE;
        }
    }
  return TRUE;
}

/* Lower triangle L of V = L L', row by row: TT; TE, EE; TB, EB, BB. Where nothing is left of a
 * variance but rounding, the column is 0: the field follows from those before it. */
static void
factor (const double c[6], double part, double lower[6])
{
  const double v[6] = { part * c[0], part * c[3], part * c[1],
                        part * c[5], part * c[4], part * c[2] };
  double left;

  lower[0] = sqrt (v[0]);
  lower[1] = v[0] > 0 ? v[1] / lower[0] : 0;
  lower[3] = v[0] > 0 ? v[3] / lower[0] : 0;
  left = v[2] - lower[1] * lower[1];
  lower[2] = left > 1e-14 * v[2] ? sqrt (left) : 0;
  lower[4] = lower[2] > 0 ? (v[4] - lower[3] * lower[1]) / lower[2] : 0;
  left = v[5] - lower[3] * lower[3] - lower[4] * lower[4];
  lower[5] = left > 1e-14 * v[5] ? sqrt (left) : 0;
}

/**
 * armilla_random_alm_polarised:
 * @cl: double, [@n_spectra][@lmax_cl + 1], see armilla_random_alm_check_polarised()
 * @n_spectra: 4 or 6
 * @lmax_cl: their highest multipole; beyond, all are taken as 0
 * @lmax: highest degree
 * @m_first: first order of the block
 * @m_last: last order of the block, at most @lmax
 * @seed: seed of the run
 * @realisation: number of the realisation
 * @out: (out): complex double, [field][m][l], fields T, E, B
 *
 * Gaussian a_lm of T, E and B with the given auto and cross spectra. The numbers g of field 0, 1, 2
 * are those of armilla_random_alm(); with V the covariance matrix of the degree (of m > 0: half of
 * it) and L its lower triangular factor, V = L L', a = L g, of real and imaginary parts alike. So T
 * is, bit by bit, what armilla_random_alm() draws from TT, whatever the other spectra.
 */
void
armilla_random_alm_polarised (const double *cl, int n_spectra, gint64 lmax_cl, gint64 lmax,
                              gint64 m_first, gint64 m_last, guint64 seed, guint64 realisation,
                              double *out)
{
  philox4x64_key_t key = { { seed, realisation } };
  gint64 count = 0, i = 0;

  for (gint64 m = m_first; m <= m_last; m++)
    count += lmax - m + 1;
  for (gint64 m = m_first; m <= m_last; m++)
    for (gint64 l = m; l <= lmax; l++, i++)
      {
        double c[6], lower[6], g[3][2];

        spectra_at (cl, n_spectra, lmax_cl, l, c);
        factor (c, m == 0 ? 1 : 0.5, lower);
        for (int field = 0; field < 3; field++)
          normal_pair (key, l, m, (guint64) field, g[field]);
        for (int part = 0; part < 2; part++)
          {
            gboolean drawn = part == 0 || m > 0;
            double *a = out + 2 * i + part;

            a[0] = drawn ? lower[0] * g[0][part] : 0;
            a[2 * count] = drawn ? lower[1] * g[0][part] + lower[2] * g[1][part] : 0;
            a[4 * count] = drawn ? (lower[3] * g[0][part] + lower[4] * g[1][part])
                                     + lower[5] * g[2][part]
                                 : 0;
          }
      }
}
