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

/* The first multipole that is drawn. */
static gint64
first_multipole (const ArmillaPlot *plot)
{
  return MIN (plot->x_scale == ARMILLA_SCALE_LOG ? MIN (2, MAX (1, plot->lmax)) : 2, plot->lmax);
}

/* Whether a logarithmic axis shows the absolute value only. */
static gboolean
is_hollow (const ArmillaPlot *plot, double value)
{
  return plot->y_scale == ARMILLA_SCALE_LOG && isfinite (value) && value < 0;
}

static void
find_range (const ArmillaPlot *plot, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (int f = 0; f < plot->n_fields; f++)
    for (gint64 l = first_multipole (plot); l <= plot->lmax; l++)
      {
        double y = scaled (plot, f, l);

        if (plot->y_scale == ARMILLA_SCALE_LOG)
          y = fabs (y);
        if (isfinite (y) && (plot->y_scale == ARMILLA_SCALE_LINEAR || y > 0))
          {
            *low = MIN (*low, y);
            *high = MAX (*high, y);
          }
      }
}

/* The data's range with a margin, where the style does not say it. */
static gboolean
set_y_range (const ArmillaPlot *plot, ArmillaFrame *frame, GError **error)
{
  double low, high, margin;

  find_range (plot, &low, &high);
  if (low > high)
    {
      if (plot->y_scale == ARMILLA_SCALE_LOG)
        {
          g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                               "y-scale = log, but all values of the spectra are 0");
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
      /* what differs by its rounding only is one value */
      margin = high - low > 1e-9 * fabs (high) ? 0.05 * (high - low)
               : high != 0                     ? 0.05 * fabs (high)
                                               : 1;
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

/* Whether a line can go there; elsewhere it has a gap. */
static gboolean
on_line (const ArmillaPlot *plot, int field, gint64 l)
{
  double y;

  if (l < 0 || l > plot->lmax)
    return FALSE;
  y = scaled (plot, field, l);
  return isfinite (y) && (plot->y_scale == ARMILLA_SCALE_LINEAR || y > 0);
}

/* Points of which no line tells: negative ones on a logarithmic axis, hollow, as far apart as they
 * can be told from each other; and those without neighbours. */
static void
draw_marks (const ArmillaPlot *plot, const ArmillaFrame *frame, cairo_t *cr, int field,
            double size)
{
  const double radius = 0.17 * size;
  double last_x = -INFINITY, last_y = 0;

  for (gint64 l = first_multipole (plot); l <= plot->lmax; l++)
    {
      const double value = scaled (plot, field, l);
      const gboolean hollow = is_hollow (plot, value);
      double x, y;

      if (!hollow && (!on_line (plot, field, l) || on_line (plot, field, l - 1)
                      || on_line (plot, field, l + 1)))
        continue;
      x = armilla_frame_x (frame, (double) l);
      y = armilla_frame_y (frame, hollow ? -value : value);
      if (hollow && hypot (x - last_x, y - last_y) < 3 * radius)
        continue;
      armilla_mark (cr, hollow ? ARMILLA_MARK_HOLLOW : ARMILLA_MARK_POINT, x, y, radius);
      if (hollow)
        {
          last_x = x;
          last_y = y;
        }
    }
}

static void
draw_curves (gconstpointer user, const ArmillaFrame *frame, cairo_t *cr)
{
  const ArmillaPlot *plot = user;
  const double size = plot->width * ARMILLA_PLOT_LETTER;

  cairo_set_line_width (cr, size / 10);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  for (int field = 0; field < plot->n_fields; field++)
    {
      const double *colour = armilla_plot_colour (field);

      cairo_new_path (cr);
      for (gint64 l = first_multipole (plot); l <= plot->lmax; l++)
        if (on_line (plot, field, l))
          cairo_line_to (cr, armilla_frame_x (frame, (double) l),
                         armilla_frame_y (frame, scaled (plot, field, l)));
        else
          cairo_new_sub_path (cr);
      cairo_set_source_rgb (cr, colour[0], colour[1], colour[2]);
      cairo_stroke (cr);
      draw_marks (plot, frame, cr, field, size);
    }
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

/* What people call a spectrum that HEALPix calls otherwise. */
static const char *
spectrum_name (const char *name)
{
  static const char *const names[][2] = {
    { "TEMPERATURE", "TT" }, { "GRADIENT", "EE" }, { "CURL", "BB" },
    { "G-T", "TE" }, { "C-T", "TB" }, { "C-G", "EB" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name, names[i][0]) == 0)
      return names[i][1];
  return name;
}

static GArray *
make_legend (const ArmillaPlot *plot)
{
  static const double grey[3] = { 0.3, 0.3, 0.3 };
  GArray *legend = armilla_legend_new ();
  gboolean hollow = FALSE;

  for (int f = 0; f < plot->n_fields; f++)
    {
      armilla_legend_add (legend, ARMILLA_MARK_LINE, armilla_plot_colour (f),
                          spectrum_name (plot->names[f]));
      for (gint64 l = first_multipole (plot); l <= plot->lmax; l++)
        hollow = hollow || is_hollow (plot, scaled (plot, f, l));
    }
  if (hollow && legend->len > 0)
    armilla_legend_add (legend, ARMILLA_MARK_HOLLOW, grey, ARMILLA_NEGATIVE);
  return legend;
}

/**
 * armilla_plot_draw:
 * @plot: what to draw
 * @cr: where to draw, white and of size @plot->width times armilla_plot_height()
 * @error: return location
 *
 * Draws l (l + 1) C_l / 2 pi from l = 2 on (from 0 or 1 where the spectrum ends before), and a
 * legend where it covers none of it. Negative values on a logarithmic axis become hollow points at
 * their absolute value.
 *
 * Returns: whether the axes could be laid out; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_plot_draw (const ArmillaPlot *plot, cairo_t *cr, GError **error)
{
  static const char quantity[] = "l (l + 1) C_{l} / 2\317\200";
  const double size = plot->width * ARMILLA_PLOT_LETTER;
  g_autofree char *unit = armilla_unit_formula (plot->unit);
  g_autofree char *label = *unit != '\0' ? g_strdup_printf ("%s  [%s]", quantity, unit)
    : g_strdup (quantity);
  g_autoptr (GArray) legend = make_legend (plot);
  ArmillaFrame frame = armilla_frame_new (plot->width, plot->x_scale, plot->y_scale);

  frame.x_low = (double) first_multipole (plot);
  frame.x_high = MAX ((double) plot->lmax, frame.x_low + 1);
  if (plot->x_scale == ARMILLA_SCALE_LOG && plot->lmax < 1)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "x-scale = log needs a spectrum that goes to l = 1 at least");
      return FALSE;
    }
  if (!set_y_range (plot, &frame, error))
    return FALSE;
  armilla_frame_draw (&frame, cr, size, legend, draw_curves, plot);
  armilla_frame_labels (&frame, cr, size, plot->title, "multipole l", label);
  return TRUE;
}
