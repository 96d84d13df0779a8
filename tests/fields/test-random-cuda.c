/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm that a GPU draws, against those of the CPU and the published numbers. Skips without
 * CUDA or without a device. */
#include "config.h"

#include <float.h>
#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/random.h"

#define GUARD 8 /* doubles behind the block, which nobody writes */

/* Of a number g = r cos(phi), the CPU and the GPU agree in the words of Philox and in phi. Their
 * logarithms are within 1 ulp each, half of that under the root, their sines and cosines within 1
 * and 2; root, products and the sum of up to three of them round once each: below 12 units of
 * 2^-53. A double has up to 2 of these in its last place. */
#define ULPS (12 * DBL_EPSILON)

static double *
draw_on_device (const ArmillaRandomShape *s, const double *cl)
{
  const gint64 n = 2 * s->n_fields * armilla_random_count (s);
  g_autoptr (Device) d_cl = doubles_to_device (cl, s->n_spectra * (s->lmax_cl + 1));
  g_autoptr (Device) d_out = device_new (sizeof (double) * (gsize) (n + GUARD));
  g_autofree double *poison = poisoned_array (GUARD);
  double *out;

  assert_cuda (armilla_random_launch (s, d_cl, d_out, NULL));
  out = from_device (d_out, n + GUARD);
  assert_same_bits (out + n, poison, GUARD);
  return out;
}

static void
test_scalar (void)
{
  const ArmillaRandomShape shapes[] = {
    { 0, 0, 0, 1, 1, 0, 1, 0 },        { 5, 0, 5, 2, 2, 3, 7, 8 },
    { 300, 0, 299, 3, 3, 300, 5, 99 }, { 700, 137, 700, 1, 1, 512, G_MAXUINT64, G_MAXUINT64 },
    { 4096, 4000, 4096, 1, 1, 4096, 3, 1 }
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      const ArmillaRandomShape *s = &shapes[i];
      const gint64 n_cl = s->n_spectra * (s->lmax_cl + 1);
      const gint64 n = 2 * s->n_fields * armilla_random_count (s);
      g_autofree double *cl = random_array (rand, n_cl), *expected = poisoned_array (n);
      g_autofree double *out = NULL;

      for (gint64 l = 0; l < n_cl; l++)
        cl[l] = cl[l] < -0.9 ? 0 : fabs (cl[l]);
      out = draw_on_device (s, cl);
      armilla_random_cpu (s, cl, expected);
      for (gint64 k = 0; k < n; k++)
        g_assert_cmpfloat (fabs (out[k] - expected[k]), <=, ULPS * fabs (expected[k]));
    }
}

/* The last: E follows from T, and B from both. */
static void
test_polarised (void)
{
  const double spectra[][6] = { { 1.0, 0.5, 0.25, -0.3, 0.1, 0.2 },
                                { 1.0, 0.25, 0.0, 0.5, 0.0, 0.0 },
                                { 4.0, 1.0, 1.0, 2.0, -1.0, -2.0 } };

  for (guint i = 0; i < G_N_ELEMENTS (spectra); i++)
    for (int n_spectra = 4; n_spectra <= 6; n_spectra += 2)
      {
        const ArmillaRandomShape s = { 400, 0, 399, 3, n_spectra, 390, 11, 12 };
        const gint64 n = 2 * armilla_random_count (&s);
        g_autofree double *cl = g_new (double, 6 * 391), *expected = poisoned_array (3 * n);
        g_autofree double *out = NULL;

        for (int k = 0; k < 6 * 391; k++)
          cl[k] = spectra[i][k / 391] / (1 + k % 391);
        out = draw_on_device (&s, cl);
        armilla_random_cpu (&s, cl, expected);
        /* Of a sum of three the terms count, which may cancel: no number here is beyond 9 standard
         * deviations of its field, which is at most 2. */
        for (gint64 k = 0; k < 3 * n; k++)
          g_assert_cmpfloat (fabs (out[k] - expected[k]), <=, ULPS * (k < n ? 1 : 3) * 9 * 2);
      }
}

/* Numbers of tests/fields/test-random.c, which follow from the definition in many digits. */
static void
test_table (void)
{
  static const struct {
    guint64 seed, realisation;
    gint64 l, m;
    double re, im;
  } table[] = {
    { 0, 0, 0, 0, 0x1.5d4586acfd1f2p+0, 0 },
    { 0, 0, 10, 10, 0x1.e8966e275af78p+0, -0x1.d25d3a72a4219p-6 },
    { 0, 0, 16384, 16384, -0x1.4ca4bab81a162p-2, -0x1.af5af5f21cac6p-4 },
    { 1, 0, 4096, 1234, 0x1.ea65dceefef95p-1, -0x1.32be85eab05ebp+0 },
    { 1, 1, 1, 0, 0x1.21b771b7f2d94p+1, 0 },
    { 1, 1, 2, 1, -0x1.3d2d93f0429e6p-1, -0x1.2e43b4c27c796p-4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const gint64 l = table[i].l, m = table[i].m;
      const ArmillaRandomShape s = { l, m, m, 1, 1, l, table[i].seed, table[i].realisation };
      g_autofree double *cl = g_new (double, (gsize) l + 1), *out = NULL;

      for (gint64 k = 0; k <= l; k++)
        cl[k] = 1;
      out = draw_on_device (&s, cl);
      g_assert_cmpfloat (fabs (out[2 * (l - m)] - table[i].re), <=, ULPS * fabs (table[i].re));
      g_assert_cmpfloat (fabs (out[2 * (l - m) + 1] - table[i].im), <=, ULPS * fabs (table[i].im));
    }
}

static void
add_tests (void)
{
  g_test_add_func ("/random-cuda/scalar", test_scalar);
  g_test_add_func ("/random-cuda/polarised", test_polarised);
  g_test_add_func ("/random-cuda/table", test_table);
}
#endif

MAIN_ON_DEVICE (add_tests)
