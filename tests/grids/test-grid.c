/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/grids/grid.h"
#include "tests/lib/grid-helpers.h"

#include <math.h>
#include <string.h>

/* The type that checks the low parts: 113 bits. */
#ifdef __SIZEOF_FLOAT128__
typedef _Float128 Quad;
#else
typedef long double Quad;
#endif

static Quad
quad (double hi, double lo)
{
  return (Quad) hi + lo;
}

static Quad
quad_abs (Quad x)
{
  return x < 0 ? -x : x;
}

#define assert_close(a, b, tolerance)                                                              \
  g_assert_cmpfloat ((double) quad_abs ((Quad) (a) - (Quad) (b)), <=, (tolerance))

static ArmillaGrid *
theta_grid (ArmillaGridKind kind, gint64 n_theta, gint64 n_phi)
{
  g_autoptr (GError) error = NULL;
  ArmillaGrid *grid = kind == ARMILLA_GRID_GAUSS_LEGENDRE
                          ? armilla_grid_new_gauss_legendre (n_theta, n_phi, &error)
                          : armilla_grid_new_equiangular (kind, n_theta, n_phi, &error);

  g_assert_no_error (error);
  return grid;
}

/* Checks that hold for every grid whose pixels run along the rings. */
static void
check_rings (const ArmillaGrid *grid)
{
  gint64 offset = 0, in_pairs = 0;
  long double area = 0;

  for (gint64 i = 0; i < grid->n_rings; i++)
    {
      const ArmillaRing *ring = &grid->rings[i];
      Quad c = quad (ring->cos_theta, ring->cos_lo), s = quad (ring->sin_theta, ring->sin_lo);

      g_assert_cmpint (ring->offset, ==, offset);
      offset += ring->n_phi;
      area += (long double) ring->weight * ring->n_phi;
      /* each of the two is good to 1e-29 or better */
      assert_close (c * c + s * s, 1, sizeof (Quad) == 16 ? 4e-29 : 1e-15);
      g_assert_true (ring->cos_theta + ring->cos_lo == ring->cos_theta);
      g_assert_true (ring->sin_theta + ring->sin_lo == ring->sin_theta);
      if (i > 0)
        g_assert_cmpfloat (ring->cos_theta, <, grid->rings[i - 1].cos_theta);
    }
  g_assert_cmpint (offset, ==, grid->n_pixels);
  /* each weight is rounded two or three times, at random */
  assert_close (area / (4 * acosl (-1.0L)), 1, 4e-16);
  for (gint64 p = 0; p < grid->n_pairs; p++)
    {
      const ArmillaRingPair *pair = &grid->pairs[p];

      in_pairs += (pair->north >= 0) + (pair->south >= 0);
      if (pair->north >= 0 && pair->south >= 0)
        {
          const ArmillaRing *a = &grid->rings[pair->north], *b = &grid->rings[pair->south];

          g_assert_true (a->cos_theta == -b->cos_theta && a->cos_lo == -b->cos_lo);
          g_assert_true (a->sin_theta == b->sin_theta && a->sin_lo == b->sin_lo);
        }
    }
  g_assert_cmpint (in_pairs, ==, grid->n_rings);
}

static void
test_healpix_structure (void)
{
  /* healpy 1.20: healpy.ringinfo (4, numpy.arange (1, 16)) */
  static const gint64 first[15]
      = { 0, 4, 12, 24, 40, 56, 72, 88, 104, 120, 136, 152, 168, 180, 188 };
  static const gint64 n_phi[15] = { 4, 8, 12, 16, 16, 16, 16, 16, 16, 16, 16, 16, 12, 8, 4 };
  static const gboolean shifted[15] = { 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1 };
  static const double cosine[8]
      = { 0x1.f555555555555p-1, 0x1.d555555555555p-1, 0x1.ap-1, 0x1.5555555555555p-1, 0x1p-1,
          0x1.5555555555555p-2, 0x1.5555555555555p-3, 0 };
  g_autoptr (ArmillaGrid) grid = healpix (4);

  g_assert_cmpint (grid->kind, ==, ARMILLA_GRID_HEALPIX);
  g_assert_cmpint (grid->nside, ==, 4);
  g_assert_cmpint (grid->n_rings, ==, 15);
  g_assert_cmpint (grid->n_pixels, ==, 192);
  g_assert_cmpint (grid->n_pairs, ==, 8);
  for (gint64 i = 0; i < 15; i++)
    {
      const ArmillaRing *ring = &grid->rings[i];

      g_assert_cmpint (ring->offset, ==, first[i]);
      g_assert_cmpint (ring->n_phi, ==, n_phi[i]);
      g_assert_cmpint (ring->phi0_num, ==, shifted[i] ? 1 : 0);
      g_assert_cmpint (ring->phi0_den, ==, shifted[i] ? n_phi[i] : 1);
      g_assert_true (ring->phi0 == (shifted[i] ? G_PI / (double) n_phi[i] : 0));
      g_assert_true (ring->cos_theta == (i < 8 ? cosine[i] : -cosine[14 - i]));
      g_assert_true (ring->weight == 4 * G_PI / 192);
    }
  for (gint64 p = 0; p < 8; p++)
    {
      g_assert_cmpint (grid->pairs[p].north, ==, p);
      g_assert_cmpint (grid->pairs[p].south, ==, p < 7 ? 14 - p : -1);
    }
}

