/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a kernel may be cut off, by the error that this makes (Elsner and Wandelt 2011, eq. 7). */
#include "core/kernel-private.h"

#include <math.h>

/* sum (2l + 1) C_l (b_l - part_l)^2 over that with part = 0, its root */
static double
error_for (const double *window, const double *part, const double *cl, double slope, gint64 lmax)
{
  double lost = 0, all = 0;

  for (gint64 l = cl ? 0 : 2; l <= lmax; l++)
    {
      const double ll = (double) l * (double) (l + 1);
      const double c = (double) (2 * l + 1) * (cl ? cl[l] : slope > 0 ? 1 / ll : 1);
      const double d = window[l] - part[l];

      lost += c * d * d;
      all += c * window[l] * window[l];
    }
  return all > 0 ? sqrt (lost / all) : 0;
}

/* Where no spectrum is given, the larger one of two: of a sky of large scales and of white
 * noise. */
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

/**
 * armilla_kernel_truncation_error:
 * @kernel: a kernel
 * @cut: angle beyond which it is taken as 0, radian
 * @cl: (nullable) (array): spectrum of what is convolved, l = 0..@lmax; %NULL: l (l + 1) C_l
 *   constant from l = 2 on, or C_l itself constant, whichever gives the larger error
 * @lmax: highest degree, at least 2
 *
 * Returns: root of the mean square of what the cut changes, as a part of the convolved field's:
 *   with dK_l the Legendre coefficients of what is cut away, sqrt (sum (2l + 1) C_l dK_l^2 / sum
 *   (2l + 1) C_l b_l^2) (Elsner and Wandelt 2011, eq. 7)
 */
double
armilla_kernel_truncation_error (const ArmillaKernel *kernel, double cut, const double *cl,
                                 gint64 lmax)
{
  g_autoptr (ArmillaKernelTable) table = armilla_kernel_tabulate (kernel, cut);
  g_autofree double *window = g_new (double, lmax + 1), *part = g_new (double, lmax + 1);

  armilla_kernel_window (kernel, lmax, window);
  armilla_kernel_table_window (table, lmax, part);
  return relative_error (window, part, cl, lmax);
}

/* Adds the part of the window that lies between two angles. */
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

/**
 * armilla_kernel_choose_cut:
 * @kernel: a kernel
 * @accuracy: truncation error that is allowed
 * @cl: (nullable) (array): as for armilla_kernel_truncation_error()
 * @lmax: likewise
 * @reached: (out): the truncation error there
 *
 * Looks outwards in steps of a fifth of the kernel's scale.
 *
 * Returns: the first angle, radian, where the truncation error is at most @accuracy; the kernel's
 *   support where there is none
 */
double
armilla_kernel_choose_cut (const ArmillaKernel *kernel, double accuracy, const double *cl,
                           gint64 lmax, double *reached)
{
  const double end = kernel->support, frequency = armilla_kernel_frequency (kernel);
  /* 8 nodes a panel are exact for 4 radian of K P_l's phase */
  const double step = 4 / ((double) lmax + 4 * frequency);
  const gint64 panels = 1 + (gint64) MIN (end / step, 1e7);
  g_autofree double *window = g_new (double, lmax + 1), *part = g_new0 (double, lmax + 1);
  g_autoptr (ArmillaKernelTable) table = NULL;

  armilla_kernel_window (kernel, lmax, window);
  for (gint64 i = 0; i < panels; i++)
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
      *reached = relative_error (window, part, cl, lmax);
      if (*reached <= accuracy && i + 1 < panels)
        return to;
    }
  return end;
}
