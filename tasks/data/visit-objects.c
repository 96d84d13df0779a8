/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/correlation.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"

typedef struct {
  int n;
  ArmillaHostVisit visit;
  gpointer user;
  GDestroyNotify destroy;
} Visit;

static void
visit_free (gpointer data)
{
  Visit *visit = data;

  if (visit->destroy)
    visit->destroy (visit->user);
  g_free (visit);
}

static gboolean
run_visit (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaCatalogue *catalogues[ARMILLA_JOB_INPUTS] = { NULL };
  const Visit *visit = job->user;
  GError *local = NULL;
  double begin;

  for (int i = 0; i < visit->n && local == NULL; i++)
    if (job->in[i])
      catalogues[i] = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[i]), &local);
  begin = armilla_forecast_clock (graph);
  if (local == NULL)
    visit->visit (visit->user, catalogues, &local);
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
  Visit *copy;
  ArmillaJob job = { .run = run_visit, .destroy = visit_free };

  if (n < 1 || n > ARMILLA_JOB_INPUTS)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "%d catalogues cannot be looked at together; at most %d can", n,
                   ARMILLA_JOB_INPUTS);
      if (destroy)
        destroy (user);
      return FALSE;
    }
  copy = g_new (Visit, 1);
  *copy = (Visit) { n, visit, user, destroy };
  job.user = copy;
  for (int i = 0; i < n; i++)
    job.in[i] = objects[i] ? ARMILLA_DATA (objects[i]) : NULL;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
