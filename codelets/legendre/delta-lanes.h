/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs as vector lanes, their start values, and the steps of the recurrence. Part of the CPU
 * kernels: compiled once for each instruction set, after simd.h. */
#pragma once

#include <string.h>

#include "codelets/legendre/delta-cpu.h"
#include "codelets/legendre/delta-power.h"

#ifndef FUSED
# define FUSED 1 /* fields whose sums share a loop with the recurrence */
#endif
#ifndef GV
# define GV (V_TILE / FUSED) /* vectors per group */
#endif
#define GL (GV * VL) /* lanes per group */
/* Lanes that use one form and become negligible together: the same number for any number of fields,
 * so that a ring has the same bits. Divides ARMILLA_DELTA_LANES. */
#define ALIKE (FUSED * GL)
#define SEGMENT 64   /* steps per buffer of q */
/* Orders whose rows of a tile are written or read together: a cache line. */
#define CHUNK ARMILLA_DELTA_CHUNK
#define UNROLL _Pragma ("GCC unroll 16")

/* State of a group of lanes at the current order. */
typedef enum {
  PHASE_NEVER, /* negligible up to lmax, at this order and all higher ones */
  PHASE_SKIP,  /* no lane contributes yet */
  PHASE_MIXED, /* some lanes contribute */
  PHASE_FULL   /* all lanes contribute */
} Phase;

/* Forms of the recurrence, see delta-math.h. FORM_PLAIN takes one operation less; it loses digits
 * only if sin 2 theta is small. */
typedef enum {
  FORM_DIFFERENCE,
  FORM_SUM,
  FORM_PLAIN
} Form;

/* Lanes are sorted from the poles to the equator; groups below n_polar are closer to a pole than to
 * the equator. Unused lanes at the end of either part repeat a pair of that part. */
typedef struct {
  int64_t lmax;
  int64_t n_lanes, n_groups, n_polar;
  double *x;                  /* -sin^2 for FORM_DIFFERENCE, else cos^2 */
  double *cosine;
  double *sin_hi, *sin_lo;
  double *power_hi, *power_lo, *power_scale; /* sin^m */
  double *q, *d, *scale;      /* state of the recurrence; d: difference, sum, or the previous q */
  double *pair;               /* index of the pair in the tile, -1 in unused lanes */
  double *factor;             /* factor of the pair's rows */
  double *phase;              /* [group] */
  double *first;              /* [group] first step in which a lane contributes */
  double *form;               /* [group] */
  double *work;               /* the rest of the scratch space */
} Lanes;

static void
lanes_split (Lanes *lanes, double *scratch, int64_t n)
{
  double **rows[] = { &lanes->x,        &lanes->cosine,   &lanes->sin_hi,      &lanes->sin_lo,
                      &lanes->power_hi, &lanes->power_lo, &lanes->power_scale, &lanes->q,
                      &lanes->d,        &lanes->scale,    &lanes->pair,        &lanes->factor,
                       &lanes->phase,    &lanes->form,     &lanes->first };

  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    *rows[i] = scratch + (int64_t) i * n;
  lanes->work = scratch + ARMILLA_DELTA_LANE_ROWS * n;
  _Static_assert (sizeof rows / sizeof rows[0] == ARMILLA_DELTA_LANE_ROWS, "rows of the scratch");
}

static void
lane_set (Lanes *lanes, int64_t lane, const double *pairs, int64_t n_pairs,
          const ArmillaDeltaRows *rows, int64_t pair, int used)
{
  const ArmillaDd c = { pairs[ARMILLA_PAIR_COS * n_pairs + pair],
                        pairs[ARMILLA_PAIR_COS_LO * n_pairs + pair] };
  ArmillaDd s = { pairs[ARMILLA_PAIR_SIN * n_pairs + pair],
                  pairs[ARMILLA_PAIR_SIN_LO * n_pairs + pair] };

  if (s.hi < ARMILLA_DELTA_POLE)
    s.hi = s.lo = 0;
  lanes->x[lane] = armilla_dd_multiply (c, c).hi;
  lanes->cosine[lane] = c.hi;
  lanes->sin_hi[lane] = s.hi;
  lanes->sin_lo[lane] = s.lo;
  lanes->pair[lane] = !used ? -1 : rows ? rows->index[pair] : (double) pair;
  lanes->factor[lane] = rows ? rows->factor[pair] : 1;
}

SIMD_INLINE void
power_store (Lanes *lanes, int64_t i, Power x)
{
  x = power_rescale (x, v_less (x.hi, v_set (ARMILLA_DELTA_SMALL)), 1);
  v_store (lanes->power_hi + i, x.hi);
  v_store (lanes->power_lo + i, x.lo);
  v_store (lanes->power_scale + i, x.scale);
}

/* sin^m -> sin^(m+1). */
SIMD_INLINE void
lanes_next_power (Lanes *lanes, int64_t i)
{
  const Power s = { v_load (lanes->sin_hi + i), v_load (lanes->sin_lo + i), v_set (0) };
  const Power x = { v_load (lanes->power_hi + i), v_load (lanes->power_lo + i),
                    v_load (lanes->power_scale + i) };

  power_store (lanes, i, power_multiply (x, s));
}

