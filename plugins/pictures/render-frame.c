/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a plot: its place, axes and labels. */
#include <math.h>

#include "plugins/pictures/render-private.h"

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

/* The title above, a name below the horizontal axis, one beside the vertical one; names are
 * formulas. */
void
armilla_frame_labels (const ArmillaFrame *frame, cairo_t *cr, double size, const char *title,
                      const char *x_label, const char *y_label)
{
  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_text (cr, title, frame->left + frame->width / 2, frame->top / 2, 1.25 * size, 0.5,
                0.5);
  armilla_formula (cr, x_label, frame->left + frame->width / 2,
                   frame->top + frame->height + 2.2 * size, size, 0.5, 1);
  cairo_save (cr);
  cairo_translate (cr, 0.9 * size, frame->top + frame->height / 2);
  cairo_rotate (cr, -G_PI / 2);
  armilla_formula (cr, y_label, 0, 0, size, 0.5, 0.5);
  cairo_restore (cr);
}
