/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/catalogue.h"
#include "core/catalogues/random-catalogue.h"

#include <armilla/grid.h>
#include <armilla/map-header.h>
#include <math.h>
#include <string.h>

/* python3 tests/reference/random-catalogue.py */
static const struct {
  guint64 seed, realisation;
  int i;
  double x, y, z;
} table[] = {
  { 0UL, 0UL, 0, -0x1.a5bce2588f537p-2, 0x1.46ac78bca197fp-4, -0x1.d0c50a9fa60bdp-1 },
  { 0UL, 0UL, 1, -0x1.aec1b6ffe3df1p-1, -0x1.c156f7e75a4b7p-2, -0x1.4335ac12383f6p-2 },
  { 0UL, 0UL, 2, 0x1.4ff791685afcfp-5, 0x1.fe91d09237766p-2, -0x1.bb51f5b4ba8cdp-1 },
  { 0UL, 0UL, 1000, 0x1.07bd7e5703f0ap-1, -0x1.c7c97fce16a64p-3, 0x1.a7cb3a4a41428p-1 },
  { 1UL, 0UL, 0, 0x1.36b5f1a9dfde6p-1, -0x1.96f11644abbaap-1, 0x1.1fe1de3830c00p-9 },
  { 1UL, 0UL, 1, 0x1.c61f765b66374p-1, -0x1.40c0da69528a4p-5, -0x1.d73af705573cep-2 },
  { 1UL, 0UL, 2, -0x1.57920c9e98d1bp-1, 0x1.efde892f3d79fp-2, -0x1.1f751437097c9p-1 },
  { 1UL, 0UL, 1000, -0x1.bf5d5e3d88f5ap-2, 0x1.33adad839998bp-1, 0x1.56b388e95d0fcp-1 },
  { 1UL, 7UL, 0, 0x1.bffa54e543dfdp-1, -0x1.3ad26e9917769p-2, -0x1.7f0c8508a251ap-2 },
  { 1UL, 7UL, 1, -0x1.ca011e86d98fcp-1, -0x1.7d365fc089029p-4, -0x1.bfaf3338f4e3ep-2 },
  { 1UL, 7UL, 2, -0x1.c847a37e485c9p-1, 0x1.14f73b5d6ef97p-2, -0x1.74f6535a656dep-2 },
  { 1UL, 7UL, 1000, -0x1.99b957300c1ebp-1, 0x1.4fe6eea6ce7ccp-2, -0x1.0106d31505343p-1 },
  { 18446744073709551615UL, 18446744073709551615UL, 0,
    0x1.567e72057894cp-3, 0x1.d161779bee53ap-1, -0x1.871135df2c89ap-2 },
  { 18446744073709551615UL, 18446744073709551615UL, 1,
    0x1.1b5e19fff9ef7p-1, 0x1.d9a4a02302341p-3, -0x1.99aa54a744c11p-1 },
  { 18446744073709551615UL, 18446744073709551615UL, 2,
    -0x1.b37f1b8ad20a1p-1, 0x1.f26285b33ff2cp-2, 0x1.97b94e079e670p-3 },
  { 18446744073709551615UL, 18446744073709551615UL, 1000,
    -0x1.5f6200693b907p-1, 0x1.edc0afac30cb0p-4, -0x1.6f3d518dcd02fp-1 },
};

static const ArmillaRandomSky whole = { .n = 1001, .longitude = { 0, 2 * G_PI },
                                        .latitude = { -G_PI_2, G_PI_2 }, .coordsys = 'C' };

static ArmillaCatalogue *
draw (const ArmillaRandomSky *sky, int n_threads)
{
  GError *error = NULL;
  ArmillaCatalogue *out = armilla_random_catalogue (sky, n_threads, &error);

  g_assert_no_error (error);
  g_assert_cmpint (out->n, ==, sky->n);
  return out;
}

static void
test_table (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (table); k++)
    {
      ArmillaRandomSky sky = whole;
      g_autoptr (ArmillaCatalogue) out = NULL;
      int i = table[k].i;

      sky.seed = table[k].seed;
      sky.realisation = table[k].realisation;
      out = draw (&sky, 1);
      g_assert_true (out->z[i] == table[k].z);
      /* a square root of a product, a cosine and a product: 2.5 ulp of at most 1.1e-16 each */
      g_assert_cmpfloat (fabs (out->x[i] - table[k].x), <=, 3e-16);
      g_assert_cmpfloat (fabs (out->y[i] - table[k].y), <=, 3e-16);
    }
}

static gboolean
same (const ArmillaCatalogue *a, const ArmillaCatalogue *b, gint64 n)
{
  gsize size = (gsize) n * sizeof (double);

  return memcmp (a->x, b->x, size) == 0 && memcmp (a->y, b->y, size) == 0
         && memcmp (a->z, b->z, size) == 0;
}