/* Sorts the pairs by sine and assigns them to lanes, polar and equatorial ones separately. */
static void
lanes_assign (Lanes *lanes, const double *pairs, int64_t n, const ArmillaDeltaRows *rows)
{
  const double *c = pairs + ARMILLA_PAIR_COS * n, *s = pairs + ARMILLA_PAIR_SIN * n;
  double *order = lanes->work;
  int64_t n_polar = 0;

  for (int64_t i = 0; i < n; i++)
    {
      int64_t j = i;

      for (; j > 0 && s[(int64_t) order[j - 1]] > s[i]; j--)
        order[j] = order[j - 1];
      order[j] = (double) i;
      n_polar += c[i] * c[i] >= ARMILLA_DELTA_POLAR_X;
    }
  lanes->n_polar = (n_polar + ALIKE - 1) / ALIKE * FUSED;
  lanes->n_groups = lanes->n_polar + (n - n_polar + ALIKE - 1) / ALIKE * FUSED;
  lanes->n_lanes = lanes->n_groups * GL;
  for (int64_t i = 0; i < lanes->n_lanes; i++)
    {
      const int polar = i < lanes->n_polar * GL;
      const int64_t at = polar ? i : i - lanes->n_polar * GL + n_polar;
      const int64_t end = polar ? n_polar : n;

      lane_set (lanes, i, pairs, n, rows, (int64_t) order[at < end ? at : end - 1], at < end);
    }
}

/* Chooses the form of a group and sets its x accordingly. */
static void
group_set_form (Lanes *lanes, int64_t g)
{
  const int64_t first = g / FUSED * ALIKE;
  const double *s = lanes->sin_hi + first, *c = lanes->cosine + first;
  const int polar = g < lanes->n_polar;

  lanes->form[g] = polar ? FORM_DIFFERENCE : FORM_SUM;
  if ((polar ? s[0] * s[0] : c[ALIKE - 1] * c[ALIKE - 1]) >= ARMILLA_DELTA_PLAIN_X)
    lanes->form[g] = FORM_PLAIN;
  if ((Form) lanes->form[g] != FORM_DIFFERENCE)
    return;
  for (int64_t i = g * GL; i < (g + 1) * GL; i++)
    {
      const ArmillaDd sine = { lanes->sin_hi[i], lanes->sin_lo[i] };

      lanes->x[i] = -armilla_dd_multiply (sine, sine).hi;
    }
}

static void
lanes_init (Lanes *lanes, const ArmillaDeltaShape *shape, const double *pairs,
            const ArmillaDeltaRows *rows, double *scratch)
{
  lanes_split (lanes, scratch, armilla_delta_lanes (shape->n_pairs));
  lanes->lmax = shape->lmax;
  lanes_assign (lanes, pairs, shape->n_pairs, rows);
  for (int64_t i = 0; i < lanes->n_lanes; i += VL)
    {
      const Power sine = { v_load (lanes->sin_hi + i), v_load (lanes->sin_lo + i), v_set (0) };

      power_store (lanes, i, power_of (sine, shape->m_first));
    }
  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      lanes->phase[g] = PHASE_SKIP;
      group_set_form (lanes, g);
    }
}

/* Returns the phase of a group from the scales of its lanes: 0 if the lane contributes, otherwise
 * below 0. */
SIMD_INLINE Phase
lanes_phase (const double *scale)
{
  const V zero = v_set (0);
  int below = 0;
  int contributes = 0;

  UNROLL for (int i = 0; i < GV; i++)
    {
      const V n = v_load (scale + i * VL);

      below |= v_any (v_less (n, zero));
      contributes |= v_any (v_less (v_set (-0.5), n));
    }
  return !contributes ? PHASE_SKIP : below ? PHASE_MIXED : PHASE_FULL;
}

/* Sets q and d of a group's lanes at k = 0 of order m, then advances sin^m to the next order. */
static void
group_start (Lanes *lanes, int64_t g, int64_t m, double norm)
{
  const int64_t equator = (g / FUSED + 1) * ALIKE - 1; /* the lane nearest to the equator */

  if (lanes->phase[g] == PHASE_NEVER)
    return;
  if (armilla_delta_negligible (lanes->lmax, m, lanes->sin_hi[equator], lanes->cosine[equator]))
    {
      lanes->phase[g] = PHASE_NEVER;
      return;
    }
  for (int64_t i = g * GL; i < (g + 1) * GL; i += VL)
    {
      const V n = v_set (norm);
      const V q = v_fma (v_load (lanes->power_hi + i), n, v_load (lanes->power_lo + i) * n);

      v_store (lanes->q + i, q);
      v_store (lanes->d + i, lanes->form[g] == FORM_PLAIN ? v_set (0) : q);
      v_store (lanes->scale + i, v_load (lanes->power_scale + i));
      lanes_next_power (lanes, i);
    }
  lanes->first[g] = 0;
  lanes->phase[g] = lanes_phase (lanes->scale + g * GL);
}

/* Performs a step of the recurrence on one vector. @z: factor of q */
SIMD_INLINE void
step_vector (const Form form, V z, V *q, V *d)
{
  const V last = *q;

  if (form == FORM_DIFFERENCE)
    {
      *d = v_fma (z, last, *d);
      *q = last + *d;
    }
  else if (form == FORM_SUM)
    {
      *d = v_fms (z, last, *d);
      *q = *d - last;
    }
  else
    {
      *q = v_fms (z, last, *d);
      *d = last;
    }
}

/* Moves lanes that have grown to the next scale. */
SIMD_INLINE void
rescale (V *q, V *d, double *scale, const int n_v)
{
  UNROLL for (int i = 0; i < n_v; i++)
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
any_big (const V *q, const int n_v)
{
  V m = v_abs (q[0]);

  UNROLL for (int i = 1; i < n_v; i++)
    m = v_select (v_less (m, v_abs (q[i])), v_abs (q[i]), m);
  return v_any (v_less (v_set (ARMILLA_DELTA_BIG), m));
}

SIMD_INLINE int
any_contributes (const double *scale, const int n_v)
{
  int contributes = 0;

  UNROLL for (int i = 0; i < n_v; i++)
    contributes |= v_any (v_less (v_set (-0.5), v_load (scale + i * VL)));
  return contributes;
}