/* The formulas of Gorski et al. 2005 in 113 bits. */
static void
test_healpix_exact (void)
{
  static const gint64 sides[] = { 1, 2, 3, 4, 7, 64, 100, 2048, 8192, 100003 };
  /* a quotient of two exact double-doubles: a few 2^-104 */
  double tolerance = sizeof (Quad) == 16 ? 0x1p-100 : 0x1p-62;

  for (gsize k = 0; k < G_N_ELEMENTS (sides); k++)
    {
      gint64 nside = sides[k];
      g_autoptr (ArmillaGrid) grid = healpix (nside);

      g_assert_cmpint (grid->n_pixels, ==, 12 * nside * nside);
      check_rings (grid);
      for (gint64 i = 1; i <= 2 * nside; i++)
        {
          const ArmillaRing *ring = &grid->rings[i - 1];
          Quad z = i < nside ? 1 - (Quad) i * i / (3 * (Quad) nside * nside)
                             : (4 - 2 * (Quad) i / nside) / 3;
          Quad rest = i < nside ? (Quad) i * i / (3 * (Quad) nside * nside) : 1 - z;
          Quad s = quad (ring->sin_theta, ring->sin_lo);

          assert_close (quad (ring->cos_theta, ring->cos_lo), z, tolerance);
          g_assert_true (ring->cos_theta == (double) z);
          /* 1 - z^2 = (1 - z) (1 + z): relative, also next to the pole */
          assert_close (s * s / (rest * (1 + z)), 1, 4 * tolerance);
        }
    }
}

/* P_n (x) and P_{n-1} (x) by the three-term recurrence */
static void
legendre (gint64 n, Quad x, Quad *p, Quad *previous)
{
  Quad a = 1, b = 0;

  for (gint64 l = 1; l <= n; l++)
    {
      Quad c = ((2 * l - 1) * x * a - (l - 1) * b) / l;

      b = a;
      a = c;
    }
  *p = a;
  *previous = b;
}

/* A node is a root of P_n and its weight 2 / ((1 - x^2) P_n'^2), with
 * (1 - x^2) P_n' = n (P_{n-1} - x P_n). */
static void
check_gauss_node (const ArmillaGrid *grid, gint64 i)
{
  const ArmillaRing *ring = &grid->rings[i];
  gint64 n = grid->n_rings;
  Quad x = quad (ring->cos_theta, ring->cos_lo), s = quad (ring->sin_theta, ring->sin_lo);
  Quad p, previous, slope, weight;

  legendre (n, x, &p, &previous);
  slope = n * (previous - x * p) / (s * s);
  /* the recurrence is off by n 2^-113 of P_n's size, and the slope is about n times that size */
  assert_close (p / slope, 0, sizeof (Quad) == 16 ? 1e-30 : 1e-17);
  /* the sine must follow from the cosine also where it is small */
  assert_close (s * s / ((1 - x) * (1 + x)), 1, sizeof (Quad) == 16 ? 1e-28 : 1e-15);
  weight = 2 / (s * s * slope * slope);
  assert_close (ring->weight * (Quad) ring->n_phi / (2 * acosl (-1.0L)) / weight, 1, 4e-16);
}

static void
test_gauss_nodes (void)
{
  static const gint64 sizes[] = { 1, 2, 3, 4, 5, 8, 17, 64, 101, 1000, 4097, 16384, 16385, 131071 };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      gint64 n = sizes[k], stride = n < 200 ? 1 : n / (n > 20000 ? 5 : 23);
      g_autoptr (ArmillaGrid) grid = theta_grid (ARMILLA_GRID_GAUSS_LEGENDRE, n, 3);

      g_assert_cmpint (grid->n_rings, ==, n);
      g_assert_cmpint (grid->n_pairs, ==, (n + 1) / 2);
      check_rings (grid);
      for (gint64 i = 0; i < n; i += stride)
        check_gauss_node (grid, i);
      for (gint64 i = 0; i < MIN (n, 4); i++)
        check_gauss_node (grid, n - 1 - i);
    }
}

