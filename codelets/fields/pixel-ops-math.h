/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic on pixels of which some are UNSEEN, and of what is collected over realisations, shared
 * by the CPU and CUDA. */
#pragma once

#include "codelets/rings/ring-fft-math.h"

#define ARMILLA_UNSEEN_VALUE (-1.6375e30)

/* What a pixel of a mask lets through: its value, or, of a mask made @from_unseen pixels, 1. What
 * is
 * UNSEEN lets nothing through. */
ARMILLA_HD double
armilla_pixel_weight (double mask, int from_unseen)
{
  return armilla_is_unseen_value (mask) ? 0 : from_unseen ? 1 : mask;
}

/* A pixel behind a mask. Where nothing comes through it is 0 or UNSEEN, whatever it was; elsewhere
 * UNSEEN stays. */
ARMILLA_HD double
armilla_pixel_masked (double value, double weight, int outside_unseen)
{
  if (weight == 0)
    return outside_unseen ? ARMILLA_UNSEEN_VALUE : 0;
  return armilla_is_unseen_value (value) ? ARMILLA_UNSEEN_VALUE : value * weight;
}

/* alpha x + beta y, UNSEEN where either is; what has the factor 0 is looked at all the same. */
ARMILLA_HD double
armilla_pixel_sum (double alpha, double x, double beta, double y)
{
  if (armilla_is_unseen_value (x) || armilla_is_unseen_value (y))
    return ARMILLA_UNSEEN_VALUE;
  return alpha * x + beta * y;
}

/**
 * ArmillaCollectShape:
 * @n: numbers of the tile
 * @count: realisations, the one that comes now included; at 1 nothing is there before
 * @unseen: whether numbers may be UNSEEN
 * @squares: whether sums of squared differences from the mean are kept
 * @minimum: whether minima are kept
 * @maximum: whether maxima are kept
 *
 * What is collected of the numbers of a tile over realisations: [array][n], of which the first
 * holds the means.
 */
typedef struct {
  int64_t n, count;
  int unseen, squares, minimum, maximum;
} ArmillaCollectShape;

/* One more realisation of a number. The arrays of a tile follow each other: means, then those that
 * are kept of squares, minima and maxima. By Welford's recurrence, in which nothing large cancels;
 * @share is one over the count. What is UNSEEN once remains so. */
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
