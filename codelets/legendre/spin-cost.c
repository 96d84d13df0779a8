/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/cost.h"

#include "codelets/legendre/spin-coupling.h"

/* The scalar fields of a run of orders. */
static ArmillaDeltaShape
run_shape (const ArmillaSpinShape *shape, const ArmillaSpinRun *run)
{
  const ArmillaDeltaShape s = { .lmax = shape->lmax + shape->spin,
                                .m_first = run->order_first,
                                .m_last = run->order_first + run->n - 1,
                                .n_fields = 2 * shape->n_maps };

  return s;
}

static void
add (ArmillaCost *sum, ArmillaCost cost)
{
  sum->flops += cost.flops;
  sum->bytes += cost.bytes;
}

/**
 * armilla_spin_table_cost:
 * @shape: the block
 *
 * Returns: the work of armilla_spin_table_cpu(): the tables of all runs of orders
 */
ArmillaCost
armilla_spin_table_cost (const ArmillaSpinShape *shape)
{
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  ArmillaCost sum = { 0, 0 };

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r);

        add (&sum, armilla_delta_table_cost (&s));
      }
  return sum;
}

/**
 * armilla_spin_prepare_cost:
 * @shape: the block
 *
 * For each run of orders: 9 operations a degree and step from spin to spin for the coefficients,
 * and 20 a degree, step and pair of fields for their three terms; then what delta_prepare does.
 *
 * Returns: the work of armilla_spin_prepare_cpu() or armilla_spin_finish_cpu()
 */
ArmillaCost
armilla_spin_prepare_cost (const ArmillaSpinShape *shape)
{
  const double alm = (double) armilla_delta_alm_before (shape->lmax, shape->m_first,
                                                        shape->m_last + 1);
  const double maps = (double) shape->n_maps;
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  ArmillaCost sum = { 0, 0 };

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs + r);
        const double n = (double) armilla_delta_alm_before (s.lmax, s.m_first, s.m_last + 1);

        sum.flops += armilla_delta_prepare_cost (&s).flops + n * shape->spin * (9 + 20 * maps);
      }
  sum.bytes = 8.0 * (double) armilla_spin_table_size (shape)
              + 8.0 * (double) armilla_spin_prepared_size (shape) + 32 * maps * alm;
  return sum;
}

/* One recurrence of the fields: what a second one near the poles adds is the kernel's own. */
static ArmillaCost
recurrence_cost (const ArmillaSpinShape *shape, const double *pairs, double times_prepared)
{
  const ArmillaDeltaShape s = { .lmax = shape->lmax,
                                .m_first = shape->m_first,
                                .m_last = shape->m_last,
                                .n_fields = 2 * shape->n_maps,
                                .n_pairs = shape->n_pairs };
  ArmillaCost cost = armilla_delta_synthesis_cost (&s, pairs);

  cost.bytes = 8.0 * (double) armilla_spin_table_size (shape)
               + times_prepared * 8.0 * (double) armilla_spin_prepared_size (shape)
               + 8.0 * (double) armilla_spin_tile_size (shape)
               + 8.0 * ARMILLA_PAIR_ROWS * (double) shape->n_pairs;
  return cost;
}

/**
 * armilla_spin_synthesis_cost:
 * @shape: the block
 * @pairs: (nullable): [ARMILLA_PAIR_ROWS][n_pairs]
 *
 * (4 + 16 F) operations a needed step of a scalar field, F pairs of fields sharing the recurrence.
 *
 * Returns: the work of armilla_spin_synthesis_cpu()
 */
ArmillaCost
armilla_spin_synthesis_cost (const ArmillaSpinShape *shape, const double *pairs)
{
  return recurrence_cost (shape, pairs, 1);
}

/**
 * armilla_spin_adjoint_cost:
 * @shape: the block
 * @pairs: (nullable): [ARMILLA_PAIR_ROWS][n_pairs]
 *
 * As armilla_spin_synthesis_cost(); the prepared a_lm are read and written.
 *
 * Returns: the work of armilla_spin_adjoint_cpu()
 */
ArmillaCost
armilla_spin_adjoint_cost (const ArmillaSpinShape *shape, const double *pairs)
{
  return recurrence_cost (shape, pairs, 2);
}
