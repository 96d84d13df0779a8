/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of correlation functions: where there is ink, and how far error bars reach. */
#include "tests/pictures/picture-helpers.h"

#define WIDTH 600
#define BINS 4
#define HEIGHT 390
#define SIZE (WIDTH * 0.022)
/* Antialiasing spreads an end over two points, the width of a bar is of the order of one. */
#define SLACK 2

typedef struct {
  cairo_surface_t *surface;
  ArmillaFrame frame;
} Picture;

static void
picture_clear (Picture *picture)
{
  cairo_surface_destroy (picture->surface);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static const double low[BINS] = { 1, 2, 3, 4 }, high[BINS] = { 2, 3, 4, 5 };
static const double mean[BINS] = { 1.4, 2.5, 3.6, 4.5 };

/* A table as pair-correlation makes it: @name and its error. */
static ArmillaTable *
table_new (const char *name, const double *value, const double *error)
{
  ArmillaTable *table = armilla_table_new ("TEST", BINS);
  const char *const names[] = { "theta_min", "theta_max", "theta", name, "error" };
  const double *const values[] = { low, high, mean, value, error };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[i], "", "")->doubles,
            values[i], sizeof low);
  return table;
}

/* The vertical axis is from @from to @to. */
static Picture
draw (const ArmillaTable *table, ArmillaScale y_scale, double from, double to)
{
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, y_scale);
  g_autoptr (GError) error = NULL;
  Picture picture;

  figure.x_given = TRUE;
  figure.y.low = from;
  figure.y.high = to;
  g_assert_true (armilla_curves_add_table (figure.curves, 0, table, ARMILLA_QUANTITY_DL, &error));
  g_assert_no_error (error);
  arrange_inputs (&figure, (ArmillaPlotStyle) { .spectra = "all" }, NULL);
  g_assert_cmpint (armilla_figure_height (&figure), ==, HEIGHT);
  picture.surface = draw_figure (&figure);
  picture.frame = armilla_figure_frame (&figure, 0, FALSE);
  g_assert_cmpfloat (picture.frame.x.low, ==, low[0]);
  g_assert_cmpfloat (picture.frame.x.high, ==, high[BINS - 1]);
  armilla_figure_clear (&figure);
  return picture;
}

/* Rows of points, from the top, between which there is colour in the column of a bin. */
static void
extent (const Picture *picture, int bin, int *top, int *bottom)
{
  const int x = (int) armilla_frame_x (&picture->frame, mean[bin]);

  *top = G_MAXINT;
  *bottom = -1;
  for (int y = 0; y < HEIGHT; y++)
    if (chroma (colour_at (picture->surface, x, y)) > 30)
      {
        *top = MIN (*top, y);
        *bottom = y;
      }
}

/* Colour in the column of a bin goes from the value @from up to @to, whole columns long. */
static void
assert_extent (const Picture *picture, int bin, double from, double to)
{
  const double at_top = armilla_frame_y (&picture->frame, to);
  const double at_bottom = armilla_frame_y (&picture->frame, from);
  int top, bottom;

  extent (picture, bin, &top, &bottom);
  g_assert_cmpfloat (fabs (top - at_top), <=, SLACK);
  g_assert_cmpfloat (fabs (bottom + 1 - at_bottom), <=, SLACK);
}

/* Half the height of a point, in units of the axis where it is linear. */
static double
radius (const Picture *picture)
{
  return 0.23 * SIZE * (picture->frame.y.high - picture->frame.y.low) / picture->frame.height;
}

/* Bars reach one standard error up and down; without errors there are only points. */
static void
test_bars (void)
{
  static const double value[BINS] = { 1, 0.5, -0.25, 0.75 };
  static const double none[BINS] = { 0, 0, 0, 0 }, some[BINS] = { 0.9, 0.6, 0.5, NAN };
  g_autoptr (ArmillaTable) exact = table_new ("w", value, none);
  g_autoptr (ArmillaTable) rough = table_new ("w", value, some);
  g_auto (Picture) points = draw (exact, ARMILLA_SCALE_LINEAR, -1, 2);
  g_auto (Picture) bars = draw (rough, ARMILLA_SCALE_LINEAR, -1, 2);
  const double half = radius (&points);

  g_assert_cmpfloat (half, <, 0.1);
  for (int k = 0; k < BINS; k++)
    {
      const double e = isnan (some[k]) ? half : some[k];

      assert_extent (&points, k, value[k] - half, value[k] + half);
      assert_extent (&bars, k, value[k] - e, value[k] + e);
    }
}

