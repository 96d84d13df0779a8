/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of many kinds, each as the library has it and in long double. */
#pragma once

#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"

#define PI_L 3.141592653589793238462643383279502884L

typedef enum {
  GAUSSIAN, TOP_HAT, NEEDLET, NEEDLET4, SHARP_WINDOW, SMOOTH_PROFILE, JUMPY_PROFILE, DIFFERENCE,
  N_KINDS
} Shape;

static const char *const kind_names[]
  = { "Gaussian", "top hat", "needlet", "needlet of order 4", "window with an edge",
      "profile", "profile with a jump", "difference of Gaussians" };

/* Either a window, or knots in the chord of a cubic spline, with second derivatives. */
typedef struct {
  ArmillaKernel *kernel;
  long double *window, *knots, *values, *bends;
  gint64 lmax, n_knots;
  /* Chebyshev coefficients on panels of the angle, TERMS each */
  long double *terms;
  gint64 panels;
} Exact;

#define TERMS 18

static inline void
exact_clear (Exact *e)
{
  g_clear_pointer (&e->kernel, armilla_kernel_unref);
  g_free (e->window);
  g_free (e->knots);
  g_free (e->values);
  g_free (e->bends);
  g_free (e->terms);
}

static inline long double
spline_at (const Exact *e, long double c)
{
  gint64 i = 1;
  long double h, t;

  if (c > e->knots[e->n_knots - 1] * (1 + 1e-15L))
    return 0;
  while (i + 1 < e->n_knots && e->knots[i] < c)
    i++;
  h = e->knots[i] - e->knots[i - 1];
  t = (c - e->knots[i - 1]) / h;
  return e->values[i - 1] * (1 - t) + e->values[i] * t
         - h * h / 6 * t * (1 - t)
             * ((2 - t) * e->bends[i - 1] + (1 + t) * e->bends[i]);
}

static inline long double
series_at (const Exact *e, long double c)
{
  const long double x = 1 - c * c / 2;
  long double before = 0, p = 1, sum = 0;

  for (gint64 l = 0; l <= e->lmax; l++)
    {
      const long double next = ((2 * l + 1) * x * p - l * before) / (l + 1);

      sum += (2 * l + 1) * e->window[l] * p;
      before = p;
      p = next;
    }
  return sum / (4 * PI_L);
}

/* Panels on which the series has few waves each. */
static inline void
tabulate_series (Exact *e)
{
  e->panels = 4 + e->lmax;
  e->terms = g_new0 (long double, e->panels * TERMS);
  for (gint64 i = 0; i < e->panels; i++)
    {
      long double y[TERMS];

      for (int k = 0; k < TERMS; k++)
        {
          const long double t = (long double) i + 0.5L + 0.5L * cosl (PI_L * (k + 0.5L) / TERMS);

          y[k] = series_at (e, 2 * sinl (PI_L / 2 * t / (long double) e->panels));
        }
      for (int j = 0; j < TERMS; j++)
        for (int k = 0; k < TERMS; k++)
          e->terms[i * TERMS + j]
            += (j > 0 ? 2.0L : 1.0L) / TERMS * y[k] * cosl (PI_L * j * (k + 0.5L) / TERMS);
    }
}

static inline long double
exact_at (const Exact *e, long double chord)
{
  const long double theta = 2 * asinl (MIN (1, chord / 2));
  const long double place = theta / PI_L * (long double) e->panels;
  gint64 i;
  long double t, b1 = 0, b2 = 0;

  if (!e->window)
    return spline_at (e, chord);
  i = CLAMP ((gint64) place, 0, e->panels - 1);
  t = 2 * (place - (long double) i) - 1;
  for (int j = TERMS - 1; j > 0; j--)
    {
      const long double b = 2 * t * b1 - b2 + e->terms[i * TERMS + j];

      b2 = b1;
      b1 = b;
    }
  return t * b1 - b2 + e->terms[i * TERMS];
}

static inline void
take_window (Exact *e, const double *window, gint64 lmax)
{
  e->lmax = lmax;
  e->window = g_new (long double, lmax + 1);
  for (gint64 l = 0; l <= lmax; l++)
    e->window[l] = (long double) window[l];
}

