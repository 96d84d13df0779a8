/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Neighbours of pixels, against tables of healpy's and by what every neighbourhood has. */
#include "core/grids/interpolation.h"
#include "tests/lib/grid-helpers.h"

#include <math.h>

/* healpy 1.16: healpy.get_all_neighbours (2, range (48)), pixel by pixel */
static const gint8 neighbours_2[48][8] = {
  { 4, 11, 3, 2, 1, 6, 5, 13 }, { 6, 5, 0, 3, 2, 8, 7, 15 },
  { 8, 7, 1, 0, 3, 10, 9, 17 }, { 10, 9, 2, 1, 0, 4, 11, 19 },
  { 12, -1, 11, 3, 0, 5, 13, 20 }, { 13, 4, 0, 1, 6, -1, 14, 21 },
  { 14, -1, 5, 0, 1, 7, 15, 22 }, { 15, 6, 1, 2, 8, -1, 16, 23 },
  { 16, -1, 7, 1, 2, 9, 17, 24 }, { 17, 8, 2, 3, 10, -1, 18, 25 },
  { 18, -1, 9, 2, 3, 11, 19, 26 }, { 19, 10, 3, 0, 4, -1, 12, 27 },
  { 27, 19, 11, -1, 4, 13, 20, 28 }, { 20, 12, 4, 0, 5, 14, 21, 29 },
  { 21, 13, 5, -1, 6, 15, 22, 30 }, { 22, 14, 6, 1, 7, 16, 23, 31 },
  { 23, 15, 7, -1, 8, 17, 24, 32 }, { 24, 16, 8, 2, 9, 18, 25, 33 },
  { 25, 17, 9, -1, 10, 19, 26, 34 }, { 26, 18, 10, 3, 11, 12, 27, 35 },
  { 28, 27, 12, 4, 13, 21, 29, 36 }, { 29, 20, 13, 5, 14, 22, 30, 37 },
  { 30, 21, 14, 6, 15, 23, 31, 38 }, { 31, 22, 15, 7, 16, 24, 32, 39 },
  { 32, 23, 16, 8, 17, 25, 33, 40 }, { 33, 24, 17, 9, 18, 26, 34, 41 },
  { 34, 25, 18, 10, 19, 27, 35, 42 }, { 35, 26, 19, 11, 12, 20, 28, 43 },
  { 43, 35, 27, 12, 20, 29, 36, -1 }, { 36, 28, 20, 13, 21, 30, 37, 44 },
  { 37, 29, 21, 14, 22, 31, 38, -1 }, { 38, 30, 22, 15, 23, 32, 39, 45 },
  { 39, 31, 23, 16, 24, 33, 40, -1 }, { 40, 32, 24, 17, 25, 34, 41, 46 },
  { 41, 33, 25, 18, 26, 35, 42, -1 }, { 42, 34, 26, 19, 27, 28, 43, 47 },
  { 43, -1, 28, 20, 29, 37, 44, 47 }, { 44, 36, 29, 21, 30, -1, 38, 45 },
  { 37, -1, 30, 22, 31, 39, 45, 44 }, { 45, 38, 31, 23, 32, -1, 40, 46 },
  { 39, -1, 32, 24, 33, 41, 46, 45 }, { 46, 40, 33, 25, 34, -1, 42, 47 },
  { 41, -1, 34, 26, 35, 43, 47, 46 }, { 47, 42, 35, 27, 28, -1, 36, 44 },
  { 47, 43, 36, 29, 37, 38, 45, 46 }, { 44, 37, 38, 31, 39, 40, 46, 47 },
  { 45, 39, 40, 33, 41, 42, 47, 44 }, { 46, 41, 42, 35, 43, 36, 44, 45 },
};

/* N = 2**29; healpy.get_all_neighbours (N, first of each row) */
static const gint64 neighbours_29[][9] = {
  { 0, 4, 11, 3, 2, 1, 6, 5, 13 },
  { 1, 6, 5, 0, 3, 2, 8, 7, 16 },
  { 5, 13, 4, 0, 1, 6, 15, 14, 26 },
  { 12345678901, 12345993172, 12345678900, 12345364633, 12345050370, 12345364634, 12345678902,
    12345993173, 12346307448 },
  { 576460751229681663, 576460753377165310, 576460751229681662, 576460749082198019,
    576460746934714380, 576460749082198020, 576460751229681664, 576460753377165311,
    576460755524648959 },
  { 576460751229681664, 576460753377165312, -1, 576460753377165311, 576460751229681663,
    576460749082198020, 576460751229681665, 576460753377165313, 576460755524648960 },
  { 1729382256910270457, 1729382259057754105, 1729382256910270456, 1729382254762786809,
    1729382252615303161, 1729382254762786810, 1729382256910270458, 1729382259057754106,
    1729382261205237753 },
  { 1729382257033727253, 1729382259181210901, 1729382257033727252, 1729382254886243605,
    1729382252738759957, 1729382254886243606, 1729382257033727254, 1729382259181210902,
    1729382261328694549 },
  { 2882303762590859263, 2882303764738342907, 2882303762590859262, 2882303760443375615,
    2882303758295891967, 2882303758295891968, -1, 2882303760443375616, 2882303762590859264 },
  { 2882303762590859264, 2882303764738342907, 2882303762590859263, 2882303760443375616,
    2882303758295891969, 2882303760443375617, 2882303762590859265, 2882303764738342908,
    2882303766885826547 },
  { 3458764415055108819, 3458764415055997705, 3458764415055108818, 3458764415054219928,
    3458764415053331034, 3458764415054219929, 3458764415055108820, 3458764415055997706,
    3458764415056886588 },
  { 3458764513820540927, 3458764513820540926, 3458764513820540921, 3458764513820540922,
    3458764513820540914, 3458764513820540923, 3458764513820540916, 3458764513820540924,
    3458764513820540925 },
};

