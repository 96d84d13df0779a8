/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of the submitting thread that is not spent submitting. */
#include "config.h"

#include "tasks/planning/forecast-private.h"

static void
add_pause (ArmillaForecast *self, double seconds)
{
  ArmillaForecastPause pause = { self->serial, seconds };

  g_array_append_val (self->pauses, pause);
}

/* Returns the time in seconds for armilla_forecast_spend (); 0 if the graph is no forecast. */
double
armilla_forecast_clock (const ArmillaGraph *graph)
{
  return armilla_graph_get_forecast (graph) ? 1e-6 * (double) g_get_monotonic_time () : 0;
}

/* Adds the time since begin to a forecast: work of the submitting thread that depends on the
 * contents of data is really done and takes as long as in a run. No-op unless the graph is a
 * forecast. */
void
armilla_forecast_spend (ArmillaGraph *graph, double begin)
{
  ArmillaForecast *self = armilla_graph_get_forecast (graph);

  if (self)
    add_pause (self, armilla_forecast_clock (graph) - begin);
}

void
armilla_forecast_prepared (ArmillaForecast *self, double seconds)
{
  add_pause (self, seconds);
}
