/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels of statistics against those of the CPU, which test-statistics.c tests: the same
 * bits. Skips without CUDA or without a device. */
#include "config.h"

#include <glib.h>

#include "tests/lib/cuda-helpers.h"

#ifdef HAVE_CUDA
#include "codelets/fields/statistics.h"

static void
compare (const ArmillaStatisticsShape *shape, GRand *rand)
{
  const gint64 n = shape->n_fields * shape->n_pixels, n_mask = shape->n_masks * shape->n_pixels;
  const gint64 words = shape->n_fields * armilla_statistics_words (shape);
  g_autofree double *map = random_array (rand, n), *mask = random_array (rand, n_mask);
  g_autofree double *part = g_new (double, words), *sum = g_new (double, words);
  g_autofree double *back = NULL, *total = NULL;
  g_autoptr (Device) d_map = NULL, d_mask = NULL, d_part = NULL, d_sum = NULL, d_scratch = NULL;

  for (gint64 i = 0; i < n; i += 7)
    map[i] = i % 2 ? UNSEEN : 1e5;
  for (gint64 i = 0; i < n_mask; i += 5)
    mask[i] = i % 2 ? UNSEEN : 0;
  d_map = doubles_to_device (map, n);
  d_mask = doubles_to_device (mask, n_mask);
  d_part = doubles_to_device (NULL, words);
  d_sum = doubles_to_device (NULL, words);
  d_scratch = doubles_to_device (NULL, armilla_statistics_scratch (shape));
  armilla_statistics_cpu (shape, map, mask, part);
  assert_cuda (armilla_statistics_launch (shape, d_map, d_mask, d_part, d_scratch, NULL));
  back = from_device (d_part, words);
  assert_same_bits (back, part, words);
  for (int first = 1; first >= 0; first--)
    {
      armilla_statistics_merge_cpu (shape, first, part, sum);
      assert_cuda (armilla_statistics_merge_launch (shape, first, d_part, d_sum, NULL));
    }
  total = from_device (d_sum, words);
  assert_same_bits (total, sum, words);
}

static void
test_statistics (void)
{
  static const ArmillaStatisticsShape shapes[] = {
    { .n_fields = 1, .n_pixels = 1 },
    { .n_fields = 2, .n_pixels = 31, .n_masks = 1 },
    { .n_fields = 1, .n_pixels = 4096, .n_bins = 10, .low = -0.5, .high = 0.5 },
    { .n_fields = 3, .n_pixels = 4097, .n_masks = 3, .n_bins = 1, .low = 0, .high = 1 },
    { .n_fields = 3, .n_pixels = 500001, .n_masks = 1, .n_bins = 1000, .low = -1, .high = 1 },
    { .n_fields = 1, .n_pixels = 3000000 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    compare (&shapes[i], rand);
}

static void
add_tests (void)
{
  g_test_add_func ("/cuda/statistics", test_statistics);
}
#endif

MAIN_ON_DEVICE (add_tests)
