/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "codelets/legendre/spin-coupling.h"
#include "codelets/legendre/spin-cpu.h"

#define MARGIN ARMILLA_SPIN_MARGIN

static int64_t
array_length (const ArmillaSpinShape *shape)
{
  return shape->lmax + shape->spin + 1 + 2 * MARGIN;
}

/* Returns the number of doubles of uninitialised scratch space that prepare and finish need on a
 * CPU. */
int64_t
armilla_spin_coupling_size (const ArmillaSpinShape *shape)
{
  return array_length (shape) * (2 + 3 * shape->spin + 8 + 4 * shape->n_maps);
}

int64_t
armilla_spin_cuda_coupling_size (const ArmillaSpinShape *shape)
{
  const int64_t n_orders = shape->m_last - shape->m_first + 1;

  return armilla_spin_numbers_size (shape)
         + (n_orders < ARMILLA_SPIN_CHUNK ? n_orders : ARMILLA_SPIN_CHUNK)
             * (shape->lmax + shape->spin + 1) * 4 * shape->n_maps;
}

static double *
take (double **scratch, int64_t n)
{
  double *x = *scratch + MARGIN;

  *scratch += n;
  return x;
}

static void
coupling_init (ArmillaSpinCoupling *c, const ArmillaSpinShape *shape, double *scratch)
{
  const int64_t n = array_length (shape);

  *c = (ArmillaSpinCoupling){ .lmax = shape->lmax, .spin = shape->spin };
  memset (scratch, 0, sizeof (double) * (size_t) armilla_spin_coupling_size (shape));
  c->root = take (&scratch, 2 * n);
  for (int64_t i = 0; i < 2 * n - MARGIN; i++)
    c->root[i] = sqrt ((double) i);
  for (int32_t j = 0; j < shape->spin; j++)
    {
      ArmillaSpinBand *factor = c->factor + j;

      factor->up = take (&scratch, n);
      factor->same = take (&scratch, n);
      factor->down = take (&scratch, n);
      for (int64_t l = j + 1; l < n - MARGIN; l++)
        {
          double f[3];

          armilla_spin_factors (l, j + 1, f);
          factor->up[l] = f[0];
          factor->same[l] = f[1];
          factor->down[l] = f[2];
        }
    }
  for (int i = 0; i < 4; i++)
    c->from[i] = take (&scratch, n);
  for (int i = 0; i < 4; i++)
    c->to[i] = take (&scratch, n);
  c->alm = scratch;
}

/* One order of a run, as a shape for delta-recurrence.h. */
typedef struct {
  ArmillaDeltaShape shape;
  int64_t prepared, n_alm; /* offset of the prepared a_lm; complex numbers of a scalar field */
} Scalar;

static Scalar
scalar_of (const ArmillaSpinShape *shape, const ArmillaSpinRun *run, int64_t i)
{
  const int64_t o = run->order_first + i, lmax = shape->lmax + shape->spin;
  const int64_t before = armilla_delta_steps_before (lmax, run->order_first, o);
  Scalar s = { .shape = { .lmax = lmax, .m_first = o, .m_last = o, .n_fields = 2 * shape->n_maps,
                          .n_pairs = shape->n_pairs, .isa = shape->isa },
               .n_alm = lmax - o + 1 };

  s.prepared = run->prepared + 8 * shape->n_maps * before;
  return s;
}

void
armilla_spin_prepare_cpu (const ArmillaSpinShape *shape, const double *basis,
                          const ArmillaAlmTiles *alm, double *prepared, double *scratch)
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  const ArmillaSpinKernels *kernels = ARMILLA_FOR_ISA (shape->isa, armilla_spin_kernels);
  ArmillaSpinCoupling c;
  const ArmillaAlmTiles scalar = { 2 * shape->n_maps, &c.alm };

  coupling_init (&c, shape, scratch);
  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n; i++)
      {
        const int64_t m = runs[r].m + runs[r].step * i;
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const Scalar s = scalar_of (shape, runs + r, i);

        c.m = m;
        for (int64_t map = 0; map < shape->n_maps; map++)
          {
            const double *e = armilla_alm_tiles_field (alm, 2 * map, n_alm) + 2 * at;
            double *q = c.alm + 4 * map * s.n_alm;

            kernels->couple (&c, r, s.shape.m_first, e, e + 2 * n_alm, q, q + 2 * s.n_alm);
          }
        armilla_delta_prepare_cpu (&s.shape, basis, &scalar, prepared + s.prepared);
      }
}

void
armilla_spin_finish_cpu (const ArmillaSpinShape *shape, const double *basis,
                         const double *prepared, const ArmillaAlmTiles *alm,
                         double *scratch)
{
  const int64_t n_alm = armilla_delta_alm_before (shape->lmax, shape->m_first, shape->m_last + 1);
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  const ArmillaSpinKernels *kernels = ARMILLA_FOR_ISA (shape->isa, armilla_spin_kernels);
  ArmillaSpinCoupling c;
  const ArmillaAlmTiles scalar = { 2 * shape->n_maps, &c.alm };

  coupling_init (&c, shape, scratch);
  armilla_spin_runs (shape, runs);
  for (int64_t f = 0; f < 2 * shape->n_maps; f++)
    memset (armilla_alm_tiles_field (alm, f, n_alm), 0, sizeof (double) * 2 * (size_t) n_alm);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    for (int64_t i = 0; i < runs[r].n; i++)
      {
        const int64_t m = runs[r].m + runs[r].step * i;
        const int64_t at = armilla_delta_alm_before (shape->lmax, shape->m_first, m);
        const Scalar s = scalar_of (shape, runs + r, i);

        c.m = m;
        armilla_delta_finish_cpu (&s.shape, basis, prepared + s.prepared, &scalar);
        for (int64_t map = 0; map < shape->n_maps; map++)
          {
            double *e = armilla_alm_tiles_field (alm, 2 * map, n_alm) + 2 * at;
            const double *q = c.alm + 4 * map * s.n_alm;

            kernels->couple_back (&c, r, s.shape.m_first, e, e + 2 * n_alm, q, q + 2 * s.n_alm);
          }
      }
}
