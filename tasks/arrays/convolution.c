/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of the caller's, convolved with radial kernels. */
#include "config.h"

#include "core/grids/grid.h"
#include "core/kernels/kernel.h"
#include "tasks/arrays/array-tiles.h"
#include "tasks/arrays/caller-array.h"
#include "tasks/arrays/plan.h"
#include "tasks/arrays/ranks.h"
#include "tasks/convolution/convolve.h"

/* (transfer full) (nullable): the kernel; where there is none, the error begins with @name. */
static ArmillaKernel *
blame (const char *name, ArmillaKernel *kernel, GError **error)
{
  if (!kernel)
    g_prefix_error (error, "%s: ", name);
  return kernel;
}

/* (transfer full) (nullable) */
static ArmillaKernel *
new_kernel (const ArmillaRadialKernel *kernel, GError **error)
{
  const int given = kernel ? (kernel->fwhm != 0) + (kernel->radius != 0)
                               + (kernel->window != NULL) + (kernel->profile != NULL)
                           : 0;

  if (given != 1 || (kernel->profile && !kernel->theta))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "one of fwhm, radius, window, and theta with profile must be given");
  if (kernel->window && kernel->n_window < 1)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "window: it is empty");
  if (kernel->window)
    return blame ("window",
                  armilla_kernel_new_window (kernel->window, kernel->n_window - 1, error), error);
  if (kernel->profile)
    return blame ("profile", armilla_kernel_new_profile (kernel->theta, kernel->profile,
                                                         kernel->n_profile, error), error);
  return kernel->radius != 0 ? armilla_kernel_new_top_hat (kernel->radius, error)
                             : armilla_kernel_new_gaussian (kernel->fwhm, error);
}

static gboolean
check (const ArmillaKept *kept, const ArmillaArray *map, double accuracy, const ArmillaArray *out,
       GError **error)
{
  if (!armilla_array_check ("map", map, FALSE, kept->n_copies, kept->n_components,
                            kept->grid->n_pixels, error)
      || !armilla_array_check ("out", out, FALSE, kept->n_copies, kept->n_components,
                               kept->grid->n_pixels, error)
      || !armilla_arrays_fit ("map", map, FALSE, "out", out, FALSE, error)
      || !armilla_convolve_check_spins (kept->spins, kept->n_fields, error))
    return FALSE;
  if (accuracy >= 1e-12 && accuracy <= 0.1)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "accuracy: %g is not from 1e-12 to 0.1",
                       accuracy);
}

static ArmillaMap *
new_map (const ArmillaKept *kept, ArmillaGrid *grid)
{
  ArmillaMap *map = armilla_map_new (grid, kept->n_fields);

  armilla_map_set_spins (map, kept->spins);
  return map;
}

static gboolean
ask (ArmillaGraph *graph, const ArmillaKept *kept, ArmillaGrid *grid, ArmillaArrayRows *from,
     ArmillaKernel *kernel, double accuracy, ArmillaArrayRows *to, GError **error)
{
  ArmillaConvolution how
    = { .lmax = -1, .ring = { .accuracy = accuracy, .anti_ringing = TRUE, .kernel_shift = TRUE } };
  g_autoptr (ArmillaMap) in = new_map (kept, grid), result = new_map (kept, kept->grid);
  gboolean ok;

  armilla_convolution_settle (&how, grid, kernel, NULL, 0);
  ok = armilla_array_fill (graph, ARMILLA_DATA (in), from, error)
       && armilla_graph_convolve (graph, in, kernel, &how, result, error)
       && armilla_array_drain (graph, ARMILLA_DATA (result), to, error);
  armilla_data_release (ARMILLA_DATA (in));
  armilla_data_release (ARMILLA_DATA (result));
  return ok;
}

/* In a session that was entered. Of an adjoint @grid has no weights, and what comes out is
 * multiplied by those of the plan's. */
static void
compute (ArmillaPlan *plan, ArmillaGrid *grid, const ArmillaArray *map, ArmillaKernel *kernel,
         double accuracy, const ArmillaArray *out, gboolean adjoint, GError **error)
{
  const ArmillaKept *kept = plan->kept;
  const ArmillaNamedArray arrays[] = { { "map", map }, { "out", out } };
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (plan->session->runtime, NULL, error);
  ArmillaArrayRows *from, *to;
  GError *wrong = NULL;

  if (!graph || !armilla_array_begin (graph, arrays, G_N_ELEMENTS (arrays), error))
    return;
  from = armilla_array_rows_new (map, FALSE, kept->n_fields, kept->copy, kept->component);
  to = armilla_array_rows_new (out, FALSE, kept->n_fields, kept->copy, kept->component);
  to->weighted = adjoint;
  ask (graph, kept, grid, from, kernel, accuracy, to, &wrong);
  armilla_ranks_wait (graph, wrong, error);
  g_clear_pointer (&graph, armilla_graph_free);
  armilla_array_rows_free (from);
  armilla_array_rows_free (to);
}

/* The same pixels, each of the weight 1. */
static ArmillaGrid *
without_weights (ArmillaGrid *grid, GError **error)
{
  g_autofree double *factors = g_new (double, grid->n_pairs);

  for (gint64 p = 0; p < grid->n_pairs; p++)
    {
      const gint64 ring = MAX (grid->pairs[p].north, grid->pairs[p].south);

      factors[p] = 1 / grid->rings[ring].weight;
    }
  return armilla_grid_with_ring_weights (grid, factors, grid->n_pairs, error);
}

static ArmillaStatus
convolve (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaRadialKernel *kernel,
          double accuracy, const ArmillaArray *out, gboolean adjoint, ArmillaFailure *failure)
{
  const ArmillaKept *kept = plan->kept;
  GError *error = NULL, *wrong = NULL;
  g_autoptr (ArmillaKernel) made = NULL;
  g_autoptr (ArmillaGrid) grid = NULL;
  g_autofree char *text = NULL;

  if (check (kept, map, accuracy, out, &wrong))
    made = new_kernel (kernel, &wrong);
  if (made && armilla_convolve_check_width (made, kept->grid, &wrong))
    grid = adjoint ? without_weights (kept->grid, &wrong) : armilla_grid_ref (kept->grid);
  if (grid)
    text = armilla_plan_describe_call (plan, "%sconvolution (fwhm %g, radius %g, accuracy %g)",
                                       adjoint ? "the adjoint of a " : "a ", kernel->fwhm,
                                       kernel->radius, accuracy);
  if (armilla_ranks_enter (plan->session, text, wrong, &error))
    {
      compute (plan, grid, map, made, accuracy, out, adjoint, &error);
      armilla_session_let_go (plan->session);
    }
  return armilla_failure_set (failure, error);
}

ArmillaStatus
armilla_plan_convolve (ArmillaPlan *plan, const ArmillaArray *map,
                       const ArmillaRadialKernel *kernel, double accuracy, const ArmillaArray *out,
                       ArmillaFailure *failure)
{
  return convolve (plan, map, kernel, accuracy, out, FALSE, failure);
}

ArmillaStatus
armilla_plan_adjoint_convolve (ArmillaPlan *plan, const ArmillaArray *map,
                               const ArmillaRadialKernel *kernel, double accuracy,
                               const ArmillaArray *out, ArmillaFailure *failure)
{
  return convolve (plan, map, kernel, accuracy, out, TRUE, failure);
}
