/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/pictures/picture-helpers.h"

#define WIDTH 400

/* A pixel without data must not look like one with data. */
static void
test_grey_is_free (void)
{
  double table[ARMILLA_PALETTE_SIZE][3];

  for (int palette = ARMILLA_PALETTE_SKY; palette <= ARMILLA_PALETTE_THERMAL; palette++)
    {
      armilla_palette_fill (palette, table);
      for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
        {
          double apart = 0;

          for (int c = 0; c < 3; c++)
            apart = MAX (apart, fabs (table[i][c] - ARMILLA_UNSEEN_LEVEL));
          g_assert_cmpfloat (apart, >, 0.08);
        }
    }
}

static ArmillaSky *
new_sky (ArmillaGrid *grid, double centre)
{
  return armilla_sky_new_projection (
    grid, &(ArmillaProjection) { .kind = ARMILLA_PROJECTION_MOLLWEIDE, .longitude = centre }, WIDTH,
    NULL);
}

/* Paints a map of 0 and 1 in grey: dark for 0, light for 1. */
static cairo_surface_t *
paint (ArmillaGrid *grid, const double *pixels, double centre)
{
  ArmillaSky *sky = new_sky (grid, centre);
  cairo_surface_t *surface;

  armilla_sky_put (sky, 0, grid->n_pixels, pixels);
  surface = armilla_sky_paint (sky, ARMILLA_PALETTE_GREY, 0, 1);
  armilla_sky_free (sky);
  return surface;
}

static gboolean
is_light (guint32 colour)
{
  return (colour >> 24) == 0xff && (colour & 0xff) > 128;
}

/* Mollweide's projection keeps areas: the share of the ellipse north of latitude b is
 * (1 - sin b) / 2. Tolerance: the boundary is about WIDTH points of WIDTH^2 pi / 8, each right or
 * wrong by half a point, and by as much again for the pixels of the map (nside 128): 0.5 %. */
static void
test_equal_area (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (128, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels), *z = component_map (grid, 2);

  for (double z0 = -0.75; z0 < 1; z0 += 0.25)
    {
      cairo_surface_t *surface;
      int light = 0, inside = 0;

      for (gint64 i = 0; i < grid->n_pixels; i++)
        pixels[i] = z[i] > z0;
      surface = paint (grid, pixels, 1.5);
      for (int y = 0; y < WIDTH / 2; y++)
        for (int x = 0; x < WIDTH; x++)
          {
            guint32 colour = point_at (surface, x, y);

            inside += colour >> 24 == 0xff;
            light += is_light (colour);
            if (is_light (colour) && z0 == 0)
              g_assert_cmpint (y, <=, WIDTH / 4 + 1);
          }
      g_assert_cmpfloat (fabs ((double) light / inside - (1 - z0) / 2), <, 0.005);
      g_assert_cmpfloat (fabs (inside / (G_PI / 8 * WIDTH * WIDTH) - 1), <, 0.005);
      cairo_surface_destroy (surface);
    }
}

/* Longitude 90 degrees is left of the middle, halfway to the edge; a new centre moves it there. */
static void
check_orientation (ArmillaGrid *grid)
{
  g_autofree double *pixels = component_map (grid, 1);
  cairo_surface_t *surface;

  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = pixels[i] > cos (0.3); /* within 17 degrees of longitude 90 on the equator */
  surface = paint (grid, pixels, 0);
  g_assert_true (is_light (point_at (surface, WIDTH / 4, WIDTH / 4)));
  g_assert_false (is_light (point_at (surface, 3 * WIDTH / 4, WIDTH / 4)));
  g_assert_false (is_light (point_at (surface, WIDTH / 2, WIDTH / 4)));
  cairo_surface_destroy (surface);
  surface = paint (grid, pixels, G_PI / 2);
  g_assert_true (is_light (point_at (surface, WIDTH / 2, WIDTH / 4)));
  g_assert_false (is_light (point_at (surface, WIDTH / 4, WIDTH / 4)));
  cairo_surface_destroy (surface);
  surface = paint (grid, pixels, 0.5);
  g_assert_cmpint (point_at (surface, 0, 0), ==, 0);
  cairo_surface_destroy (surface);
}

