/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of matrices: which element is where in which colour, correlations, errors. */
#include "plugins/pictures/matrix-private.h"
#include "tests/pictures/picture-helpers.h"

/* Matrices of numbers from 0 on. */
static ArmillaMatrixHeader *
header_of (gint64 n_rows, gint64 n_columns, const char *names)
{
  g_autofree double *values = g_new (double, MAX (n_rows, n_columns));
  const ArmillaMatrixAxis rows = { (char *) "l", (char *) "", n_rows, values };
  const ArmillaMatrixAxis columns = { (char *) "bin", (char *) "deg", n_columns, values };
  g_auto (GStrv) words = g_strsplit (names, ",", -1);

  for (gint64 i = 0; i < MAX (n_rows, n_columns); i++)
    values[i] = (double) i;
  return armilla_matrix_header_new (&rows, &columns, (const char *const *) words,
                                    (int) g_strv_length (words));
}

static Surface *
draw (ArmillaMatrixPicture *picture, const ArmillaMatrixStyle *style)
{
  cairo_t *cr;
  Surface *surface = white (style->width, picture->layout.total, &cr);

  armilla_matrix_picture_draw (picture, style, cr);
  finish (cr);
  return surface;
}

static double
value_of (int field, gint64 row, gint64 column)
{
  return field + sin ((double) (3 * row + 7 * column)) + 0.001 * (double) row;
}

/* Puts a matrix in blocks, the last one first. */
static void
put_blocks (ArmillaMatrixPicture *picture, gint64 block)
{
  const ArmillaMatrixHeader *header = picture->header;

  for (int field = 0; field < header->n_fields; field++)
    for (gint64 row = (header->rows.n - 1) / block * block; row >= 0; row -= block)
      for (gint64 column = 0; column < header->columns.n; column += block)
        {
          const gint64 n_rows = MIN (block, header->rows.n - row);
          const gint64 n_columns = MIN (block, header->columns.n - column);
          g_autofree double *values = g_new (double, n_rows * n_columns);

          for (gint64 i = 0; i < n_rows * n_columns; i++)
            values[i] = value_of (field, row + i / n_columns, column + i % n_columns);
          armilla_matrix_picture_put (picture, field, row, n_rows, column, n_columns, values);
        }
}

/* In the middle of an element's place is its colour, and of a matrix that has more elements than
 * the picture points, each point has the colour of one that is there. */
