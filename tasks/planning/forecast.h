/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run played through without being run. One thread at a time. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

#include "codelets/peaks/node-model.h"

G_BEGIN_DECLS

/**
 * ArmillaForecast:
 *
 * What a task graph would take on nodes that are not there. The graph is built as in a run on so
 * many ranks: the same blocks, deal, tiles, priorities and epochs. Its tasks are noted down instead
 * of run, and then played with the times that the nodes' models give. Data are never looked at.
 */
typedef struct _ArmillaForecast ArmillaForecast;

/**
 * ArmillaForecastOptions:
 * @no_io: host steps (reading, drawing, writing) take no time, and what they read is not moved
 * @no_network: messages take no time
 * @no_submission: submitting takes no time
 *
 * What to leave out, to find what it costs.
 */
typedef struct {
  gboolean no_io, no_network, no_submission;
} ArmillaForecastOptions;

/**
 * ArmillaForecastWork:
 * @name: (transfer none): name of a codelet, of the stage of host steps, or of that and "-end" for
 *   what a sink does after its last tile
 * @worker: what does it
 * @n: how many there are
 * @seconds: what they take together
 * @estimated: whether the file of some node has no rate for it: it takes at least so long
 *
 * Work of one kind, of all ranks.
 */
typedef struct {
  const char *name;
  ArmillaNodeWorker worker;
  gint64 n;
  double seconds;
  gboolean estimated;
} ArmillaForecastWork;

/**
 * ArmillaForecastResult:
 * @seconds: from the first submission to the end of the last task
 * @n_tasks: tasks and host steps, without what sinks do at their end
 * @busiest: s of work of the busiest rank, over its workers
 * @mean: the same for all ranks together: no deal of the work could take less
 * @n_messages: messages between ranks
 * @bytes: what they hold
 * @max_bytes: of the rank that sends or receives most
 * @port: s that its port to the network needs for them
 * @submission: s that a rank needs to submit all tasks, at most
 *
 * What was found by playing.
 */
typedef struct {
  double seconds;
  gint64 n_tasks;
  double busiest, mean;
  gint64 n_messages;
  double bytes, max_bytes, port, submission;
} ArmillaForecastResult;

/**
 * ArmillaForecastShare:
 * @least: s that it takes at least: of the rank that has most of it, when its workers or its I/O
 *   threads are never idle
 * @busiest: s of work of the busiest rank, over its workers
 * @mean: the same for all ranks together
 *
 * A part of the work of a run.
 */
typedef struct {
  double least, busiest, mean;
} ArmillaForecastShare;

ArmillaForecast *armilla_forecast_new (ArmillaNodeModel *const *nodes, int n_nodes,
                                       gboolean no_io);
ArmillaGraph *armilla_graph_new_forecast (ArmillaRuntime *runtime,
                                          const ArmillaTilingOptions *options,
                                          ArmillaForecast *forecast, GError **error);
gboolean armilla_forecast_play (ArmillaForecast *self, const ArmillaForecastOptions *options,
                                ArmillaForecastResult *result, GError **error);
void armilla_forecast_prepared (ArmillaForecast *self, double seconds);
const ArmillaForecastWork *armilla_forecast_works (ArmillaForecast *self, guint *n);
double armilla_forecast_end_of (ArmillaForecast *self, gint64 index);
ArmillaForecastShare armilla_forecast_share_from (ArmillaForecast *self, gint64 index);
void armilla_forecast_free (ArmillaForecast *self);

double armilla_forecast_deal (const double *first, const double *seconds, int n_ranks,
                              gint64 n_realisations, gint64 *dealt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaForecast, armilla_forecast_free)

G_END_DECLS
