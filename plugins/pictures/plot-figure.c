/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a plot: panels, residuals below them, axis labels, a legend. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

/* Lengths in units of the letter height. */
#define TITLE 2.6
#define PANEL_NAME 0.9
#define LEFT 5.9
#define RIGHT 1.6
#define TOP 1.6
#define BOTTOM 4.1
#define GAP 0.9 /* gap between a panel and its residuals */

/* Maximum width of a legend beside the frame, as a fraction of the picture's width. */
#define MAX_BESIDE 0.4

/* Height of residuals as a fraction of a panel's height. */
#define RESIDUALS 0.28

static int
n_columns (const ArmillaFigure *self)
{
  return self->n_panels <= 1 ? 1 : self->n_panels <= 4 ? 2 : self->n_panels <= 9 ? 3 : 4;
}

static int
n_rows (const ArmillaFigure *self)
{
  const int columns = n_columns (self);

  return (MAX (self->n_panels, 1) + columns - 1) / columns;
}

/* Returns the letter height in points. */
double
armilla_figure_letter (const ArmillaFigure *self)
{
  const int columns = n_columns (self);

  return armilla_letter ((double) self->width / columns, columns * MAX (self->columns, 1));
}

static double
title_height (const ArmillaFigure *self)
{
  return *self->title != '\0' ? TITLE * armilla_figure_letter (self) : 0;
}

static double
head_height (const ArmillaFigure *self)
{
  return n_columns (self) > 1 ? title_height (self) : 0;
}

static double
row_height (const ArmillaFigure *self)
{
  if (self->height > 0)
    return (self->height - head_height (self)) / n_rows (self);
  return (self->residuals != ARMILLA_RESIDUALS_NONE ? 0.8 : 0.65) * self->width
    / n_columns (self);
}

/* Returns the height of the arranged picture in points. */
int
armilla_figure_height (const ArmillaFigure *self)
{
  return (int) lrint (n_rows (self) * row_height (self) + head_height (self));
}

/* Returns the frame of a panel, or of its residuals, in points, with the figure's axes. */
ArmillaFrame
armilla_figure_frame (const ArmillaFigure *self, int panel, gboolean residuals)
{
  const double letter = armilla_figure_letter (self), head = title_height (self) + self->above;
  const int columns = n_columns (self);
  const double cell = (self->width - self->beside) / columns;
  const double row = columns > 1 ? row_height (self) - self->above / n_rows (self)
                                 : row_height (self) - head;
  const double top = (columns > 1 ? TOP + PANEL_NAME : head > 0 ? 0.9 : TOP) * letter;
  ArmillaFrame frame = { .left = panel % columns * cell + LEFT * letter,
                         .top = head + panel / columns * row + top,
                         .width = cell - (LEFT + RIGHT) * letter,
                         .height = row - top - BOTTOM * letter, .x = self->x, .y = self->y };
  const double below = RESIDUALS * frame.height;

  if (self->residuals == ARMILLA_RESIDUALS_NONE)
    return frame;
  if (residuals)
    frame.top += frame.height - below;
  frame.height = residuals ? below : frame.height - below - GAP * letter;
  return frame;
}

typedef struct {
  const ArmillaFigure *figure;
  int panel;
  const GArray *curves; /* curves of all panels, or residuals of one */
  gboolean zero;
} Ink;

static void
draw_zero (const ArmillaFrame *frame, cairo_t *cr, double size)
{
  if (frame->y.scale == ARMILLA_SCALE_LOG || frame->y.low >= 0 || frame->y.high <= 0)
    return;
  cairo_save (cr);
  cairo_set_source_rgb (cr, 0.55, 0.55, 0.55);
  cairo_set_line_width (cr, size / 16);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_move_to (cr, frame->left, armilla_frame_y (frame, 0));
  cairo_line_to (cr, frame->left + frame->width, armilla_frame_y (frame, 0));
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* Draws all lines, then all points on top of them. */
static void
draw_ink (gconstpointer user, const ArmillaFrame *frame, cairo_t *cr)
{
  const Ink *ink = user;
  const double size = armilla_figure_letter (ink->figure);

  if (ink->zero)
    draw_zero (frame, cr, size);
  for (int data = 0; data < 2; data++)
    for (guint i = 0; i < ink->curves->len; i++)
      {
        const ArmillaCurve *curve = &g_array_index (ink->curves, ArmillaCurve, i);

        if (curve->panel == ink->panel && curve->data == data)
          armilla_curve_draw (curve, frame, cr, size);
      }
}

static Ink
ink_of (const ArmillaFigure *self, int panel)
{
  Ink ink = { self, panel, self->curves, FALSE };

  for (guint i = 0; i < self->curves->len; i++)
    ink.zero = ink.zero || g_array_index (self->curves, ArmillaCurve, i).data;
  return ink;
}

/* What the label of a panel's axis depends on: its first curve, whether all curves are of one
 * quantity, and their unit. */
typedef struct {
  const ArmillaCurve *first;
  gboolean same;
  const char *unit;
} Shown;

static Shown
find_shown (const ArmillaFigure *self, int panel)
{
  Shown shown = { NULL, TRUE, self->unit != NULL ? self->unit : "" };

  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (self->curves, ArmillaCurve, i);

      if (curve->panel != panel)
        continue;
      if (shown.first == NULL)
        shown.first = curve;
      shown.same = shown.same && strcmp (shown.first->formula, curve->formula) == 0;
      if (self->unit == NULL && *shown.unit == '\0')
        shown.unit = curve->unit;
    }
  return shown;
}

