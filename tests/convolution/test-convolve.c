/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolutions through the graph against the sum over pixels, and by rings against through
 * a_lm. */
#include <stdio.h>

#include "core/grids/grid.h"
#include "tasks/graph/graph.h"
#include "tests/convolution/convolve-helpers.h"

/* Errors over the rms of the sum, for every @step-th pixel: the largest on rings of class 0 and of
 * class 1. */
static void
errors (const ArmillaGrid *grid, const double *values, const ArmillaKernelTable *table,
        const double *result, gint64 step, gboolean (*belt) (const ArmillaGrid *, double, double),
        double largest[2])
{
  g_autofree double *vectors = pixel_vectors (grid);
  double square = 0;
  gint64 n = 0;

  largest[0] = largest[1] = 0;
  for (gint64 p = 0; p < grid->n_pixels; p += step)
    {
      const double exact = pixel_sum (grid, vectors, values, table, p);
      const double theta = acos (vectors[3 * p + 2]);
      double *to = belt (grid, theta, table->cut) ? &largest[0] : &largest[1];

      *to = MAX (*to, fabs (result[p] - exact));
      square += exact * exact;
      n++;
    }
  for (int i = 0; i < 2; i++)
    largest[i] /= sqrt (square / (double) n);
}

/* Returns whether the kernel's support around a ring lies where all rings have as many pixels. */
static gboolean
in_belt (const ArmillaGrid *grid, double theta, double cut)
{
  const double edge = acos (2.0 / 3);

  return grid->kind != ARMILLA_GRID_HEALPIX || (theta - cut > edge && theta + cut < G_PI - edge);
}

/* The rings that a bound of its own holds for: those where accuracy does not depend on how many
 * orders of the kernel are kept, and the rest. */
static void
check_sum (ArmillaGrid *grid, double fwhm, double accuracy, double cut, gint64 ring_block,
           gint64 step, double belt_limit, double limit)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (fwhm, NULL);
  g_autofree double *values = random_map_array (rand, grid->n_pixels), *result = NULL;
  ArmillaRingConvolution options = { accuracy, cut, TRUE, TRUE, 0, 0, FALSE };
  g_autoptr (ArmillaKernelTable) table = NULL;
  double largest[2];

  if (cut == 0)
    options.cut
      = armilla_kernel_choose_cut (kernel, 0.05 * accuracy, NULL, 8 * grid->n_rings, 1e-3);
  table = armilla_kernel_tabulate (kernel, options.cut);
  result = convolve (grid, values, 1, kernel, &options, -1, ring_block);
  errors (grid, values, table, result, step, in_belt, largest);
  g_test_message ("FWHM %g, accuracy %g: %.2g in the belt, %.2g elsewhere", fwhm / arcmin, accuracy,
                  largest[0], largest[1]);
  g_assert_cmpfloat (largest[0], <=, belt_limit);
  g_assert_cmpfloat (largest[1], <=, limit);
}

/* The bounds of issue and design: 1e-10 where rings have equal lengths, 1e-4 elsewhere; what is
 * asked for holds everywhere. White noise is the hardest map: all orders matter alike. A tenth of
 * the accuracy may be left out in each order, and noise of that size adds up to a few times its
 * rms at the worst pixel. */
static void
test_healpix (void)
{
  g_autoptr (ArmillaGrid) coarse = armilla_grid_new_healpix (32, NULL);
  g_autoptr (ArmillaGrid) fine = armilla_grid_new_healpix (64, NULL);
  g_autoptr (ArmillaGrid) odd = armilla_grid_new_healpix (27, NULL);

  check_sum (coarse, 600 * arcmin, 1e-10, 0, 20, 7, 1e-10, 1e-9);
  check_sum (coarse, 600 * arcmin, 1e-4, 0, 64, 7, 1e-4, 1e-4);
  check_sum (fine, 300 * arcmin, 1e-10, 0, 50, 29, 1e-10, 1e-9);
  check_sum (fine, 300 * arcmin, 1e-6, 0, 128, 29, 1e-6, 1e-6);
  check_sum (odd, 500 * arcmin, 1e-10, 0, 7, 7, 1e-10, 1e-9);
  /* Wherever the kernel is cut, equal rings are summed exactly. */
  check_sum (coarse, 600 * arcmin, 1e-10, 900 * arcmin, 20, 7, 1e-10, 1e-2);
}

