/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of histograms and other tables with bins. */
#include "tests/pictures/picture-helpers.h"

#define WIDTH 800

static const char *const inputs[] = { "", "", "", "", "data" };

static void
arrange (ArmillaFigure *figure, ArmillaPlotStyle style)
{
  arrange_inputs (figure, style, inputs);
}

/* A histogram is as high as its counts, over the whole of each bin. */
static void
test_histogram (void)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("MAP-HISTOGRAM", 4);
  static const gint64 counts[] = { 10, 40, 25, 5 };
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  g_autoptr (Surface) picture = NULL;
  ArmillaFrame frame;
  ArmillaColumn *from = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "LOW", "mK", "");
  ArmillaColumn *to = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, "HIGH", "mK", "");
  ArmillaColumn *count = armilla_table_add (table, ARMILLA_COLUMN_INT64, "COUNT1", "",
                                            "pixels of Q in the bin");

  /* armilla_table_add() may move columns */
  from = armilla_table_find (table, "LOW");
  to = armilla_table_find (table, "HIGH");
  for (int i = 0; i < 4; i++)
    {
      from->doubles[i] = i - 2;
      to->doubles[i] = i - 1;
      count->integers[i] = counts[i];
    }
  g_assert_true (armilla_curves_add_table (figure.curves, 4, table, ARMILLA_QUANTITY_DL, NULL));
  g_assert_cmpuint (figure.curves->len, ==, 1);
  g_assert_cmpstr (g_array_index (figure.curves, ArmillaCurve, 0).group, ==, "Q");
  arrange (&figure, (ArmillaPlotStyle) { .colours = "red" });
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  g_assert_true (armilla_figure_y_range (&figure, 0, &frame.y, NULL));
  g_assert_cmpfloat (frame.y.low, ==, 0);
  for (int i = 0; i < 4; i++)
    for (double at = 0.05; at < 1; at += 0.1)
      {
        const double x = armilla_frame_x (&frame, i - 2 + at);
        const double y = armilla_frame_y (&frame, (double) counts[i]);

        g_assert_true (is_red (picture, x, y));
        g_assert_false (is_red (picture, x, y - 4));
        g_assert_cmphex (colour_at (picture, x, y + 4), !=, 0xffffff);
      }
  armilla_figure_clear (&figure);
}

/* Bins with gaps of any quantity are a histogram: as high as the numbers beside them, with errors,
 * empty between them. */
static void
test_binned (void)
{
  static const double from[] = { 0.1, 0.3, 0.8 }, to[] = { 0.3, 0.5, 1.2 }, value[] = { 3, 7, 4 };
  static const char *const names[] = { "z_min", "z_max", "n", "n_error" };
  g_autoptr (ArmillaTable) table = armilla_table_new ("BINNED", 3);
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  g_autoptr (Surface) picture = NULL;
  const ArmillaCurve *curve;
  ArmillaFrame frame;
  double cap;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      double *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[i],
                                          i == 2 ? "Mpc" : "", "")->doubles;

      for (int k = 0; k < 3; k++)
        column[k] = i == 0 ? from[k] : i == 1 ? to[k] : i == 2 ? value[k] : 1;
    }
  g_assert_true (armilla_curves_add_table (figure.curves, 4, table, ARMILLA_QUANTITY_DL, NULL));
  g_assert_cmpuint (figure.curves->len, ==, 1);
  curve = &g_array_index (figure.curves, ArmillaCurve, 0);
  g_assert_cmpstr (curve->x_label, ==, "z");
  g_assert_cmpstr (curve->formula, ==, "n");
  g_assert_cmpstr (curve->unit, ==, "Mpc");
  arrange (&figure, (ArmillaPlotStyle) { .colours = "#ff0000" });
  picture = draw_figure (&figure);
  frame = armilla_figure_frame (&figure, 0, FALSE);
  g_assert_true (armilla_figure_y_range (&figure, 0, &frame.y, NULL));
  cap = 0.15 * armilla_figure_letter (&figure);
  for (int i = 0; i < 3; i++)
    {
      const double x = armilla_frame_x (&frame, (from[i] + to[i]) / 2);
      const double quarter = armilla_frame_x (&frame, (3 * from[i] + to[i]) / 4);

      g_assert_true (is_red (picture, quarter, armilla_frame_y (&frame, value[i])));
      for (int end = -1; end <= 1; end += 2)
        g_assert_true (is_red (picture, x - cap, armilla_frame_y (&frame, value[i] + end)));
    }
  g_assert_cmphex (colour_at (picture, armilla_frame_x (&frame, 0.65), armilla_frame_y (&frame, 2)),
                   ==, 0xffffff);
  armilla_figure_clear (&figure);
}

/* Values below 0 are shown, too; counts have 0 at the foot. */
static void
test_negative (void)
{
  g_autoptr (ArmillaTable) table = armilla_table_new ("BINNED", 3);
  static const char *const names[] = { "z_min", "z_max", "n" };
  ArmillaFigure figure = figure_new (WIDTH, ARMILLA_SCALE_LINEAR, ARMILLA_SCALE_LINEAR);
  ArmillaAxis y = { ARMILLA_SCALE_LINEAR, NAN, NAN, 1 };

  for (int i = 0; i < 3; i++)
    {
      double *column = armilla_table_add (table, ARMILLA_COLUMN_DOUBLE, names[i], "", "")->doubles;

      for (int k = 0; k < 3; k++)
        column[k] = i == 2 ? 2 - 3 * k : k + i;
    }
  g_assert_true (armilla_curves_add_table (figure.curves, 4, table, ARMILLA_QUANTITY_DL, NULL));
  arrange (&figure, (ArmillaPlotStyle) { .colours = "#ff0000" });
  g_assert_true (armilla_figure_y_range (&figure, 0, &y, NULL));
  g_assert_cmpfloat (y.low, <, -4);
  g_assert_cmpfloat (y.high, >, 2);
  armilla_figure_clear (&figure);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-histogram/counts", test_histogram);
  g_test_add_func ("/render-histogram/binned", test_binned);
  g_test_add_func ("/render-histogram/negative", test_negative);
  return g_test_run ();
}