static char *
y_label (const ArmillaFigure *self, const Shown *shown, gboolean written_out)
{
  g_autofree char *unit = armilla_unit_formula (shown->unit);
  g_autofree char *name = NULL;

  if (self->y_label != NULL || shown->first == NULL)
    return g_strdup (self->y_label != NULL ? self->y_label : "");
  if (shown->first->kind == ARMILLA_CURVE_MULTIPOLES)
    name = armilla_spectrum_formula (self->quantity, shown->same ? shown->first->group : "",
                                     written_out);
  else
    name = g_strdup (shown->same                                     ? shown->first->formula
                     : shown->first->kind == ARMILLA_CURVE_ANGLES ? "\316\276"
                                                                     : "value");
  return *unit != '\0' ? g_strdup_printf ("%s  [%s]", name, unit) : g_steal_pointer (&name);
}

static void
draw_turned (cairo_t *cr, const char *text, double x, double y, double size)
{
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -G_PI / 2);
  armilla_formula (cr, text, 0, 0, size, 0.5, 0.5);
  cairo_restore (cr);
}

/* Returns the horizontal position of the labels of vertical axes. */
static double
label_x (const ArmillaFigure *self, const ArmillaFrame *frame)
{
  return frame->left - (LEFT - 0.9) * armilla_figure_letter (self);
}

static void
draw_names (const ArmillaFigure *self, int panel, cairo_t *cr)
{
  const double size = armilla_figure_letter (self);
  const gboolean below = self->residuals != ARMILLA_RESIDUALS_NONE;
  const ArmillaFrame frame = armilla_figure_frame (self, panel, FALSE);
  const ArmillaFrame last = armilla_figure_frame (self, panel, below);
  const Shown shown = find_shown (self, panel);
  g_autofree char *label = y_label (self, &shown, TRUE);
  const char *x_label = self->x_label;

  for (guint i = 0; i < self->curves->len && x_label == NULL; i++)
    x_label = g_array_index (self->curves, ArmillaCurve, i).x_label;
  if (armilla_formula_width (cr, label, size) > frame.height)
    {
      g_free (label);
      label = y_label (self, &shown, FALSE);
    }
  cairo_set_source_rgb (cr, 0, 0, 0);
  armilla_formula (cr, x_label != NULL ? x_label : "", frame.left + frame.width / 2,
                   last.top + last.height + 2.1 * size, size, 0.5, 1);
  draw_turned (cr, label, label_x (self, &frame), frame.top + frame.height / 2, size);
  for (guint i = 0; self->n_panels > 1 && i < self->curves->len; i++)
    if (g_array_index (self->curves, ArmillaCurve, i).panel == panel)
      {
        armilla_formula (cr, g_array_index (self->curves, ArmillaCurve, i).group,
                         frame.left + frame.width / 2, frame.top - 0.5 * size, 1.1 * size, 0.5, 0);
        break;
      }
}

static void
draw_frame (const ArmillaFrame *frame, cairo_t *cr, double size, const Ink *ink, gboolean numbers,
            int *exponent)
{
  cairo_save (cr);
  cairo_rectangle (cr, frame->left, frame->top, frame->width, frame->height);
  cairo_clip (cr);
  draw_ink (ink, frame, cr);
  cairo_restore (cr);
  armilla_frame_axes (frame, cr, size, numbers, exponent);
}

/* Draws the label with the power of ten, for which there is no room above the frame. */
static void
draw_residuals_label (const ArmillaFigure *self, int panel, const ArmillaFrame *frame,
                      int exponent, cairo_t *cr)
{
  const Shown shown = find_shown (self, panel);
  g_autofree char *unit = armilla_unit_formula (self->residuals == ARMILLA_RESIDUALS_DIFFERENCE
                                                  ? shown.unit : "");
  g_autofree char *power = exponent == 0 ? g_strdup ("")
    : g_strdup_printf ("10^{%s%d}%s", exponent < 0 ? "\342\210\222" : "", ABS (exponent),
                       *unit != '\0' ? " " : "");
  g_autofree char *scale = *power == '\0' && *unit == '\0' ? g_strdup ("")
    : g_strdup_printf ("  [%s%s]", power, unit);
  g_autofree char *label = g_strconcat (armilla_residuals_label (self->residuals), scale, NULL);

  cairo_set_source_rgb (cr, 0, 0, 0);
  draw_turned (cr, label, label_x (self, frame), frame->top + frame->height / 2,
               armilla_figure_letter (self));
}

