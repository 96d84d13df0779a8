/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays of a map: graticule, axes, a scale bar. Lines and letters are dark with a light rim,
 * visible on every colour. */
#include <math.h>

#include "plugins/pictures/sky-private.h"

#define DEGREE (G_PI / 180)
/* Number of segments of a meridian or a parallel. */
#define PIECES 360

/* Projection and position of a picture, which map directions to points. */
typedef struct {
  const ArmillaProjection *projection;
  const ArmillaSkyBox *box;
  double frame[3][3], half_u, half_v;
} View;

static View
view_of (const ArmillaSkyStyle *style, const ArmillaSkyBox *box)
{
  View view = { .projection = &style->projection, .box = box };

  armilla_projection_frame (view.projection, view.frame);
  armilla_projection_extent (view.projection, &view.half_u, &view.half_v);
  return view;
}

/* Finds the point of a direction; FALSE if it is outside the picture. */
static gboolean
place (const View *view, double longitude, double latitude, double *x, double *y)
{
  const double vector[3] = { cos (latitude) * cos (longitude), cos (latitude) * sin (longitude),
                             sin (latitude) };
  double u, v;

  if (!armilla_projection_point (view->projection, view->frame, vector, &u, &v)
      || !(fabs (u) < 4 * view->half_u && fabs (v) < 4 * view->half_v))
    return FALSE;
  *x = view->box->left + view->box->width * (u / view->half_u + 1) / 2;
  *y = view->box->top + view->box->height * (1 - v / view->half_v) / 2;
  return TRUE;
}

/* Rounds down to a readable step in degrees, of at least a second of arc. */
static double
nice_step (double wanted)
{
  static const double degrees[] = { 90, 60, 30, 15, 10, 5, 2, 1 };
  static const double parts[] = { 30, 15, 10, 5, 2, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (degrees); i++)
    if (degrees[i] <= wanted * 1.0001)
      return degrees[i];
  for (int unit = 60; unit <= 3600; unit *= 60)
    for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
      if (parts[i] / unit <= wanted * 1.0001)
        return parts[i] / unit;
  return 1 / 3600.0;
}

/* Returns the maximum difference of longitude from the centre in the picture, degrees; 180 if a
 * pole is visible. */
static double
find_width (const ArmillaProjection *self)
{
  const double half = 0.75 * self->size, top = fabs (self->latitude) + half;

  return top < 89.9 * DEGREE ? MIN (half / cos (top) / DEGREE, 180) : 180;
}

/* Finds the distances of meridians and of parallels in degrees. */
static void
find_steps (const ArmillaProjection *self, double *longitude, double *latitude)
{
  double size = self->size / DEGREE;

  *latitude = 30;
  *longitude = 60;
  if (self->kind == ARMILLA_PROJECTION_ORTHOGRAPHIC || self->kind == ARMILLA_PROJECTION_HEMISPHERES)
    *longitude = 30;
  if (self->width > 0)
    {
      *latitude = nice_step (MIN (self->height / DEGREE / 4, 30));
      *longitude = nice_step (MIN (self->width / DEGREE / 4, 60));
      return;
    }
  if (!armilla_projection_is_square (self) || size <= 0)
    return;
  *latitude = nice_step (size / 4);
  *longitude = nice_step (MIN (find_width (self) / 3, 30));
}

/* Formats degrees, or minutes or seconds of arc if these are whole numbers. */
static char *
angle_label (double degrees, double step)
{
  if (step >= 1)
    return g_strdup_printf ("%s%.0f\302\260", degrees < -0.5 ? "\342\210\222" : "",
                            fabs (degrees));
  else
    {
      const gboolean seconds = step < 0.99 / 60;
      const double all = rint (fabs (degrees) * 3600);
      const int whole = (int) (all / 3600), minutes = (int) fmod (all / 60, 60);

      return seconds ? g_strdup_printf ("%s%d\302\260%02d\342\200\262%02d\342\200\263",
                                        degrees < 0 && all > 0 ? "\342\210\222" : "", whole,
                                        minutes, (int) fmod (all, 60))
        : g_strdup_printf ("%s%d\302\260%02d\342\200\262",
                           degrees < 0 && all > 0 ? "\342\210\222" : "", whole, minutes);
    }
}

