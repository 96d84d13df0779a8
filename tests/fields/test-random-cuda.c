/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm that a GPU draws, which have the bits of those that the CPU draws. Skips without
 * CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/random.h"
#include "core/base/random-draw.h"

#define GUARD 8 /* doubles behind the block, which must stay unwritten */

static double *
draw_on_device (const ArmillaRandomShape *s, const double *factor)
{
  const gint64 n = 2 * s->n_fields * armilla_random_count (s);
  g_autoptr (Device) d_factor
    = doubles_to_device (factor, armilla_random_factor_size (s->n_fields, s->lmax_cl));
  g_autoptr (Device) d_out = device_new (sizeof (double) * (gsize) (n + GUARD));
  g_autofree double *poison = poisoned_array (GUARD);
  double *out;

  assert_cuda (armilla_random_launch (s, d_factor, d_out, NULL));
  out = from_device (d_out, n + GUARD);
  assert_same_bits (out + n, poison, GUARD);
  return out;
}

/* One field, T, E and B, and more; factors below 0, and 0. */
static void
test_fields (void)
{
  const ArmillaRandomShape shapes[] = {
    { 0, 0, 0, 1, 0, 1, 0 },        { 5, 0, 5, 2, 3, 7, 8 },
    { 300, 0, 299, 3, 300, 5, 99 }, { 700, 137, 700, 1, 512, G_MAXUINT64, G_MAXUINT64 },
    { 400, 0, 399, 4, 390, 11, 12 }, { 200, 0, 200, 30, 200, 2, 1 },
    { 4096, 4000, 4096, 1, 4096, 3, 1 }
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      const ArmillaRandomShape *s = &shapes[i];
      const gint64 n_factors = armilla_random_factor_size (s->n_fields, s->lmax_cl);
      const gint64 n = 2 * s->n_fields * armilla_random_count (s);
      g_autofree double *factor = random_array (rand, n_factors), *expected = poisoned_array (n);
      g_autofree double *out = NULL;

      for (gint64 j = 0; j < n_factors; j++)
        factor[j] = factor[j] < -0.9 ? 0 : factor[j];
      out = draw_on_device (s, factor);
      armilla_random_cpu (s, factor, expected);
      assert_same_bits (out, expected, n);
    }
}

static void
add_tests (void)
{
  g_test_add_func ("/random-cuda/fields", test_fields);
}
#endif

MAIN_ON_DEVICE (add_tests)
