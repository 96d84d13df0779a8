/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the angle at which a kernel is truncated, from the error of the truncation (Elsner and
 * Wandelt 2011, eq. 7). */
#include "core/kernels/kernel-private.h"

#include <math.h>

/* Rounding error of a sum of K times a mean, relative to the largest b_l. */
#define ROUNDING 1e-15

/* Returns the square root of the ratio of sum (2l + 1) C_l (b_l - part_l)^2 to the same with part =
 * 0. The sum includes the dipole of white noise, which dominates it for kernels wider than a
 * hemisphere. */
static double
error_for (const double *window, const double *part, const double *cl, double slope, gint64 lmax)
{
  double lost = 0, all = 0;

  for (gint64 l = cl ? 0 : slope > 0 ? 2 : 1; l <= lmax; l++)
    {
      const double ll = (double) l * (double) (l + 1);
      const double c = (double) (2 * l + 1) * (cl ? cl[l] : slope > 0 ? 1 / ll : 1);
      const double d = window[l] - part[l];

      lost += c * d * d;
      all += c * window[l] * window[l];
    }
  return all > 0 ? sqrt (lost / all) : 0;
}

/* Returns the relative truncation error; without a spectrum the larger of two errors: for a sky of
 * large scales, and for white noise. */
static double
relative_error (const double *window, const double *part, const double *cl, gint64 lmax)
{
  double sky, noise;

  if (cl)
    return error_for (window, part, cl, 0, lmax);
  sky = error_for (window, part, NULL, 1, lmax);
  noise = error_for (window, part, NULL, 0, lmax);
  return MAX (sky, noise);
}

/* Returns the truncation error for a mean of 1: the integral of the omitted part, and some noise
 * because its edge falls between pixels. */
static double
error_of_mean (const double *window, const double *part, gint64 lmax, double pixel)
{
  const double mean = window[0] - part[0];
  double power = 0;

  for (gint64 l = 0; l <= lmax; l++)
    power += (double) (2 * l + 1) * (window[l] - part[l]) * (window[l] - part[l]);
  return sqrt (mean * mean + pixel / (4 * G_PI) * power);
}

/* Returns the convolved mean of 1, to which the truncation error of a mean is relative. Usually
 * that is b_0. If b_0 is 0, as for wavelets, any truncation leaves part of the mean in the result;
 * then a mean of up to ARMILLA_KERNEL_MEAN times the pixel-to-pixel fluctuations is tolerated. */
double
armilla_kernel_mean_weight (const double *window, gint64 lmax, double pixel)
{
  double power = 0;

  for (gint64 l = 0; l <= lmax; l++)
    power += (double) (2 * l + 1) * window[l] * window[l];
  return hypot (window[0], sqrt (pixel / (4 * G_PI) * power) / ARMILLA_KERNEL_MEAN);
}

/* Returns the RMS change by the truncation relative to the convolved field: with dK_l the Legendre
 * coefficients of the omitted part, sqrt (sum (2l + 1) C_l dK_l^2 / sum (2l + 1) C_l b_l^2) (Elsner
 * and Wandelt 2011, eq. 7); 0 without truncation. */
double
armilla_kernel_truncation_error (const ArmillaKernel *kernel, double cut, const double *cl,
                                 gint64 lmax, double pixel, double *of_mean)
{
  g_autoptr (ArmillaKernelTable) table = NULL;
  g_autofree double *window = NULL, *part = NULL;

  if (of_mean)
    *of_mean = 0;
  if (cut >= kernel->support)
    return 0;
  table = armilla_kernel_tabulate (kernel, cut);
  window = g_new (double, lmax + 1);
  part = g_new (double, lmax + 1);
  armilla_kernel_window (kernel, lmax, window);
  armilla_kernel_table_window (table, lmax, part);
  if (of_mean)
    *of_mean = error_of_mean (window, part, lmax, pixel);
  return relative_error (window, part, cl, lmax);
}

/* Adds the contribution of angles between two bounds to the window. */
static void
add_panel (const ArmillaKernelTable *table, double from, double to, gint64 lmax, double *part)
{
  g_auto (ArmillaKernelNodes) nodes = { 0 };
  double values[8];

  armilla_kernel_nodes_add (&nodes, from, to, 8);
  for (gint64 k = 0; k < nodes.n; k++)
    values[k] = armilla_kernel_table_value (table, nodes.chord[k] * nodes.chord[k]);
  armilla_kernel_nodes_integrate (&nodes, values, lmax, part);
}

/* Searches outwards in steps of a fifth of the kernel's scale. Without a spectrum, the truncation
 * error of a mean is included, see armilla_kernel_mean_weight(). Returns the first angle, radian,
 * with a truncation error of at most @accuracy; the kernel's support if there is none. @cl: as for
 * armilla_kernel_truncation_error() (may be NULL). */
double
armilla_kernel_choose_cut (const ArmillaKernel *kernel, double accuracy, const double *cl,
                           gint64 lmax, double pixel)
{
  const double end = kernel->support, frequency = armilla_kernel_frequency (kernel);
  /* Panels in which the phase of K P_l changes by at most 4 radian, so that 8 nodes are exact. */
  const double step = 4 / ((double) lmax + 4 * frequency);
  const gint64 panels = 1 + (gint64) MIN (end / step, 1e7);
  g_autofree double *window = g_new (double, lmax + 1), *part = g_new0 (double, lmax + 1);
  g_autoptr (ArmillaKernelTable) table = NULL;
  double of_mean = G_MAXDOUBLE, largest = 0;

  armilla_kernel_window (kernel, lmax, window);
  for (gint64 l = 0; l <= lmax; l++)
    largest = MAX (largest, fabs (window[l]));
  if (!cl)
    of_mean = MAX (accuracy * armilla_kernel_mean_weight (window, lmax, pixel),
                   ROUNDING * largest);
  /* A region around the antipode that is smaller than a pixel is never cut off: its area is small,
   * but the antipodal pixel may be in it. */
  for (gint64 i = 0; end * (double) (panels - i - 1) > sqrt (pixel) * (double) panels; i++)
    {
      const double from = end * (double) i / (double) panels;
      const double to = end * (double) (i + 1) / (double) panels;

      if (!table || (to > table->cut && table->cut < end))
        {
          const double reach = table ? 2 * table->cut : MAX (20 / frequency, 2 * to);

          g_clear_pointer (&table, armilla_kernel_table_free);
          table = armilla_kernel_tabulate (kernel, MIN (MAX (reach, to), end));
        }
      add_panel (table, from, to, lmax, part);
      if (relative_error (window, part, cl, lmax) <= accuracy
          && error_of_mean (window, part, lmax, pixel) <= of_mean)
        return to;
    }
  return end;
}
