/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms of arrays that a plan offers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <armilla/harmonic.h>

#include "core/grids/car.h"
#include "tasks/arrays/array-tiles.h"
#include "tasks/arrays/caller-array.h"
#include "tasks/arrays/plan.h"
#include "tasks/arrays/ranks.h"
#include "tasks/graph/graph-private.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/points/points.h"

/* State of one call: the arrays and their data in the graph. */
typedef struct {
  ArmillaPlan *plan;
  ArmillaGraph *graph;
  ArmillaArrayRows *alm_rows, *map_rows;
  const double *factors; /* (nullable): [multipole] factors of the a_lm */
  ArmillaAlm *alm;
  ArmillaMap *map; /* NULL: points */
} Call;

static gboolean
check (ArmillaPlan *plan, const ArmillaArray *alm, gint64 alm_components, const ArmillaArray *map,
       GError **error)
{
  return armilla_array_check ("alm", alm, TRUE, plan->n_copies, alm_components,
                              armilla_alm_count (plan->layout), error)
         && armilla_array_check ("map", map, FALSE, plan->n_copies, plan->n_components,
                                 armilla_plan_n_pixels (plan), error)
         && (!plan->points || map->device == ARMILLA_HOST
             || armilla_fail (error, ARMILLA_ERROR_VALUE,
                              "map: is in the memory of a GPU; values at points must be in host "
                              "memory"));
}

static ArmillaAlm *
new_alm (const ArmillaPlan *plan)
{
  ArmillaAlm *alm = armilla_alm_new (plan->layout, plan->n_fields);

  armilla_alm_set_spins (alm, plan->spins);
  return alm;
}

/* Begins a call unless an error is already set. On success the session is entered. */
static gboolean
begin (Call *call, ArmillaPlan *plan, const char *name, gboolean sums, GError *wrong,
       const ArmillaArray *alm, const ArmillaArray *map, GError **error)
{
  const ArmillaPlanGraph which = alm->device > 0 ? ARMILLA_PLAN_GPU
                                 : sums || plan->points ? ARMILLA_PLAN_SUMS
                                                 : ARMILLA_PLAN_HOST;
  const ArmillaNamedArray arrays[] = { { "alm", alm }, { "map", map } };
  gint64 first = 0, n;
  g_autofree char *text = armilla_plan_describe_call (plan, "%s", name);

  *call = (Call) { .plan = plan };
  if (!armilla_ranks_enter (plan->session, text, wrong, error))
    return FALSE;
  call->graph = armilla_plan_graph (plan, which, error);
  if (!call->graph || !armilla_array_begin (call->graph, arrays, G_N_ELEMENTS (arrays), error))
    {
      armilla_session_leave (plan->session);
      return FALSE;
    }
  call->alm_rows
    = armilla_array_rows_new (alm, TRUE, plan->n_fields, 0, plan->copy, plan->component);
  if (plan->grid)
    armilla_grid_array_pixels (plan->grid, &first, &n);
  call->map_rows
    = armilla_array_rows_new (map, FALSE, plan->n_fields, first, plan->copy, plan->component);
  call->alm = new_alm (plan);
  if (plan->points)
    return TRUE;
  call->map = armilla_map_new (plan->grid, plan->n_fields);
  armilla_map_set_spins (call->map, plan->spins);
  return TRUE;
}

/* Computes the requested work, or drops it on all ranks if a request failed on one:
 * armilla_graph_wait () executes the jobs of the graph, for an analysis run_analysis () of
 * tasks/harmonic/analysis.c, and waits for their tasks. */
static ArmillaStatus
end (Call *call, ArmillaPlan *plan, GError *error, ArmillaFailure *failure)
{
  gboolean ok;

  armilla_data_release (ARMILLA_DATA (call->alm));
  if (call->map)
    armilla_data_release (ARMILLA_DATA (call->map));
  ok = armilla_graph_agree (call->graph, g_steal_pointer (&error), &error)
       && armilla_graph_wait (call->graph, &error);
  g_object_unref (call->alm);
  g_clear_object (&call->map);
  if (ok)
    plan->n_iterations = armilla_graph_iterations (call->graph, &plan->residual);
  else
    armilla_plan_forget_graph (plan, call->graph);
  g_clear_pointer (&call->alm_rows, armilla_array_rows_free);
  g_clear_pointer (&call->map_rows, armilla_array_rows_free);
  armilla_session_leave (plan->session);
  return armilla_failure_set (failure, error);
}

/* #ArmillaHostPiece */
static gboolean
fill_factors (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Call *call = user;

  (void) error;
  memcpy (piece->values, call->factors,
          sizeof *piece->values * (gsize) (call->plan->layout.lmax + 1));
  return TRUE;
}

