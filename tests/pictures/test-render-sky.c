/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of maps: projections, palettes, what is drawn over the pixels. */
#include <glib/gstdio.h>

#include "tests/pictures/picture-helpers.h"

#define DEGREE (G_PI / 180)

static const ArmillaProjection projections[] = {
  { ARMILLA_PROJECTION_MOLLWEIDE, 0.7, 0, 0, 0, 0, 0 },
  { ARMILLA_PROJECTION_MOLLWEIDE, 0.7, -0.5, 0, 0, 0, 0 },
  { ARMILLA_PROJECTION_ORTHOGRAPHIC, -2, 0.6, 0, 0, 0, 0 },
  { ARMILLA_PROJECTION_HEMISPHERES, 1, 0.2, 0, 0, 0, 0 },
  { ARMILLA_PROJECTION_GNOMONIC, 3, -1.2, 0.8, 0, 0, 0 },
  { ARMILLA_PROJECTION_CARTESIAN, 1, 0, 0, 0, 0, 0 },
  { ARMILLA_PROJECTION_CARTESIAN, -1, 0.4, 0.3, 0, 0, 0 },
  { .kind = ARMILLA_PROJECTION_CARTESIAN, .longitude = 1, .width = 0.9, .height = 0.4,
    .middle = -0.7 },
};

/* A direction is drawn where it is looked up. */
static void
test_there_and_back (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (projections); i++)
    {
      double frame[3][3], half_u, half_v;
      int seen = 0;

      armilla_projection_frame (&projections[i], frame);
      armilla_projection_extent (&projections[i], &half_u, &half_v);
      for (int k = 0; k < 500; k++)
        {
          const double u = half_u * g_test_rand_double_range (-0.999, 0.999);
          const double v = half_v * g_test_rand_double_range (-0.999, 0.999);
          double vector[3], back[2], length = 0;

          if (!armilla_projection_vector (&projections[i], frame, u, v, vector))
            continue;
          seen++;
          for (int c = 0; c < 3; c++)
            length += vector[c] * vector[c];
          for (int c = 0; c < 3; c++)
            vector[c] /= sqrt (length);
          g_assert_true (armilla_projection_point (&projections[i], frame, vector, &back[0],
                                                   &back[1]));
          g_assert_cmpfloat (fabs (back[0] - u), <, 1e-6);
          g_assert_cmpfloat (fabs (back[1] - v), <, 1e-6);
        }
      g_assert_cmpint (seen, >, 300);
    }
}