static void
test_tables (void)
{
  gint64 found[8];

  for (gint64 p = 0; p < 48; p++)
    {
      armilla_healpix_neighbours (2, p, found);
      for (int i = 0; i < 8; i++)
        g_assert_cmpint (found[i], ==, neighbours_2[p][i]);
    }
  for (gsize k = 0; k < G_N_ELEMENTS (neighbours_29); k++)
    {
      armilla_healpix_neighbours (G_GINT64_CONSTANT (1) << 29, neighbours_29[k][0], found);
      for (int i = 0; i < 8; i++)
        g_assert_cmpint (found[i], ==, neighbours_29[k][1 + i]);
    }
}

/* Returns how often each pixel is named as a neighbour of each, [pixel][neighbour]. */
static guint8 *
matrix_of (const ArmillaGrid *grid)
{
  const gint64 n = grid->n_pixels;
  guint8 *matrix = g_new0 (guint8, n * n);

  for (gint64 r = 0; r < grid->n_rings; r++)
    for (gint64 j = 0; j < grid->rings[r].n_phi; j++)
      {
        ArmillaPixelRun runs[ARMILLA_MAX_NEIGHBOUR_RUNS];
        const int n_runs = armilla_grid_neighbours (grid, r, j, runs);

        for (int k = 0; k < n_runs; k++)
          for (gint64 i = 0; i < runs[k].n; i++)
            {
              const ArmillaRing *ring = &grid->rings[runs[k].ring];
              const gint64 q = ring->offset + (runs[k].first + i) % ring->n_phi;

              g_assert_cmpint (runs[k].first, <, ring->n_phi);
              matrix[(grid->rings[r].offset + j) * n + q]++;
            }
      }
  return matrix;
}

/* A neighbour's neighbour is the pixel itself; none is named twice, none is its own. */
static void
check_symmetry (const ArmillaGrid *grid)
{
  const gint64 n = grid->n_pixels;
  g_autofree guint8 *matrix = matrix_of (grid);

  for (gint64 p = 0; p < n; p++)
    {
      g_assert_cmpint (matrix[p * n + p], ==, 0);
      for (gint64 q = 0; q < n; q++)
        {
          g_assert_cmpint (matrix[p * n + q], <=, 1);
          g_assert_cmpint (matrix[p * n + q], ==, matrix[q * n + p]);
        }
    }
}

/* 24 pixels, three at each of eight corners of base pixels, have seven neighbours. */
static void
test_healpix (void)
{
  static const gint64 nsides[] = { 2, 3, 4, 5, 8 };

  for (gsize k = 0; k < G_N_ELEMENTS (nsides); k++)
    {
      g_autoptr (ArmillaGrid) grid = healpix (nsides[k]);
      g_autofree guint8 *matrix = matrix_of (grid);
      gint64 sevens = 0;

      check_symmetry (grid);
      for (gint64 p = 0; p < grid->n_pixels; p++)
        {
          int n = 0;

          for (gint64 q = 0; q < grid->n_pixels; q++)
            n += matrix[p * grid->n_pixels + q];
          g_assert_true (n == 7 || n == 8);
          sevens += n == 7;
        }
      g_assert_cmpint (sevens, ==, 24);
    }
}

static ArmillaRing
ring_at (double theta, gint64 n_phi, gint64 offset, double phi0)
{
  return (ArmillaRing) { .cos_theta = cos (theta), .sin_theta = sin (theta), .weight = 1,
                         .n_phi = n_phi, .offset = offset, .phi0 = phi0 };
}

/* Rings of different lengths and azimuths, down to one pixel. */
static void
test_rings (void)
{
  static const gint64 lengths[] = { 1, 3, 8, 8, 12, 24, 24, 7, 2 };
  static const double azimuths[] = { 0, 0.3, 0, 0.1, -0.2, 0, 3, 0.05, 1 };
  ArmillaRing rings[G_N_ELEMENTS (lengths)];
  g_autoptr (ArmillaGrid) grid = NULL;
  gint64 offset = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      rings[i] = ring_at (0.3 + 0.3 * (double) i, lengths[i], offset, azimuths[i]);
      offset += lengths[i];
    }
  grid = from_rings (rings, G_N_ELEMENTS (lengths));
  check_symmetry (grid);
}

/* Between rings of one azimuth a pixel has 8 neighbours; the first one stands for a pole. */
static void
test_poles (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGrid) grid
    = armilla_grid_new_equiangular (ARMILLA_GRID_CLENSHAW_CURTIS, 6, 9, &error);
  g_autofree guint8 *matrix = NULL;
  static const int expected[6] = { 9, 6, 8, 8, 6, 9 };

  g_assert_no_error (error);
  matrix = matrix_of (grid);
  for (gint64 p = 0; p < 54; p++)
    {
      int n = 0;

      for (gint64 q = 0; q < 54; q++)
        n += matrix[p * 54 + q];
      g_assert_cmpint (n, ==, p / 9 % 5 == 0 && p % 9 > 0 ? 0 : expected[p / 9]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grids/neighbours/tables", test_tables);
  g_test_add_func ("/grids/neighbours/healpix", test_healpix);
  g_test_add_func ("/grids/neighbours/rings", test_rings);
  g_test_add_func ("/grids/neighbours/poles", test_poles);
  return g_test_run ();
}
