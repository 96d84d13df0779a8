/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the frame of a plot: axes with ticks and labels. */

#include "plugins/pictures/plot-private.h"

/* Lengths in units of the letter height. */
#define MAJOR 0.5
#define MINOR 0.27
#define APART 0.35 /* minimum gap between labels */

double
armilla_frame_x (const ArmillaFrame *frame, double value)
{
  return frame->left + frame->width * armilla_axis_place (&frame->x, value);
}

double
armilla_frame_y (const ArmillaFrame *frame, double value)
{
  return frame->top + frame->height * (1 - armilla_axis_place (&frame->y, value));
}

/* Draws ticks, which point inwards, on both sides. */
static void
draw_marks (const ArmillaFrame *frame, cairo_t *cr, double size, const GArray *ticks,
            gboolean horizontal)
{
  const double right = frame->left + frame->width, bottom = frame->top + frame->height;

  cairo_new_path (cr);
  for (guint i = 0; i < ticks->len; i++)
    {
      const ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);
      const double length = size * (tick->label != NULL ? MAJOR : MINOR);

      if (horizontal)
        {
          const double x = armilla_frame_x (frame, tick->value);

          cairo_move_to (cr, x, bottom);
          cairo_line_to (cr, x, bottom - length);
          cairo_move_to (cr, x, frame->top);
          cairo_line_to (cr, x, frame->top + length);
        }
      else
        {
          const double y = armilla_frame_y (frame, tick->value);

          cairo_move_to (cr, frame->left, y);
          cairo_line_to (cr, frame->left + length, y);
          cairo_move_to (cr, right, y);
          cairo_line_to (cr, right - length, y);
        }
    }
  cairo_set_line_width (cr, size / 20);
  cairo_stroke (cr);
}

/* Draws the labels of an axis, except those that would touch another one. */
void
armilla_frame_numbers (const ArmillaFrame *frame, cairo_t *cr, double size, const GArray *ticks,
                       gboolean horizontal)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < ticks->len; i++)
    {
      const ArmillaTick *tick = &g_array_index (ticks, ArmillaTick, i);
      const double bottom = frame->top + frame->height;
      double at, half, ends[2];
      gboolean free = TRUE;

      if (tick->label == NULL)
        continue;
      at = horizontal ? armilla_frame_x (frame, tick->value)
        : armilla_frame_y (frame, tick->value);
      half = 0.5 * (horizontal ? armilla_formula_width (cr, tick->label, size) : 0.72 * size);
      ends[0] = at - half - 0.5 * APART * size;
      ends[1] = at + half + 0.5 * APART * size;
      for (guint k = 0; k + 1 < taken->len; k += 2)
        free = free && (g_array_index (taken, double, k) >= ends[1]
                        || g_array_index (taken, double, k + 1) <= ends[0]);
      if (!free)
        continue;
      g_array_append_vals (taken, ends, 2);
      if (horizontal)
        armilla_formula (cr, tick->label, at, bottom + 0.45 * size, size, 0.5, 1);
      else
        armilla_formula (cr, tick->label, frame->left - 0.45 * size, at, size, 1, 0.5);
    }
}

/* Draws the power of ten that all labels of an axis share, at the end of the axis. */
static void
draw_exponent (const ArmillaFrame *frame, cairo_t *cr, double size, int exponent,
               gboolean horizontal)
{
  g_autofree char *text
    = g_strdup_printf ("\303\22710^{%s%d}", exponent < 0 ? "\342\210\222" : "", ABS (exponent));

  if (exponent == 0)
    return;
  if (horizontal)
    armilla_formula (cr, text, frame->left + frame->width, frame->top + frame->height + 1.7 * size,
                     0.9 * size, 1, 1);
  else
    armilla_formula (cr, text, frame->left, frame->top - 0.35 * size, 0.9 * size, 0, 0);
}

/* Draws the frame, its ticks and labels. @exponent: set to the power of ten of the vertical labels,
 * which is then not drawn; NULL: it is drawn. */
void
armilla_frame_axes (const ArmillaFrame *frame, cairo_t *cr, double size, gboolean numbers,
                    int *exponent)
{
  int x_exponent, y_exponent;
  const int about_x = (int) CLAMP (frame->width / (5 * size), 2, 8);
  const int about_y = (int) CLAMP (frame->height / (2.6 * size), 3, 7);
  g_autoptr (GArray) x_ticks = armilla_axis_ticks (&frame->x, about_x, &x_exponent);
  g_autoptr (GArray) y_ticks = armilla_axis_ticks (&frame->y, about_y, &y_exponent);

  cairo_set_source_rgb (cr, 0, 0, 0);
  draw_marks (frame, cr, size, x_ticks, TRUE);
  draw_marks (frame, cr, size, y_ticks, FALSE);
  armilla_frame_numbers (frame, cr, size, y_ticks, FALSE);
  if (exponent != NULL)
    *exponent = y_exponent;
  else
    draw_exponent (frame, cr, size, y_exponent, FALSE);
  if (numbers)
    {
      armilla_frame_numbers (frame, cr, size, x_ticks, TRUE);
      draw_exponent (frame, cr, size, x_exponent, TRUE);
    }
  cairo_rectangle (cr, frame->left, frame->top, frame->width, frame->height);
  cairo_set_line_width (cr, size / 16);
  cairo_stroke (cr);
}
