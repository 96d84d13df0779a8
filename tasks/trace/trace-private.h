/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording what a run did. Tasks are recorded by the thread that ran them, in a list of its own;
 * what is rare goes into lists under a lock. Times are StarPU's: microseconds since it started. */
#pragma once

#include "tasks/graph/graph-private.h"
#include "tasks/trace/trace.h"

G_BEGIN_DECLS

/* One task or host step of this rank. Plain data, since ranks send them to each other. */
typedef struct {
  ArmillaTrace *trace;   /* its trace */
  void (*done) (void *); /* what is called when it is done */
  gpointer work;         /* for done */
  double submit;         /* when it was submitted */
  double ready;          /* when everything it needs was there: it was handed to the scheduler */
  double taken;          /* when a worker took it and began to fetch its data */
  double start;          /* when it began to run */
  double end;            /* when it ended */
  /* when a host step was done except for what its sink does after its last tile; 0: nothing */
  double finish;
  double finish_bytes;   /* of all tiles of that sink */
  double flops;          /* what its kernel says of its work */
  double bytes;          /* the same in bytes */
  gint64 serial;         /* number among all that was submitted; the same on every rank */
  gint32 label;          /* number of its label */
  gint32 name;           /* number of its codelet's name in the trace's names */
  gint32 place;          /* number of a worker; for host steps, of an I/O track */
  gint16 host;           /* whether it is a host step */
  gint16 late; /* whether it ended after the run had failed, most likely without doing anything */
} ArmillaTraceTask;

/* I/O tracks: as many host steps as are told apart at a time. */
#define ARMILLA_TRACE_TRACKS 64

/* A tile that comes from another rank, as the graph has it. */
typedef struct {
  double bytes;  /* size of the tile */
  double came;   /* when it was there, where reader is -1 */
  gint64 writer; /* serial of what wrote it, on rank from */
  gint64 reader; /* serial of what waits for it on this rank; -1: the submitting thread does */
  gint32 from;   /* rank that sends */
  gint32 padding;
} ArmillaTraceMessage;

/* A copy between two memory nodes of this rank. */
typedef struct {
  double start;        /* when it began */
  double end;          /* when it ended, or was handed to the device */
  double bytes;        /* size */
  gint32 from;         /* memory node */
  gint32 to;           /* memory node */
  gint32 asynchronous; /* whether end is when the device got it to do */
  gint32 padding;
} ArmillaTraceTransfer;

/* What the submitting thread was busy with. */
typedef struct {
  double start; /* begin */
  double end;   /* end */
  gint32 label; /* number of the label */
  gint32 padding;
} ArmillaTraceSpan;

/* A decision of rank 0. */
typedef struct {
  double at;        /* when */
  const char *name; /* what kind of decision, a static string */
  char *text;       /* (owned): what was decided, and why */
} ArmillaTraceNote;

typedef struct _ArmillaTraceSampler ArmillaTraceSampler;

struct _ArmillaTrace {
  double begin;            /* when recording began */
  ArmillaFault *fault;     /* of the graph */
  int rank;                /* this rank, as the graph sees it */
  double job_began;        /* what is submitted now */
  gint64 serial;           /* used by the submitting thread only, as those up to holders */
  GPtrArray *names;        /* of codelets and host steps; not owned */
  GHashTable *holders;     /* handle -> what its last writer was; only with several ranks */
  GArray *messages;        /* ArmillaTraceMessage */
  GArray *spans;           /* ArmillaTraceSpan */
  GPtrArray **done;        /* ArmillaTraceTask, a list a worker */
  int n_workers;
  GMutex lock;             /* guards all below */
  GArray *notes;           /* ArmillaTraceNote */
  GPtrArray *host;         /* ArmillaTraceTask of host steps, and of workers without a number */
  GArray *transfers;       /* ArmillaTraceTransfer */
  guint64 tracks;          /* I/O tracks in use, bit by bit */
  ArmillaTraceSampler *sampler;
  double offset[2];        /* this rank's clock less rank 0's, at the beginning and at the end */
  double offset_at[2];     /* when that was, by this rank's clock */
};

ArmillaTrace *armilla_trace_new (ArmillaGraph *graph);
ArmillaTrace *armilla_graph_get_trace (const ArmillaGraph *graph);
gboolean armilla_graph_is_traced (const ArmillaGraph *graph);
gpointer armilla_trace_step (ArmillaTrace *trace, const ArmillaGraph *graph, const char *name,
                             double bytes);
void armilla_trace_host_finish (double bytes);
void armilla_trace_step_event (gpointer step, ArmillaStepEvent event);

/* Transfers between memory nodes; see trace-transfers.c. */
void armilla_trace_transfers_begin (ArmillaTrace *trace);
void armilla_trace_transfers_end (void);
void armilla_trace_vector_register (starpu_data_handle_t *handle, uint32_t n);

/* Memory in use; see trace-memory.c. */
ArmillaTraceSampler *armilla_trace_sampler_new (void);
void armilla_trace_sampler_stop (ArmillaTraceSampler *sampler);
GVariant *armilla_trace_sampler_pack (ArmillaTraceSampler *sampler);
void armilla_trace_sampler_free (ArmillaTraceSampler *sampler);

/* What one rank recorded, as rank 0 sees it. */
typedef struct {
  const char *host;                      /* name of the host */
  const char **names;                    /* names of codelets and host steps */
  const char **workers;                  /* names of the workers */
  const char **kinds;                    /* kinds of the workers */
  const char **nodes;                    /* names of the memory nodes */
  const char **label_nodes, **label_stages; /* by number of the label, as are its realisations */
  const double *label_indices;
  const ArmillaTraceTask *tasks;         /* (array length=n_tasks): tasks and host steps */
  const ArmillaTraceMessage *messages;   /* (array length=n_messages): what came from other ranks */
  const ArmillaTraceTransfer *transfers; /* (array length=n_transfers): between memory nodes */
  const ArmillaTraceSpan *spans;         /* (array length=n_spans): of the submitting thread */
  const double *samples; /* (array length=n_samples): time, resident memory, then each node */
  const double *clock; /* offset at the beginning, when, offset at the end, when, begin, end */
  gsize n_tasks, n_messages, n_transfers, n_spans, n_samples, n_nodes, n_names;
  GVariant *variant;                     /* what owns all of this */
} ArmillaTraceRank;

void armilla_trace_note (ArmillaGraph *graph, const char *name, const char *text);
gboolean armilla_trace_clock (ArmillaGraph *graph, int which, GError **error);
ArmillaTraceRank *armilla_trace_gather (ArmillaGraph *graph, GError **error);
void armilla_trace_ranks_free (ArmillaTraceRank *ranks, int n);
gboolean armilla_trace_write (ArmillaGraph *graph, const ArmillaTraceRank *ranks,
                              const ArmillaTraceInfo *info, const char *path, GError **error);

G_END_DECLS
