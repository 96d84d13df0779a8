/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of tables beside lines: bars, caps, residuals, axes, what is chosen of several inputs. */
#include "core/tables/table.h"
#include "tests/pictures/picture-helpers.h"

#define WIDTH 800
#define BINS 5
#define LMAX 400

static const double low[BINS] = { 2, 60, 120, 200, 300 }, high[BINS] = { 40, 100, 180, 280, 390 };
static const double middle[BINS] = { 21, 80, 150, 240, 345 };
static const char *const inputs[] = { "theory", "other", "", "", "data", "more" };

static double
theory (gint64 l)
{
  return l < 2 ? 0 : 1e-3 * sin ((double) l / 50) + 2e-6 * (double) l;
}

/* C_l as far as LMAX. */
static void
add_lines (GArray *curves, int input, const char *name, const char *unit, double times)
{
  double values[LMAX + 1];

  for (gint64 l = 0; l <= LMAX; l++)
    values[l] = times * theory (l);
  armilla_curves_add_spectrum (curves, input, name, unit, values, LMAX, ARMILLA_QUANTITY_CL);
}

/* Bandpowers of one spectrum, as C_l. */
static void
add_points (GArray *curves, int input, const char *name, const char *unit, const double *value,
            const double *error)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("BANDPOWERS", BINS);
  g_autofree char *error_name = g_strconcat (name, "_error", NULL);
  const char *const names[] = { "l", "l_min", "l_max", name, error_name };
  const double *const columns[] = { middle, low, high, value, error };
  g_autoptr (GError) failed = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[i], i > 2 ? unit : "", "")
            ->doubles, columns[i], sizeof low);
  g_assert_true (armilla_curves_add_table (curves, input, table, ARMILLA_QUANTITY_CL, &failed));
  g_assert_no_error (failed);
}

static ArmillaFigure
cl_figure (void)
{
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);

  figure.quantity = ARMILLA_QUANTITY_CL;
  return figure;
}

static void
arrange (ArmillaFigure *figure, ArmillaPlotStyle style)
{
  arrange_inputs (figure, style, inputs);
}

/* Points have bars from l_min to l_max, and from one error below to one above, with caps. */
static void
test_bars (void)
{
  static const double value[BINS] = { 1, 2, 4, 3, 1.5 }, error[BINS] = { 0.8, 0.5, 1.5, 0.7, 0.6 };
  ArmillaFigure figure = cl_figure ();
  g_autoptr (Surface) picture = NULL;
  ArmillaFrame frame;
  double cap;

  add_points (figure.curves, 4, "TT", "uK^2", value, error);
  arrange (&figure, (ArmillaPlotStyle) { .colours = "#ff0000" });
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  g_assert_true (armilla_figure_y_range (&figure, 0, &frame.y, NULL));
  cap = 0.15 * armilla_figure_letter (&figure);
  for (int i = 0; i < BINS; i++)
    {
      const double y = armilla_frame_y (&frame, value[i]), x = armilla_frame_x (&frame, middle[i]);
      const double left = armilla_frame_x (&frame, low[i]);
      const double right = armilla_frame_x (&frame, high[i]);

      for (double at = left + 2; at < right - 2; at++)
        g_assert_true (is_red (picture, at, y));
      g_assert_false (is_red (picture, left - 3, y) || is_red (picture, right + 3, y));
      for (int end = -1; end <= 1; end += 2)
        {
          const double to = armilla_frame_y (&frame, value[i] + end * error[i]);

          g_assert_true (is_red (picture, x - cap, to) && is_red (picture, x + cap, to));
          g_assert_true (is_red (picture, x, to + 2 * end));
          g_assert_false (is_red (picture, x, to - 3 * end)
                          || is_red (picture, x + cap, to + 3 * end)
                          || is_red (picture, x - 4 * cap, to));
        }
    }
  armilla_figure_clear (&figure);
}

