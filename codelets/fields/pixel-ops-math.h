/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic on pixels of which some are UNSEEN, shared by the CPU and CUDA. */
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