/* Nodes and weights that any handbook has (Abramowitz and Stegun 25.4). */
static void
test_gauss_known (void)
{
  g_autoptr (ArmillaGrid) two = theta_grid (ARMILLA_GRID_GAUSS_LEGENDRE, 2, 1);
  g_autoptr (ArmillaGrid) three = theta_grid (ARMILLA_GRID_GAUSS_LEGENDRE, 3, 1);
  g_autoptr (ArmillaGrid) four = theta_grid (ARMILLA_GRID_GAUSS_LEGENDRE, 4, 1);

  assert_close (two->rings[0].cos_theta, sqrt (1.0 / 3), 2e-16);
  assert_close (two->rings[0].weight, 2 * G_PI, 1e-15);
  assert_close (three->rings[0].cos_theta, sqrt (0.6), 2e-16);
  g_assert_true (three->rings[1].cos_theta == 0 && three->rings[1].sin_theta == 1);
  assert_close (three->rings[1].weight, 2 * G_PI * 8 / 9, 1e-15);
  assert_close (four->rings[0].cos_theta, 0.861136311594052575, 2e-16);
  assert_close (four->rings[1].cos_theta, 0.339981043584856265, 2e-16);
  assert_close (four->rings[0].weight, 2 * G_PI * 0.347854845137453857, 1e-15);
}

/* sum_i w_i P_l (x_i) = 2 [l = 0] for every degree up to @last */
static void
check_quadrature (const ArmillaGrid *grid, gint64 last)
{
  for (gint64 l = 0; l <= last; l++)
    {
      Quad sum = 0;

      for (gint64 i = 0; i < grid->n_rings; i++)
        {
          const ArmillaRing *ring = &grid->rings[i];
          Quad p, previous;

          legendre (l, quad (ring->cos_theta, ring->cos_lo), &p, &previous);
          sum += p * ring->weight * (Quad) ring->n_phi;
        }
      /* |P_l| <= 1 and the weights, rounded 2 or 3 times, sum to 4 pi */
      assert_close (sum, l == 0 ? 4 * acosl (-1.0L) : 0, 4 * G_PI * 4e-16);
    }
}

static void
test_exactness (void)
{
  for (gint64 n = 1; n <= 40; n++)
    {
      g_autoptr (ArmillaGrid) gauss = theta_grid (ARMILLA_GRID_GAUSS_LEGENDRE, n, 2 * n);
      g_autoptr (ArmillaGrid) fejer = theta_grid (ARMILLA_GRID_FEJER1, n, 2 * n + 1);

      check_quadrature (gauss, 2 * n - 1);
      check_quadrature (fejer, n - 1);
      if (n >= 2)
        {
          g_autoptr (ArmillaGrid) clenshaw = theta_grid (ARMILLA_GRID_CLENSHAW_CURTIS, n, 1);

          check_quadrature (clenshaw, n - 1);
        }
      if (n % 2 == 0)
        {
          g_autoptr (ArmillaGrid) driscoll = theta_grid (ARMILLA_GRID_DRISCOLL_HEALY, n, 7);

          check_quadrature (driscoll, n - 1);
        }
    }
}

/* exp (i theta) of consecutive rings differ by the same factor, and the chain ends at exp (i pi) =
 * -1: together with the order of the rings that fixes every angle. */
static void
check_equiangular (const ArmillaGrid *grid)
{
  gboolean half = grid->kind == ARMILLA_GRID_FEJER1;
  Quad c0, s0, cs, ss;
  const ArmillaRing *r = grid->rings;
  gint64 n = grid->n_rings;
  /* one product of rounded double-doubles */
  double tolerance = sizeof (Quad) == 16 ? 0x1p-98 : 0x1p-60;

  c0 = quad (r[half ? 0 : 1].cos_theta, r[half ? 0 : 1].cos_lo);
  s0 = quad (r[half ? 0 : 1].sin_theta, r[half ? 0 : 1].sin_lo);
  cs = half ? c0 * c0 - s0 * s0 : c0;
  ss = half ? 2 * c0 * s0 : s0;
  for (gint64 i = 0; i < n; i++)
    {
      Quad c = quad (r[i].cos_theta, r[i].cos_lo), s = quad (r[i].sin_theta, r[i].sin_lo);
      gboolean last = i + 1 == n;
      Quad cn = last ? -1 : quad (r[i + 1].cos_theta, r[i + 1].cos_lo);
      Quad sn = last ? 0 : quad (r[i + 1].sin_theta, r[i + 1].sin_lo);

      if (last && half)
        {
          cs = c0;
          ss = s0;
        }
      if (last && grid->kind == ARMILLA_GRID_CLENSHAW_CURTIS)
        {
          g_assert_true (c == -1 && s == 0);
          break;
        }
      assert_close (c * cs - s * ss, cn, tolerance);
      assert_close (s * cs + c * ss, sn, tolerance);
      g_assert_cmpfloat (r[i].weight, >=, 0);
    }
  if (!half)
    g_assert_true (r[0].cos_theta == 1 && r[0].sin_theta == 0);
}

