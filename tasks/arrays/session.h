/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/arrays.h>
#include <armilla/runtime.h>

G_BEGIN_DECLS

/**
 * ArmillaSession:
 * @refs: the caller's hold, and those of plans
 * @lock: held during a computation
 * @guard: held while @runtime is started or stopped, and while it is cancelled; never for long
 * @options: what the caller gave
 * @communicator: (owned) (nullable): the MPI_Comm that @options point to
 * @gpu: the GPU that CUDA calls of the thread that holds it concerned before
 * @process: process that started @runtime
 * @runtime: (nullable): %NULL until it is needed
 * @plans: (element-type ArmillaPlan): its plans, the one used last first
 */
struct ArmillaSession {
  gint refs;
  GMutex lock, guard;
  int gpu;
  ArmillaSessionOptions options;
  gpointer communicator;
  gint64 process;
  ArmillaRuntime *runtime;
  GList *plans;
};

gboolean armilla_session_hold (ArmillaSession *session);
gboolean armilla_session_check_caller (ArmillaSession *session, GError **error);
void armilla_session_let_go (ArmillaSession *session);
gboolean armilla_session_enter (ArmillaSession *session, GError **error);
ArmillaSession *armilla_session_ref (ArmillaSession *session);
ArmillaStatus armilla_failure_set (ArmillaFailure *failure, GError *error);

G_END_DECLS