/* A bar that reaches below 0 ends where the axis does; negative values are drawn as hollow points
 * at their absolute value. */
static void
test_logarithmic_bars (void)
{
  static const double value[BINS] = { 1, 0.1, -0.1, 0.03 };
  static const double error[BINS] = { 0.9, 0.2, 0.05, 0.02 };
  g_autoptr (ArmillaTable) table = table_new ("w", value, error);
  g_auto (Picture) picture = draw (table, ARMILLA_SCALE_LOG, 1e-3, 10);
  const int height = HEIGHT;
  int hollow = 0;

  for (int k = 0; k < BINS; k++)
    assert_extent (&picture, k, MAX (fabs (value[k]) - error[k], 1e-3),
                   fabs (value[k]) + error[k]);
  for (int k = 1; k <= 2; k++)
    {
      /* beside the bar, inside of the point's edge */
      const int x = (int) (armilla_frame_x (&picture.frame, mean[k]) + 0.12 * SIZE);
      const int y = (int) armilla_frame_y (&picture.frame, 0.1);

      g_assert_cmpint (y, <, height);
      hollow += chroma (colour_at (picture.surface, x, y)) > 30 ? 0 : k;
    }
  g_assert_cmpint (hollow, ==, 2);
}

/* How far ink reaches, from @x0 to @x1 and from @y0 to @y1. */
static void
ink (cairo_surface_t *surface, int x0, int x1, int y0, int y1, int *width, int *height)
{
  int left = x1, right = x0 - 1, top = y1, bottom = y0 - 1;

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if ((colour_at (surface, x, y) >> 8 & 0xff) < 200)
        {
          left = MIN (left, x);
          right = MAX (right, x);
          top = MIN (top, y);
          bottom = MAX (bottom, y);
        }
  *width = MAX (right - left + 1, 0);
  *height = MAX (bottom - top + 1, 0);
}

/* How large a name is when it is drawn alone. */
static void
size_of (const char *name, int *width, int *height)
{
  cairo_t *cr;
  cairo_surface_t *surface = white (WIDTH, HEIGHT, &cr);

  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_formula (cr, name, WIDTH / 2, HEIGHT / 2, SIZE, 0.5, 0.5);
  finish (cr);
  ink (surface, 0, WIDTH, 0, HEIGHT, width, height);
  cairo_surface_destroy (surface);
}

/* The axes have their names: below what the angle is, at the left, turned, which function it is. */
static void
test_names (void)
{
  static const double value[BINS] = { 1, 0.5, -0.25, 0.75 }, error[BINS] = { 0 };
  static const struct { const char *column, *name; } functions[] = {
    { "w", "*{w}(\316\270)" }, { "zeta", "\316\266" },
  };
  const int height = HEIGHT;
  int wanted_width, wanted_height, found_width, found_height;

  size_of ("*{w}(\316\270)", &wanted_width, &wanted_height);
  size_of ("\316\266", &found_width, &found_height);
  if (wanted_width < found_width + 10)
    {
      g_test_skip ("cairo finds no font");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (ArmillaTable) table = table_new (functions[i].column, value, error);
      g_auto (Picture) picture = draw (table, ARMILLA_SCALE_LINEAR, -1, 2);
      const ArmillaFrame *frame = &picture.frame;
      /* Below the numbers of the ticks, which end 1.5 letters below the frame. */
      const int below = (int) (frame->top + frame->height + 1.8 * SIZE);

      size_of (functions[i].name, &wanted_width, &wanted_height);
      ink (picture.surface, 0, (int) (1.5 * SIZE), 0, height, &found_width, &found_height);
      g_assert_cmpint (ABS (found_width - wanted_height), <=, SLACK);
      g_assert_cmpint (ABS (found_height - wanted_width), <=, SLACK);
      size_of ("\316\270  [deg]", &wanted_width, &wanted_height);
      ink (picture.surface, 0, WIDTH, below, height, &found_width, &found_height);
      g_assert_cmpint (ABS (found_width - wanted_width), <=, SLACK);
      g_assert_cmpint (ABS (found_height - wanted_height), <=, SLACK);
    }
}

