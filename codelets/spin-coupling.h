/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the a_lm of a field of spin s become a_lm of scalar fields, and which ones: what CPU and CUDA
 * share.
 *
 * The product of d^1_{mu,sigma} and d^l_{m,j} is a sum over l' = l - 1, l, l + 1 with products of
 * Clebsch-Gordan coefficients. In L^l = sqrt ((2 l + 1) / (4 pi)) d^l, with
 *
 *   f+ = sqrt ((l-j+1) (l-j+2) / ((2l+1) (2l+3))) / (l+1),
 *   f0 = sqrt ((l-j+1) (l+j)) / (l (l+1)),
 *   f- = sqrt ((l+j) (l+j-1) / ((2l-1) (2l+1))) / l,
 *
 *   sin L^l_{m,j}  = -f+ sqrt ((l+1)^2 - m^2) L^{l+1}_{m,j-1} - f0 m L^l_{m,j-1}
 *                    + f- sqrt (l^2 - m^2) L^{l-1}_{m,j-1},
 *   (1 + cos) L^l_{m,j} = f+ sqrt ((l-m+1) (l-m+2)) L^{l+1}_{m-1,j-1}
 *                         + f0 sqrt ((l-m+1) (l+m)) L^l_{m-1,j-1}
 *                         + f- sqrt ((l+m) (l+m-1)) L^{l-1}_{m-1,j-1}.
 *
 * For -j, as L^l_{m,-j} = (-1)^(m+j) L^l_{-m,j}: sin L^l_{m,-j} has the opposite signs but for
 * f0's, and (1 + cos) L^l_{m,-j} leads to L_{m+1,-j+1} with m replaced by -m in the roots. */
#pragma once

#include <math.h>
#include <stdint.h>

#include "codelets/delta-math.h"
#include "codelets/host-device.h"
#include "codelets/spin-recurrence.h"

/* A ring with a smaller sine is near a pole. From here on the division by sin^s theta multiplies
 * rounding errors by at most 2^s where they are largest. */
#define ARMILLA_SPIN_POLAR_SINE 0.5
#define ARMILLA_SPIN_POLAR_COSINE 0.8660254037844386

/* Runs of orders that delta_recurrence does for a block. */
enum {
  ARMILLA_SPIN_MIDDLE, /* orders m, fields Q sin^s and U sin^s; rings that are not near a pole */
  ARMILLA_SPIN_UP,     /* orders m + s; rings near a pole, as the two below. Fields: Q + i U of the
                        * northern ring, Q - i U of the southern one, times (1 + cos)^s */
  ARMILLA_SPIN_DOWN,   /* orders m - s. Fields: Q - i U north, Q + i U south */
  ARMILLA_SPIN_FOLDED, /* orders s - m > 0, the highest m first. Fields as before */
  ARMILLA_SPIN_RUNS
};

/* A run: order_first .. order_first + n - 1; the first is m's, the next ones m + step's .. */
typedef struct {
  int64_t order_first, n, m, step;
  int64_t table, prepared; /* where they begin */
} ArmillaSpinRun;

/* Highest order of a scalar field up to degree @lmax that matters near the poles. */
ARMILLA_HD int64_t
armilla_spin_polar_order (int64_t lmax)
{
  int64_t low = 0, high = lmax + 1; /* low matters, high does not */

  while (high - low > 1)
    {
      const int64_t m = (low + high) / 2;

      if (armilla_delta_negligible (lmax, m, ARMILLA_SPIN_POLAR_SINE, ARMILLA_SPIN_POLAR_COSINE))
        high = m;
      else
        low = m;
    }
  return low;
}

ARMILLA_HD ArmillaSpinRun
armilla_spin_run_of (int64_t order_first, int64_t m, int64_t n, int64_t step)
{
  ArmillaSpinRun run = { order_first, n > 0 ? n : 0, m, step, 0, 0 };

  return run;
}

/* The runs of a block; those without orders have n = 0. */
ARMILLA_HD void
armilla_spin_runs (const ArmillaSpinShape *shape, ArmillaSpinRun runs[ARMILLA_SPIN_RUNS])
{
  const int64_t s = shape->spin, lmax = shape->lmax + s, first = shape->m_first;
  const int64_t last = shape->m_last, top = armilla_spin_polar_order (lmax);
  const int64_t up = top - s < last ? top - s : last, down = top + s < last ? top + s : last;
  const int64_t high = first > s ? first : s, low = last < s - 1 ? last : s - 1;
  int64_t table = 0, prepared = 0;

  runs[ARMILLA_SPIN_MIDDLE] = armilla_spin_run_of (first, first, last - first + 1, 1);
  runs[ARMILLA_SPIN_UP] = armilla_spin_run_of (first + s, first, up - first + 1, 1);
  runs[ARMILLA_SPIN_DOWN] = armilla_spin_run_of (high - s, high, down - high + 1, 1);
  runs[ARMILLA_SPIN_FOLDED] = armilla_spin_run_of (s - low, low, low - first + 1, -1);
  for (int i = 0; i < ARMILLA_SPIN_RUNS; i++)
    {
      const int64_t o = runs[i].order_first;
      const int64_t steps = armilla_delta_steps_before (lmax, o, o + runs[i].n);

      runs[i].table = table;
      runs[i].prepared = prepared;
      table += runs[i].n + 3 * steps;
      prepared += 2 * shape->n_maps * 4 * steps;
    }
}

/* f+, f0, f- of degree l >= j >= 1. */
ARMILLA_HD void
armilla_spin_factors (int64_t l, int64_t j, double f[3])
{
  const double x = (double) l, y = (double) j;

  f[0] = sqrt ((x - y + 1) * (x - y + 2) / ((2 * x + 1) * (2 * x + 3))) / (x + 1);
  f[1] = sqrt ((x - y + 1) * (x + y)) / (x * (x + 1));
  f[2] = sqrt ((x + y) * (x + y - 1) / ((2 * x - 1) * (2 * x + 1))) / x;
}
