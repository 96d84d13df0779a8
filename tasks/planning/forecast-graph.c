/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs whose tasks are recorded instead of run. */
#include "config.h"

#include "tasks/planning/forecast-private.h"

/* Returns the bytes of tiles that epochs in flight may have if GPUs compute; see find_room() in
 * runtime.c. */
static gint64
find_room (const ArmillaForecast *self)
{
  double min_bytes = 0;

  for (int r = 0; r < self->n; r++)
    if (self->nodes[r]->gpus)
      {
        double bytes = MIN (self->nodes[r]->gpu_memory / 4, self->nodes[r]->memory / 16);

        min_bytes = min_bytes > 0 ? MIN (min_bytes, bytes) : bytes;
      }
  return (gint64) min_bytes;
}

/* Creates the graph that the first rank of a run on the nodes of @forecast would have, without
 * computing anything; requests that need computed values fail. Returns an empty graph;
 * ARMILLA_ERROR_VALUE for negative options. @options: how to cut data into tiles (may be NULL). */
ArmillaGraph *
armilla_graph_new_forecast (ArmillaRuntime *runtime, const ArmillaTilingOptions *options,
                            ArmillaForecast *forecast, GError **error)
{
  ArmillaGraph *graph;
  ArmillaView view;

  armilla_view_init (&view, runtime);
  view.mpi = FALSE;
  view.rank = 0;
  view.n_ranks = forecast->n;
  view.speeds = forecast->speeds;
  view.gpus = FALSE;
  view.gpu_ranks = 0;
  view.max_workers = 1;
  for (int r = 0; r < forecast->n; r++)
    {
      view.gpus = view.gpus || forecast->nodes[r]->gpus;
      view.gpu_ranks += forecast->nodes[r]->gpus;
      view.max_workers = MAX (view.max_workers, forecast->nodes[r]->workers);
    }
  view.epochs_bytes = find_room (forecast);
  graph = armilla_graph_new_with_view (runtime, &view, options, error);
  if (!graph)
    return NULL;
  armilla_observers_add (&graph->observers, &armilla_forecast_observer, forecast);
  graph->taker.kind = &armilla_forecast_observer;
  graph->taker.self = forecast;
  return graph;
}
