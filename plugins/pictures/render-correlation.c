/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Correlation functions: points with errors. */
#include <math.h>

#include "plugins/pictures/render-private.h"

/* Functions that tables hold, each with its error. */
static const struct {
  const char *value, *error, *label;
} functions[] = {
  { "w", "error", "w(\316\270)" },
  { "xi_plus", "error_plus", "\316\276+" },
  { "xi_minus", "error_minus", "\316\276\342\210\222" },
  { "zeta", "error", "\316\266" },
};

#define MOST_CURVES 2

typedef struct {
  int n;                          /* curves */
  const double *value[MOST_CURVES], *error[MOST_CURVES];
  const char *label[MOST_CURVES];
  const double *low, *high, *mean; /* of the bins; mean may be NULL */
  gint64 n_rows;
  double size; /* of letters */
} Curves;

static const double *
doubles (const ArmillaTable *table, const char *name)
{
  const ArmillaColumn *column = armilla_table_find (table, name);

  return column != NULL ? column->doubles : NULL;
}

/* Sides that all lie in one bin are one angle. */
static gboolean
equal_sides (const ArmillaTable *table)
{
  const double *first = doubles (table, "side1_min"), *third = doubles (table, "side3_min");

  for (gint64 k = 0; first != NULL && k < table->n_rows; k++)
    if (first[k] != third[k])
      return FALSE;
  return first != NULL;
}

static gboolean
find_curves (const ArmillaTable *table, Curves *c, GError **error)
{
  gboolean sides = equal_sides (table);

  *c = (Curves) { .n_rows = table->n_rows,
                  .low = doubles (table, sides ? "side1_min" : "theta_min"),
                  .high = doubles (table, sides ? "side1_max" : "theta_max"),
                  .mean = doubles (table, "theta") };
  for (gsize i = 0; i < G_N_ELEMENTS (functions) && c->n < MOST_CURVES; i++)
    {
      c->value[c->n] = doubles (table, functions[i].value);
      c->error[c->n] = doubles (table, functions[i].error);
      c->label[c->n] = functions[i].label;
      c->n += c->value[c->n] != NULL && c->error[c->n] != NULL;
    }
  if (c->n > 0 && c->low != NULL && c->high != NULL && c->n_rows > 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "table: %s is not a function of one angle, which could be plotted",
                       table->name);
}

static double
place (const Curves *c, const ArmillaFrame *frame, gint64 k)
{
  if (c->mean != NULL && isfinite (c->mean[k]))
    return c->mean[k];
  return frame->x_scale == ARMILLA_SCALE_LOG ? sqrt (c->low[k] * c->high[k])
                                             : (c->low[k] + c->high[k]) / 2;
}

/* Ends of an error bar; on a logarithmic axis of the absolute value, its lower end at the frame's
 * where it reaches 0. */
static void
bar (const Curves *c, int curve, gint64 k, gboolean absolute, double *low, double *high)
{
  double value = absolute ? fabs (c->value[curve][k]) : c->value[curve][k];
  double error = isfinite (c->error[curve][k]) ? c->error[curve][k] : 0;

  *low = value - error;
  *high = value + error;
}

static void
find_range (const Curves *c, gboolean absolute, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (int curve = 0; curve < c->n; curve++)
    for (gint64 k = 0; k < c->n_rows; k++)
      {
        double from, to, value = c->value[curve][k];

        if (!isfinite (value) || (absolute && value == 0))
          continue;
        bar (c, curve, k, absolute, &from, &to);
        if (absolute && from <= 0)
          from = fabs (value) / 3;
        *low = MIN (*low, from);
        *high = MAX (*high, to);
      }
}

static gboolean
set_ranges (const ArmillaCorrelationPlot *plot, const Curves *c, ArmillaFrame *frame,
            GError **error)
{
  gboolean logarithmic = frame->y_scale == ARMILLA_SCALE_LOG;
  double low, high, margin;

  frame->x_low = c->low[0];
  frame->x_high = c->high[c->n_rows - 1];
  if (frame->x_scale == ARMILLA_SCALE_LOG && frame->x_low <= 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "x-scale = log, but the first bin begins at 0");
  find_range (c, logarithmic, &low, &high);
  if (low > high)
    {
      /* nothing to draw but the axes */
      low = logarithmic ? 0.1 : 0;
      high = 1;
    }
  margin = logarithmic ? 1.3 : high > low ? 0.06 * (high - low) : 1;
  frame->y_low = !isnan (plot->low) ? plot->low : logarithmic ? low / margin : low - margin;
  frame->y_high = !isnan (plot->high) ? plot->high : logarithmic ? high * margin : high + margin;
  if (frame->y_low < frame->y_high && (!logarithmic || frame->y_low > 0))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the vertical axis would go from %g to %g; change min or max", frame->y_low,
                       frame->y_high);
}