/* Residuals are data less the mean of the line over the bin. */
static void
test_residuals (void)
{
  static const double value[BINS] = { 1e-3, 2e-3, -1e-3, 0, 1e-3 };
  static const double error[BINS] = { 1e-4, 2e-4, 3e-4, 4e-4, 5e-4 };

  for (int kind = ARMILLA_RESIDUALS_DIFFERENCE; kind <= ARMILLA_RESIDUALS_RATIO; kind++)
    {
      ArmillaFigure figure = cl_figure ();
      g_autoptr (GArray) residuals = NULL;
      g_autoptr (Surface) picture = NULL;
      const ArmillaCurve *points;

      figure.residuals = kind;
      add_lines (figure.curves, 0, "TEMPERATURE", "", 1);
      add_lines (figure.curves, 0, "GRADIENT", "", 5);
      add_points (figure.curves, 4, "TT", "", value, error);
      arrange (&figure, (ArmillaPlotStyle) { .spectra = "all" });
      residuals = armilla_residuals (&figure, 0);
      g_assert_cmpuint (residuals->len, ==, 1);
      points = &g_array_index (residuals, ArmillaCurve, 0);
      for (int i = 0; i < BINS; i++)
        {
          long double mean = 0;
          double by;

          for (gint64 l = (gint64) low[i]; l <= (gint64) high[i]; l++)
            mean += theory (l);
          mean /= high[i] - low[i] + 1;
          by = kind == ARMILLA_RESIDUALS_SIGMA ? error[i]
               : kind == ARMILLA_RESIDUALS_RATIO ? (double) mean : 1;
          g_assert_cmpfloat_with_epsilon (points->y[i], (double) (value[i] - mean) / by,
                                          1e-12 * fabs (1 / by));
          g_assert_cmpfloat_with_epsilon (points->error[i], error[i] / fabs (by),
                                          1e-14 / fabs (by));
        }
      picture = draw_figure (&figure);
      armilla_figure_clear (&figure);
    }
}

/* D_l of a table is l (l + 1) C_l / 2 pi at its effective degree, unless it is D_l already. */
static void
test_scaling (void)
{
  for (int scaled = 0; scaled < 2; scaled++)
    {
      g_autoptr (ArmillaTable) table = armilla_table_new ("BANDPOWERS", BINS);
      g_autoptr (GArray) curves = armilla_curves_new ();
      const ArmillaCurve *curve;

      memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "l", "", "")->doubles, middle,
              sizeof middle);
      memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "EE", "", "")->doubles, high,
              sizeof high);
      memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "EE_error", "", "")->doubles, low,
              sizeof low);
      if (scaled)
        armilla_table_set_text (table, "SCALING", "dl", "");
      g_assert_true (armilla_curves_add_table (curves, 0, table, ARMILLA_QUANTITY_DL, NULL));
      g_assert_cmpuint (curves->len, ==, 1);
      curve = &g_array_index (curves, ArmillaCurve, 0);
      g_assert_cmpstr (curve->group, ==, "EE");
      g_assert_false (curve->bars);
      for (int i = 0; i < BINS; i++)
        {
          const double by = scaled ? 1 : middle[i] * (middle[i] + 1) / (2 * G_PI);

          g_assert_cmpfloat_with_epsilon (curve->y[i] / (by * high[i]), 1, 1e-14);
          g_assert_cmpfloat_with_epsilon (curve->error[i] / (by * low[i]), 1, 1e-14);
        }
    }
}

