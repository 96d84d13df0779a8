/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM stop a run: tasks do nothing from then on, and incomplete files are removed.
 * If the program has not ended some seconds later, the signal thread ends the process; so it must
 * not wait for locks that other threads may hold long. */
#include "config.h"

#include "tasks/runtime/runtime.h"
#include "workflows/program/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds after the first signal after which the process is ended */
#define STEP 20     /* interval at which a lock that another thread holds is tried again, ms */

/* State of the signal thread. Global, since signals belong to the process. */
static struct {
  pthread_t thread;
  gboolean runs;
  gint end; /* atomic: whether the thread must end */
} waiting;

/* Returns the name of a signal for messages. Launchers turn Ctrl-C into SIGTERM, so ranks cannot
 * distinguish the two. */
const char *
armilla_signals_name (int signal_number)
{
  if (signal_number == SIGINT)
    return "SIGINT (Ctrl-C)";
  if (armilla_runtime_launcher () != NULL)
    return "an interrupt of its launcher (Ctrl-C or SIGTERM)";
  return "SIGTERM";
}

/* Prints that the program did not end in time, and what it waits for. */
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

/* Waits for a signal and returns it. Returns 0 at @end (monotonic time, us) or, if @soon, after
 * STEP ms. */
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
          /* The second signal ends the process at once. */
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
  /* Ends the thread's wait by a signal to itself, which cannot be lost and needs no memory. */
  g_atomic_int_set (&waiting.end, TRUE);
  pthread_kill (waiting.thread, SIGTERM);
  pthread_join (waiting.thread, NULL);
  waiting.runs = FALSE;
  fill_set (&set);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}
