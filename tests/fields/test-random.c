/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/alm.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/random-alm.h"
#include "core/base/random-draw.h"
#include "tests/lib/random-helpers.h"

/* python3 tests/reference/random-alm.py */
static const struct {
  guint64 seed, realisation, field;
  gint64 l, m;
  double cl, re, im;
} table[] = {
  { 0UL, 0UL, 0UL, 0, 0, 1.0, 0x1.5d4586acfd1f6p+0, 0x0.0p+0 },
  { 0UL, 0UL, 0UL, 1, 0, 1.0, 0x1.44ad631487882p-3, 0x0.0p+0 },
  { 0UL, 0UL, 0UL, 1, 1, 1.0, 0x1.11ff5b416f03ap-2, 0x1.3776509c5a8a6p+0 },
  { 0UL, 0UL, 0UL, 2, 1, 1.0, -0x1.e089f492948adp-2, 0x1.3101f5e3b24bbp-3 },
  { 0UL, 0UL, 0UL, 10, 10, 1.0, 0x1.e8966e275af78p+0, -0x1.d25d3a72a421fp-6 },
  { 0UL, 0UL, 0UL, 4096, 1234, 1.0, 0x1.1f202621dacf3p+0, 0x1.4d0077e9d6b7cp+0 },
  { 0UL, 0UL, 0UL, 16384, 16384, 1.0, -0x1.4ca4bab81a162p-2, -0x1.af5af5f21cac5p-4 },
  { 1UL, 0UL, 0UL, 0, 0, 1.0, -0x1.c1340eb924597p-2, 0x0.0p+0 },
  { 1UL, 0UL, 0UL, 1, 0, 1.0, 0x1.cb7dde09f7f4ap-1, 0x0.0p+0 },
  { 1UL, 0UL, 0UL, 1, 1, 1.0, -0x1.5115da395dccap-2, 0x1.eab40a1f19adbp-1 },
  { 1UL, 0UL, 0UL, 2, 1, 1.0, 0x1.6de609621a9e0p-2, 0x1.566aa7fb2c885p-1 },
  { 1UL, 0UL, 0UL, 10, 10, 1.0, 0x1.27b0e63c30fd1p-3, -0x1.35deab039eb73p+0 },
  { 1UL, 0UL, 0UL, 4096, 1234, 1.0, 0x1.ea65dceefef96p-1, -0x1.32be85eab05eap+0 },
  { 1UL, 0UL, 0UL, 16384, 16384, 1.0, -0x1.e2f118fa9c677p-5, -0x1.1544afb737fa8p-1 },
  { 1UL, 1UL, 0UL, 0, 0, 1.0, -0x1.3a786a42587efp+0, 0x0.0p+0 },
  { 1UL, 1UL, 0UL, 1, 0, 1.0, 0x1.21b771b7f2d95p+1, 0x0.0p+0 },
  { 1UL, 1UL, 0UL, 1, 1, 1.0, -0x1.86be9c067e050p-4, -0x1.af27acf20734ep-3 },
  { 1UL, 1UL, 0UL, 2, 1, 1.0, -0x1.3d2d93f0429e6p-1, -0x1.2e43b4c27c79dp-4 },
  { 1UL, 1UL, 0UL, 10, 10, 1.0, 0x1.c6362570edf1ap-1, 0x1.ad2a55fadb428p-1 },
  { 1UL, 1UL, 0UL, 4096, 1234, 1.0, -0x1.afaf89d97ca50p-1, -0x1.bfccf7c4da605p+0 },
  { 1UL, 1UL, 0UL, 16384, 16384, 1.0, -0x1.cd7285e3aa15fp-1, 0x1.493db5550d3b3p-2 },
  { 1UL, 0UL, 1UL, 0, 0, 3.7e-05, -0x1.119dd9e0eeaacp-6, 0x0.0p+0 },
  { 1UL, 0UL, 1UL, 1, 0, 3.7e-05, 0x1.f0cd076d67bf5p-13, 0x0.0p+0 },
  { 1UL, 0UL, 1UL, 1, 1, 3.7e-05, -0x1.3159c5d550cf5p-10, 0x1.e9ed566729824p-10 },
  { 1UL, 0UL, 1UL, 2, 1, 3.7e-05, 0x1.6eac612ab4ee5p-8, 0x1.a62687011429ep-10 },
  { 1UL, 0UL, 1UL, 10, 10, 3.7e-05, -0x1.c7af3e2d6bbe7p-11, 0x1.c1412adda08ebp-13 },
  { 1UL, 0UL, 1UL, 4096, 1234, 3.7e-05, -0x1.b19bba8b1b814p-9, -0x1.930fd6b823a18p-9 },
  { 1UL, 0UL, 1UL, 16384, 16384, 3.7e-05, -0x1.4e4463d45ecf8p-8, 0x1.6731fddd917c2p-9 },
  { 20260101UL, 99UL, 2UL, 0, 0, 3.7e-05, 0x1.59bfcff2c13f8p-7, 0x0.0p+0 },
  { 20260101UL, 99UL, 2UL, 1, 0, 3.7e-05, 0x1.6c21dc03ec1b3p-11, 0x0.0p+0 },
  { 20260101UL, 99UL, 2UL, 1, 1, 3.7e-05, 0x1.52c33196ecd40p-9, 0x1.f080d3e047608p-8 },
  { 20260101UL, 99UL, 2UL, 2, 1, 3.7e-05, 0x1.0b7c6343f4442p-12, -0x1.0eca3c0ccb103p-8 },
  { 20260101UL, 99UL, 2UL, 10, 10, 3.7e-05, -0x1.6af4996685c28p-8, -0x1.37cc42e3c5337p-8 },
  { 20260101UL, 99UL, 2UL, 4096, 1234, 3.7e-05, 0x1.5cb31062f9a50p-11, -0x1.3aa22fbb1b50cp-9 },
  { 20260101UL, 99UL, 2UL, 16384, 16384, 3.7e-05, -0x1.e4d6750ee2ec1p-9, -0x1.939e4c15fea92p-14 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 0, 0, 3.7e-05,
    -0x1.63a0d61e2b846p-8, 0x0.0p+0 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 1, 0, 3.7e-05,
    -0x1.4cc9805f0565cp-8, 0x0.0p+0 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 1, 1, 3.7e-05,
    -0x1.5aaa92ca8c7f2p-9, -0x1.540c7ae6adaa8p-10 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 2, 1, 3.7e-05,
    0x1.eb8e755663594p-12, 0x1.a8705460d6db9p-8 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 10, 10, 3.7e-05,
    0x1.4a0e0fe5eab30p-8, -0x1.03fff78532039p-8 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 4096, 1234, 3.7e-05,
    -0x1.55b0d9d4a0835p-9, -0x1.45eb2c63beb6ep-12 },
  { 18446744073709551615UL, 18446744073709551615UL, 18446744073709551615UL, 16384, 16384, 3.7e-05,
    -0x1.33211182c0762p-8, -0x1.04b45cbadc247p-9 },
};