/* Where values are on axes of two scales. */
static void
test_scales (void)
{
  const ArmillaAxis symmetric = { ARMILLA_SCALE_SYMLOG, -1000, 100, 10 };
  const ArmillaAxis two = { ARMILLA_SCALE_LOG_LINEAR, 3, 2030, 30 };
  /* 3 decades below 0, the linear one among them, and 2 above */
  static const double there[][2] = { { -1000, 0 }, { -100, 1 }, { -10, 2 }, { -5, 2.5 }, { 0, 3 },
                                     { 10, 4 }, { 100, 5 } };

  for (gsize i = 0; i < G_N_ELEMENTS (there); i++)
    g_assert_cmpfloat_with_epsilon (armilla_axis_place (&symmetric, there[i][0]), there[i][1] / 5,
                                    1e-14);
  g_assert_cmpfloat_with_epsilon (armilla_axis_place (&two, 3), 0, 1e-14);
  g_assert_cmpfloat_with_epsilon (armilla_axis_place (&two, sqrt (90)),
                                  armilla_axis_place (&two, 30) / 2, 1e-14);
  g_assert_cmpfloat_with_epsilon (armilla_axis_place (&two, 1030),
                                  (1 + armilla_axis_place (&two, 30)) / 2, 1e-14);
  g_assert_cmpfloat_with_epsilon (armilla_axis_place (&two, 2030), 1, 1e-14);
  g_assert_cmpfloat (armilla_axis_place (&two, -1), <, -1);
}

/* Ticks of any axis are in it, their numbers are their values, linear ones in equal steps. */
static void
test_ticks (void)
{
  for (int trial = 0; trial < 4000; trial++)
    {
      const ArmillaScale scale = (ArmillaScale) (trial % 4);
      const double size = pow (10, g_test_rand_double_range (-8, 8));
      const double from = scale == ARMILLA_SCALE_LINEAR || scale == ARMILLA_SCALE_SYMLOG
                            ? g_test_rand_double_range (-1, 1) * size : size;
      const ArmillaAxis axis = { scale, from,
                                 from + size * pow (10, g_test_rand_double_range (-1, 5)),
                                 size * 3 };
      int exponent, majors = 0;
      g_autoptr (GArray) ticks = armilla_axis_ticks (&axis, 6, &exponent);
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

      for (guint i = 0; i < ticks->len; i++)
        {
          const ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);
          const double place = armilla_axis_place (&axis, tick->value);

          g_assert_true (place > -1e-8 && place < 1 + 1e-8);
          if (tick->label == NULL)
            continue;
          majors++;
          g_array_append_val (values, tick->value);
          if (strchr (tick->label, '{') == NULL)
            {
              g_autofree char *plain = g_str_has_prefix (tick->label, "\342\210\222")
                                         ? g_strconcat ("-", tick->label + 3, NULL)
                                         : g_strdup (tick->label);

              if (scale == ARMILLA_SCALE_LINEAR)
                g_assert_cmpfloat_with_epsilon (g_ascii_strtod (plain, NULL) * pow (10, exponent),
                                                tick->value, 1e-6 * (axis.high - axis.low));
            }
        }
      g_assert_cmpint (majors, >=, 1);
      g_assert_cmpint (majors, <=, 26);
      g_array_sort (values, compare_doubles);
      for (guint i = 2; scale == ARMILLA_SCALE_LINEAR && i < values->len; i++)
        g_assert_cmpfloat_with_epsilon (g_array_index (values, double, i)
                                          - g_array_index (values, double, i - 1),
                                        g_array_index (values, double, 1)
                                          - g_array_index (values, double, 0),
                                        1e-9 * (axis.high - axis.low));
    }
}