/* Places by formulas of Snyder (1987), longitude to the left. */
static void
test_places (void)
{
  static const struct {
    ArmillaProjection projection;
    double longitude, latitude, u, v;
  } cases[] = {
    { { ARMILLA_PROJECTION_ORTHOGRAPHIC, 0, 0, 0, 0, 0, 0 }, 30, 0, -0.5, 0 },
    { { ARMILLA_PROJECTION_ORTHOGRAPHIC, 0, 0, 0, 0, 0, 0 }, 0, 30, 0, 0.5 },
    { { ARMILLA_PROJECTION_ORTHOGRAPHIC, 90 * DEGREE, 90 * DEGREE, 0, 0, 0, 0 }, 90, 60, 0, -0.5 },
    { { ARMILLA_PROJECTION_GNOMONIC, 0, 0, 1, 0, 0, 0 }, 45, 0, -1, 0 },
    { { ARMILLA_PROJECTION_GNOMONIC, 20 * DEGREE, 15 * DEGREE, 1, 0, 0, 0 }, 20, 60, 0, 1 },
    { { ARMILLA_PROJECTION_CARTESIAN, 10 * DEGREE, 0, 0, 0, 0, 0 }, 40, -20, -30 * DEGREE,
      -20 * DEGREE },
    { { .kind = ARMILLA_PROJECTION_CARTESIAN, .longitude = 10 * DEGREE, .width = 1.2,
        .height = 0.5, .middle = 30 * DEGREE }, 40, 20, -30 * DEGREE, -10 * DEGREE },
    { { ARMILLA_PROJECTION_HEMISPHERES, 0, 0, 0, 0, 0, 0 }, 30, 0, -1.53, 0 },
    { { ARMILLA_PROJECTION_HEMISPHERES, 0, 0, 0, 0, 0, 0 }, 180, 30, 1.03, 0.5 },
    { { ARMILLA_PROJECTION_HEMISPHERES, 0, 0, 0, 0, 0, 0 }, 210, 0, 0.53, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double l = cases[i].longitude * DEGREE, b = cases[i].latitude * DEGREE;
      const double vector[3] = { cos (b) * cos (l), cos (b) * sin (l), sin (b) };
      double frame[3][3], u, v;

      armilla_projection_frame (&cases[i].projection, frame);
      g_assert_true (armilla_projection_point (&cases[i].projection, frame, vector, &u, &v));
      g_assert_cmpfloat (fabs (u - cases[i].u), <, 1e-12);
      g_assert_cmpfloat (fabs (v - cases[i].v), <, 1e-12);
    }
}

/* CIE 1976 lightness of a colour (IEC 61966-2-1). */
static double
lightness (const double rgb[3])
{
  static const double weights[3] = { 0.2126729, 0.7151522, 0.0721750 };
  double y = 0;

  for (int c = 0; c < 3; c++)
    y += weights[c] * (rgb[c] <= 0.04045 ? rgb[c] / 12.92 : pow ((rgb[c] + 0.055) / 1.055, 2.4));
  return y > pow (6.0 / 29, 3) ? 116 * cbrt (y) - 16 : y * pow (29.0 / 3, 3);
}

/* All steps of lightness are alike, up to the middle and from there on; and large enough to tell
 * the ends apart. */
static void
test_lightness (void)
{
  const int half = ARMILLA_PALETTE_SIZE / 2;

  for (int palette = 0; palette < ARMILLA_PALETTES; palette++)
    {
      double table[ARMILLA_PALETTE_SIZE][3], first, second;

      armilla_palette_fill ((ArmillaPalette) palette, table);
      first = (lightness (table[half - 1]) - lightness (table[0])) / (half - 1);
      second = (lightness (table[2 * half - 1]) - lightness (table[half])) / (half - 1);
      g_assert_cmpfloat (first, >, 0.3);
      g_assert_cmpfloat (fabs (second), >, 0.3);
      for (int i = 1; i < half; i++)
        {
          g_assert_cmpfloat (fabs (lightness (table[i]) - lightness (table[i - 1]) - first), <,
                             0.02);
          g_assert_cmpfloat (fabs (lightness (table[half + i]) - lightness (table[half + i - 1])
                                   - second), <, 0.02);
        }
      if (armilla_palette_is_diverging ((ArmillaPalette) palette))
        g_assert_cmpfloat (second, <, 0);
      if (palette == ARMILLA_PALETTE_THERMAL || palette == ARMILLA_PALETTE_GREY)
        g_assert_cmpfloat (second, >, 0);
      for (int i = 0; palette == ARMILLA_PALETTE_GREY && i < ARMILLA_PALETTE_SIZE; i++)
        g_assert_cmpfloat (fabs (table[i][0] - table[i][2]), <, 1e-3);
    }
}

static gboolean
read_palette (const char *text, double table[ARMILLA_PALETTE_SIZE][3], GError **error)
{
  g_autofree char *path = NULL;
  const int file = g_file_open_tmp ("armilla-palette-XXXXXX", &path, NULL);
  gboolean ok;

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ok = armilla_palette_read (path, table, error);
  g_unlink (path);
  return ok;
}

static void
test_palette_file (void)
{
  static const char *const good[] = {
    "# black to orange\n0 0 0\n\n1, 0.5, 0\n", "0 0 0\r\n255 127.5 0", "#000000\n#ff8000\n",
  };
  static const char *const bad[] = { "", "0 0 0\n", "0 0 0\n1 1\n", "0 0 0\n1 1 1 1\n",
                                     "0 0 0\n#12345\n", "0 0 0\n-1 0 0\n", "0 0 0\nnan 0 0\n",
                                     "0 0 0\n300 0 0\n", "#00000g\n#000000\n" };
  double table[ARMILLA_PALETTE_SIZE][3];

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (read_palette (good[i], table, &error));
      g_assert_no_error (error);
      for (int k = 0; k < ARMILLA_PALETTE_SIZE; k++)
        {
          g_assert_cmpfloat (fabs (table[k][0] - k / 255.0), <, 1e-12);
          g_assert_cmpfloat (fabs (table[k][1] - 0.5 * k / 255.0), <, 0.003);
          g_assert_cmpfloat (table[k][2], ==, 0);
        }
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (read_palette (bad[i], table, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_false (armilla_palette_read ("/nonexistent/palette", table, &error));
    g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO);
  }
}

static void
test_centred (void)
{
  ArmillaAxis colours = { ARMILLA_SCALE_LINEAR, -1, 3, 1 };

  armilla_colours_centre (&colours);
  g_assert_cmpfloat (colours.low, ==, -3);
  g_assert_cmpfloat (colours.high, ==, 3);
  colours.low = 1;
  armilla_colours_centre (&colours);
  g_assert_cmpfloat (colours.low, ==, 1); /* a map of one sign */
}

static void
rgb_at (Surface *surface, int x, int y, double rgb[3])
{
  const guint32 colour = colour_at (surface, x, y);

  for (int c = 0; c < 3; c++)
    rgb[c] = (double) (colour >> (16 - 8 * c) & 0xff) / 255;
}

/* Across the middle's meridian there is a point that is darker or lighter than the map by 15 of
 * 100, on all colours of all palettes. */
static void
test_graticule_is_seen (void)
{
  for (int palette = 0; palette < ARMILLA_PALETTES; palette++)
    for (int i = 0; i <= 10; i++)
      {
        ArmillaSkyStyle style = { .title = "", .unit = "", .width = 500,
                                  .colours = { .high = 10 }, .graticule = TRUE };
        ArmillaSkyBox box;
        g_autoptr (Surface) picture = NULL;
        double max_contrast = 0, rgb[3];

        armilla_palette_fill ((ArmillaPalette) palette, style.table);
        picture = draw_sky (&style, i);
        box = armilla_sky_box (&style);
        for (int x = -3; x <= 3; x++)
          {
            const int k = MIN (i * ARMILLA_PALETTE_SIZE / 10, ARMILLA_PALETTE_SIZE - 1);

            rgb_at (picture, (int) box.left + box.width / 2 + x,
                    (int) box.top + 2 * box.height / 5, rgb);
            max_contrast = MAX (max_contrast, fabs (lightness (rgb) - lightness (style.table[k])));
          }
        g_assert_cmpfloat (max_contrast, >, 15);
      }
}

/* Nothing is cut off, whatever is shown: the margin of all pictures is white. */
static void
test_margins (void)
{
  static const double sizes[] = { 10, 40, 100, 400, 40 * 60, 20 * 3600, 140 * 3600 };

  for (gsize i = 0; i < G_N_ELEMENTS (projections) + 2 * G_N_ELEMENTS (sizes); i++)
    {
      const gsize k = (i - G_N_ELEMENTS (projections)) / 2;
      ArmillaSkyStyle style = { .title = "title", .unit = "uK", .width = 640,
                                .larger = 0.35 * (int) (i % 3),
                                .colours = { .low = -1, .high = 1 }, .graticule = TRUE };
      g_autoptr (Surface) picture = NULL;

      style.projection = i < G_N_ELEMENTS (projections) ? projections[i]
        : (ArmillaProjection) { ARMILLA_PROJECTION_GNOMONIC, 6, i % 2 ? -1.4 : 0.3,
                                sizes[k] * DEGREE / 3600, 0, 0, 0 };
      armilla_palette_fill (ARMILLA_PALETTE_SKY, style.table);
      picture = draw_sky (&style, 0);
      g_test_message ("%zu: size %g", i, style.projection.size);
      for (int y = 0; y < armilla_sky_height (&style); y++)
        for (int side = 0; side < 2; side++)
          g_assert_cmphex (colour_at (picture, side * (style.width - 1), y), ==, 0xffffff);
    }
}

/* Labels of meridians and parallels are whole: without the outline that cuts them off, nothing is
 * beyond it. */
static void
test_labels_are_whole (void)
{
  for (int i = 0; i < 36; i++)
    {
      const double latitude = (-90 + 36 * (i / 6)) * DEGREE;
      ArmillaSkyStyle style = {
        .title = "", .unit = "", .width = 500, .colours = { .high = 1 },
        .graticule = TRUE,
        .projection = { i % 3 == 0   ? ARMILLA_PROJECTION_MOLLWEIDE
                        : i % 3 == 1 ? ARMILLA_PROJECTION_ORTHOGRAPHIC
                                     : ARMILLA_PROJECTION_HEMISPHERES, i % 6 * 0.7, latitude, 0 },
      };
      const ArmillaSkyBox box = armilla_sky_box (&style);
      cairo_t *cr;
      g_autoptr (Surface) picture = white (style.width, armilla_sky_height (&style), &cr);
      int lines = 0;

      armilla_sky_graticule (&style, &box, cr);
      armilla_sky_outline (&style, &box, cr);
      cairo_set_source_rgb (cr, 0, 0, 1);
      cairo_set_line_width (cr, 10);
      cairo_stroke_preserve (cr);
      cairo_fill (cr);
      finish (cr);
      g_test_message ("projection %d, latitude %g", i % 3, latitude / DEGREE);
      for (int y = 0; y < armilla_sky_height (&style); y++)
        for (int x = 0; x < style.width; x++)
          {
            double rgb[3];

            rgb_at (picture, x, y, rgb);
            g_assert_cmpfloat (rgb[2], >, 0.9); /* blue or white */
            lines += rgb[0] < 0.5;
          }
      g_assert_cmpint (lines, >, 1000);
    }
}

/* Numbers of a colour bar have a power of ten beside them where they would be long. */
static void
test_bar (void)
{
  static const struct { double low, high; const char *unit; } cases[] = {
    { -0.2, 0.2, "mK" }, { 0, 1.5e-3, "mK" }, { -1, 999999, "mK" }, { 0, 0, "mK" },
    { -4e-6, 1e-7, "10^{\342\210\2226} mK" }, { 0, 2e6, "10^{6} mK" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *unit
        = armilla_bar_unit (armilla_bar_exponent (cases[i].low, cases[i].high), "mK");

      g_assert_cmpstr (unit, ==, cases[i].unit);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-sky/there-and-back", test_there_and_back);
  g_test_add_func ("/render-sky/places", test_places);
  g_test_add_func ("/render-sky/lightness", test_lightness);
  g_test_add_func ("/render-sky/palette-file", test_palette_file);
  g_test_add_func ("/render-sky/centred", test_centred);
  g_test_add_func ("/render-sky/graticule-is-seen", test_graticule_is_seen);
  g_test_add_func ("/render-sky/margins", test_margins);
  g_test_add_func ("/render-sky/labels-are-whole", test_labels_are_whole);
  g_test_add_func ("/render-sky/bar", test_bar);
  return g_test_run ();
}
