/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulation of a run. For one thread at a time. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

#include "codelets/peaks/node-model.h"

G_BEGIN_DECLS

/* Prediction of the time that a task graph would take on hypothetical nodes. The graph is built as
 * in a run on that number of ranks, with the same blocks, tiles, owners, priorities and epochs. Its
 * tasks are recorded instead of run, and then simulated with durations from the models of the
 * nodes. No data are read. */
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
  /* (transfer none): name of a codelet, or of a stage for its host steps, or of a stage and "-end"
   * for the work of its sink after the last tile */
  const char *name;
  ArmillaNodeWorker worker; /* kind of worker */
  gint64 n;                 /* number of tasks or steps */
  double seconds;           /* total seconds */
  /* whether the duration is unknown on some node, so that seconds is a lower limit */
  gboolean estimated;
} ArmillaForecastWork;

/* Result of a simulation. */
typedef struct {
  double seconds;    /* s from the first submission to the end of the last task */
  gint64 n_tasks;    /* tasks and host steps, without the ends of sinks */
  double busiest;    /* maximum over ranks of work / number of workers, s */
  /* mean over ranks of work / number of workers, s: a lower limit for any assignment */
  double mean;
  gint64 n_messages; /* messages between ranks */
  double bytes;      /* bytes of these messages */
  double max_bytes;  /* maximum over ranks of the bytes sent or received */
  double port;       /* seconds that the network port of that rank is busy */
  double submission; /* maximum over ranks of the seconds to submit all tasks */
} ArmillaForecastResult;

/* Lower bounds of the duration, from the work of each rank alone. */
typedef struct {
  /* minimum duration, s: that of the rank with the most work, if its workers or I/O threads are
   * never idle */
  double min_seconds;
  double busiest; /* maximum over ranks of work / number of workers, s */
  double mean;    /* mean over ranks of work / number of workers, s */
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