/* Numbers below an axis keep apart, and none is cut off. */
static void
test_numbers_apart (void)
{
  const double size = 16;

  for (int trial = 0; trial < 200; trial++)
    {
      const double from = pow (10, g_test_rand_double_range (-3, 3));
      const ArmillaFrame frame = {
        .left = 90, .top = 20, .width = WIDTH - 120, .height = 300,
        .x = { (ArmillaScale) (trial % 4), from, from * pow (10, g_test_rand_double_range (0.2, 6)),
               from * 10 },
        .y = { ARMILLA_SCALE_LINEAR, 0, 1, 1 },
      };
      g_autoptr (Surface) surface = cairo_image_surface_create (CAIRO_FORMAT_A8, WIDTH, 360);
      cairo_t *cr = cairo_create (surface);
      int start = -1, last = -1, groups = 0;

      armilla_frame_axes (&frame, cr, size, TRUE, NULL);
      cairo_destroy (cr);
      cairo_surface_flush (surface);
      /* the row of numbers, without what all are to be multiplied by */
      for (int x = 60; x <= WIDTH; x++)
        {
          gboolean ink = FALSE;

          for (int y = 324; x < WIDTH && y < 343; y++)
            ink = ink || cairo_image_surface_get_data (surface)
                           [y * cairo_image_surface_get_stride (surface) + x] > 40;
          g_assert_false (ink && x == WIDTH - 1);
          if (ink && start < 0)
            start = x;
          if (ink)
            last = x;
          if (start >= 0 && (x == WIDTH || x - last > 0.34 * size))
            {
              /* at most seven letters and signs: two numbers in one would be more */
              g_assert_cmpint (last - start, <, 5 * size);
              groups++;
              start = -1;
            }
        }
      g_assert_cmpint (groups, >=, 1);
    }
}

static void
check_refused (ArmillaFigure *figure, ArmillaPlotStyle style, int code, const char *text)
{
  g_autoptr (GError) error = NULL;

  style.inputs = inputs;
  g_assert_false (armilla_figure_arrange (figure, &style, &error));
  g_assert_error (error, ARMILLA_ERROR, code);
  g_assert_nonnull (strstr (error->message, text));
  armilla_figure_clear (figure);
}

static ArmillaFigure
two_inputs (const char *unit)
{
  static const double value[BINS] = { 1, 2, 4, 3, 1.5 };
  ArmillaFigure figure = cl_figure ();

  add_lines (figure.curves, 0, "TT", "uK^2", 1);
  add_lines (figure.curves, 0, "EE", "uK^2", 1);
  add_lines (figure.curves, 0, "BB", "uK^2", 1);
  add_points (figure.curves, 4, "EE", unit, value, value);
  add_points (figure.curves, 4, "TT", unit, value, value);
  return figure;
}

/* What does not fit is refused. */
static void
test_refused (void)
{
  ArmillaFigure figure = two_inputs ("uK^2");
  static const double value[BINS] = { 1, 2, 4, 3, 1.5 };

  check_refused (&figure, (ArmillaPlotStyle) { .spectra = "TT, XX" }, ARMILLA_ERROR_UNKNOWN,
                 "TT, EE, BB");
  figure = two_inputs ("uK^2");
  check_refused (&figure, (ArmillaPlotStyle) { .labels = "1, 2, 3, 4, 5, 6" },
                 ARMILLA_ERROR_VALUE,
                 "labels has 6 entries; must be one per curve (4), quantity (2");
  figure = two_inputs ("uK^2");
  check_refused (&figure, (ArmillaPlotStyle) { .colours = "red, reddish" }, ARMILLA_ERROR_VALUE,
                 "\"reddish\" is not a colour");
  figure = two_inputs ("mK^2");
  check_refused (&figure, (ArmillaPlotStyle) { .spectra = "TT" }, ARMILLA_ERROR_VALUE, "units");
  figure = two_inputs ("mK^2");
  figure.unit = "uK^2"; /* the user declares that they are the same */
  arrange (&figure, (ArmillaPlotStyle) { .spectra = "TT" });
  armilla_figure_clear (&figure);
  figure = cl_figure ();
  add_points (figure.curves, 4, "TT", "", value, value);
  armilla_curves_add (figure.curves, ARMILLA_CURVE_ANGLES, 5, "w", "w", 3);
  check_refused (&figure, (ArmillaPlotStyle) { .spectra = "all" }, ARMILLA_ERROR_SHAPE,
                 "different horizontal axes");
}

static const ArmillaCurve *
curve_of (const ArmillaFigure *figure, int input, const char *group)
{
  for (guint i = 0; i < figure->curves->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (figure->curves, ArmillaCurve, i);

      if (curve->input == input && strcmp (curve->group, group) == 0)
        return curve;
    }
  return NULL;
}