static void
test_elements (void)
{
  static const struct { gint64 n_rows, n_columns, block; int fields[4], n; } cases[] = {
    { 1, 1, 256, { 0 }, 1 }, { 3, 3, 2, { 1 }, 1 }, { 7, 40, 5, { 1, 0 }, 2 },
    { 40, 7, 256, { 0, 1, 1, 0 }, 4 }, { 600, 600, 256, { 1, 0, 1 }, 3 },
    { 900, 31, 128, { 0 }, 1 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      const gint64 n_rows = cases[k].n_rows, n_columns = cases[k].n_columns;
      g_autoptr (ArmillaMatrixHeader) header = header_of (n_rows, n_columns, "A,B");
      const ArmillaMatrixLayout layout = armilla_matrix_layout (header, cases[k].n, 400, 1, TRUE);
      ArmillaMatrixPicture *picture
        = armilla_matrix_picture_new (header, cases[k].fields, &layout);
      ArmillaMatrixStyle style = { .title = "title", .unit = "uK^2", .width = 400,
                                   .colours = { ARMILLA_SCALE_LINEAR, -2, 8, 1 } };
      g_autoptr (Surface) surface = NULL;

      armilla_palette_fill (ARMILLA_PALETTE_GREY, style.table);
      put_blocks (picture, cases[k].block);
      surface = draw (picture, &style);
      for (int panel = 0; panel < cases[k].n; panel++)
        {
          const ArmillaFrame frame = armilla_matrix_frame (&layout, panel);

          for (int y = 2; y < layout.height - 2; y++)
            for (int x = 2; x < layout.width - 2; x++)
              {
                const double row = (y + 0.5) * (double) n_rows / layout.height;
                const double column = (x + 0.5) * (double) n_columns / layout.width;
                const double value = value_of (cases[k].fields[panel], (gint64) row,
                                               (gint64) column);
                const int level = (int) (colour_at (surface, frame.left + x, frame.top + y) & 0xff);
                const int expected
                  = (int) lrint (255 * style.table[(int) ((value + 2) / 10 * 256)][2]);
                const gboolean middle = n_rows > layout.height
                                        || fabs (row - floor (row) - 0.5) < 0.3;

                if (middle && (n_columns > layout.width
                               || fabs (column - floor (column) - 0.5) < 0.3))
                  g_assert_cmpint (level, ==, expected);
              }
        }
      armilla_matrix_picture_free (picture);
    }
}

/* All that is drawn is within the picture: its edges stay white. */
static void
test_margins (void)
{
  for (int n = 1; n <= ARMILLA_MAX_MATRICES; n++)
    {
      g_autoptr (ArmillaMatrixHeader) header = header_of (3 + 31 * n, 5000, "name");
      const int fields[ARMILLA_MAX_MATRICES] = { 0 };
      const ArmillaMatrixLayout layout = armilla_matrix_layout (header, n, 500, 1, n % 2);
      ArmillaMatrixPicture *picture = armilla_matrix_picture_new (header, fields, &layout);
      ArmillaMatrixStyle style = { .title = n % 2 ? "title" : "", .unit = "uK^2", .width = 500,
                                   .colours = { ARMILLA_SCALE_SYMLOG, -1e6, 1e8, 1e-7 } };
      g_autoptr (Surface) surface = NULL;

      armilla_palette_fill (ARMILLA_PALETTE_SKY, style.table);
      surface = draw (picture, &style);
      for (int x = 0; x < style.width; x++)
        g_assert_cmphex (colour_at (surface, x, 0) & colour_at (surface, x, layout.total - 1), ==,
                         0xffffff);
      for (int y = 0; y < layout.total; y++)
        g_assert_cmphex (colour_at (surface, 0, y) & colour_at (surface, style.width - 1, y), ==,
                         0xffffff);
      armilla_matrix_picture_free (picture);
    }
}

/* A covariance made of standard deviations and a correlation gives back the correlation. */
static void
test_correlation (void)
{
  static const char *const names[] = { "A A,A B,B A,B B", "A,A_B,B_A,B", "A,A_B,,B" };
  static const double r[2][2] = { { 1, -0.25 }, { -0.25, 1 } };
  const int fields[4] = { 0, 1, 0, 3 }, n = 5;

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    {
      g_autoptr (ArmillaMatrixHeader) header = header_of (n, n, names[k]);
      const ArmillaMatrixLayout layout = armilla_matrix_layout (header, 4, 400, 1, TRUE);
      ArmillaMatrixPicture *picture = armilla_matrix_picture_new (header, fields, &layout);
      ArmillaAxis colours = { ARMILLA_SCALE_LINEAR, NAN, NAN, NAN };
      g_autoptr (GError) error = NULL;

      g_assert_true (armilla_matrix_picture_correlate (picture, &error));
      for (int field = 0; field < 4; field++)
        {
          double values[25];

          for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
              values[i * n + j] = (field < 2 ? 2 : 30) * (i + 1.0) * (field % 2 ? 30 : 2)
                * (j + 1.0) * r[field / 2][field % 2] * (i == j ? 1 : 0.5);
          armilla_matrix_picture_put (picture, field, 0, n, 0, n, values);
        }
      armilla_matrix_picture_colours (picture, 0, &colours);
      g_assert_cmpfloat (colours.low, ==, -1);
      g_assert_cmpfloat (colours.high, ==, 1);
      for (int panel = 0; panel < 4; panel++)
        for (int i = 0; i < n * n; i++)
          g_assert_cmpfloat_with_epsilon (picture->values[panel * n * n + i],
                                          (panel == 1 ? -0.25 : 1) * (i % (n + 1) == 0 ? 1 : 0.5),
                                          1e-14);
      armilla_matrix_picture_free (picture);
    }
}

/* Without a variance there is no correlation, but the rest is shown. */
static void
test_no_variance (void)
{
  static const double values[4] = { 4, 2, 2, 0 };
  const int field = 0;
  g_autoptr (ArmillaMatrixHeader) header = header_of (2, 2, "A");
  const ArmillaMatrixLayout layout = armilla_matrix_layout (header, 1, 400, 1, TRUE);
  ArmillaMatrixPicture *picture = armilla_matrix_picture_new (header, &field, &layout);
  ArmillaAxis colours = { ARMILLA_SCALE_LOG, NAN, NAN, NAN };

  g_assert_true (armilla_matrix_picture_correlate (picture, NULL));
  armilla_matrix_picture_put (picture, 0, 0, 2, 0, 2, values);
  armilla_matrix_picture_colours (picture, 0, &colours);
  g_assert_cmpfloat (picture->values[0], ==, 1);
  for (int i = 1; i < 4; i++)
    g_assert_true (isnan (picture->values[i]));
  armilla_matrix_picture_free (picture);
}

static void
test_no_covariance (void)
{
  static const struct { gint64 n_columns; const char *names, *message; } cases[] = {
    { 4, "A", "*the matrix has 3 rows and 4 columns*" },
    { 3, "A B,A A", "*no variances for its field \"A B\"*" },
  };
  const int field = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autoptr (ArmillaMatrixHeader) header = header_of (3, cases[k].n_columns, cases[k].names);
      const ArmillaMatrixLayout layout = armilla_matrix_layout (header, 1, 400, 1, FALSE);
      ArmillaMatrixPicture *picture = armilla_matrix_picture_new (header, &field, &layout);
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_matrix_picture_correlate (picture, &error));
      g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
      g_assert_true (g_pattern_match_simple (cases[k].message, error->message));
      armilla_matrix_picture_free (picture);
    }
}

