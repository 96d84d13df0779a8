/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/histogram.h"

#include <math.h>

/* rounding error of a conversion from 180 degrees */
#define HALF_TURN_SLACK 1e-15

static double
squared_chord (double angle)
{
  long double half = sinl ((long double) angle / 2);

  return angle >= G_PI - HALF_TURN_SLACK ? INFINITY : (double) (4 * half * half);
}

static gboolean
check_edges (const ArmillaBins *bins, GError **error)
{
  const double degree = G_PI / 180;

  for (int k = 0; k <= bins->n; k++)
    {
      const double angle = bins->angle[k];

      if (!(angle >= 0 && angle <= G_PI + HALF_TURN_SLACK))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins is %.10g deg; must be from 0 to 180 deg", k,
                             angle / degree);
      if (k > 0 && !(bins->s2[k] > bins->s2[k - 1]))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins, %.10g deg, must be above the previous one, "
                             "%.10g deg", k, angle / degree,
                             bins->angle[k - 1] / degree);
    }
  return TRUE;
}

/* Creates bins between given edges. An edge at pi includes antipodal points. Returns the bins; NULL
 * with ARMILLA_ERROR_VALUE if edges do not increase, are out of range or too close for a double, or
 * if the number of bins is 0 or above ARMILLA_BINS_MAX. @angle: edges, radian, strictly increasing,
 * from 0 to pi. */
ArmillaBins *
armilla_bins_new (const double *angle, int n, GError **error)
{
  g_autoptr (ArmillaBins) self = NULL;

  if (n < 1 || n > ARMILLA_BINS_MAX)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%d bins; must be from 1 to %d", n, ARMILLA_BINS_MAX);
  self = g_new0 (ArmillaBins, 1);
  self->refs = 1;
  self->n = n;
  self->angle = g_memdup2 (angle, sizeof *angle * ((gsize) n + 1));
  self->s2 = g_new (double, n + 1);
  for (int k = 0; k <= n; k++)
    self->s2[k] = squared_chord (angle[k]);
  return check_edges (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Returns @n bins of equal width; see armilla_bins_new(); NULL on error. @first: first edge,
 * radian; @last: last edge, radian. */
ArmillaBins *
armilla_bins_new_linear (double first, double last, int n, GError **error)
{
  g_autofree double *angle = g_new (double, CLAMP (n, 0, ARMILLA_BINS_MAX) + 1);

  for (int k = 0; k <= n && n <= ARMILLA_BINS_MAX; k++)
    angle[k] = k == n ? last
                      : (double) (first + ((long double) last - first) * k / n);
  return armilla_bins_new (angle, n, error);
}

/* Returns @n bins whose edges have equal ratios; see armilla_bins_new(); NULL on error. @first:
 * first edge, radian, above 0; @last: last edge, radian. */
ArmillaBins *
armilla_bins_new_logarithmic (double first, double last, int n, GError **error)
{
  g_autofree double *angle = g_new (double, CLAMP (n, 0, ARMILLA_BINS_MAX) + 1);

  if (!(first > 0))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "the first edge of logarithmic bins is %.10g deg; must be above 0",
                              first * 180 / G_PI);
  for (int k = 0; k <= n && n <= ARMILLA_BINS_MAX; k++)
    angle[k] = k == 0   ? first
               : k == n ? last
                        : (double) (first * powl ((long double) last / first,
                                                  (long double) k / n));
  return armilla_bins_new (angle, n, error);
}

ArmillaBins *
armilla_bins_ref (ArmillaBins *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_bins_unref (ArmillaBins *self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  g_free (self->angle);
  g_free (self->s2);
  g_free (self);
}
