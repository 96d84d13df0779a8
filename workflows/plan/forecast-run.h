/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "codelets/peaks/node-model.h"
#include "tasks/planning/forecast.h"
#include "workflows/file/workflow.h"

G_BEGIN_DECLS

/* Predicted times of a run, and what limits it. */
typedef struct {
  gboolean whole;              /* whether each rank computes whole realisations */
  gint64 n_realisations;
  gint64 n_played; /* number of simulated realisations (on each kind of node if ranks compute whole
                    * realisations) */
  double seconds; /* s from the start of the program to the end of the last task */
  /* s before the first realisation: starting StarPU, opening inputs */
  double start;
  double mean; /* s of work of each worker, if all workers shared the work evenly */
  double busiest;              /* maximum over ranks of the s of work of each worker */
  /* s of the run if a realisation could be divided between ranks; 0 if ranks share realisations */
  double ideal;
  /* s of the run if messages took no time; equals seconds if ranks send none */
  double without_network;
  double without_submission;   /* s of the run if submitting tasks took no time */
  /* result of the simulation: of all ranks, or of one rank that computes whole realisations */
  ArmillaForecastResult graph;
  gint64 min_realisations;     /* minimum realisations per rank, if ranks compute whole ones */
  gint64 max_realisations;     /* maximum realisations per rank, if ranks compute whole ones */
  char *cuts;                  /* description of the tiling */
  /* (element-type ArmillaForecastWork): work of tasks, summed over the simulated realisations */
  GArray *works;
  /* the same for the passes after the last realisation of each point, and after the last point */
  GArray *after;
} ArmillaForecastReport;

gboolean armilla_forecast_workflow (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                                    ArmillaNodeModel *const *nodes, int n_nodes, gboolean no_io,
                                    ArmillaForecastReport *report, GError **error);
const char *armilla_forecast_limit (const ArmillaForecastReport *report);
void armilla_forecast_report_clear (ArmillaForecastReport *report);
char *armilla_measure_rates (char *const *traces, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaForecastReport, armilla_forecast_report_clear)

G_END_DECLS
