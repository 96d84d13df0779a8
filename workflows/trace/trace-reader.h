/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A task or a host step. */
typedef struct {
  const char *node;    /* node that requested it */
  const char *stage;
  const char *name;    /* name of the codelet or host step */
  const char *kind;    /* kind of the worker (CPU, CUDA, other), or "host" */
  int rank;            /* rank */
  int worker;          /* -1 for host steps */
  double start;        /* begin, seconds from the beginning of the run */
  double duration;     /* seconds */
  double submit;       /* time of submission; 0: unknown */
  double ready;        /* time at which its dependencies were met */
  double taken;        /* time at which the worker began to fetch its data */
  double flops;
  double bytes;
  /* for the last step of a sink: part of the duration after the work for its tile, s */
  double finish;
  double finish_bytes; /* bytes of all tiles of that sink */
} ArmillaTraceEvent;

/* A transfer. */
typedef struct {
  gboolean message;      /* whether it was a message between ranks */
  gboolean asynchronous; /* whether duration is only the time to start the transfer */
  int rank;              /* rank that recorded it */
  const char *from;      /* memory node or rank */
  const char *to;        /* memory node or rank */
  double bytes;          /* size */
  double start;          /* begin, seconds from the beginning of the run */
  double duration;       /* seconds */
} ArmillaTraceCopy;

typedef struct {
  int rank;         /* rank to which it belongs */
  int number;       /* index within the rank */
  const char *name; /* name */
  const char *kind; /* kind */
} ArmillaTraceWorker;

/* Contents of a trace of armilla run --trace. */
typedef struct {
  const char *program;
  const char *workflow; /* path of the workflow */
  const char *failure;  /* why the run failed; NULL if it succeeded */
  double seconds;       /* duration of the run, s */
  double start;         /* s from the start of the program to that of the trace; 0: unknown */
  /* peak operations and bytes per second: [0] core, [1] GPU; 0: unknown */
  struct {
    double flops, bytes;
  } peak[2];
  double cores;          /* cores of the machine; 0: unknown */
  double memory;         /* bytes of memory of the machine; 0: unknown */
  double gpu_memory;     /* bytes of memory of a GPU; 0: unknown */
  double device;         /* bytes per second of transfers between host and GPU; 0: unknown */
  int n_ranks;
  GArray *workers;       /* (element-type ArmillaTraceWorker): workers of all ranks */
  /* (element-type ArmillaTraceEvent): tasks and host steps, in the order of their begin */
  GArray *events;
  GArray *copies;        /* (element-type ArmillaTraceCopy): transfers */
  GStringChunk *strings; /* owner of all texts */
} ArmillaTraceFile;

ArmillaTraceFile *armilla_trace_file_read (const char *path, GError **error);
ArmillaTraceFile *armilla_trace_file_parse (const char *text, gsize length, GError **error);
void armilla_trace_file_free (ArmillaTraceFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTraceFile, armilla_trace_file_free)

/* In trace-table.c: */
char *armilla_trace_table (const ArmillaTraceFile *file);

/* Groups of tasks; in trace-groups.c. */
/* Tasks of one node, kind of worker and name. */
typedef struct {
  const char *node;
  const char *stage;
  const char *name;  /* name of the codelet; NULL: all tasks of the node */
  const char *kind;  /* kind of the workers, or "host" */
  gint64 n;
  double seconds;    /* total seconds */
  double flops;
  double bytes;
} ArmillaTraceGroup;

GArray *armilla_trace_groups (const ArmillaTraceFile *file, gboolean by_name);

/* Overlap of transfers; in trace-overlap.c. */
/* Kinds of data that arrive at a rank while it computes. */
typedef enum {
  ARMILLA_TRACE_MESSAGES, /* tiles from other ranks */
  /* tables of compressed Legendre matrices, from the file to memory that a GPU can read, checksums
   * included */
  ARMILLA_TRACE_TABLES
} ArmillaTraceTraffic;

/* Overlap of transfers with tasks. */
typedef struct {
  double under_way; /* seconds in which a transfer to a rank was in progress, summed over ranks */
  double exposed;   /* part of them in which no worker of that rank ran a task */
} ArmillaTraceOverlap;

ArmillaTraceOverlap armilla_trace_overlap (const ArmillaTraceFile *file,
                                           ArmillaTraceTraffic traffic);

/* Activity of workers; in trace-idle.c. */
/* What a worker did during the run. The six times add up to the duration of the run. */
typedef struct {
  gint64 n_tasks; /* number of tasks that it ran */
  double busy;    /* seconds in tasks */
  double data; /* seconds between taking a task and its start: data transfer, memory allocation */
  /* seconds without a task or a transfer although a task was ready that a worker of its kind took
   * later */
  double scheduling;
  /* seconds in which all ready tasks were kept for faster workers of another kind */
  double unworthy;
  /* seconds in which no task was ready on its rank because the next one was not submitted */
  double behind;
  /* other seconds in which no task was ready on its rank: all waited for other tasks, or none was
   * left */
  double nothing;
} ArmillaTraceUse;

ArmillaTraceUse *armilla_trace_uses (const ArmillaTraceFile *file);

G_END_DECLS
