/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of the a_lm of some fields of an order to the recurrence's basis, for blocks of orders
 * and within the kernels. */
#pragma once

#include <string.h>

#include "codelets/legendre/delta-cpu.h"

#define STEPS ARMILLA_DELTA_SEGMENT /* steps whose factors are computed before they are used */
#define FIELDS 16                   /* fields that share the factors */
#define PAIR 2                      /* fields processed together */

/* A complex number. */
typedef double Two __attribute__ ((vector_size (16)));

static inline Two
two_load (const double *p)
{
  return (Two){ p[0], p[1] };
}

static inline void
two_store (double *p, Two x)
{
  p[0] = x[0];
  p[1] = x[1];
}

/* Some fields of one order. */
typedef struct {
  ArmillaDeltaMakeFactors factors;
  int64_t lmax, m, n_steps, n_fields;
  const double *basis;
  double *alm[FIELDS]; /* (re, im) of l = m .. lmax */
  double *prepared;    /* prepared a_lm of the first field; those of the next one are 4 n_steps
                        * later */
  Two odd[FIELDS];     /* alternating sum s_k (delta-basis.h) of the previous step */
} Part;

/* Converts steps k0 .. end - 1 of n fields, from the last one down: in each field a step depends on
 * the step above it. */
static inline __attribute__ ((always_inline)) void
prepare_steps (Part *part, const ArmillaDeltaFactors *f, int64_t field, const int n, int64_t k0,
               int64_t end)
{
  double *prepared = part->prepared + 4 * field * part->n_steps;
  const double *alm[PAIR];
  Two odd[PAIR];

  _Pragma ("GCC unroll 2") for (int i = 0; i < n; i++)
    {
      alm[i] = part->alm[field + i];
      odd[i] = part->odd[field + i];
    }
  for (int64_t k = end - 1; k >= k0; k--)
    {
      const int is_odd = part->m + 2 * k + 1 <= part->lmax;

      _Pragma ("GCC unroll 2") for (int i = 0; i < n; i++)
        {
          const double *c = alm[i] + 4 * k;
          double *to = prepared + 4 * (i * part->n_steps + k);

          odd[i] = f->odd[k - k0] * (is_odd ? two_load (c + 2) : (Two){ 0, 0 }) - odd[i];
          two_store (to, f->even[k - k0] * two_load (c));
          two_store (to + 2, f->back[k - k0] * odd[i]);
        }
    }
  _Pragma ("GCC unroll 2") for (int i = 0; i < n; i++)
    part->odd[field + i] = odd[i];
}

static inline void
prepare_order (Part *part)
{
  ArmillaDeltaFactors f;

  memset (part->odd, 0, sizeof part->odd);
  for (int64_t end = part->n_steps, k0; end > 0; end = k0)
    {
      k0 = (end - 1) / STEPS * STEPS;
      part->factors (part->basis, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i += PAIR)
        if (i + PAIR <= part->n_fields)
          prepare_steps (part, &f, i, PAIR, k0, end);
        else
          prepare_steps (part, &f, i, 1, k0, end);
    }
}
