/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole transforms of fields with a spin through the task graph: against direct sums with Wigner d
 * functions in quadruple precision, and by identities. ARMILLA_TEST_LARGE=1 takes more orders and
 * spins at lmax 2048 and 4096 (minutes). */
#include "tests/legendre/spin-reference.h"
#include "tests/lib/max-lmax.h"
#include "tests/lib/transform-helpers.h"

#define MAX_FIELDS 5

typedef struct {
  const char *name;
  int n;
  int spins[MAX_FIELDS];
} Fields;

static const Fields mixes[] = {
  { "T, E, B", 3, { 0, 2, 2 } },
  { "spin 1", 2, { 1, 1 } },
  { "spin 2", 2, { 2, 2 } },
  { "spin 3", 2, { 3, 3 } },
  { "two pairs of spin 2", 4, { 2, 2, 2, 2 } },
  { "spins 3, 0, 1", 5, { 3, 3, 0, 1, 1 } },
  { "spins 0, 0, 2, 0", 5, { 0, 0, 2, 2, 0 } },
};

static gboolean
large (void)
{
  return g_strcmp0 (g_getenv ("ARMILLA_TEST_LARGE"), "1") == 0;
}

/* Degrees below the spin have no meaning, and come back as 0. */
static double *
random_alm (GRand *rand, ArmillaAlmLayout layout, const Fields *fields)
{
  double *alm = random_alm_array (rand, layout, fields->n);
  gint64 count = armilla_alm_count (layout);

  for (int f = 0; f < fields->n; f++)
    for (gint64 m = 0; m <= MIN (layout.mmax, fields->spins[f] - 1); m++)
      for (gint64 l = m; l < MIN (fields->spins[f], layout.lmax + 1); l++)
        for (int i = 0; i < 2; i++)
          alm[2 * (f * count + armilla_alm_index (layout.lmax, l, m)) + i] = 0;
  return alm;
}

static void
ring_place (const ArmillaRing *ring, Quad *cosine, Quad *sine)
{
  *cosine = (Quad) ring->cos_theta + ring->cos_lo;
  *sine = (Quad) ring->sin_theta + ring->sin_lo;
}

/* Fourier coefficients of one field or of a pair on a ring: modes[part][re, im] */
static void
direct_order (const SpinDirect *d, const double *alm, gint64 count, ArmillaAlmLayout layout,
              const ArmillaRing *ring, Quad modes[4])
{
  gint64 at = armilla_alm_index (layout.lmax, d->m, d->m);
  g_autofree double *zero = g_new0 (double, 2 * (layout.lmax + 1));
  Quad cosine, sine;

  ring_place (ring, &cosine, &sine);
  /* With s = 0, B = 0 the sums give Q = -E. */
  spin_direct_sum (d, alm + 2 * at, d->s == 0 ? zero : alm + 2 * (count + at), cosine, sine, modes);
  for (int i = 0; i < 2 && d->s == 0; i++)
    modes[i] = -modes[i];
}

static long double
azimuth (const ArmillaRing *ring, gint64 j)
{
  long double phi0 = ring->phi0_den ? acosl (-1) * ring->phi0_num / (long double) ring->phi0_den
                                    : (long double) ring->phi0;

  return phi0 + 2 * acosl (-1) * (long double) j / (long double) ring->n_phi;
}

/* Adds an order of one field or of a pair to all pixels of a ring. */
static void
add_order (const ArmillaRing *ring, gint64 m, const Quad modes[4], int n_parts, gint64 n_pixels,
           double *map)
{
  for (int part = 0; part < n_parts; part++)
    for (gint64 j = 0; j < ring->n_phi; j++)
      {
        long double phi = (long double) m * azimuth (ring, j);

        map[part * n_pixels + ring->offset + j]
          += (double) ((m ? 2 : 1) * ((long double) modes[2 * part] * cosl (phi)
                                      - (long double) modes[2 * part + 1] * sinl (phi)));
      }
}

