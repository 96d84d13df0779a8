/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bundle of tasks that one worker runs in the order of their submission. */
#pragma once

#include "tasks/graph/bundle.h"

G_BEGIN_DECLS

/* A tile that the tasks of a bundle access. */
typedef struct {
  starpu_data_handle_t handle;
  /* access of the bundle to a tile that StarPU allocates; STARPU_NONE: a temporary tile, which
   * exists in the arena while the bundle runs */
  enum starpu_data_access_mode mode;
  struct starpu_vector_interface vector; /* size and address of a temporary tile */
  gsize offset; /* position of a temporary tile in the arena */
} ArmillaBundlePlace;

/* A task, or a step on the host. */
typedef struct {
  starpu_cpu_func_t kernel; /* kernel of the task; NULL for a host step */
  gsize args;               /* position of the task's packed arguments in args of the bundle */
  guint first_use;          /* position in uses of the bundle: index of the place of each buffer */
  int n_uses;
  ArmillaTaskAround around;
  ArmillaHostJob *job; /* the host step; NULL for a task */
  gsize n_values;      /* number of doubles of all tiles of the host step */
} ArmillaBundleCall;

typedef struct _ArmillaBundleRuns ArmillaBundleRuns;

typedef struct {
  ArmillaBundleRuns *runs; /* owner */
  GArray *calls;       /* ArmillaBundleCall */
  GArray *places;      /* ArmillaBundlePlace */
  GArray *uses;        /* guint: indices of places */
  GByteArray *args;
  gsize arena; /* bytes of the temporary tiles */
  gint pending; /* atomic: host steps that have not ended, plus one until the tasks have run */
  ArmillaCost cost;
} ArmillaBundle;

ArmillaBundleRuns *armilla_bundle_runs_new (ArmillaGraph *graph);
void armilla_bundle_runs_wait (ArmillaBundleRuns *self, int limit);
void armilla_bundle_runs_free (ArmillaBundleRuns *self);
ArmillaBundle *armilla_bundle_open (ArmillaBundleRuns *self);
void armilla_bundle_done (gpointer bundle);
gboolean armilla_bundle_submit (ArmillaBundle *self);

G_END_DECLS