/* The same, for T, E and B of spectra[]: real and imaginary part of each. */
static const struct {
  guint64 seed, realisation;
  gint64 l, m;
  double a[6];
} polarised[] = {
  { 1, 0, 2, 0,
    { 0x1.bc7ffdd03d556p-2, 0x0.0p+0, -0x1.442c368d9c2e5p-2,
      0x0.0p+0, 0x1.0860ed6f6795dp-2, 0x0.0p+0 } },
  { 1, 0, 2, 1,
    { 0x1.6de609621a9dfp-2, 0x1.566aa7fb2c884p-1, 0x1.ed54fca6d7117p-2,
      -0x1.fdccc4a7263a3p-6, 0x1.05d89ea11cd9cp-2, -0x1.51dfc0871316bp-4 } },
  { 7, 3, 30, 0,
    { 0x1.a63840d957a44p-1, 0x0.0p+0, -0x1.11b3c00b2c0b1p+0,
      0x0.0p+0, -0x1.df04d91b7ccf2p-1, 0x0.0p+0 } },
  { 7, 3, 30, 17,
    { -0x1.2ee24eee00e36p-3, 0x1.183cfc61a4754p-3, 0x1.7644a6c0a96ebp-2,
      0x1.d55e58de74e14p-6, -0x1.6e0c2b4d48e1ep-5, 0x1.4e519778f144cp-3 } },
};

