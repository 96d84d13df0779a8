/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patches around the centres of others, and places that a histogram does not have. */

#include "core/catalogues/estimator.h"

#include <math.h>

/* Objects at these longitudes on the equator, deg, with these patches. */
static ArmillaCatalogue *
equator (int n, const double *longitude, const double *weight, const gint32 *patch, int n_patches)
{
  ArmillaCatalogue *out
    = armilla_catalogue_new (n, (weight != NULL ? ARMILLA_CATALOGUE_WEIGHT : 0)
                                  | (patch != NULL ? ARMILLA_CATALOGUE_PATCH : 0), NULL);
  const double zero[8] = { 0 };

  out->n_patches = n_patches;
  for (int i = 0; i < n; i++)
    {
      if (weight != NULL)
        out->weight[i] = weight[i];
      if (patch != NULL)
        out->patch[i] = patch[i];
    }
  g_assert_true (armilla_catalogue_set_angles (out, 0, n, longitude, ARMILLA_ANGLE_DEG, zero,
                                               ARMILLA_ANGLE_DEG, NULL));
  return out;
}

/* Centres are at about 15 deg (of weights 1 and 3 at 0 and 20 deg), 90 deg and 180 deg; patch 2 is
 * empty, and the objects of patch 4 lie opposite each other: it has no centre. */
static void
test_nearest (void)
{
  const double longitude[8] = { 0, 20, 90, 180, 170, 190, 90, 270 };
  const double weight[8] = { 1, 3, 1, 2, 1, 1, 1, 1 };
  const gint32 patch[8] = { 0, 0, 1, 3, 3, 3, 4, 4 };
  const double probe[8] = { 0, 52, 53, 134.9, 135.1, 180, -82, -83 };
  /* the centre of patch 0: atan2 (3 sin 20, 1 + 3 cos 20) = 15.035 deg; half way to 90 is 52.52,
   * and the other way half way to 180 is -82.48 */
  const gint32 expected[8] = { 0, 0, 1, 1, 3, 3, 0, 3 };
  g_autoptr (ArmillaCatalogue) with = equator (8, longitude, weight, patch, 5);
  g_autoptr (ArmillaCatalogue) without = equator (8, probe, NULL, NULL, 0);
  g_autoptr (ArmillaPatches) patches = armilla_patches_new_around (with, NULL);
  g_autoptr (ArmillaCatalogue) out = armilla_patches_apply (patches, without, NULL);

  g_assert_cmpint (out->n_patches, ==, 5);
  g_assert_null (out->weight);
  for (int i = 0; i < 8; i++)
    {
      g_assert_cmpint (out->patch[i], ==, expected[i]);
      g_assert_true (out->x[i] == without->x[i] && out->y[i] == without->y[i]
                     && out->z[i] == without->z[i]);
    }
}

/* Two centres in one place: the lower number; no weight at all: no centre. */
static void
test_ties (void)
{
  const double longitude[2] = { 10, 10 }, none[2] = { 0, 0 };
  const gint32 patch[2] = { 2, 1 };
  g_autoptr (ArmillaCatalogue) with = equator (2, longitude, NULL, patch, 3);
  g_autoptr (ArmillaCatalogue) light = equator (2, longitude, none, patch, 3);
  g_autoptr (ArmillaPatches) patches = armilla_patches_new_around (with, NULL);
  g_autoptr (ArmillaCatalogue) out = armilla_patches_apply (patches, with, NULL);
  GError *error = NULL;

  g_assert_true (out->patch[0] == 1 && out->patch[1] == 1);
  g_assert_null (armilla_patches_new_around (light, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_error_free (error);
}

static void
test_places (void)
{
  const ArmillaHistogramShape shape
    = { ARMILLA_HISTOGRAM_PAIRS, 3, 2, 1 << ARMILLA_SUM_WEIGHT, 0, 0 };
  g_autofree gint64 *words = g_new0 (gint64, armilla_histogram_words (&shape));
  static const struct { int row; gint64 entry; } wrong[] = { { -1, 0 }, { 3, 0 }, { 0, -1 },
                                                             { 0, 3 }, { 4096, 0 } };

#ifdef G_DISABLE_CHECKS
  g_test_skip ("built with G_DISABLE_CHECKS");
  return;
#endif
  g_assert_cmpint (armilla_histogram_count (&shape, words, 2, 2), ==, 0);
  g_assert_true (armilla_histogram_sum (&shape, words, 2, ARMILLA_SUM_WEIGHT, 2) == 0);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*armilla_histogram_count*");
      armilla_histogram_count (&shape, words, wrong[i].row, wrong[i].entry);
      g_test_assert_expected_messages ();
      g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*armilla_histogram_sum*");
      g_assert_true (isnan (armilla_histogram_sum (&shape, words, wrong[i].row,
                                                   ARMILLA_SUM_WEIGHT, wrong[i].entry)));
      g_test_assert_expected_messages ();
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/patches/nearest", test_nearest);
  g_test_add_func ("/patches/ties", test_ties);
  g_test_add_func ("/histogram/places", test_places);
  return g_test_run ();
}
