/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time that the submitting thread spends computing, not submitting. */
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

/* Adds the time since @begin to a forecast. The submitting thread itself computes what it needs for
 * submitting (for example, plans), in a forecast as in a run. Does nothing unless the graph is a
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