static void
test_orientation (void)
{
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (24, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (33, 71, NULL);
  g_autoptr (ArmillaGrid) fejer = armilla_grid_new_equiangular (ARMILLA_GRID_FEJER1, 40, 81, NULL);

  check_orientation (healpix);
  check_orientation (gauss);
  check_orientation (fejer);
}

static void
test_pieces (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  ArmillaSky *whole = new_sky (grid, 0), *pieces = new_sky (grid, 0);
  cairo_surface_t *a, *b;

  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = sin (0.1 * (double) i);
  armilla_sky_put (whole, 0, grid->n_pixels, pixels);
  for (gint64 end = grid->n_pixels; end > 0; end -= MIN (end, 37))
    armilla_sky_put (pieces, end - MIN (end, 37), MIN (end, 37), pixels + end - MIN (end, 37));
  a = armilla_sky_paint (whole, ARMILLA_PALETTE_SKY, -1, 1);
  b = armilla_sky_paint (pieces, ARMILLA_PALETTE_SKY, -1, 1);
  g_assert_cmpmem (cairo_image_surface_get_data (a),
                   cairo_image_surface_get_stride (a) * WIDTH / 2,
                   cairo_image_surface_get_data (b),
                   cairo_image_surface_get_stride (b) * WIDTH / 2);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
  armilla_sky_free (whole);
  armilla_sky_free (pieces);
}

static void
test_unseen (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (8, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  guint32 grey = (guint32) lrint (ARMILLA_UNSEEN_LEVEL * 255);
  cairo_surface_t *surface;
  ArmillaSky *sky = new_sky (grid, 0);
  double low = NAN, high = NAN;

  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = i < grid->n_pixels / 2 ? (float) ARMILLA_UNSEEN : (double) i;
  pixels[grid->n_pixels - 1] = NAN;
  armilla_sky_put (sky, 0, grid->n_pixels, pixels);
  armilla_sky_range (sky, 0, &low, &high);
  g_assert_cmpfloat (low, ==, (double) (grid->n_pixels / 2));
  g_assert_cmpfloat (high, ==, (double) (grid->n_pixels - 2));
  surface = armilla_sky_paint (sky, ARMILLA_PALETTE_SKY, low, high);
  g_assert_cmphex (point_at (surface, WIDTH / 2, WIDTH / 8), ==,
                   0xff000000u | grey << 16 | grey << 8 | grey);
  g_assert_cmphex (point_at (surface, WIDTH / 2, 3 * WIDTH / 8), !=,
                   0xff000000u | grey << 16 | grey << 8 | grey);
  cairo_surface_destroy (surface);
  armilla_sky_free (sky);
}

static void
test_range (void)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  g_autofree double *pixels = component_map (grid, 2); /* uniform over equal areas */
  ArmillaSky *sky = new_sky (grid, 0);
  double low = NAN, high = NAN;

  armilla_sky_range (sky, 1, &low, &high); /* no data at all */
  g_assert_cmpfloat (low, <, high);
  armilla_sky_put (sky, 0, grid->n_pixels, pixels);
  low = high = NAN;
  armilla_sky_range (sky, 5, &low, &high);
  /* 4 nside - 1 rings: a step of the values is up to 2 / 3 nside = 0.02 */
  g_assert_cmpfloat (fabs (low + 0.9), <, 0.03);
  g_assert_cmpfloat (fabs (high - 0.9), <, 0.03);
  low = -7;
  high = NAN;
  armilla_sky_range (sky, 0, &low, &high);
  g_assert_cmpfloat (low, ==, -7);
  g_assert_cmpfloat (high, >, 0.99);
  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = 3;
  armilla_sky_put (sky, 0, grid->n_pixels, pixels);
  low = high = NAN;
  armilla_sky_range (sky, 0, &low, &high);
  g_assert_true (low < 3 && high > 3);
  armilla_sky_free (sky);
}

/* Where a point of a patch lies: the gnomonic projection inverted (Snyder 1987, equations 20-14
 * and 20-15), its x axis turned to the left. */
static void
patch_vector (const ArmillaProjection *patch, int column, int row, int width, double vector[3])
{
  const double unit = 2 * tan (0.5 * patch->size) / width;
  const double x = unit * (0.5 * (width - 1) - column), y = unit * (0.5 * (width - 1) - row);
  const double rho = hypot (x, y), c = atan (rho), b = patch->latitude;
  const double latitude = rho == 0 ? b : asin (cos (c) * sin (b) + y * sin (c) * cos (b) / rho);
  const double longitude = patch->longitude
    + atan2 (x * sin (c), rho * cos (b) * cos (c) - y * sin (b) * sin (c));

  vector[0] = cos (latitude) * cos (longitude);
  vector[1] = cos (latitude) * sin (longitude);
  vector[2] = sin (latitude);
}

/* Each point of a patch has the grey of the pixel that lies there. */
static void
check_patch (ArmillaGrid *grid, const ArmillaProjection *patch)
{
  const int width = 41; /* its middle point is the centre */
  ArmillaSky *sky = armilla_sky_new_projection (grid, patch, width, NULL);
  cairo_surface_t *surface;
  double table[ARMILLA_PALETTE_SIZE][3];

  armilla_palette_fill (ARMILLA_PALETTE_GREY, table);
  for (int axis = 0; axis < 3; axis++)
    {
      g_autofree double *pixels = component_map (grid, axis);

      armilla_sky_put (sky, 0, grid->n_pixels, pixels);
      surface = armilla_sky_paint (sky, ARMILLA_PALETTE_GREY, -1, 1);
      for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++)
          {
            double v[3];
            const int grey = (int) (point_at (surface, x, y) & 0xff);

            patch_vector (patch, x, y, width, v);
            /* A pixel is up to 0.03 across, and a colour stands for 0.008. */
            for (int end = -1; end <= 1; end += 2)
              {
                const int i = (int) ((v[axis] + 0.04 * end + 1) / 2 * ARMILLA_PALETTE_SIZE);
                const double level = table[CLAMP (i, 0, ARMILLA_PALETTE_SIZE - 1)][2] * 255;

                g_assert_cmpfloat (end * (level - grey), >=, -1);
              }
          }
      cairo_surface_destroy (surface);
    }
  armilla_sky_free (sky);
}

