/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Gauss quadrature for a grid's own weights: the smallest set of rings that has the same
 * weighted sums over rings of all polynomials up to a degree.
 *
 * Sums over the rings of a grid, with weights, of polynomials in x = cos theta are an inner
 * product, (p, q) = sum_r w_r p (x_r) q (x_r). Its orthonormal polynomials p_k have a three-term
 * recurrence, beta_k p_k+1 = x p_k - beta_k-1 p_k-1 if the grid is symmetric about the equator
 * (Stieltjes). The zeros x_j of p_n with the weights 1 / sum_{k < n} p_k (x_j)^2 give the same sums
 * up to degree 2 n - 1. The recurrence is stable as long as the rings are everywhere denser than
 * the zeros, which are nearly pi / n apart in theta. */
#include "core/grids/gauss-of-rings.h"

#include <math.h>

/* Errors of the zeros must be small compared with the rounding of a double. A longer long double is
 * slow, and a shorter one not accurate enough. */
#define LONG_ENOUGH (LDBL_MANT_DIG == 64)

#define ITERATIONS 12
#define CHECKS 16

typedef struct {
  gint64 n_points; /* rings of the northern hemisphere, including the equator */
  long double *x, *w;
  long double sum;   /* sum of all weights */
  gint64 n;          /* even */
  long double *beta; /* [n - 1] */
} Measure;

static void
measure_clear (Measure *self)
{
  g_free (self->x);
  g_free (self->w);
  g_free (self->beta);
}

/* Sets points and weights to those of the northern rings, for both hemispheres. Returns FALSE if
 * the rings are not symmetric or a weight is not positive. */
static gboolean
measure_init (Measure *self, const ArmillaGrid *grid)
{
  self->n_points = grid->n_pairs;
  self->x = g_new (long double, grid->n_pairs);
  self->w = g_new (long double, grid->n_pairs);
  for (gint64 p = 0; p < grid->n_pairs; p++)
    {
      const ArmillaRingPair *pair = &grid->pairs[p];
      const ArmillaRing *north = pair->north >= 0 ? &grid->rings[pair->north] : NULL;
      const ArmillaRing *south = pair->south >= 0 ? &grid->rings[pair->south] : NULL;
      const gboolean equator = north && !south && north->cos_theta == 0;

      if (!north || !(north->weight > 0)
          || (!equator
              && (!south || south->weight != north->weight || south->n_phi != north->n_phi)))
        return FALSE;
      self->x[p] = (long double) north->cos_theta + north->cos_lo;
      self->w[p] = (long double) north->weight * (long double) north->n_phi * (equator ? 1 : 2);
      self->sum += self->w[p];
    }
  return TRUE;
}

static void
find_recurrence (Measure *self)
{
  const gint64 n_points = self->n_points;
  g_autofree long double *last = g_new0 (long double, n_points);
  g_autofree long double *now = g_new (long double, n_points); /* p_k times factor */
  long double factor = 1 / sqrtl (self->sum), before = 0;

  for (gint64 i = 0; i < n_points; i++)
    now[i] = 1;
  for (gint64 k = 0; k < self->n - 1; k++)
    {
      long double norm = 0;

      for (gint64 i = 0; i < n_points; i++)
        {
          const long double p = now[i] * factor;
          const long double next = self->x[i] * p - before * last[i];

          last[i] = p;
          now[i] = next;
          norm += self->w[i] * next * next;
        }
      self->beta[k] = before = sqrtl (norm);
      factor = norm > 0 ? 1 / before : 1;
    }
}

/* Defines a function that returns p_n (x) / p_n' (x), for the factors a[k] = 1 / beta[k], b[k] =
 * beta[k - 1] / beta[k]. */
#define DEFINE_STEP(name, Real)                                                                    \
  static Real name (const Real *a, const Real *b, gint64 n, Real x)                               \
  {                                                                                                \
    Real last = 0, last_slope = 0, now = 1, slope = 0;                                             \
                                                                                                   \
    for (gint64 k = 0; k < n; k++)                                                                 \
      {                                                                                            \
        const Real next = a[k] * x * now - b[k] * last;                                            \
        const Real next_slope = a[k] * (now + x * slope) - b[k] * last_slope;                      \
                                                                                                   \
        last = now, now = next;                                                                    \
        last_slope = slope, slope = next_slope;                                                    \
      }                                                                                            \
    return now / slope;                                                                            \
  }
DEFINE_STEP (step, double)
DEFINE_STEP (step_long, long double)

typedef struct {
  double *a, *b;
  long double *a_long, *b_long;
} Factors;

static void
factors_init (Factors *self, const Measure *measure)
{
  const gint64 n = measure->n;

  self->a = g_new (double, n);
  self->b = g_new (double, n);
  self->a_long = g_new (long double, n);
  self->b_long = g_new (long double, n);
  for (gint64 k = 0; k < n; k++)
    {
      /* the last beta only scales p_n, so that any number gives the same zeros */
      const long double beta = k < n - 1 ? measure->beta[k] : 0.5L;

      self->a_long[k] = 1 / beta;
      self->b_long[k] = k > 0 ? measure->beta[k - 1] / beta : 0;
      self->a[k] = (double) self->a_long[k];
      self->b[k] = (double) self->b_long[k];
    }
}

