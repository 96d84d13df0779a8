/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws curves, and points with errors, within a frame. */
#include <math.h>

#include "plugins/pictures/plot-private.h"

/* Lengths in units of the letter height. */
#define LINE 0.1
#define RADIUS 0.23
#define CAP 0.2
/* distance by which points are shifted apart; also the maximum fraction of the spacing of bins */
#define SPREAD 0.6

/* Maximum number of points of curves that are shifted apart. */
#define MAX_SPREAD 500

/* Minimum number of successive negative points that are drawn as a line. */
#define LONG_RUN 6

/* Returns whether a value is negative and the axis shows absolute values. */
static gboolean
is_hollow (const ArmillaFrame *frame, double value)
{
  return frame->y.scale == ARMILLA_SCALE_LOG && isfinite (value) && value < 0;
}

/* Returns whether the line through the points of one sign contains point @i; otherwise it is
 * interrupted there. */
static gboolean
on_line (const ArmillaCurve *curve, const ArmillaFrame *frame, gint64 i, int sign)
{
  if (i < 0 || i >= curve->n || !isfinite (curve->y[i]))
    return FALSE;
  return frame->y.scale != ARMILLA_SCALE_LOG || sign * curve->y[i] > 0;
}

/* Returns the index after the last of the successive negative points that begin at @i. */
static gint64
negative_run (const ArmillaCurve *curve, const ArmillaFrame *frame, gint64 i)
{
  while (i < curve->n && is_hollow (frame, curve->y[i]))
    i++;
  return i;
}

static double
height (const ArmillaFrame *frame, double value)
{
  return armilla_frame_y (frame, frame->y.scale == ARMILLA_SCALE_LOG ? fabs (value) : value);
}

static void
stroke_run (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, gint64 from,
            gint64 to)
{
  cairo_new_sub_path (cr);
  for (gint64 i = from; i < to; i++)
    cairo_line_to (cr, armilla_frame_x (frame, curve->x[i]), height (frame, curve->y[i]));
  cairo_stroke (cr);
}

/* Draws points of a line that have no neighbour of the same sign. Negative ones on a logarithmic
 * axis are hollow, and some are omitted if they would overlap. */
static void
draw_lone_points (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  const double radius = 0.17 * size;
  double last_x = -INFINITY, last_y = 0;

  for (gint64 i = 0; i < curve->n; i++)
    {
      const gboolean hollow = is_hollow (frame, curve->y[i]);
      double x, y;

      if (hollow)
        {
          const gint64 end = negative_run (curve, frame, i);

          if (end - i >= LONG_RUN)
            {
              i = end - 1;
              continue;
            }
        }
      else if (!on_line (curve, frame, i, 1) || on_line (curve, frame, i - 1, 1)
               || on_line (curve, frame, i + 1, 1))
        continue;
      x = armilla_frame_x (frame, curve->x[i]);
      y = height (frame, curve->y[i]);
      if (hollow && hypot (x - last_x, y - last_y) < 3 * radius)
        continue;
      armilla_mark_draw (cr, ARMILLA_MARK_CIRCLE, hollow, x, y, radius);
      if (hollow)
        {
          last_x = x;
          last_y = y;
        }
    }
}

/* Draws the band of one standard deviation about a line. */
static void
draw_band (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr)
{
  const gboolean logarithmic = frame->y.scale == ARMILLA_SCALE_LOG;

  cairo_new_path (cr);
  for (int side = 1; side >= -1; side -= 2)
    for (gint64 k = 0; k < curve->n; k++)
      {
        const gint64 i = side > 0 ? k : curve->n - 1 - k;
        const double value = logarithmic ? fabs (curve->y[i]) : curve->y[i];

        if (isfinite (curve->y[i]) && isfinite (curve->error[i]))
          cairo_line_to (cr, armilla_frame_x (frame, curve->x[i]),
                         armilla_frame_y (frame, value + side * curve->error[i]));
      }
  cairo_close_path (cr);
  cairo_set_source_rgba (cr, curve->colour[0], curve->colour[1], curve->colour[2], 0.25);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, curve->colour[0], curve->colour[1], curve->colour[2]);
}

