/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the ends of axes from the data. */
#include <math.h>

#include "plugins/pictures/plot-private.h"

/* Smallest magnitude, relative to the largest, on a logarithmic axis of a curve with both signs. */
#define SMALL 1e-4

static const ArmillaCurve *
curve_at (const ArmillaFigure *self, guint i)
{
  return &g_array_index (self->curves, ArmillaCurve, i);
}

static void
widen (double value, double *low, double *high)
{
  if (!isfinite (value))
    return;
  *low = MIN (*low, value);
  *high = MAX (*high, value);
}

/* Returns whether a curve is measured data: drawn by points, or a line with errors since there are
 * so many points. */
static gboolean
is_measured (const ArmillaCurve *curve)
{
  return curve->data || curve->error != NULL;
}

/* Finds the horizontal range of data, or of lines if @data is FALSE. Lines may extend beyond
 * data. */
static void
find_x (const ArmillaFigure *self, gboolean data, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = curve_at (self, i);

      for (gint64 k = 0; is_measured (curve) == data && k < curve->n; k++)
        {
          widen (curve->x[k], low, high);
          if (curve->low != NULL)
            {
              widen (curve->low[k], low, high);
              widen (curve->high[k], low, high);
            }
        }
    }
}

/* Finds the scale and the ends of the horizontal axis, unless given, from the data, or from
 * lines if there are only lines. */
gboolean
armilla_figure_range (ArmillaFigure *self, GError **error)
{
  const ArmillaCurveKind kind
    = self->curves->len > 0 ? curve_at (self, 0)->kind : ARMILLA_CURVE_OTHER;
  const gboolean bins = kind == ARMILLA_CURVE_ANGLES || kind == ARMILLA_CURVE_HISTOGRAM;
  ArmillaAxis *x = &self->x;
  double low, high, margin = 0;

  find_x (self, TRUE, &low, &high);
  if (low > high)
    find_x (self, FALSE, &low, &high);
  else if (!bins)
    margin = 0.03;
  if (low > high)
    low = high = 0;
  if (!(high > low))
    high = low + 1;
  if (!self->x_given && kind == ARMILLA_CURVE_ANGLES)
    x->scale = low > 0 ? ARMILLA_SCALE_LOG : ARMILLA_SCALE_LINEAR;
  if (x->scale == ARMILLA_SCALE_LOG && low <= 0 && isnan (x->low))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "x-scale = log, but the data begin at %g; choose another scale, or set "
                         "the lower end of the axis", low);
  if (x->scale == ARMILLA_SCALE_LINEAR || x->scale == ARMILLA_SCALE_SYMLOG)
    margin *= high - low;
  else
    margin *= low * log (high / low);
  if (isnan (x->low))
    x->low = low > 0 && kind == ARMILLA_CURVE_MULTIPOLES ? MAX (low - margin, MIN (low, 1))
      : low - margin;
  if (isnan (x->high))
    x->high = margin > 0 && x->scale == ARMILLA_SCALE_LOG
                ? high * high / MAX (high - margin, high / 2) : high + margin;
  return armilla_axis_check (x, "horizontal", error);
}

/* Finds the vertical range of one curve. */
static void
find_y (const ArmillaFigure *self, const ArmillaCurve *curve, gboolean logarithmic, double *low,
        double *high)
{
  gboolean signs[2] = { FALSE, FALSE };

  *low = INFINITY;
  *high = -INFINITY;
  for (gint64 k = 0; k < curve->n; k++)
    {
      const double y = logarithmic ? fabs (curve->y[k]) : curve->y[k];
      const double error = curve->data && curve->error != NULL && isfinite (curve->error[k])
                             ? curve->error[k] : 0;

      if (!isfinite (y) || (logarithmic && y == 0) || curve->x[k] < self->x.low
          || curve->x[k] > self->x.high)
        continue;
      signs[curve->y[k] < 0] = TRUE;
      widen (logarithmic && y - error <= 0 ? y / 3 : y - error, low, high);
      widen (y + error, low, high);
    }
  if (logarithmic && !curve->data && signs[0] && signs[1])
    *low = MAX (*low, SMALL * *high);
}

/* Sets ends of a panel's vertical axis that are NaN. */
gboolean
armilla_figure_y_range (const ArmillaFigure *self, int panel, ArmillaAxis *y, GError **error)
{
  const gboolean logarithmic = y->scale == ARMILLA_SCALE_LOG;
  double low = INFINITY, high = -INFINITY, margin;
  gboolean histogram = FALSE;

  for (guint i = 0; i < self->curves->len; i++)
    {
      double from, to;

      if (curve_at (self, i)->panel != panel)
        continue;
      find_y (self, curve_at (self, i), logarithmic, &from, &to);
      low = MIN (low, from);
      high = MAX (high, to);
      histogram = histogram || curve_at (self, i)->kind == ARMILLA_CURVE_HISTOGRAM;
    }
  if (low > high && logarithmic)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "y-scale = log, but all values are 0");
  if (low > high)
    {
      low = 0;
      high = 1;
    }
  if (logarithmic)
    {
      margin = MAX (pow (high / low, 0.06), 1.1);
      low = histogram ? low / 2 : low / margin;
      high *= margin;
    }
  else
    {
      /* Values that differ only by rounding count as one value. */
      margin = high - low > 1e-9 * fabs (high) ? 0.06 * (high - low)
               : high != 0                     ? 0.06 * fabs (high)
                                               : 1;
      low = low >= 0 && (histogram || low < 0.5 * high) ? 0 : low - margin;
      high += margin;
    }
  if (isnan (y->low))
    y->low = low;
  if (isnan (y->high))
    y->high = high;
  return armilla_axis_check (y, "vertical", error);
}