/* TT, EE, BB, TE, EB, TB */
static const double spectra[6] = { 1.0, 0.5, 0.25, -0.3, 0.1, 0.2 };

/* The spectrum is @cl at every l. */
static double *
draw (double cl, gint64 lmax, gint64 m_first, gint64 m_last, guint64 seed, guint64 realisation,
      guint64 field)
{
  gint64 n
      = armilla_alm_index (lmax, lmax, m_last) + 1 - armilla_alm_index (lmax, m_first, m_first);
  g_autofree double *spectrum = g_new (double, lmax + 1);
  double *out = g_new (double, 2 * n);

  for (gint64 l = 0; l <= lmax; l++)
    spectrum[l] = cl;
  draw_field (spectrum, lmax, lmax, m_first, m_last, seed, realisation, field, out);
  return out;
}

/* Numbers in (0, 1], near its ends and the ends of what series are taken of, too. */
static double
some_number (GRand *rand, int i)
{
  static const double ends[] = { 0x1p-54, 1, M_SQRT1_2, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75,
                                 0.875, 0.1, 1e-9 };
  const int n = G_N_ELEMENTS (ends);
  double u = i < 20 * n ? ends[i % n] : g_rand_double (rand);

  for (int step = 0; i < 20 * n && step < i / n - 10; step++)
    u = nextafter (u, 1);
  for (int step = 0; i < 20 * n && step < 10 - i / n; step++)
    u = nextafter (u, 0);
  return MIN (u, 1);
}

/* Of a result in units of its last place, against more digits. */
static double
error_ulps (double value, long double exact)
{
  const double size = fabs ((double) exact);

  return (double) fabsl (value - exact) / (nextafter (size, INFINITY) - size);
}

static void
test_functions (void)
{
  const long double tau = 2 * acosl (-1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  double worst[2] = { 0, 0 };

  for (int i = 0; i < 500000; i++)
    {
      const double u = some_number (rand, i), quarters = rint (4 * u), r = u - quarters / 4;
      const long double parts[2] = { cosl (tau * r), sinl (tau * r) };
      const int quarter = (int) quarters;
      double c, s;

      worst[0] = MAX (worst[0], error_ulps (armilla_random_log (u), logl (u)));
      armilla_random_turn (u, &c, &s);
      worst[1] = MAX (worst[1], error_ulps (c, (quarter + 1) & 2 ? -parts[quarter & 1]
                                                                 : parts[quarter & 1]));
      worst[1] = MAX (worst[1], error_ulps (s, quarter & 2 ? -parts[~quarter & 1]
                                                           : parts[~quarter & 1]));
    }
  g_test_message ("%.3f ulp of the logarithm, %.3f of sine and cosine", worst[0], worst[1]);
  g_assert_cmpfloat (worst[0], <=, 1);
  g_assert_cmpfloat (worst[1], <=, 1.75);
  g_assert_true (armilla_random_log (1) == 0);
}

static void
assert_ulps (double a, double b)
{
  g_assert_cmpfloat (fabs (a - b), <=, 4.5 * DBL_EPSILON * fabs (b));
}

/* The logarithm is within 1 ulp, half of that under its root, sine and cosine within 1.75, and
 * four roundings are added: at most 4.5 ulp from the values rounded once. */
static void
test_table (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      gint64 m = table[i].m, l = table[i].l;
      g_autofree double *a
          = draw (table[i].cl, l, m, m, table[i].seed, table[i].realisation, table[i].field);

      assert_ulps (a[2 * (l - m)], table[i].re);
      assert_ulps (a[2 * (l - m) + 1], table[i].im);
    }
}

