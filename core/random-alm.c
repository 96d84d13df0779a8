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