static double *
direct_synthesis (const ArmillaGrid *grid, ArmillaAlmLayout layout, const double *alm,
                  const Fields *fields)
{
  double *map = g_new0 (double, grid->n_pixels * fields->n);
  gint64 count = armilla_alm_count (layout);

  for (int f = 0; f < fields->n; f += fields->spins[f] ? 2 : 1)
    for (gint64 m = 0; m <= layout.mmax; m++)
      {
        g_auto (SpinDirect) d;

        spin_direct_init (&d, layout.lmax, m, fields->spins[f]);
        for (gint64 r = 0; r < grid->n_rings; r++)
          {
            Quad modes[4];

            direct_order (&d, alm + 2 * f * count, count, layout, &grid->rings[r], modes);
            add_order (&grid->rings[r], m, modes, fields->spins[f] ? 2 : 1, grid->n_pixels,
                       map + f * grid->n_pixels);
          }
      }
  return map;
}

/* Rings near the poles and not, blocks of any kind, degrees below the spin. */
static void
test_direct (void)
{
  static const Case cases[] = {
    { "healpix", 1, 0, 0, 0 },      { "healpix", 1, 0, 2, 2 },        { "healpix", 2, 0, 7, 3 },
    { "healpix", 8, 0, 16, 16 },    { "gauss", 13, 26, 12, 12 },      { "gauss", 10, 19, 9, 4 },
    { "fejer1", 22, 15, 10, 10 },   { "driscoll-healy", 14, 13, 6, 6 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (mixes); k++)
      {
        const Case *c = &cases[i];
        const Fields *fields = &mixes[k];
        g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
        ArmillaAlmLayout layout = { c->lmax, c->mmax };
        g_autofree double *alm = random_alm (rand, layout, fields);
        g_autofree double *map
          = synthesize_spins (NULL, grid, layout, alm, fields->spins, fields->n);
        g_autofree double *direct = direct_synthesis (grid, layout, alm, fields);

        for (int f = 0; f < fields->n; f++)
          {
            const double *x = map + f * grid->n_pixels, *y = direct + f * grid->n_pixels;

            /* A few dozen roundings of 1.1e-16; the division by sin^s multiplies them by up to 2^s.
             * Where lmax is below the spin both are 0. */
            if (c->lmax < fields->spins[f])
              for (gint64 p = 0; p < grid->n_pixels; p++)
                g_assert_cmpfloat (x[p], ==, 0);
            else
              g_assert_cmpfloat (relative_rms (x, y, grid->n_pixels), <, 2e-14);
          }
      }
}

/* <A x, y> = <x, A' y> */
static void
test_adjoint (void)
{
  static const Case cases[] = {
    { "healpix", 2, 0, 5, 5 },        { "healpix", 64, 0, 128, 128 }, { "gauss", 65, 129, 64, 30 },
    { "clenshaw-curtis", 23, 24, 11, 11 }, { "fejer1", 200, 90, 128, 128 },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (mixes); k++)
      {
        const Case *c = &cases[i];
        g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
        double error = adjoint_error_spins (rand, grid, (ArmillaAlmLayout) { c->lmax, c->mmax },
                                            mixes[k].spins, mixes[k].n);

        g_assert_cmpfloat (error, <, 1e-14); /* the bound of the design */
      }
}

static void
test_round_trip (void)
{
  static const Case grids[] = { { "gauss", 512, 1023, 511, 511 },
                                { "gauss", 65, 132, 64, 30 },
                                { "clenshaw-curtis", 259, 257, 128, 128 },
                                { "gauss", 1024, 2047, 1023, 1023 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (gsize i = 0; i < G_N_ELEMENTS (grids) && grids[i].lmax <= MAX_LMAX; i++)
    for (gsize k = 0; k < (i == 3 ? 1 : 4); k++)
      {
        const Case *c = &grids[i];
        const Fields *fields = &mixes[k];
        g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
        ArmillaAlmLayout layout = { c->lmax, c->mmax };
        g_autofree double *x = random_alm (rand, layout, fields);
        g_autofree double *map = synthesize_spins (NULL, grid, layout, x, fields->spins, fields->n);
        g_autofree double *back
          = analyse_spins (ANALYSIS, 0, NULL, grid, layout, map, fields->spins, fields->n);
        double error = relative_rms (back, x, 2 * fields->n * armilla_alm_count (layout));

        g_test_message ("%s lmax %ld, %s: %.2g", c->kind, (long) c->lmax, fields->name, error);
        g_assert_cmpfloat (error, <, 1e-12); /* the bound of the design */
      }
}

/* Iterations are what they are through maps: a synthesis, a difference from the map, of which
 * UNSEEN counts as 0, and an analysis of that. Rings that have too few pixels for the orders, mixed
 * spins, an azimuth of the first pixel or none. */
static void
test_iterations_by_maps (void)
{
  static const Case grids[] = { { "healpix", 16, 0, 47, 47 },
                                { "healpix", 32, 0, 64, 64 },
                                { "healpix", 128, 0, 256, 200 }, /* interpolated */
                                { "gauss", 24, 18, 20, 20 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      const Case *c = &grids[i];
      const Fields *mix = &mixes[5];
      g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, c->n_phi);
      ArmillaAlmLayout layout = { c->lmax, c->mmax };
      const gint64 n_alm = 2 * armilla_alm_count (layout) * mix->n, n_map = grid->n_pixels * mix->n;
      g_autofree double *map = g_new (double, n_map), *by_maps = NULL, *alm = NULL;

      for (gint64 p = 0; p < n_map; p++)
        map[p] = p % 37 == 3 ? ARMILLA_UNSEEN : g_rand_double_range (rand, -1, 1);
      alm = analyse_spins (ANALYSIS, 3, NULL, grid, layout, map, mix->spins, mix->n);
      by_maps = analyse_spins (ANALYSIS, 0, NULL, grid, layout, map, mix->spins, mix->n);
      for (int k = 0; k < 3; k++)
        {
          g_autofree double *rest
            = synthesize_spins (NULL, grid, layout, by_maps, mix->spins, mix->n);
          g_autofree double *change = NULL;

          for (gint64 p = 0; p < n_map; p++)
            rest[p] = (armilla_is_unseen (map[p]) ? 0 : map[p]) - rest[p];
          change = analyse_spins (ANALYSIS, 0, NULL, grid, layout, rest, mix->spins, mix->n);
          for (gint64 j = 0; j < n_alm; j++)
            by_maps[j] += change[j];
        }
      g_test_message ("%s %ld: %.2g", c->kind, (long) c->n_theta,
                      relative_rms (alm, by_maps, n_alm));
      g_assert_cmpfloat (relative_rms (alm, by_maps, n_alm), <, 1e-13);
    }
}

/* HEALPix: iterations and conjugate gradients go to the a_lm that a band-limited map is made of. */
static void
test_solvers (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 32, 0);
  ArmillaAlmLayout layout = { 64, 64 };
  const Fields *teb = &mixes[0];
  g_autofree double *x = random_alm (rand, layout, teb);
  g_autofree double *map = synthesize_spins (NULL, grid, layout, x, teb->spins, 3);
  g_autofree double *zero = analyse_spins (ANALYSIS, 0, NULL, grid, layout, map, teb->spins, 3);
  g_autofree double *three = analyse_spins (ANALYSIS, 3, NULL, grid, layout, map, teb->spins, 3);
  g_autofree double *cg
    = analyse_spins (CONJUGATE_GRADIENTS, 0, NULL, grid, layout, map, teb->spins, 3);
  gint64 n = 2 * armilla_alm_count (layout);

  /* HEALPix quadrature is good to about 1e-3 at lmax = 2 nside, for the polarisation a few times
   * worse; three iterations gain at least two digits. */
  for (int f = 0; f < 3; f++)
    {
      double before = relative_rms (zero + f * n, x + f * n, n);

      g_assert_cmpfloat (before, <, 5e-2);
      g_assert_cmpfloat (relative_rms (three + f * n, x + f * n, n), <, 1e-2 * before);
      g_assert_cmpfloat (relative_rms (cg + f * n, x + f * n, n), <, 1e-12);
    }
}

/* Neither the cut into tiles nor the company of other fields changes more than rounding; nor does
 * interpolation from equidistant rings, whatever the parity of the spin. */
static void
test_tiling (void)
{
  static const ArmillaTilingOptions tilings[] = { { 1, 3, ARMILLA_INTERPOLATION_NEVER },
                                                  { 37, 5, ARMILLA_INTERPOLATION_NEVER },
                                                  { 1000, 1, ARMILLA_INTERPOLATION_NEVER },
                                                  { 0, 0, ARMILLA_INTERPOLATION_ALWAYS },
                                                  { 128, 1, ARMILLA_INTERPOLATION_ALWAYS } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 128, 0);
  ArmillaAlmLayout layout = { 256, 256 };
  gint64 n_alm = 2 * armilla_alm_count (layout), n_map = grid->n_pixels;
  const Fields *mix = &mixes[5];
  g_autofree double *x = random_alm (rand, layout, mix);
  g_autofree double *map = synthesize_spins (NULL, grid, layout, x, mix->spins, mix->n);
  g_autofree double *alm = analyse_spins (ANALYSIS, 1, NULL, grid, layout, map, mix->spins, mix->n);

  for (gsize i = 0; i < G_N_ELEMENTS (tilings); i++)
    {
      g_autofree double *map2
        = synthesize_spins (&tilings[i], grid, layout, x, mix->spins, mix->n);
      g_autofree double *alm2
        = analyse_spins (ANALYSIS, 1, &tilings[i], grid, layout, map, mix->spins, mix->n);

      for (int f = 0; f < mix->n; f++)
        {
          g_assert_cmpfloat (relative_rms (map2 + f * n_map, map + f * n_map, n_map), <, 3e-14);
          g_assert_cmpfloat (relative_rms (alm2 + f * n_alm, alm + f * n_alm, n_alm), <, 3e-14);
        }
    }
  for (int f = 0; f < mix->n; f += mix->spins[f] ? 2 : 1)
    {
      int n = mix->spins[f] ? 2 : 1;
      g_autofree double *alone
        = synthesize_spins (NULL, grid, layout, x + f * n_alm, mix->spins + f, n);

      g_assert_cmpfloat (relative_rms (alone, map + f * n_map, n * n_map), <, 1e-14);
    }
}

/* The same graph twice gives the same bits, however the scheduler places the tasks. */
static void
test_same_bits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 64, 0);
  ArmillaAlmLayout layout = { 128, 128 };
  const Fields *teb = &mixes[0];
  gsize alm_size = sizeof (double) * 6 * (gsize) armilla_alm_count (layout);
  gsize map_size = sizeof (double) * 3 * (gsize) grid->n_pixels;

  for (int always = 0; always < 2; always++)
    {
      const ArmillaTilingOptions tiling
        = { 0, 0, always ? ARMILLA_INTERPOLATION_ALWAYS : ARMILLA_INTERPOLATION_NEVER };
      g_autofree double *x = random_alm (rand, layout, teb);
      g_autofree double *map = synthesize_spins (&tiling, grid, layout, x, teb->spins, 3);
      g_autofree double *alm
        = analyse_spins (ANALYSIS, 2, &tiling, grid, layout, map, teb->spins, 3);

      for (int i = 0; i < 3; i++)
        {
          g_autofree double *map2 = synthesize_spins (&tiling, grid, layout, x, teb->spins, 3);
          g_autofree double *alm2
            = analyse_spins (ANALYSIS, 2, &tiling, grid, layout, map, teb->spins, 3);

          g_assert_cmpmem (map2, map_size, map, map_size);
          g_assert_cmpmem (alm2, alm_size, alm, alm_size);
        }
    }
}

