/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bundle of tasks that one worker runs in the order of their submission. */
#pragma once

#include "tasks/graph/bundle.h"

G_BEGIN_DECLS

/* A tile that the tasks of a bundle access. */
typedef struct {
  starpu_data_handle_t handle;
  /* access of the whole bundle to a tile that StarPU allocates; STARPU_NONE: the tile exists only
   * while the bundle runs */
  enum starpu_data_access_mode mode;
  struct starpu_vector_interface vector; /* of a tile that exists only while the bundle runs */
  gsize offset; /* position of that tile in the arena */
} ArmillaBundlePlace;

/* A task or a step on the host. */
typedef struct {
  starpu_cpu_func_t kernel; /* NULL: a step */
  gsize args;               /* position of the packed arguments */
  guint first_use;          /* index of the place of the first buffer */
  int n_uses;
  ArmillaTaskAround around;
  ArmillaHostJob *job; /* step */
  gsize n_values;      /* number of doubles of all tiles of the step */
} ArmillaBundleCall;

typedef struct _ArmillaBundleRuns ArmillaBundleRuns;

typedef struct {
  ArmillaBundleRuns *runs; /* owner */
  GArray *calls;       /* ArmillaBundleCall */
  GArray *places;      /* ArmillaBundlePlace */
  GArray *uses;        /* guint, indices of places */
  GByteArray *args;
  gsize arena; /* bytes */
  gint pending; /* atomic: steps that are not done, and one while the tasks are not */
  ArmillaCost cost;
} ArmillaBundle;

ArmillaBundleRuns *armilla_bundle_runs_new (ArmillaGraph *graph);
void armilla_bundle_runs_wait (ArmillaBundleRuns *self, int limit);
void armilla_bundle_runs_free (ArmillaBundleRuns *self);
ArmillaBundle *armilla_bundle_open (ArmillaBundleRuns *self);
void armilla_bundle_done (gpointer bundle);
gboolean armilla_bundle_submit (ArmillaBundle *self);

G_END_DECLS
