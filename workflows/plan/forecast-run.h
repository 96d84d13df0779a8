/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/peaks/node-model.h"
#include "tasks/planning/forecast.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/**
 * ArmillaForecastReport:
 * @whole: whether each rank computes whole realisations
 * @n_realisations: how many
 * @n_played: of these, how many were played (on each kind of node, where they are dealt)
 * @seconds: of the run, from the start of the program to the end of the last task
 * @start: of @seconds those before the first realisation: StarPU starts, inputs are opened
 * @works: (element-type ArmillaForecastWork): work of the tasks that were played, by name
 * @mean: s that its work would take if all workers shared it evenly all the time
 * @busiest: s of work of the busiest rank
 * @ideal: s of the run if realisations could be dealt in parts; 0 where they are not dealt
 * @without_network: s of the run if messages took no time; as @seconds where ranks send none
 * @without_submission: s of the run if submitting tasks took no time
 * @graph: of the tasks that were played: all, or those of one rank
 * @least, @most: realisations of the rank that gets fewest, and most, where they are dealt
 * @cuts: how data are cut into tiles
 *
 * What a run is forecast to take, and why.
 */
typedef struct {
  gboolean whole;
  gint64 n_realisations, n_played;
  double seconds, start, mean, busiest, ideal, without_network, without_submission;
  ArmillaForecastResult graph;
  gint64 least, most;
  char *cuts;
  GArray *works;
} ArmillaForecastReport;

gboolean armilla_forecast_workflow (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                                    ArmillaNodeModel *const *nodes, int n_nodes, gboolean no_io,
                                    ArmillaForecastReport *report, GError **error);
const char *armilla_forecast_limit (const ArmillaForecastReport *report);
void armilla_forecast_report_clear (ArmillaForecastReport *report);
char *armilla_measure_rates (char *const *traces, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaForecastReport, armilla_forecast_report_clear)

G_END_DECLS