static void
draw_line (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  if (curve->error != NULL)
    draw_band (curve, frame, cr);
  for (gint64 i = 0; i < curve->n;)
    {
      const gint64 from = i, negative = negative_run (curve, frame, i);

      if (negative > i)
        {
          armilla_mark_dash (cr, ARMILLA_MARK_DASHED, size);
          if (negative - from >= LONG_RUN)
            stroke_run (curve, frame, cr, from, negative);
          i = negative;
          continue;
        }
      while (on_line (curve, frame, i, 1))
        i++;
      armilla_mark_dash (cr, curve->mark, size);
      stroke_run (curve, frame, cr, from, i);
      i += i == from;
    }
  cairo_set_dash (cr, NULL, 0, 0);
  draw_lone_points (curve, frame, cr, size);
}

/* Draws an error bar. A cap outside the frame is omitted. */
static void
draw_bar (const ArmillaFrame *frame, cairo_t *cr, double x, double from, double to, double cap)
{
  const double bottom = frame->top + frame->height;

  cairo_move_to (cr, x, CLAMP (from, frame->top - 1, bottom + 1));
  cairo_line_to (cr, x, CLAMP (to, frame->top - 1, bottom + 1));
  for (int end = 0; end < 2; end++)
    {
      const double y = end == 0 ? from : to;

      if (y <= frame->top || y >= bottom)
        continue;
      cairo_move_to (cr, x - cap, y);
      cairo_line_to (cr, x + cap, y);
    }
}

static void
draw_error (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, gint64 i,
            double size)
{
  const double value
    = frame->y.scale == ARMILLA_SCALE_LOG ? fabs (curve->y[i]) : curve->y[i];

  if (curve->error != NULL && isfinite (value) && isfinite (curve->error[i])
      && curve->error[i] > 0)
    draw_bar (frame, cr, armilla_frame_x (frame, curve->x[i]) + curve->aside,
              armilla_frame_y (frame, value - curve->error[i]),
              armilla_frame_y (frame, value + curve->error[i]), CAP * size);
}

static void
draw_steps (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  const double bottom = frame->top + frame->height + 10;
  double last = bottom;

  cairo_new_path (cr);
  for (gint64 i = 0; i < curve->n; i++)
    {
      const gboolean shown = isfinite (curve->y[i])
        && (frame->y.scale != ARMILLA_SCALE_LOG || curve->y[i] > 0);
      const double y = shown ? MIN (armilla_frame_y (frame, curve->y[i]), bottom) : bottom;
      const double left = armilla_frame_x (frame, curve->low[i]);

      if (i > 0 && curve->low[i] > curve->high[i - 1])
        {
          cairo_line_to (cr, armilla_frame_x (frame, curve->high[i - 1]), bottom);
          last = bottom;
        }
      if (i == 0)
        cairo_move_to (cr, left, bottom);
      else
        cairo_line_to (cr, left, last);
      cairo_line_to (cr, left, y);
      cairo_line_to (cr, armilla_frame_x (frame, curve->high[i]), y);
      last = y;
    }
  if (curve->n > 0)
    cairo_line_to (cr, armilla_frame_x (frame, curve->high[curve->n - 1]), bottom);
  cairo_set_source_rgba (cr, curve->colour[0], curve->colour[1], curve->colour[2], 0.15);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, curve->colour[0], curve->colour[1], curve->colour[2]);
  cairo_stroke (cr);
  for (gint64 i = 0; i < curve->n; i++)
    draw_error (curve, frame, cr, i, size);
  cairo_stroke (cr);
}

static void
draw_point (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, gint64 i,
            double size)
{
  const double value = curve->y[i];
  const double radius = (curve->n > 60 ? 0.7 : 1) * RADIUS * size;
  double x, y;

  if (!isfinite (value) || (frame->y.scale == ARMILLA_SCALE_LOG && value == 0))
    return;
  x = armilla_frame_x (frame, curve->x[i]) + curve->aside;
  y = height (frame, value);
  cairo_new_path (cr);
  if (curve->bars)
    {
      cairo_move_to (cr, armilla_frame_x (frame, curve->low[i]), y);
      cairo_line_to (cr, armilla_frame_x (frame, curve->high[i]), y);
    }
  draw_error (curve, frame, cr, i, size);
  cairo_stroke (cr);
  armilla_mark_draw (cr, curve->mark, is_hollow (frame, value), x, y, radius);
}