static void
test_patch (void)
{
  static const ArmillaProjection patches[] = {
    { ARMILLA_PROJECTION_GNOMONIC, 1, 0.5, 0.3, 0, 0, 0 },
    { ARMILLA_PROJECTION_GNOMONIC, -2, -1.5, 1.2, 0, 0, 0 },
    { ARMILLA_PROJECTION_GNOMONIC, 0.785, 1.047, 0.227, 0, 0, 0 },
    { ARMILLA_PROJECTION_GNOMONIC, 3.1, G_PI / 2, 2, 0, 0, 0 },
  };
  g_autoptr (ArmillaGrid) healpix = armilla_grid_new_healpix (64, NULL);
  g_autoptr (ArmillaGrid) gauss = armilla_grid_new_gauss_legendre (160, 320, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (patches); i++)
    {
      check_patch (healpix, &patches[i]);
      check_patch (gauss, &patches[i]);
    }
}

/* A value at a pixel, in one of several orders: rising, falling, falling and rising, at random, of
 * three values only. */
static double
value_in_order (int order, gint64 pixel)
{
  switch (order)
    {
    case 0:
      return (double) pixel;
    case 1:
      return -(double) pixel;
    case 2:
      return fabs ((double) pixel - 30000);
    case 3:
      return g_test_rand_double ();
    default:
      return (double) (pixel % 3);
    }
}

