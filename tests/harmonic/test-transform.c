/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole transforms through the task graph: against direct sums, and by identities. */
#include "tests/lib/transform-helpers.h"

/* Orthonormal P_lm(cos theta) for l = m..lmax, by the three-term recurrence in long double. */
static void
legendre (gint64 lmax, gint64 m, long double c, long double s, long double *p)
{
  long double pmm = sqrtl (1 / (4 * acosl (-1)));

  for (gint64 k = 1; k <= m; k++)
    pmm *= -sqrtl ((2 * k + 1.0L) / (2 * k)) * s;
  for (gint64 l = m; l <= lmax; l++)
    {
      long double e0 = sqrtl (((long double) (l - 1) * (l - 1) - (long double) m * m)
                              / (4 * (long double) (l - 1) * (l - 1) - 1));
      long double e1
        = sqrtl (((long double) l * l - (long double) m * m) / (4 * (long double) l * l - 1));

      if (l == m)
        p[0] = pmm;
      else if (l == m + 1)
        p[1] = c * p[0] / e1;
      else
        p[l - m] = (c * p[l - m - 1] - e0 * p[l - m - 2]) / e1;
    }
}

/* f(pixel) = sum_lm a_lm Y_lm, for all pixels. */
static double *
direct_synthesis (const ArmillaGrid *grid, ArmillaAlmLayout layout, const double *alm)
{
  double *map = g_new0 (double, grid->n_pixels);
  g_autofree long double *p = g_new (long double, layout.lmax + 1);

  for (gint64 r = 0; r < grid->n_rings; r++)
    {
      const ArmillaRing *ring = &grid->rings[r];
      g_autofree long double *sum = g_new0 (long double, ring->n_phi);
      long double phi0 = ring->phi0_den
                           ? acosl (-1) * ring->phi0_num / (long double) ring->phi0_den
                           : (long double) ring->phi0;

      for (gint64 m = 0; m <= layout.mmax; m++)
        {
          long double re = 0, im = 0;

          legendre (layout.lmax, m, (long double) ring->cos_theta + ring->cos_lo,
                    (long double) ring->sin_theta + ring->sin_lo, p);
          for (gint64 l = m; l <= layout.lmax; l++)
            {
              gint64 i = 2 * armilla_alm_index (layout.lmax, l, m);

              re += alm[i] * p[l - m];
              im += alm[i + 1] * p[l - m];
            }
          for (gint64 j = 0; j < ring->n_phi; j++)
            {
              long double phi
                = (long double) m
                  * (phi0 + 2 * acosl (-1) * (long double) j / (long double) ring->n_phi);

              sum[j] += (m ? 2 : 1) * (re * cosl (phi) - im * sinl (phi));
            }
        }
      for (gint64 j = 0; j < ring->n_phi; j++)
        map[ring->offset + j] = (double) sum[j];
    }
  return map;
}

static const Case cases[] = {
  { "healpix", 1, 0, 0, 0 },           { "healpix", 1, 0, 5, 5 },   { "healpix", 2, 0, 7, 3 },
  { "healpix", 3, 0, 8, 8 },           { "healpix", 8, 0, 24, 24 }, { "healpix", 8, 0, 40, 40 },
  { "gauss", 13, 26, 12, 12 },         { "gauss", 12, 9, 11, 11 },  { "gauss", 1, 1, 2, 2 },
  { "gauss", 10, 19, 9, 4 },           { "fejer1", 22, 25, 10, 10 }, { "fejer1", 7, 12, 10, 10 },
  { "clenshaw-curtis", 23, 24, 11, 11 }, { "clenshaw-curtis", 2, 5, 3, 3 },
  { "driscoll-healy", 24, 23, 11, 11 }, { "driscoll-healy", 2, 3, 1, 1 },
};

static void
test_direct (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      ArmillaAlmLayout layout = { c->lmax, c->mmax };
      g_autofree double *alm = random_alm_array (rand, layout, 2);
      g_autofree double *map = synthesize (NULL, grid, layout, alm, 2);

      for (int f = 0; f < 2; f++)
        {
          g_autofree double *direct
            = direct_synthesis (grid, layout, alm + 2 * f * armilla_alm_count (layout));
          double error = relative_rms (map + f * grid->n_pixels, direct, grid->n_pixels);

          g_test_message ("%s %ld %ld lmax %ld mmax %ld: %.2g", c->kind, (long) c->n_theta,
                          (long) c->n_phi, (long) c->lmax, (long) c->mmax, error);
          /* a few dozen roundings of 1.1e-16 */
          g_assert_cmpfloat (error, <, 5e-15);
        }
    }
}

/* <A x, y> = <x, A' y> */
static void
test_adjoint (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  static const Case more[] = { { "healpix", 64, 0, 128, 128 },
                               { "healpix", 64, 0, 191, 60 },
                               { "gauss", 129, 257, 128, 128 },
                               { "fejer1", 200, 90, 128, 128 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases) + G_N_ELEMENTS (more); i++)
    {
      const Case *c = i < G_N_ELEMENTS (cases) ? &cases[i] : &more[i - G_N_ELEMENTS (cases)];
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      ArmillaAlmLayout layout = { c->lmax, c->mmax };
      /* the bound of the design */
      g_assert_cmpfloat (adjoint_error (rand, grid, layout), <, 1e-14);
    }
}

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  static const Case grids[]
    = { { "gauss", 512, 1023, 511, 511 },          { "gauss", 65, 132, 64, 30 },
        { "fejer1", 258, 260, 128, 128 },          { "clenshaw-curtis", 259, 257, 128, 128 },
        { "driscoll-healy", 258, 300, 128, 128 } };

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      const Case *c = &grids[i];
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      ArmillaAlmLayout layout = { c->lmax, c->mmax };
      g_autofree double *x = random_alm_array (rand, layout, 1);
      g_autofree double *map = synthesize (NULL, grid, layout, x, 1);
      g_autofree double *back = analyse (ANALYSIS, 0, NULL, grid, layout, map, 1);
      double error = relative_rms (back, x, 2 * armilla_alm_count (layout));

      g_test_message ("%s lmax %ld: %.2g", c->kind, (long) c->lmax, error);
      g_assert_cmpfloat (error, <, 1e-12); /* the bound of the design */
    }
}

