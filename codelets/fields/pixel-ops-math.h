/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic on pixels, some of them UNSEEN, and statistics over realisations, shared by the CPU
 * and CUDA. */
#pragma once

#include "codelets/rings/ring-fft-math.h"

#define ARMILLA_UNSEEN_VALUE (-1.6375e30)

/* Returns the weight of a mask's pixel: 0 if it is UNSEEN; otherwise its value, or 1 if
 * @from_unseen is set. */
ARMILLA_HD double
armilla_pixel_weight (double mask, int from_unseen)
{
  return armilla_is_unseen_value (mask) ? 0 : from_unseen ? 1 : mask;
}

/* Returns the value of a pixel after masking. With weight 0 it becomes 0 or UNSEEN, whatever its
 * value; otherwise UNSEEN stays UNSEEN. */
ARMILLA_HD double
armilla_pixel_masked (double value, double weight, int outside_unseen)
{
  if (weight == 0)
    return outside_unseen ? ARMILLA_UNSEEN_VALUE : 0;
  return armilla_is_unseen_value (value) ? ARMILLA_UNSEEN_VALUE : value * weight;
}

/* Returns alpha x + beta y; UNSEEN if either is, even if its factor is 0. */
ARMILLA_HD double
armilla_pixel_sum (double alpha, double x, double beta, double y)
{
  if (armilla_is_unseen_value (x) || armilla_is_unseen_value (y))
    return ARMILLA_UNSEEN_VALUE;
  return alpha * x + beta * y;
}

/* Statistics of the numbers of a tile over realisations: [array][n]; the first array holds the
 * means. */
typedef struct {
  int64_t n;     /* number of values of the tile */
  int64_t count; /* number of realisations, including the one being added */
  int unseen;    /* whether numbers may be UNSEEN */
  int squares;   /* whether sums of squared differences from the mean are kept */
  int minimum;   /* whether minima are kept */
  int maximum;   /* whether maxima are kept */
} ArmillaCollectShape;

/* Adds one realisation @x of a number by Welford's recurrence, which avoids cancellation; @share is
 * 1 / count. @at: its mean; the squares, minima and maxima that are kept follow at distances of n.
 * A number that was UNSEEN once stays UNSEEN. */
ARMILLA_HD void
armilla_collect_add (const ArmillaCollectShape *shape, double share, double x, double *at)
{
  const int64_t n = shape->n;
  const int first = shape->count == 1;
  const int unseen = shape->unseen
                     & (armilla_is_unseen_value (x) | (!first && armilla_is_unseen_value (at[0])));
  const double mean = first ? 0 : at[0], d = x - mean, now = first ? x : mean + d * share;
  double *next = at + n;

  at[0] = unseen ? ARMILLA_UNSEEN_VALUE : now;
  if (shape->squares)
    {
      const double squares = first ? 0 : *next + d * (x - now);

      *next = unseen ? ARMILLA_UNSEEN_VALUE : squares;
      next += n;
    }
  if (shape->minimum)
    {
      *next = unseen ? ARMILLA_UNSEEN_VALUE : first || x < *next ? x : *next;
      next += n;
    }
  if (shape->maximum)
    *next = unseen ? ARMILLA_UNSEEN_VALUE : first || x > *next ? x : *next;
}
