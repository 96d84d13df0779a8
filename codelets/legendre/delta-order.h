/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One order of a block in the CPU kernels, and the steps of a group of lanes; part of
 * delta-kernels.c. */
#pragma once

#include "codelets/legendre/delta-basis.h"
#include "codelets/legendre/delta-lanes.h"
#include "codelets/legendre/delta-part.h"

_Static_assert (SEGMENT % ARMILLA_DELTA_CHECK == 0, "checks happen at the same steps in any "
                                                    "segment");
_Static_assert (ARMILLA_DELTA_LANES % ALIKE == 0, "groups fit");
_Static_assert (SEGMENT == ARMILLA_DELTA_SEGMENT && VL <= ARMILLA_DELTA_WIDEST, "scratch fits");
_Static_assert (2 * CHUNK % VL == 0, "rows of a chunk are whole vectors");

/* An order of a block, its number of steps, and its coefficients. */
typedef struct {
  int64_t m, n_steps, n_fields;
  const double *a, *difference, *sum, *plain; /* columns: a_k, and the addend p of a_k x in the
                                               * difference, sum and plain forms (delta-math.h) */
} Order;

/* Returns the number of orders of a chunk from m on, at most CHUNK. */
static int
chunk_orders (const ArmillaDeltaShape *shape, int64_t m)
{
  return (int) (shape->m_last + 1 - m < CHUNK ? shape->m_last + 1 - m : CHUNK);
}

/* Factors of the coefficients of order m, arrays over steps; see delta-basis.h. */
typedef struct {
  const double *alpha, *inverse, *h, *h_sum;
  V m, m_square;
} Terms;

/* Returns the forms of the recurrence (delta-math.h) that the groups which are not negligible use,
 * as bits 1 << form. */
static unsigned
forms_used (const Lanes *lanes)
{
  unsigned forms = 0;

  for (int64_t g = 0; g < lanes->n_groups; g++)
    if (lanes->phase[g] != PHASE_NEVER)
      forms |= 1u << (unsigned) lanes->form[g];
  return forms;
}

SIMD_INLINE void
terms_store (const Terms *t, int64_t k, unsigned forms, double *a, double *difference, double *sum,
             double *plain)
{
  const V one = v_set (1), two = v_set (2), four = v_set (4);
  const V twice = v_set (2 * (double) k) + two * v_iota () + v_set (0.5); /* l - m + 1/2 */
  const V inverse_p = one / (twice * (twice + two * t->m));
  const V alpha = v_load (t->alpha + k), r = v_load (t->inverse + k);
  const V h = v_load (t->h + k), g = v_load (t->h_sum + k), both = h + g + h * g;
  const V delta = alpha + both + alpha * both;
  const V y = t->m_square * inverse_p, b = v_set (0.75) * inverse_p;
  const V w = (r - b) - b * r;
  const V quarter = y + (delta + delta * y);
  const V to_sum = two * (w + (delta + delta * w));

  v_store (a + k, four + four * quarter);
  if (forms & 1u << FORM_DIFFERENCE)
    v_store (difference + k, four * quarter - to_sum);
  if (forms & 1u << FORM_SUM)
    v_store (sum + k, v_set (0) - to_sum);
  if (forms & 1u << FORM_PLAIN)
    v_store (plain + k, v_set (-2) - to_sum);
}

