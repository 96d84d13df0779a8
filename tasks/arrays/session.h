/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/arrays.h>
#include <armilla/runtime.h>

G_BEGIN_DECLS

struct ArmillaSession {
  gint refs;                     /* references of the caller and of plans */
  GMutex lock;                   /* held during a computation */
  /* held while runtime is started, stopped or cancelled, never for long */
  GMutex guard;
  int gpu; /* GPU that was current in the thread that holds the lock, before it took the lock */
  ArmillaSessionOptions options; /* options of the caller */
  gpointer communicator;         /* (owned): the MPI_Comm that the options point to; may be NULL */
  gint64 process;                /* process that started runtime */
  ArmillaRuntime *runtime;       /* NULL until first needed */
  GList *plans; /* (element-type ArmillaPlan): plans of the session, the most recently used first */
};

gboolean armilla_session_hold (ArmillaSession *session);
gboolean armilla_session_check_caller (ArmillaSession *session, GError **error);
void armilla_session_leave (ArmillaSession *session);
gboolean armilla_session_enter (ArmillaSession *session, GError **error);
ArmillaSession *armilla_session_ref (ArmillaSession *session);
ArmillaStatus armilla_failure_set (ArmillaFailure *failure, GError *error);

G_END_DECLS
