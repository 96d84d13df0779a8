/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/kernels/kernel-private.h"

#include <math.h>
#include <string.h>

/* exp (-x) is 1e-17 there: the end of a Gaussian's window */
#define GAUSSIAN_END 39.2

/* longer windows would take minutes and gigabytes */
#define WINDOW_LIMIT (G_GINT64_CONSTANT (1) << 24)

static ArmillaKernel *
kernel_new (char *text, gint64 lmax)
{
  ArmillaKernel *kernel = g_new0 (ArmillaKernel, 1);

  kernel->references = 1;
  kernel->text = text;
  kernel->support = G_PI;
  if (lmax >= 0)
    {
      kernel->lmax = lmax;
      kernel->window = g_new (double, lmax + 1);
    }
  return kernel;
}

/* Checks an angle; rejects NaN too. */
static gboolean
check_angle (const char *what, double angle, GError **error)
{
  return (angle > 0 && angle <= G_PI)
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "%s of a kernel = %g rad: must be above 0 and at most %g", what,
                          angle, G_PI);
}

static gboolean
check_length (double lmax, const char *what, GError **error)
{
  return lmax <= (double) WINDOW_LIMIT
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "%s requires multipoles up to %.3g; must be at most %.3g, so a larger "
                          "angle is needed", what, lmax, (double) WINDOW_LIMIT);
}

/* Makes a Gaussian kernel: b_l = exp (-l (l + 1) sigma^2 / 2), sigma = fwhm / sqrt (8 ln 2), as in
 * healpy's gauss_beam. Returns the kernel; NULL on error. @fwhm: full width at half maximum,
 * radian, above 0 and at most pi. */
ArmillaKernel *
armilla_kernel_new_gaussian (double fwhm, GError **error)
{
  const double sigma = fwhm / sqrt (8 * G_LN2), end = sqrt (2 * GAUSSIAN_END) / sigma + 1;
  ArmillaKernel *kernel;

  if (!check_angle ("fwhm", fwhm, error) || !check_length (end, "fwhm", error))
    return NULL;
  kernel = kernel_new (g_strdup_printf ("Gaussian, FWHM %.4g arcmin", fwhm * 10800 / G_PI),
                       (gint64) end);
  for (gint64 l = 0; l <= kernel->lmax; l++)
    kernel->window[l] = exp (-0.5 * (double) l * (double) (l + 1) * sigma * sigma);
  return kernel;
}

/* Makes a Mexican needlet (Geller and Mayeli 2009): b_l = (x / p)^p exp (p - x), x = l (l + 1) s^2;
 * at most 1, and 0 at l = 0. Returns the kernel; NULL on error. @scale: s, radian, above 0 and at
 * most pi. */
ArmillaKernel *
armilla_kernel_new_needlet (double scale, int order, GError **error)
{
  /* p ln (x / p) + p - x = -39.2: one Newton step from above gives an upper bound */
  const double x = 2.5 * GAUSSIAN_END + 4 * order, end = sqrt (x) / scale + 1;
  ArmillaKernel *kernel;

  if (!check_angle ("scale", scale, error) || !check_length (end, "scale", error))
    return NULL;
  if (order < 1 || order > 16)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "order of a needlet = %d: must be from 1 "
                                                          "to 16",
                              order);
  kernel = kernel_new (g_strdup_printf ("Mexican needlet of order %d, scale %.4g arcmin", order,
                                        scale * 10800 / G_PI),
                       (gint64) end);
  for (gint64 l = 0; l <= kernel->lmax; l++)
    {
      const double y = (double) l * (double) (l + 1) * scale * scale;

      kernel->window[l] = y > 0 ? exp (order * log (y / order) + order - y) : 0;
    }
  return kernel;
}

/* Makes a kernel from its window, 0 beyond @lmax. Returns the kernel; NULL with
 * ARMILLA_ERROR_NUMERIC (NaN, infinite) or ARMILLA_ERROR_VALUE (all 0). */
