/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/correlation.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"

static gboolean
run_visit (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaCatalogue *catalogues[ARMILLA_JOB_INPUTS] = { NULL };
  const ArmillaCall *call = job->user;
  GError *local = NULL;
  double begin;

  for (int i = 0; i < call->n && local == NULL; i++)
    if (job->in[i])
      catalogues[i] = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[i]), &local);
  begin = armilla_forecast_clock (graph);
  if (local == NULL)
    ((ArmillaHostVisit) call->function) (call->user, catalogues, &local);
  armilla_forecast_spend (graph, begin);
  /* All ranks see the same objects; only memory may end on one of them alone. */
  return armilla_graph_agree (graph, local, error);
}

/**
 * armilla_graph_visit_objects:
 * @graph: a graph
 * @objects: (array length=n): what to look at; %NULL in the place of none
 * @n: how many, at most 8
 * @visit: called once on every rank, when the objects are there
 * @user: for @visit
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Looks at objects while the graph is submitted, before what is asked for after it. @visit may give
 * other objects their catalogues, with armilla_objects_set_catalogue(): that is how a stage makes
 * one catalogue of another.
 *
 * Returns: whether there are not too many; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_visit_objects (ArmillaGraph *graph, ArmillaObjects *const *objects, int n,
                             ArmillaHostVisit visit, gpointer user, GDestroyNotify destroy,
                             GError **error)
{
  const ArmillaJob job = { .run = run_visit };
  const ArmillaCall call = { n, G_CALLBACK (visit), user, destroy };

  return armilla_graph_defer_call (graph, &job, (ArmillaData *const *) objects, &call,
                                   "catalogues cannot be looked at", error);
}