/* Orders that the a_lm of the tests of accuracy have: the lowest and some up to the highest. */
static GArray *
sample_orders (gint64 mmax)
{
  GArray *orders = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 m = 0; m <= mmax; m += m < 3 ? 1 : MAX (mmax / (large () ? 9 : 3) - 2, 1))
    g_array_append_val (orders, m);
  return orders;
}

/* Pairs of a HEALPix grid: the first 8, those on either side of where the form of the recurrence
 * changes, of theta = pi / 4 and of where the caps end, and the last 5. */
static GArray *
sample_pairs (const ArmillaGrid *grid, int spin)
{
  const double sines[] = { spin == 1 ? 0.2 : spin == 2 ? 0.45 : 0.5, sqrt (0.5), sqrt (5.) / 3 };
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (gint64 i = 0; i < grid->n_pairs; i++)
    {
      gboolean chosen = i < 8 || i >= grid->n_pairs - 5;

      for (gsize k = 0; k < G_N_ELEMENTS (sines); k++)
        for (gint64 j = i; j <= MIN (i + 1, grid->n_pairs - 1); j++)
          if (j > 0 && grid->rings[grid->pairs[j - 1].north].sin_theta < sines[k]
              && grid->rings[grid->pairs[j].north].sin_theta >= sines[k])
            chosen = TRUE;
      if (chosen)
        g_array_append_val (pairs, i);
    }
  return pairs;
}

