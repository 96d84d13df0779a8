/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "plugins/pictures/render-private.h"

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
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "y-scale = log, but all values of the spectra are 0");
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
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the vertical axis would go from %g to %g; change min or max", frame->y_low,
                       frame->y_high);
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
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "x-scale = log needs a spectrum that goes to at least l = 1");
  if (!set_y_range (plot, &frame, error))
    return FALSE;
  armilla_frame_draw (&frame, cr, size, legend, draw_curves, plot);
  armilla_frame_labels (&frame, cr, size, plot->title, "multipole l", label);
  return TRUE;
}