/* Threads change nothing, and more objects keep the first ones. */
static void
test_threads (void)
{
  ArmillaRandomSky sky = whole;
  g_autoptr (ArmillaCatalogue) one = NULL;
  g_autoptr (ArmillaCatalogue) five = NULL;
  g_autoptr (ArmillaCatalogue) fewer = NULL;

  sky.n = 20011;
  sky.seed = 5;
  one = draw (&sky, 1);
  five = draw (&sky, 5);
  g_assert_true (same (one, five, sky.n));
  sky.n = 4097;
  fewer = draw (&sky, 3);
  g_assert_true (same (one, fewer, sky.n));
}

/* Uniform on the sphere: z and longitude are uniform, and the low multipoles are those of noise. */
static void
test_uniform (void)
{
  enum { N = 100000, BINS = 20 };
  ArmillaRandomSky sky = whole;
  g_autoptr (ArmillaCatalogue) out = NULL;
  double chi_z = 0, chi_lon = 0, moments[8] = { 0 };
  int by_z[BINS] = { 0 }, by_lon[BINS] = { 0 };

  sky.n = N;
  sky.seed = 20261121;
  out = draw (&sky, 4);
  for (int i = 0; i < N; i++)
    {
      double x = out->x[i], y = out->y[i], z = out->z[i], lon = atan2 (y, x) / (2 * G_PI);
      const double m[8] = { x, y, z, x * y, y * z, x * z, x * x - y * y, 3 * z * z - 1 };

      g_assert_cmpfloat (fabs (x * x + y * y + z * z - 1), <, 1e-15);
      by_z[MIN (BINS - 1, (int) (BINS * (z + 1) / 2))]++;
      by_lon[MIN (BINS - 1, (int) (BINS * (lon - floor (lon))))]++;
      for (int k = 0; k < 8; k++)
        moments[k] += m[k];
    }
  for (int b = 0; b < BINS; b++)
    {
      chi_z += pow (by_z[b] - N / BINS, 2) / (N / BINS);
      chi_lon += pow (by_lon[b] - N / BINS, 2) / (N / BINS);
    }
  /* chi^2 of 19 degrees of freedom: above 43.8 once in 1000; the seed is fixed */
  g_assert_cmpfloat (chi_z, <, 43.8);
  g_assert_cmpfloat (chi_lon, <, 43.8);
  for (int k = 0; k < 8; k++)
    {
      /* variances of x; x y; x^2 - y^2; 3 z^2 - 1 on the sphere: 1/3, 1/15, 4/15, 4/5 */
      double variance = k < 3 ? 1.0 / 3 : k < 6 ? 1.0 / 15 : k == 6 ? 4.0 / 15 : 0.8;

      g_assert_cmpfloat (fabs (moments[k]), <, 4 * sqrt (N * variance));
    }
}

static void
test_limits (void)
{
  ArmillaRandomSky sky = { .n = 5000, .seed = 3, .longitude = { 6, 6.5 }, .latitude = { -0.2, 0.3 },
                           .coordsys = 'G' };
  g_autoptr (ArmillaCatalogue) out = draw (&sky, 2);
  double mean = 0;

  g_assert_true (out->coordsys == 'G');
  for (int i = 0; i < sky.n; i++)
    {
      double lon = atan2 (out->y[i], out->x[i]);

      lon += lon < 3 ? 2 * G_PI : 0;
      g_assert_true (lon >= 6 - 1e-15 && lon <= 6.5 + 1e-15);
      g_assert_true (out->z[i] >= sin (-0.2) && out->z[i] <= sin (0.3));
      mean += out->z[i] / (double) sky.n;
    }
  /* uniform in z: a twelfth of the width squared is the variance */
  g_assert_cmpfloat (fabs (mean - (sin (0.3) + sin (-0.2)) / 2), <,
                     4 * (sin (0.3) - sin (-0.2)) / sqrt (12.0 * 5000));
}

/* Half of nside 8: pixels of even numbers. */
static ArmillaFootprint *
half (void)
{
  ArmillaFootprint *footprint = armilla_footprint_new (8, NULL);
  double pixels[768];

  for (int i = 0; i < 768; i++)
    pixels[i] = i % 6 == 1 ? -1 : i % 6 == 3 ? 0 : i % 6 == 5 ? ARMILLA_UNSEEN : 0.5;
  armilla_footprint_add (footprint, 0, 300, pixels);
  armilla_footprint_add (footprint, 300, 468, pixels + 300);
  return footprint;
}