/* Blocks, in healpy's order, are parts of the whole, and a lower lmax is part of a higher one. */
static void
test_blocks (void)
{
  const gint64 lmax = 23;
  g_autofree double *whole = draw (2, lmax, 0, lmax, 7, 8, 9);

  for (gint64 first = 0; first <= lmax; first++)
    for (gint64 last = first; last <= lmax; last += 5)
      {
        gint64 from = armilla_alm_index (lmax, first, first);
        gint64 n = armilla_alm_index (lmax, lmax, last) + 1 - from;
        g_autofree double *block = draw (2, lmax, first, last, 7, 8, 9);

        g_assert_cmpmem (block, 2 * n * sizeof *block, whole + 2 * from, 2 * n * sizeof *whole);
      }
  for (gint64 low = 0; low < lmax; low++)
    {
      g_autofree double *part = draw (2, low, 0, low, 7, 8, 9);

      for (gint64 m = 0; m <= low; m++)
        g_assert_cmpmem (part + 2 * armilla_alm_index (low, m, m), (low - m + 1) * 16,
                         whole + 2 * armilla_alm_index (lmax, m, m), (low - m + 1) * 16);
    }
}

static void
test_spectrum_end (void)
{
  const double spectrum[3] = { 1, 0, 4 };
  const gint64 lmax = 5;
  double out[2 * 21];

  draw_field (spectrum, 2, lmax, 0, lmax, 1, 2, 3, out);
  for (gint64 m = 0; m <= lmax; m++)
    for (gint64 l = m; l <= lmax; l++)
      {
        const double *a = out + 2 * armilla_alm_index (lmax, l, m);

        g_assert_true ((a[0] != 0) == (l == 0 || l == 2));
        g_assert_true ((a[1] != 0) == (l == 2 && m > 0));
      }
}

