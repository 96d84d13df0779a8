/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-part.h"

#define UNROLL _Pragma ("GCC unroll 2")

/* Applies the transpose of prepare_steps(), from the first step up. */
static inline __attribute__ ((always_inline)) void
finish_steps (Part *part, const ArmillaDeltaFactors *f, int64_t field, const int n, int64_t k0,
              int64_t end)
{
  const double *prepared = part->prepared + 4 * field * part->n_steps;
  double *alm[PAIR];
  Two odd[PAIR];

  UNROLL for (int i = 0; i < n; i++)
    {
      alm[i] = part->alm[field + i];
      odd[i] = part->odd[field + i];
    }
  for (int64_t k = k0; k < end; k++)
    {
      const int is_odd = part->m + 2 * k + 1 <= part->lmax;

      UNROLL for (int i = 0; i < n; i++)
        {
          const double *from = prepared + 4 * (i * part->n_steps + k);
          double *c = alm[i] + 4 * k;

          two_store (c, f->even[k - k0] * two_load (from)); /* may alias the source */
          if (!is_odd)
            continue;
          odd[i] = f->back[k - k0] * two_load (from + 2) - odd[i];
          two_store (c + 2, f->odd[k - k0] * odd[i]);
        }
    }
  UNROLL for (int i = 0; i < n; i++)
    part->odd[field + i] = odd[i];
}

static void
finish_order (Part *part)
{
  ArmillaDeltaFactors f;

  memset (part->odd, 0, sizeof part->odd);
  for (int64_t k0 = 0; k0 < part->n_steps; k0 += STEPS)
    {
      const int64_t end = k0 + STEPS < part->n_steps ? k0 + STEPS : part->n_steps;

      part->factors (part->basis, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i += PAIR)
        if (i + PAIR <= part->n_fields)
          finish_steps (part, &f, i, PAIR, k0, end);
        else
          finish_steps (part, &f, i, 1, k0, end);
    }
}

/* Calls @run for all orders, FIELDS fields at a time, which share the factors of the order. */
static void
visit_orders (const ArmillaDeltaShape *shape, const double *basis, const ArmillaAlmTiles *alm,
              double *prepared, void (*run) (Part *part))
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  Part part = { .factors = ARMILLA_FOR_ISA (shape->isa, armilla_delta_kernels)->factors,
                .lmax = shape->lmax, .basis = basis };

  for (part.m = shape->m_first; part.m <= shape->m_last; part.m++)
    {
      const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, part.m);
      const int64_t before = armilla_delta_prepared_before (shape, part.m);

      part.n_steps = armilla_delta_steps (shape->lmax, part.m);
      for (int64_t f = 0; f < shape->n_fields; f += FIELDS)
        {
          part.n_fields = shape->n_fields - f < FIELDS ? shape->n_fields - f : FIELDS;
          for (int64_t i = 0; i < part.n_fields; i++)
            part.alm[i] = armilla_alm_tiles_field (alm, f + i, n_alm) + 2 * at;
          part.prepared = prepared + before + 4 * f * part.n_steps;
          run (&part);
        }
    }
}

void
armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *basis,
                           const ArmillaAlmTiles *alm, double *prepared)
{
  visit_orders (shape, basis, alm, prepared, prepare_order);
}

void
armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *basis,
                          const double *prepared, const ArmillaAlmTiles *alm)
{
  visit_orders (shape, basis, alm, (double *) prepared, finish_order);
}
