/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects by pixels, against a look at every pixel and sums of whole numbers. */

#include "core/catalogues/binning.h"
#include "core/catalogues/catalogue.h"
#include "core/catalogues/random-catalogue.h"

#include <armilla/map-header.h>
#include <math.h>
#include <string.h>

#define N 700

/* Objects all over the sky, a few on poles and on longitude 0. Weights are whole multiples of
 * 2^-40 from 2^-40 to 2^20, values multiples of 2^-10, so that 128 bits hold every sum. */
static ArmillaCatalogue *
objects (void)
{
  ArmillaRandomSky sky = { .n = N, .seed = 8, .longitude = { 0, 2 * G_PI },
                           .latitude = { -G_PI_2, G_PI_2 }, .coordsys = 'C' };
  g_autoptr (ArmillaCatalogue) bare = armilla_random_catalogue (&sky, 1, NULL);
  ArmillaCatalogue *out = armilla_catalogue_copy (bare, ARMILLA_CATALOGUE_WEIGHT, NULL);
  double *value = armilla_catalogue_add_value (out, "V", "mag", NULL);
  static const double places[4][3] = { { 0, 0, 1 }, { 0, 0, -1 }, { 0.8, 0, 0.6 },
                                       { 0, -0.6, -0.8 } };

  for (int i = 0; i < N; i++)
    {
      if (i < 4)
        {
          out->x[i] = places[i][0];
          out->y[i] = places[i][1];
          out->z[i] = places[i][2];
        }
      out->weight[i] = ldexp (1 + i % 13, (i * 7) % 57 - 40);
      value[i] = (double) ((i * 37) % 4001 - 2000) / 1024;
    }
  return out;
}

static double
azimuth_of (const ArmillaRing *ring)
{
  return ring->phi0_den != 0 ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den
                             : ring->phi0;
}

/* The nearest ring, then the nearest pixel on it, by looking at all of them. */
static gint64
look (const ArmillaGrid *grid, const double v[3])
{
  double theta = acos (CLAMP (v[2], -1, 1)), phi = atan2 (v[1], v[0]), min_distance = INFINITY;
  const ArmillaRing *best = NULL;
  gint64 found = 0;

  for (gint64 i = 0; i < grid->n_rings; i++)
    if (fabs (acos (grid->rings[i].cos_theta) - theta) < min_distance)
      {
        best = &grid->rings[i];
        min_distance = fabs (acos (best->cos_theta) - theta);
      }
  min_distance = INFINITY;
  for (gint64 j = 0; j < best->n_phi; j++)
    {
      double d = fabs (remainder (azimuth_of (best) + 2 * G_PI * (double) j / (double) best->n_phi
                                    - phi, 2 * G_PI));

      if (d < min_distance)
        {
          min_distance = d;
          found = best->offset + j;
        }
    }
  return found;
}

/* Sums in units of 2^-50, which all terms are multiples of. */
typedef struct {
  gint64 n;
  ArmillaInt128 weight, value;
} Sum;

static ArmillaInt128
whole (double x)
{
  double scaled = ldexp (x, 50);

  g_assert_true (scaled == floor (scaled));
  return (ArmillaInt128) scaled;
}

/* Pixels are asked for in runs of 17. */
static double *
fill (const ArmillaBinning *binning, const ArmillaGrid *grid, ArmillaBinned what)
{
  double *pixels = g_new (double, grid->n_pixels);
  GError *error = NULL;

  for (gint64 first = 0; first < grid->n_pixels; first += 17)
    armilla_binning_fill (binning, what, 0, first, MIN (17, grid->n_pixels - first), pixels + first,
                          &error);
  g_assert_no_error (error);
  return pixels;
}

static void
check_grid (ArmillaGrid *grid)
{
  g_autoptr (ArmillaCatalogue) c = objects ();
  g_autoptr (ArmillaBinning) binning = armilla_binning_new (c, grid, NULL);
  g_autofree double *counts = fill (binning, grid, ARMILLA_BINNED_COUNTS);
  g_autofree double *weights = fill (binning, grid, ARMILLA_BINNED_WEIGHTS);
  g_autofree double *means = fill (binning, grid, ARMILLA_BINNED_MEAN);
  g_autofree Sum *sums = g_new0 (Sum, grid->n_pixels);

  for (int i = 0; i < N; i++)
    {
      const double v[3] = { c->x[i], c->y[i], c->z[i] };
      gint64 pixel = grid->kind == ARMILLA_GRID_HEALPIX
                       ? armilla_healpix_vector_to_pixel (grid->nside, v)
                       : look (grid, v);

      sums[pixel].n++;
      sums[pixel].weight += whole (c->weight[i]);
      sums[pixel].value += whole (c->weight[i] * c->values[0].value[i]);
    }
  for (gint64 i = 0; i < grid->n_pixels; i++)
    {
      double weight = ldexp ((double) sums[i].weight, -50);
      double value = ldexp ((double) sums[i].value, -50);

      g_assert_true (counts[i] == (double) sums[i].n);
      g_assert_true (weights[i] == weight);
      g_assert_true (means[i] == (sums[i].n > 0 ? value / weight : ARMILLA_UNSEEN));
    }
}