/* Returns whether a column of points has the colour of a curve, and how far from a place the one
 * that has most of it is. */
static int
strongest (Surface *surface, const ArmillaFrame *frame, const double colour[3], double x)
{
  const int red = (int) (255 * colour[0]), green = (int) (255 * colour[1]);
  const int blue = (int) (255 * colour[2]);
  int max_n = 0, found = G_MAXINT;

  for (int dx = -15; dx <= 15; dx++)
    {
      int n = 0;

      for (int y = (int) frame->top + 2; y < (int) (frame->top + frame->height) - 2; y++)
        {
          const guint32 point = colour_at (surface, x + dx, y);

          n += ABS ((int) (point >> 16 & 0xff) - red) + ABS ((int) (point >> 8 & 0xff) - green)
               + ABS ((int) (point & 0xff) - blue) < 60;
        }
      if (n > max_n)
        {
          max_n = n;
          found = dx;
        }
    }
  return found;
}

/* Points of two functions at the same angles are side by side, a marker apart, about the angle; the
 * bars of either are seen. */
static void
test_spread (void)
{
  static const double value[BINS] = { 1, 0.5, 0.25, 0.75 }, error[BINS] = { 0.8, 0.7, 0.6, 0.7 };
  const char *const inputs[] = { "a", "b", "c" };

  for (int n = 1; n <= 3; n++)
    {
      ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
      g_autoptr (ArmillaTable) table = table_new ("w", value, error);
      g_autoptr (Surface) picture = NULL;
      ArmillaFrame frame;

      figure.x_given = TRUE;
      figure.y.low = -1;
      figure.y.high = 3;
      for (int input = 0; input < n; input++)
        g_assert_true (armilla_curves_add_table (figure.curves, input, table,
                                                 ARMILLA_QUANTITY_DL, NULL));
      arrange_inputs (&figure, (ArmillaPlotStyle) { .labels = n > 1 ? NULL : "a" }, inputs);
      picture = draw_figure (&figure);
      frame = armilla_figure_frame (&figure, 0, FALSE);
      for (int k = 0; k < BINS; k++)
        for (int input = 0; input < n; input++)
          {
            const ArmillaCurve *curve = &g_array_index (figure.curves, ArmillaCurve, input);
            const double aside = (input - (n - 1) / 2.0) * 0.6 * SIZE;
            const double x = armilla_frame_x (&frame, mean[k]);

            g_assert_cmpfloat (fabs (strongest (picture, &frame, curve->colour, x) - aside), <=,
                               SLACK);
          }
      armilla_figure_clear (&figure);
    }
}

/* Functions of tables are chosen by the names of their columns. */
static void
test_chosen (void)
{
  static const double value[BINS] = { 1, 0.5, -0.25, 0.75 }, error[BINS] = { 0 };
  static const char *const names[] = { "xi_plus", "XI_PLUS", "\316\276_{+}", "0" };
  g_autoptr (ArmillaTable) table = table_new ("xi_plus", value, error);
  g_autoptr (GError) wrong = NULL;
  ArmillaFigure figure;

  memcpy (armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "xi_minus", "", "")->doubles, error,
          sizeof error);
  for (gsize i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      const ArmillaPlotStyle style = { .spectra = i < G_N_ELEMENTS (names) ? names[i] : "w" };
      gboolean ok;

      figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
      g_assert_true (armilla_curves_add_table (figure.curves, 0, table, ARMILLA_QUANTITY_DL,
                                               NULL));
      ok = armilla_figure_arrange (&figure, &style, &wrong);
      g_assert_cmpint (ok, ==, i < G_N_ELEMENTS (names));
      if (ok)
        {
          g_assert_cmpuint (figure.curves->len, ==, 1);
          g_assert_cmpfloat (g_array_index (figure.curves, ArmillaCurve, 0).y[2], ==, value[2]);
        }
      armilla_figure_clear (&figure);
    }
  g_assert_true (g_pattern_match_simple ("*there are xi_plus, xi_minus;*", wrong->message));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-correlation/bars", test_bars);
  g_test_add_func ("/render-correlation/logarithmic-bars", test_logarithmic_bars);
  g_test_add_func ("/render-correlation/names", test_names);
  g_test_add_func ("/render-correlation/spread", test_spread);
  g_test_add_func ("/render-correlation/chosen", test_chosen);
  return g_test_run ();
}
