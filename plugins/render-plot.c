/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "plugins/render-private.h"

#define LEFT 0.13
#define RIGHT 0.03
#define TOP 0.075
#define BOTTOM 0.09

/* Distinct in hue and in lightness. */
static const double colours[][3] = {
  { 0.10, 0.25, 0.60 }, { 0.80, 0.25, 0.10 }, { 0.15, 0.55, 0.25 },
  { 0.60, 0.20, 0.60 }, { 0.85, 0.60, 0.05 }, { 0.20, 0.60, 0.70 },
};

/* A colour for each of several curves: red, green, blue. */
const double *
armilla_plot_colour (int field)
{
  return colours[field % (int) G_N_ELEMENTS (colours)];
}

/**
 * armilla_plot_height:
 * @width: width of a plot
 *
 * Returns: its height
 */
int
armilla_plot_height (int width)
{
  return (int) lrint (width * 0.65);
}

/* The frame of a plot of this width, its ranges still to be set. */
ArmillaFrame
armilla_frame_new (int width, ArmillaScale x_scale, ArmillaScale y_scale)
{
  return (ArmillaFrame) { .left = width * LEFT, .top = width * TOP,
                          .width = width * (1 - LEFT - RIGHT),
                          .height = armilla_plot_height (width) - width * (TOP + BOTTOM),
                          .x_scale = x_scale, .y_scale = y_scale };
}

static double
fraction (ArmillaScale scale, double low, double high, double value)
{
  return scale == ARMILLA_SCALE_LOG ? log (value / low) / log (high / low)
    : (value - low) / (high - low);
}

double
armilla_frame_x (const ArmillaFrame *frame, double value)
{
  return frame->left + frame->width * fraction (frame->x_scale, frame->x_low, frame->x_high, value);
}

double
armilla_frame_y (const ArmillaFrame *frame, double value)
{
  return frame->top
    + frame->height * (1 - fraction (frame->y_scale, frame->y_low, frame->y_high, value));
}

/* D_l = l (l + 1) C_l / 2 pi */
static double
scaled (const ArmillaPlot *plot, int field, gint64 l)
{
  return (double) l * (double) (l + 1) / (2 * G_PI) * plot->values[field * (plot->lmax + 1) + l];
}

static void
find_range (const ArmillaPlot *plot, gint64 first, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (int f = 0; f < plot->n_fields; f++)
    for (gint64 l = first; l <= plot->lmax; l++)
      {
        double y = scaled (plot, f, l);

        if (isfinite (y) && (plot->y_scale == ARMILLA_SCALE_LINEAR || y > 0))
          {
            *low = MIN (*low, y);
            *high = MAX (*high, y);
          }
      }
}

/* The data's range with a margin, where the style does not say it. */
static gboolean
set_y_range (const ArmillaPlot *plot, gint64 first, ArmillaFrame *frame, GError **error)
{
  double low, high, margin;

  find_range (plot, first, &low, &high);
  if (low > high)
    {
      if (plot->y_scale == ARMILLA_SCALE_LOG)
        {
          g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                               "y-scale = log, but no value of the spectrum is positive");
          return FALSE;
        }
      low = 0;
      high = 1;
    }
  if (plot->y_scale == ARMILLA_SCALE_LOG)
    {
      margin = MAX (pow (high / low, 0.05), 1.05);
      frame->y_low = isnan (plot->low) ? low / margin : plot->low;
      frame->y_high = isnan (plot->high) ? high * margin : plot->high;
    }
  else
    {
      margin = high > low ? 0.05 * (high - low) : high != 0 ? 0.05 * fabs (high) : 1;
      frame->y_low = isnan (plot->low) ? (low >= 0 && low < 0.5 * high ? 0 : low - margin)
        : plot->low;
      frame->y_high = isnan (plot->high) ? high + margin : plot->high;
    }
  if (frame->y_low < frame->y_high && (plot->y_scale == ARMILLA_SCALE_LINEAR || frame->y_low > 0))
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
               "the vertical axis would go from %g to %g; change min or max", frame->y_low,
               frame->y_high);
  return FALSE;
}

/* Ticks, their lines and numbers, and the frame around all. */
void
armilla_frame_axes (const ArmillaFrame *frame, cairo_t *cr, double size)
{
  g_autoptr (GArray) x_ticks = armilla_ticks (frame->x_scale, frame->x_low, frame->x_high, 8);
  g_autoptr (GArray) y_ticks = armilla_ticks (frame->y_scale, frame->y_low, frame->y_high, 6);

  cairo_set_line_width (cr, size / 24);
  for (guint i = 0; i < x_ticks->len + y_ticks->len; i++)
    {
      gboolean vertical = i < x_ticks->len;
      double value = vertical ? g_array_index (x_ticks, double, i)
        : g_array_index (y_ticks, double, i - x_ticks->len);
      double x = vertical ? armilla_frame_x (frame, value) : frame->left;
      double y = vertical ? frame->top + frame->height : armilla_frame_y (frame, value);
      g_autofree char *label = armilla_tick_label (value);

      cairo_set_source_rgb (cr, 0.85, 0.85, 0.85);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, vertical ? x : frame->left + frame->width, vertical ? frame->top : y);
      cairo_stroke (cr);
      cairo_set_source_rgb (cr, 0, 0, 0);
      if (vertical)
        armilla_text (cr, label, x, y + 0.5 * size, size, 0.5, 1);
      else
        armilla_text (cr, label, x - 0.5 * size, y, size, 1, 0.5);
    }
  cairo_rectangle (cr, frame->left, frame->top, frame->width, frame->height);
  cairo_set_line_width (cr, size / 16);
  cairo_stroke (cr);
}