/* Grids of equal rings: every ring is exact, the ones next to the poles and at them too. */
static void
test_equal_rings (void)
{
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (40, 84, NULL);
  g_autoptr (ArmillaGrid) odd = armilla_grid_new_gauss_legendre (31, 63, NULL);
  g_autoptr (ArmillaGrid) fejer
    = armilla_grid_new_equiangular (ARMILLA_GRID_FEJER1, 40, 80, NULL);
  g_autoptr (ArmillaGrid) poles
    = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, 41, 80, NULL);
  g_autoptr (ArmillaGrid) one_pole
    = armilla_grid_new_equiangular (ARMILLA_GRID_DRISCOLL_HEALY, 40, 80, NULL);

  check_sum (gauss, 800 * arcmin, 1e-10, 0, 6, 1, 1e-10, 0);
  check_sum (odd, 900 * arcmin, 1e-10, 0, 16, 1, 1e-10, 0);
  check_sum (fejer, 800 * arcmin, 1e-10, 1500 * arcmin, 7, 1, 1e-10, 0);
  check_sum (poles, 800 * arcmin, 1e-10, G_PI, 9, 1, 1e-10, 0);
  check_sum (one_pole, 800 * arcmin, 1e-10, 0, 5, 1, 1e-10, 0);
  check_sum (gauss, 1500 * arcmin, 1e-4, 0, 20, 1, 1e-4, 0);
}

/* What a user gets without kernel-shift and anti-ringing is the paper's first form: orders beyond
 * Nyquist are lost, which a map without power there does not notice. */