ArmillaKernel *
armilla_kernel_new_window (const double *window, gint64 lmax, GError **error)
{
  gint64 last = -1;
  ArmillaKernel *kernel;

  for (gint64 l = 0; l <= lmax; l++)
    {
      if (!isfinite (window[l]))
        return armilla_fail_null (error, ARMILLA_ERROR_NUMERIC,
                                  "the window = %g at l = %" G_GINT64_FORMAT ": must be finite",
                                  window[l], l);
      last = window[l] != 0 ? l : last;
    }
  if (last < 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "the window is 0 at all l");
  if (!check_length ((double) last, "the window's scale", error))
    return NULL;
  kernel = kernel_new (g_strdup_printf ("window up to l = %" G_GINT64_FORMAT, lmax), last);
  for (gint64 l = 0; l <= last; l++)
    kernel->window[l] = window[l];
  return kernel;
}

/* Computes the second derivatives of the cubic spline with slope 0 at the first knot (a kernel is
 * an even function of the chord) and no curvature at the last one. */
static void
bend (ArmillaKernel *k)
{
  const gint64 n = k->n_knots;
  g_autofree double *factor = g_new0 (double, n);
  double *y = k->bends;

  for (gint64 i = 0; i < n - 1; i++)
    {
      const double after = k->knots[i + 1] - k->knots[i];
      const double before = i > 0 ? k->knots[i] - k->knots[i - 1] : 0;
      const double slope = (k->values[i + 1] - k->values[i]) / after
                           - (i > 0 ? (k->values[i] - k->values[i - 1]) / before : 0);
      const double pivot
        = 2 * (before + after) - (i > 0 ? before * factor[i - 1] : 0);

      factor[i] = after / pivot;
      y[i] = (6 * slope - (i > 0 ? before * y[i - 1] : 0)) / pivot;
    }
  y[n - 1] = 0;
  for (gint64 i = n - 2; i >= 0; i--)
    y[i] -= factor[i] * y[i + 1];
}

static gboolean
check_profile (const double *theta, const double *value, gint64 n, GError **error)
{
  gboolean any = FALSE;

  if (n < 2)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "a profile must have at least 2 angles, not %" G_GINT64_FORMAT, n);
  for (gint64 i = 0; i < n; i++)
    {
      if (!isfinite (theta[i]) || !isfinite (value[i]))
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "point %" G_GINT64_FORMAT " of the profile is not finite: %g at %g "
                             "rad", i + 1, value[i], theta[i]);
      if (i > 0 && theta[i] <= theta[i - 1])
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "the profile's angles must increase, but point %" G_GINT64_FORMAT
                             " has %g rad after %g", i + 1, theta[i], theta[i - 1]);
      any |= value[i] != 0;
    }
  if (theta[0] != 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the profile must begin at angle 0, not at %g rad", theta[0]);
  if (theta[n - 1] > G_PI * (1 + 1e-12))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the profile extends to %g rad, beyond pi; are its angles in another "
                         "unit?", theta[n - 1]);
  return any || armilla_fail (error, ARMILLA_ERROR_VALUE, "the profile is 0 everywhere");
}

/* Makes a kernel from its profile: a cubic spline in the chord, flat at 0; 0 beyond the last angle.
 * Values may be negative. Returns the kernel; NULL with ARMILLA_ERROR_NUMERIC, ARMILLA_ERROR_SHAPE
 * or ARMILLA_ERROR_VALUE. @theta: angles, radian, increasing from 0; @value: K at these angles, 1 /
 * steradian; @n: their number, at least 2. */
ArmillaKernel *
armilla_kernel_new_profile (const double *theta, const double *value, gint64 n, GError **error)
{
  ArmillaKernel *kernel;

  if (!check_profile (theta, value, n, error))
    return NULL;
  kernel = kernel_new (g_strdup_printf ("profile of %" G_GINT64_FORMAT " points up to %.4g arcmin",
                                        n, theta[n - 1] * 10800 / G_PI),
                       -1);
  kernel->support = MIN (theta[n - 1], G_PI);
  kernel->n_knots = n;
  kernel->knots = g_new (double, n);
  kernel->values = g_memdup2 (value, sizeof *value * (gsize) n);
  kernel->bends = g_new (double, n);
  for (gint64 i = 0; i < n; i++)
    kernel->knots[i] = 2 * sin (0.5 * MIN (theta[i], G_PI));
  bend (kernel);
  return kernel;
}

/* Makes a top-hat kernel: 1 / solid angle within a disc of that radius, 0 outside. Returns the
 * kernel; NULL on error. @radius: radian, above 0 and at most pi. */
