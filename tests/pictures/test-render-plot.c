/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of spectra: what they write, and that legends cover nothing. */
#include "tests/pictures/picture-helpers.h"

#ifdef CAIRO_HAS_SCRIPT_SURFACE
#include <cairo-script.h>
#endif

#define WIDTH 700
#define HEIGHT 455
#define FIELDS 4
#define LMAX 1000

static const char *const bare[1] = { "" };
static const char *const healpix[FIELDS] = { "TEMPERATURE", "GRADIENT", "CURL", "G-T" };
static const char *const others[FIELDS] = { "first", "second", "third", "one of a longer name" };

/* Spectra, and how they are to be plotted. */
typedef struct {
  const char *title, *unit;
  ArmillaScale x_scale, y_scale;
  double low, high;
  gint64 lmax;
  int n_fields;
  const char *const *names;
  const double *values;
  ArmillaPlotStyle style;
  gboolean panels;
} Plot;

static ArmillaFigure
figure_of (const Plot *plot)
{
  ArmillaFigure figure = figure_new (WIDTH, plot->x_scale, plot->y_scale);

  figure.title = plot->title;
  figure.unit = plot->unit;
  figure.y.low = plot->low;
  figure.y.high = plot->high;
  for (int f = 0; f < plot->n_fields; f++)
    armilla_curves_add_spectrum (figure.curves, 0, plot->names[f], "",
                                 plot->values + f * (plot->lmax + 1), plot->lmax,
                                 ARMILLA_QUANTITY_DL);
  arrange_inputs (&figure, plot->style, NULL);
  g_assert_cmpint (armilla_figure_height (&figure), ==, HEIGHT);
  return figure;
}

/* The curves of a plot that was drawn, and nothing else. */
static Surface *
draw_curves (const ArmillaFigure *figure)
{
  cairo_t *cr;
  Surface *surface = white (WIDTH, HEIGHT, &cr);
  ArmillaFrame frame = armilla_figure_frame (figure, 0, FALSE);

  g_assert_true (armilla_figure_y_range (figure, 0, &frame.y, NULL));
  cairo_rectangle (cr, frame.left, frame.top, frame.width, frame.height);
  cairo_clip (cr);
  for (guint i = 0; i < figure->curves->len; i++)
    armilla_curve_draw (&g_array_index (figure->curves, ArmillaCurve, i), &frame, cr,
                        armilla_figure_letter (figure));
  finish (cr);
  return surface;
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
check_legend (const Plot *plot)
{
  ArmillaFigure figure = figure_of (plot);
  g_autoptr (Surface) without = NULL, with = draw_figure (&figure);
  int covered = 0, added = 0;

  without = draw_curves (&figure);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint32 a = colour_at (without, x, y), b = colour_at (with, x, y);

        /* axes are dark, and all else in its place would be lighter */
        covered += chroma (a) > 60 && (b >> 8 & 0xff) > (a >> 8 & 0xff) + 8;
        added += a == 0xffffff && chroma (b) > 30;
      }
  g_assert_cmpint (covered, ==, 0);
  g_assert_cmpint (added, >, 10);
  armilla_figure_clear (&figure);
}

static void
test_legend (void)
{
  double values[FIELDS][LMAX + 1];
  Plot plot = { .title = "", .unit = "", .low = NAN, .high = NAN, .lmax = LMAX, .names = healpix,
                .values = values[0] };

  fill_sky (values);
  for (int scales = 0; scales < 4; scales++)
    {
      plot.x_scale = scales & 1 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
      plot.y_scale = scales & 2 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
      for (plot.n_fields = 1; plot.n_fields <= FIELDS; plot.n_fields += 3)
        check_legend (&plot);
    }
}

/* Data that fill a frame leave no place in it. */
static void
test_full_frame (void)
{
  double values[FIELDS][LMAX + 1] = { { 0 } };
  Plot plot = { .title = "", .unit = "", .low = -1, .high = 1, .lmax = LMAX, .n_fields = 1,
                .names = others, .values = values[0] };
  g_autoptr (Surface) picture = NULL;
  ArmillaFigure figure;
  ArmillaFrame frame;
  int outside = 0;

  for (gint64 l = 0; l <= LMAX; l++)
    values[0][l] = unscaled (l % 2 ? 1 : -1, l);
  figure = figure_of (&plot);
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  g_assert_cmpfloat (figure.beside, >, 20);
  g_assert_cmpfloat (frame.width, >, WIDTH / 3);
  for (int y = (int) frame.top + 2; y < frame.top + frame.height - 2; y++)
    {
      for (int x = (int) frame.left + 10; x < frame.left + frame.width - 10; x++)
        g_assert_cmphex (colour_at (picture, x, y), !=, 0xffffff);
      for (int x = (int) (frame.left + frame.width) + 3; x < WIDTH; x++)
        outside += chroma (colour_at (picture, x, y)) > 30;
    }
  g_assert_cmpint (outside, >, 10);
  armilla_figure_clear (&figure);
}

