/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Returns bytes rounded up to a cache line, the alignment that kernels expect. */
static inline gsize
armilla_align (gsize bytes)
{
  return (bytes + 63) & ~(gsize) 63;
}

/* Flag of a write access in a graph that runs in the submitting thread: tasks with this flag write
 * to disjoint parts of the tile, so that they may run at the same time. */
#define ARMILLA_IN_THREAD_APART STARPU_COMMUTE

/* Returns the bytes of a vector, rounded up so that the next vector is aligned. */
static inline gsize
armilla_vector_bytes (const struct starpu_vector_interface *vector)
{
  return armilla_align (vector->nx * vector->elemsize);
}

gboolean armilla_graph_stays_on_host (const ArmillaGraph *graph);
int armilla_in_thread_choose (const ArmillaRuntime *runtime, double seconds);
void armilla_graph_run_in_thread (ArmillaGraph *graph, int n_members);
gboolean armilla_in_thread_task (ArmillaInThread *self, const ArmillaTaskCall *call,
                                 GError **error);
gboolean armilla_in_thread_step (ArmillaInThread *self, const ArmillaStepCall *call,
                                 ArmillaHostStep step, gpointer user, GError **error);
void armilla_in_thread_finish (ArmillaInThread *self);
int armilla_in_thread_members (const ArmillaInThread *self);
void armilla_in_thread_free (ArmillaInThread *self);

G_END_DECLS
