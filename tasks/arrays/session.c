/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the runtime at the first transform of an array, and puts it to sleep afterwards. */
#include "config.h"

#include <unistd.h>

#include "codelets/common/devices.h"
#include "tasks/arrays/plan.h"
#include "tasks/arrays/ranks-start.h"
#include "tasks/graph/graph-private.h"
#include "tasks/runtime/share.h"

/* Takes @error (may be NULL); returns its status for arrays.h and, unless @failure is NULL, its
 * text. */
ArmillaStatus
armilla_failure_set (ArmillaFailure *failure, GError *error)
{
  ArmillaStatus status = ARMILLA_STATUS_ARGUMENT;

  if (!error)
    return ARMILLA_STATUS_OK;
  if (failure)
    g_utf8_strncpy (failure->text, error->message, sizeof failure->text / 4 - 1);
  switch (error->domain == ARMILLA_ERROR ? error->code : ARMILLA_ERROR_IO)
    {
    case ARMILLA_ERROR_MEMORY:
      status = ARMILLA_STATUS_MEMORY;
      break;
    case ARMILLA_ERROR_CONVERGENCE:
      status = ARMILLA_STATUS_NUMERIC;
      break;
    case ARMILLA_ERROR_CANCELLED:
      status = ARMILLA_STATUS_CANCELLED;
      break;
    case ARMILLA_ERROR_IO:
    case ARMILLA_ERROR_NO_WORKER:
    case ARMILLA_ERROR_CUDA:
    case ARMILLA_ERROR_MPI:
      status = ARMILLA_STATUS_SESSION;
      break;
    default:
      break;
    }
  g_error_free (error);
  return status;
}

ArmillaSession *
armilla_session_new (const ArmillaSessionOptions *options)
{
  ArmillaSession *session = g_new0 (ArmillaSession, 1);

  session->refs = 1;
  g_mutex_init (&session->lock);
  g_mutex_init (&session->guard);
  if (options)
    session->options = *options;
#ifdef HAVE_MPI
  if (session->options.communicator)
    session->options.communicator = session->communicator
      = g_memdup2 (session->options.communicator, sizeof (MPI_Comm));
#endif
  return session;
}

ArmillaSession *
armilla_session_ref (ArmillaSession *session)
{
  g_atomic_int_inc (&session->refs);
  return session;
}

/* Returns whether this process started the workers; a fork copies its memory, not its threads. */
static gboolean
is_ours (const ArmillaSession *session)
{
  return !session->runtime || session->process == getpid ();
}

static int
number_of_cores (const ArmillaSession *session)
{
  const char *threads = g_getenv ("OMP_NUM_THREADS");
  guint64 n = 0;

  if (session->options.cores > 0)
    return session->options.cores;
  if (!threads || g_getenv ("STARPU_NCPU"))
    return 0;
  g_ascii_string_to_unsigned (threads, 10, 1, G_MAXINT32, &n, NULL);
  return (int) n;
}

/* Returns FALSE with the reason if the session cannot start on this rank. */
static gboolean
can_start (const ArmillaSession *session, GError **error)
{
  if (session->options.cores < 0 || session->options.memory < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "cores and memory must not be negative");
  if (starpu_is_initialized ())
    return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                         "another session owns the workers: one of this process, which must be "
                         "stopped first, or one of the process from which this one was forked");
  return TRUE;
}

static gboolean
start (ArmillaSession *session, GError **error)
{
  const ArmillaRuntimeOptions options = { .memory = session->options.memory,
                                          .cores = number_of_cores (session),
                                          .without_gpus = session->options.without_gpus != 0,
                                          .communicator = session->options.communicator,
                                          .alone = TRUE };
  ArmillaRuntime *runtime;
  GError *local = NULL;

  can_start (session, &local);
  if (!armilla_ranks_agree_to_start (options.communicator, g_steal_pointer (&local), error))
    return FALSE;
  runtime = armilla_runtime_start_with (&options, error);
  if (runtime && runtime->bound)
    armilla_bound_settle (runtime->bound, &local);
  if (runtime && !armilla_runtime_agree (runtime, local, error))
    g_clear_pointer (&runtime, armilla_runtime_stop);
  g_mutex_lock (&session->guard);
  session->runtime = runtime;
  session->process = getpid ();
  g_mutex_unlock (&session->guard);
  return runtime != NULL;
}

/* Locks the session. GPU workers wake, since not every request is a task; CPU workers sleep until a
 * thread waits for tasks. Returns FALSE, without the lock, in a fork of the process that started
 * the workers, where a wait would never end. */