static void
test_footprint (void)
{
  g_autoptr (ArmillaFootprint) footprint = half ();
  g_autoptr (ArmillaCatalogue) all = NULL;
  g_autoptr (ArmillaCatalogue) out = NULL;
  g_autoptr (ArmillaCatalogue) cut = NULL;
  ArmillaRandomSky sky = whole;
  int hits[768] = { 0 };
  gint64 kept = 0;
  double chi = 0;

  sky.n = 38400;
  sky.footprint = footprint;
  g_assert_cmpint (footprint->n_inside, ==, 384);
  out = draw (&sky, 4);
  for (int i = 0; i < sky.n; i++)
    {
      const double v[3] = { out->x[i], out->y[i], out->z[i] };

      g_assert_true (armilla_footprint_has (footprint, v));
      hits[armilla_healpix_vector_to_pixel (8, v)]++;
    }
  for (int i = 0; i < 768; i += 2)
    chi += pow (hits[i] - 100, 2) / 100;
  /* chi^2 of 383 degrees of freedom: mean 383, deviation 27.7 */
  g_assert_cmpfloat (fabs (chi - 383), <, 4 * 27.7);
  /* the same choice by cutting what is drawn without a mask */
  sky.footprint = NULL;
  all = draw (&sky, 4);
  cut = armilla_catalogue_cut (all, footprint, 1, 0, NULL);
  for (int i = 0; i < sky.n; i++)
    if (all->x[i] == out->x[i])
      g_assert_true (cut->x[kept++] == out->x[i]);
  g_assert_cmpint (kept, ==, cut->n);
}

/* A mask in other coordinates: what is inside, seen from there, is inside. */
static void
test_turned (void)
{
  g_autoptr (ArmillaFootprint) footprint = half ();
  g_autoptr (ArmillaCatalogue) out = NULL;
  g_autoptr (ArmillaCatalogue) there = NULL;
  g_autoptr (ArmillaCatalogue) cut = NULL;
  ArmillaRandomSky sky = whole;

  sky.n = 500;
  footprint->coordsys = 'G';
  sky.footprint = footprint;
  out = draw (&sky, 1);
  there = armilla_catalogue_rotate (out, 'G', NULL);
  for (int i = 0; i < sky.n; i++)
    g_assert_true (armilla_footprint_has (footprint, (double[3]) { there->x[i], there->y[i],
                                                                   there->z[i] }));
  cut = armilla_catalogue_cut (out, footprint, 1, 0, NULL);
  g_assert_cmpint (cut->n, ==, 500);
}

static void
test_sample (void)
{
  g_autoptr (ArmillaCatalogue) all = NULL;
  g_autoptr (ArmillaCatalogue) tenth = NULL;
  g_autoptr (ArmillaCatalogue) fifth = NULL;
  g_autoptr (ArmillaCatalogue) again = NULL;
  g_autoptr (ArmillaCatalogue) none = NULL;
  ArmillaRandomSky sky = whole;
  GError *error = NULL;
  gint64 found = 0;

  sky.n = 20000;
  all = draw (&sky, 1);
  tenth = armilla_catalogue_cut (all, NULL, 0.1, 9, NULL);
  again = armilla_catalogue_cut (all, NULL, 0.1, 9, NULL);
  fifth = armilla_catalogue_cut (all, NULL, 0.2, 9, NULL);
  g_assert_true (tenth->n == again->n && same (tenth, again, tenth->n));
  /* binomial: deviations 42 and 57 */
  g_assert_cmpint (ABS (tenth->n - 2000), <, 170);
  g_assert_cmpint (ABS (fifth->n - 4000), <, 230);
  for (gint64 i = 0; i < fifth->n && found < tenth->n; i++)
    found += fifth->x[i] == tenth->x[found];
  g_assert_cmpint (found, ==, tenth->n);
  none = armilla_catalogue_cut (all, NULL, 1e-12, 9, &error);
  g_assert_null (none);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_clear_error (&error);
}

static void
expect (const ArmillaRandomSky *sky, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (armilla_random_catalogue (sky, 2, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  g_autoptr (ArmillaFootprint) footprint = armilla_footprint_new (1024, NULL);
  const double one = 1;
  ArmillaRandomSky sky = whole;

  sky.n = 0;
  expect (&sky, "0 objects; must be at least 1");
  sky.n = 10;
  sky.latitude[0] = 2;
  expect (&sky, "there is no sky between");
  sky = whole;
  sky.longitude[1] = -1;
  expect (&sky, "there is no sky between");
  sky = whole;
  sky.footprint = footprint;
  expect (&sky, "the mask has no positive pixel");
  /* one pixel of 12.6 million: the seed is fixed, and does not hit it in a million draws */
  armilla_footprint_add (footprint, 0, 1, &one);
  expect (&sky, "restrict longitude and latitude");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random-catalogue/table", test_table);
  g_test_add_func ("/random-catalogue/threads", test_threads);
  g_test_add_func ("/random-catalogue/uniform", test_uniform);
  g_test_add_func ("/random-catalogue/limits", test_limits);
  g_test_add_func ("/random-catalogue/footprint", test_footprint);
  g_test_add_func ("/random-catalogue/turned", test_turned);
  g_test_add_func ("/random-catalogue/sample", test_sample);
  g_test_add_func ("/random-catalogue/refused", test_refused);
  return g_test_run ();
}