/* Of lines, those that have data; colours by spectrum, marks by input; with panels the other way
 * round. */
static void
test_arranged (void)
{
  ArmillaFigure figure = two_inputs ("uK^2");
  ArmillaFrame frame, other;

  arrange (&figure, (ArmillaPlotStyle) { .spectra = "all" });
  g_assert_cmpuint (figure.curves->len, ==, 4);
  g_assert_null (curve_of (&figure, 0, "BB"));
  g_assert_cmpmem (curve_of (&figure, 0, "TT")->colour, 24, curve_of (&figure, 4, "TT")->colour,
                   24);
  g_assert_true (armilla_mark_is_line (curve_of (&figure, 0, "TT")->mark)
                 && curve_of (&figure, 4, "TT")->mark == ARMILLA_MARK_CIRCLE);
  g_assert_cmpfloat (curve_of (&figure, 0, "TT")->colour[0], !=,
                     curve_of (&figure, 0, "EE")->colour[0]);
  g_assert_cmpuint (figure.legend->len, ==, 4);
  armilla_figure_clear (&figure);
  figure = two_inputs ("uK^2");
  arrange (&figure, (ArmillaPlotStyle) { .spectra = "TT, BB", .panels = TRUE,
                                         .colours = "black, red", .labels = "a, b" });
  g_assert_cmpint (figure.n_panels, ==, 2);
  g_assert_cmpint (curve_of (&figure, 0, "TT")->panel, ==, curve_of (&figure, 4, "TT")->panel);
  g_assert_cmpint (curve_of (&figure, 0, "BB")->panel, !=, curve_of (&figure, 0, "TT")->panel);
  g_assert_cmpfloat (curve_of (&figure, 0, "BB")->colour[0], ==, 0);
  g_assert_cmpfloat (curve_of (&figure, 4, "TT")->colour[0], >, 0.5);
  g_assert_cmpuint (figure.legend->len, ==, 2);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  other = armilla_figure_frame (&figure, 1, FALSE);
  g_assert_cmpfloat (other.left, >, frame.left + frame.width);
  g_assert_cmpfloat (other.left + other.width, <, WIDTH);
  armilla_figure_clear (&figure);
}

/* A line that is negative over several multipoles is dashed on a logarithmic axis: there are gaps
 * in it, and none in what is positive. */
static void
test_dashed (void)
{
  double values[LMAX + 1];
  ArmillaFigure figure = cl_figure ();
  g_autoptr (Surface) picture = NULL;
  ArmillaFrame frame;
  int gaps[2] = { 0, 0 };

  for (gint64 l = 0; l <= LMAX; l++)
    values[l] = l < 200 ? 1 : -1;
  armilla_curves_add_spectrum (figure.curves, 0, "TE", "", values, LMAX, ARMILLA_QUANTITY_CL);
  figure.y = (ArmillaAxis) { ARMILLA_SCALE_LOG, 0.1, 10, 1 };
  arrange (&figure, (ArmillaPlotStyle) { .colours = "red" });
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  for (int l = 5; l < LMAX - 5; l++)
    if (l < 195 || l > 205)
      gaps[l > 200] += !is_red (picture, armilla_frame_x (&frame, l), armilla_frame_y (&frame, 1));
  g_assert_cmpint (gaps[0], ==, 0);
  g_assert_cmpint (gaps[1], >, 20);
  g_assert_cmpint (gaps[1], <, 150);
  armilla_figure_clear (&figure);
}

