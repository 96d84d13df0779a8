/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/histogram.h"

#include <math.h>
#include <string.h>

/* rounding error of a conversion from 180 degrees */
#define HALF_TURN_SLACK 1e-15
/* squares of squares of distances are finite and normal numbers */
#define DISTANCE_MAX 1e60

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
      const double angle = bins->edge[k];

      if (!(angle >= 0 && angle <= G_PI + HALF_TURN_SLACK))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins is %.10g deg; must be from 0 to 180 deg", k,
                             angle / degree);
      if (k > 0 && !(bins->s2[k] > bins->s2[k - 1]))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins, %.10g deg, must be above the previous one, "
                             "%.10g deg", k, angle / degree,
                             bins->edge[k - 1] / degree);
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
  self->edge = g_memdup2 (angle, sizeof *angle * ((gsize) n + 1));
  self->s2 = g_new (double, n + 1);
  for (int k = 0; k <= n; k++)
    self->s2[k] = squared_chord (angle[k]);
  return check_edges (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Computes n + 1 edges of bins of equal width, or of equal ratio of their edges, in extended
 * precision; the first and the last are the given ones. */
void
armilla_bins_space (double first, double last, int n, gboolean logarithmic, double *edge)
{
  for (int k = 0; k <= n; k++)
    {
      const long double share = (long double) k / n;

      edge[k] = k == 0   ? first
                : k == n ? last
                : logarithmic
                  ? (double) (first * powl ((long double) last / first, share))
                  : (double) (first + ((long double) last - first) * k / n);
    }
}

/* Returns @n bins of equal width; see armilla_bins_new(); NULL on error. @first: first edge,
 * radian; @last: last edge, radian. */
ArmillaBins *
armilla_bins_new_linear (double first, double last, int n, GError **error)
{
  g_autofree double *angle = g_new (double, CLAMP (n, 0, ARMILLA_BINS_MAX) + 1);

  if (n <= ARMILLA_BINS_MAX)
    armilla_bins_space (first, last, n, FALSE, angle);
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
  if (n <= ARMILLA_BINS_MAX)
    armilla_bins_space (first, last, n, TRUE, angle);
  return armilla_bins_new (angle, n, error);
}

/* Checks edges of distances or cosines, and squares them. */
static gboolean
square_edges (const char *name, const double *edge, int n, double max, double *square,
              GError **error)
{
  for (int k = 0; k <= n; k++)
    {
      square[k] = edge[k] * edge[k];
      if (!(edge[k] >= 0 && edge[k] <= max))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins of %s is %.10g; must be from 0 to %.10g", k, name,
                             edge[k], max);
      if (k > 0 && !(square[k] > square[k - 1]))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "edge %d of the bins of %s, %.10g, must be above the previous one, "
                             "%.10g", k, name, edge[k], edge[k - 1]);
    }
  return TRUE;
}

/* Checks that a pair has at most one image within the last edges. */
static gboolean
check_period (const ArmillaBins *what, GError **error)
{
  const double last = what->edge[what->n];
  const gboolean two = what->separation == ARMILLA_SEPARATION_RP_PI;

  for (int k = 0; k < 3; k++)
    {
      const double length = what->period[k];
      const gboolean along = two && (int) what->sight - ARMILLA_SIGHT_X == k;
      const double reach = along ? what->edge2[what->n2] : last;

      if (!(length >= 0 && length <= DISTANCE_MAX))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "box: side %d is %.10g; must be positive, or 0 for an axis without "
                             "periods", k + 1, length);
      if (length > 0 && !(reach <= length / 2))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "the last edge of the bins of %s, %.10g, must be at most half of side "
                             "%d of the box, %.10g", along ? "pi" : two ? "rp" : "s", reach, k + 1,
                             length);
      if (length > 0 && what->n2 > 0 && what->sight < ARMILLA_SIGHT_X)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "box: a periodic box has no observer; set line-of-sight to x, y or z");
    }
  return TRUE;
}

/* Creates bins of distances. @what has all members except the squares. Returns a copy with these;
 * NULL with ARMILLA_ERROR_VALUE if edges do not increase or are out of range, if there are no or
 * too many bins, or if an edge is above half of a period. */
ArmillaBins *
armilla_bins_new_distances (const ArmillaBins *what, GError **error)
{
  const gboolean mu = what->separation == ARMILLA_SEPARATION_S_MU;
  g_autoptr (ArmillaBins) self = NULL;

  if (what->n < 1 || what->n > ARMILLA_BINS_MAX || what->n2 < 0 || what->n2 > ARMILLA_BINS_MAX)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%d bins of %d; must be from 1 to %d",
                              what->n, what->n2, ARMILLA_BINS_MAX);
  self = g_memdup2 (what, sizeof *what);
  self->refs = 1;
  self->edge = g_memdup2 (what->edge, sizeof (double) * (gsize) (what->n + 1));
  self->s2 = g_new (double, what->n + 1);
  self->edge2 = NULL;
  self->v2 = NULL;
  if (what->n2 > 0)
    {
      self->edge2 = g_memdup2 (what->edge2, sizeof (double) * (gsize) (what->n2 + 1));
      self->v2 = g_new (double, what->n2 + 1);
    }
  if (!square_edges (what->separation == ARMILLA_SEPARATION_RP_PI ? "rp" : "s", self->edge, self->n,
                     DISTANCE_MAX, self->s2, error)
      || (self->n2 > 0
          && !square_edges (mu ? "mu" : "pi", self->edge2, self->n2, mu ? 1 : DISTANCE_MAX,
                            self->v2, error))
      || !check_period (self, error))
    return NULL;
  if (mu && self->edge2[self->n2] == 1)
    self->v2[self->n2] = INFINITY;
  return g_steal_pointer (&self);
}

/* Returns whether both bins divide all pairs alike. */
gboolean
armilla_bins_equal (const ArmillaBins *a, const ArmillaBins *b)
{
  return a->n == b->n && a->separation == b->separation && a->sight == b->sight && a->n2 == b->n2
         && memcmp (a->period, b->period, sizeof a->period) == 0
         && memcmp (a->s2, b->s2, sizeof *a->s2 * (gsize) (a->n + 1)) == 0
         && (a->n2 == 0 || memcmp (a->v2, b->v2, sizeof *a->v2 * (gsize) (a->n2 + 1)) == 0);
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
  g_free (self->edge);
  g_free (self->s2);
  g_free (self->edge2);
  g_free (self->v2);
  g_free (self);
}
