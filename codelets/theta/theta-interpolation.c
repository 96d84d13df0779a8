/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta/theta-cpu.h"

#include <math.h>

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/theta/theta-rows.h"
#include "core/base/double-double.h"
#include "core/grids/block-tables.h"

#define PI 3.14159265358979323846

/* Position of a pair's northern ring on the grid, whose ring i is at i. */
typedef struct {
  int64_t ring; /* the nearest ring */
  double part;  /* distance beyond that ring, -1/2 .. 1/2 */
} Position;

/* Rounding errors of theta would be multiplied by lmax. So theta is computed relative to the
 * nearest ring of the grid, whose sine and cosine are known to 31 digits, from the sine of a small
 * angle. */
static Position
position (const ArmillaThetaShape *shape, const double *pairs, int64_t pair)
{
  const int64_t n = shape->n_pairs;
  const ArmillaDd c = { pairs[ARMILLA_PAIR_COS * n + pair],
                        pairs[ARMILLA_PAIR_COS_LO * n + pair] };
  const ArmillaDd s = { pairs[ARMILLA_PAIR_SIN * n + pair],
                        pairs[ARMILLA_PAIR_SIN_LO * n + pair] };
  const double about = atan2 (s.hi, c.hi) / PI * (double) shape->n_grid - 0.5;
  const int64_t ring = (int64_t) floor (about + 0.5);
  ArmillaDd ring_s, ring_c;
  double difference;

  armilla_dd_sincospi (2 * ring + 1, 2 * shape->n_grid, &ring_s, &ring_c);
  difference = dd_add (dd_mul (s, ring_c), dd_neg (dd_mul (c, ring_s))).hi;
  return (Position){ ring, asin (difference) / PI * (double) shape->n_grid };
}

static int64_t
first_tap (Position at)
{
  return at.ring - (at.part < 0) - ARMILLA_THETA_TAPS / 2 + 1;
}

/* Finds the first and the last grid ring from which the rings of a group are interpolated. */
static void
group_window (const ArmillaThetaShape *shape, const double *pairs, int64_t group, int64_t *first,
              int64_t *last)
{
  const int64_t end = (group + 1) * ARMILLA_THETA_GROUP;

  *first = INT64_MAX;
  *last = INT64_MIN;
  for (int64_t p = group * ARMILLA_THETA_GROUP; p < end && p < shape->n_pairs; p++)
    {
      const int64_t tap = first_tap (position (shape, pairs, p));

      *first = tap < *first ? tap : *first;
      *last = tap + ARMILLA_THETA_TAPS - 1 > *last ? tap + ARMILLA_THETA_TAPS - 1 : *last;
    }
}

void
armilla_theta_windows (ArmillaThetaShape *shape, const double *pairs)
{
  int64_t lowest = INT64_MAX, highest = INT64_MIN;

  shape->n_window = 0;
  for (int64_t g = 0; g < armilla_theta_groups (shape); g++)
    {
      int64_t first, last;

      group_window (shape, pairs, g, &first, &last);
      if (last - first + 1 > shape->n_window)
        shape->n_window = last - first + 1;
      lowest = first < lowest ? first : lowest;
      highest = first > highest ? first : highest;
    }
  shape->first = lowest;
  /* Each group reads a whole window from its first ring on. */
  shape->n_rows = highest + shape->n_window - lowest;
}

int64_t
armilla_theta_weights_size (const ArmillaThetaShape *shape)
{
  return 2 * armilla_theta_firsts (shape)
         + armilla_theta_groups (shape) * shape->n_window * ARMILLA_THETA_GROUP;
}

/* Returns T (u) of theta-interpolation.h, |u| <= taps / 2; @sine is sin (pi u). With r = sqrt (1 -
 * x^2), sinh (beta r) / sinh beta is exp (beta (r - 1)) times a factor near 1, and r - 1 = -x^2 /
 * (1 + r) loses no digits. */
static double
weight (double u, double sine)
{
  const double beta = ARMILLA_THETA_TAPS * PI / 10, x = 2 * u / ARMILLA_THETA_TAPS;
  const double root = sqrt ((1 - x) * (1 + x));
  const double ratio = root > 1e-9 ? expm1 (-2 * beta * root) / (root * expm1 (-2 * beta))
                                   : -2 * beta / expm1 (-2 * beta);

  return u == 0 ? 1 : sine / (PI * u) * exp (-beta * x * x / (1 + root)) * ratio;
}

void
armilla_theta_weights (const ArmillaThetaShape *shape, const double *pairs, double *weights)
{
  double *table = weights + 2 * armilla_theta_firsts (shape);

  for (int64_t i = 0; i < armilla_theta_weights_size (shape); i++)
    weights[i] = 0;
  for (int64_t g = 0; g < armilla_theta_groups (shape); g++)
    {
      int64_t first, last;

      group_window (shape, pairs, g, &first, &last);
      weights[g] = (double) first;
      for (int64_t i = 0; i < ARMILLA_THETA_GROUP; i++)
        {
          const int64_t pair = g * ARMILLA_THETA_GROUP + i;

          if (pair >= shape->n_pairs)
            break;
          const Position at = position (shape, pairs, pair);
          const int64_t tap = first_tap (at);
          /* sin (pi (part + n)) = (-1)^n sin (pi part) */
          const double sine = sin (PI * at.part);

          for (int64_t j = 0; j < ARMILLA_THETA_TAPS; j++)
            {
              const int64_t whole = at.ring - tap - j;

              table[(g * shape->n_window + tap + j - first) * ARMILLA_THETA_GROUP + i]
                = weight (at.part + (double) whole, whole & 1 ? -sine : sine);
            }
        }
    }
  armilla_theta_find_limits (shape, weights, weights + armilla_theta_firsts (shape));
}

/* Returns the number of doubles of scratch space of the CPU kernels. */
int64_t
armilla_theta_scratch_size (const ArmillaThetaShape *shape)
{
  return 8 + shape->n_rows * (ARMILLA_THETA_COLUMNS + ARMILLA_THETA_ROW_DOUBLES);
}

void
armilla_theta_synthesis_cpu (const ArmillaThetaShape *shape, const double *weights,
                             const double *const *grid, double *tile, double *scratch)
{
  const ArmillaThetaKernels *kernels = ARMILLA_FOR_ISA (shape->isa, armilla_theta_kernels);

  kernels->synthesis (shape, weights, grid, tile, scratch);
}

void
armilla_theta_adjoint_cpu (const ArmillaThetaShape *shape, const double *weights,
                           const double *tile, int fresh, double *const *grid, double *scratch)
{
  const ArmillaThetaKernels *kernels = ARMILLA_FOR_ISA (shape->isa, armilla_theta_kernels);

  kernels->adjoint (shape, weights, tile, fresh, grid, scratch);
}
