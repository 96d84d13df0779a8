/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs as vector lanes, their start values, and the steps of the recurrence. Part of the CPU
 * kernels: compiled once for each instruction set, after simd.h. */
#pragma once

#include <string.h>

#include "codelets/delta-cpu.h"
#include "codelets/delta-math.h"
#include "codelets/simd.h"

#define GV 4         /* vectors of a group: enough independent chains to hide an FMA's latency */
#define GL (GV * VL) /* lanes of a group; divides ARMILLA_DELTA_LANES */
#define SEGMENT 64   /* steps that share a buffer of q */
#define UNROLL _Pragma ("GCC unroll 8")

/* How far a group of lanes is, at the current order. */
typedef enum {
  PHASE_NEVER, /* negligible up to lmax, at this order and all higher ones */
  PHASE_SKIP,  /* no lane matters yet */
  PHASE_MIXED, /* some lanes matter */
  PHASE_FULL   /* all lanes matter */
} Phase;

/* Lanes are sorted from the poles to the equator; groups below n_polar use the form with
 * differences. Unused lanes at the end of either part repeat a pair of that part. */
typedef struct {
  int64_t lmax;
  int64_t n_lanes, n_groups, n_polar;
  double *x;                  /* -sin^2 in polar groups, cos^2 in the others */
  double *cosine;
  double *sin_hi, *sin_lo;
  double *power_hi, *power_lo, *power_scale; /* sin^m */
  double *q, *d, *scale;      /* state of the recurrence; d: difference or sum */
  double *pair;               /* index of the pair, -1 in unused lanes */
  double *phase;              /* [group] */
  double *work;               /* the rest of the scratch space */
} Lanes;

static void
lanes_split (Lanes *lanes, double *scratch, int64_t n)
{
  double **rows[] = { &lanes->x,        &lanes->cosine,   &lanes->sin_hi,      &lanes->sin_lo,
                      &lanes->power_hi, &lanes->power_lo, &lanes->power_scale, &lanes->q,
                      &lanes->d,        &lanes->scale,    &lanes->pair,        &lanes->phase };

  scratch += (64 - (uintptr_t) scratch % 64) % 64 / sizeof (double);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    *rows[i] = scratch + (int64_t) i * n;
  lanes->work = scratch + ARMILLA_DELTA_LANE_ROWS * n;
  _Static_assert (sizeof rows / sizeof rows[0] == ARMILLA_DELTA_LANE_ROWS, "rows of the scratch");
}

static void
lane_set (Lanes *lanes, int64_t lane, const double *pairs, int64_t n_pairs, int64_t pair, int used)
{
  const ArmillaDd c = { pairs[ARMILLA_PAIR_COS * n_pairs + pair],
                        pairs[ARMILLA_PAIR_COS_LO * n_pairs + pair] };
  ArmillaDd s = { pairs[ARMILLA_PAIR_SIN * n_pairs + pair],
                  pairs[ARMILLA_PAIR_SIN_LO * n_pairs + pair] };

  if (s.hi < ARMILLA_DELTA_POLE)
    s.hi = s.lo = 0;
  lanes->x[lane] = lane < lanes->n_polar * GL ? -armilla_dd_multiply (s, s).hi
                                              : armilla_dd_multiply (c, c).hi;
  lanes->cosine[lane] = c.hi;
  lanes->sin_hi[lane] = s.hi;
  lanes->sin_lo[lane] = s.lo;
  lanes->pair[lane] = used ? (double) pair : -1;
}