typedef struct {
  ArmillaGrid *grid;
  ArmillaAlmLayout layout;
  int spin;
  double *alm; /* of the sampled orders; 0 elsewhere */
  GArray *orders;
} Sampled;

/* Mean squares of the error and of Q, U at some pixels of a ring. */
static void
compare_ring (const Sampled *s, const ArmillaRing *ring, const double *map, double *error,
              double *signal)
{
  const gint64 n = MIN (ring->n_phi, 32), count = armilla_alm_count (s->layout);
  g_autofree long double *sum = g_new0 (long double, 2 * n);

  for (guint i = 0; i < s->orders->len; i++)
    {
      const gint64 m = g_array_index (s->orders, gint64, i);
      g_auto (SpinDirect) d;
      Quad modes[4];

      spin_direct_init (&d, s->layout.lmax, m, s->spin);
      direct_order (&d, s->alm, count, s->layout, ring, modes);
      for (gint64 k = 0; k < n; k++)
        for (int part = 0; part < 2; part++)
          {
            long double phi = (long double) m * azimuth (ring, k * ring->n_phi / n);

            sum[2 * k + part] += (m ? 2 : 1)
                                 * ((long double) modes[2 * part] * cosl (phi)
                                    - (long double) modes[2 * part + 1] * sinl (phi));
          }
    }
  *error = *signal = 0;
  for (gint64 k = 0; k < 2 * n; k++)
    {
      const gint64 pixel = ring->offset + k / 2 * ring->n_phi / n;
      const double e = (double) (map[k % 2 * s->grid->n_pixels + pixel] - sum[k]);

      *error += e * e / (double) n;
      *signal += (double) (sum[k] * sum[k]) / (double) n;
    }
}