/* Two inputs of two spectra each, in a panel for each spectrum. */
static ArmillaFigure
panels_of (const char *labels, double values[FIELDS][LMAX + 1])
{
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);

  figure.unit = "";
  for (int input = 0; input < 2; input++)
    for (int f = 0; f < 2; f++)
      armilla_curves_add_spectrum (figure.curves, input, healpix[f], "", values[f], LMAX,
                                   ARMILLA_QUANTITY_DL);
  arrange_inputs (&figure, (ArmillaPlotStyle) { .labels = labels, .panels = TRUE }, NULL);
  return figure;
}

/* Where names are too long for a panel, they stand in a line above all of them, in letters of the
 * usual size, and lines that are too long are broken. */
static void
test_above (void)
{
  static const char *const labels[] = {
    "short, brief",
    "a name that is longer than a panel is wide, another",
    "a name that is longer than half of the picture is wide or nearly so, another one that is "
    "longer than half of it is wide or nearly so",
  };
  double values[FIELDS][LMAX + 1], above[G_N_ELEMENTS (labels)];

  fill_sky (values);
  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      ArmillaFigure figure = panels_of (labels[i], values);
      const int height = armilla_figure_height (&figure);
      g_autoptr (Surface) picture = NULL;
      double bottom = 0;
      ArmillaFrame frame;
      int inked = 0;

      g_assert_cmpint (height, <=, HEIGHT);
      picture = draw_figure (&figure);
      above[i] = figure.above;
      frame = armilla_figure_frame (&figure, 1, FALSE);
      bottom = frame.top + frame.height;
      g_assert_cmpfloat (figure.beside, ==, 0);
      g_assert_cmpfloat (bottom, <, height);
      g_assert_cmpfloat (frame.left + frame.width, <, WIDTH);
      for (int y = 0; y < figure.above; y++)
        for (int x = 0; x < WIDTH; x++)
          inked += chroma (colour_at (picture, x, y)) > 30;
      g_assert_cmpint (inked > 10, ==, i > 0);
      armilla_figure_clear (&figure);
    }
  g_assert_cmpfloat (above[0], ==, 0);
  g_assert_cmpfloat (above[1], >, 0);
  g_assert_cmpfloat (above[2], >, above[1] + 5);
}

/* A table of so many rows is a line with errors: the axis ends with it, not with the theory, and it
 * begins where that does. */
static void
test_measured_line (void)
{
  enum { ROWS = 200 };
  g_autoptr (ArmillaTable) table = armilla_table_new ("SPECTRA", ROWS);
  double *l = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "l", "", "")->doubles;
  double *tt = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "TT", "", "")->doubles;
  double *error = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "TT_error", "", "")->doubles;
  double values[FIELDS][LMAX + 1];
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  const ArmillaCurve *curve;

  fill_sky (values);
  for (int i = 0; i < ROWS; i++)
    {
      l[i] = i;
      tt[i] = i < 2 ? 1e9 : values[0][i];
      error[i] = 0.1 * tt[i];
    }
  armilla_curves_add_spectrum (figure.curves, 0, "TT", "", values[0], LMAX, ARMILLA_QUANTITY_DL);
  g_assert_true (armilla_curves_add_table (figure.curves, 4, table, ARMILLA_QUANTITY_DL, NULL));
  arrange_inputs (&figure, (ArmillaPlotStyle) { .labels = "theory, mean" }, NULL);
  g_assert_true (armilla_figure_range (&figure, NULL));
  curve = &g_array_index (figure.curves, ArmillaCurve, 1);
  g_assert_cmpint (curve->n, ==, ROWS - 2);
  g_assert_cmpfloat (curve->x[0], ==, 2);
  g_assert_cmpfloat (fabs (curve->error[0] - 0.1 * values[0][2] * 6 / (2 * G_PI)), <, 1e-9);
  g_assert_false (curve->data);
  g_assert_cmpfloat (figure.x.high, >=, ROWS - 1);
  g_assert_cmpfloat (figure.x.high, <, 1.1 * ROWS);
  armilla_figure_clear (&figure);
}

/* On a logarithmic axis negative values are rings at their absolute value, on a linear one they
 * are where they are; and a positive value between two of them is a full point. */
static void
test_negative (void)
{
  double values[10];
  Plot plot = { .title = "", .unit = "", .low = 0.1, .high = 1000, .y_scale = ARMILLA_SCALE_LOG,
                .lmax = 9, .n_fields = 1, .names = bare, .values = values };
  ArmillaFigure figure;
  ArmillaFrame frame;
  g_autoptr (Surface) picture = NULL;

  for (gint64 l = 0; l < 10; l++)
    values[l] = unscaled ((l % 2 ? -2 : 2) * (double) l, l);
  figure = figure_of (&plot);
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
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
  armilla_figure_clear (&figure);
}