/* Of a place and those beside it. */
static int
darkest (Surface *surface, double x, double y)
{
  int found = 255;

  for (int dx = -1; dx <= 1; dx++)
    found = MIN (found, (int) (colour_at (surface, x + dx, y) & 0xff));
  return found;
}

/* Elements whose middles have equal ratios, here from 0.01 to 100, have a logarithmic axis: long
 * ticks at powers of ten, short ones between them. */
static void
test_logarithmic_axis (void)
{
  double middles[8];
  const ArmillaMatrixAxis axis = { (char *) "\316\270", (char *) "deg", 8, middles };
  static const char *const names[] = { "w" };
  static const struct { double at; gboolean is_long; } ticks[] = {
    { 0.1, TRUE }, { 1, TRUE }, { 10, TRUE }, { 0.05, FALSE }, { 2, FALSE }, { 50, FALSE },
  };
  const int field = 0;
  g_autoptr (ArmillaMatrixHeader) header = NULL;
  g_autoptr (Surface) surface = NULL;
  ArmillaMatrixStyle style = { .title = "", .unit = "", .width = 500,
                               .colours = { ARMILLA_SCALE_LINEAR, 0, 1, 1 } };
  ArmillaMatrixLayout layout;
  ArmillaMatrixPicture *picture;
  ArmillaFrame frame;

  for (int i = 0; i < 8; i++)
    middles[i] = pow (10, -2 + 0.5 * (i + 0.5));
  header = armilla_matrix_header_new (&axis, &axis, names, 1);
  layout = armilla_matrix_layout (header, 1, style.width, 1, FALSE);
  picture = armilla_matrix_picture_new (header, &field, &layout);
  surface = draw (picture, &style);
  frame = armilla_matrix_frame (&layout, 0);
  for (gsize k = 0; k < G_N_ELEMENTS (ticks); k++)
    {
      const double x = frame.left + (log10 (ticks[k].at) + 2) / 4 * frame.width;
      const double below = frame.top + frame.height;

      g_assert_cmpint (darkest (surface, x, below + 0.12 * layout.letter), <, 200);
      if (ticks[k].is_long)
        g_assert_cmpint (darkest (surface, x, below + 0.29 * layout.letter), <, 128);
      else
        g_assert_cmpint (darkest (surface, x, below + 0.29 * layout.letter), >, 220);
    }
  armilla_matrix_picture_free (picture);
}

/* Ends of colours, from values, and without any: a logarithmic axis then has none. */
static void
test_ranges (void)
{
  static const struct { ArmillaAxis colours; double low, high, at; gsize n; } cases[] = {
    { { ARMILLA_SCALE_LINEAR, NAN, NAN, 1 }, -5, 1000, 1, 4 },
    { { ARMILLA_SCALE_LOG, NAN, NAN, 1 }, 1e-3, 1000, 1, 4 },
    { { ARMILLA_SCALE_LOG, 0.5, NAN, 1 }, 0.5, 1000, 1, 4 },
    { { ARMILLA_SCALE_SYMLOG, NAN, NAN, NAN }, -5, 1000, 1, 4 },
    { { ARMILLA_SCALE_SYMLOG, NAN, 10, NAN }, -5, 10, 0.01, 4 },
    { { ARMILLA_SCALE_LINEAR, NAN, NAN, 1 }, 0, 1, 1, 0 },
    { { ARMILLA_SCALE_LOG, NAN, NAN, 1 }, NAN, NAN, 1, 0 },
    { { ARMILLA_SCALE_LOG, NAN, 20, 1 }, 2, 20, 1, 0 },
    { { ARMILLA_SCALE_LINEAR, NAN, NAN, 1 }, -5.05, -4.95, 1, 1 },
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      double values[] = { -5, 1e-5, 1000, NAN };
      ArmillaAxis colours = cases[k].colours;

      armilla_colours_range (&colours, values, cases[k].n, 0);
      if (isnan (cases[k].low))
        {
          g_assert_true (isnan (colours.low) && isnan (colours.high));
          continue;
        }
      g_assert_cmpfloat_with_epsilon (colours.low, cases[k].low, 1e-12);
      g_assert_cmpfloat_with_epsilon (colours.high, cases[k].high, 1e-12);
      g_assert_cmpfloat_with_epsilon (colours.at, cases[k].at, 1e-12);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-matrix/elements", test_elements);
  g_test_add_func ("/render-matrix/margins", test_margins);
  g_test_add_func ("/render-matrix/correlation", test_correlation);
  g_test_add_func ("/render-matrix/no-variance", test_no_variance);
  g_test_add_func ("/render-matrix/no-covariance", test_no_covariance);
  g_test_add_func ("/render-matrix/ranges", test_ranges);
  g_test_add_func ("/render-matrix/logarithmic-axis", test_logarithmic_axis);
  return g_test_run ();
}