/* Strokes the path as a dark line with a light rim. */
static void
stroke_rimmed (cairo_t *cr, double width)
{
  cairo_set_source_rgba (cr, 1, 1, 1, 0.65);
  cairo_set_line_width (cr, 3.5 * width);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.85);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

/* Draws letters with a light rim. @align_x, @align_y: as in armilla_text () */
static void
text_rimmed (cairo_t *cr, const char *text, double x, double y, double size, double align_x,
             double align_y)
{
  cairo_text_extents_t extents;

  cairo_set_font_size (cr, size);
  cairo_text_extents (cr, text, &extents);
  cairo_move_to (cr, x - align_x * extents.x_advance, y + align_y * 0.72 * size);
  cairo_text_path (cr, text);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.85);
  cairo_set_line_width (cr, 0.22 * size);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_fill (cr);
}

/* Adds a line between two directions with equal latitude or longitude. It is interrupted outside of
 * the picture. */
static void
add_line (const View *view, cairo_t *cr, const double longitude[2], const double latitude[2])
{
  const gboolean two = view->projection->kind == ARMILLA_PROJECTION_HEMISPHERES;
  const double middle = view->box->left + view->box->width / 2.0;
  double before[2] = { 0, 0 };
  gboolean drawn = FALSE;

  for (int i = 0; i <= PIECES; i++)
    {
      const double t = (double) i / PIECES;
      double x, y;

      if (!place (view, longitude[0] + t * (longitude[1] - longitude[0]),
                  latitude[0] + t * (latitude[1] - latitude[0]), &x, &y))
        {
          drawn = FALSE;
          continue;
        }
      if (drawn && hypot (x - before[0], y - before[1]) < 0.25 * view->box->width
          && !(two && (x < middle) != (before[0] < middle)))
        cairo_line_to (cr, x, y);
      else
        cairo_move_to (cr, x, y);
      drawn = TRUE;
      before[0] = x;
      before[1] = y;
    }
}

/* Finds the range of meridians and parallels that may cross the picture. */
static void
find_span (const ArmillaProjection *self, double step_longitude, double step_latitude,
           double longitude[2], double latitude[2])
{
  const double half = 0.75 * self->size;

  longitude[0] = floor ((self->longitude - G_PI) / DEGREE / step_longitude + 1) * step_longitude;
  longitude[1] = longitude[0] + 360 - step_longitude;
  latitude[0] = -90;
  latitude[1] = 90;
  if (!armilla_projection_is_square (self) || self->size <= 0)
    return;
  latitude[0] = MAX (-90, floor ((self->latitude - half) / DEGREE / step_latitude) * step_latitude);
  latitude[1] = MIN (90, (self->latitude + half) / DEGREE);
  if (find_width (self) < 180 - step_longitude)
    {
      const double middle = self->longitude / DEGREE, wide = find_width (self);

      longitude[0] = floor ((middle - wide) / step_longitude) * step_longitude;
      longitude[1] = middle + wide;
    }
}

/* Returns whether text at this position is inside the outline of the sky, at which it would be
 * clipped. */
static gboolean
has_room (const View *view, double left, double bottom, double width, double height)
{
  const ArmillaSkyBox *box = view->box;
  const gboolean two = view->projection->kind == ARMILLA_PROJECTION_HEMISPHERES;
  const double v = box->height / 2.0, u = two ? v : box->width / 2.0;
  const double middle = two && left > box->left + box->width / 2.0 ? box->left + box->width - u
                                                                   : box->left + u;

  for (int corner = 0; corner < 4; corner++)
    if (hypot ((left + (corner % 2) * width - middle) / u,
               (bottom - (corner / 2) * height - box->top - v) / v) > 0.99)
      return FALSE;
  return TRUE;
}

/* Draws a label beside a direction if there is room. */
static void
draw_label (const View *view, cairo_t *cr, double longitude, double latitude, const char *label,
            double size)
{
  cairo_text_extents_t extents;
  double x, y;

  cairo_set_font_size (cr, size);
  cairo_text_extents (cr, label, &extents);
  if (place (view, longitude, latitude, &x, &y)
      && has_room (view, x + 0.3 * size, y - 0.3 * size, extents.x_advance, size))
    text_rimmed (cr, label, x + 0.3 * size, y - 0.3 * size, size, 0, 0);
}

/* Returns whether meridians are too close together for labels, as near the edge of an orthographic
 * picture. @from_middle: difference of longitude from the centre */