/* Requests @out, the a_lm @in times the factors. */
static gboolean
scale (Call *call, ArmillaAlm *in, ArmillaAlm *out, GError **error)
{
  g_autoptr (ArmillaCl) cl
    = armilla_cl_new (call->plan->layout.lmax, (const char *[]) { "", NULL }, 1);

  return armilla_graph_fill (call->graph, ARMILLA_DATA (cl), fill_factors, call, NULL, error)
         && armilla_graph_scale_alm (call->graph, in, cl, out, error);
}

/* Fails if the numbers of a map have no weights. */
static gboolean
has_quadrature (const ArmillaPlan *plan, GError **error)
{
  return plan->grid
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "positions: points have no quadrature weights; set tolerance for least "
                          "squares, or use the adjoint of the synthesis");
}

/* Requests the map, or the values at points, of the a_lm. */
static gboolean
ask_synthesis (Call *call, ArmillaAlm *alm, gboolean resamples, GError **error)
{
  if (!call->map)
    return armilla_graph_points_rows (call->graph, alm, call->plan->points, call->map_rows->rows,
                                      error);
  if (!(resamples ? armilla_graph_adjoint_analysis (call->graph, alm, call->map, error)
                  : armilla_graph_synthesis (call->graph, alm, call->map, error)))
    return FALSE;
  return armilla_array_in_place (call->graph, call->map, call->plan->layout.mmax, call->map_rows)
         || armilla_array_drain (call->graph, ARMILLA_DATA (call->map), call->map_rows, error);
}

/* Synthesis from a_lm of @alm_components, multiplied by @factors if not NULL. */
static ArmillaStatus
synthesize (ArmillaPlan *plan, const ArmillaArray *alm, gint64 alm_components,
            const double *factors, gboolean weighted, const ArmillaArray *map,
            ArmillaFailure *failure)
{
  const char *name = factors ? "a gradient" : weighted ? "the adjoint of an analysis"
                                                       : "a synthesis";
  g_autoptr (ArmillaAlm) scaled = NULL;
  GError *error = NULL, *wrong = NULL;
  gboolean resamples;
  Call call;

  if (check (plan, alm, alm_components, map, &wrong)
      && (!weighted || has_quadrature (plan, &wrong)))
    armilla_arrays_fit ("alm", alm, TRUE, "map", map, FALSE, &wrong);
  if (!begin (&call, plan, name, FALSE, wrong, alm, map, &error))
    return armilla_failure_set (failure, error);
  resamples = weighted && armilla_analysis_resamples (plan->grid, plan->layout.lmax);
  call.map_rows->weighted = weighted && !resamples;
  call.factors = factors;
  if (factors)
    scaled = new_alm (plan);
  armilla_array_alm_in_place (call.graph, call.alm, call.alm_rows);
  if (armilla_array_fill (call.graph, ARMILLA_DATA (call.alm), call.alm_rows, &error)
      && (!factors || scale (&call, call.alm, scaled, &error)))
    ask_synthesis (&call, factors ? scaled : call.alm, resamples, &error);
  if (scaled)
    armilla_data_release (ARMILLA_DATA (scaled));
  return end (&call, plan, error, failure);
}

static gboolean
check_analysis (const ArmillaAnalysis *how, GError **error)
{
  if (!how)
    return TRUE;
  if (how->iterations < -1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "iterations = %d; must be 0 or more, or -1 for the default of the grid",
                         how->iterations);
  if (!(how->tolerance >= 0 && how->tolerance < 1))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "tolerance = %g; must be 0, or above 0 and below 1", how->tolerance);
  if (how->tolerance > 0 && how->max_iterations < 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "max_iterations = %d; must be at least 1 for conjugate gradients",
                         how->max_iterations);
  return TRUE;
}

/* Chooses the iterations. Without iterations the quadrature is a plain sum, adjoint to
 * armilla_plan_adjoint_analysis() on any grid. */
static gboolean
choose (const ArmillaPlan *plan, ArmillaAnalysis *how, GError **error)
{
  if (how->tolerance == 0 && !has_quadrature (plan, error))
    return FALSE;
  return how->iterations >= 0 || plan->points
         || armilla_analysis_choose (plan->grid, plan->layout, how, error);
}

ArmillaStatus
armilla_plan_choose_analysis (const ArmillaPlan *plan, ArmillaAnalysis *how,
                              ArmillaFailure *failure)
{
  GError *error = NULL;

  if (check_analysis (how, &error))
    choose (plan, how, &error);
  return armilla_failure_set (failure, error);
}

/* Describes the analysis so that ranks can compare their calls. */
static void
name_analysis (const ArmillaAnalysis *how, const double *factors, char *name, gsize size)
{
  if (!how)
    g_strlcpy (name, factors ? "the adjoint of a gradient" : "the adjoint of a synthesis", size);
  else
    g_snprintf (name, size, "an analysis (%d iterations, tolerance %g, at most %d)",
                how->iterations, how->tolerance, how->max_iterations);
}

