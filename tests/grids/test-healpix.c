/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>

/* healpy 1.20: healpy.ring2nest (4, numpy.arange (192)) */
static const gint64 nest_of_ring_4[192] = {
  15,  31,  47,  63,  14,  13,  30,  29,  46,  45,  62,  61,  11,  12,  7,   27,  28,  23,
  43,  44,  39,  59,  60,  55,  10,  9,   6,   5,   26,  25,  22,  21,  42,  41,  38,  37,
  58,  57,  54,  53,  79,  8,   3,   4,   95,  24,  19,  20,  111, 40,  35,  36,  127, 56,
  51,  52,  77,  2,   1,   94,  93,  18,  17,  110, 109, 34,  33,  126, 125, 50,  49,  78,
  76,  71,  0,   91,  92,  87,  16,  107, 108, 103, 32,  123, 124, 119, 48,  75,  70,  69,
  90,  89,  86,  85,  106, 105, 102, 101, 122, 121, 118, 117, 74,  73,  67,  68,  143, 88,
  83,  84,  159, 104, 99,  100, 175, 120, 115, 116, 191, 72,  65,  142, 141, 82,  81,  158,
  157, 98,  97,  174, 173, 114, 113, 190, 189, 66,  64,  139, 140, 135, 80,  155, 156, 151,
  96,  171, 172, 167, 112, 187, 188, 183, 138, 137, 134, 133, 154, 153, 150, 149, 170, 169,
  166, 165, 186, 185, 182, 181, 136, 131, 132, 152, 147, 148, 168, 163, 164, 184, 179, 180,
  130, 129, 146, 145, 162, 161, 178, 177, 128, 144, 160, 176,
};

/* N = 2**29; healpy.ring2nest (N, [0, 1, 5, 12345678901, 2*N*(N-1)-1, 2*N*(N-1), 6*N*N-7,
 *   6*N*N+123456789, 10*N*N+2*N-1, 10*N*N+2*N, 12*N*N-98765432109, 12*N*N-1]) */
static const gint64 ring_and_nest_29[][2] = {
  { 0, 288230376151711743 },
  { 1, 576460752303423487 },
  { 5, 288230376151711741 },
  { 12345678901, 1152921501553115675 },
  { 576460751229681663, 960767920505705815 },
  { 576460751229681664, 192153584101141162 },
  { 1729382256910270457, 1897516642998769001 },
  { 1729382257033727253, 1843548283064658329 },
  { 2882303762590859263, 3266610929719399765 },
  { 2882303762590859264, 2497996593314835112 },
  { 3458764415055108819, 2594073428651318369 },
  { 3458764513820540927, 3170534137668829184 },
};

/* healpy.vec2pix (nside, x, y, z) for nside 3, 1000, 2**29 */
static const struct {
  double vector[3];
  gint64 pixel[3];
} directions[] = {
  { { 1, 2, 3 }, { 5, 1187883, 342791708007862944 } },
  { { -3, 1, -9 }, { 105, 11660427, 3360978933687221130 } },
  { { 1, 0, 0 }, { 48, 5998000, 1729382255836528640 } },
  { { 0, -1, 0 }, { 57, 6001000, 1729382257447141376 } },
  { { -5, -4, 3 }, { 31, 3456429, 995667502849517267 } },
  { { 1, 1, 1 }, { 13, 2530500, 730922943139282944 } },
  { { 7, -2, -4 }, { 95, 8889822, 2562154890207206744 } },
  { { 1e-5, -3e-5, 1 }, { 3, 3, 864722750 } },
  { { -2e-9, 1e-9, -1 }, { 105, 11999997, 3458764513820540919 } },
  { { 3, 4, -2 }, { 74, 8226590, 2371658700753732893 } },
};
static const gint64 direction_nside[3] = { 3, 1000, G_GINT64_CONSTANT (1) << 29 };

static void
test_published_numbers (void)
{
  for (gint64 i = 0; i < 192; i++)
    {
      g_assert_cmpint (armilla_healpix_ring_to_nest (4, i), ==, nest_of_ring_4[i]);
      g_assert_cmpint (armilla_healpix_nest_to_ring (4, nest_of_ring_4[i]), ==, i);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ring_and_nest_29); i++)
    {
      const gint64 *pair = ring_and_nest_29[i];

      g_assert_cmpint (armilla_healpix_ring_to_nest (direction_nside[2], pair[0]), ==, pair[1]);
      g_assert_cmpint (armilla_healpix_nest_to_ring (direction_nside[2], pair[1]), ==, pair[0]);
    }
}

static void
test_bijection (void)
{
  for (gint64 nside = 1; nside <= 64; nside *= 2)
    {
      gint64 n = 12 * nside * nside;
      g_autofree gboolean *seen = g_new0 (gboolean, n);

      for (gint64 i = 0; i < n; i++)
        {
          gint64 nest = armilla_healpix_ring_to_nest (nside, i);

          g_assert_cmpint (nest, >=, 0);
          g_assert_cmpint (nest, <, n);
          g_assert_false (seen[nest]);
          seen[nest] = TRUE;
          g_assert_cmpint (armilla_healpix_nest_to_ring (nside, nest), ==, i);
        }
    }
}