static double
correlation (const double *a, const double *b, gint64 n)
{
  double sum = 0;

  for (gint64 i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum / (double) n;
}

/* Moments of 2 * 45451 numbers. Each bound is 6 standard deviations of what a normal distribution
 * gives; nothing here is random from run to run. */
static void
test_statistics (void)
{
  const gint64 lmax = 300, from = 2 * (lmax + 1), n = 2 * 45451 - from; /* m > 0 */
  g_autofree double *a = draw (2, lmax, 0, lmax, 5, 0, 0);
  g_autofree double *others[]
      = { draw (2, lmax, 0, lmax, 6, 0, 0), draw (2, lmax, 0, lmax, 5, 1, 0),
          draw (2, lmax, 0, lmax, 5, 0, 1) };
  double mean = 0, square = 0, fourth = 0, zero = 0, bound = 6 / sqrt ((double) n);

  for (gint64 i = from; i < from + n; i++)
    {
      mean += a[i] / (double) n;
      square += a[i] * a[i] / (double) n;
      fourth += a[i] * a[i] * a[i] * a[i] / (double) n;
    }
  g_assert_cmpfloat (fabs (mean), <=, bound);
  g_assert_cmpfloat (fabs (square - 1), <=, bound * sqrt (2));
  g_assert_cmpfloat (fabs (fourth - 3), <=, bound * sqrt (96));
  for (int k = 0; k < 3; k++)
    g_assert_cmpfloat (fabs (correlation (a + from, others[k] + from, n)), <=, bound);
  g_assert_cmpfloat (fabs (correlation (a + from, a + from + 1, n - 1)), <=, bound);
  g_assert_cmpfloat (fabs (correlation (a + from, a + from + 2, n - 2)), <=, bound);
  /* m = 0: variance C_l = 2, no imaginary part */
  for (gint64 l = 0; l <= lmax; l++)
    {
      zero += a[2 * l] * a[2 * l] / (double) (lmax + 1);
      g_assert_true (a[2 * l + 1] == 0);
    }
  g_assert_cmpfloat (fabs (zero / 2 - 1), <=, 6 * sqrt (2 / (double) (lmax + 1)));
  for (int k = 0; k < 3; k++)
    g_free (g_steal_pointer (&others[k]));
}

/* TT; TE, EE; TB, EB, BB */
static const int teb_columns[] = { 0, 3, 1, 5, 4, 2 }, four_columns[] = { 0, 3, 1, -1, -1, 2 };
static const char *const teb_names[] = { "T", "E", "B", NULL };
static const ArmillaRandomFields one = { 1, teb_names, teb_columns };
static const ArmillaRandomFields teb = { 3, teb_names, teb_columns };
static const ArmillaRandomFields teb_of_four = { 3, teb_names, four_columns };

static void
test_check (void)
{
  static const double bad[] = { -1e-300, -INFINITY, INFINITY, NAN };
  double spectrum[4] = { 0, 1, 0, 2 }, factor[8];

  g_assert_true (armilla_random_factor (&one, spectrum, 3, factor, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      spectrum[3] = bad[i];
      g_assert_true (armilla_random_factor (&one, spectrum, 2, factor, NULL));
      g_assert_false (armilla_random_factor (&one, spectrum, 3, factor, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
      g_assert_nonnull (strstr (error->message, "l = 3"));
    }
}

/* Draws orders @m_first to @m_last with spectra that are the same at every l. */
static double *
draw_block (const ArmillaRandomFields *fields, const double *cl, int n_spectra, gint64 lmax,
            gint64 m_first, gint64 m_last, guint64 seed, guint64 realisation)
{
  const int n = fields->n_fields;
  gint64 count
    = armilla_alm_index (lmax, lmax, m_last) + 1 - armilla_alm_index (lmax, m_first, m_first);
  g_autofree double *table_of_cl = g_new (double, n_spectra * (lmax + 1));
  g_autofree double *factor = g_new (double, armilla_random_factor_size (n, lmax));
  double *out = g_new (double, 2 * n * count);
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < n_spectra * (lmax + 1); i++)
    table_of_cl[i] = cl[i / (lmax + 1)];
  armilla_random_factor (fields, table_of_cl, lmax, factor, &error);
  g_assert_no_error (error);
  draw_fields (n, factor, lmax, lmax, m_first, m_last, seed, realisation, out);
  return out;
}

static double *
draw_polarised (const double *cl, int n_spectra, gint64 lmax, guint64 seed, guint64 realisation)
{
  return draw_block (n_spectra == 4 ? &teb_of_four : &teb, cl, n_spectra, lmax, 0, lmax, seed,
                     realisation);
}

/* Each a is a sum of at most three products L g. g is within 4.5 ulp (test_table), L within 10 of
 * the square root of the variance, the sum rounds at most three times: together below 20 ulp of
 * three times the largest product, which is below 4. */
static void
test_polarised_table (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (polarised); i++)
    {
      gint64 l = polarised[i].l, n = armilla_alm_count ((ArmillaAlmLayout) { l, l });
      g_autofree double *a
        = draw_polarised (spectra, 6, l, polarised[i].seed, polarised[i].realisation);

      for (int k = 0; k < 6; k++)
        g_assert_cmpfloat_with_epsilon (
          a[2 * (k / 2 * n + armilla_alm_index (l, l, polarised[i].m)) + k % 2], polarised[i].a[k],
          60 * DBL_EPSILON * 4);
    }
}

/* T is what TT alone gives; four spectra are six of which EB and TB are 0; blocks are parts. */
static void
test_polarised_same (void)
{
  const double without[6] = { 1.0, 0.5, 0.25, -0.3, 0, 0 };
  const gint64 lmax = 20, n = armilla_alm_count ((ArmillaAlmLayout) { lmax, lmax });
  g_autofree double *t = draw (1, lmax, 0, lmax, 3, 4, 0);
  g_autofree double *all = draw_polarised (spectra, 6, lmax, 3, 4);
  g_autofree double *four = draw_polarised (spectra, 4, lmax, 3, 4);
  g_autofree double *zeros = draw_polarised (without, 6, lmax, 3, 4);

  g_assert_cmpmem (all, 2 * n * sizeof *all, t, 2 * n * sizeof *t);
  g_assert_cmpmem (four, 6 * n * sizeof *four, zeros, 6 * n * sizeof *zeros);
  for (gint64 m = 0; m <= lmax; m += 3)
    {
      gint64 last = MIN (m + 2, lmax), from = armilla_alm_index (lmax, m, m);
      gint64 count = armilla_alm_index (lmax, lmax, last) + 1 - from;
      g_autofree double *block = draw_block (&teb, spectra, 6, lmax, m, last, 3, 4);

      for (int f = 0; f < 3; f++)
        g_assert_cmpmem (block + 2 * f * count, 2 * count * sizeof *block,
                         all + 2 * (f * n + from), 2 * count * sizeof *all);
    }
}

/* The bits of 0.3.0, which drew T, E and B by code of their own. */
static void
test_polarised_bits (void)
{
  const gint64 lmax = 40, n = armilla_alm_count ((ArmillaAlmLayout) { lmax, lmax });
  g_autofree double *a = draw_polarised (spectra, 6, lmax, 5, 6);
  g_autofree char *sum
    = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) a, 6 * n * sizeof *a);

  g_assert_cmpstr (sum, ==,
                   "7deca3ad416edf2edfa078729363dd549fa175512c41d999b3225384bed27eca");
}