static void
factors_clear (Factors *self)
{
  g_free (self->a);
  g_free (self->b);
  g_free (self->a_long);
  g_free (self->b_long);
}

/* Finds zero @j from the pole, near that of a Legendre polynomial (Tricomi). Returns FALSE if the
 * iteration does not converge to it. */
static gboolean
find_zero (const Factors *factors, gint64 n, gint64 j, long double *zero)
{
  const double nn = (double) n, theta = G_PI * (4 * (double) j + 3) / (4 * nn + 2);
  const double guess = (1 - (nn - 1) / (8 * nn * nn * nn)) * cos (theta);
  const double gap = G_PI / nn * sin (theta);
  double x = guess, change = gap;

  for (int i = 0; i < ITERATIONS && fabs (change) > 1e-9 * gap; i++)
    {
      change = step (factors->a, factors->b, n, x);
      x -= change;
      if (!(fabs (x - guess) < 0.5 * gap))
        return FALSE;
    }
  *zero = x - step_long (factors->a_long, factors->b_long, n, x);
  return fabs (change) <= 1e-9 * gap && fabs ((double) (*zero - x)) < 1e-6 * gap;
}

/* Returns 1 / sum p_k (x)^2. */
static long double
find_weight (const Measure *measure, const Factors *factors, long double x)
{
  long double last = 0, now = 1, sum = 1;

  for (gint64 k = 0; k < measure->n - 1; k++)
    {
      const long double next = factors->a_long[k] * x * now - factors->b_long[k] * last;

      last = now;
      now = next;
      sum += now * now;
    }
  return measure->sum / sum;
}

static void
set_ring (ArmillaRing *ring, long double x, long double weight)
{
  const long double sine = sqrtl ((1 - x) * (1 + x));

  *ring = (ArmillaRing) { .cos_theta = (double) x, .sin_theta = (double) sine,
                          .weight = (double) weight, .n_phi = 1, .phi0_den = 1 };
  ring->cos_lo = (double) (x - ring->cos_theta);
  ring->sin_lo = (double) (sine - ring->sin_theta);
}

/* Returns whether the zeros are in order and their weights positive. */
static gboolean
find_rings (const Measure *measure, ArmillaRing *rings)
{
  Factors factors;
  long double before = 1;
  gboolean ok = TRUE;

  factors_init (&factors, measure);
  for (gint64 j = 0; ok && j < measure->n / 2; j++)
    {
      long double x;

      ok = find_zero (&factors, measure->n, j, &x) && x > 0 && x < before;
      if (!ok)
        break;
      before = x;
      set_ring (&rings[j], x, find_weight (measure, &factors, x));
    }
  factors_clear (&factors);
  return ok;
}

/* Returns whether cos (l theta) has the same weighted sum over the rings that were found as over
 * the rings of the grid, for CHECKS + 1 even values of l up to @degree. Detects the loss of
 * accuracy of the recurrence if the rings of the grid are not dense enough. */
static gboolean
same_sums (const Measure *measure, const ArmillaRing *rings, gint64 degree)
{
  for (gint64 i = 0; i <= CHECKS; i++)
    {
      const gint64 l = degree / 2 * i / CHECKS * 2;
      long double sum = 0;

      for (gint64 r = 0; r < measure->n_points; r++)
        sum += measure->w[r] * cosl ((long double) l * acosl (measure->x[r]));
      for (gint64 j = 0; j < measure->n / 2; j++)
        sum -= 2 * (long double) rings[j].weight
               * cosl ((long double) l
                       * acosl ((long double) rings[j].cos_theta + rings[j].cos_lo));
      if (!(fabsl (sum) < 1e-14L * measure->sum))
        return FALSE;
    }
  return TRUE;
}

/* Returns the number of rings per hemisphere that armilla_gauss_of_rings () finds: a quarter of the
 * polynomial degree. */
gint64
armilla_gauss_of_rings_count (gint64 degree)
{
  return (degree / 2 + 2) / 2;
}

/* Finds rings of one pixel that, with their mirror images, give the grid's weighted sums of all
 * polynomials in cos theta up to the degree: sum_r w_r n_r p (cos theta_r). The error of their
 * cosines is about 1e-18. Returns the northern rings from the pole; NULL if the grid is asymmetric,
 * a weight is not positive, the rings are too few or too uneven to gain anything, or long double is
 * not x86's. */
ArmillaRing *
armilla_gauss_of_rings (const ArmillaGrid *grid, gint64 degree)
{
  const gint64 n = armilla_gauss_of_rings_count (degree);
  Measure measure = { .n = 2 * n };
  g_autofree ArmillaRing *rings = NULL;
  gboolean ok;

  if (!LONG_ENOUGH || n >= grid->n_pairs)
    return NULL;
  measure.beta = g_new0 (long double, measure.n);
  rings = g_new0 (ArmillaRing, n);
  ok = measure_init (&measure, grid);
  if (ok)
    {
      find_recurrence (&measure);
      ok = find_rings (&measure, rings) && same_sums (&measure, rings, degree);
    }
  measure_clear (&measure);
  return ok ? g_steal_pointer (&rings) : NULL;
}
