/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over maps from other inputs: objects of catalogues, contours. */
#include "tests/pictures/picture-helpers.h"

#define DEGREE (G_PI / 180)
#define WIDTH 800

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
      /* The lower left corner has the scale bar, over all objects. */
      return cos_c > 0 && fabs (at[0]) < 0.98 && fabs (at[1]) < 0.98
             && (at[0] > -0.4 || at[1] > -0.8);
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
      picture = draw_sky (&style, 0);
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
      *(turn ? &back : &forth) = draw_sky (&style, 0);
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
      *(turn ? &back : &forth) = draw_sky (&style, 0);
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
        picture = draw_sky (&style, 0);
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

typedef double (*Function) (double theta, double phi);

static double
theta_of (double theta, double phi)
{
  (void) phi;
  return theta;
}

static double
four_waves (double theta, double phi)
{
  (void) theta;
  return cos (4 * phi);
}

static double
hill (double theta, double phi)
{
  return acos (sin (theta) * cos (phi));
}

static double
northern (double theta, double phi)
{
  return theta < 1.2 ? cos (phi) : ARMILLA_UNSEEN;
}

static double
nothing (double theta, double phi)
{
  (void) theta;
  (void) phi;
  return NAN;
}

/* Contours of a function on a grid. */
static ArmillaContours *
contours_of (ArmillaGrid *grid, Function function, const ArmillaProjection *projection,
             const double *levels, int n)
{
  ArmillaContours *contours = armilla_contours_new (grid, projection, WIDTH, NULL);
  g_autofree double *pixels = g_new (double, grid->n_pixels);

  for (gint64 i = 0; i < grid->n_pixels; i++)
    {
      double v[3];

      armilla_grid_pixel_vector (grid, i, v);
      pixels[i] = function (atan2 (hypot (v[0], v[1]), v[2]), atan2 (v[1], v[0]));
    }
  for (gint64 end = grid->n_pixels; end > 0; end -= MIN (end, 1000))
    armilla_contours_put (contours, end - MIN (end, 1000), MIN (end, 1000),
                          pixels + end - MIN (end, 1000));
  armilla_contours_end (contours, levels, n);
  return contours;
}

static int
count_lines (const GArray *lines)
{
  int n = 0;

  for (guint i = 0; i < lines->len; i++)
    n += g_array_index (lines, ArmillaContourPoint, i).begins;
  return n;
}

/* Values that are linear in theta are interpolated exactly: a contour is a parallel, one line from
 * edge to edge, whatever the grid. */
static void
test_parallels (void)
{
  static const double levels[] = { 1, G_PI / 2, 2.5 };
  const ArmillaProjection all = { .kind = ARMILLA_PROJECTION_CARTESIAN };

  for (int kind = 0; kind < 3; kind++)
    {
      g_autoptr (ArmillaGrid) grid = kind == 0   ? armilla_grid_new_healpix (4, NULL)
                                     : kind == 1 ? armilla_grid_new_gauss_legendre (30, 40, NULL)
                                                 : armilla_grid_new_healpix (128, NULL);

      for (gsize k = 0; k < G_N_ELEMENTS (levels); k++)
        {
          ArmillaContours *contours = contours_of (grid, theta_of, &all, &levels[k], 1);
          const GArray *lines = armilla_contours_lines (contours);
          double left = INFINITY, right = -INFINITY;

          g_assert_cmpint (count_lines (lines), ==, 1);
          for (guint i = 0; i < lines->len; i++)
            {
              const ArmillaContourPoint *point = &g_array_index (lines, ArmillaContourPoint, i);

              g_assert_cmpfloat_with_epsilon (point->y * 2, levels[k] / G_PI * WIDTH / 2, 1e-3);
              left = MIN (left, point->x);
              right = MAX (right, point->x);
            }
          g_assert_cmpfloat (left, ==, 0);
          g_assert_cmpfloat (right, ==, WIDTH / 2);
          armilla_contours_free (contours);
        }
    }
}

/* 1 within 1 radian of the pole, except for what rounds, and less and less beyond. */
static double
plateau (double theta, double phi)
{
  return theta < 1 ? 1 - 1e-15 * fabs (sin (1e3 * phi)) : 2 - theta;
}

/* A contour at the value of a plateau is its edge, and nothing within it. */
static void
test_plateau (void)
{
  const double level = 1;
  const ArmillaProjection all = { .kind = ARMILLA_PROJECTION_CARTESIAN };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (128, NULL);
  ArmillaContours *contours = contours_of (grid, plateau, &all, &level, 1);
  const GArray *lines = armilla_contours_lines (contours);

  g_assert_cmpint (count_lines (lines), ==, 1);
  g_assert_cmpint (lines->len, <, WIDTH);
  for (guint i = 0; i < lines->len; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (lines, ArmillaContourPoint, i).y * 2,
                                    WIDTH / 2 / G_PI, 2);
  armilla_contours_free (contours);
}

/* A level is crossed as often as the function crosses it, where it does. */
static void
test_meridians (void)
{
  const double level = 0.5;
  const ArmillaProjection all = { .kind = ARMILLA_PROJECTION_CARTESIAN };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (128, NULL);
  ArmillaContours *contours = contours_of (grid, four_waves, &all, &level, 1);
  const GArray *lines = armilla_contours_lines (contours);
  int crossings = 0;

  for (guint i = 1; i < lines->len; i++)
    {
      const ArmillaContourPoint *a = &g_array_index (lines, ArmillaContourPoint, i - 1), *b = a + 1;
      const double equator = WIDTH / 8.0 + 0.25, phi = (0.5 - b->x * 2 / WIDTH) * 2 * G_PI;

      if (b->begins || (a->y < equator) == (b->y < equator))
        continue;
      crossings++;
      g_assert_cmpfloat_with_epsilon (cos (4 * phi), level, 0.03);
    }
  g_assert_cmpint (crossings, ==, 8);
  armilla_contours_free (contours);
}