/* Draws the residuals of a panel, on an axis that is symmetric about 0. */
static gboolean
draw_residuals (const ArmillaFigure *self, int panel, cairo_t *cr, GError **error)
{
  g_autoptr (GArray) residuals = armilla_residuals (self, panel);
  ArmillaFrame frame = armilla_figure_frame (self, panel, TRUE);
  const Ink ink = { self, 0, residuals, TRUE };
  double max_y = 0;
  int exponent;

  if (residuals->len == 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "residuals: no line to compare data with; connect a theory with the same "
                         "spectra to cl");
  for (guint i = 0; i < residuals->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (residuals, ArmillaCurve, i);

      for (gint64 k = 0; k < curve->n; k++)
        {
          const double error_bar = curve->error != NULL ? curve->error[k] : 0;

          if (isfinite (curve->y[k]) && curve->x[k] >= self->x.low && curve->x[k] <= self->x.high)
            max_y = MAX (max_y, fabs (curve->y[k]) + (isfinite (error_bar) ? error_bar : 0));
        }
    }
  frame.y = (ArmillaAxis) { ARMILLA_SCALE_LINEAR, -1.1 * max_y, 1.1 * max_y, 1 };
  if (max_y == 0)
    frame.y = (ArmillaAxis) { ARMILLA_SCALE_LINEAR, -1, 1, 1 };
  draw_frame (&frame, cr, armilla_figure_letter (self), &ink, TRUE, &exponent);
  draw_residuals_label (self, panel, &frame, exponent, cr);
  return TRUE;
}

/* Adds legend rows that explain hollow points and dashed lines. */
static void
add_negative (ArmillaFigure *self, const ArmillaFrame *frames)
{
  static const double grey[3] = { 0.3, 0.3, 0.3 };
  gboolean points = FALSE, lines = FALSE;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (self->curves, ArmillaCurve, i);

      if (armilla_curve_is_negative (curve, &frames[curve->panel], &lines))
        points = TRUE;
    }
  if (points)
    armilla_legend_add (self->legend, ARMILLA_MARK_CIRCLE, TRUE, grey, ARMILLA_NEGATIVE_POINTS);
  if (lines)
    armilla_legend_add (self->legend, ARMILLA_MARK_DASHED, FALSE, grey, ARMILLA_NEGATIVE_LINES);
}

/* Places the legend in a panel, or else beside the only panel if that is wide enough, or else above
 * all panels. */
static void
place_legend (ArmillaFigure *self, const ArmillaFrame *frames, cairo_t *cr)
{
  const double size = armilla_figure_letter (self), gap = 0.8 * size;

  for (int panel = 0; panel < self->n_panels; panel++)
    {
      const Ink ink = ink_of (self, panel);

      if (armilla_legend_place (self->legend, &frames[panel], cr, size, draw_ink, &ink))
        return;
    }
  self->beside = gap + armilla_legend_place_beside (self->legend, cr, size, self->width - gap,
                                                    frames[0].top);
  if (self->n_panels == 1 && self->beside <= MAX_BESIDE * self->width)
    return;
  self->beside = 0;
  self->above = armilla_legend_place_above (self->legend, cr, size, self->width / 2.0,
                                            MAX (title_height (self), gap), self->width - 2 * gap);
  if (title_height (self) < gap)
    self->above += gap;
}

/* Draws the arranged panels on a white surface that is self->width points wide and
 * armilla_figure_height () high. Adds a legend where it covers no data, unless earlier pictures of
 * the page have all of its rows. */
gboolean
armilla_figure_draw (ArmillaFigure *self, cairo_t *cr, GError **error)
{
  const double size = armilla_figure_letter (self);
  const gboolean below = self->residuals != ARMILLA_RESIDUALS_NONE;
  ArmillaFrame frames[ARMILLA_MAX_PANELS];

  if (!armilla_figure_range (self, error))
    return FALSE;
  for (int panel = 0; panel < self->n_panels; panel++)
    {
      frames[panel] = armilla_figure_frame (self, panel, FALSE);
      if (!armilla_figure_y_range (self, panel, &frames[panel].y, error))
        return FALSE;
      armilla_curves_spread (self->curves, panel, &frames[panel], size);
    }
  add_negative (self, frames);
  if (self->shown != NULL && armilla_legend_has (self->shown, self->legend))
    g_array_set_size (self->legend, 0);
  if (self->legend->len > 0)
    place_legend (self, frames, cr);
  if (self->shown != NULL)
    armilla_legend_append (self->shown, self->legend);
  for (int panel = 0; panel < self->n_panels; panel++)
    {
      const ArmillaAxis y = frames[panel].y;
      const Ink ink = ink_of (self, panel);

      frames[panel] = armilla_figure_frame (self, panel, FALSE);
      frames[panel].y = y;
      armilla_curves_spread (self->curves, panel, &frames[panel], size);
      draw_frame (&frames[panel], cr, size, &ink, !below, NULL);
      if (below && !draw_residuals (self, panel, cr, error))
        return FALSE;
      draw_names (self, panel, cr);
    }
  armilla_legend_draw (self->legend, cr);
  cairo_set_source_rgb (cr, 0, 0, 0);
  if (*self->title != '\0')
    armilla_formula (cr, self->title, (self->width - self->beside) / 2, 0.55 * title_height (self),
                     1.2 * size, 0.5, 0.5);
  return TRUE;
}
