/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Residuals: data minus theory. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/plot-private.h"

static double
interpolate (const ArmillaCurve *curve, double x)
{
  gint64 low = 0, high = curve->n - 1;

  if (curve->n == 0 || x < curve->x[0] || x > curve->x[high])
    return NAN;
  while (high - low > 1)
    {
      const gint64 middle = low + (high - low) / 2;

      if (curve->x[middle] <= x)
        low = middle;
      else
        high = middle;
    }
  if (high == low || curve->x[high] == curve->x[low])
    return curve->y[low];
  return curve->y[low] + (curve->y[high] - curve->y[low]) * (x - curve->x[low])
    / (curve->x[high] - curve->x[low]);
}

/* Returns the value of the theory for point @i: its mean over the multipoles of the point's bin, or
 * its value at x. */
static double
expected (const ArmillaCurve *theory, const ArmillaCurve *data, gint64 i)
{
  double sum = 0;
  gint64 n = 0;

  if (!data->bars)
    return interpolate (theory, data->x[i]);
  if (theory->n == 0 || theory->x[0] > data->low[i] || theory->x[theory->n - 1] < data->high[i])
    return NAN;
  for (gint64 k = 0; k < theory->n; k++)
    if (theory->x[k] >= data->low[i] && theory->x[k] <= data->high[i])
      {
        sum += theory->y[k];
        n++;
      }
  return n > 0 ? sum / (double) n : interpolate (theory, data->x[i]);
}

/* Returns the theory of a quantity in a panel: the first line. */
static const ArmillaCurve *
find_theory (const ArmillaFigure *self, int panel, const char *group)
{
  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (self->curves, ArmillaCurve, i);

      if (!curve->data && curve->panel == panel && strcmp (curve->group, group) == 0)
        return curve;
    }
  return NULL;
}

static void
add (GArray *residuals, const ArmillaCurve *curve, const ArmillaCurve *theory,
     ArmillaResiduals kind)
{
  ArmillaCurve *left = armilla_curves_add (residuals, curve->kind, curve->input, curve->group, "",
                                           curve->n);

  left->data = curve->data;
  left->mark = curve->mark;
  left->aside = curve->aside;
  memcpy (left->colour, curve->colour, sizeof left->colour);
  if (curve->bars)
    {
      left->bars = TRUE;
      left->low = g_memdup2 (curve->low, (gsize) curve->n * sizeof (double));
      left->high = g_memdup2 (curve->high, (gsize) curve->n * sizeof (double));
    }
  if (curve->error != NULL)
    left->error = g_memdup2 (curve->error, (gsize) curve->n * sizeof (double));
  for (gint64 i = 0; i < curve->n; i++)
    {
      const double wanted = expected (theory, curve, i);
      const double sigma = curve->error != NULL ? curve->error[i] : NAN;
      const double by = kind == ARMILLA_RESIDUALS_SIGMA ? sigma
                        : kind == ARMILLA_RESIDUALS_RATIO ? wanted : 1;

      left->x[i] = curve->x[i];
      left->y[i] = by != 0 ? (curve->y[i] - wanted) / by : NAN;
      if (left->error != NULL)
        left->error[i] = fabs (sigma / by);
    }
}

/* Returns data, and lines after the first of each quantity, minus the first line of the same
 * quantity, in units of self->residuals. A bandpower is compared with the line's mean over
 * multipoles l_min to l_max. */
GArray *
armilla_residuals (const ArmillaFigure *self, int panel)
{
  GArray *residuals = armilla_curves_new ();

  for (guint i = 0; i < self->curves->len; i++)
    {
      const ArmillaCurve *curve = &g_array_index (self->curves, ArmillaCurve, i);
      const ArmillaCurve *theory
        = curve->panel == panel ? find_theory (self, panel, curve->group) : NULL;

      if (theory != NULL && theory != curve)
        add (residuals, curve, theory, self->residuals);
    }
  return residuals;
}

/* Returns the label of the vertical axis of residuals. */
const char *
armilla_residuals_label (ArmillaResiduals residuals)
{
  return residuals == ARMILLA_RESIDUALS_SIGMA ? "\316\224 / \317\203"
         : residuals == ARMILLA_RESIDUALS_RATIO ? "\316\224 / theory" : "\316\224";
}
