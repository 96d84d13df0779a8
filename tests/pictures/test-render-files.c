/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of pictures, and plots that cannot be drawn. */
#include <glib/gstdio.h>

#include "tests/pictures/picture-helpers.h"

static gboolean
draw_plot (gpointer user, cairo_t *cr, GError **error)
{
  return armilla_figure_draw (user, cr, error);
}

/* A plot of a spectrum, 300 points wide. */
static ArmillaFigure
figure_of (const double *values, gint64 lmax, ArmillaScale x_scale, ArmillaScale y_scale)
{
  ArmillaFigure figure = figure_new (300, x_scale, y_scale);

  figure.title = "title";
  figure.unit = "\302\265K";
  armilla_curves_add_spectrum (figure.curves, 0, "B\377bad", "", values, lmax,
                               ARMILLA_QUANTITY_DL);
  arrange_inputs (&figure, (ArmillaPlotStyle) { .spectra = "all" }, NULL);
  return figure;
}

static gboolean
is_file_start (const char *path, const char *start)
{
  g_autofree char *contents = NULL;
  gsize length;

  return g_file_get_contents (path, &contents, &length, NULL) && length > 200
    && g_str_has_prefix (contents, start);
}

static void
test_formats (void)
{
  static const struct { const char *name, *start; } formats[] = {
    { "plot.png", "\211PNG" }, { "plot.svg", "<?xml" }, { "plot.pdf", "%PDF" },
  };
  static const double values[6] = { 0, 0, 1, 0.5, 0.25, -0.1 };
  g_autofree char *folder = g_dir_make_tmp ("armilla-render-XXXXXX", NULL);
  ArmillaFigure plot = figure_of (values, 5, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_build_filename (folder, formats[i].name, NULL);
      g_autoptr (GError) error = NULL;
      ArmillaPictureKind kind;
      ArmillaOutput *output = armilla_output_new (path, FALSE, &error);

      g_assert_no_error (error);
      g_assert_true (armilla_picture_kind (path, &kind, &error));
      g_assert_true (armilla_picture_write (output, kind, plot.width,
                                            armilla_figure_height (&plot), draw_plot, &plot,
                                            &error));
      g_assert_no_error (error);
      g_assert_true (armilla_output_commit (output, &error));
      armilla_output_free (output);
      g_assert_true (is_file_start (path, formats[i].start));
      if (kind == ARMILLA_PICTURE_PNG)
        {
          cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

          g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 300);
          g_assert_cmpint (cairo_image_surface_get_height (surface), ==,
                           armilla_figure_height (&plot));
          cairo_surface_destroy (surface);
        }
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* nothing temporary is left */
  armilla_figure_clear (&plot);
}

/* Points that change in all ways: even, rising, noise. */
static guint32
colour_of (int x, int y)
{
  const guint32 noise = ((guint32) (x * 7919 + y * 104729) * 2654435761u) >> 8;

  return y % 3 == 0 ? 0x204060u : y % 3 == 1 ? (guint32) (x * 3) & 0xffu : noise;
}

/* What libpng reads is what was drawn, whatever the number of strips. */
static void
test_png (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 7, 63 }, { 64, 64 }, { 33, 65 }, { 500, 300 } };
  g_autofree char *folder = g_dir_make_tmp ("armilla-png-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const int width = sizes[i][0], height = sizes[i][1];
      cairo_surface_t *drawn = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
      cairo_surface_t *read;
      FILE *file = g_fopen (path, "wb");

      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          {
            const guint32 point = colour_of (x, y);

            memcpy (cairo_image_surface_get_data (drawn)
                    + y * cairo_image_surface_get_stride (drawn) + 4 * x, &point, 4);
          }
      cairo_surface_mark_dirty (drawn);
      g_assert_true (armilla_png_write (drawn, file));
      g_assert_cmpint (fclose (file), ==, 0);
      read = cairo_image_surface_create_from_png (path);
      g_assert_cmpint (cairo_surface_status (read), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpint (cairo_image_surface_get_width (read), ==, width);
      g_assert_cmpint (cairo_image_surface_get_height (read), ==, height);
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          g_assert_cmphex (colour_at (read, x, y), ==, colour_of (x, y));
      cairo_surface_destroy (read);
      cairo_surface_destroy (drawn);
      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
test_png_full (void)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 400);
  FILE *file = g_fopen ("/dev/full", "wb");

  if (file == NULL)
    g_test_skip ("no /dev/full");
  else
    {
      setvbuf (file, NULL, _IONBF, 0);
      g_assert_false (armilla_png_write (surface, file));
      fclose (file);
    }
  cairo_surface_destroy (surface);
}

/* Returns whether a plot can be drawn, or is refused. */
static gboolean
is_drawn (ArmillaFigure *figure)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 300, 200);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GError) error = NULL;
  gboolean drawn = armilla_figure_draw (figure, cr, &error);

  if (drawn)
    g_assert_no_error (error);
  else
    g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  armilla_figure_clear (figure);
  return drawn;
}

static void
test_plot_errors (void)
{
  static const double values[3] = { 1, 2, 0 }, nothing[1] = { 0 };
  ArmillaFigure plot = figure_of (values, 2, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LOG);

  g_assert_false (is_drawn (&plot)); /* nothing but zeros from l = 2 on */
  plot = figure_of (values, 2, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  plot.y.high = -10;
  g_assert_false (is_drawn (&plot));
  plot = figure_of (nothing, 0, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  g_assert_true (is_drawn (&plot)); /* nothing but a monopole still gives a frame */
  plot = figure_of (values, 0, ARMILLA_SCALE_LOG, ARMILLA_SCALE_LINEAR);
  g_assert_false (is_drawn (&plot));
}

static void
test_kinds (void)
{
  ArmillaPictureKind kind;
  g_autoptr (GError) error = NULL;

  g_assert_true (armilla_picture_kind ("a/b.svg", &kind, &error));
  g_assert_cmpint (kind, ==, ARMILLA_PICTURE_SVG);
  g_assert_false (armilla_picture_kind ("a/b.jpeg", &kind, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-files/formats", test_formats);
  g_test_add_func ("/render-files/png", test_png);
  g_test_add_func ("/render-files/png-full", test_png_full);
  g_test_add_func ("/render-files/plot-errors", test_plot_errors);
  g_test_add_func ("/render-files/kinds", test_kinds);
  return g_test_run ();
}