/* HEALPix: residual iterations and conjugate gradients both go to the least-squares solution, which
 * for a band-limited map is the a_lm it was made of. */
static void
test_healpix_solvers (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 32, 0);
  ArmillaAlmLayout layout = { 64, 64 };
  g_autofree double *x = random_alm_array (rand, layout, 2);
  g_autofree double *map = synthesize (NULL, grid, layout, x, 2);
  g_autofree double *zero = analyse (ANALYSIS, 0, NULL, grid, layout, map, 2);
  g_autofree double *three = analyse (ANALYSIS, 3, NULL, grid, layout, map, 2);
  g_autofree double *cg = analyse (CONJUGATE_GRADIENTS, 0, NULL, grid, layout, map, 2);
  gint64 n = 2 * armilla_alm_count (layout) * 2;

  /* HEALPix quadrature is good to about 1e-3 at lmax = 2 nside; three iterations gain at least
   * two digits. */
  g_assert_cmpfloat (relative_rms (zero, x, n), <, 1e-2);
  g_assert_cmpfloat (relative_rms (three, x, n), <, 1e-2 * relative_rms (zero, x, n));
  g_assert_cmpfloat (relative_rms (cg, x, n), <, 1e-12);
}

/* The cut into tiles changes no result beyond rounding, and the number of fields none at all. */
static void
test_tiling (void)
{
  static const ArmillaTilingOptions tilings[]
    = { { 1, 1, 0 }, { 7, 5, 0 }, { 16, 65, 0 }, { 1000, 2, 0 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 16, 0);
  ArmillaAlmLayout layout = { 64, 64 };
  gint64 n_alm = 2 * armilla_alm_count (layout);
  g_autofree double *x = random_alm_array (rand, layout, 3);
  g_autofree double *map = synthesize (NULL, grid, layout, x, 3);
  g_autofree double *alm = analyse (ANALYSIS, 1, NULL, grid, layout, map, 3);

  for (gsize i = 0; i < G_N_ELEMENTS (tilings); i++)
    {
      g_autofree double *map2 = synthesize (&tilings[i], grid, layout, x, 3);
      g_autofree double *alm2 = analyse (ANALYSIS, 1, &tilings[i], grid, layout, map, 3);

      g_assert_cmpfloat (relative_rms (map2, map, 3 * grid->n_pixels), <, 1e-14);
      g_assert_cmpfloat (relative_rms (alm2, alm, 3 * n_alm), <, 1e-14);
    }
  for (int f = 0; f < 3; f++)
    {
      g_autofree double *one = synthesize (NULL, grid, layout, x + f * n_alm, 1);

      g_assert_cmpfloat (relative_rms (one, map + f * grid->n_pixels, grid->n_pixels), <, 1e-14);
    }
}

/* The same graph twice gives the same bits, however the scheduler places the tasks. */
static void
test_same_bits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 128, 0);
  ArmillaAlmLayout layout = { 256, 256 };
  gint64 n_alm = 2 * armilla_alm_count (layout);
  g_autofree double *x = random_alm_array (rand, layout, 1);
  g_autofree double *map = synthesize (NULL, grid, layout, x, 1);
  g_autofree double *alm = analyse (ANALYSIS, 2, NULL, grid, layout, map, 1);

  for (int i = 0; i < 3; i++)
    {
      g_autofree double *map2 = synthesize (NULL, grid, layout, x, 1);
      g_autofree double *alm2 = analyse (ANALYSIS, 2, NULL, grid, layout, map, 1);

      g_assert_cmpmem (map2, sizeof (double) * (gsize) grid->n_pixels, map,
                       sizeof (double) * (gsize) grid->n_pixels);
      g_assert_cmpmem (alm2, sizeof (double) * (gsize) n_alm, alm,
                       sizeof (double) * (gsize) n_alm);
    }
}

/* UNSEEN pixels count as 0 in the map, and the iterations run over all pixels. */
static void
test_unseen (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 8, 0);
  ArmillaAlmLayout layout = { 16, 16 };
  g_autofree double *map = random_map_array (rand, grid->n_pixels);
  g_autofree double *masked = g_new (double, grid->n_pixels);

  for (gint64 p = 0; p < grid->n_pixels; p++)
    {
      if (p % 5 == 0)
        map[p] = 0;
      masked[p] = p % 5 == 0 ? (p % 2 ? ARMILLA_UNSEEN : (double) (float) ARMILLA_UNSEEN) : map[p];
    }
  g_autofree double *a = analyse (ANALYSIS, 2, NULL, grid, layout, map, 1);
  g_autofree double *b = analyse (ANALYSIS, 2, NULL, grid, layout, masked, 1);
  gsize size = sizeof (double) * 2 * (gsize) armilla_alm_count (layout);

  g_assert_cmpmem (a, size, b, size);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/transform/direct", test_direct);
  g_test_add_func ("/transform/adjoint", test_adjoint);
  g_test_add_func ("/transform/round-trip", test_round_trip);
  g_test_add_func ("/transform/healpix-solvers", test_healpix_solvers);
  g_test_add_func ("/transform/tiling", test_tiling);
  g_test_add_func ("/transform/same-bits", test_same_bits);
  g_test_add_func ("/transform/unseen", test_unseen);
  return run_tests ();
}
