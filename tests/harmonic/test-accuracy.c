/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error bounds of transforms, end to end through the graph: alm2map against direct sums in
 * extended precision on sampled rings, adjointness, and the round trip on Gauss-Legendre grids.
 * ARMILLA_TEST_LARGE=1 adds lmax 16384 and 4095 (8 GB, minutes). */
#include "tests/harmonic/direct-synthesis.h"
#include "tests/lib/max-lmax.h"
#include "tests/lib/transform-helpers.h"

#define SAMPLED_PIXELS 64

static gboolean
large (void)
{
  return g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0;
}

/* Two standard normal numbers. */
static void
normal (guint64 *counter, double x[2])
{
  double u[2], r;

  for (int i = 0; i < 2; i++)
    {
      /* splitmix64, a bijection of its counter */
      guint64 z = *counter += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

      z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
      z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
      u[i] = ((double) ((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
    }
  r = sqrt (-2 * log (u[0]));
  x[0] = r * cos (2 * G_PI * u[1]);
  x[1] = r * sin (2 * G_PI * u[1]);
}

/* White: the variance of a_l0, and of real plus imaginary part of the others, is 1. */
static double *
gaussian_alm (guint64 seed, ArmillaAlmLayout layout)
{
  guint64 counter = seed << 40;
  double *alm = g_new (double, 2 * armilla_alm_count (layout));

  for (gint64 m = 0, i = 0; m <= layout.mmax; m++)
    for (gint64 l = m; l <= layout.lmax; l++, i++)
      {
        normal (&counter, alm + 2 * i);
        alm[2 * i] *= m ? G_SQRT2 / 2 : 1;
        alm[2 * i + 1] *= m ? G_SQRT2 / 2 : 0;
      }
  return alm;
}

/* Numbers of pairs, each once: the first 8, those next to theta = pi/8, pi/4 and 3 pi/8, that where
 * HEALPix's caps end, and the last 5: the equator, where it is a ring, and the 4 before. */
static GArray *
sample_pairs (const ArmillaGrid *grid)
{
  g_autofree gboolean *chosen = g_new0 (gboolean, grid->n_pairs);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 near[4] = { 0, 0, 0, CLAMP (grid->nside - 1, 0, grid->n_pairs - 1) };

  for (gint64 i = 0; i < grid->n_pairs; i++)
    {
      const ArmillaRingPair *p = &grid->pairs[i];
      const ArmillaRing *ring = &grid->rings[p->north >= 0 ? p->north : p->south];

      for (int k = 0; k < 3; k++)
        if (fabs (ring->cos_theta) >= cos ((k + 1) * G_PI / 8))
          near[k] = i;
      chosen[i] = i < 8 || i >= grid->n_pairs - 5;
    }
  for (int k = 0; k < 4; k++)
    for (gint64 i = near[k]; i < MIN (near[k] + (k == 1 ? 3 : 1), grid->n_pairs); i++)
      chosen[i] = TRUE;
  for (gint64 i = 0; i < grid->n_pairs; i++)
    if (chosen[i])
      g_array_append_val (pairs, i);
  return pairs;
}

typedef struct {
  double error, worst; /* of the map and of its worst ring, over the RMS of the map */
} Accuracy;

/* Mean squares over a ring: all its pixels, or as many as are enough, evenly spread. */
static void
compare_ring (const ArmillaRing *ring, const double *map, gint64 mmax, const DirectMode *modes,
              double *error, double *signal)
{
  const gint64 n = MIN (ring->n_phi, SAMPLED_PIXELS);

  *error = *signal = 0;
  for (gint64 k = 0; k < n; k++)
    {
      const gint64 j = k * ring->n_phi / n;
      const long double direct = direct_pixel (ring, mmax, modes, j);
      const double d = (double) (map[ring->offset + j] - direct);

      *error += d * d / (double) n;
      *signal += (double) (direct * direct) / (double) n;
    }
}

static Accuracy
measure (ArmillaGrid *grid, ArmillaAlmLayout layout)
{
  g_autofree double *alm = gaussian_alm (1, layout);
  g_autofree double *map = synthesize (NULL, grid, layout, alm, 1);
  g_autoptr (GArray) pairs = sample_pairs (grid);
  const gint64 *numbers = (const gint64 *) (gpointer) pairs->data;
  g_autofree DirectMode *modes = direct_modes (grid, layout, alm, numbers, pairs->len);
  double error = 0, signal = 0, worst = 0, n = 0;

  for (guint i = 0; i < 2 * pairs->len; i++)
    {
      const ArmillaRingPair *pair = &grid->pairs[numbers[i / 2]];
      const gint64 r = i % 2 ? pair->south : pair->north;
      double e, s;

      if (r < 0)
        continue;
      compare_ring (&grid->rings[r], map, layout.mmax, modes + i * (layout.mmax + 1), &e, &s);
      n += (double) grid->rings[r].n_phi;
      error += e * (double) grid->rings[r].n_phi;
      signal += s * (double) grid->rings[r].n_phi;
      worst = MAX (worst, e); /* a NaN shows in the sum */
    }
  return (Accuracy) { sqrt (error / signal), sqrt (worst / (signal / n)) };
}

static void
check (const char *name, ArmillaGrid *grid, ArmillaAlmLayout layout)
{
  if (layout.lmax > MAX_LMAX)
    return;
  const Accuracy a = measure (grid, layout);

  g_test_message ("%s lmax %ld mmax %ld: %.2g, worst ring %.2g", name, (long) layout.lmax,
                  (long) layout.mmax, a.error, a.worst);
  /* the bounds of the design */
  g_assert_cmpfloat (a.error, <=, layout.lmax <= 4096 ? 1e-13 : 5e-13);
  g_assert_cmpfloat (a.worst, <=, layout.lmax <= 4096 ? 3e-13 : 5e-12);
}

static void
check_cases (const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const Case *c = &cases[i];
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      g_autofree char *name = armilla_grid_describe (grid);

      check (name, grid, (ArmillaAlmLayout) { c->lmax, c->mmax });
    }
}

static void
test_healpix (void)
{
  static const Case cases[]
      = { { "healpix", 32, 0, 64, 64 },     { "healpix", 32, 0, 64, 0 },
          { "healpix", 32, 0, 64, 21 },     { "healpix", 32, 0, 95, 95 },
          { "healpix", 32, 0, 511, 511 },   { "healpix", 75, 0, 150, 150 },
          { "healpix", 75, 0, 150, 50 },    { "healpix", 128, 0, 383, 383 },
          { "healpix", 256, 0, 512, 512 },  { "healpix", 256, 0, 512, 170 },
          { "healpix", 512, 0, 1023, 341 }, { "healpix", 1024, 0, 2048, 2048 },
          { "healpix", 1024, 0, 2048, 0 },  { "healpix", 1024, 0, 2048, 682 } };

  check_cases (cases, G_N_ELEMENTS (cases));
}

/* Rings longer and shorter than 2 mmax + 1, odd and even, few rings and many. */
static void
test_gauss_legendre (void)
{
  static const Case cases[]
      = { { "gauss", 65, 131, 64, 64 },       { "gauss", 65, 64, 64, 64 },
          { "gauss", 65, 63, 64, 64 },        { "gauss", 513, 1026, 512, 512 },
          { "gauss", 512, 301, 511, 511 },    { "gauss", 512, 1023, 511, 170 },
          { "gauss", 300, 1000, 511, 0 },     { "gauss", 2048, 4095, 2047, 2047 },
          { "gauss", 601, 1500, 2048, 682 } };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_equiangular (void)
{
  static const Case cases[]
      = { { "fejer1", 130, 129, 64, 64 },           { "fejer1", 130, 64, 64, 21 },
          { "fejer1", 1026, 1025, 512, 512 },       { "fejer1", 301, 600, 512, 0 },
          { "fejer1", 601, 999, 2048, 682 },        { "clenshaw-curtis", 129, 130, 64, 64 },
          { "clenshaw-curtis", 130, 63, 64, 64 },   { "clenshaw-curtis", 1025, 1200, 512, 170 },
          { "clenshaw-curtis", 301, 1000, 2048, 2048 }, { "clenshaw-curtis", 60, 5, 1023, 1023 },
          { "driscoll-healy", 130, 129, 64, 64 },   { "driscoll-healy", 130, 65, 64, 0 },
          { "driscoll-healy", 1026, 1030, 512, 512 }, { "driscoll-healy", 300, 4097, 2048, 2048 } };

  check_cases (cases, G_N_ELEMENTS (cases));
}

/* Only the sampled rings of a HEALPix grid, as a list of the user's. */
static ArmillaGrid *
sampled_rings (gint64 nside)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) whole = armilla_grid_new_healpix (nside, &error);
  g_assert_no_error (error);
  g_autoptr (GArray) pairs = sample_pairs (whole);
  g_autofree ArmillaRing *rings = g_new (ArmillaRing, 2 * pairs->len);
  gint64 n = 0, offset = 0;

  for (guint i = 0; i < pairs->len; i++)
    rings[n++] = whole->rings[whole->pairs[g_array_index (pairs, gint64, i)].north];
  for (guint i = pairs->len; i-- > 0;)
    {
      const gint64 south = whole->pairs[g_array_index (pairs, gint64, i)].south;

      if (south >= 0)
        rings[n++] = whole->rings[south];
    }
  for (gint64 i = 0; i < n; i++)
    {
      rings[i].offset = offset;
      offset += rings[i].n_phi;
    }
  ArmillaGrid *grid = armilla_grid_new_rings (rings, n, &error);
  g_assert_no_error (error);
  return grid;
}

static void
test_rings (void)
{
  g_autoptr (ArmillaGrid) grid = sampled_rings (2048);

  check ("rings of nside 2048", grid, (ArmillaAlmLayout) { 4096, 4096 });
  check ("rings of nside 2048", grid, (ArmillaAlmLayout) { 4096, 0 });
}

static void
test_large_rings (void)
{
  if (!large ())
    {
      g_test_skip ("ARMILLA_TEST_LARGE=1 runs it (8 GB)");
      return;
    }
  g_autoptr (ArmillaGrid) grid = sampled_rings (8192);

  check ("rings of nside 8192", grid, (ArmillaAlmLayout) { 16384, 16384 });
}

static void
test_adjoint (void)
{
  static const Case cases[]
      = { { "healpix", 1024, 0, 2048, 2048 },   { "healpix", 256, 0, 767, 255 },
          { "gauss", 2048, 4095, 2047, 682 },   { "fejer1", 601, 999, 2047, 2047 },
          { "clenshaw-curtis", 601, 300, 1023, 1023 }, { "driscoll-healy", 600, 1025, 511, 511 },
          { "gauss", 4096, 8192, 4095, 4095 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (gsize i = 0; i < G_N_ELEMENTS (cases) - (large () ? 0 : 1); i++)
    {
      const Case *c = &cases[i];

      if (c->lmax > MAX_LMAX)
        continue;
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      g_autofree char *name = armilla_grid_describe (grid);
      const double error = adjoint_error (rand, grid, (ArmillaAlmLayout) { c->lmax, c->mmax });

      g_test_message ("%s lmax %ld mmax %ld: %.2g", name, (long) c->lmax, (long) c->mmax, error);
      g_assert_cmpfloat (error, <=, 1e-14); /* the bound of the design */
    }
}

static void
test_round_trip (void)
{
  static const gint64 degrees[] = { 64, 255, 1000, 2047, 4095 };

  for (gsize i = 0; i < G_N_ELEMENTS (degrees) - (large () ? 0 : 1); i++)
    {
      const ArmillaAlmLayout layout = { degrees[i], degrees[i] };

      if (layout.lmax > MAX_LMAX)
        continue;
      g_autoptr (ArmillaGrid) grid = make_grid ("gauss", degrees[i] + 1, 2 * degrees[i] + 1);
      g_autofree double *alm = gaussian_alm (3, layout);
      g_autofree double *map = synthesize (NULL, grid, layout, alm, 1);
      g_autofree double *back = analyse (ANALYSIS, 0, NULL, grid, layout, map, 1);
      const double error = relative_rms (back, alm, 2 * armilla_alm_count (layout));

      g_test_message ("lmax %ld: %.2g", (long) degrees[i], error);
      g_assert_cmpfloat (error, <=, 1e-12); /* the bound of the design */
    }
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/accuracy/healpix", test_healpix);
  g_test_add_func ("/accuracy/gauss-legendre", test_gauss_legendre);
  g_test_add_func ("/accuracy/equiangular", test_equiangular);
  g_test_add_func ("/accuracy/rings", test_rings);
  g_test_add_func ("/accuracy/large-rings", test_large_rings);
  g_test_add_func ("/accuracy/adjoint", test_adjoint);
  g_test_add_func ("/accuracy/round-trip", test_round_trip);
  return run_tests ();
}