/* Many fields: the covariance of the numbers of all m > 0 is that of the spectra, within 6 standard
 * deviations, var C_XY = (C_XX C_YY + C_XY^2) / n; T, E and B are the same without those after. */
static void
test_many_fields (void)
{
  enum { N = 7, LMAX = 200 };
  static const char *const names[] = { "T", "E", "B", "P", "1", "2", "3", NULL };
  const gint64 count = armilla_alm_count ((ArmillaAlmLayout) { LMAX, LMAX });
  const gint64 from = 2 * (LMAX + 1), n = 2 * count - from;
  double covariance[N * (N + 1) / 2];
  int columns[N * (N + 1) / 2];
  const ArmillaRandomFields fields = { N, names, columns };
  g_autofree double *few = draw_polarised (spectra, 6, LMAX, 8, 9), *many = NULL;

  for (int f = 0; f < N; f++)
    for (int k = 0; k <= f; k++)
      {
        const int place = f * (f + 1) / 2 + k;

        columns[place] = place;
        covariance[place] = f < 3 ? spectra[teb_columns[place]]
                            : f == k ? f : 0.3 * cos (3.0 * f + k);
      }
  many = draw_block (&fields, covariance, N * (N + 1) / 2, LMAX, 0, LMAX, 8, 9);
  g_assert_cmpmem (many, 6 * count * sizeof *many, few, 6 * count * sizeof *few);
  for (int f = 0; f < N; f++)
    for (int k = 0; k <= f; k++)
      {
        const double c = covariance[f * (f + 1) / 2 + k];
        const double variance = covariance[f * (f + 3) / 2] * covariance[k * (k + 3) / 2] + c * c;

        g_assert_cmpfloat (fabs (2 * correlation (many + 2 * f * count + from,
                                                  many + 2 * k * count + from, n) - c), <=,
                           6 * sqrt (variance / (double) n));
      }
}

/* Mean spectra of 1000 skies are within 4 standard deviations of the input at each of 65 degrees
 * for
 * each of six; var C_XY = (C_XX C_YY + C_XY^2) / (2 l + 1). A normal distribution is beyond 4 in
 * 6e-5
 * of the cases; nothing here is random from run to run. */
static void
test_polarised_statistics (void)
{
  enum { LMAX = 64, SKIES = 1000 };
  static const int first[] = { 0, 1, 2, 0, 1, 0 }, second[] = { 0, 1, 2, 1, 2, 2 };
  const gint64 n = armilla_alm_count ((ArmillaAlmLayout) { LMAX, LMAX });
  double mean[6][LMAX + 1] = { { 0 } };

  for (int sky = 0; sky < SKIES; sky++)
    {
      g_autofree double *a = draw_polarised (spectra, 6, LMAX, 2026, (guint64) sky);

      for (int k = 0; k < 6; k++)
        for (gint64 m = 0; m <= LMAX; m++)
          for (gint64 l = m; l <= LMAX; l++)
            {
              const double *x = a + 2 * (first[k] * n + armilla_alm_index (LMAX, l, m));
              const double *y = a + 2 * (second[k] * n + armilla_alm_index (LMAX, l, m));

              mean[k][l] += (m ? 2 : 1) * (x[0] * y[0] + x[1] * y[1]) / (2.0 * l + 1) / SKIES;
            }
    }
  for (int k = 0; k < 6; k++)
    for (int l = 0; l <= LMAX; l++)
      {
        double variance
          = spectra[first[k]] * spectra[second[k]] + spectra[k] * spectra[k];

        g_assert_cmpfloat (fabs (mean[k][l] - spectra[k]), <=,
                           4 * sqrt (variance / (2 * l + 1) / SKIES));
      }
}

