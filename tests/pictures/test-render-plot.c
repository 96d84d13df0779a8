/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of spectra: what they write, and that legends cover nothing. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/render-private.h"

#ifdef CAIRO_HAS_SCRIPT_SURFACE
#include <cairo-script.h>
#endif

#define WIDTH 700
#define SIZE (WIDTH * ARMILLA_PLOT_LETTER)
#define FIELDS 4
#define LMAX 1000

typedef cairo_surface_t Surface;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Surface, cairo_surface_destroy)

static const char *const bare[FIELDS] = { "", "", "", "" };
static const char *const healpix[FIELDS] = { "TEMPERATURE", "GRADIENT", "CURL", "G-T" };
static const char *const others[FIELDS] = { "first", "second", "third", "one of a longer name" };

static Surface *
white (void)
{
  Surface *surface
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, armilla_plot_height (WIDTH));
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_destroy (cr);
  return surface;
}

static void
draw_on (Surface *surface, const ArmillaPlot *plot)
{
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GError) error = NULL;

  g_assert_true (armilla_plot_draw (plot, cr, &error));
  g_assert_no_error (error);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
}

static Surface *
draw (const ArmillaPlot *plot)
{
  Surface *surface = white ();

  draw_on (surface, plot);
  return surface;
}

static guint32
colour_at (Surface *surface, int x, int y)
{
  guint32 colour;

  memcpy (&colour, cairo_image_surface_get_data (surface)
          + y * cairo_image_surface_get_stride (surface) + 4 * x, 4);
  return colour & 0xffffff;
}

/* How far a colour is from grey: frames, ticks and their numbers are grey. */
static int
chroma (guint32 colour)
{
  const int red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;

  return MAX (red, MAX (green, blue)) - MIN (red, MIN (green, blue));
}

/* C_l of which l (l + 1) C_l / 2 pi is @d. */
static double
unscaled (double d, gint64 l)
{
  return l == 0 ? 0 : d * 2 * G_PI / ((double) l * (double) (l + 1));
}

/* Four curves like those of the sky: the first falls into the upper right corner, the last changes
 * its sign. */
static void
fill_sky (double values[FIELDS][LMAX + 1])
{
  for (gint64 l = 0; l <= LMAX; l++)
    {
      const double x = (double) l;

      values[0][l] = unscaled (2000 / (1 + pow (x / 300, 3)), l);
      values[1][l] = unscaled (0.1 + 30 * pow (x / LMAX, 2), l);
      values[2][l] = unscaled (0.05 * exp (-pow (x / 300, 2)) + 1e-4, l);
      values[3][l] = unscaled (100 * pow (x / LMAX, 0.7) * cos (x / 40), l);
    }
}

/* Whatever is drawn of the data is there with a legend too, and so is the legend. */
static void
check_legend (ArmillaPlot *plot, const char *const *names)
{
  g_autoptr (Surface) without = NULL, with = NULL;
  int covered = 0, added = 0;

  plot->names = bare;
  without = draw (plot);
  plot->names = names;
  with = draw (plot);
  for (int y = 0; y < armilla_plot_height (WIDTH); y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint32 a = colour_at (without, x, y), b = colour_at (with, x, y);

        covered += chroma (a) > 0 && a != b;
        added += chroma (a) == 0 && chroma (b) > 30;
      }
  g_assert_cmpint (covered, ==, 0);
  g_assert_cmpint (added, >, 10);
}

static void
test_legend (void)
{
  double values[FIELDS][LMAX + 1];
  ArmillaPlot plot = { .title = "", .unit = "", .width = WIDTH, .low = NAN, .high = NAN,
                       .lmax = LMAX, .n_fields = FIELDS, .values = values[0] };

  fill_sky (values);
  for (int scales = 0; scales < 4; scales++)
    {
      plot.x_scale = scales & 1 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
      plot.y_scale = scales & 2 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
      for (plot.n_fields = 1; plot.n_fields <= FIELDS; plot.n_fields += 3)
        check_legend (&plot, healpix);
    }
}

