/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs in the registers of a thread, and the steps of the recurrence; for delta-*.cu. */
#pragma once

#include "codelets/delta-cuda.h"
#include "codelets/delta-math.h"

/* How far the ring pairs of a warp are, at the current order. */
enum class Phase
{
  NEVER, /* negligible up to lmax */
  SKIP,  /* none matters yet */
  MIXED, /* some matter */
  FULL   /* all matter */
};

/* What is added to a x: rows of a segment's coefficients. */
enum
{
  COLUMN_DIFFERENCE,
  COLUMN_SUM,
  COLUMN_PLAIN_SINE,
  COLUMN_PLAIN_COSINE,
  N_COLUMNS
};

/* Coefficients of some steps of the recurrence, in shared memory; 0 after the last step. */
template <int SEGMENT> struct Segment
{
  double a[SEGMENT];
  double p[N_COLUMNS][SEGMENT];
};

/* By all threads of the block; @table: the order's a, a + b - 2, b + 2, n each. */
template <int SEGMENT>
__device__ __forceinline__ void
segment_load (Segment<SEGMENT> &segment, const double *__restrict__ table, int n, int k0)
{
  for (int i = threadIdx.x; i < SEGMENT; i += blockDim.x)
    {
      const int k = k0 + i;
      const bool is = k < n;
      const double difference = is ? table[n + k] : 0, sum = is ? table[2 * n + k] : 0;

      segment.a[i] = is ? table[k] : 0;
      segment.p[COLUMN_DIFFERENCE][i] = difference;
      segment.p[COLUMN_SUM][i] = sum;
      segment.p[COLUMN_PLAIN_SINE][i] = is ? difference + 2 : 0;
      segment.p[COLUMN_PLAIN_COSINE][i] = is ? sum - 2 : 0;
    }
}

__device__ __forceinline__ double
flip (double x, int sign)
{
  return __hiloint2double (__double2hiint (x) ^ sign, __double2loint (x));
}

/* R ring pairs. Form difference: d += z q; q += d. Sum: d = z q - d; q = d - q; the two are one
 * code with a sign. Plain, for the whole warp: q, d = z q - d, q. */
template <int R> struct Lanes
{
  double q[R], d[R], x[R];
  int scale[R];
  int column[R];
  int sign[R]; /* top bit: form sum */
  bool plain;
  Phase phase;

  template <bool PLAIN, int SEGMENT>
  __device__ __forceinline__ void
  step (const Segment<SEGMENT> &segment, int k)
  {
    const double a = segment.a[k];

#pragma unroll
    for (int r = 0; r < R; r++)
      {
        const double z = fma (a, x[r], segment.p[column[r]][k]), last = q[r];

        if (PLAIN)
          {
            q[r] = fma (z, last, -d[r]);
            d[r] = last;
          }
        else
          {
            d[r] = fma (z, last, flip (d[r], sign[r]));
            q[r] = d[r] + flip (last, sign[r]);
          }
      }
  }

  /* q where it matters, 0 elsewhere. */
  __device__ __forceinline__ double
  value (int r) const
  {
    return scale[r] < 0 ? 0 : q[r];
  }

  /* Moves what has grown one scale up. */
  __device__ __forceinline__ void
  rescale ()
  {
    bool below = false, matters = false;

#pragma unroll
    for (int r = 0; r < R; r++)
      {
        if (fabs (q[r]) > ARMILLA_DELTA_BIG)
          {
            q[r] *= ARMILLA_DELTA_DOWN;
            d[r] *= ARMILLA_DELTA_DOWN;
            scale[r]++;
          }
        below |= scale[r] < 0;
        matters |= scale[r] >= 0;
      }
    set_phase (below, matters);
  }

  __device__ __forceinline__ void
  set_phase (bool below, bool matters)
  {
    if (!__any_sync (~0u, matters))
      phase = Phase::SKIP;
    else
      phase = __any_sync (~0u, below) ? Phase::MIXED : Phase::FULL;
  }

  /* Start values of order m for the pairs at index[]; whether any can matter. */
  __device__ __forceinline__ void
  start (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, const int64_t *index,
         int64_t m, double norm)
  {
    const int64_t n = shape.n_pairs;
    bool middle = true, below = false, matters = false;
    double sine = -1, cosine = 0; /* of the pair nearest to the equator */

#pragma unroll
    for (int r = 0; r < R; r++)
      {
        const double *p = pairs + index[r];
        const ArmillaDd c = { p[ARMILLA_PAIR_COS * n], p[ARMILLA_PAIR_COS_LO * n] };
        ArmillaDd s = { p[ARMILLA_PAIR_SIN * n], p[ARMILLA_PAIR_SIN_LO * n] };
        const bool polar = c.hi * c.hi >= ARMILLA_DELTA_POLAR_X;
        double power_scale;

        if (s.hi < ARMILLA_DELTA_POLE)
          s.hi = s.lo = 0;
        x[r] = polar ? -armilla_dd_multiply (s, s).hi : armilla_dd_multiply (c, c).hi;
        middle &= fabs (x[r]) >= ARMILLA_DELTA_PLAIN_X;
        column[r] = polar ? COLUMN_DIFFERENCE : COLUMN_SUM;
        sign[r] = polar ? 0 : (int) 0x80000000;
        cosine = s.hi > sine ? c.hi : cosine;
        sine = fmax (sine, s.hi);

        const ArmillaDd power = armilla_delta_power (s, m, &power_scale);

        q[r] = d[r] = fma (power.hi, norm, power.lo * norm);
        scale[r] = (int) power_scale;
        below |= scale[r] < 0;
        matters |= scale[r] >= 0;
      }
    plain = __all_sync (~0u, middle);
    if (plain)
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          d[r] = 0;
          column[r] += COLUMN_PLAIN_SINE - COLUMN_DIFFERENCE;
        }
    if (__any_sync (~0u, !armilla_delta_negligible (shape.lmax, m, sine, cosine)))
      set_phase (below, matters);
    else
      phase = Phase::NEVER;
  }
};