static gboolean
has_points (const ArmillaCurve *curve, int panel)
{
  return curve->panel == panel && curve->n <= MAX_SPREAD && !armilla_mark_is_line (curve->mark)
         && curve->mark != ARMILLA_MARK_STEPS;
}

/* Returns whether more than half of the points of @curve are closer than @near to points of
 * @other. */
static gboolean
coincide (const ArmillaCurve *curve, const ArmillaCurve *other, const ArmillaFrame *frame,
          double near)
{
  gint64 n = 0;

  for (gint64 i = 0; i < curve->n; i++)
    for (gint64 k = 0; k < other->n; k++)
      if (fabs (armilla_frame_x (frame, curve->x[i]) - armilla_frame_x (frame, other->x[k])) < near)
        {
          n++;
          break;
        }
  return 2 * n > curve->n;
}

/* Returns the minimum distance of adjacent points. */
static double
spacing (const ArmillaCurve *curve, const ArmillaFrame *frame)
{
  double min_distance = INFINITY;

  for (gint64 i = 1; i < curve->n; i++)
    min_distance = MIN (min_distance, fabs (armilla_frame_x (frame, curve->x[i])
                                      - armilla_frame_x (frame, curve->x[i - 1])));
  return min_distance;
}

/* Shifts the curves of a panel to the left and right if they have most horizontal positions in
 * common, so that points do not hide each other. */
void
armilla_curves_spread (GArray *curves, int panel, const ArmillaFrame *frame, double size)
{
  ArmillaCurve *all = (ArmillaCurve *) (gpointer) curves->data;

  for (guint i = 0; i < curves->len; i++)
    {
      double room = INFINITY;
      int n = 0, mine = 0;

      if (!has_points (&all[i], panel))
        continue;
      for (guint k = 0; k < curves->len; k++)
        if (has_points (&all[k], panel)
            && (k == i || coincide (&all[i], &all[k], frame, RADIUS * size)))
          {
            room = MIN (room, spacing (&all[k], frame));
            mine += k < i;
            n++;
          }
      all[i].aside = (mine - (n - 1) / 2.0) * MIN (SPREAD * size, SPREAD * room / n);
    }
}

/* Draws a line, with a band of one standard error if it has errors; or the outline of a histogram,
 * with errors; or points with capped bars of one standard error, and bars across their bins. A
 * logarithmic axis shows absolute values: negative points are hollow, negative lines dashed. Does
 * not clip to the frame. */
void
armilla_curve_draw (const ArmillaCurve *curve, const ArmillaFrame *frame, cairo_t *cr, double size)
{
  cairo_set_source_rgb (cr, curve->colour[0], curve->colour[1], curve->colour[2]);
  cairo_set_line_width (cr, LINE * size);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_new_path (cr);
  if (curve->mark == ARMILLA_MARK_STEPS)
    draw_steps (curve, frame, cr, size);
  else if (armilla_mark_is_line (curve->mark))
    draw_line (curve, frame, cr, size);
  else
    {
      cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
      for (gint64 i = 0; i < curve->n; i++)
        draw_point (curve, frame, cr, i, size);
    }
}

/* Returns whether the curve has hollow points of negative values; sets line if it has dashed
 * lines. */
gboolean
armilla_curve_is_negative (const ArmillaCurve *curve, const ArmillaFrame *frame, gboolean *line)
{
  gboolean points = FALSE;

  for (gint64 i = 0; curve->mark != ARMILLA_MARK_STEPS && i < curve->n; i++)
    if (is_hollow (frame, curve->y[i]))
      {
        const gint64 end = negative_run (curve, frame, i);

        if (armilla_mark_is_line (curve->mark) && end - i >= LONG_RUN)
          *line = TRUE;
        else
          points = TRUE;
        i = end;
      }
  return points;
}
