/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulation of a run. For one thread at a time. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

#include "codelets/peaks/node-model.h"

G_BEGIN_DECLS

/* The time that a task graph would take on hypothetical nodes. The graph is built as in a run on
 * that number of ranks: the same blocks, assignment, tiles, priorities and epochs. Its tasks are
 * recorded instead of run, and then simulated with the durations of the nodes' models. Data are
 * never read. */
typedef struct _ArmillaForecast ArmillaForecast;

/* Costs that the simulation omits, to find their effect. */
typedef struct {
  /* host steps (reading, drawing, writing) take no time, and their data are not moved */
  gboolean no_io;
  gboolean no_network;    /* messages take no time */
  gboolean no_submission; /* submitting takes no time */
} ArmillaForecastOptions;

/* Work of one kind, summed over ranks. */
typedef struct {
  /* (transfer none): name of a codelet, name of the stage of host steps, or the latter and "-end"
   * for the work of a sink after its last tile */
  const char *name;
  ArmillaNodeWorker worker; /* kind of worker */
  gint64 n;                 /* number of tasks or steps */
  double seconds;           /* total seconds */
  /* whether the model of some node has no rate for it, so that seconds is a lower limit */
  gboolean estimated;
} ArmillaForecastWork;

/* Result of a simulation. */
typedef struct {
  double seconds;    /* s from the first submission to the end of the last task */
  gint64 n_tasks;    /* tasks and host steps, without the ends of sinks */
  double busiest;    /* work of the busiest rank over its workers, s */
  double mean; /* mean work of the ranks over their workers, s: a lower limit for any assignment */
  gint64 n_messages; /* messages between ranks */
  double bytes;      /* bytes of these messages */
  double max_bytes;  /* maximum over ranks of the bytes sent or received */
  double port;       /* seconds that the network port of that rank needs for them */
  double submission; /* maximum over ranks of the seconds to submit all tasks */
} ArmillaForecastResult;

/* Part of the work of a run. */
typedef struct {
  /* minimum duration, s: that of the rank with the most work, if its workers or I/O threads are
   * never idle */
  double min_seconds;
  double busiest; /* work of the busiest rank over its workers, s */
  double mean;    /* mean work of the ranks over their workers, s */
} ArmillaForecastShare;

ArmillaForecast *armilla_forecast_new (ArmillaNodeModel *const *nodes, int n_nodes,
                                       gboolean no_io);
ArmillaGraph *armilla_graph_new_forecast (ArmillaRuntime *runtime,
                                          const ArmillaTilingOptions *options,
                                          ArmillaForecast *forecast, GError **error);
gboolean armilla_forecast_play (ArmillaForecast *self, const ArmillaForecastOptions *options,
                                ArmillaForecastResult *result, GError **error);
void armilla_forecast_wait (ArmillaForecast *self);
void armilla_forecast_prepared (ArmillaForecast *self, double seconds);
const ArmillaForecastWork *armilla_forecast_works (ArmillaForecast *self, guint *n);
double armilla_forecast_end_of (ArmillaForecast *self, gint64 index);
ArmillaForecastShare armilla_forecast_share_from (ArmillaForecast *self, gint64 index);
void armilla_forecast_free (ArmillaForecast *self);

double armilla_forecast_deal (const double *first, const double *seconds, int n_ranks,
                              gint64 n_realisations, gint64 *dealt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaForecast, armilla_forecast_free)

G_END_DECLS