static gboolean
is_crowded (const ArmillaProjection *self, double from_middle)
{
  if (self->kind == ARMILLA_PROJECTION_HEMISPHERES)
    return fabs (from_middle - G_PI / 2) < 35 * DEGREE;
  return self->kind == ARMILLA_PROJECTION_ORTHOGRAPHIC && from_middle > 55 * DEGREE;
}

/* Labels meridians at the equator, or at the edge of polar views, and parallels on the central
 * meridian. */
static void
draw_labels (const ArmillaSkyStyle *style, const View *view, cairo_t *cr, double step_longitude,
             double step_latitude)
{
  const double size = 0.75 * armilla_sky_letter (style);
  const double middle = style->projection.longitude;
  const gboolean polar = style->projection.kind != ARMILLA_PROJECTION_MOLLWEIDE
                         && fabs (style->projection.latitude) > 60 * DEGREE;
  double longitude[2], latitude[2];

  find_span (view->projection, step_longitude, step_latitude, longitude, latitude);
  for (double l = longitude[0]; l <= longitude[1] + 1e-9; l += step_longitude)
    {
      const double from_middle = fabs (remainder (l * DEGREE - middle, 2 * G_PI));
      const double whole = l - 360 * floor (l / 360 + 1e-9);
      g_autofree char *label = angle_label (whole, step_longitude);

      /* in polar views; not on the central meridian, on which parallels are labelled */
      for (int side = -1; polar && from_middle > 1 * DEGREE && side <= 1; side += 2)
        draw_label (view, cr, l * DEGREE, side * 45 * DEGREE, label, size);
      if (!polar && !is_crowded (view->projection, from_middle))
        draw_label (view, cr, l * DEGREE, 0, label, size);
    }
  for (double b = -60; b <= 60; b += step_latitude)
    {
      g_autofree char *label = angle_label (b, step_latitude);

      if (b != 0)
        draw_label (view, cr, middle, b * DEGREE, label, size);
    }
}

/* Draws meridians and parallels, with labels unless the picture has axes. The caller clips to the
 * outline of the sky. */
void
armilla_sky_graticule (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  const View view = view_of (style, box);
  const double width = MAX (style->width / 1250.0, 1);
  double step_longitude, step_latitude, longitude[2], latitude[2];

  find_steps (&style->projection, &step_longitude, &step_latitude);
  find_span (&style->projection, step_longitude, step_latitude, longitude, latitude);
  cairo_new_path (cr);
  for (double l = longitude[0]; l <= longitude[1] + 1e-9; l += step_longitude)
    add_line (&view, cr, (const double[]) { l * DEGREE, l * DEGREE },
              (const double[]) { latitude[0] * DEGREE, latitude[1] * DEGREE });
  for (double b = latitude[0]; b <= latitude[1] + 1e-9; b += step_latitude)
    if (fabs (b) < 90 - 1e-9)
      add_line (&view, cr, (const double[]) { longitude[0] * DEGREE,
                                              (longitude[1] + step_longitude) * DEGREE },
                (const double[]) { b * DEGREE, b * DEGREE });
  stroke_rimmed (cr, width);
  if (!armilla_projection_is_square (&style->projection))
    draw_labels (style, &view, cr, step_longitude, step_latitude);
}

/* Sets the path to the edge of the sky. */
void
armilla_sky_outline (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  const int n = style->projection.kind == ARMILLA_PROJECTION_HEMISPHERES ? 2 : 1;
  const double radius = box->height / 2.0;

  cairo_new_path (cr);
  if (armilla_projection_is_square (&style->projection))
    {
      cairo_rectangle (cr, box->left, box->top, box->width, box->height);
      return;
    }
  for (int i = 0; i < n; i++)
    {
      const double middle = n == 1 ? box->width / 2.0 : i == 0 ? radius : box->width - radius;

      cairo_save (cr);
      cairo_translate (cr, box->left + middle, box->top + radius);
      cairo_scale (cr, n == 1 ? box->width / 2.0 : radius, radius);
      cairo_new_sub_path (cr);
      cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
      cairo_restore (cr);
    }
}

/* Returns the longitude (for the lower edge) or latitude (for the left edge) in degrees at fraction
 * @t of an edge; longitudes are within 180 degrees of the centre. */
