/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run played through without being run. One thread at a time. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

#include "codelets/peaks/node-model.h"

G_BEGIN_DECLS

/* What a task graph would take on nodes that are not there. The graph is built as in a run on so
 * many ranks: the same blocks, deal, tiles, priorities and epochs. Its tasks are noted down instead
 * of run, and then played with the times that the nodes' models give. Data are never looked at. */
typedef struct _ArmillaForecast ArmillaForecast;

/* What to leave out, to find what it costs. */
typedef struct {
  /* host steps (reading, drawing, writing) take no time, and what they read is not moved */
  gboolean no_io;
  gboolean no_network;    /* messages take no time */
  gboolean no_submission; /* submitting takes no time */
} ArmillaForecastOptions;

/* Work of one kind, of all ranks. */
typedef struct {
  /* (transfer none): name of a codelet, of the stage of host steps, or of that and "-end" for what
   * a sink does after its last tile */
  const char *name;
  ArmillaNodeWorker worker; /* what does it */
  gint64 n;                 /* how many there are */
  double seconds;           /* what they take together */
  /* whether the file of some node has no rate for it: it takes at least so long */
  gboolean estimated;
} ArmillaForecastWork;

/* What was found by playing. */
typedef struct {
  double seconds;    /* from the first submission to the end of the last task */
  gint64 n_tasks;    /* tasks and host steps, without what sinks do at their end */
  double busiest;    /* s of work of the busiest rank, over its workers */
  double mean;       /* the same for all ranks together: no deal of the work could take less */
  gint64 n_messages; /* messages between ranks */
  double bytes;      /* what they hold */
  double max_bytes;  /* of the rank that sends or receives most */
  double port;       /* s that its port to the network needs for them */
  double submission; /* s that a rank needs to submit all tasks, at most */
} ArmillaForecastResult;

/* A part of the work of a run. */
typedef struct {
  /* s that it takes at least: of the rank that has most of it, when its workers or its I/O threads
   * are never idle */
  double least;
  double busiest; /* s of work of the busiest rank, over its workers */
  double mean;    /* the same for all ranks together */
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