static void
draw_point (const Curves *c, const ArmillaFrame *frame, cairo_t *cr, int curve, gint64 k,
            double size)
{
  gboolean logarithmic = frame->y_scale == ARMILLA_SCALE_LOG;
  double value = c->value[curve][k], x, y, low, high;

  if (!isfinite (value) || (logarithmic && value == 0))
    return;
  x = armilla_frame_x (frame, place (c, frame, k));
  y = armilla_frame_y (frame, logarithmic ? fabs (value) : value);
  bar (c, curve, k, logarithmic, &low, &high);
  if (logarithmic)
    low = MAX (low, frame->y_low);
  cairo_new_path (cr);
  cairo_move_to (cr, x, armilla_frame_y (frame, low));
  cairo_line_to (cr, x, armilla_frame_y (frame, high));
  cairo_set_line_width (cr, size / 10);
  cairo_stroke (cr);
  armilla_mark (cr, logarithmic && value < 0 ? ARMILLA_MARK_HOLLOW : ARMILLA_MARK_POINT, x, y,
                0.25 * size);
}

static void
draw_zero (const ArmillaFrame *frame, cairo_t *cr, double size)
{
  if (frame->y_scale == ARMILLA_SCALE_LOG || frame->y_low > 0 || frame->y_high < 0)
    return;
  cairo_set_source_rgb (cr, 0.4, 0.4, 0.4);
  cairo_set_line_width (cr, size / 16);
  cairo_move_to (cr, frame->left, armilla_frame_y (frame, 0));
  cairo_line_to (cr, frame->left + frame->width, armilla_frame_y (frame, 0));
  cairo_stroke (cr);
}

static void
draw_points (gconstpointer user, const ArmillaFrame *frame, cairo_t *cr)
{
  const Curves *c = user;

  draw_zero (frame, cr, c->size);
  for (int curve = 0; curve < c->n; curve++)
    {
      const double *colour = armilla_plot_colour (curve);

      cairo_set_source_rgb (cr, colour[0], colour[1], colour[2]);
      for (gint64 k = 0; k < c->n_rows; k++)
        draw_point (c, frame, cr, curve, k, c->size);
    }
}

/* The axis tells the name of one curve. */
static GArray *
make_legend (const Curves *c, ArmillaScale y_scale)
{
  static const double grey[3] = { 0.3, 0.3, 0.3 };
  GArray *legend = armilla_legend_new ();
  gboolean hollow = FALSE;

  for (int curve = 0; curve < c->n; curve++)
    {
      if (c->n > 1)
        armilla_legend_add (legend, ARMILLA_MARK_POINT, armilla_plot_colour (curve),
                            c->label[curve]);
      for (gint64 k = 0; k < c->n_rows; k++)
        hollow = hollow || (y_scale == ARMILLA_SCALE_LOG && isfinite (c->value[curve][k])
                            && c->value[curve][k] < 0);
    }
  if (hollow)
    armilla_legend_add (legend, ARMILLA_MARK_HOLLOW, grey, ARMILLA_NEGATIVE);
  return legend;
}

/**
 * armilla_correlation_plot_draw:
 * @plot: what to draw
 * @cr: where to draw, white and of size @plot->width times armilla_plot_height()
 * @error: return location
 *
 * Draws w, xi+ and xi-, or zeta of equal sides, with one standard error up and down, at the mean
 * separation of each bin or, where the table has none, in its middle, and a legend where it covers
 * none of them.
 *
 * Returns: whether there is such a function and the axes could be laid out; %ARMILLA_ERROR_SHAPE or
 *   %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_correlation_plot_draw (const ArmillaCorrelationPlot *plot, cairo_t *cr, GError **error)
{
  double size = plot->width * ARMILLA_PLOT_LETTER;
  const char *title = plot->title;
  g_autoptr (GArray) legend = NULL;
  ArmillaFrame frame;
  Curves c;

  if (!find_curves (plot->table, &c, error))
    return FALSE;
  frame = armilla_frame_new (plot->width, plot->x_scale, plot->y_scale);
  if (!plot->x_given)
    frame.x_scale = c.low[0] > 0 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
  if (!set_ranges (plot, &c, &frame, error))
    return FALSE;
  c.size = size;
  legend = make_legend (&c, frame.y_scale);
  armilla_frame_draw (&frame, cr, size, legend, draw_points, &c);
  if (*title == 0)
    title = c.n > 1 ? "Correlation of shears" : "Correlation function";
  armilla_frame_labels (&frame, cr, size, title, "\316\270 [deg]",
                        c.n > 1 ? "\316\276" : c.label[0]);
  return TRUE;
}
