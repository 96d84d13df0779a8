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

/* How tasks are bundled: functions through which those who submit call bundle.c. */
struct _ArmillaBundling {
  /* makes a tile that may not outlive the bundle */
  void (*tile) (ArmillaGraph *graph, gint64 n, ArmillaTile *tile);
  /* returns whether the open bundle can have the task */
  gboolean (*takes) (const ArmillaGraph *graph, const ArmillaTaskCall *call);
  /* adds a task that it takes */
  void (*add) (ArmillaGraph *graph, const ArmillaTaskCall *call, const ArmillaTaskAround *around);
  /* returns whether the open bundle can have the step */
  gboolean (*takes_step) (const ArmillaGraph *graph, const ArmillaStepCall *call);
  /* adds a step that it takes */
  void (*add_step) (ArmillaGraph *graph, const ArmillaStepCall *call, ArmillaHostJob *job);
  /* submits the tasks so far, if any: other accesses to their tiles may follow; returns whether
   * StarPU accepted them */
  gboolean (*close) (ArmillaGraph *graph, GError **error);
};

void armilla_bundles_free (ArmillaBundles *self);

void armilla_host_job_come (ArmillaHostJob *job, double *values, void (*done) (gpointer user),
                            gpointer user);
void armilla_host_job_drop (ArmillaHostJob *job);

G_END_DECLS
