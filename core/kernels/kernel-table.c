/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/kernels/kernel-private.h"

#include <math.h>

#define TERMS ARMILLA_KERNEL_TERMS
#define STEP 0.05 /* interval length in radian of the kernel's phase */
#define BEFORE 3 /* nodes of the interpolating polynomial before the interval */

/* third derivatives of a spline jump at its knots: intervals are finer as long as its table stays
 * small */
#define FINER 4
#define SMALL_TABLE 16384

/* 1 GiB, beyond any use */
#define MAX_INTERVALS (G_GINT64_CONSTANT (1) << 24)

/* Returns the position in a table of a squared chord, 0 to 4 plus rounding errors: the chord itself
 * up to a right angle, beyond it 2 sqrt 2 minus the chord from the antipode. Kernels are smooth
 * functions of the chord near 0, but near the antipode only of the chord from the antipode. */
static double
place_of (double chord2)
{
  return chord2 <= 2 ? sqrt (chord2) : 2 * G_SQRT2 - sqrt (MAX (0, 4 - chord2));
}

/* Returns the factor by which a derivative multiplies the kernel, 1 / radian: with a window, the
 * eighth root of the mean of l^8 over its Legendre series; with a spline, from the distance of
 * its knots. */
double
armilla_kernel_frequency (const ArmillaKernel *kernel)
{
  double sum = 0, weight = 0, nearest = 2;

  for (gint64 l = 0; kernel->window && l <= kernel->lmax; l++)
    {
      const double w = (double) (2 * l + 1) * fabs (kernel->window[l]);

      weight += w;
      sum += w * pow ((double) l, 8);
    }
  if (kernel->window)
    return pow (sum / weight, 0.125) + 1;
  if (kernel->n_knots == 2) /* two knots: a straight line */
    return 1;
  for (gint64 i = 1; i < kernel->n_knots; i++)
    nearest = MIN (nearest, place_of (kernel->knots[i] * kernel->knots[i])
                              - place_of (kernel->knots[i - 1] * kernel->knots[i - 1]));
  return 2 / nearest;
}

/* Computes the coefficients in t of the polynomial through y at first, first + 1, ... */
static void
fit (const double *y, int first, double *terms)
{
  long double slope[TERMS], sum[TERMS] = { 0 };

  for (int i = 0; i < TERMS; i++)
    slope[i] = (long double) y[i];
  for (int order = 1; order < TERMS; order++)
    for (int i = TERMS - 1; i >= order; i--)
      slope[i] = (slope[i] - slope[i - 1]) / order;
  for (int i = TERMS - 1; i >= 0; i--) /* sum <- sum (t - node i) + slope i */
    {
      for (int k = TERMS - 1; k > 0; k--)
        sum[k] = sum[k - 1] - (first + i) * sum[k];
      sum[0] = slope[i] - (first + i) * sum[0];
    }
  for (int k = 0; k < TERMS; k++)
    terms[k] = (double) sum[k];
}

/* Samples the kernel at nodes @step apart, beginning BEFORE nodes before the first interval: as a
 * function of the chord or, beyond a right angle, of the chord from the antipode. */
static double *
sample (const ArmillaKernel *kernel, gboolean far, double step, gint64 n)
{
  const gint64 n_nodes = n + TERMS - 1;
  g_autofree double *chord = g_new (double, n_nodes);
  double *value = g_new (double, n_nodes);

  for (gint64 i = 0; i < n_nodes; i++)
    {
      const double near = step * (double) (i - BEFORE), left = G_SQRT2 - near;

      chord[i] = far ? sqrt (MAX (0, 4 - left * left)) : fabs (near);
    }
  armilla_kernel_continued (kernel, chord, n_nodes, value);
  return value;
}

/* Returns the table. @cut: angle of the truncation, radian, above 0 and at most pi. */
ArmillaKernelTable *
armilla_kernel_tabulate (const ArmillaKernel *kernel, double cut)
{
  /* The error of interpolation with eight points h apart is 1.1e-3 (f h)^8 times 0.27, the mean of
   * cos^8: below 1e-14 of K (0) with f h = 0.05. */
  const double angle = MIN (cut, kernel->support), chord = 2 * sin (0.5 * angle);
  const double end = place_of (chord * chord), near = MIN (end, G_SQRT2);
  const double density = armilla_kernel_frequency (kernel) / STEP;
  const double finer = kernel->window ? density : MIN (FINER * density, SMALL_TABLE / end);
  ArmillaKernelTable *table = g_new0 (ArmillaKernelTable, 1);
  gint64 n_near = (gint64) CLAMP (near * MAX (density, finer) + 1, TERMS, MAX_INTERVALS);

  table->cut = angle;
  /* The squared chord of two antipodes may be rounded above 4; larger values do not occur. */
  table->chord2 = angle >= G_PI * (1 - 1e-15) ? INFINITY : chord * chord;
  table->scale = (double) n_near / near;
  table->n = n_near + (end > near ? 1 + (gint64) ((end - near) * table->scale) : 0);
  table->terms = g_new (double, table->n * TERMS);
  for (int far = 0; far < 2; far++)
    {
      const gint64 first = far ? n_near : 0, n = far ? table->n - n_near : n_near;
      g_autofree double *value = sample (kernel, far, 1 / table->scale, n);

      for (gint64 i = 0; i < n; i++)
        fit (value + i, -BEFORE, table->terms + (first + i) * TERMS);
    }
  return table;
}

void
armilla_kernel_table_free (ArmillaKernelTable *table)
{
  if (!table)
    return;
  g_free (table->terms);
  g_free (table);
}

/* Returns the truncated kernel, 1 / steradian. @chord2: squared chord, 0 to 4 plus rounding
 * errors. */
double
armilla_kernel_table_value (const ArmillaKernelTable *table, double chord2)
{
  const double x = place_of (chord2) * table->scale;
  const gint64 i = MIN ((gint64) x, table->n - 1);
  const double t = x - (double) i, *terms = table->terms + i * TERMS;
  double value = terms[TERMS - 1];

  if (!(chord2 <= table->chord2))
    return 0;
  for (int k = TERMS - 2; k >= 0; k--)
    value = fma (value, t, terms[k]);
  return value;
}

void
armilla_kernel_table_window (const ArmillaKernelTable *table, gint64 lmax, double *window)
{
  /* A step of the table is this fraction of a radian of the kernel's phase. */
  const double phase = STEP * (double) table->n + table->cut * (double) lmax;
  const gint64 panels = 1 + (gint64) (phase / 10);
  g_auto (ArmillaKernelNodes) nodes = { 0 };
  g_autofree double *values = NULL;

  for (gint64 l = 0; l <= lmax; l++)
    window[l] = 0;
  for (gint64 i = 0; i < panels; i++)
    armilla_kernel_nodes_add (&nodes, table->cut * (double) i / (double) panels,
                              table->cut * (double) (i + 1) / (double) panels, 16);
  values = g_new (double, nodes.n);
  for (gint64 i = 0; i < nodes.n; i++)
    values[i] = armilla_kernel_table_value (table, nodes.chord[i] * nodes.chord[i]);
  armilla_kernel_nodes_integrate (&nodes, values, lmax, window);
}