/* Computes the coefficients of order m into @columns, as far as the forms of @lanes need them. */
static Order
order_get (const ArmillaDeltaShape *shape, const double *basis, int64_t m, const Lanes *lanes,
           double *columns)
{
  const unsigned forms = forms_used (lanes);
  const int64_t stride = armilla_delta_column_stride (shape);
  double *const a = columns, *const difference = a + stride, *const sum = difference + stride;
  double *const plain = sum + stride;
  const double *h = armilla_basis_row (basis, ARMILLA_BASIS_H);
  const double *first = armilla_basis_first (basis, m);
  const Terms terms = { armilla_basis_degrees (basis, ARMILLA_BASIS_ALPHA, m),
                        armilla_basis_degrees (basis, ARMILLA_BASIS_INVERSE, m), h, h + m,
                        v_set ((double) m), v_set ((double) m * (double) m) };
  const Order o = { .m = m, .n_steps = armilla_delta_steps (shape->lmax, m),
                    .n_fields = shape->n_fields, .a = a,
                    .difference = difference, .sum = sum, .plain = plain };

  for (int64_t k = 0; k < ARMILLA_BASIS_FIRST; k += VL)
    {
      const V b = v_load (first + 2 * ARMILLA_BASIS_FIRST + k);

      v_store (a + k, v_load (first + k));
      v_store (difference + k, v_load (first + ARMILLA_BASIS_FIRST + k));
      v_store (sum + k, b);
      v_store (plain + k, b - v_set (2));
    }
  for (int64_t k = ARMILLA_BASIS_FIRST; k < o.n_steps; k += VL)
    terms_store (&terms, k, forms, a, difference, sum, plain);
  return o;
}

/* Starts an order in all groups. Returns whether the order contributes in any group, that is,
 * whether some of its values are not negligible. */
static int64_t
order_start (Lanes *lanes, const double *basis, int64_t m)
{
  const double norm = armilla_basis_norms (basis)[m];
  int64_t contributes = 0;

  for (int64_t g = 0; g < lanes->n_groups; g++)
    {
      group_start (lanes, g, m, norm);
      contributes |= lanes->phase[g] != PHASE_NEVER;
    }
  return contributes;
}

/* Returns the column of addends of a_k x for a form of the recurrence. */
SIMD_INLINE const double *
form_column (const Form form, const Order *o)
{
  return form == FORM_PLAIN ? o->plain : form == FORM_DIFFERENCE ? o->difference : o->sum;
}

/* Lanes of a group in registers. */
typedef struct {
  V q[GV], d[GV];
} State;

SIMD_INLINE void
state_load (State *s, const Lanes *lanes, int64_t group)
{
  UNROLL for (int i = 0; i < GV; i++)
    {
      s->q[i] = v_load (lanes->q + group * GL + i * VL);
      s->d[i] = v_load (lanes->d + group * GL + i * VL);
    }
}

SIMD_INLINE void
state_store (const State *s, Lanes *lanes, int64_t group)
{
  UNROLL for (int i = 0; i < GV; i++)
    {
      v_store (lanes->q + group * GL + i * VL, s->q[i]);
      v_store (lanes->d + group * GL + i * VL, s->d[i]);
    }
}

/* Takes a step of the recurrence in all lanes of a group. @x: -sin^2 or cos^2 of its rings. Kernels
 * take the step before they add a copy of the previous q to the sums: processors start ready
 * instructions in program order, and the next step waits for this one, but nothing for the sums. */
SIMD_INLINE void
state_step (const Form form, State *s, const double *x, double a, double p)
{
  const V a_all = v_set (a), p_all = v_set (p);

  UNROLL for (int i = 0; i < GV; i++)
    step_vector (form, v_fma (a_all, v_load (x + i * VL), p_all), s->q + i, s->d + i);
}

/* Updates which lanes contribute, until the next check of their scales. */
SIMD_INLINE void
lanes_mask (const double *scale, VM *mask)
{
  UNROLL for (int i = 0; i < GV; i++)
    mask[i] = v_less (v_set (-0.5), v_load (scale + i * VL));
}

/* Rescales lanes whose values have grown, and updates the phase of the group. */
SIMD_INLINE void
state_look (State *s, Lanes *lanes, int64_t group)
{
  rescale (s->q, s->d, lanes->scale + group * GL, GV);
  lanes->phase[group] = lanes_phase (lanes->scale + group * GL);
}

/* Returns the first of steps k .. end - 1 in which a lane of a group contributes; @end if none. */
SIMD_INLINE int64_t
first_step (const Lanes *lanes, int64_t group, int64_t k, int64_t end)
{
  const int64_t first = (int64_t) lanes->first[group];

  return first < k ? k : first < end ? first : end;
}

