/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* A step on the host; see host-step.c. */
typedef struct _ArmillaHostJob ArmillaHostJob;

/* Functions that a worker calls before and after the kernel of a recorded task. */
typedef struct {
  void (*begins) (void *); /* NULL: none */
  ArmillaEpoch *epoch;     /* argument of begins */
  ArmillaTaskEnd end;
} ArmillaTaskAround;

/* Functions by which the submission of tasks and steps calls bundle.c, on which it must not
 * depend. */
struct _ArmillaBundling {
  /* creates a tile, which is temporary unless it is used after the bundle */
  void (*tile) (ArmillaGraph *graph, gint64 n, ArmillaTile *tile);
  /* returns whether the open bundle can record the task */
  gboolean (*takes) (const ArmillaGraph *graph, const ArmillaTaskCall *call);
  /* records a task for which takes is TRUE */
  void (*add) (ArmillaGraph *graph, const ArmillaTaskCall *call, const ArmillaTaskAround *around);
  /* returns whether the open bundle can record the host step */
  gboolean (*takes_step) (const ArmillaGraph *graph, const ArmillaStepCall *call);
  /* records a host step for which takes_step is TRUE */
  void (*add_step) (ArmillaGraph *graph, const ArmillaStepCall *call, ArmillaHostJob *job);
  /* submits the open bundle, if any, so that other tasks can access its tiles; returns whether
   * StarPU accepted it */
  gboolean (*close) (ArmillaGraph *graph, GError **error);
};

void armilla_bundles_free (ArmillaBundles *self);

void armilla_host_job_come (ArmillaHostJob *job, double *values, void (*done) (gpointer user),
                            gpointer user);
void armilla_host_job_drop (ArmillaHostJob *job);

G_END_DECLS