/* In the upper right corner, one below the other, on a pale ground that keeps them legible. */
void
armilla_frame_name (const ArmillaFrame *frame, cairo_t *cr, const char *name, const double *colour,
                    int field, double size)
{
  double right = frame->left + frame->width - size;
  double top = frame->top + (0.7 + 1.4 * field) * size;
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  cairo_text_extents_t extents;

  cairo_set_font_size (cr, size);
  cairo_text_extents (cr, valid, &extents);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.8);
  cairo_rectangle (cr, right - extents.x_advance - 0.3 * size, top - 0.3 * size,
                   extents.x_advance + 0.6 * size, 1.35 * size);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, colour[0], colour[1], colour[2]);
  armilla_text (cr, valid, right, top, size, 1, 1);
}

static void
draw_curve (const ArmillaPlot *plot, const ArmillaFrame *frame, cairo_t *cr, int field,
            gint64 first, double size)
{
  const double *colour = armilla_plot_colour (field);

  cairo_save (cr);
  cairo_rectangle (cr, frame->left, frame->top, frame->width, frame->height);
  cairo_clip (cr);
  cairo_new_path (cr);
  for (gint64 l = first; l <= plot->lmax; l++)
    {
      double y = scaled (plot, field, l);

      /* A gap where there is nothing to draw. */
      if (!isfinite (y) || (frame->y_scale == ARMILLA_SCALE_LOG && y <= 0))
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, armilla_frame_x (frame, (double) l), armilla_frame_y (frame, y));
    }
  cairo_set_source_rgb (cr, colour[0], colour[1], colour[2]);
  cairo_set_line_width (cr, size / 10);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* The title above, a name below the horizontal axis, one beside the vertical one. */
void
armilla_frame_labels (const ArmillaFrame *frame, cairo_t *cr, double size, const char *title,
                      const char *x_label, const char *y_label)
{
  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_text (cr, title, frame->left + frame->width / 2, frame->top / 2, 1.25 * size, 0.5,
                0.5);
  armilla_text (cr, x_label, frame->left + frame->width / 2,
                frame->top + frame->height + 2.2 * size, size, 0.5, 1);
  cairo_save (cr);
  cairo_translate (cr, 0.9 * size, frame->top + frame->height / 2);
  cairo_rotate (cr, -G_PI / 2);
  armilla_text (cr, y_label, 0, 0, size, 0.5, 0.5);
  cairo_restore (cr);
}

/**
 * armilla_plot_draw:
 * @plot: what to draw
 * @cr: where to draw, white and of size @plot->width times armilla_plot_height()
 * @error: return location
 *
 * Draws l (l + 1) C_l / 2 pi from l = 2 on (from 0 or 1 where the spectrum ends before).
 *
 * Returns: whether the axes could be laid out; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_plot_draw (const ArmillaPlot *plot, cairo_t *cr, GError **error)
{
  double size = plot->width * ARMILLA_PLOT_LETTER;
  g_autofree char *label = plot->unit[0] != '\0'
    ? g_strdup_printf ("l (l + 1) C_l / 2\317\200  [%s]", plot->unit)
    : g_strdup ("l (l + 1) C_l / 2\317\200");
  gint64 first = MIN (plot->x_scale == ARMILLA_SCALE_LOG ? MIN (2, MAX (1, plot->lmax)) : 2,
                      plot->lmax);
  ArmillaFrame frame = armilla_frame_new (plot->width, plot->x_scale, plot->y_scale);

  frame.x_low = (double) first;
  frame.x_high = (double) MAX (plot->lmax, first + 1);
  if (plot->x_scale == ARMILLA_SCALE_LOG && plot->lmax < 1)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "x-scale = log needs a spectrum that goes to l = 1 at least");
      return FALSE;
    }
  if (!set_y_range (plot, first, &frame, error))
    return FALSE;
  armilla_frame_axes (&frame, cr, size);
  for (int f = 0; f < plot->n_fields; f++)
    draw_curve (plot, &frame, cr, f, first, size);
  for (int f = 0; plot->n_fields > 1 && f < plot->n_fields; f++)
    armilla_frame_name (&frame, cr, plot->names[f], armilla_plot_colour (f), f, size);
  armilla_frame_labels (&frame, cr, size, plot->title, "multipole l", label);
  return TRUE;
}