/* Runs steps k .. end - 1 of a group. Returns the first step in which a lane contributes, or @end,
 * and stores q from there on in @out (that of step k), 0 for lanes that do not contribute. */
SIMD_INLINE int64_t
group_run (const Form form, Lanes *lanes, int64_t group, const Order *o, int64_t k, int64_t end,
           double *out)
{
  const double *a = o->a, *p = form_column (form, o), *x = lanes->x + group * GL;
  const int64_t first = first_step (lanes, group, k, end);
  State s;

  if (first == end)
    return end;
  state_load (&s, lanes, group);
  out += (first - k) * GL;
  for (k = first; (Phase) lanes->phase[group] == PHASE_MIXED && k < end;)
    {
      const int64_t stop = k + ARMILLA_DELTA_CHECK < end ? k + ARMILLA_DELTA_CHECK : end;
      VM mask[GV];

      lanes_mask (lanes->scale + group * GL, mask);
      for (; k < stop; k++, out += GL)
        {
          UNROLL for (int i = 0; i < GV; i++)
            v_store (out + i * VL, v_select (mask[i], s.q[i], v_set (0)));
          state_step (form, &s, x, a[k], p[k]);
        }
      state_look (&s, lanes, group);
    }
  for (; k < end; k++, out += GL)
    {
      UNROLL for (int i = 0; i < GV; i++)
        v_store (out + i * VL, s.q[i]);
      state_step (form, &s, x, a[k], p[k]);
    }
  state_store (&s, lanes, group);
  return first;
}

/* Like group_run(), with the form of the group. */
static int64_t
group_advance (Lanes *lanes, int64_t group, const Order *o, int64_t k, int64_t end, double *out)
{
  if (lanes->form[group] == FORM_PLAIN)
    return group_run (FORM_PLAIN, lanes, group, o, k, end, out);
  if (lanes->form[group] == FORM_DIFFERENCE)
    return group_run (FORM_DIFFERENCE, lanes, group, o, k, end, out);
  return group_run (FORM_SUM, lanes, group, o, k, end, out);
}

/* Returns a number for each step from k on: the product of the factors of l, l - m and l + m. */
SIMD_INLINE V
product_of_three (const double *of_l, const double *of_n, int64_t m, int64_t k)
{
  return v_load (of_l + k) * (v_load (of_n + k) * v_load (of_n + m + k));
}

static inline void
delta_factors (const double *basis, int64_t m, int64_t k, int64_t n, ArmillaDeltaFactors *factors)
{
  const double *const even = armilla_basis_degrees (basis, ARMILLA_BASIS_EVEN, m);
  const double *const odd = armilla_basis_degrees (basis, ARMILLA_BASIS_ODD, m);
  const double *const back = armilla_basis_degrees (basis, ARMILLA_BASIS_BACK, m);
  const double *const even_n = armilla_basis_row (basis, ARMILLA_BASIS_EVEN_N);
  const double *const odd_n = armilla_basis_row (basis, ARMILLA_BASIS_ODD_N);
  const double *const back_n = armilla_basis_row (basis, ARMILLA_BASIS_BACK_N);

  for (int64_t i = 0; i < n; i += VL)
    {
      v_store (factors->even + i, product_of_three (even, even_n, m, k + i));
      v_store (factors->odd + i, product_of_three (odd, odd_n, m, k + i));
      v_store (factors->back + i, product_of_three (back, back_n, m, k + i));
    }
}

/* prepared[n_steps][4] <- a_lm of an order of one field */
static inline void
order_prepare (const ArmillaDeltaShape *shape, const double *basis, int64_t m, const double *alm,
               double *prepared)
{
  Part part = { .factors = delta_factors, .lmax = shape->lmax, .m = m,
                .n_steps = armilla_delta_steps (shape->lmax, m), .n_fields = 1, .basis = basis,
                .alm = { (double *) alm }, .prepared = prepared };

  prepare_order (&part);
}