/* The spline whose slope is 0 at the first knot and whose second derivative is 0 at the last. */
static inline void
take_profile (Exact *e, const double *theta, const double *value, gint64 n)
{
  g_autofree long double *c = g_new0 (long double, n), *d = g_new0 (long double, n);
  long double *x = g_new (long double, n), *y = g_new (long double, n);

  for (gint64 i = 0; i < n; i++)
    {
      x[i] = 2 * sinl ((long double) theta[i] / 2);
      y[i] = (long double) value[i];
    }
  for (gint64 i = 0; i + 1 < n; i++)
    {
      const long double after = x[i + 1] - x[i], before = i ? x[i] - x[i - 1] : 0;
      const long double right
        = 6 * ((y[i + 1] - y[i]) / after - (i ? (y[i] - y[i - 1]) / before : 0));
      const long double pivot = 2 * (before + after) - (i ? before * c[i - 1] : 0);

      c[i] = after / pivot;
      d[i] = (right - (i ? before * d[i - 1] : 0)) / pivot;
    }
  e->bends = g_new0 (long double, n);
  for (gint64 i = n - 2; i >= 0; i--)
    e->bends[i] = d[i] - c[i] * e->bends[i + 1];
  e->knots = x;
  e->values = y;
  e->n_knots = n;
}

static inline void
make_window (Exact *e, Shape kind, double width, gint64 lmax)
{
  g_autofree double *window = g_new0 (double, lmax + 1);
  const double sigma = width / sqrt (8 * log (2));

  for (gint64 l = 0; l <= lmax; l++)
    {
      const double ll = (double) (l * (l + 1));

      window[l] = kind == SHARP_WINDOW ? 1 / (1 + (double) l / (double) lmax)
                                       : exp (-ll * sigma * sigma / 2)
                                           - exp (-2 * ll * sigma * sigma);
    }
  e->kernel = armilla_kernel_new_window (window, lmax, NULL);
  take_window (e, window, lmax);
}

static inline void
make_profile (Exact *e, Shape kind, double width)
{
  enum { N = 41 };
  double theta[N], value[N];

  for (int i = 0; i < N; i++)
    {
      const double x = (double) i / (N - 1);

      theta[i] = width * x;
      value[i] = (kind == JUMPY_PROFILE ? 0.5 * cos (4 * x) : exp (-14 * x * x)) / (width * width);
    }
  e->kernel = armilla_kernel_new_profile (theta, value, N, NULL);
  take_profile (e, theta, value, N);
}

/* Kernels of a width, radian; those that have other scales by the side of it have the same number
 * of pixels in them. */
static inline void
make_kernel (Exact *e, Shape kind, double width)
{
  const double pi = G_PI * (1 - 1e-15);

  memset (e, 0, sizeof *e);
  if (kind == GAUSSIAN)
    e->kernel = armilla_kernel_new_gaussian (width, NULL);
  else if (kind == NEEDLET || kind == NEEDLET4)
    e->kernel = armilla_kernel_new_needlet (0.5 * width, kind == NEEDLET ? 1 : 4, NULL);
  else if (kind == SHARP_WINDOW || kind == DIFFERENCE)
    make_window (e, kind, width, kind == SHARP_WINDOW ? (gint64) (2 / width) + 1
                                                      : (gint64) (21 / width) + 4);
  else if (kind == TOP_HAT)
    {
      const double s = sin (0.5 * MIN (width, pi)), height = 1 / (4 * G_PI * s * s);

      e->kernel = armilla_kernel_new_top_hat (MIN (width, pi), NULL);
      take_profile (e, (double[]) { 0, MIN (width, pi) }, (double[]) { height, height }, 2);
    }
  else
    make_profile (e, kind, MIN (3 * width, G_PI));
  if (armilla_kernel_lmax (e->kernel) >= 0 && !e->window)
    {
      const gint64 lmax = armilla_kernel_lmax (e->kernel);
      g_autofree double *window = g_new (double, lmax + 1);

      armilla_kernel_window (e->kernel, lmax, window); /* closed forms, tested elsewhere */
      take_window (e, window, lmax);
    }
  if (e->window)
    tabulate_series (e);
}
