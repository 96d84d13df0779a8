/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of an order before any lane of a group contributes; part of the CPU kernels. Each step
 * depends on the previous one and there are no sums to compute meanwhile, so several groups of few
 * vectors are processed together. */
#pragma once

#include "codelets/legendre/delta-order.h"

#define GANG (GV < 4 ? 6 / GV : 1) /* groups that skip steps together */

/* Steps of @n groups, all of one form and at the same step, until one of their lanes contributes.
 * The values of a lane do not depend on the others. */
SIMD_INLINE void
groups_skip (const Form form, const int n, Lanes *lanes, int64_t group, const Order *o)
{
  const double *a = o->a, *p = form_column (form, o), *x = lanes->x + group * GL;
  double *const scale = lanes->scale + group * GL;
  int64_t k = (int64_t) lanes->first[group];
  int contributes = 0;
  V q[GANG * GV], d[GANG * GV];

  UNROLL for (int i = 0; i < n * GV; i++)
    {
      q[i] = v_load (lanes->q + group * GL + i * VL);
      d[i] = v_load (lanes->d + group * GL + i * VL);
    }
  while (!contributes && k < o->n_steps)
    {
      const int64_t end = k + ARMILLA_DELTA_CHECK;
      const int64_t stop = end < o->n_steps ? end : o->n_steps;

      for (; k < stop; k++)
        {
          const V a_all = v_set (a[k]), p_all = v_set (p[k]);

          UNROLL for (int i = 0; i < n * GV; i++)
            step_vector (form, v_fma (a_all, v_load (x + i * VL), p_all), q + i, d + i);
        }
      if (any_big (q, n * GV))
        {
          rescale (q, d, scale, n * GV);
          contributes = any_contributes (scale, n * GV);
        }
    }
  UNROLL for (int i = 0; i < n * GV; i++)
    {
      v_store (lanes->q + group * GL + i * VL, q[i]);
      v_store (lanes->d + group * GL + i * VL, d[i]);
    }
  for (int g = 0; g < n; g++)
    {
      lanes->first[group + g] = (double) k;
      lanes->phase[group + g] = lanes_phase (scale + g * GL);
    }
}

SIMD_INLINE void
skip_with_form (const int n, Lanes *lanes, int64_t group, const Order *o)
{
  if (lanes->form[group] == FORM_PLAIN)
    groups_skip (FORM_PLAIN, n, lanes, group, o);
  else if (lanes->form[group] == FORM_DIFFERENCE)
    groups_skip (FORM_DIFFERENCE, n, lanes, group, o);
  else
    groups_skip (FORM_SUM, n, lanes, group, o);
}

static void
one_skip (Lanes *lanes, int64_t group, const Order *o)
{
  skip_with_form (1, lanes, group, o);
}

/* Advances all groups of an order to the first step in which one of their lanes contributes, or to
 * the end. */
static void
order_skip (Lanes *lanes, const Order *o)
{
  for (int64_t g = 0, n; g < lanes->n_groups; g += n)
    {
      n = 0;
      while (n < GANG && g + n < lanes->n_groups && lanes->form[g + n] == lanes->form[g]
             && (Phase) lanes->phase[g + n] == PHASE_SKIP)
        n++;
      if (GANG > 1 && n == GANG)
        skip_with_form (GANG, lanes, g, o);
      n = n == GANG ? GANG : 1;
      for (int64_t i = g; i < g + n; i++)
        if ((Phase) lanes->phase[i] == PHASE_SKIP)
          one_skip (lanes, i, o);
    }
}
