/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task graph as every rank of a run would submit it, noted down. */
#pragma once

#include "codelets/peaks/node-model.h"
#include "tasks/graph/graph-private.h"
#include "tasks/planning/forecast.h"

G_BEGIN_DECLS

/* END: what a sink does after its last tile, in an I/O thread. FETCH: the submitting thread waits
 * for a tile. */
typedef enum {
  FORECAST_TASK, FORECAST_HOST, FORECAST_MESSAGE, FORECAST_END, FORECAST_FETCH
} ArmillaForecastKind;

/* Something that takes time. */
typedef struct {
  gint32 rank;     /* where; of messages where to */
  gint32 from;     /* of messages */
  gint32 priority;
  gint32 needs;    /* events, and submissions, that it waits for */
  gint32 epoch;    /* that it was submitted to, once played */
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

/* A host step of a sink. */
typedef struct {
  guint32 event;
  gint32 rank;
  double bytes;
} ArmillaForecastStep;

/* From task @serial on tasks belong to a new epoch; at most @limit are in flight. */
typedef struct {
  guint32 serial;
  gint32 limit;
} ArmillaForecastEpoch;

/* Before it submits task @serial every rank's submitting thread is busy. */
typedef struct {
  guint32 serial;
  double seconds;
} ArmillaForecastPause;

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
  GArray *pauses;           /* ArmillaForecastPause */
  GArray *works;            /* ArmillaForecastWork */
  GArray *labels;           /* gint64: realisation of each event */
  double *ends;             /* [events]: when each ended, once played */
  guint32 serial;
  gint64 n_tasks;           /* tasks and host steps */
};

ArmillaForecast *armilla_graph_get_forecast (const ArmillaGraph *graph);
extern const ArmillaObserver armilla_forecast_observer;
void armilla_forecast_host_note (ArmillaGraph *graph, int rank, const ArmillaTile *tile,
                                 GArray *steps);
gboolean armilla_forecast_host_end (ArmillaGraph *graph, const GArray *steps, GError **error);
void armilla_forecast_fetch (ArmillaGraph *graph, const ArmillaTile *tile);
double armilla_forecast_clock (const ArmillaGraph *graph);
void armilla_forecast_spend (ArmillaGraph *graph, double begin);

G_END_DECLS