/* A hill has rings around it, at their angles from its top. */
static void
test_rings (void)
{
  static const double levels[] = { 0.1, 0.2, 0.3 };
  const ArmillaProjection square = { ARMILLA_PROJECTION_GNOMONIC, 0, 0, 0.9, 0, 0, 0 };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (64, NULL);
  ArmillaContours *contours = contours_of (grid, hill, &square, levels, 3);
  const GArray *lines = armilla_contours_lines (contours);
  int ring = -1;
  ArmillaContourPoint first = { 0 };

  g_assert_cmpint (count_lines (lines), ==, 3);
  for (guint i = 0; i < lines->len; i++)
    {
      const ArmillaContourPoint *point = &g_array_index (lines, ArmillaContourPoint, i);
      const double u = (4 * point->x / WIDTH - 1) * tan (0.45);
      const double v = (1 - 4 * point->y / WIDTH) * tan (0.45);

      ring += point->begins;
      if (point->begins)
        first = *point;
      g_assert_cmpfloat_with_epsilon (atan (hypot (u, v)), levels[ring], 0.004);
      if (i + 1 == lines->len || point[1].begins)
        g_assert_true (point->x == first.x && point->y == first.y);
    }
  armilla_contours_free (contours);
}

/* No line goes where there are no data, or through what hides the edge of the sky. */
static void
test_gaps (void)
{
  const ArmillaProjection both = { .kind = ARMILLA_PROJECTION_HEMISPHERES };
  const double level = 0.3;
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  ArmillaContours *contours = contours_of (grid, northern, &both, &level, 1);
  const GArray *lines = armilla_contours_lines (contours);
  int n;

  g_assert_cmpint (lines->len, >, 50);
  for (guint i = 0; i < lines->len; i++)
    {
      const ArmillaContourPoint *point = &g_array_index (lines, ArmillaContourPoint, i);
      const double v = 1 - 2 * point->y * 2 / armilla_projection_height (&both, WIDTH);

      g_assert_cmpfloat (v, >, cos (1.25));
      if (!point->begins)
        g_assert_cmpfloat (hypot (point->x - point[-1].x, point->y - point[-1].y), <, 1.5);
    }
  armilla_contours_free (contours);
  contours = contours_of (grid, nothing, &both, NULL, 0);
  armilla_contours_levels (contours, &n);
  g_assert_cmpint (n, >, 0);
  g_assert_cmpint (armilla_contours_lines (contours)->len, ==, 0);
  armilla_contours_free (contours);
}

/* Default levels are round numbers within the values. */
static void
test_levels (void)
{
  const ArmillaProjection all = { .kind = ARMILLA_PROJECTION_MOLLWEIDE };
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (32, NULL);
  ArmillaContours *contours = contours_of (grid, theta_of, &all, NULL, 0);
  int n;
  const double *levels = armilla_contours_levels (contours, &n);

  g_assert_cmpint (n, ==, 5);
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (levels[i], 0.5 * (i + 1), 1e-12);
  g_assert_cmpint (count_lines (armilla_contours_lines (contours)), ==, 5);
  armilla_contours_free (contours);
}

/* Lines are dark with a light rim, where they are said to be, and not beyond the sky. */
static void
test_drawn (void)
{
  static const double levels[] = { G_PI / 3, G_PI / 2 };
  ArmillaSkyStyle style = style_of (ARMILLA_PROJECTION_ORTHOGRAPHIC, 0, 0, 0);
  const ArmillaSkyBox box = armilla_sky_box (&style);
  g_autoptr (ArmillaGrid) grid = armilla_grid_new_healpix (16, NULL);
  g_autofree double *pixels = component_map (grid, 2);
  g_autoptr (Surface) picture = NULL;
  const double middle = box.left + box.width / 2.0;

  style.contours = armilla_contours_new (grid, &style.projection, box.width, NULL);
  for (gint64 i = 0; i < grid->n_pixels; i++)
    pixels[i] = acos (pixels[i]);
  armilla_contours_put (style.contours, 0, grid->n_pixels, pixels);
  armilla_contours_end (style.contours, levels, 2);
  picture = draw_sky (&style, 0);
  for (int i = 0; i < 2; i++)
    {
      const double y = box.top + box.height / 2.0 * (1 - cos (levels[i]));
      int max_blue = 0;

      for (int k = -3; k <= 3; k++)
        max_blue = MAX (max_blue, (int) (colour_at (picture, middle, y + k) & 0xff));
      g_assert_cmpint (max_blue, >, 80);
      g_assert_cmpint (colour_at (picture, middle, y + 8) & 0xff, <, 40);
    }
  armilla_contours_free (style.contours);
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
  g_test_add_func ("/render-overlays/parallels", test_parallels);
  g_test_add_func ("/render-overlays/meridians", test_meridians);
  g_test_add_func ("/render-overlays/plateau", test_plateau);
  g_test_add_func ("/render-overlays/rings", test_rings);
  g_test_add_func ("/render-overlays/gaps", test_gaps);
  g_test_add_func ("/render-overlays/levels", test_levels);
  g_test_add_func ("/render-overlays/drawn", test_drawn);
  return g_test_run ();
}