/* Percentiles are those of all points when they are sorted. */
static void
test_percentiles (void)
{
  const int width = 60, n = width * width;
  const ArmillaProjection patch = { ARMILLA_PROJECTION_GNOMONIC, 1, 0.5, 0.3, 0, 0, 0 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (128, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);
  g_autofree double *sorted = g_new (double, n);
  ArmillaSky *sky = armilla_sky_new_projection (grid, &patch, width, NULL);

  for (int order = 0; order < 5; order++)
    {
      for (gint64 i = 0; i < grid->n_pixels; i++)
        pixels[i] = value_in_order (order, i);
      armilla_sky_put (sky, 0, grid->n_pixels, pixels);
      for (int i = 0; i < n; i++)
        {
          double vector[3];

          patch_vector (&patch, i % width, i / width, width, vector);
          sorted[i] = pixels[armilla_healpix_vector_to_pixel (128, vector)];
        }
      qsort (sorted, (gsize) n, sizeof *sorted, compare_doubles);
      for (double percentile = 0; percentile < 30; percentile += 12.25)
        {
          double low = NAN, high = NAN;

          armilla_sky_range (sky, percentile, &low, &high);
          g_assert_cmpfloat (low, ==, sorted[(int) floor (percentile / 100 * (n - 1))]);
          g_assert_cmpfloat (high, ==, sorted[(int) ceil ((1 - percentile / 100) * (n - 1))]);
        }
    }
  armilla_sky_free (sky);
}

static void
test_ticks (void)
{
  g_autoptr (GArray) unit = armilla_ticks (0, 1, 5);

  g_assert_cmpuint (unit->len, ==, 6);
  for (guint i = 0; i < unit->len; i++)
    g_assert_cmpfloat (fabs (g_array_index (unit, double, i) - 0.2 * i), <, 1e-15);
  for (int i = 0; i < 2000; i++)
    {
      double low = pow (10, g_test_rand_double_range (-12, 12));
      double high = low * (1 + pow (10, g_test_rand_double_range (-3, 6)));
      g_autoptr (GArray) ticks = armilla_ticks (low, high, 6);

      g_assert_cmpuint (ticks->len, >=, 2);
      g_assert_cmpuint (ticks->len, <=, 13);
      for (guint k = 0; k < ticks->len; k++)
        {
          double tick = g_array_index (ticks, double, k);

          g_assert_true (tick >= low * (1 - 1e-6) && tick <= high * (1 + 1e-6));
          g_assert_true (k == 0 || tick > g_array_index (ticks, double, k - 1));
        }
    }
}

/* Axes as narrow as the rounding of their numbers, or wider than any number. */
static void
test_narrow_ticks (void)
{
  static const double ends[][2] = {
    { 1, 1 + 0x1p-52 }, { 1e15, 1e15 + 0.125 }, { -1 - 0x1p-51, -1 }, { 0, 5e-324 },
    { 1e300, 1.0000000000000002e300 }, { -1.7e308, 1.7e308 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (GArray) ticks = armilla_ticks (ends[i][0], ends[i][1], 6);

      g_assert_cmpuint (ticks->len, <=, 13);
      for (guint k = 1; k < ticks->len; k++)
        g_assert_cmpfloat (g_array_index (ticks, double, k), >,
                           g_array_index (ticks, double, k - 1));
    }
}

static void
test_labels (void)
{
  static const struct { double value; const char *label; } cases[] = {
    { 0, "0" }, { -0.0, "0" }, { 0.2, "0.2" }, { 3 * 0.1, "0.3" }, { 1500, "1500" },
    { 1e-9, "1e-09" }, { -2.5, "\342\210\2222.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = armilla_tick_label (cases[i].value);

      g_assert_cmpstr (label, ==, cases[i].label);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/grey-is-free", test_grey_is_free);
  g_test_add_func ("/render/equal-area", test_equal_area);
  g_test_add_func ("/render/orientation", test_orientation);
  g_test_add_func ("/render/pieces", test_pieces);
  g_test_add_func ("/render/unseen", test_unseen);
  g_test_add_func ("/render/range", test_range);
  g_test_add_func ("/render/patch", test_patch);
  g_test_add_func ("/render/percentiles", test_percentiles);
  g_test_add_func ("/render/ticks", test_ticks);
  g_test_add_func ("/render/narrow-ticks", test_narrow_ticks);
  g_test_add_func ("/render/labels", test_labels);
  return g_test_run ();
}
