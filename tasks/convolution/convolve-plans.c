/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers plans of convolutions with StarPU once per graph. */
#include "config.h"

#include "tasks/convolution/convolve-plan.h"
#include "tasks/harmonic/ring-plans.h"

static void
register_plan (ArmillaGraph *graph, ArmillaConvolvePlan *plan)
{
  armilla_tile_register_table (graph, &plan->cosines_handle, plan->cosines,
                               MAX (plan->n_cosines, 1), sizeof (double));
  armilla_tile_register_table (graph, &plan->terms_handle, plan->table->terms,
                               plan->table->n * ARMILLA_KERNEL_TERMS, sizeof (double));
  for (int b = 0; b < plan->rings->n; b++)
    for (guint i = 0; i < plan->pieces[b]->len; i++)
      {
        ArmillaConvolvePiece *piece = &g_array_index (plan->pieces[b], ArmillaConvolvePiece, i);
        const ArmillaReductionShape *shape = &piece->reduction;

        /* StarPU does not support empty vectors */
        if (!piece->groups)
          piece->groups = g_new0 (ArmillaConvolveGroup, 1);
        armilla_tile_register_table (graph, &piece->groups_handle, piece->groups,
                                     MAX (shape->n_groups, 1), sizeof (ArmillaConvolveGroup));
        armilla_tile_register_table (graph, &piece->first_handle, piece->first,
                                     shape->out_last - shape->out_first + 2, sizeof (gint32));
      }
}

/* Creates the cuFFT plans of ring transforms; each ring block has its own highest order. */
static gboolean
add_ring_plans (ArmillaGraph *graph, ArmillaConvolvePlan *plan, GError **error)
{
  const ArmillaRingBlocks *rings = plan->rings;
  gint64 scratch, mmax = 0;

  for (int b = 0; b < rings->n; b++)
    mmax = MAX (mmax, plan->mmax[b]);
  if (!armilla_graph_add_ring_shapes (graph, rings, plan->n_fields, mmax, plan->mmax,
                                      &plan->first_block, &scratch, error))
    return FALSE;
  if (plan->polar_pairs > 0)
    scratch = MAX (scratch, armilla_polar_scratch_size (rings->longest, plan->n_fields));
  return armilla_tile_new (graph, 0, scratch, &plan->scratch, error);
}

static void
free_plan (gpointer plan)
{
  armilla_convolve_plan_free (plan);
}

static const ArmillaExtraKind plans_kind = { .free = free_plan };

/* Returns the graph's plan for these rings, kernel and options, creating it at the first call. */
const ArmillaConvolvePlan *
armilla_graph_convolve_plan (ArmillaGraph *graph, ArmillaRingBlocks *rings, ArmillaKernel *kernel,
                             const ArmillaRingConvolution *options, int n_fields, GError **error)
{
  GPtrArray *all = armilla_extras_get (graph->extras, &plans_kind);
  ArmillaConvolvePlan *plan;

  for (guint i = 0; i < all->len; i++)
    {
      plan = g_ptr_array_index (all, i);
      if (plan->rings == rings && plan->n_fields == n_fields
          && plan->options.accuracy == options->accuracy && plan->options.cut == options->cut
          && plan->options.anti_ringing == options->anti_ringing
          && plan->options.kernel_shift == options->kernel_shift
          && plan->options.polar_rings == options->polar_rings
          && plan->options.tolerance == options->tolerance && plan->options.exact == options->exact
          && armilla_kernel_equal (plan->kernel, kernel))
        return plan;
    }
  plan = armilla_convolve_plan_new (rings, kernel, options, error);
  if (!plan)
    return NULL;
  plan->n_fields = n_fields;
  register_plan (graph, plan);
  g_ptr_array_add (all, plan);
  return add_ring_plans (graph, plan, error) ? plan : NULL;
}