/* Sorts the pairs by sine, puts them into lanes, and starts sin^m at the first order. */
static void
lanes_init (Lanes *lanes, const ArmillaDeltaShape *shape, const double *pairs, double *scratch)
{
  const int64_t n = shape->n_pairs;
  const double *c = pairs + ARMILLA_PAIR_COS * n, *s = pairs + ARMILLA_PAIR_SIN * n;
  double *order;
  int64_t n_polar = 0;

  lanes_split (lanes, scratch, armilla_delta_lanes (n));
  lanes->lmax = shape->lmax;
  order = lanes->work;
  for (int64_t i = 0; i < n; i++)
    {
      int64_t j = i;

      for (; j > 0 && s[(int64_t) order[j - 1]] > s[i]; j--)
        order[j] = order[j - 1];
      order[j] = (double) i;
    }
  while (n_polar < n && c[(int64_t) order[n_polar]] * c[(int64_t) order[n_polar]]
                          >= ARMILLA_DELTA_POLAR_X)
    n_polar++;
  lanes->n_polar = (n_polar + GL - 1) / GL;
  lanes->n_groups = lanes->n_polar + (n - n_polar + GL - 1) / GL;
  lanes->n_lanes = lanes->n_groups * GL;
  for (int64_t i = 0; i < lanes->n_lanes; i++)
    {
      const int polar = i < lanes->n_polar * GL;
      const int64_t at = polar ? i : i - lanes->n_polar * GL + n_polar;
      const int64_t end = polar ? n_polar : n;

      lane_set (lanes, i, pairs, n, (int64_t) order[at < end ? at : end - 1], at < end);
    }
  for (int64_t i = 0; i < lanes->n_lanes; i++)
    {
      const ArmillaDd sine = { lanes->sin_hi[i], lanes->sin_lo[i] };
      const ArmillaDd power = armilla_delta_power (sine, shape->m_first, lanes->power_scale + i);

      lanes->power_hi[i] = power.hi;
      lanes->power_lo[i] = power.lo;
    }
  for (int64_t g = 0; g < lanes->n_groups; g++)
    lanes->phase[g] = PHASE_SKIP;
}

/* sin^m -> sin^(m+1). */
SIMD_INLINE void
lanes_next_power (Lanes *lanes, int64_t i)
{
  const V h = v_load (lanes->power_hi + i), s = v_load (lanes->sin_hi + i);
  const V p = h * s;
  const V e = v_product_error (h, s, p)
              + (h * v_load (lanes->sin_lo + i) + v_load (lanes->power_lo + i) * s);
  const V hi = p + e, lo = e - (hi - p);
  const VM small = v_less (hi, v_set (ARMILLA_DELTA_SMALL));
  const V up = v_select (small, v_set (ARMILLA_DELTA_UP), v_set (1));

  v_store (lanes->power_hi + i, hi * up);
  v_store (lanes->power_lo + i, lo * up);
  v_store (lanes->power_scale + i,
           v_load (lanes->power_scale + i) - v_select (small, v_set (1), v_set (0)));
}

/* The phase that scales of 0 (matters) and below mean. */
SIMD_INLINE Phase
lanes_phase (const double *scale)
{
  const V zero = v_set (0);
  int below = 0;
  int matters = 0;

  UNROLL for (int i = 0; i < GV; i++)
    {
      const V n = v_load (scale + i * VL);

      below |= v_any (v_less (n, zero));
      matters |= v_any (v_less (v_set (-0.5), n));
    }
  return !matters ? PHASE_SKIP : below ? PHASE_MIXED : PHASE_FULL;
}

/* q and d of all lanes at k = 0 of order m; then sin^m moves on. */
static void
lanes_start (Lanes *lanes, int64_t m, double norm)
{
  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      const int64_t last = g * GL + GL - 1; /* the lane nearest to the equator */

      if (lanes->phase[g] == PHASE_NEVER)
        continue;
      if (armilla_delta_negligible (lanes->lmax, m, lanes->sin_hi[last], lanes->cosine[last]))
        {
          lanes->phase[g] = PHASE_NEVER;
          continue;
        }
      for (int64_t i = g * GL; i <= last; i += VL)
        {
          const V n = v_set (norm);
          const V q = v_fma (v_load (lanes->power_hi + i), n, v_load (lanes->power_lo + i) * n);

          v_store (lanes->q + i, q);
          v_store (lanes->d + i, q);
          v_store (lanes->scale + i, v_load (lanes->power_scale + i));
          lanes_next_power (lanes, i);
        }
      lanes->phase[g] = lanes_phase (lanes->scale + g * GL);
    }
}