static void
test_grids (void)
{
  static const gint64 nsides[] = { 1, 2, 3, 8 };
  static const ArmillaGridKind kinds[] = { ARMILLA_GRID_FEJER1, ARMILLA_GRID_CLENSHAW_CURTIS,
                                           ARMILLA_GRID_DRISCOLL_HEALY };

  for (gsize i = 0; i < G_N_ELEMENTS (nsides); i++)
    {
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nsides[i], NULL);

      check_grid (grid);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_equiangular (kinds[i], 12, 25, NULL);

      check_grid (grid);
    }
  {
    g_autoptr (ArmillaGrid) grid = armilla_grid_new_gauss_legendre (9, 16, NULL);
    g_autoptr (ArmillaGrid) one = armilla_grid_new_gauss_legendre (1, 1, NULL);

    check_grid (grid);
    check_grid (one);
  }
}

/* The other way round: not one bit differs, with weights over 57 powers of 2 and values that are no
 * multiples of anything. */
static void
test_order (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (2, NULL);
  g_autoptr (ArmillaCatalogue) c = objects ();
  g_autoptr (ArmillaCatalogue) turned = NULL;
  g_autoptr (ArmillaBinning) one = NULL, other = NULL;
  gint64 which[N];

  for (int i = 0; i < N; i++)
    {
      c->weight[i] /= 3;
      c->values[0].value[i] = sin (i);
      which[i] = N - 1 - i;
    }
  turned = armilla_catalogue_select (c, which, N, NULL);
  g_assert_cmpstr (turned->values[0].name, ==, "V");
  g_assert_cmpstr (turned->values[0].unit, ==, "mag");
  one = armilla_binning_new (c, grid, NULL);
  other = armilla_binning_new (turned, grid, NULL);
  for (int what = ARMILLA_BINNED_COUNTS; what <= ARMILLA_BINNED_MEAN; what++)
    {
      g_autofree double *a = fill (one, grid, what), *b = fill (other, grid, what);

      g_assert_cmpmem (a, grid->n_pixels * sizeof *a, b, grid->n_pixels * sizeof *b);
    }
}

/* Weights of 0 are objects, but no mean; their values may be missing. Other values that are
 * missing, or too large for a number, are told when their mean is asked for. */
static void
test_extremes (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, NULL);
  g_autoptr (ArmillaCatalogue) c = objects ();
  g_autoptr (ArmillaBinning) light = NULL, heavy = NULL, empty = NULL, gaps = NULL;
  g_autoptr (ArmillaCatalogue) none = armilla_catalogue_new (0, 0, NULL);
  GError *error = NULL;
  double pixels[12];

  memset (c->weight, 0, N * sizeof (double));
  c->values[0].value[7] = NAN;
  light = armilla_binning_new (c, grid, NULL);
  g_assert_true (armilla_binning_fill (light, ARMILLA_BINNED_MEAN, 0, 0, 12, pixels, NULL));
  for (int i = 0; i < 12; i++)
    g_assert_true (pixels[i] == ARMILLA_UNSEEN);
  g_assert_true (armilla_binning_fill (light, ARMILLA_BINNED_COUNTS, 0, 0, 1, pixels, NULL));
  g_assert_cmpfloat (pixels[0], >, 0);
  empty = armilla_binning_new (none, grid, NULL);
  g_assert_true (armilla_binning_fill (empty, ARMILLA_BINNED_WEIGHTS, 0, 0, 12, pixels, NULL));
  g_assert_true (pixels[0] == 0 && pixels[11] == 0);
  for (int i = 0; i < N; i++)
    c->weight[i] = 1e308;
  for (int i = 0; i < N; i++)
    c->values[0].value[i] = 1;
  heavy = armilla_binning_new (c, grid, NULL);
  g_assert_false (armilla_binning_fill (heavy, ARMILLA_BINNED_WEIGHTS, 0, 0, 12, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_clear_error (&error);
  c->values[0].value[5] = 10;
  for (int i = 0; i < N; i++)
    c->weight[i] = 1e300;
  c->values[0].value[5] = 1e10;
  c->values[0].value[8] = NAN;
  gaps = armilla_binning_new (c, grid, NULL);
  g_assert_true (armilla_binning_fill (gaps, ARMILLA_BINNED_WEIGHTS, 0, 0, 12, pixels, NULL));
  g_assert_false (armilla_binning_fill (gaps, ARMILLA_BINNED_MEAN, 0, 0, 12, pixels, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "V: 2 of the "));
  g_assert_nonnull (strstr (error->message, "NaN or too large, the first is object 6 (1e+10)"));
  g_clear_error (&error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/binning/grids", test_grids);
  g_test_add_func ("/binning/order", test_order);
  g_test_add_func ("/binning/extremes", test_extremes);
  return g_test_run ();
}
