/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/correlation.h>

#include "tasks/data/data-private.h"
#include "tasks/data/objects.h"
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
