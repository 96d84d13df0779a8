/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs as vector lanes, their start values, and the steps of the recurrence. Part of the CPU
 * kernels: compiled once for each instruction set, after simd.h. */
#pragma once

#include <string.h>

#include "codelets/delta-cpu.h"
#include "codelets/delta-power.h"

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

/* How the recurrence is written, see delta-math.h. FORM_PLAIN takes an operation less; only where
 * sin 2 theta is small does it lose digits. */
typedef enum {
  FORM_DIFFERENCE,
  FORM_SUM,
  FORM_PLAIN
} Form;

/* Lanes are sorted from the poles to the equator; groups below n_polar work with sin^2, the others
 * with cos^2. Unused lanes at the end of either part repeat a pair of that part. */
typedef struct {
  int64_t lmax;
  int64_t n_lanes, n_groups, n_polar;
  double *x;                  /* -sin^2 in polar groups, cos^2 in the others */
  double *cosine;
  double *sin_hi, *sin_lo;
  double *power_hi, *power_lo, *power_scale; /* sin^m */
  double *q, *d, *scale;      /* state of the recurrence; d: difference, sum, or the last q */
  double *pair;               /* index of the pair, -1 in unused lanes */
  double *phase;              /* [group] */
  double *form;               /* [group] */
  double *run;                /* [group]: first pair where the lanes are consecutive pairs, or -1 */
  double *work;               /* the rest of the scratch space */
} Lanes;

static void
lanes_split (Lanes *lanes, double *scratch, int64_t n)
{
  double **rows[] = { &lanes->x,        &lanes->cosine,   &lanes->sin_hi,      &lanes->sin_lo,
                      &lanes->power_hi, &lanes->power_lo, &lanes->power_scale, &lanes->q,
                      &lanes->d,        &lanes->scale,    &lanes->pair,        &lanes->phase,
                      &lanes->run,      &lanes->form };

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

/* Sorts the pairs by sine and puts them into lanes, polar and equatorial ones apart. */
static void
lanes_assign (Lanes *lanes, const double *pairs, int64_t n)
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
}

static Form
group_form (const Lanes *lanes, int64_t g)
{
  const double *x = lanes->x + g * GL;
  const int plain = g < lanes->n_polar ? -x[0] >= ARMILLA_DELTA_PLAIN_X
                                       : x[GL - 1] >= ARMILLA_DELTA_PLAIN_X;

  return plain ? FORM_PLAIN : g < lanes->n_polar ? FORM_DIFFERENCE : FORM_SUM;
}

static void
lanes_init (Lanes *lanes, const ArmillaDeltaShape *shape, const double *pairs, double *scratch)
{
  lanes_split (lanes, scratch, armilla_delta_lanes (shape->n_pairs));
  lanes->lmax = shape->lmax;
  lanes_assign (lanes, pairs, shape->n_pairs);
  for (int64_t i = 0; i < lanes->n_lanes; i += VL)
    {
      const Power sine = { v_load (lanes->sin_hi + i), v_load (lanes->sin_lo + i), v_set (0) };

      power_store (lanes, i, power_of (sine, shape->m_first));
    }
  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      lanes->phase[g] = PHASE_SKIP;
      lanes->form[g] = group_form (lanes, g);
      lanes->run[g] = lanes->pair[g * GL];
      for (int64_t i = 1; i < GL; i++)
        if (lanes->pair[g * GL + i] != lanes->pair[g * GL] + (double) i)
          lanes->run[g] = -1;
    }
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
          v_store (lanes->d + i, lanes->form[g] == FORM_PLAIN ? v_set (0) : q);
          v_store (lanes->scale + i, v_load (lanes->power_scale + i));
          lanes_next_power (lanes, i);
        }
      lanes->phase[g] = lanes_phase (lanes->scale + g * GL);
    }
}

/* A step of one vector. @z: what multiplies q */
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

/* A step of NV vectors. */
#define STEP(form, NV, q, d, x, a, p)                                                              \
  do                                                                                               \
    {                                                                                              \
      const V a_ = v_set (a), p_ = v_set (p);                                                      \
      UNROLL for (int i_ = 0; i_ < (NV); i_++)                                                     \
        step_vector (form, v_fma (a_, (x)[i_], p_), (q) + i_, (d) + i_);                           \
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
group_run (const Form form, Lanes *lanes, int64_t group, const double *a, const double *p,
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
        STEP (form, GV, q, d, x, a[first], p[first]);
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
          STEP (form, GV, q, d, x, a[k], p[k]);
        }
      rescale (q, d, scale);
      phase = lanes_phase (scale);
    }
  for (; k < end; k++, out += GL)
    {
      UNROLL for (int i = 0; i < GV; i++)
        v_store (out + i * VL, q[i]);
      STEP (form, GV, q, d, x, a[k], p[k]);
    }
  UNROLL for (int i = 0; i < GV; i++)
    {
      v_store (lanes->q + at + i * VL, q[i]);
      v_store (lanes->d + at + i * VL, d[i]);
    }
  lanes->phase[group] = phase;
  return first;
}

/* Coefficients of one order: a, and what is added to a x in each form. */
typedef struct {
  int64_t n_steps;
  const double *a, *difference, *sum;
  double *plain[2]; /* cos^2 and sin^2 */
} Coefficients;

/* The column that is added to a x in a group. */
SIMD_INLINE const double *
group_column (const Lanes *lanes, int64_t group, const Coefficients *c)
{
  if (lanes->form[group] == FORM_PLAIN)
    return c->plain[group < lanes->n_polar];
  return lanes->form[group] == FORM_DIFFERENCE ? c->difference : c->sum;
}

/* As group_run(), with the form that suits the group. */
static int64_t
group_advance (Lanes *lanes, int64_t group, const Coefficients *c, int64_t k, int64_t end,
               double *out)
{
  const double *p = group_column (lanes, group, c);

  if (lanes->form[group] == FORM_PLAIN)
    return group_run (FORM_PLAIN, lanes, group, c->a, p, k, end, out);
  if (lanes->form[group] == FORM_DIFFERENCE)
    return group_run (FORM_DIFFERENCE, lanes, group, c->a, p, k, end, out);
  return group_run (FORM_SUM, lanes, group, c->a, p, k, end, out);
}

/* The columns of the plain form from the table's. @plain: 2 n_steps doubles */
static void
coefficients_init (Coefficients *c, const double *table, int64_t n_steps, double *plain)
{
  int64_t k = 0;

  c->n_steps = n_steps;
  c->a = table;
  c->difference = table + n_steps;
  c->sum = table + 2 * n_steps;
  c->plain[0] = plain;
  c->plain[1] = plain + n_steps;
  for (; k + VL <= n_steps; k += VL)
    {
      v_store (c->plain[0] + k, v_load (c->sum + k) - v_set (2));
      v_store (c->plain[1] + k, v_load (c->difference + k) + v_set (2));
    }
  for (; k < n_steps; k++)
    {
      c->plain[0][k] = c->sum[k] - 2;
      c->plain[1][k] = c->difference[k] + 2;
    }
}