static gboolean
ask_analysis (Call *call, const ArmillaAnalysis *how, ArmillaAlm *alm, GError **error)
{
  if (!call->map)
    return armilla_graph_adjoint_points_rows (call->graph, call->plan->points,
                                              call->map_rows->rows, how, alm, error);
  if (!how)
    return armilla_graph_adjoint_synthesis (call->graph, call->map, alm, error);
  if (how->tolerance > 0)
    return armilla_graph_analysis_cg (call->graph, call->map, alm, how->tolerance,
                                      how->max_iterations, error);
  return armilla_graph_analysis (call->graph, call->map, alm, how->iterations, error);
}

/* Analysis to a_lm of @alm_components; without @how the adjoint of the synthesis. */
static ArmillaStatus
analyse (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm,
         gint64 alm_components, const double *factors, ArmillaAnalysis *how,
         ArmillaFailure *failure)
{
  g_autoptr (ArmillaAlm) raw = NULL;
  GError *error = NULL, *wrong = NULL;
  char name[128];
  Call call;

  name_analysis (how, factors, name, sizeof name);
  if (check_analysis (how, &wrong) && check (plan, alm, alm_components, map, &wrong)
      && (!how || choose (plan, how, &wrong)))
    armilla_arrays_fit ("map", map, FALSE, "alm", alm, TRUE, &wrong);
  if (!begin (&call, plan, name, how && how->tolerance > 0, wrong, alm, map, &error))
    return armilla_failure_set (failure, error);
  call.factors = factors;
  if (factors)
    raw = new_alm (plan);
  armilla_array_alm_in_place (call.graph, call.alm, call.alm_rows);
  if (call.map)
    armilla_array_in_place (call.graph, call.map, plan->layout.mmax, call.map_rows);
  if ((!call.map
       || armilla_array_fill (call.graph, ARMILLA_DATA (call.map), call.map_rows, &error))
      && ask_analysis (&call, how, factors ? raw : call.alm, &error)
      && (!factors || scale (&call, raw, call.alm, &error)))
    armilla_array_drain (call.graph, ARMILLA_DATA (call.alm), call.alm_rows, &error);
  if (raw)
    armilla_data_release (ARMILLA_DATA (raw));
  return end (&call, plan, error, failure);
}

ArmillaStatus
armilla_plan_synthesis (ArmillaPlan *plan, const ArmillaArray *alm, const ArmillaArray *map,
                        ArmillaFailure *failure)
{
  return synthesize (plan, alm, plan->n_components, NULL, FALSE, map, failure);
}

ArmillaStatus
armilla_plan_adjoint_synthesis (ArmillaPlan *plan, const ArmillaArray *map,
                                const ArmillaArray *alm, ArmillaFailure *failure)
{
  return analyse (plan, map, alm, plan->n_components, NULL, NULL, failure);
}

ArmillaStatus
armilla_plan_analysis (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm,
                       const ArmillaAnalysis *how, ArmillaFailure *failure)
{
  ArmillaAnalysis chosen = how ? *how : (ArmillaAnalysis) { 0 };

  return analyse (plan, map, alm, plan->n_components, NULL, &chosen, failure);
}

ArmillaStatus
armilla_plan_adjoint_analysis (ArmillaPlan *plan, const ArmillaArray *alm, const ArmillaArray *map,
                               ArmillaFailure *failure)
{
  return synthesize (plan, alm, plan->n_components, NULL, TRUE, map, failure);
}

/* Rejects an invalid call on all ranks, with the error @wrong of this one. */
static ArmillaStatus
refuse (ArmillaPlan *plan, GError *wrong, ArmillaFailure *failure)
{
  GError *error = NULL;

  armilla_ranks_enter (plan->session, NULL, wrong, &error);
  return armilla_failure_set (failure, error);
}

/* Returns sqrt (l (l + 1)), which turns the a_lm of a field into those of its gradient. */
static double *
gradient_factors (ArmillaPlan *plan, GError **error)
{
  double *factors;

  for (int f = 0; f < plan->n_fields; f++)
    if (plan->spins[f] != 1 || plan->n_components != 2)
      return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                "spins: must be one field pair of spin 1 for a gradient");
  factors = g_new (double, plan->layout.lmax + 1);
  for (gint64 l = 0; l <= plan->layout.lmax; l++)
    factors[l] = sqrt ((double) l * (double) (l + 1));
  return factors;
}

ArmillaStatus
armilla_plan_gradient (ArmillaPlan *plan, const ArmillaArray *alm, const ArmillaArray *map,
                       ArmillaFailure *failure)
{
  GError *error = NULL;
  g_autofree double *factors = gradient_factors (plan, &error);

  return factors ? synthesize (plan, alm, 1, factors, FALSE, map, failure)
                 : refuse (plan, error, failure);
}

ArmillaStatus
armilla_plan_adjoint_gradient (ArmillaPlan *plan, const ArmillaArray *map, const ArmillaArray *alm,
                               ArmillaFailure *failure)
{
  GError *error = NULL;
  g_autofree double *factors = gradient_factors (plan, &error);

  return factors ? analyse (plan, map, alm, 1, factors, NULL, failure)
                 : refuse (plan, error, failure);
}