/* Random pixels of every resolution that 64 bits hold, there and back. */
static void
test_round_trip_large (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (int order = 7; order <= 29; order++)
    for (int i = 0; i < 2000; i++)
      {
        gint64 nside = G_GINT64_CONSTANT (1) << order;
        gint64 pixel = (gint64) (g_rand_double (random) * (double) (12 * nside * nside - 1));
        gint64 nest = armilla_healpix_ring_to_nest (nside, pixel);

        g_assert_cmpint (nest, >=, 0);
        g_assert_cmpint (armilla_healpix_nest_to_ring (nside, nest), ==, pixel);
      }
}

static void
test_no_such_pixel (void)
{
  static const gint64 bad[][2] = {
    { 0, 0 },
    { -4, 0 },
    { 3, 5 },
    { 12, 5 },
    { 4, -1 },
    { 4, 192 },
    { G_GINT64_CONSTANT (1) << 30, 0 },
  };
  const double up[3] = { 0, 0, 1 }, zero[3] = { 0, 0, 0 }, nan[3] = { 0, NAN, 1 };
  const double infinite[3] = { 0, 0, INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_cmpint (armilla_healpix_ring_to_nest (bad[i][0], bad[i][1]), ==, -1);
      g_assert_cmpint (armilla_healpix_nest_to_ring (bad[i][0], bad[i][1]), ==, -1);
    }
  g_assert_cmpint (armilla_healpix_vector_to_pixel (4, zero), ==, -1);
  g_assert_cmpint (armilla_healpix_vector_to_pixel (4, nan), ==, -1);
  g_assert_cmpint (armilla_healpix_vector_to_pixel (4, infinite), ==, -1);
  g_assert_cmpint (armilla_healpix_vector_to_pixel (0, up), ==, -1);
  g_assert_cmpint (armilla_healpix_vector_to_pixel (G_GINT64_CONSTANT (1) << 30, up), ==, -1);
}

static void
test_directions (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (directions); i++)
    for (int k = 0; k < 3; k++)
      g_assert_cmpint (armilla_healpix_vector_to_pixel (direction_nside[k], directions[i].vector),
                       ==, directions[i].pixel[k]);
}

/* The centre of each pixel is in that pixel. */
static void
test_centres (void)
{
  for (gint64 nside = 1; nside <= 33; nside++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (nside, &error);

      g_assert_no_error (error);
      for (gint64 i = 0; i < grid->n_pixels; i++)
        {
          double v[3];

          armilla_grid_pixel_vector (grid, i, v);
          g_assert_cmpint (armilla_healpix_vector_to_pixel (nside, v), ==, i);
        }
    }
}

static void
random_direction (GRand *random, double v[3])
{
  for (int k = 0; k < 3; k++)
    v[k] = g_rand_double_range (random, -1, 1);
}

/* Nested pixels divide into four: the pixel at order 29 lies in that at every lower order. A
 * direction within rounding of a pixel's edge would break this; with this seed there is none. */
static void
test_nesting (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (21);

  for (int i = 0; i < 5000; i++)
    {
      double v[3];
      gint64 finest, nside = G_GINT64_CONSTANT (1) << 29;

      random_direction (random, v);
      if (i % 3 == 0) /* near the poles */
        {
          v[0] *= 1e-4;
          v[1] *= 1e-4;
        }
      finest = armilla_healpix_ring_to_nest (nside, armilla_healpix_vector_to_pixel (nside, v));
      for (int order = 0; order <= 18; order++)
        {
          nside = G_GINT64_CONSTANT (1) << order;
          g_assert_cmpint (
              armilla_healpix_ring_to_nest (nside, armilla_healpix_vector_to_pixel (nside, v)), ==,
              finest >> 2 * (29 - order));
        }
    }
}

/* Random directions fall into every pixel equally often: all have the same area. */
static void
test_equal_areas (void)
{
  enum { NSIDE = 5, N_PIXELS = 12 * NSIDE * NSIDE, N_EACH = 1000 };
  g_autoptr (GRand) random = g_rand_new_with_seed (22);
  int count[N_PIXELS] = { 0 };

  for (int n = 0; n < N_PIXELS * N_EACH;)
    {
      double v[3], square;

      random_direction (random, v);
      square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      if (square > 1 || square < 1e-4)
        continue;
      count[armilla_healpix_vector_to_pixel (NSIDE, v)]++;
      n++;
    }
  /* 6 standard deviations of a Poisson count of N_EACH */
  for (int i = 0; i < N_PIXELS; i++)
    g_assert_cmpfloat (abs (count[i] - N_EACH), <=, 6 * sqrt (N_EACH));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/healpix/published-numbers", test_published_numbers);
  g_test_add_func ("/healpix/bijection", test_bijection);
  g_test_add_func ("/healpix/round-trip-large", test_round_trip_large);
  g_test_add_func ("/healpix/no-such-pixel", test_no_such_pixel);
  g_test_add_func ("/healpix/directions", test_directions);
  g_test_add_func ("/healpix/centres", test_centres);
  g_test_add_func ("/healpix/nesting", test_nesting);
  g_test_add_func ("/healpix/equal-areas", test_equal_areas);
  return g_test_run ();
}
