/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over maps from other inputs: objects of catalogues. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/sky-private.h"

#define DEGREE (G_PI / 180)
#define WIDTH 800

typedef cairo_surface_t Surface;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Surface, cairo_surface_destroy)

static const double red[3] = { 1, 0, 0 };

static ArmillaSkyStyle
style_of (ArmillaProjectionKind kind, double longitude, double latitude, double size)
{
  ArmillaSkyStyle style = { .title = "", .unit = "", .width = WIDTH,
                            .colours = { ARMILLA_SCALE_LINEAR, 0, 1, 1 },
                            .projection = { kind, longitude, latitude, size } };

  armilla_palette_fill (ARMILLA_PALETTE_GREY, style.table);
  return style;
}

/* A map of zeros, nearly black, with what @style has over it. */
static Surface *
draw (const ArmillaSkyStyle *style)
{
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (1, NULL);
  static const double zeros[12];
  Surface *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, style->width,
                                                 armilla_sky_height (style));
  cairo_t *cr = cairo_create (surface);
  ArmillaSky *sky
    = armilla_sky_new_projection (grid, &style->projection, armilla_sky_box (style).width);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  armilla_sky_put (sky, 0, grid->n_pixels, zeros);
  armilla_sky_draw (sky, style, cr);
  armilla_sky_free (sky);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
colour_at (Surface *surface, double x, double y)
{
  guint32 colour;

  memcpy (&colour, cairo_image_surface_get_data (surface)
          + (int) y * cairo_image_surface_get_stride (surface) + 4 * (int) x, 4);
  return colour & 0xffffff;
}

static ArmillaSkyMarks *
marks_new (const ArmillaSkyStyle *style, ArmillaMark mark, const double colour[3])
{
  const ArmillaSkyBox box = armilla_sky_box (style);

  return armilla_sky_marks_new (&style->projection, &box, mark, colour);
}

static void
put (ArmillaSkyMarks *marks, double longitude, double latitude)
{
  const double x = cos (latitude) * cos (longitude), y = cos (latitude) * sin (longitude);
  const double z = sin (latitude);

  armilla_sky_marks_put (marks, 1, &x, &y, &z);
}

/* Where Snyder (1987) has a direction @l east of the middle of a picture, in parts of half its
 * width and height; FALSE where it has none. */
static gboolean
place (ArmillaProjectionKind kind, double l, double b, double b0, double size, double at[2])
{
  const double cos_c = sin (b0) * sin (b) + cos (b0) * cos (b) * cos (l);
  const double x = -cos (b) * sin (l), y = cos (b0) * sin (b) - sin (b0) * cos (b) * cos (l);
  double low = -G_PI / 2, high = G_PI / 2;

  switch (kind)
    {
    case ARMILLA_PROJECTION_ORTHOGRAPHIC:
      at[0] = x;
      at[1] = y;
      return cos_c > 0 && hypot (at[0], at[1]) < 0.97;
    case ARMILLA_PROJECTION_GNOMONIC:
      at[0] = x / cos_c / tan (size / 2);
      at[1] = y / cos_c / tan (size / 2);
      return cos_c > 0 && fabs (at[0]) < 0.98 && fabs (at[1]) < 0.98;
    default:
      for (int i = 0; i < 60; i++)
        {
          const double t = (low + high) / 2;

          *(2 * t + sin (2 * t) < G_PI * sin (b) ? &low : &high) = t;
        }
      at[0] = -l / G_PI * cos (low);
      at[1] = sin (low);
      return hypot (at[0], at[1]) < 0.97;
    }
}

/* An object is where formulas of the projection have it, and nowhere else. */
static void
test_places (void)
{
  static const struct { ArmillaProjectionKind kind; double longitude, latitude, size; } cases[] = {
    { ARMILLA_PROJECTION_MOLLWEIDE, 1, 0, 0 }, { ARMILLA_PROJECTION_ORTHOGRAPHIC, 2, 0.5, 0 },
    { ARMILLA_PROJECTION_GNOMONIC, -1, 1.2, 0.5 },
  };

  for (int trial = 0; trial < 60; trial++)
    {
      const ArmillaProjectionKind kind = cases[trial % 3].kind;
      const double l = g_test_rand_double_range (-1, 1) * G_PI, b0 = cases[trial % 3].latitude;
      const double b = kind == ARMILLA_PROJECTION_GNOMONIC
                         ? b0 + 0.3 * g_test_rand_double_range (-1, 1)
                         : asin (g_test_rand_double_range (-0.9, 0.9));
      ArmillaSkyStyle style = style_of (kind, cases[trial % 3].longitude, b0,
                                        cases[trial % 3].size);
      const ArmillaSkyBox box = armilla_sky_box (&style);
      g_autoptr (Surface) picture = NULL;
      double at[2], sum[2] = { 0, 0 };
      const gboolean seen = place (kind, l, b, b0, cases[trial % 3].size, at);
      int n = 0;

      style.marks[0] = marks_new (&style, ARMILLA_MARK_CIRCLE, red);
      put (style.marks[0], cases[trial % 3].longitude + l, b);
      picture = draw (&style);
      for (int y = 0; y < armilla_sky_height (&style); y++)
        for (int x = 0; x < WIDTH; x++)
          if (colour_at (picture, x, y) == 0xff0000)
            {
              n++;
              sum[0] += x + 0.5;
              sum[1] += y + 0.5;
            }
      if (seen)
        {
          g_assert_cmpint (n, >, 5);
          g_assert_cmpfloat_with_epsilon (sum[0] / n, box.left + box.width * (1 + at[0]) / 2, 0.5);
          g_assert_cmpfloat_with_epsilon (sum[1] / n, box.top + box.height * (1 - at[1]) / 2, 0.5);
        }
      armilla_sky_marks_free (style.marks[0]);
    }
}