/* Spectra that are negative everywhere have a plot, spectra of zeros none. */
static void
test_signs (void)
{
  double values[10];
  Plot plot = { .title = "", .unit = "", .low = NAN, .high = NAN, .y_scale = ARMILLA_SCALE_LOG,
                .lmax = 9, .n_fields = 1, .names = bare, .values = values };
  cairo_t *cr;
  g_autoptr (Surface) picture = NULL, empty = white (WIDTH, HEIGHT, &cr);
  g_autoptr (GError) error = NULL;
  ArmillaFigure figure;

  for (gint64 l = 0; l < 10; l++)
    values[l] = unscaled (-(double) l, l);
  figure = figure_of (&plot);
  picture = draw_figure (&figure);
  armilla_figure_clear (&figure);
  memset (values, 0, sizeof values);
  figure = figure_of (&plot);
  g_assert_false (armilla_figure_draw (&figure, cr, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  armilla_figure_clear (&figure);
  cairo_destroy (cr);
}

#ifdef CAIRO_HAS_SCRIPT_SURFACE
static cairo_status_t
append (void *user, const unsigned char *data, unsigned int length)
{
  g_string_append_len (user, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* @script (taken over) without the font files in it: in base 85, "<|...~>", they may spell
 * anything. */
static char *
without_fonts (char *script)
{
  char *end = script;

  for (char *from = script, *font; from; from = font)
    {
      font = strstr (from, "<|");
      const gsize kept = font ? (gsize) (font - from) : strlen (from);

      memmove (end, from, kept);
      end += kept;
      font = font ? strstr (font, "~>") : NULL;
    }
  *end = '\0';
  return script;
}
#endif

/* What a plot writes, as PostScript strings; NULL where cairo cannot tell. */
static char *
script_of (const Plot *plot)
{
#ifdef CAIRO_HAS_SCRIPT_SURFACE
  GString *script = g_string_new (NULL);
  cairo_device_t *device = cairo_script_create_for_stream (append, script);
  Surface *surface = cairo_script_surface_create (device, CAIRO_CONTENT_COLOR, WIDTH,
                                                  HEIGHT);
  cairo_t *cr = cairo_create (surface);
  ArmillaFigure figure = figure_of (plot);

  cairo_script_set_mode (device, CAIRO_SCRIPT_MODE_ASCII);
  g_assert_true (armilla_figure_draw (&figure, cr, NULL));
  finish (cr);
  armilla_figure_clear (&figure);
  cairo_surface_destroy (surface);
  cairo_device_destroy (device);
  return without_fonts (g_string_free (script, FALSE));
#else
  (void) plot;
  return NULL;
#endif
}

/* A plot has all of these texts, separated by commas, and none of the others. */
static void
check_texts (const Plot *plot, const char *there, const char *absent)
{
  g_autofree char *script = script_of (plot);
  g_auto (GStrv) all = g_strsplit (there, ",", -1), none = g_strsplit (absent, ",", -1);

  for (char **text = all; *text != NULL; text++)
    if (strstr (script, *text) == NULL)
      g_error ("no %s", *text);
  for (char **text = none; *text != NULL; text++)
    if (strstr (script, *text) != NULL)
      g_error ("there is %s", *text);
}

/* A plot says which spectrum it shows, one or several, and what hollow points are. */
static void
test_names (void)
{
  double values[FIELDS][LMAX + 1];
  Plot plot = { .title = "Mine", .unit = "uK^2", .low = NAN, .high = NAN, .lmax = LMAX,
                .n_fields = 1, .names = healpix, .values = values[0] };
  g_autofree char *script = NULL;

  fill_sky (values);
  script = script_of (&plot);
  if (script == NULL || strstr (script, "(Mine)") == NULL)
    {
      g_test_skip ("cairo writes no scripts");
      return;
    }
  g_assert_nonnull (strstr (script, "(TT)"));
  plot.names = others;
  check_texts (&plot, "(first)", "");
  plot.y_scale = ARMILLA_SCALE_LOG;
  check_texts (&plot, "(first)", "negative");
  plot.n_fields = FIELDS;
  check_texts (&plot, "(first),(one of a longer name),negative", "");
  plot.names = healpix;
  check_texts (&plot, "(EE),(BB),(TE)", "");
  plot.y_scale = ARMILLA_SCALE_LINEAR;
  /* C is slanted, and the l, lower and smaller, follows it */
  check_texts (&plot, "(C),( / 2", "negative,C_l,uK^2");
  plot.style.labels = "alpha, beta, gamma, delta_{1}";
  check_texts (&plot, "(alpha),(delta),(1)", "(EE)");
  plot.style = (ArmillaPlotStyle) { .spectra = "ee, GRADIENT, 2" };
  check_texts (&plot, "(EE),(BB)", "(TT),(TE)");
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
  cairo_t *cr;
  g_autoptr (Surface) surface = white (WIDTH, HEIGHT, &cr);

  armilla_formula (cr, formula, 100, 100, 60, 0, 0);
  finish (cr);
  *left = *top = WIDTH;
  *right = *bottom = 0;
  for (int y = 0; y < HEIGHT; y++)
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
  g_test_add_func ("/render-plot/above", test_above);
  g_test_add_func ("/render-plot/measured-line", test_measured_line);
  g_test_add_func ("/render-plot/negative", test_negative);
  g_test_add_func ("/render-plot/signs", test_signs);
  g_test_add_func ("/render-plot/names", test_names);
  g_test_add_func ("/render-plot/units", test_units);
  g_test_add_func ("/render-plot/scripts", test_scripts);
  return g_test_run ();
}
