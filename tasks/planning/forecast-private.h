/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded task graph as every rank of a run would submit it. */
#pragma once

#include "codelets/peaks/node-model.h"
#include "tasks/graph/graph-private.h"
#include "tasks/planning/forecast.h"

G_BEGIN_DECLS

/* Kinds of events. END: work of a sink after its last tile. FETCH: the submitting thread waits for
 * a tile. */
typedef enum {
  FORECAST_TASK, FORECAST_HOST, FORECAST_MESSAGE, FORECAST_END, FORECAST_FETCH
} ArmillaForecastKind;

/* Event of the simulation: work of a rank, or a message. */
typedef struct {
  gint32 rank;     /* rank; for messages the receiver */
  gint32 from;     /* sender of a message */
  gint32 priority;
  /* number of events that must end before, plus 1 for the submission of each rank involved */
  gint32 needs;
  gint32 epoch;    /* epoch of its submission, set by the simulation */
  gint32 kind;     /* ArmillaForecastKind */
  guint32 follows; /* index of the first edge to an event that waits for this one, or NO_EDGE */
  double amount;   /* seconds; for messages bytes */
} ArmillaForecastEvent;

#define ARMILLA_FORECAST_NO_EDGE G_MAXUINT32

/* Edge of the task graph: event @to waits for the origin of the edge; @next: next edge of the same
 * origin. */
typedef struct {
  guint32 to, next;
} ArmillaForecastEdge;

/* Task that the submitting thread of a rank handles: a task of the rank itself, or one that
 * exchanges data with it. */
typedef struct {
  guint32 serial; /* number of the task among those of all ranks */
  guint32 event;
} ArmillaForecastEntry;

/* A host step of a sink; bytes: size of its tile. */
typedef struct {
  guint32 event;
  gint32 rank;
  double bytes;
} ArmillaForecastStep;

/* Beginning of an epoch at task @serial; at most @limit epochs are in flight. */
typedef struct {
  guint32 serial;
  gint32 limit;
} ArmillaForecastEpoch;

/* Time that the submitting thread of every rank computes before it submits task @serial. */
typedef struct {
  guint32 serial;
  double seconds;
} ArmillaForecastPause;

struct _ArmillaForecast {
  ArmillaNodeModel **nodes; /* [rank] */
  double *speeds;           /* [rank]: relative speed */
  int n;
  gboolean no_io;
  GArray *events;           /* ArmillaForecastEvent */
  GArray *edges;            /* ArmillaForecastEdge */
  GArray *epochs;           /* ArmillaForecastEpoch */
  GArray **entries;         /* [rank]: array of ArmillaForecastEntry */
  /* starpu_data_handle_t -> Holder: ranks with a copy, and the events that wrote and read it */
  GHashTable *holders;
  GArray *pauses;           /* ArmillaForecastPause */
  GArray *works;            /* ArmillaForecastWork */
  GArray *labels;           /* gint64: realisation of each event */
  double *ends;             /* [event]: end, set by the simulation */
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