/* Objects of the other side, or beyond the edges, are not there; those of one place are one. */
static void
test_count (void)
{
  ArmillaSkyStyle style = style_of (ARMILLA_PROJECTION_ORTHOGRAPHIC, 0, 0, 0);
  ArmillaSkyMarks *half = marks_new (&style, ARMILLA_MARK_CIRCLE, red);
  ArmillaSkyMarks *square;

  for (int i = 0; i < 3; i++)
    {
      put (half, 0.1, 0.2);
      put (half, G_PI - 0.1, 0.2);
    }
  put (half, 0.3, 0.2);
  g_assert_cmpint (armilla_sky_marks_count (half), ==, 2);
  armilla_sky_marks_free (half);
  style = style_of (ARMILLA_PROJECTION_GNOMONIC, 0, 0, 20 * DEGREE);
  square = marks_new (&style, ARMILLA_MARK_CIRCLE, red);
  put (square, 9 * DEGREE, 0);
  put (square, 11 * DEGREE, 0);
  put (square, 0, -11 * DEGREE);
  put (square, G_PI, 0);
  g_assert_cmpint (armilla_sky_marks_count (square), ==, 1);
  armilla_sky_marks_free (square);
}

/* A picture does not follow the order of its objects, and those of the smaller catalogue are on
 * top. */
static void
test_order (void)
{
  ArmillaSkyStyle style = style_of (ARMILLA_PROJECTION_MOLLWEIDE, 0, 0, 0);
  const double blue[3] = { 0, 0, 1 };
  g_autoptr (Surface) forth = NULL, back = NULL;

  for (int turn = 0; turn < 2; turn++)
    {
      style.marks[0] = marks_new (&style, ARMILLA_MARK_SQUARE, blue);
      style.marks[1] = marks_new (&style, ARMILLA_MARK_TRIANGLE, red);
      put (style.marks[turn], 0, 0);
      for (int i = 0; i < 2000; i++)
        {
          const int k = turn ? 1999 - i : i;

          put (style.marks[1 - turn], 0.001 * k, 0.3 * sin (k));
        }
      *(turn ? &back : &forth) = draw (&style);
      armilla_sky_marks_free (style.marks[0]);
      armilla_sky_marks_free (style.marks[1]);
    }
  {
    const ArmillaSkyBox box = armilla_sky_box (&style);
    const double x = box.left + box.width / 2, y = box.top + box.height / 2;

    g_assert_cmphex (colour_at (forth, x, y), ==, 0x0000ff);
    g_assert_cmphex (colour_at (back, x, y), ==, 0xff0000);
  }
}

static void
test_same (void)
{
  ArmillaSkyStyle style = style_of (ARMILLA_PROJECTION_CARTESIAN, 0, 0, 0);
  g_autoptr (Surface) forth = NULL, back = NULL;

  for (int turn = 0; turn < 2; turn++)
    {
      style.marks[0] = marks_new (&style, ARMILLA_MARK_SQUARE, red);
      for (int i = 0; i < 3000; i++)
        put (style.marks[0], (turn ? 2999 - i : i) * 0.002, 0.3 * sin (turn ? 2999 - i : i));
      *(turn ? &back : &forth) = draw (&style);
      armilla_sky_marks_free (style.marks[0]);
    }
  g_assert_cmpmem (cairo_image_surface_get_data (forth),
                   cairo_image_surface_get_stride (forth) * armilla_sky_height (&style),
                   cairo_image_surface_get_data (back),
                   cairo_image_surface_get_stride (back) * armilla_sky_height (&style));
}

/* A legend is between title and sky, whatever its length, and covers neither. */
static void
test_legend (void)
{
  static const char *const names[] = { "x", "a name of a catalogue that is longer than most are" };

  for (int n = 1; n <= ARMILLA_SKY_CATALOGUES; n++)
    for (int k = 0; k < 2; k++)
      {
        ArmillaSkyStyle style = style_of (ARMILLA_PROJECTION_GNOMONIC, 0, 0, 0.3);
        const int before = (int) armilla_sky_box (&style).top;
        g_autoptr (Surface) picture = NULL;
        int rows = 0;

        style.legend = armilla_legend_new ();
        for (int i = 0; i < n; i++)
          armilla_legend_add (style.legend, ARMILLA_MARK_CIRCLE, FALSE, red, names[k]);
        g_assert_cmpfloat (armilla_sky_box (&style).top, >, before);
        picture = draw (&style);
        for (int y = 0; y < armilla_sky_box (&style).top - 2; y++)
          for (int x = 0; x < WIDTH; x++)
            if (colour_at (picture, x, y) != 0xffffff)
              {
                rows++;
                g_assert_cmpint (y, >, before / 2);
                g_assert_cmpint (x, >, 4);
                g_assert_cmpint (x, <, WIDTH - 4);
              }
        g_assert_cmpint (rows, >, 20);
        g_array_unref (style.legend);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-overlays/places", test_places);
  g_test_add_func ("/render-overlays/count", test_count);
  g_test_add_func ("/render-overlays/order", test_order);
  g_test_add_func ("/render-overlays/same", test_same);
  g_test_add_func ("/render-overlays/legend", test_legend);
  return g_test_run ();
}
