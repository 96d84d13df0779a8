/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

#define ARMILLA_JOB_INPUTS 8

typedef struct _ArmillaJob ArmillaJob;

/* Kind of jobs that are faster if they are executed for several realisations together: transforms,
 * which share the recurrence. */
typedef struct {
  /* returns whether two jobs of the kind, of different realisations, can be executed together */
  gboolean (*alike) (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b);
  /* submits the tasks of one job, or of several that @alike accepts */
  gboolean (*run) (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error);
} ArmillaJobKind;

/* A request of a stage, executed by armilla_graph_flush() in the order of requests. */
struct _ArmillaJob {
  ArmillaLabel *label; /* label of the node that requested the job; set by armilla_graph_defer() */
  /* submits the tasks; may be NULL */
  gboolean (*run) (ArmillaGraph *graph, ArmillaJob *job, GError **error);
  const ArmillaJobKind *kind;          /* executes a job whose run is NULL; may be NULL */
  ArmillaData *in[ARMILLA_JOB_INPUTS]; /* data that the tasks read; may be NULL */
  ArmillaData *out;                    /* data that the tasks write; may be NULL */
  /* plain values, copied, of a struct that the module of the job declares; may be NULL */
  const void *args;
  gsize args_size;                     /* size of args */
  /* identifies the struct of args for code that inspects pending jobs; may be NULL */
  const void *args_type;
  /* estimated number of operations of the tasks; 0: estimated from the size of the data */
  double work;
  int times;                           /* known number of repetitions of the same work; 0: one */
  gpointer user;                       /* pointers and owned data of the job; may be NULL */
  GDestroyNotify destroy;              /* frees user; may be NULL */
};

/* User data of a job that calls a function of its caller. */
typedef struct {
  int n;                  /* number of inputs */
  GCallback function;     /* function of the type that the job's run function calls */
  gpointer user;          /* argument of function */
  GDestroyNotify destroy; /* frees user; may be NULL */
} ArmillaCall;

void armilla_graph_defer (ArmillaGraph *graph, const ArmillaJob *job);
gboolean armilla_graph_defer_call (ArmillaGraph *graph, const ArmillaJob *job,
                                   ArmillaData *const *in, const ArmillaCall *call,
                                   const char *cannot, GError **error);
gpointer armilla_job_steal_user (ArmillaJob *job);
void armilla_call_free (gpointer call);
void armilla_job_done_with (ArmillaJob *job, int input);
void armilla_graph_drop_jobs (ArmillaGraph *graph);
GError *armilla_graph_wait_for_tasks (ArmillaGraph *graph, gboolean messages);

G_END_DECLS