static void
check_accuracy (const char *name, ArmillaGrid *grid, const GArray *pairs, ArmillaAlmLayout layout,
                int spin)
{
  const gint64 count = armilla_alm_count (layout);
  const int spins[] = { spin, spin };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GArray) orders = sample_orders (layout.mmax);
  g_autofree double *alm = g_new0 (double, 4 * count), *map = NULL;
  const Sampled s = { grid, layout, spin, alm, orders };
  double error = 0, signal = 0, worst = 0, weight = 0;

  for (guint i = 0; i < orders->len; i++)
    {
      const gint64 m = g_array_index (orders, gint64, i);

      for (gint64 l = MAX (m, spin); l <= layout.lmax; l++)
        for (int part = 0; part < 4; part++)
          if (m > 0 || part % 2 == 0)
            alm[2 * (part / 2 * count + armilla_alm_index (layout.lmax, l, m)) + part % 2]
              = g_rand_double_range (rand, -1, 1);
    }
  map = synthesize_spins (NULL, grid, layout, alm, spins, 2);
  for (guint i = 0; i < pairs->len; i++)
    {
      const ArmillaRingPair *pair = &grid->pairs[g_array_index (pairs, gint64, i)];
      const gint64 south = i % 5 == 0 || large () ? pair->south : -1;

      for (int side = 0; side < (south >= 0 ? 2 : 1); side++)
        {
          const ArmillaRing *ring = &grid->rings[side ? south : pair->north];
          double e, x;

          compare_ring (&s, ring, map, &e, &x);
          error += e * (double) ring->n_phi;
          signal += x * (double) ring->n_phi;
          weight += (double) ring->n_phi;
          worst = MAX (worst, e); /* a NaN shows in the sum */
        }
    }
  g_test_message ("%s, lmax %ld mmax %ld, spin %d: RMS error %.2g, worst ring %.2g", name,
                  (long) layout.lmax, (long) layout.mmax, spin, sqrt (error / signal),
                  sqrt (worst / (signal / weight)));
  /* the bounds of the design */
  g_assert_cmpfloat (sqrt (error / signal), <=, 1e-13);
  g_assert_cmpfloat (sqrt (worst / (signal / weight)), <=, 3e-13);
}

