/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task graph as every rank of a run would submit it, noted down. */
#pragma once

#include <armilla/forecast.h>

#include "tasks/graph-private.h"

G_BEGIN_DECLS

typedef enum { FORECAST_TASK, FORECAST_HOST, FORECAST_MESSAGE } ArmillaForecastKind;

/* Something that takes time. */
typedef struct {
  gint32 rank;     /* where; of messages where to */
  gint32 from;     /* of messages */
  gint32 priority;
  gint32 needs;    /* events, and submissions, that it waits for */
  gint32 epoch;
  gint32 kind;     /* ArmillaForecastKind */
  guint32 follows; /* first of its edges, or NO_EDGE */
  double amount;   /* s; of messages bytes */
} ArmillaForecastEvent;

#define ARMILLA_FORECAST_NO_EDGE G_MAXUINT32

/* An event and the next edge of the same origin. */
typedef struct {
  guint32 to, next;
} ArmillaForecastEdge;

/* What a rank's submitting thread comes by: a task of its own, or one that needs its data or sends
 * it some. */
typedef struct {
  guint32 serial; /* among all tasks, which every rank submits */
  guint32 event;
} ArmillaForecastEntry;

/* From task @serial on tasks belong to a new epoch; at most @limit are in flight. */
typedef struct {
  guint32 serial;
  gint32 limit;
} ArmillaForecastEpoch;

struct _ArmillaForecast {
  ArmillaNodeModel **nodes; /* [n] */
  double *speeds;           /* [n] */
  int n;
  gboolean no_io;
  GArray *events;           /* ArmillaForecastEvent */
  GArray *edges;            /* ArmillaForecastEdge */
  GArray *epochs;           /* ArmillaForecastEpoch */
  GArray **entries;         /* [n] of ArmillaForecastEntry */
  GHashTable *holders;      /* starpu_data_handle_t -> where its value is */
  GArray *labels;           /* gint64: realisation of each event */
  double *ends;             /* [events]: when each ended, once played */
  guint32 serial;
};

gboolean armilla_forecast_task (ArmillaGraph *graph, const struct starpu_codelet *codelet,
                                int rank, const void *args, const ArmillaUse *uses, int n_uses,
                                int priority, GError **error);
gboolean armilla_forecast_host_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles,
                                     const enum starpu_data_access_mode *modes, int n_tiles,
                                     GError **error);
void armilla_forecast_epoch (ArmillaForecast *self, int limit);
void armilla_forecast_new_handle (ArmillaForecast *self, starpu_data_handle_t handle);

G_END_DECLS
