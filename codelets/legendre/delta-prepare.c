/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/legendre/delta-cpu.h"

#include <string.h>

#include "codelets/legendre/delta-math.h"

#define STEPS ARMILLA_DELTA_SEGMENT /* steps whose factors are computed before they are used */
#define FIELDS 16                   /* fields that share them */
#define PAIR 2                      /* fields at once */
#define UNROLL _Pragma ("GCC unroll 2")

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
  const ArmillaDeltaKernels *kernels;
  int64_t lmax, m, n_steps, n_fields;
  const double *basis;
  double *alm[FIELDS]; /* (re, im) of l = m .. lmax */
  double *prepared;    /* of the first field; the next one is 4 n_steps further */
  Two odd[FIELDS];     /* the last step's sum with alternating signs */
} Part;

/* Steps k0 .. end - 1 of n fields, downwards: each step waits for the last one of its field. */
static inline __attribute__ ((always_inline)) void
prepare_steps (Part *part, const ArmillaDeltaFactors *f, int64_t field, const int n, int64_t k0,
               int64_t end)
{
  double *prepared = part->prepared + 4 * field * part->n_steps;
  const double *alm[PAIR];
  Two odd[PAIR];

  UNROLL for (int i = 0; i < n; i++)
    {
      alm[i] = part->alm[field + i];
      odd[i] = part->odd[field + i];
    }
  for (int64_t k = end - 1; k >= k0; k--)
    {
      const int is_odd = part->m + 2 * k + 1 <= part->lmax;

      UNROLL for (int i = 0; i < n; i++)
        {
          const double *c = alm[i] + 4 * k;
          double *to = prepared + 4 * (i * part->n_steps + k);

          odd[i] = f->odd[k - k0] * (is_odd ? two_load (c + 2) : (Two){ 0, 0 }) - odd[i];
          two_store (to, f->even[k - k0] * two_load (c));
          two_store (to + 2, f->back[k - k0] * odd[i]);
        }
    }
  UNROLL for (int i = 0; i < n; i++)
    part->odd[field + i] = odd[i];
}

static void
prepare_order (Part *part)
{
  ArmillaDeltaFactors f;

  memset (part->odd, 0, sizeof part->odd);
  for (int64_t end = part->n_steps, k0; end > 0; end = k0)
    {
      k0 = (end - 1) / STEPS * STEPS;
      part->kernels->factors (part->basis, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i += PAIR)
        if (i + PAIR <= part->n_fields)
          prepare_steps (part, &f, i, PAIR, k0, end);
        else
          prepare_steps (part, &f, i, 1, k0, end);
    }
}

/* The transpose of prepare_steps(), upwards. */
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

          two_store (c, f->even[k - k0] * two_load (from)); /* may be where it came from */
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

      part->kernels->factors (part->basis, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i += PAIR)
        if (i + PAIR <= part->n_fields)
          finish_steps (part, &f, i, PAIR, k0, end);
        else
          finish_steps (part, &f, i, 1, k0, end);
    }
}

/* See delta-cpu.h. */
void
armilla_delta_prepare_order (const ArmillaDeltaShape *shape, const double *basis, int64_t m,
                             const double *alm, double *prepared)
{
  Part part = { .kernels = ARMILLA_FOR_ISA (shape->isa, armilla_delta_kernels),
                .lmax = shape->lmax, .m = m, .n_steps = armilla_delta_steps (shape->lmax, m),
                .n_fields = 1, .basis = basis, .alm = { (double *) alm }, .prepared = prepared };

  prepare_order (&part);
}

/* Calls @run for all orders, FIELDS fields at a time: these share what depends on the order. */
static void
visit_orders (const ArmillaDeltaShape *shape, const double *basis, const ArmillaAlmTiles *alm,
              double *prepared, void (*run) (Part *part))
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  Part part = { .kernels = ARMILLA_FOR_ISA (shape->isa, armilla_delta_kernels),
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

/**
 * armilla_delta_prepare_cpu:
 * @shape: the block
 * @basis: (in): from armilla_delta_basis_cpu()
 * @alm: (in): a_lm of the fields, in healpy's order within the block
 * @prepared: (out): armilla_delta_prepared_size() doubles
 *
 * Expresses the a_lm in the basis of the recurrence: sum_l a_lm P_lm = sum_k (even_k + cos theta
 * odd_k) q_k.
 */
void
armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *basis,
                           const ArmillaAlmTiles *alm, double *prepared)
{
  visit_orders (shape, basis, alm, prepared, prepare_order);
}

/**
 * armilla_delta_finish_cpu:
 * @shape: the block
 * @basis: (in): from armilla_delta_basis_cpu()
 * @prepared: (in): armilla_delta_prepared_size() doubles
 * @alm: (out): a_lm of the fields, in healpy's order within the block; with @shape.in_alm they may
 *   be @prepared itself
 *
 * The transpose of armilla_delta_prepare_cpu().
 */
void
armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *basis,
                          const double *prepared, const ArmillaAlmTiles *alm)
{
  visit_orders (shape, basis, alm, (double *) prepared, finish_order);
}
