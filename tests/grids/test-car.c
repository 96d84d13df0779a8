/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of the sky by resolution, and parts of them. tests/fits/test-fits-car.c has those of
 * files. */
#include "core/grids/car.h"
#include "core/grids/grid.h"

#include <math.h>

static ArmillaCar
whole (ArmillaGridKind kind, double degrees)
{
  g_autoptr (GError) error = NULL;
  ArmillaCar car;

  armilla_car_whole (&car, kind, degrees * G_PI / 180, &error);
  g_assert_no_error (error);
  return car;
}

/* The numbers of pixell.enmap.fullsky_geometry (res = 3 degrees), for both variants. */
static void
test_whole (void)
{
  const ArmillaCar fejer = whole (ARMILLA_GRID_FEJER1, 3);
  const ArmillaCar clenshaw = whole (ARMILLA_GRID_CLENSHAW_CURTIS, 3);
  static const double refused[] = { 7, 181, 1e-3, 3.0001 };

  g_assert_cmpint (fejer.n_x, ==, 120);
  g_assert_cmpint (fejer.n_y, ==, 60);
  g_assert_cmpfloat (fejer.crpix[0], ==, 60.5);
  g_assert_cmpfloat (fejer.crpix[1], ==, 30.5);
  g_assert_cmpfloat (fejer.cdelt[0], ==, -3);
  g_assert_cmpfloat (fejer.cdelt[1], ==, 3);
  g_assert_cmpfloat (fejer.crval, ==, 1.5);
  g_assert_cmpint (clenshaw.n_y, ==, 61);
  g_assert_cmpfloat (clenshaw.crpix[1], ==, 31);
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;
      ArmillaCar car;

      g_assert_false (armilla_car_whole (&car, ARMILLA_GRID_FEJER1, refused[i] * G_PI / 180,
                                         &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      g_assert_true (g_pattern_match_simple ("resolution = * deg: 180 degrees are * pixels*",
                                             error->message));
    }
}

/* Returns latitude (0) and longitude (1) of the centre of a pixel, degrees. */
static double
centre (const ArmillaCar *car, int which, gint64 pixel)
{
  return which == 0 ? ((double) pixel - car->crpix[1]) * car->cdelt[1]
                    : car->crval + ((double) pixel - car->crpix[0]) * car->cdelt[0];
}

static double
turned (double longitude, double from)
{
  return longitude - 360 * floor ((longitude - from + 1e-9) / 360);
}

/* A cut has the pixels of the whole sky whose centres are in the box, and no others. */
static void
test_cut (void)
{
  static const struct {
    ArmillaCarBox box;
    gint64 n_x, n_y;
  } cuts[] = {
    { { { -90, 90 }, { 0, 360 } }, 120, 60 },   { { { -9, 12 }, { 0, 360 } }, 120, 7 },
    { { { -9, 12 }, { 150, 210 } }, 21, 7 },    { { { -10.5, 10.5 }, { 0, 0 } }, 1, 8 },
    { { { 80, 90 }, { -30, 29.9 } }, 20, 3 },   { { { 0, 3 }, { 330, 390 } }, 21, 1 },
    { { { 0, 3 }, { 100, 459.9 } }, 120, 1 },   { { { 0, 3 }, { -180, 180 } }, 120, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      const ArmillaCarBox *box = &cuts[i].box;
      const ArmillaCar all = whole (ARMILLA_GRID_FEJER1, 3);
      ArmillaCar car = all;
      g_autoptr (ArmillaGrid) grid = NULL;
      g_autoptr (GError) error = NULL;
      gint64 n = 0;

      armilla_car_cut (&car, box, &error);
      g_assert_no_error (error);
      g_assert_cmpint (car.n_x, ==, cuts[i].n_x);
      g_assert_cmpint (car.n_y, ==, cuts[i].n_y);
      for (gint64 y = 1; y <= car.n_y; y++)
        {
          g_assert_cmpfloat (centre (&car, 0, y), >=, box->dec[0] - 1e-9);
          g_assert_cmpfloat (centre (&car, 0, y), <=, box->dec[1] + 1e-9);
        }
      for (gint64 x = 1; x <= car.n_x && car.n_x < all.n_x; x++)
        g_assert_cmpfloat (turned (centre (&car, 1, x), box->ra[0]), <=, box->ra[1] + 1e-9);
      for (gint64 x = 1; x <= all.n_x; x++)
        n += turned (centre (&all, 1, x), box->ra[0]) <= box->ra[1] + 1e-9;
      g_assert_cmpint (n, ==, car.n_x);
      g_assert_cmpfloat (fabs (centre (&car, 1, 1) - centre (&car, 1, car.n_x)), <, 360);
      grid = armilla_grid_new_car (&car, &error);
      g_assert_no_error (error);
      g_assert_cmpint (grid->n_rings, ==, car.n_y);
      g_assert_cmpint (armilla_grid_whole (grid)->n_rings, ==, 60);
    }
}

static void
test_refused_cuts (void)
{
  static const struct {
    ArmillaCarBox box;
    const char *message;
  } cuts[] = {
    { { { 10, -10 }, { 0, 360 } }, "latitudes from 10 to -10 *each range must ascend*" },
    { { { -10, 10 }, { 350, 10 } }, "*add 360 to the second longitude*" },
    { { { 0.1, 0.2 }, { 0, 360 } }, "no pixel between latitudes 0.1 and 0.2 degrees" },
    { { { 91, 100 }, { 0, 360 } }, "no pixel between latitudes 91 and 100 degrees" },
    { { { -10, 10 }, { 1, 2 } }, "no pixel between longitudes 1 and 2 degrees" },
    { { { NAN, 10 }, { 1, 2 } }, "*each range must ascend*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      ArmillaCar car = whole (ARMILLA_GRID_FEJER1, 3);
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_car_cut (&car, &cuts[i].box, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
      if (!g_pattern_match_simple (cuts[i].message, error->message))
        g_error ("%s does not match %s", error->message, cuts[i].message);
    }
}

/* Ring weights keep the image. */
static void
test_weights (void)
{
  ArmillaCar car = whole (ARMILLA_GRID_FEJER1, 30), back;
  const double factors[] = { 1, 2, 3 };
  const ArmillaCarBox box = { { -50, 50 }, { 0, 100 } };
  g_autoptr (ArmillaGrid) grid = NULL, weighted = NULL;
  gint64 first;

  g_assert_true (armilla_car_cut (&car, &box, NULL));
  grid = armilla_grid_new_car (&car, NULL);
  weighted = armilla_grid_with_ring_weights (grid, factors, 3, NULL);
  g_assert_true (armilla_grid_car (weighted, &back, &first));
  g_assert_cmpint (first, ==, 1);
  g_assert_cmpint (back.n_x, ==, car.n_x);
  g_assert_cmpint (back.n_y, ==, 4);
  g_assert_cmpfloat (back.crpix[0], ==, car.crpix[0]);
  g_assert_cmpfloat (back.crval, ==, car.crval);
}

/* The whole grid of a part of the sky is an image of the whole sky, whose pixels are where they
 * were. */
static void
test_whole_of_cut (void)
{
  const ArmillaCarBox box = { { -50, 20 }, { 10, 100 } };
  ArmillaCar car = whole (ARMILLA_GRID_FEJER1, 30), all;
  g_autoptr (ArmillaGrid) grid = NULL;
  gint64 first;

  g_assert_true (armilla_car_cut (&car, &box, NULL));
  grid = armilla_grid_new_car (&car, NULL);
  g_assert_true (armilla_grid_car (armilla_grid_whole (grid), &all, &first));
  g_assert_cmpint (first, ==, 0);
  g_assert_cmpint (all.n_x, ==, 12);
  g_assert_cmpint (all.n_y, ==, 6);
  g_assert_cmpfloat (centre (&all, 0, 1), ==, -75);
  g_assert_cmpfloat (centre (&all, 1, all.n_x), ==, centre (&car, 1, car.n_x));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grids/car/whole", test_whole);
  g_test_add_func ("/grids/car/cut", test_cut);
  g_test_add_func ("/grids/car/refused-cuts", test_refused_cuts);
  g_test_add_func ("/grids/car/weights", test_weights);
  g_test_add_func ("/grids/car/whole-of-cut", test_whole_of_cut);
  return g_test_run ();
}