ArmillaKernel *
armilla_kernel_new_top_hat (double radius, GError **error)
{
  const double s = sin (0.5 * radius), height = 1 / (4 * G_PI * s * s);
  const double theta[2] = { 0, radius }, value[2] = { height, height };
  ArmillaKernel *kernel;

  if (!check_angle ("radius", radius, error)
      || !(kernel = armilla_kernel_new_profile (theta, value, 2, error)))
    return NULL;
  g_free (kernel->text);
  kernel->text = g_strdup_printf ("top hat, radius %.4g arcmin", radius * 10800 / G_PI);
  return kernel;
}

/* Returns the kernel divided by its b_0, so that its integral is 1; NULL with ARMILLA_ERROR_VALUE
 * if b_0 is negligible compared with the largest b_l or, for a profile, with the integral of its
 * magnitude. */
ArmillaKernel *
armilla_kernel_normalised (ArmillaKernel *kernel, GError **error)
{
  ArmillaKernel *k;
  double b0, largest = 0;

  armilla_kernel_window (kernel, 0, &b0);
  for (gint64 l = 0; kernel->window && l <= kernel->lmax; l++)
    largest = MAX (largest, fabs (kernel->window[l]));
  for (gint64 i = 1; i < kernel->n_knots; i++)
    {
      const double c = kernel->knots[i], before = kernel->knots[i - 1];

      largest += G_PI * fabs (kernel->values[i]) * (c * c - before * before);
    }
  if (fabs (b0) <= 1e-10 * largest)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "the kernel's integral is 0 (b_0 = %g), so it cannot be normalised",
                              b0);
  k = kernel_new (g_strdup_printf ("%s, divided by b_0 = %.6g", kernel->text, b0),
                  kernel->window ? kernel->lmax : -1);
  k->support = kernel->support;
  for (gint64 l = 0; k->window && l <= k->lmax; l++)
    k->window[l] = kernel->window[l] / b0;
  k->n_knots = kernel->n_knots;
  k->knots = g_memdup2 (kernel->knots, sizeof (double) * (gsize) k->n_knots);
  k->values = g_memdup2 (kernel->values, sizeof (double) * (gsize) k->n_knots);
  k->bends = g_memdup2 (kernel->bends, sizeof (double) * (gsize) k->n_knots);
  for (gint64 i = 0; i < k->n_knots; i++)
    {
      k->values[i] /= b0;
      k->bends[i] /= b0;
    }
  return k;
}

ArmillaKernel *
armilla_kernel_ref (ArmillaKernel *kernel)
{
  g_atomic_int_inc (&kernel->references);
  return kernel;
}

void
armilla_kernel_unref (ArmillaKernel *kernel)
{
  if (!g_atomic_int_dec_and_test (&kernel->references))
    return;
  g_free (kernel->text);
  g_free (kernel->window);
  g_free (kernel->knots);
  g_free (kernel->values);
  g_free (kernel->bends);
  g_free (kernel);
}

/* Returns a description for messages. */
const char *
armilla_kernel_describe (const ArmillaKernel *kernel)
{
  return kernel->text;
}

/* Returns the angle beyond which the kernel is 0, radian; pi if there is none. */
double
armilla_kernel_support (const ArmillaKernel *kernel)
{
  return kernel->support;
}

/* Returns the multipole beyond which its window is 0; -1 for a profile, whose window is
 * unbounded. */
gint64
armilla_kernel_lmax (const ArmillaKernel *kernel)
{
  return kernel->window ? kernel->lmax : -1;
}

static gboolean
same (const double *a, const double *b, gint64 n)
{
  return n == 0 || (a && b && memcmp (a, b, sizeof *a * (gsize) n) == 0);
}

/* Returns whether two kernels have the same values. */
gboolean
armilla_kernel_equal (const ArmillaKernel *a, const ArmillaKernel *b)
{
  const gint64 n = a->n_knots;

  return a->support == b->support && a->lmax == b->lmax && n == b->n_knots
         && !a->window == !b->window && same (a->window, b->window, a->window ? a->lmax + 1 : 0)
         && same (a->knots, b->knots, n) && same (a->values, b->values, n);
}
