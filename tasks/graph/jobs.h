/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

#define ARMILLA_JOB_INPUTS 8

typedef struct _ArmillaJob ArmillaJob;

/* Jobs that are expensive individually, and whose work depends on shapes that many skies share. */
typedef struct {
  /* whether two jobs of the kind, of different skies, can be executed together in a graph */
  gboolean (*alike) (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b);
  /* submits the tasks of one job or of several that are alike */
  gboolean (*run) (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error);
} ArmillaJobKind;

/* One thing that a stage asked for. */
struct _ArmillaJob {
  ArmillaLabel *label; /* who asked for it; armilla_graph_defer() sets it */
  /* submits the tasks; may be NULL */
  gboolean (*run) (ArmillaGraph *graph, ArmillaJob *job, GError **error);
  const ArmillaJobKind *kind;          /* of a job that has no run: what does; may be NULL */
  ArmillaData *in[ARMILLA_JOB_INPUTS]; /* what they read; may be NULL */
  ArmillaData *out;                    /* what they write; may be NULL */
  /* plain values, of a type that the room of the job declares; copied; may be NULL */
  const void *args;
  gsize args_size;                     /* size of args */
  /* tells the type of args to code that looks through the jobs to come; may be NULL */
  const void *args_type;
  /* about how many operations the tasks take; 0: so many as data of such a size usually take */
  double work;
  int times;                           /* how often it does the same, as far as is known; 0: once */
  gpointer user;                       /* what is not plain; may be NULL */
  GDestroyNotify destroy;              /* frees user; may be NULL */
};

/* User data of a job that calls a function of its caller. */
typedef struct {
  int n;                  /* number of inputs */
  GCallback function;     /* of the type that the run function of the job expects */
  gpointer user;          /* for function */
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

G_END_DECLS