/* Data that fill a frame leave no place in it. */
static void
test_full_frame (void)
{
  const ArmillaFrame frame = armilla_frame_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  const int top = (int) frame.top + 2, height = (int) frame.height - 4;
  double values[FIELDS][LMAX + 1] = { { 0 } };
  ArmillaPlot plot = { .title = "", .unit = "", .width = WIDTH, .low = -1, .high = 1,
                       .lmax = LMAX, .n_fields = 1, .names = others, .values = values[0] };
  g_autoptr (Surface) picture = NULL;
  gboolean ended = FALSE;
  int full = 0, outside = 0;

  for (gint64 l = 0; l <= LMAX; l++)
    values[0][l] = unscaled (l % 2 ? 1 : -1, l);
  picture = draw (&plot);
  for (int x = (int) frame.left + 2; x < WIDTH; x++)
    {
      int ink = 0;

      for (int y = top; y < top + height; y++)
        ink += chroma (colour_at (picture, x, y)) > 30;
      ended = ended || ink < height;
      full += !ended;
      outside += ended ? ink : 0;
    }
  /* Columns of the data without a hole, then the legend. */
  g_assert_cmpint (full, >, WIDTH / 3);
  g_assert_cmpint (full, <, frame.width - 20);
  g_assert_cmpint (outside, >, 10);
}

/* On a logarithmic axis negative values are rings at their absolute value, on a linear one they
 * are where they are; and a positive value between two of them is a full point. */
static void
test_negative (void)
{
  double values[10];
  ArmillaPlot plot = { .title = "", .unit = "", .width = WIDTH, .low = 0.1, .high = 1000,
                       .y_scale = ARMILLA_SCALE_LOG, .lmax = 9, .n_fields = 1, .names = bare,
                       .values = values };
  ArmillaFrame frame = armilla_frame_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LOG);
  g_autoptr (Surface) picture = NULL;

  frame.x_low = 2;
  frame.x_high = 9;
  frame.y_low = plot.low;
  frame.y_high = plot.high;
  for (gint64 l = 0; l < 10; l++)
    values[l] = unscaled ((l % 2 ? -2 : 2) * (double) l, l);
  picture = draw (&plot);
  for (gint64 l = 3; l < 9; l++)
    {
      const int x = (int) armilla_frame_x (&frame, (double) l);
      const int y = (int) armilla_frame_y (&frame, 2 * (double) l);
      int ink = 0;

      for (int i = -6; i <= 6; i++)
        for (int j = -6; j <= 6; j++)
          ink += chroma (colour_at (picture, x + i, y + j)) > 30;
      g_assert_cmpint (ink, >, 8);
      g_assert_true ((chroma (colour_at (picture, x, y)) > 30) == (l % 2 == 0));
    }
}