static void
test_equiangular (void)
{
  static const gint64 sizes[] = { 2, 3, 4, 5, 6, 9, 10, 127, 1000, 4097, 16384 };

  for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (ArmillaGridKind kind = ARMILLA_GRID_FEJER1; kind <= ARMILLA_GRID_DRISCOLL_HEALY; kind++)
      {
        g_autoptr (ArmillaGrid) grid = NULL;

        if (kind == ARMILLA_GRID_DRISCOLL_HEALY && sizes[k] % 2 != 0)
          continue;
        grid = theta_grid (kind, sizes[k], 2);
        check_rings (grid);
        check_equiangular (grid);
        g_assert_cmpint (grid->n_pairs, ==,
                         kind == ARMILLA_GRID_DRISCOLL_HEALY ? sizes[k] / 2 + 1
                                                             : (sizes[k] + 1) / 2);
      }
}

/* Large grids: cos (k theta) is a polynomial whose integral over dcos(theta) is 2 / (1 - k^2) for
 * even k; Clenshaw's weights next to the pole have closed forms. */
static void
test_equiangular_large (void)
{
  for (ArmillaGridKind kind = ARMILLA_GRID_FEJER1; kind <= ARMILLA_GRID_DRISCOLL_HEALY; kind++)
    {
      const gint64 n = 16384;
      g_autoptr (ArmillaGrid) grid = theta_grid (kind, n, 1);

      for (gint64 k = 2; k < n; k += 1636)
        {
          long double sum = 0;

          for (gint64 i = 0; i < n; i++)
            {
              gint64 num = kind == ARMILLA_GRID_FEJER1 ? 2 * i + 1 : 2 * i;
              gint64 den = kind == ARMILLA_GRID_CLENSHAW_CURTIS ? n - 1 : n;

              sum += grid->rings[i].weight
                     * cosl (acosl (-1.0L) * (num * k % (4 * den)) / (2 * den));
            }
          assert_close (sum / (2 * acosl (-1.0L)), 2.0L / (1 - (long double) k * k), 4e-16);
        }
      if (kind == ARMILLA_GRID_CLENSHAW_CURTIS)
        assert_close (grid->rings[0].weight * (double) ((n - 1) * (n - 1)), 2 * G_PI, 4e-15);
    }
}

static void
test_pixel_vectors (void)
{
  /* healpy 1.20: healpy.pix2vec (5, [0, 99, 150, 299]) */
  static const struct {
    gint64 pixel;
    double v[3];
  } known[] = {
    { 0, { 0.11508451001088035, 0.11508451001088034, 0.98666666666666669 } },
    { 99, { 0.90523131676050861, -0.14337455546935643, 0.4 } },
    { 150, { -1, 0, 0 } },
    { 299, { 0.11508451001088033, -0.11508451001088038, -0.98666666666666669 } },
  };
  g_autoptr (ArmillaGrid) grid = healpix (5);
  double sum[3] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, known[i].pixel, v);
      for (int k = 0; k < 3; k++)
        assert_close (v[k], known[i].v[k], 6e-16); /* healpy's azimuths are off by 4e-16 */
    }
  for (gint64 i = 0; i < grid->n_pixels; i++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, i, v);
      assert_close (v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1, 1e-15);
      for (int k = 0; k < 3; k++)
        sum[k] += v[k];
    }
  for (int k = 0; k < 3; k++)
    assert_close (sum[k], 0, 300 * 2e-16);
}

/* The rings of Clenshaw and Curtis, each with a weight of 1. */
static void
test_unweighted (void)
{
  for (gint64 n = 2; n < 8; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ArmillaGrid) plain = armilla_grid_new_unweighted (n, 6, &error);
      g_autoptr (ArmillaGrid) weighted
        = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, n, 6, &error);

      g_assert_no_error (error);
      g_assert_true (armilla_grid_same_pixels (plain, weighted));
      for (gint64 i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (plain->rings[i].weight, G_PI / 3, 1e-15);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grid/healpix-structure", test_healpix_structure);
  g_test_add_func ("/grid/healpix-exact", test_healpix_exact);
  g_test_add_func ("/grid/gauss-nodes", test_gauss_nodes);
  g_test_add_func ("/grid/gauss-known", test_gauss_known);
  g_test_add_func ("/grid/exactness", test_exactness);
  g_test_add_func ("/grid/equiangular", test_equiangular);
  g_test_add_func ("/grid/equiangular-large", test_equiangular_large);
  g_test_add_func ("/grid/unweighted", test_unweighted);
  g_test_add_func ("/grid/pixel-vectors", test_pixel_vectors);
  return g_test_run ();
}
