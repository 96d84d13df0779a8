/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM end a run in order: tasks become no-ops, incomplete files are removed. If the
 * run has not ended some seconds later, the process is ended: the signal thread takes no lock that
 * other threads may hold for long. */
#include "config.h"

#include "tasks/runtime/runtime.h"
#include "workflows/program/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds from the first signal to the end of the process */
#define STEP 20     /* interval in ms of the attempts to take a held lock */

/* global, since signals are */
static struct {
  pthread_t thread;
  gboolean runs;
  gint end; /* atomic: the thread must end */
} waiting;

/* Returns the name of the signal. Launchers forward Ctrl-C as SIGTERM, so ranks cannot tell them
 * apart. */
const char *
armilla_signals_name (int signal_number)
{
  if (signal_number == SIGINT)
    return "SIGINT (Ctrl-C)";
  if (armilla_runtime_launcher () != NULL)
    return "an interrupt of its launcher (Ctrl-C or SIGTERM)";
  return "SIGTERM";
}

/* Prints that the program did not end in time. */
static void
say_why (ArmillaRuntime *runtime, int signal_number)
{
  char what[128], rank[32] = "", text[256];

  armilla_runtime_describe_wait (runtime, what, sizeof what);
  if (armilla_runtime_n_ranks (runtime) > 1)
    g_snprintf (rank, sizeof rank, "rank %d: ", armilla_runtime_rank (runtime));
  g_snprintf (text, sizeof text, "armilla: %sstill running %d s after %s; it waits for %s; "
              "killed\n", rank, PATIENCE, signal_number == SIGINT ? "SIGINT" : "SIGTERM", what);
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    return; /* standard error is closed */
}

static void
die_of (int signal_number)
{
  sigset_t set;

  if (signal (signal_number, SIG_DFL) == SIG_ERR || sigemptyset (&set) != 0
      || sigaddset (&set, signal_number) != 0 || pthread_sigmask (SIG_UNBLOCK, &set, NULL) != 0
      || raise (signal_number) != 0)
    _exit (128 + signal_number);
}

static void
fill_set (sigset_t *set)
{
  sigemptyset (set);
  sigaddset (set, SIGINT);
  sigaddset (set, SIGTERM);
}

/* Returns the next signal; 0 at @end, a monotonic time, and at short intervals if @soon. */
static int
next_signal (gint64 end, gboolean soon)
{
  gint64 left = MAX (end - g_get_monotonic_time (), 0);
  struct timespec pause;
  sigset_t set;
  int number;

  if (soon)
    left = MIN (left, STEP * G_TIME_SPAN_MILLISECOND);
  pause.tv_sec = left / G_USEC_PER_SEC;
  pause.tv_nsec = left % G_USEC_PER_SEC * 1000;
  fill_set (&set);
  number = end == G_MAXINT64 ? sigwaitinfo (&set, NULL) : sigtimedwait (&set, NULL, &pause);
  return MAX (number, 0);
}

static void *
wait_for_signals (void *data)
{
  ArmillaRuntime *runtime = data;
  gint64 end = G_MAXINT64;
  gboolean cancelled = TRUE;
  int first = 0;

  for (;;)
    {
      int number = next_signal (end, !cancelled);

      if (g_atomic_int_get (&waiting.end))
        return NULL;
      if (number != 0)
        {
          /* After a second signal running tasks are not awaited. */
          if (first != 0)
            die_of (number);
          first = number;
          end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
          cancelled = FALSE;
        }
      else if (first != 0 && g_get_monotonic_time () >= end)
        {
          say_why (runtime, first);
          die_of (first);
        }
      if (!cancelled)
        cancelled = armilla_runtime_cancel (runtime, armilla_signals_name (first));
    }
}

/* Blocks SIGINT and SIGTERM for this thread and its later children, and starts the thread that
 * waits for them. Must be called before the runtime starts any thread. */
gboolean
armilla_signals_start (ArmillaRuntime *runtime, GError **error)
{
  sigset_t set;
  int status;

  fill_set (&set);
  status = pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_atomic_int_set (&waiting.end, FALSE);
  if (status == 0)
    {
      status = pthread_create (&waiting.thread, NULL, wait_for_signals, runtime);
      waiting.runs = status == 0;
      if (status != 0)
        pthread_sigmask (SIG_UNBLOCK, &set, NULL);
    }
  if (status == 0)
    {
      pthread_setname_np (waiting.thread, "armilla-signals");
      return TRUE;
    }
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "the thread that waits for Ctrl-C cannot be started: %s%s", g_strerror (status),
               status == EAGAIN ? "; ulimit -u, or the machine, allows no more threads" : "");
  return FALSE;
}

/* Ends the signal thread and unblocks the signals. */
void
armilla_signals_stop (void)
{
  sigset_t set;

  if (!waiting.runs)
    return;
  /* A signal directed at this thread ends its waiting; it cannot be lost and needs no memory. */
  g_atomic_int_set (&waiting.end, TRUE);
  pthread_kill (waiting.thread, SIGTERM);
  pthread_join (waiting.thread, NULL);
  waiting.runs = FALSE;
  fill_set (&set);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}
