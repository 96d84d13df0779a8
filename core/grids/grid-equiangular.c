/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include "core/grids/grid-private.h"

/* Returns the table of sin (pi j / half), j = 0..2 half - 1. */
static long double *
sine_table (gint64 half)
{
  long double *table = g_new (long double, 2 * half);

  for (gint64 j = 0; j < half; j++)
    {
      ArmillaDd s, c;

      armilla_dd_sincospi (j, half, &s, &c);
      table[j] = (long double) s.hi + s.lo;
      table[j + half] = -table[j];
    }
  return table;
}

/* Returns sum_{k=0}^{n_terms-1} sin ((2k+1) pi a / half) / (2k+1); @inverse holds 1 / (2k+1).
 * Summed in long double, so that 1e4 terms keep the precision of a double. */
static long double
odd_sine_sum (const long double *table, const long double *inverse, gint64 half, gint64 a,
              gint64 n_terms)
{
  long double sum = 0;
  gint64 j = a, stride = 2 * a < 2 * half ? 2 * a : 2 * a - 2 * half;

  for (gint64 k = 0; k < n_terms; k++)
    {
      sum += table[j] * inverse[k];
      j += stride;
      if (j >= 2 * half)
        j -= 2 * half;
    }
  return sum;
}

/* Parameters of a kind: theta_i = pi (@step i + @start) / @half, and the weights, all of them of
 * the form
 *   w_i = scale (2 sin theta_i S_i + e_i),  S_i = sum_{k < n_terms} sin ((2k+1) theta_i) / (2k+1)
 *   S_i comes from the textbooks' sum cos (2 k theta) / (4 k^2 - 1) by parts, with 1 / (4 k^2 - 1)
 *   = (1 / (2k-1) - 1 / (2k+1)) / 2; unlike that sum it has no cancellation at the poles. */
typedef struct {
  gint64 half, step, start;
  gint64 n_terms;
} Rule;

static Rule
get_rule (ArmillaGridKind kind, gint64 n)
{
  switch (kind)
    {
    case ARMILLA_GRID_FEJER1:
      return (Rule){ 2 * n, 2, 1, n / 2 };
    case ARMILLA_GRID_CLENSHAW_CURTIS:
      return (Rule){ n - 1, 1, 0, (n - 1) / 2 };
    default:
      return (Rule){ n, 1, 0, n / 2 };
    }
}

/* Returns the weight of ring i in the integral over cos (theta), given theta_i and S_i. */
static double
ring_weight (ArmillaGridKind kind, gint64 n, gint64 i, ArmillaDd cosine, ArmillaDd sine,
             long double sum)
{
  long double s = (long double) sine.hi + sine.lo, c = (long double) cosine.hi + cosine.lo;
  long double sign = i % 2 == 0 ? 1 : -1, steps = n - 1, last;

  switch (kind)
    {
    case ARMILLA_GRID_FEJER1:
      /* e = cos ((n-1) theta) / n for odd n, and n theta is an odd multiple of pi / 2 */
      last = n % 2 == 1 ? sign * s / n : 0;
      return (double) ((2 * s * sum + last) * 2 / n);
    case ARMILLA_GRID_CLENSHAW_CURTIS:
      /* steps theta is i pi; the last term of the textbooks' sum has half the weight if steps is
       * even */
      last = sign * ((n - 1) % 2 == 0 ? steps / (steps * steps - 1) : c / steps);
      return (double) ((2 * s * sum + last) * (i == 0 || i == n - 1 ? 1 : 2) / steps);
    default:
      return (double) (4 * s * sum / n);
    }
}

static void
set_rings (ArmillaGridKind kind, ArmillaRing *rings, gint64 n, gint64 n_phi)
{
  Rule rule = get_rule (kind, n);
  g_autofree long double *table = sine_table (rule.half);
  g_autofree long double *inverse = g_new (long double, rule.n_terms + 1);
  gboolean south_pole = kind != ARMILLA_GRID_DRISCOLL_HEALY;
  /* Driscoll-Healy: as if the south pole were ring n, which has weight 0 and is omitted */
  gint64 n_symmetric = south_pole ? n : n + 1;

  for (gint64 k = 0; k < rule.n_terms; k++)
    inverse[k] = 1.0L / (2 * k + 1);
  for (gint64 i = 0; i < (n_symmetric + 1) / 2; i++)
    {
      gint64 a = rule.step * i + rule.start;
      long double sum = odd_sine_sum (table, inverse, rule.half, a, rule.n_terms);
      ArmillaDd cosine, sine;

      armilla_dd_sincospi (a, rule.half, &sine, &cosine);
      armilla_rings_set_mirrored (rings, n_symmetric, i, n_phi, cosine, sine,
                                  ring_weight (kind, n, i, cosine, sine, sum));
    }
}

static const char *
kind_name (ArmillaGridKind kind)
{
  switch (kind)
    {
    case ARMILLA_GRID_FEJER1:
      return "Fejer 1";
    case ARMILLA_GRID_CLENSHAW_CURTIS:
      return "Clenshaw-Curtis";
    case ARMILLA_GRID_DRISCOLL_HEALY:
      return "Driscoll-Healy";
    default:
      return NULL;
    }
}

/* Returns the rings of Clenshaw and Curtis without their weights, whose computation takes longest:
 * each ring has a weight of 1. */
ArmillaGrid *
armilla_grid_new_unweighted (gint64 n_theta, gint64 n_phi, GError **error)
{
  ArmillaRing *rings;

  if (!armilla_rings_check_size (kind_name (ARMILLA_GRID_CLENSHAW_CURTIS), n_theta, 2, n_phi,
                                 error))
    return NULL;
  rings = armilla_rings_alloc (n_theta, error);
  if (rings == NULL)
    return NULL;
  for (gint64 i = 0; i < (n_theta + 1) / 2; i++)
    {
      ArmillaDd cosine, sine;

      armilla_dd_sincospi (i, n_theta - 1, &sine, &cosine);
      armilla_rings_set_mirrored (rings, n_theta, i, n_phi, cosine, sine, 1);
    }
  return armilla_grid_take (ARMILLA_GRID_CLENSHAW_CURTIS, 0, rings, n_theta, error);
}

ArmillaGrid *
armilla_grid_new_equiangular (ArmillaGridKind kind, gint64 n_theta, gint64 n_phi, GError **error)
{
  const char *name = kind_name (kind);
  ArmillaRing *rings;

  if (name == NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "grid kind %d is not equiangular; must be Fejer 1, Clenshaw-Curtis "
                              "or Driscoll-Healy", (int) kind);
  if (!armilla_rings_check_size (name, n_theta, kind == ARMILLA_GRID_FEJER1 ? 1 : 2, n_phi, error))
    return NULL;
  if (kind == ARMILLA_GRID_DRISCOLL_HEALY && n_theta % 2 != 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "Driscoll-Healy grid: the number of rings is %" G_GINT64_FORMAT
                              "; it must be even", n_theta);
  /* one more than the number of rings: see set_rings () */
  rings = armilla_rings_alloc (n_theta + 1, error);
  if (rings == NULL)
    return NULL;
  set_rings (kind, rings, n_theta, n_phi);
  return armilla_grid_take (kind, 0, rings, n_theta, error);
}