static double
angle_at (const View *view, gboolean bottom, double t)
{
  const double u = view->half_u * (bottom ? 2 * t - 1 : -1);
  const double v = view->half_v * (bottom ? -1 : 1 - 2 * t);
  const double middle = view->projection->longitude;
  double vector[3];

  armilla_projection_vector (view->projection, view->frame, u, v, vector);
  if (!bottom)
    return atan2 (vector[2], hypot (vector[0], vector[1])) / DEGREE;
  return (middle + remainder (atan2 (vector[1], vector[0]) - middle, 2 * G_PI)) / DEGREE;
}

static void
draw_edge (const View *view, cairo_t *cr, double size, double step, gboolean bottom)
{
  const ArmillaSkyBox *box = view->box;
  const int n = bottom ? box->width : box->height;
  double last = -INFINITY, before = angle_at (view, bottom, 0.5 / n);

  for (int i = 1; i < n; i++)
    {
      const double angle = angle_at (view, bottom, (i + 0.5) / n);
      const double k = floor (MAX (angle, before) / step);
      const double at = bottom ? box->left + i : box->top + i;
      cairo_text_extents_t extents;
      g_autofree char *label = NULL;

      if (k <= floor (MIN (angle, before) / step) - 0.5 || k * step < MIN (angle, before)
          || fabs (angle - before) > 90)
        {
          before = angle;
          continue;
        }
      before = angle;
      label = angle_label (bottom ? k * step - 360 * floor (k * step / 360 + 1e-9) : k * step,
                           step);
      cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
      cairo_move_to (cr, bottom ? at : box->left, bottom ? box->top + box->height : at);
      cairo_rel_line_to (cr, bottom ? 0 : -0.35 * size, bottom ? 0.35 * size : 0);
      cairo_set_line_width (cr, size / 16);
      cairo_stroke (cr);
      cairo_set_font_size (cr, size);
      cairo_text_extents (cr, label, &extents);
      if (at - last < (bottom ? extents.x_advance + 0.6 * size : 1.2 * size))
        continue;
      last = at;
      cairo_set_source_rgb (cr, 0, 0, 0);
      armilla_text (cr, label, bottom ? at : box->left - 0.5 * size,
                    bottom ? box->top + box->height + 0.55 * size : at, size, bottom ? 0.5 : 1,
                    bottom ? 1 : 0.5);
    }
}

/* Draws ticks and numbers at straight edges: longitudes below, latitudes on the left. */
void
armilla_sky_axes (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  const View view = view_of (style, box);
  const double size = armilla_sky_letter (style);
  double longitude, latitude;

  find_steps (&style->projection, &longitude, &latitude);
  draw_edge (&view, cr, size, longitude, TRUE);
  draw_edge (&view, cr, size, latitude, FALSE);
  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_text (cr, "longitude", box->left + box->width / 2.0,
                box->top + box->height + 1.75 * size, size, 0.5, 1);
  cairo_save (cr);
  cairo_translate (cr, 1.1 * size, box->top + box->height / 2.0);
  cairo_rotate (cr, -G_PI / 2);
  armilla_text (cr, "latitude", 0, 0, size, 0.5, 0.5);
  cairo_restore (cr);
}

/* Draws a scale bar, whose angular length is right at the centre, in the lower left corner of a
 * gnomonic picture. */
void
armilla_sky_scale_bar (const ArmillaSkyStyle *style, const ArmillaSkyBox *box, cairo_t *cr)
{
  const double size = armilla_sky_letter (style);
  const double step = nice_step (style->projection.size / DEGREE / 5);
  const double length = box->width * tan (step * DEGREE / 2) / tan (style->projection.size / 2);
  const double left = box->left + 1.2 * size, bottom = box->top + box->height - 1.2 * size;
  g_autofree char *label
    = step >= 0.99 ? g_strdup_printf ("%.0f\302\260", step)
      : step >= 0.99 / 60 ? g_strdup_printf ("%.0f\342\200\262", step * 60)
                          : g_strdup_printf ("%.0f\342\200\263", step * 3600);

  cairo_new_path (cr);
  cairo_move_to (cr, left, bottom - 0.3 * size);
  cairo_line_to (cr, left, bottom);
  cairo_line_to (cr, left + length, bottom);
  cairo_line_to (cr, left + length, bottom - 0.3 * size);
  stroke_rimmed (cr, size / 8);
  text_rimmed (cr, label, left + length / 2, bottom - 0.5 * size, size, 0.5, 0);
}
