/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/delta-cpu.h"

#include <string.h>

#include "codelets/delta-math.h"

#define STEPS ARMILLA_DELTA_SEGMENT /* steps whose factors are computed before they are used */
#define FIELDS 16                   /* fields that share them */

/**
 * armilla_delta_prepared_size:
 * @shape: the block
 *
 * Returns: doubles of the prepared a_lm, [m - m_first][field][k][4]: even re, even im, odd re, odd
 * im
 */
int64_t
armilla_delta_prepared_size (const ArmillaDeltaShape *shape)
{
  return 4 * shape->n_fields
         * armilla_delta_steps_before (shape->lmax, shape->m_first, shape->m_last + 1);
}

/* Some fields of one order. */
typedef struct {
  const ArmillaDeltaKernels *kernels;
  int64_t lmax, m, n_steps, n_fields;
  const double *a;
  double *alm, *prepared;            /* of the first field; alm: (re, im) of l = m .. lmax */
  int64_t alm_stride;                /* from one field to the next; prepared: 4 n_steps */
  double re[FIELDS], im[FIELDS], back; /* the last step's */
} Part;

/* Steps k0 .. end - 1 of one field, downwards. */
static void
prepare_steps (Part *part, const ArmillaDeltaFactors *f, int64_t field, int64_t k0, int64_t end)
{
  const double *alm = part->alm + field * part->alm_stride;
  double *prepared = part->prepared + 4 * field * part->n_steps;
  double re = part->re[field], im = part->im[field];

  for (int64_t k = end - 1; k >= k0; k--)
    {
      const double *c = alm + 4 * k;
      const int odd = part->m + 2 * k + 1 <= part->lmax;

      re = f->odd[k - k0] * (odd ? c[2] : 0) - f->back[k - k0] * re;
      im = f->odd[k - k0] * (odd ? c[3] : 0) - f->back[k - k0] * im;
      prepared[4 * k] = f->even[k - k0] * c[0];
      prepared[4 * k + 1] = f->even[k - k0] * c[1];
      prepared[4 * k + 2] = re;
      prepared[4 * k + 3] = im;
    }
  part->re[field] = re;
  part->im[field] = im;
}

static void
prepare_order (Part *part)
{
  ArmillaDeltaFactors f;

  memset (part->re, 0, sizeof part->re);
  memset (part->im, 0, sizeof part->im);
  for (int64_t end = part->n_steps, k0; end > 0; end = k0)
    {
      k0 = (end - 1) / STEPS * STEPS;
      part->kernels->factors (part->a, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i++)
        prepare_steps (part, &f, i, k0, end);
    }
}

/* The transpose of prepare_steps(), upwards. */
static void
finish_steps (Part *part, const ArmillaDeltaFactors *f, int64_t field, int64_t k0, int64_t end)
{
  const double *prepared = part->prepared + 4 * field * part->n_steps;
  double *alm = part->alm + field * part->alm_stride;
  double re = part->re[field], im = part->im[field], back = part->back;

  for (int64_t k = k0; k < end; k++)
    {
      double *c = alm + 4 * k;

      re = prepared[4 * k + 2] - back * re;
      im = prepared[4 * k + 3] - back * im;
      back = f->back[k - k0];
      c[0] = f->even[k - k0] * prepared[4 * k];
      c[1] = f->even[k - k0] * prepared[4 * k + 1];
      if (part->m + 2 * k + 1 <= part->lmax)
        {
          c[2] = f->odd[k - k0] * re;
          c[3] = f->odd[k - k0] * im;
        }
    }
  part->re[field] = re;
  part->im[field] = im;
}

static void
finish_order (Part *part)
{
  ArmillaDeltaFactors f;

  memset (part->re, 0, sizeof part->re);
  memset (part->im, 0, sizeof part->im);
  part->back = 0;
  for (int64_t k0 = 0; k0 < part->n_steps; k0 += STEPS)
    {
      const int64_t end = k0 + STEPS < part->n_steps ? k0 + STEPS : part->n_steps;

      part->kernels->factors (part->a, part->m, k0, end - k0, &f);
      for (int64_t i = 0; i < part->n_fields; i++)
        finish_steps (part, &f, i, k0, end);
      part->back = f.back[end - 1 - k0];
    }
}

/* Calls @run for all orders, FIELDS fields at a time: these share what depends on the order. */
static void
visit_orders (const ArmillaDeltaShape *shape, const double *table, double *alm, double *prepared,
              void (*run) (Part *part))
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  Part part = { .kernels = armilla_delta_kernels_for (shape->isa), .lmax = shape->lmax };

  part.alm_stride = 2 * n_alm;
  for (part.m = shape->m_first; part.m <= shape->m_last; part.m++)
    {
      const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, part.m);
      const int64_t before = armilla_delta_steps_before (shape->lmax, shape->m_first, part.m);

      part.n_steps = armilla_delta_steps (shape->lmax, part.m);
      part.a = table + n_orders + 3 * before;
      for (int64_t f = 0; f < shape->n_fields; f += FIELDS)
        {
          part.n_fields = shape->n_fields - f < FIELDS ? shape->n_fields - f : FIELDS;
          part.alm = alm + 2 * (f * n_alm + at);
          part.prepared = prepared + 4 * (before * shape->n_fields + f * part.n_steps);
          run (&part);
        }
    }
}

/**
 * armilla_delta_prepare_cpu:
 * @shape: the block
 * @table: (in): from armilla_delta_table_cpu()
 * @alm: (in): complex, [field][m, l in healpy's order within the block]
 * @prepared: (out): armilla_delta_prepared_size() doubles
 *
 * Expresses the a_lm in the basis of the recurrence: sum_l a_lm P_lm = sum_k (even_k + cos theta
 * odd_k) q_k.
 */
void
armilla_delta_prepare_cpu (const ArmillaDeltaShape *shape, const double *table, const double *alm,
                           double *prepared)
{
  visit_orders (shape, table, (double *) alm, prepared, prepare_order);
}

/**
 * armilla_delta_finish_cpu:
 * @shape: the block
 * @table: (in): from armilla_delta_table_cpu()
 * @prepared: (in): armilla_delta_prepared_size() doubles
 * @alm: (out): complex, [field][m, l in healpy's order within the block]
 *
 * The transpose of armilla_delta_prepare_cpu().
 */
void
armilla_delta_finish_cpu (const ArmillaDeltaShape *shape, const double *table,
                          const double *prepared, double *alm)
{
  visit_orders (shape, table, alm, (double *) prepared, finish_order);
}
