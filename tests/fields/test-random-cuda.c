/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm that a GPU draws, which have the bits of those that the CPU draws. Skips without
 * CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/random.h"

#define GUARD 8 /* doubles behind the block, which must stay unwritten */

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
      assert_same_bits (out, expected, n);
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
        assert_same_bits (out, expected, 3 * n);
      }
}

static void
add_tests (void)
{
  g_test_add_func ("/random-cuda/scalar", test_scalar);
  g_test_add_func ("/random-cuda/polarised", test_polarised);
}
#endif

MAIN_ON_DEVICE (add_tests)