/* All rings, interpolated and not. */
static void
test_accuracy (void)
{
  static const Case cases[] = { { "healpix", 32, 0, 64, 64 },
                                { "healpix", 75, 0, 150, 50 },
                                { "healpix", 256, 0, 512, 512 },
                                { "healpix", 1024, 0, 2048, 682 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases) && cases[i].lmax <= MAX_LMAX; i++)
    for (int spin = 1; spin <= 3; spin++)
      {
        const Case *c = &cases[i];
        g_autoptr (ArmillaGrid) grid = make_grid (c->kind, c->n_theta, 0);
        g_autoptr (GArray) pairs = sample_pairs (grid, spin);
        g_autofree char *name = armilla_grid_describe (grid);

        if (i < 3 || spin == 2 || large ())
          check_accuracy (name, grid, pairs, (ArmillaAlmLayout) { c->lmax, c->mmax }, spin);
      }
}

/* The sampled rings of nside 2048 alone, as a list of the user's. */
static void
test_rings (void)
{
  const ArmillaAlmLayout layout = { 4096, 400 };

  if (layout.lmax > MAX_LMAX)
    {
      g_test_skip ("a sanitizer has the same in small transforms");
      return;
    }
  for (int spin = large () ? 1 : 2; spin <= (large () ? 3 : 2); spin++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaGrid) whole = make_grid ("healpix", 2048, 0), grid = NULL;
      g_autoptr (GArray) pairs = sample_pairs (whole, spin), all = NULL;
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
      grid = armilla_grid_new_rings (rings, n, &error);
      g_assert_no_error (error);
      all = g_array_new (FALSE, FALSE, sizeof (gint64));
      for (gint64 i = 0; i < grid->n_pairs; i++)
        g_array_append_val (all, i);
      check_accuracy ("rings of nside 2048", grid, all, layout, spin);
    }
}

/* Between fields of other spins there is no transform. */
static void
test_mismatch (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 2, 0);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 4, 4 }, 2);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, 2);

  g_assert_no_error (error);
  armilla_alm_set_spins (alm, mixes[2].spins);
  armilla_map_set_spins (map, mixes[1].spins);
  g_assert_false (armilla_graph_synthesis (graph, alm, map, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (armilla_graph_analysis (graph, map, alm, 0, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/spin-transform/direct", test_direct);
  g_test_add_func ("/spin-transform/adjoint", test_adjoint);
  g_test_add_func ("/spin-transform/round-trip", test_round_trip);
  g_test_add_func ("/spin-transform/iterations-by-maps", test_iterations_by_maps);
  g_test_add_func ("/spin-transform/solvers", test_solvers);
  g_test_add_func ("/spin-transform/tiling", test_tiling);
  g_test_add_func ("/spin-transform/same-bits", test_same_bits);
  g_test_add_func ("/spin-transform/accuracy", test_accuracy);
  g_test_add_func ("/spin-transform/rings", test_rings);
  g_test_add_func ("/spin-transform/mismatch", test_mismatch);
  return run_tests ();
}
