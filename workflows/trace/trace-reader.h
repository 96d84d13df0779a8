/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A task or a host step. */
typedef struct {
  const char *node;    /* name of the node that asked for it */
  const char *stage;   /* name of its stage */
  const char *name;    /* name of the codelet, or of the host step */
  const char *kind;    /* kind of the worker (CPU, CUDA, other), or "host" */
  int rank;            /* rank */
  int worker;          /* number of the worker; -1 for host steps */
  double start;        /* begin, seconds from the beginning of the run */
  double duration;     /* seconds */
  double submit;       /* when it was submitted; 0: unknown */
  double ready;        /* when all it needed was there */
  double taken;        /* when the worker began to fetch its data */
  double flops;        /* its operations */
  double bytes;        /* its bytes */
  double finish;       /* of duration what a sink did after its last tile */
  double finish_bytes; /* bytes of all its tiles */
} ArmillaTraceEvent;

/* A transfer. */
typedef struct {
  gboolean message;      /* whether it went between ranks */
  gboolean asynchronous; /* whether duration is only how long it took to begin */
  int rank;              /* rank that recorded it */
  const char *from;      /* memory node or rank */
  const char *to;        /* memory node or rank */
  double bytes;          /* size */
  double start;          /* begin, seconds from the beginning of the run */
  double duration;       /* seconds */
} ArmillaTraceCopy;

typedef struct {
  int rank;         /* rank */
  int number;       /* number within the rank */
  const char *name; /* name */
  const char *kind; /* kind */
} ArmillaTraceWorker;

/* What armilla run --trace wrote. */
typedef struct {
  const char *program;  /* name and version of the program that wrote it */
  const char *workflow; /* path of the workflow */
  const char *failure;  /* why the run failed; may be NULL */
  double seconds;       /* length of the run */
  double start;         /* from the start of the program to that of the trace, s; 0: not known */
  /* operations and bytes a second that a core and a GPU reach: [0] core, [1] GPU; 0: not known */
  struct {
    double flops, bytes;
  } peak[2];
  double cores;          /* of the machine; 0: not known */
  double memory;         /* its bytes; 0: not known */
  double gpu_memory;     /* bytes of a GPU; 0: not known */
  double device;         /* bytes a second between the memories of host and GPU; 0: not known */
  int n_ranks;           /* number of ranks */
  GArray *workers;       /* (element-type ArmillaTraceWorker): workers of all ranks */
  /* (element-type ArmillaTraceEvent): tasks and host steps, in the order of their begin */
  GArray *events;
  GArray *copies;        /* (element-type ArmillaTraceCopy): transfers */
  GStringChunk *strings; /* all texts */
} ArmillaTraceFile;

ArmillaTraceFile *armilla_trace_file_read (const char *path, GError **error);
ArmillaTraceFile *armilla_trace_file_parse (const char *text, gsize length, GError **error);
void armilla_trace_file_free (ArmillaTraceFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaTraceFile, armilla_trace_file_free)

/* trace-table.c */
char *armilla_trace_table (const ArmillaTraceFile *file);

/* trace-groups.c */
/* Tasks of one name that one node asked for, by kind of worker. */
typedef struct {
  const char *node;  /* name of a node */
  const char *stage; /* name of its stage */
  const char *name;  /* name of a codelet; NULL: all tasks of the node */
  const char *kind;  /* kind of the workers, or "host" */
  gint64 n;          /* number of tasks or steps */
  double seconds;    /* what they took together */
  double flops;      /* their operations */
  double bytes;      /* their bytes */
} ArmillaTraceGroup;

GArray *armilla_trace_groups (const ArmillaTraceFile *file, gboolean by_name);

/* trace-overlap.c */
/* What comes while a rank computes. */
typedef enum {
  ARMILLA_TRACE_MESSAGES, /* tiles of other ranks, on their way to a rank */
  /* tables of compressed Legendre matrices, on their way from their file into memory from which
   * a GPU reads them, checksums included */
  ARMILLA_TRACE_TABLES
} ArmillaTraceTraffic;

/* How far traffic hides behind tasks. */
typedef struct {
  double under_way; /* seconds in which something was on its way to a rank, summed over ranks */
  double exposed;   /* those of them in which no worker of that rank computed */
} ArmillaTraceOverlap;

ArmillaTraceOverlap armilla_trace_overlap (const ArmillaTraceFile *file,
                                           ArmillaTraceTraffic traffic);

/* trace-idle.c */
/* What a worker did during the run: the six add up to its length. */
typedef struct {
  gint64 n_tasks; /* tasks it ran */
  double busy;    /* seconds in tasks */
  double data; /* seconds between taking a task and its begin: data came, or memory was allocated */
  /* seconds in which it did neither, while a task was ready that its kind took later */
  double scheduling;
  /* seconds in which tasks were ready, but only such that workers of another kind took: it would
   * have taken longer */
  double unworthy;
  /* seconds in which no task was ready on its rank, since the next one was not submitted */
  double behind;
  /* other seconds in which no task was ready on its rank: all submitted tasks waited for others, or
   * none was left */
  double nothing;
} ArmillaTraceUse;

ArmillaTraceUse *armilla_trace_uses (const ArmillaTraceFile *file);

G_END_DECLS