static void
test_options (void)
{
  const ArmillaAlmLayout layout = { 48, 48 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (600 * arcmin, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *alm = random_alm_array (rand, layout, 1);
  g_autofree double *values = synthesize (NULL, grid, layout, alm, 1);
  ArmillaRingConvolution options = { 1e-8, 40 * G_PI / 180, TRUE, TRUE, 0, 0, FALSE };
  g_autofree double *best = convolve (grid, values, 1, kernel, &options, -1, 20);

  for (int i = 0; i < 4; i++)
    {
      g_autofree double *other = NULL;

      options.anti_ringing = i & 1;
      options.kernel_shift = i >> 1;
      other = convolve (grid, values, 1, kernel, &options, -1, 20);
      /* Next to the poles a ring of n pixels aliases orders of n / 2 and more, of which the map has
       * few there; measured 2e-3 of the rms at most on some hundred pixels of 12288. */
      g_assert_cmpfloat (relative_rms (other, best, grid->n_pixels), <, 1e-3);
      if (i != 3)
        g_assert_cmpfloat (relative_rms (other, best, grid->n_pixels), >, 1e-13);
    }
}

/* Rings summed pixel by pixel are exact, the others do not change. */
static void
test_polar_rings (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_top_hat (0.3, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *values = random_map_array (rand, grid->n_pixels);
  ArmillaRingConvolution options = { 1e-4, 1, TRUE, TRUE, 0, 0, FALSE };
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, 1);
  g_autofree double *vectors = pixel_vectors (grid), *without = NULL, *with = NULL;

  for (gint64 p = 0; p < grid->n_pixels; p += 17)
    values[p] = ARMILLA_UNSEEN;
  without = convolve (grid, values, 1, kernel, &options, -1, 5);
  options.polar_rings = 12; /* the third of the blocks of five is cut */
  with = convolve (grid, values, 1, kernel, &options, -1, 5);
  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      const gint64 ring = armilla_grid_ring_of (grid, p);

      if (armilla_is_unseen (values[p]))
        g_assert_cmpfloat (with[p], ==, ARMILLA_UNSEEN);
      else if (MIN (ring, grid->n_rings - 1 - ring) >= 12)
        g_assert_cmpfloat (with[p], ==, without[p]);
      else /* some 70 terms below 0.05 */
        g_assert_cmpfloat_with_epsilon (with[p], pixel_sum (grid, vectors, values, table, p),
                                        1e-13);
    }
}

/* Rings that mirror each other except for their weights. */
static ArmillaGrid *
ring_list (const gint64 *lengths, int n)
{
  g_autofree ArmillaRing *rings = g_new0 (ArmillaRing, n);
  g_autoptr (GError) error = NULL;
  gint64 offset = 0;
  ArmillaGrid *grid;

  for (int i = 0; i < n; i++)
    {
      const double theta = (MIN (i, n - 1 - i) + 0.5) * G_PI / n;

      rings[i] = (ArmillaRing) { .cos_theta = 2 * i + 1 == n ? 0 : cos (theta),
                                 .sin_theta = 2 * i + 1 == n ? 1 : sin (theta),
                                 .weight = 0.1 + 0.01 * i, .n_phi = lengths[i], .offset = offset,
                                 .phi0_num = 1, .phi0_den = lengths[i] };
      rings[i].cos_theta *= 2 * i + 1 > n ? -1 : 1;
      offset += lengths[i];
    }
  grid = armilla_grid_new_rings (rings, n, &error);
  g_assert_no_error (error);
  return grid;
}

/* Rings whose numbers of pixels have other common divisors than those of HEALPix, an equator, a
 * cut inside and beyond a whole ring, more fields than share values of the kernel: each is what it
 * is alone, to the last bit. */
static void
test_polar_fields (void)
{
  enum { FIELDS = 19 };
  static const gint64 lengths[] = { 1, 5, 15, 9, 15, 5, 1 };
  const ArmillaRingConvolution options = { 1e-4, G_PI, TRUE, TRUE, 7, 0, FALSE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);

  for (int k = 0; k < 4; k++)
    {
      g_autoptr (ArmillaGrid) grid = k == 0   ? armilla_grid_new_healpix (5, NULL)
                                     : k == 1 ? armilla_grid_new_gauss_legendre (7, 15, NULL)
                                              : NULL;
      g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_top_hat (k % 2 ? 2.5 : 0.7, NULL);
      g_autoptr (ArmillaKernelTable) table = NULL;
      g_autofree double *values = NULL, *all = NULL, *alone = NULL, *vectors = NULL;
      ArmillaRingConvolution polar = options;

      if (!grid)
        grid = ring_list (lengths, G_N_ELEMENTS (lengths));
      polar.cut = armilla_kernel_support (kernel);
      table = armilla_kernel_tabulate (kernel, polar.cut);
      vectors = pixel_vectors (grid);
      values = random_map_array (rand, FIELDS * grid->n_pixels);
      all = convolve (grid, values, FIELDS, kernel, &polar, -1, 3);
      for (int f = 0; f < FIELDS; f += 6)
        {
          double *field = values + f * grid->n_pixels;

          g_free (alone);
          alone = convolve (grid, field, 1, kernel, &polar, -1, 3);
          for (gint64 p = 0; p < grid->n_pixels; p++)
            {
              const gint64 ring = armilla_grid_ring_of (grid, p);

              if (MIN (ring, grid->n_rings - 1 - ring) >= polar.polar_rings)
                continue;
              g_assert_cmpfloat (all[f * grid->n_pixels + p], ==, alone[p]);
              g_assert_cmpfloat_with_epsilon (alone[p],
                                              pixel_sum (grid, vectors, field, table, p), 1e-13);
            }
        }
    }
}

/* UNSEEN counts as 0 and comes back, either way. */
static void
test_unseen (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (900 * arcmin, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree double *values = random_map_array (rand, 2 * grid->n_pixels);
  g_autofree double *zeros = g_memdup2 (values, sizeof (double) * (gsize) (2 * grid->n_pixels));
  const ArmillaRingConvolution options = { 1e-10, G_PI, TRUE, TRUE, 0, 0, FALSE };

  for (gint64 p = 0; p < 2 * grid->n_pixels; p += 1 + p % 5)
    {
      values[p] = ARMILLA_UNSEEN;
      zeros[p] = 0;
    }
  for (gint64 lmax = -1; lmax < 64; lmax += 64)
    {
      g_autofree double *a = convolve (grid, values, 2, kernel, &options, lmax, 9);
      g_autofree double *b = convolve (grid, zeros, 2, kernel, &options, lmax, 9);

      for (gint64 p = 0; p < 2 * grid->n_pixels; p++)
        g_assert_cmpfloat (a[p], ==, armilla_is_unseen (values[p]) ? ARMILLA_UNSEEN : b[p]);
    }
}

/* The same sum through a_lm: with lmax where b_l is 1e-9, whatever the map; several fields at
 * once are each what they are alone, to the last bit; any cut into blocks gives the same to
 * rounding. */
static void
test_harmonic (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (64, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (240 * arcmin, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree double *values = random_map_array (rand, 3 * grid->n_pixels);
  ArmillaRingConvolution options = { 1e-8, 0, TRUE, TRUE, 0, 0, FALSE };
  g_autofree double *rings = NULL, *harmonic = NULL, *other = NULL;

  options.cut = armilla_kernel_choose_cut (kernel, 0.05e-8, NULL, 2000, 1e-3);
  rings = convolve (grid, values, 3, kernel, &options, -1, 40);
  harmonic = convolve (grid, values, 3, kernel, &options,
                       armilla_kernel_band_limit (kernel, 1e-9, 256), 40);
  g_assert_cmpfloat (relative_rms (rings, harmonic, 3 * grid->n_pixels), <, 1e-8);
  other = convolve (grid, values, 3, kernel, &options, -1, 128);
  g_assert_cmpfloat (relative_rms (other, rings, 3 * grid->n_pixels), <, 1e-14);
  for (int f = 0; f < 3; f++)
    {
      g_autofree double *alone
        = convolve (grid, values + f * grid->n_pixels, 1, kernel, &options, -1, 40);

      g_assert_cmpmem (alone, sizeof (double) * (gsize) grid->n_pixels,
                       rings + f * grid->n_pixels, sizeof (double) * (gsize) grid->n_pixels);
    }
}

/* A sky with most power on large scales, nside 256 and 1 degree: against the harmonic form of the
 * same sum 1e-4 by default and 1e-6 where asked for; against exact a_lm no worse than that sum,
 * whose error is HEALPix's quadrature. */
static void
test_sky (void)
{
  const ArmillaAlmLayout layout = { 512, 512 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (256, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (60 * arcmin, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autofree double *alm = random_alm_array (rand, layout, 1), *window = g_new (double, 513);
  g_autofree double *values = NULL, *harmonic = NULL, *exact = NULL;

  for (gint64 m = 0, i = 0; m <= 512; m++)
    for (gint64 l = m; l <= 512; l++, i++)
      for (int k = 0; k < 2; k++)
        alm[2 * i + k] *= l < 2 ? 0 : 1 / sqrt ((double) (l * (l + 1)));
  values = synthesize (NULL, grid, layout, alm, 1);
  armilla_kernel_window (kernel, 512, window);
  for (gint64 m = 0, i = 0; m <= 512; m++)
    for (gint64 l = m; l <= 512; l++, i++)
      for (int k = 0; k < 2; k++)
        alm[2 * i + k] *= window[l];
  exact = synthesize (NULL, grid, layout, alm, 1);
  harmonic = convolve (grid, values, 1, kernel, NULL,
                       armilla_kernel_band_limit (kernel, 1e-9, 1024), 256);
  for (double accuracy = 1e-4; accuracy > 5e-7; accuracy *= 0.01)
    {
      ArmillaRingConvolution options = { accuracy, 0, TRUE, TRUE, 0, 0, FALSE };
      g_autofree double *rings = NULL;

      options.cut = armilla_kernel_choose_cut (kernel, 0.05 * accuracy, NULL, 1024, 1e-3);
      rings = convolve (grid, values, 1, kernel, &options, -1, 256);
      g_assert_cmpfloat (relative_rms (rings, harmonic, grid->n_pixels), <, accuracy);
      g_assert_cmpfloat (relative_rms (rings, exact, grid->n_pixels), <,
                         1.1 * relative_rms (harmonic, exact, grid->n_pixels));
    }
}

/* Kernels with negative values and without an integral: wavelets. */
static void
test_needlet (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (64, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_needlet (150 * arcmin, 1, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autofree double *values = random_map_array (rand, grid->n_pixels);
  ArmillaRingConvolution options = { 1e-6, 0, TRUE, TRUE, 0, 0, FALSE };
  g_autofree double *rings = NULL, *harmonic = NULL;

  options.cut = armilla_kernel_choose_cut (kernel, 0.05e-6, NULL, 2000, 1e-3);
  rings = convolve (grid, values, 1, kernel, &options, -1, 128);
  harmonic = convolve (grid, values, 1, kernel, &options, 220, 128);
  g_assert_cmpfloat (relative_rms (rings, harmonic, grid->n_pixels), <, 1e-6);
}

/* Largest value farther than @cut from a source, over the largest of all: with sources in the belt,
 * or in a cap. */
static double
ringing (const ArmillaGrid *grid, const double *vectors, const gint64 *sources, int n, double cut,
         const double *result)
{
  double outside = 0, peak = 0;

  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      double nearest = 4;

      for (int i = 0; i < n; i++)
        {
          double chord2 = 0;

          for (int k = 0; k < 3; k++)
            chord2 += pow (vectors[3 * p + k] - vectors[3 * sources[i] + k], 2);
          nearest = MIN (nearest, chord2);
        }
      peak = MAX (peak, fabs (result[p]));
      if (nearest > pow (2 * sin (0.5 * cut), 2) * (1 + 1e-9))
        outside = MAX (outside, fabs (result[p]));
    }
  return outside / peak;
}

/* The experiment of Elsner and Wandelt (2011), Fig. 6, at an eighth of its resolution: point
 * sources, a beam that is as narrow beside the pixels, lmax = 2 nside. Through a_lm they ring; by
 * rings nothing is left outside the support in the belt, and little in the caps. */
static void
test_ringing (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (256, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (8 * 4.7 * arcmin, NULL);
  g_autofree double *vectors = pixel_vectors (grid);
  ArmillaRingConvolution options = { 1e-4, 0, TRUE, TRUE, 0, 0, FALSE };

  options.cut = armilla_kernel_choose_cut (kernel, 0.05e-4, NULL, 2000, 1e-3);
  for (int cap = 0; cap < 2; cap++)
    {
      const gint64 rings[] = { cap ? 31 : 400, cap ? 90 : 433, cap ? 140 : 511, cap ? 880 : 600 };
      g_autofree double *values = g_new0 (double, grid->n_pixels);
      g_autofree double *by_rings = NULL, *plain = NULL, *harmonic = NULL;
      gint64 sources[4];

      for (int i = 0; i < 4; i++)
        {
          sources[i] = grid->rings[rings[i]].offset + 29 * (i + 1);
          values[sources[i]] = 1;
        }
      by_rings = convolve (grid, values, 1, kernel, &options, -1, 512);
      harmonic = convolve (grid, values, 1, kernel, &options, 512, 512);
      options.anti_ringing = options.kernel_shift = FALSE;
      plain = convolve (grid, values, 1, kernel, &options, -1, 512);
      options.anti_ringing = options.kernel_shift = TRUE;
      g_test_message ("%s: %.2g by rings, %.2g in the first form, %.2g through a_lm",
                      cap ? "caps" : "belt",
                      ringing (grid, vectors, sources, 4, options.cut, by_rings),
                      ringing (grid, vectors, sources, 4, options.cut, plain),
                      ringing (grid, vectors, sources, 4, options.cut, harmonic));
      /* Roundings of the FFTs; in the caps what the accuracy allows. */
      g_assert_cmpfloat (ringing (grid, vectors, sources, 4, options.cut, by_rings), <,
                         cap ? 1e-4 : 1e-14);
      g_assert_cmpfloat (ringing (grid, vectors, sources, 4, options.cut, plain), >, 1e-3);
      g_assert_cmpfloat (ringing (grid, vectors, sources, 4, options.cut, harmonic), >, 5e-3);
    }
}

static void
test_refusals (void)
{
  const ArmillaRing lopsided[2]
    = { { .cos_theta = 0.6, .sin_theta = 0.8, .weight = 1, .n_phi = 8, .phi0_den = 1 },
        { .cos_theta = -0.6, .sin_theta = 0.8, .weight = 1, .n_phi = 9, .offset = 8,
          .phi0_den = 1 } };
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, NULL);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  g_autoptr (ArmillaGrid) other = armilla_grid_new_healpix (4, NULL);
  g_autoptr (ArmillaGrid) rings = armilla_grid_new_rings (lopsided, 2, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (0.2, NULL);
  const ArmillaRingConvolution options = { 1e-4, 0.5, TRUE, TRUE, 0, 0, FALSE };
  g_autoptr (ArmillaMap) one = armilla_map_new (grid, 1), two = armilla_map_new (grid, 2);
  g_autoptr (ArmillaMap) small = armilla_map_new (other, 1), user = armilla_map_new (rings, 1);
  g_autoptr (ArmillaMap) user_out = armilla_map_new (rings, 1);
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_graph_convolve_rings (graph, one, kernel, &options, two, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_convolve_rings (graph, one, kernel, &options, small, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_convolve_rings (graph, user, kernel, &options, user_out, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "harmonic"));
  g_clear_error (&error);
  armilla_map_set_spins (two, (int[]) { 2, 2 });
  g_assert_false (armilla_graph_convolve_rings (graph, two, kernel, &options, two, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
}

/* What the report of one convolution predicts, s. */
static double
predicted (ArmillaConvolveMethod method, ArmillaTilingOptions tiling)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, &error);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  g_autoptr (ArmillaKernel) kernel = armilla_kernel_new_gaussian (1, NULL);
  g_autoptr (ArmillaMap) in = armilla_map_new (grid, 1), out = armilla_map_new (grid, 1);
  g_autofree double *values = g_new0 (double, grid->n_pixels);
  ArmillaConvolution what = { .method = method, .lmax = -1,
                              .ring = { 1e-4, G_PI, TRUE, TRUE, 0, 0, FALSE } };
  WholeMap whole = { values, grid->n_pixels };
  g_autofree char *report = NULL;
  double seconds, took;

  armilla_convolution_settle (&what, grid, kernel, NULL, 0);
  armilla_graph_fill (graph, ARMILLA_DATA (in), whole_map_fill, &whole, NULL, &error);
  armilla_graph_convolve (graph, in, kernel, &what, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), whole_map_take, NULL, &whole, NULL, &error);
  g_assert_true (armilla_graph_wait (graph, &error));
  report = armilla_graph_choices (graph);
  g_assert_cmpint (sscanf (strstr (report, "; predicted "), "; predicted %lf s, took %lf s",
                           &seconds, &took), ==, 2);
  g_assert_cmpfloat (took, >, 0);
  return seconds;
}

/* With next to nothing to compute tasks have their price: 560 of them where each of 16 ring pairs
 * is a block, 5 where all are one; 33 times 6 where each order is a block. However many workers
 * this machine has, up to 20, they do not make up for it. */
static void
test_predictions (void)
{
  const double by_rings = predicted (ARMILLA_CONVOLVE_RING, (ArmillaTilingOptions) { 16, 1, 0 });
  const double by_degrees
    = predicted (ARMILLA_CONVOLVE_HARMONIC, (ArmillaTilingOptions) { 16, 1, 0 });

  g_assert_cmpfloat (by_rings, >=, 5e-5);
  g_assert_cmpfloat (by_degrees, >=, 5e-5);
  g_assert_cmpfloat (predicted (ARMILLA_CONVOLVE_RING, (ArmillaTilingOptions) { 1, 1, 0 }), >,
                     by_rings);
  g_assert_cmpfloat (predicted (ARMILLA_CONVOLVE_HARMONIC, (ArmillaTilingOptions) { 16, 33, 0 }),
                     >, by_degrees);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/convolve/healpix", test_healpix);
  g_test_add_func ("/convolve/equal-rings", test_equal_rings);
  g_test_add_func ("/convolve/options", test_options);
  g_test_add_func ("/convolve/polar-rings", test_polar_rings);
  g_test_add_func ("/convolve/polar-fields", test_polar_fields);
  g_test_add_func ("/convolve/unseen", test_unseen);
  g_test_add_func ("/convolve/harmonic", test_harmonic);
  g_test_add_func ("/convolve/sky", test_sky);
  g_test_add_func ("/convolve/needlet", test_needlet);
  g_test_add_func ("/convolve/ringing", test_ringing);
  g_test_add_func ("/convolve/refusals", test_refusals);
  g_test_add_func ("/convolve/predictions", test_predictions);
  return run_tests ();
}
