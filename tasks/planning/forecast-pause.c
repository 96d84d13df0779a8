/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the submitting thread does beside submitting. */
#include "config.h"

#include "tasks/planning/forecast-private.h"

static void
add_pause (ArmillaForecast *self, double seconds)
{
  ArmillaForecastPause pause = { self->serial, seconds };

  g_array_append_val (self->pauses, pause);
}

/**
 * armilla_forecast_clock:
 * @graph: a graph
 *
 * Returns: the time, s, for armilla_forecast_spend(); 0 where the graph is no forecast
 */
double
armilla_forecast_clock (const ArmillaGraph *graph)
{
  return armilla_graph_get_forecast (graph) ? 1e-6 * (double) g_get_monotonic_time () : 0;
}

/**
 * armilla_forecast_spend:
 * @graph: a graph
 * @begin: what armilla_forecast_clock() said when the submitting thread began with something
 *
 * Of what is cut into tasks by what is in it a forecast does the same as a run: it takes as long.
 * Does nothing where the graph is no forecast.
 */
void
armilla_forecast_spend (ArmillaGraph *graph, double begin)
{
  ArmillaForecast *self = armilla_graph_get_forecast (graph);

  if (self)
    add_pause (self, armilla_forecast_clock (graph) - begin);
}

/**
 * armilla_forecast_prepared:
 * @self: a forecast
 * @seconds: how long preparing what comes next took, which a run does as well
 */
void
armilla_forecast_prepared (ArmillaForecast *self, double seconds)
{
  add_pause (self, seconds);
}
