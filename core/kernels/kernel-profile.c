/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between window and profile.
 *
 * Legendre polynomials are computed from their differences d = P_{l+1} - P_l,
 *   (l + 1) d_l = l d_{l-1} - (2 l + 1) (1 - x) P_l,  1 - x = chord^2 / 2, which is accurate at
 *   small angles, where kernels are large. Beyond a right angle P_l is computed at pi - theta, and
 *   multiplied by (-1)^l. */
#include "core/kernels/kernel-private.h"

#include <math.h>

#define LANES 64

/* Polynomials at up to LANES angles. */
typedef struct {
  double u[LANES], p[LANES], d[LANES]; /* 1 - x, P_l, P_l - P_{l-1} */
  double parity[LANES];                /* -1 beyond a right angle */
} Legendre;

static void
legendre_init (Legendre *state, const double *chord, int n)
{
  for (int i = 0; i < LANES; i++)
    {
      const double c = i < n ? chord[i] : 0, u = 0.5 * c * c;

      state->parity[i] = u > 1 ? -1 : 1;
      state->u[i] = u > 1 ? 0.5 * (2 - c) * (2 + c) : u;
      state->p[i] = 1;
      state->d[i] = 0;
    }
}

/* Advances from degree l to l + 1. */
static void
legendre_step (Legendre *state, gint64 l)
{
  const double a = (double) l / (double) (l + 1), b = (double) (2 * l + 1) / (double) (l + 1);

  for (int i = 0; i < LANES; i++)
    {
      state->d[i] = a * state->d[i] - b * state->u[i] * state->p[i];
      state->p[i] += state->d[i];
    }
}

static void
sum_window (const ArmillaKernel *kernel, const double *chord, int n, double *value)
{
  double sum[2][LANES] = { { 0 } };
  Legendre state;

  legendre_init (&state, chord, n);
  for (gint64 l = 0; l <= kernel->lmax; l++)
    {
      const double w = (double) (2 * l + 1) * kernel->window[l];
      double *to = sum[l % 2];

      for (int i = 0; i < LANES; i++)
        to[i] += w * state.p[i];
      legendre_step (&state, l);
    }
  for (int i = 0; i < n; i++)
    value[i] = (sum[0][i] + state.parity[i] * sum[1][i]) / (4 * G_PI);
}

static double
spline (const ArmillaKernel *k, double c)
{
  gint64 low = 0, high = k->n_knots - 1;
  double h, a, b;

  while (high - low > 1)
    {
      const gint64 middle = (low + high) / 2;

      *(k->knots[middle] <= c ? &low : &high) = middle;
    }
  h = k->knots[high] - k->knots[low];
  b = (c - k->knots[low]) / h;
  a = 1 - b;
  return a * k->values[low] + b * k->values[high]
         + (a * (a * a - 1) * k->bends[low] + b * (b * b - 1) * k->bends[high]) * h * h / 6;
}

/* Like armilla_kernel_profile (), but extrapolates a spline beyond its last knot. */
void
armilla_kernel_continued (const ArmillaKernel *kernel, const double *chord, gint64 n, double *value)
{
  if (kernel->window)
    for (gint64 i = 0; i < n; i += LANES)
      sum_window (kernel, chord + i, (int) MIN (LANES, n - i), value + i);
  else
    for (gint64 i = 0; i < n; i++)
      value[i] = spline (kernel, chord[i]);
}

/* Computes K = sum_l (2l + 1) / (4 pi) b_l P_l(cos theta) (Elsner and Wandelt 2011, eq. 3), or the
 * spline.
 * @chord: chords, 2 sin (theta / 2), 0 to 2; @value: K at these chords, 1 / steradian; output. */
void
armilla_kernel_profile (const ArmillaKernel *kernel, const double *chord, gint64 n, double *value)
{
  armilla_kernel_continued (kernel, chord, n, value);
  for (gint64 i = 0; !kernel->window && i < n; i++)
    if (chord[i] > kernel->knots[kernel->n_knots - 1])
      value[i] = 0;
}

void
armilla_kernel_nodes_clear (ArmillaKernelNodes *nodes)
{
  g_free (nodes->chord);
  g_free (nodes->weight);
  *nodes = (ArmillaKernelNodes) { 0 };
}