gboolean
armilla_session_hold (ArmillaSession *session)
{
  if (!is_ours (session))
    return FALSE;
  g_mutex_lock (&session->lock);
  session->gpu = session->options.without_gpus ? -1 : armilla_cuda_current ();
  if (session->runtime && session->runtime->gpus)
    armilla_runtime_wake (session->runtime);
  return TRUE;
}

/* Unlocks a held session and puts its workers to sleep. Restores the current GPU of this thread,
 * which StarPU has changed and the caller relies on. */
void
armilla_session_leave (ArmillaSession *session)
{
  if (session->runtime)
    armilla_runtime_pause (session->runtime);
  armilla_cuda_make_current (session->gpu);
  /* A cancellation that arrives at the end of a call must not cancel the next one. */
  g_mutex_lock (&session->guard);
  if (session->runtime)
    armilla_runtime_uncancel (session->runtime);
  g_mutex_unlock (&session->lock);
  g_mutex_unlock (&session->guard);
}

/* Fails if another process started the workers, instead of waiting for a lock that is never
 * released. */
gboolean
armilla_session_check_caller (ArmillaSession *session, GError **error)
{
  if (is_ours (session))
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NO_WORKER,
                       "the session's workers are those of process "
                       "%" G_GINT64_FORMAT ", from which "
                       "this one was forked; stop the session before the fork, or start new "
                       "processes without one (\"spawn\")", session->process);
}

/* Like armilla_session_hold (), but fails without workers; the caller must call
 * armilla_session_leave (). */
gboolean
armilla_session_enter (ArmillaSession *session, GError **error)
{
  if (!armilla_session_check_caller (session, error) || !armilla_session_hold (session))
    return FALSE;
  if (session->runtime || start (session, error))
    return TRUE;
  armilla_session_leave (session);
  return FALSE;
}

ArmillaStatus
armilla_session_start (ArmillaSession *session, ArmillaFailure *failure)
{
  GError *error = NULL;

  if (armilla_session_enter (session, &error))
    armilla_session_leave (session);
  return armilla_failure_set (failure, error);
}

void
armilla_session_stop (ArmillaSession *session)
{
  ArmillaRuntime *runtime;

  if (!armilla_session_hold (session))
    return;
  if (session->runtime)
    {
      for (GList *link = session->plans; link; link = link->next)
        armilla_plan_forget_graphs (link->data);
      g_mutex_lock (&session->guard);
      runtime = g_steal_pointer (&session->runtime);
      g_mutex_unlock (&session->guard);
      armilla_runtime_stop (runtime);
    }
  armilla_session_leave (session);
}

int
armilla_session_cancel (ArmillaSession *session)
{
  int done;

  if (!is_ours (session))
    return 0;
  g_mutex_lock (&session->guard);
  if (g_mutex_trylock (&session->lock))
    {
      g_mutex_unlock (&session->lock); /* no computation is running */
      done = FALSE;
    }
  else
    done = session->runtime && armilla_runtime_cancel (session->runtime, "the caller");
  g_mutex_unlock (&session->guard);
  return done;
}

int
armilla_session_cores (ArmillaSession *session)
{
  int cores;

  if (!is_ours (session))
    return 0;
  g_mutex_lock (&session->guard);
  cores = session->runtime ? session->runtime->cpu_workers : 0;
  g_mutex_unlock (&session->guard);
  return cores;
}

int
armilla_session_gpus (ArmillaSession *session)
{
  int gpus;

  if (!is_ours (session))
    return 0;
  g_mutex_lock (&session->guard);
  gpus = session->runtime ? (int) starpu_cuda_worker_get_count () : 0;
  g_mutex_unlock (&session->guard);
  return gpus;
}

int
armilla_session_note (ArmillaSession *session, ArmillaFailure *note)
{
  const char *text;

  if (!is_ours (session))
    return 0;
  g_mutex_lock (&session->guard);
  text = session->runtime ? session->runtime->note : NULL;
  if (text && note)
    g_utf8_strncpy (note->text, text, sizeof note->text / 4 - 1);
  g_mutex_unlock (&session->guard);
  return text != NULL;
}

void
armilla_session_free (ArmillaSession *session)
{
  if (!session || !g_atomic_int_dec_and_test (&session->refs))
    return;
  armilla_session_stop (session);
  if (!is_ours (session))
    return; /* its locks may be held: its memory is freed with the process */
  g_free (session->communicator);
  g_mutex_clear (&session->lock);
  g_mutex_clear (&session->guard);
  g_free (session);
}