/* Spectra that are negative everywhere have a plot, spectra of zeros none. */
static void
test_signs (void)
{
  double values[10];
  ArmillaPlot plot = { .title = "", .unit = "", .width = WIDTH, .low = NAN, .high = NAN,
                       .y_scale = ARMILLA_SCALE_LOG, .lmax = 9, .n_fields = 1, .names = bare,
                       .values = values };
  g_autoptr (Surface) picture = NULL, empty = white ();
  g_autoptr (GError) error = NULL;
  cairo_t *cr = cairo_create (empty);

  for (gint64 l = 0; l < 10; l++)
    values[l] = unscaled (-(double) l, l);
  picture = draw (&plot);
  memset (values, 0, sizeof values);
  g_assert_false (armilla_plot_draw (&plot, cr, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  cairo_destroy (cr);
}

#ifdef CAIRO_HAS_SCRIPT_SURFACE
static cairo_status_t
append (void *user, const unsigned char *data, unsigned int length)
{
  g_string_append_len (user, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}
#endif

/* What a plot writes, as PostScript strings; NULL where cairo cannot tell. */
static char *
script_of (const ArmillaPlot *plot)
{
#ifdef CAIRO_HAS_SCRIPT_SURFACE
  GString *script = g_string_new (NULL);
  cairo_device_t *device = cairo_script_create_for_stream (append, script);
  Surface *surface = cairo_script_surface_create (device, CAIRO_CONTENT_COLOR, WIDTH,
                                                  armilla_plot_height (WIDTH));

  cairo_script_set_mode (device, CAIRO_SCRIPT_MODE_ASCII);
  draw_on (surface, plot);
  cairo_surface_destroy (surface);
  cairo_device_destroy (device);
  return g_string_free (script, FALSE);
#else
  (void) plot;
  return NULL;
#endif
}

static gboolean
has (const ArmillaPlot *plot, const char *text)
{
  g_autofree char *script = script_of (plot);

  return script != NULL && strstr (script, text) != NULL;
}

/* A plot says which spectrum it shows, one or several, and what hollow points are. */
static void
test_names (void)
{
  double values[FIELDS][LMAX + 1];
  ArmillaPlot plot = { .title = "Mine", .unit = "uK^2", .width = WIDTH, .low = NAN, .high = NAN,
                       .lmax = LMAX, .n_fields = 1, .names = healpix, .values = values[0] };

  fill_sky (values);
  if (!has (&plot, "(Mine)"))
    {
      g_test_skip ("cairo writes no scripts");
      return;
    }
  g_assert_true (has (&plot, "(TT)"));
  plot.names = others;
  g_assert_true (has (&plot, "(first)"));
  plot.y_scale = ARMILLA_SCALE_LOG;
  g_assert_false (has (&plot, "negative"));
  plot.n_fields = FIELDS;
  g_assert_true (has (&plot, "(first)") && has (&plot, "(one of a longer name)"));
  g_assert_true (has (&plot, "negative"));
  plot.names = healpix;
  g_assert_true (has (&plot, "(EE)") && has (&plot, "(BB)") && has (&plot, "(TE)"));
  plot.y_scale = ARMILLA_SCALE_LINEAR;
  g_assert_false (has (&plot, "negative"));
  g_assert_true (has (&plot, "(l \\(l + 1\\) C)")); /* which the l, lower and smaller, follows */
  g_assert_false (has (&plot, "C_l /") || has (&plot, "uK^2"));
}

static void
test_units (void)
{
  static const struct { const char *unit, *formula; } cases[] = {
    { "", "" }, { "K", "K" }, { "uK", "\302\265K" }, { "uK^2", "\302\265K^{2}" },
    { "uK**2", "\302\265K^{2}" }, { "uK2", "\302\265K^{2}" }, { "(uK)^2", "(\302\265K)^{2}" },
    { "uK_CMB", "\302\265K_{CMB}" }, { "K_CMB^2", "K_{CMB}^{2}" },
    { "MJy sr-1", "MJy sr^{\342\210\2221}" }, { "MJy/sr", "MJy/sr" },
    { "10^-6 K", "10^{\342\210\2226} K" }, { "10**(-6) K", "10^{\342\210\2226} K" },
    { "Hz^(1/2)", "Hz^{1/2}" }, { "\302\265K^{2}", "\302\265K^{2}" }, { "unknown", "unknown" },
    { "counts", "counts" }, { "a^b", "a^b" }, { "x_", "x_" }, { "K^", "K^" }, { "K*m", "K*m" },
    { "m(2", "m(2" }, { "K^(2", "K^(2" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *formula = armilla_unit_formula (cases[i].unit);

      g_assert_cmpstr (formula, ==, cases[i].formula);
    }
}

/* Rows and columns that the ink of a formula fills. */
static void
extent (const char *formula, int *left, int *right, int *top, int *bottom)
{
  g_autoptr (Surface) surface = white ();
  cairo_t *cr = cairo_create (surface);

  armilla_formula (cr, formula, 100, 100, 60, 0, 0);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  *left = *top = WIDTH;
  *right = *bottom = 0;
  for (int y = 0; y < armilla_plot_height (WIDTH); y++)
    for (int x = 0; x < WIDTH; x++)
      if ((colour_at (surface, x, y) & 0xff) < 128)
        {
          *left = MIN (*left, x);
          *right = MAX (*right, x);
          *top = MIN (*top, y);
          *bottom = MAX (*bottom, y);
        }
}

/* Subscripts reach below the line, superscripts above it, both are smaller; and a formula without
 * either is a text. */
static void
test_scripts (void)
{
  int left, right, top, bottom, plain_right, plain_top, plain_bottom, wide_right;

  extent ("H", &left, &plain_right, &plain_top, &plain_bottom);
  extent ("HH", &left, &wide_right, &top, &bottom);
  if (wide_right < plain_right + 10)
    {
      g_test_skip ("cairo finds no font");
      return;
    }
  g_assert_cmpint (plain_top, ==, top);
  extent ("H_{H}", &left, &right, &top, &bottom);
  g_assert_cmpint (top, ==, plain_top);
  g_assert_cmpint (bottom, >, plain_bottom + 4);
  g_assert_cmpint (right, >, plain_right + 10);
  g_assert_cmpint (right, <, wide_right - 4);
  extent ("H^{H}", &left, &right, &top, &bottom);
  g_assert_cmpint (top, <, plain_top - 4);
  g_assert_cmpint (bottom, ==, plain_bottom);
  g_assert_cmpint (right, >, plain_right + 10);
  g_assert_cmpint (right, <, wide_right - 4);
  extent ("H_{H", &left, &right, &top, &bottom);
  g_assert_cmpint (right, >, wide_right);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-plot/legend", test_legend);
  g_test_add_func ("/render-plot/full-frame", test_full_frame);
  g_test_add_func ("/render-plot/negative", test_negative);
  g_test_add_func ("/render-plot/signs", test_signs);
  g_test_add_func ("/render-plot/names", test_names);
  g_test_add_func ("/render-plot/units", test_units);
  g_test_add_func ("/render-plot/scripts", test_scripts);
  return g_test_run ();
}