/* Fully correlated fields, and fields without any power, as healpy's synalm has them. */
static void
test_polarised_degenerate (void)
{
  const double same[4] = { 4, 1, 0, 2 }, no_t[6] = { 0, 1, 1, 0, 0.5, 0 }, none[4] = { 0 };
  const gint64 lmax = 6, n = armilla_alm_count ((ArmillaAlmLayout) { lmax, lmax });
  g_autofree double *a = draw_polarised (same, 4, lmax, 1, 0);
  g_autofree double *b = draw_polarised (no_t, 6, lmax, 1, 0);
  g_autofree double *c = draw_polarised (none, 4, lmax, 1, 0);
  g_autofree double *e = draw (1, lmax, 0, lmax, 1, 0, 1);

  for (gint64 i = 0; i < 2 * n; i++)
    {
      g_assert_cmpfloat_with_epsilon (a[2 * n + i], a[i] / 2, 1e-15);
      g_assert_true (a[4 * n + i] == 0);
      g_assert_true (b[i] == 0 && b[2 * n + i] == e[i]);
      g_assert_true (c[i] == 0 && c[2 * n + i] == 0 && c[4 * n + i] == 0);
    }
}

static void
test_polarised_check (void)
{
  static const struct { double c[6]; const char *wrong; } cases[] = {
    { { 1, 1, 1, 0.5, 0.5, 0.5 }, NULL },
    { { 0, 0, 0, 0, 0, 0 }, NULL },
    { { 4, 1, 0, 2, 0, 0 }, NULL },
    { { 4, 1, 0, -2 * (1 + 1e-7), 0, 0 }, NULL },
    { { 4, 1, 0, 2.00001, 0, 0 }, "*l = 2*TE = 2.00001*violate |TE|^2 <= TT EE*" },
    { { 0, 1, 0, 1e-9, 0, 0 }, "*|TE|^2 <= TT EE*" },
    { { 1, 1, 1, 0, -1.1, 0 }, "*EB = -1.1*|EB|^2 <= EE BB*" },
    { { 1, 1, 1, 0, 0, 1.1 }, "*TB = 1.1*|TB|^2 <= TT BB*" },
    /* each pair can be, the three cannot */
    { { 1, 1, 1, 0.9, 0.9, -0.9 }, "*l = 2*together*" },
    { { 1, -1, 1, 0, 0, 0 }, "EE is -1 at l = 2*not negative; check which*" },
    { { 1, 1, 1, NAN, 0, 0 }, "TE is nan at l = 2; it must be finite" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      double cl[18], factor[36];
      gboolean ok;

      for (int k = 0; k < 6; k++)
        for (int l = 0; l < 3; l++)
          cl[3 * k + l] = l == 2 ? cases[i].c[k] : k < 3;
      ok = armilla_random_factor (&teb, cl, 2, factor, &error);
      g_assert_cmpint (ok, ==, cases[i].wrong == NULL);
      if (ok)
        continue;
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
      if (!g_pattern_match_simple (cases[i].wrong, error->message))
        g_error ("\"%s\" is not \"%s\"", error->message, cases[i].wrong);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random/functions", test_functions);
  g_test_add_func ("/random/table", test_table);
  g_test_add_func ("/random/blocks", test_blocks);
  g_test_add_func ("/random/spectrum-end", test_spectrum_end);
  g_test_add_func ("/random/statistics", test_statistics);
  g_test_add_func ("/random/check", test_check);
  g_test_add_func ("/random/polarised-table", test_polarised_table);
  g_test_add_func ("/random/polarised-same", test_polarised_same);
  g_test_add_func ("/random/polarised-bits", test_polarised_bits);
  g_test_add_func ("/random/many-fields", test_many_fields);
  g_test_add_func ("/random/polarised-statistics", test_polarised_statistics);
  g_test_add_func ("/random/polarised-degenerate", test_polarised_degenerate);
  g_test_add_func ("/random/polarised-check", test_polarised_check);
  return g_test_run ();
}
