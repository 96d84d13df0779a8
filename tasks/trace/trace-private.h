/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records what a run did. The thread that runs a task records it in a list of its own; rare events
 * are added to lists under a lock. Times are StarPU's: microseconds since it started. */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/trace/trace.h"

G_BEGIN_DECLS

/* A task or host step of this rank. Plain data, which ranks send to each other. */
typedef struct {
  ArmillaTrace *trace;
  void (*done) (void *); /* callback at its end */
  gpointer work;         /* argument of done */
  double submit;         /* time of submission */
  double ready;          /* time at which its dependencies were met and the scheduler received it */
  double taken;          /* time at which a worker took it and began to fetch its data */
  double start;          /* time at which it began to run */
  double end;            /* time at which it ended */
  /* for a host step that also does the final work of its sink: end of the work for its tile; 0: no
   * final work */
  double finish;
  double finish_bytes;   /* bytes of all tiles of that sink */
  double flops;          /* flops that its kernel reports */
  double bytes;          /* bytes that its kernel reports */
  gint64 serial;         /* number among all submitted tasks; the same on every rank */
  gint32 label;          /* number of its label */
  gint32 name;           /* index of its codelet's name in the trace's names */
  /* number of the worker; for a host step, number of the I/O thread's track in the trace */
  gint32 place;
  gint16 host;           /* whether it is a host step */
  gint16 late; /* whether it ended after the run had failed, most likely without doing anything */
} ArmillaTraceTask;

/* maximum number of concurrent host steps that get tracks of their own in the trace */
#define ARMILLA_TRACE_TRACKS 64

/* A tile received from another rank, as the graph knows it. */
typedef struct {
  double bytes;  /* size of the tile */
  double came;   /* time of arrival; valid only if reader is -1 */
  gint64 writer; /* serial of the task that wrote it on the sending rank */
  /* serial of the task of this rank that waits for it; -1: the submitting thread waits */
  gint64 reader;
  gint32 from;   /* sending rank */
  gint32 padding;
} ArmillaTraceMessage;

/* A copy between two memory nodes of this rank. */
typedef struct {
  double start;
  /* time at which it ended; if asynchronous, time at which the device received the command */
  double end;
  double bytes;        /* size */
  gint32 from;         /* memory node */
  gint32 to;           /* memory node */
  gint32 asynchronous; /* whether end is the time at which the device received the command */
  gint32 padding;
} ArmillaTraceTransfer;

/* An activity of the submitting thread. */
typedef struct {
  double start; /* begin */
  double end;   /* end */
  gint32 label; /* number of the label */
  gint32 padding;
} ArmillaTraceSpan;

/* A decision of rank 0. */
typedef struct {
  double at;        /* time of the decision */
  const char *name; /* kind of decision, a static string */
  char *text;       /* (owned): the decision and its reason */
} ArmillaTraceNote;

typedef struct _ArmillaTraceSampler ArmillaTraceSampler;

struct _ArmillaTrace {
  double begin;            /* time at which recording began */
  ArmillaFault *fault;     /* fault of the graph */
  int rank;                /* number of this rank in the graph */
  double job_began;        /* start of the current job's submission */
  /* serial of the next task; used by the submitting thread only, like the fields up to holders */
  gint64 serial;
  GPtrArray *names;        /* names of codelets and host steps; not owned */
  GHashTable *holders;     /* handle -> last task that wrote it; only with several ranks */
  GArray *messages;        /* ArmillaTraceMessage */
  GArray *spans;           /* ArmillaTraceSpan */
  GPtrArray **done;        /* [worker]: list of ArmillaTraceTask */
  int n_workers;
  GMutex lock;             /* guards the following fields */
  GArray *notes;           /* ArmillaTraceNote */
  GPtrArray *host;         /* ArmillaTraceTask of host steps, and of workers without a number */
  GArray *transfers;       /* ArmillaTraceTransfer */
  guint64 tracks;          /* bit mask of I/O tracks in use */
  ArmillaTraceSampler *sampler;
  double offset[2];        /* this rank's clock minus rank 0's, at the beginning and at the end */
  double offset_at[2];     /* times of these comparisons by this rank's clock */
};

ArmillaTrace *armilla_trace_new (ArmillaGraph *graph);
ArmillaTrace *armilla_graph_get_trace (const ArmillaGraph *graph);
gboolean armilla_graph_is_traced (const ArmillaGraph *graph);
gpointer armilla_trace_step (ArmillaTrace *trace, const ArmillaGraph *graph, const char *name,
                             double bytes);
void armilla_trace_host_finish (double bytes);
void armilla_trace_step_event (gpointer step, ArmillaStepEvent event);

/* Records transfers between memory nodes; see trace-transfers.c. */
void armilla_trace_transfers_begin (ArmillaTrace *trace);
void armilla_trace_transfers_end (void);
void armilla_trace_vector_register (starpu_data_handle_t *handle, uint32_t n);

/* Samples the memory in use; see trace-memory.c. */
ArmillaTraceSampler *armilla_trace_sampler_new (void);
void armilla_trace_sampler_stop (ArmillaTraceSampler *sampler);
GVariant *armilla_trace_sampler_pack (ArmillaTraceSampler *sampler);
void armilla_trace_sampler_free (ArmillaTraceSampler *sampler);

/* Records of one rank on rank 0. */
typedef struct {
  const char *host;
  const char **names;
  const char **workers;
  const char **kinds;
  const char **nodes;
  const char **label_nodes, **label_stages; /* names of nodes and stages, indexed by label */
  const double *label_indices;
  const ArmillaTraceTask *tasks;         /* (array length=n_tasks): tasks and host steps */
  const ArmillaTraceMessage *messages;   /* (array length=n_messages): received from other ranks */
  const ArmillaTraceTransfer *transfers; /* (array length=n_transfers): between memory nodes */
  const ArmillaTraceSpan *spans; /* (array length=n_spans): activities of the submitting thread */
  /* (array length=n_samples): time, resident memory, and use of each memory node */
  const double *samples;
  /* offset of the clock and time of its measurement at the beginning, the same at the end; begin
   * and end of recording */
  const double *clock;
  gsize n_tasks, n_messages, n_transfers, n_spans, n_samples, n_nodes, n_names;
  GVariant *variant;                     /* owner of all the data */
} ArmillaTraceRank;

void armilla_trace_note (ArmillaGraph *graph, const char *name, const char *text);
gboolean armilla_trace_clock (ArmillaGraph *graph, int which, GError **error);
ArmillaTraceRank *armilla_trace_gather (ArmillaGraph *graph, GError **error);
void armilla_trace_ranks_free (ArmillaTraceRank *ranks, int n);
gboolean armilla_trace_write (ArmillaGraph *graph, const ArmillaTraceRank *ranks,
                              const ArmillaTraceInfo *info, const char *path, GError **error);

G_END_DECLS