/* Registers of a tile of NV vectors. */
#define STEP(polar, NV, q, d, x, a, p)                                                             \
  do                                                                                               \
    {                                                                                              \
      const V a_ = v_set (a), p_ = v_set (p);                                                      \
      UNROLL for (int i_ = 0; i_ < (NV); i_++)                                                     \
        {                                                                                          \
          const V z_ = v_fma (a_, (x)[i_], p_);                                                    \
          (d)[i_] = (polar) ? v_fma (z_, (q)[i_], (d)[i_]) : v_fms (z_, (q)[i_], (d)[i_]);         \
          (q)[i_] = (polar) ? (q)[i_] + (d)[i_] : (d)[i_] - (q)[i_];                               \
        }                                                                                          \
    }                                                                                              \
  while (0)

/* Moves lanes that have grown one scale up. */
SIMD_INLINE void
rescale (V *q, V *d, double *scale)
{
  UNROLL for (int i = 0; i < GV; i++)
    {
      const V n = v_load (scale + i * VL);
      const VM big = v_less (v_set (ARMILLA_DELTA_BIG), v_abs (q[i]));
      const V f = v_select (big, v_set (ARMILLA_DELTA_DOWN), v_set (1));

      q[i] *= f;
      d[i] *= f;
      v_store (scale + i * VL, n + v_select (big, v_set (1), v_set (0)));
    }
}

SIMD_INLINE int
any_big (const V *q)
{
  V m = v_abs (q[0]);

  UNROLL for (int i = 1; i < GV; i++)
    m = v_select (v_less (m, v_abs (q[i])), v_abs (q[i]), m);
  return v_any (v_less (v_set (ARMILLA_DELTA_BIG), m));
}

/* Steps k .. end - 1 of a group. Stores q in @out, from the step returned on; 0 for the lanes that
 * do not matter there. @out is that of step k. Returns @end when no lane matters before. */
SIMD_INLINE int64_t
group_run (const int polar, Lanes *lanes, int64_t group, const double *a, const double *p,
           int64_t k, int64_t end, double *out)
{
  const int64_t at = group * GL;
  double *const scale = lanes->scale + at;
  Phase phase = (Phase) lanes->phase[group];
  int64_t first;
  V q[GV], d[GV], x[GV], keep[GV];

  UNROLL for (int i = 0; i < GV; i++)
    {
      q[i] = v_load (lanes->q + at + i * VL);
      d[i] = v_load (lanes->d + at + i * VL);
      x[i] = v_load (lanes->x + at + i * VL);
    }
  for (first = k; phase == PHASE_SKIP && first < end;)
    {
      const int64_t stop = first + ARMILLA_DELTA_CHECK < end ? first + ARMILLA_DELTA_CHECK : end;

      for (; first < stop; first++)
        STEP (polar, GV, q, d, x, a[first], p[first]);
      if (any_big (q))
        {
          rescale (q, d, scale);
          phase = lanes_phase (scale);
        }
    }
  out += (first - k) * GL;
  for (k = first; phase == PHASE_MIXED && k < end;)
    {
      const int64_t stop = k + ARMILLA_DELTA_CHECK < end ? k + ARMILLA_DELTA_CHECK : end;

      UNROLL for (int i = 0; i < GV; i++)
        keep[i] = v_select (v_less (v_load (scale + i * VL), v_set (0)), v_set (0), v_set (1));
      for (; k < stop; k++, out += GL)
        {
          UNROLL for (int i = 0; i < GV; i++)
            v_store (out + i * VL, q[i] * keep[i]);
          STEP (polar, GV, q, d, x, a[k], p[k]);
        }
      rescale (q, d, scale);
      phase = lanes_phase (scale);
    }
  for (; k < end; k++, out += GL)
    {
      UNROLL for (int i = 0; i < GV; i++)
        v_store (out + i * VL, q[i]);
      STEP (polar, GV, q, d, x, a[k], p[k]);
    }
  UNROLL for (int i = 0; i < GV; i++)
    {
      v_store (lanes->q + at + i * VL, q[i]);
      v_store (lanes->d + at + i * VL, d[i]);
    }
  lanes->phase[group] = phase;
  return first;
}

/* As group_run(), with the form that suits the group. */
static int64_t
group_advance (Lanes *lanes, int64_t group, const double *coefficients, int64_t n_steps, int64_t k,
               int64_t end, double *out)
{
  if (group < lanes->n_polar)
    return group_run (1, lanes, group, coefficients, coefficients + n_steps, k, end, out);
  return group_run (0, lanes, group, coefficients, coefficients + 2 * n_steps, k, end, out);
}