static void
test_colours (void)
{
  static const char *const bad[] = { "#4080fg", "#408", "", "#-08000" };
  double rgb[3];

  g_assert_true (armilla_colour_parse ("#4080ff", rgb, NULL));
  g_assert_cmpfloat_with_epsilon (rgb[0], 64.0 / 255, 1e-15);
  g_assert_cmpfloat_with_epsilon (rgb[1], 128.0 / 255, 1e-15);
  g_assert_cmpfloat_with_epsilon (rgb[2], 1, 1e-15);
  g_assert_true (armilla_colour_parse ("Black", rgb, NULL));
  g_assert_cmpfloat (rgb[0] + rgb[1] + rgb[2], ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_colour_parse (bad[i], rgb, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
    }
}

/* Lightness, and places on the axes from green to red and from blue to yellow (CIE 1976 L*a*b*). */
static void
lab_of (const double rgb[3], double lab[3])
{
  static const double to_xyz[3][3] = { { 0.4124, 0.3576, 0.1805 }, { 0.2126, 0.7152, 0.0722 },
                                       { 0.0193, 0.1192, 0.9505 } };
  static const double white_point[3] = { 0.9505, 1, 1.089 };
  double f[3];

  for (int i = 0; i < 3; i++)
    {
      double sum = 0;

      for (int k = 0; k < 3; k++)
        sum += to_xyz[i][k] / white_point[i]
          * (rgb[k] <= 0.04045 ? rgb[k] / 12.92 : pow ((rgb[k] + 0.055) / 1.055, 2.4));
      f[i] = sum > 216.0 / 24389 ? cbrt (sum) : (24389.0 / 27 * sum + 16) / 116;
    }
  lab[0] = 116 * f[1] - 16;
  lab[1] = 500 * (f[0] - f[1]);
  lab[2] = 200 * (f[1] - f[2]);
}

/* A dozen curves have colours that differ plainly (2.3 is just noticeable), and that of the first
 * one, a theory, does not come back. */
static void
test_many_colours (void)
{
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < i; k++)
      {
        double a[3], b[3];

        lab_of (armilla_plot_colour (i), a);
        lab_of (armilla_plot_colour (k), b);
        g_assert_cmpfloat (hypot (hypot (a[0] - b[0], a[1] - b[1]), a[2] - b[2]), >, 20);
      }
  for (int i = 1; i < 100; i++)
    g_assert_true (memcmp (armilla_plot_colour (i), armilla_plot_colour (0),
                           3 * sizeof (double)) != 0);
}

/* Between a frame and its residuals there is nothing, be the numbers as large as they may. */
static void
test_gap (void)
{
  static const double error[BINS] = { 3e7, 3e7, 3e7, 3e7, 3e7 };
  static const double value[BINS] = { 1e9, 2e9, 4e9, 3e9, 1.5e9 };
  ArmillaFigure figure = cl_figure ();
  g_autoptr (Surface) picture = NULL;
  ArmillaFrame above, below;

  add_lines (figure.curves, 0, "TT", "uK^2", 1);
  add_points (figure.curves, 4, "TT", "uK^2", value, error);
  figure.residuals = ARMILLA_RESIDUALS_DIFFERENCE;
  arrange (&figure, (ArmillaPlotStyle) { .colours = "red" });
  picture = draw_figure (&figure);
  above = armilla_figure_frame (&figure, 0, FALSE);
  below = armilla_figure_frame (&figure, 0, TRUE);
  for (int y = (int) (above.top + above.height) + 2; y < (int) below.top - 2; y++)
    for (int x = (int) below.left; x < (int) (below.left + below.width); x++)
      g_assert_cmphex (colour_at (picture, x, y), ==, 0xffffff);
  armilla_figure_clear (&figure);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-data/bars", test_bars);
  g_test_add_func ("/render-data/residuals", test_residuals);
  g_test_add_func ("/render-data/gap", test_gap);
  g_test_add_func ("/render-data/scaling", test_scaling);
  g_test_add_func ("/render-data/scales", test_scales);
  g_test_add_func ("/render-data/ticks", test_ticks);
  g_test_add_func ("/render-data/numbers-apart", test_numbers_apart);
  g_test_add_func ("/render-data/refused", test_refused);
  g_test_add_func ("/render-data/arranged", test_arranged);
  g_test_add_func ("/render-data/dashed", test_dashed);
  g_test_add_func ("/render-data/colours", test_colours);
  g_test_add_func ("/render-data/many-colours", test_many_colours);
  return g_test_run ();
}