/* Returns node i of n of the Gauss-Legendre quadrature on -1..1, by Newton's method. */
static double
gauss_node (int n, int i, double *weight)
{
  double x = cos (G_PI * (i + 0.75) / (n + 0.5)), slope = 1;

  for (int step = 0; step < 6; step++)
    {
      double p = 1, before = 0;

      for (int l = 0; l < n; l++)
        {
          const double next = ((2 * l + 1) * x * p - l * before) / (l + 1);

          before = p;
          p = next;
        }
      slope = n * (before - x * p) / (1 - x * x);
      x -= p / slope;
    }
  *weight = 2 / ((1 - x * x) * slope * slope);
  return x;
}

/* Adds n (at most 32) Gauss-Legendre nodes for the annulus between two angles. */
void
armilla_kernel_nodes_add (ArmillaKernelNodes *nodes, double from, double to, int n)
{
  if (nodes->n + n > nodes->size)
    {
      nodes->size = 2 * nodes->size + n;
      nodes->chord = g_renew (double, nodes->chord, nodes->size);
      nodes->weight = g_renew (double, nodes->weight, nodes->size);
    }
  for (int i = 0; i < n; i++)
    {
      double weight, theta = 0.5 * (from + to) + 0.5 * (to - from) * gauss_node (n, i, &weight);

      nodes->chord[nodes->n] = 2 * sin (0.5 * theta);
      nodes->weight[nodes->n++] = G_PI * (to - from) * weight * sin (theta);
    }
}

/* Adds 2 pi times the integral of K P_l sin theta to window[l], l = 0..lmax. */
void
armilla_kernel_nodes_integrate (const ArmillaKernelNodes *nodes, const double *values,
                                gint64 lmax, double *window)
{
  for (gint64 first = 0; first < nodes->n; first += LANES)
    {
      const int n = (int) MIN (LANES, nodes->n - first);
      double g[2][LANES] = { { 0 } };
      Legendre state;

      legendre_init (&state, nodes->chord + first, n);
      for (int i = 0; i < n; i++)
        {
          g[0][i] = nodes->weight[first + i] * values[first + i];
          g[1][i] = g[0][i] * state.parity[i];
        }
      for (gint64 l = 0; l <= lmax; l++)
        {
          double sum[8] = { 0 };

          for (int i = 0; i < LANES; i += 8)
            for (int j = 0; j < 8; j++)
              sum[j] += g[l % 2][i + j] * state.p[i + j];
          window[l] += ((sum[0] + sum[1]) + (sum[2] + sum[3]))
                       + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
          legendre_step (&state, l);
        }
    }
}

/* Integrates from knot to knot, with at most 16 radian of the phase of P_lmax per panel, for which
 * 16 nodes are exact. */
static void
integrate_spline (const ArmillaKernel *k, gint64 lmax, double *window)
{
  g_auto (ArmillaKernelNodes) nodes = { 0 };
  g_autofree double *values = NULL;

  for (gint64 i = 0; i + 1 < k->n_knots; i++)
    {
      const double from = 2 * asin (MIN (1, 0.5 * k->knots[i]));
      const double to = 2 * asin (MIN (1, 0.5 * k->knots[i + 1]));
      const gint64 panels = 1 + (gint64) ((to - from) * (double) (lmax + 4) / 12);

      for (gint64 j = 0; j < panels; j++)
        armilla_kernel_nodes_add (&nodes, from + (to - from) * (double) j / (double) panels,
                                  from + (to - from) * (double) (j + 1) / (double) panels, 16);
    }
  values = g_new (double, nodes.n);
  armilla_kernel_profile (k, nodes.chord, nodes.n, values);
  armilla_kernel_nodes_integrate (&nodes, values, lmax, window);
}

/* Computes b_l = 2 pi times the integral of K P_l sin theta over theta (Elsner and Wandelt 2011,
 * eq. 2); 0 beyond the end of a table of b_l. @window: b_l, l = 0..@lmax; output. */
void
armilla_kernel_window (const ArmillaKernel *kernel, gint64 lmax, double *window)
{
  for (gint64 l = 0; l <= lmax; l++)
    window[l] = kernel->window && l <= kernel->lmax ? kernel->window[l] : 0;
  if (!kernel->window)
    integrate_spline (kernel, lmax, window);
}

/* Returns the highest multipole with a non-negligible b_l, from 0 to @limit. */
gint64
armilla_kernel_band_limit (const ArmillaKernel *kernel, double tolerance, gint64 limit)
{
  g_autofree double *window = g_new (double, limit + 1);
  double largest = 0;

  armilla_kernel_window (kernel, limit, window);
  for (gint64 l = 0; l <= limit; l++)
    largest = MAX (largest, fabs (window[l]));
  while (limit > 0 && fabs (window[limit]) <= tolerance * largest)
    limit--;
  return limit;
}
