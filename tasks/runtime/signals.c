/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM end a run in order: tasks become no-ops, files that are not whole go away.
 * What is not at its end then after some seconds ends all the same: the thread that waits for
 * signals takes no lock that others may hold for long. */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tasks/graph/graph-private.h"
#include "tasks/ranks/guard.h"

#define PATIENCE 10 /* s, from the first signal on */
#define STEP 20     /* ms; how often a lock that somebody holds is tried */

/* A launcher passes Ctrl-C on as SIGTERM; which of the two it was, a rank cannot know. */
static const char *
signal_name (int signal_number)
{
  if (signal_number == SIGINT)
    return "SIGINT (Ctrl-C)";
  if (armilla_runtime_launcher () != NULL)
    return "an interrupt of its launcher (Ctrl-C or SIGTERM)";
  return "SIGTERM";
}

/**
 * armilla_signals_cancel:
 * @graph: a graph
 * @signal_number: SIGINT or SIGTERM
 *
 * Makes a graph fail because of a signal.
 */
void
armilla_signals_cancel (ArmillaGraph *graph, int signal_number)
{
  armilla_fault_set (&graph->fault, ARMILLA_ERROR_CANCELLED,
                     "stopped by %s; unfinished outputs were removed",
                     signal_name (signal_number));
}

/* Returns whether it could be done: not while somebody else uses the list of graphs. */
static gboolean
cancel_graphs (ArmillaRuntime *runtime, int signal_number)
{
  if (!g_mutex_trylock (&runtime->lock))
    return FALSE;
  if (!runtime->graphs)
    runtime->stopped_by = signal_number;
  for (GList *g = runtime->graphs; g; g = g->next)
    armilla_signals_cancel (g->data, signal_number);
  g_mutex_unlock (&runtime->lock);
  return TRUE;
}

/* What has not come to its end, as far as that can be known without waiting. */
static void
describe_wait (ArmillaRuntime *runtime, char *text, gsize size)
{
  const char *phase = g_atomic_pointer_get (&runtime->phase);
  gint64 left = 0, all = 0;

  if (g_mutex_trylock (&runtime->lock))
    {
      for (GList *g = runtime->graphs; g; g = g->next)
        {
          ArmillaGraph *graph = g->data;

          if (!g_mutex_trylock (&graph->lock))
            continue;
          left += graph->submitted - graph->done;
          all += graph->submitted;
          g_mutex_unlock (&graph->lock);
        }
      g_mutex_unlock (&runtime->lock);
    }
  if (left > 0)
    g_snprintf (text, size,
                "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " tasks, or files that they write",
                left, all);
  else
    g_strlcpy (text, phase ? phase : "the main thread, which reads files or prepares tasks", size);
}

/* The program did not come to an end in time. */
static void
say_why (ArmillaRuntime *runtime, int signal_number)
{
  char what[128], rank[32] = "", text[256];

  describe_wait (runtime, what, sizeof what);
  if (runtime->n_ranks > 1)
    g_snprintf (rank, sizeof rank, "rank %d: ", runtime->rank);
  g_snprintf (text, sizeof text, "armilla: %snot at an end %d s after %s; it waits for %s; "
              "killed\n", rank, PATIENCE, signal_number == SIGINT ? "SIGINT" : "SIGTERM", what);
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    return; /* nobody hears it */
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

/* The next signal; 0 at @end, a monotonic time, and now and then where @soon. */
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

      if (g_atomic_int_get (&runtime->signals_end))
        return NULL;
      if (number != 0)
        {
          /* A launcher asks so, too, when another rank has died. */
          armilla_guard_silence ();
          /* Whoever asks twice does not want to wait for the running tasks. */
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
        cancelled = cancel_graphs (runtime, first);
    }
}

/**
 * armilla_signals_start:
 * @runtime: a runtime, before it starts any thread
 * @error: return location
 *
 * Blocks SIGINT and SIGTERM, for this thread and those that it makes later, and starts the thread
 * that waits for them.
 *
 * Returns: whether it worked
 */
gboolean
armilla_signals_start (ArmillaRuntime *runtime, GError **error)
{
  sigset_t set;
  int status;

  fill_set (&set);
  status = pthread_sigmask (SIG_BLOCK, &set, NULL);
  if (status == 0)
    {
      status = pthread_create (&runtime->signals, NULL, wait_for_signals, runtime);
      runtime->has_signals = status == 0;
      if (status != 0)
        pthread_sigmask (SIG_UNBLOCK, &set, NULL);
    }
  if (status == 0)
    {
      pthread_setname_np (runtime->signals, "armilla-signals");
      return TRUE;
    }
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "the thread that waits for Ctrl-C does not start: %s%s", g_strerror (status),
               status == EAGAIN ? "; ulimit -u, or the machine, allows no more threads" : "");
  return FALSE;
}

/**
 * armilla_signals_stop:
 * @runtime: a runtime
 *
 * Ends the signal thread and unblocks the signals.
 */
void
armilla_signals_stop (ArmillaRuntime *runtime)
{
  sigset_t set;

  if (!runtime->has_signals)
    return;
  /* A signal to this thread alone ends its waiting; it cannot get lost, and needs no memory. */
  g_atomic_int_set (&runtime->signals_end, TRUE);
  pthread_kill (runtime->signals, SIGTERM);
  pthread_join (runtime->signals, NULL);
  runtime->has_signals = FALSE;
  fill_set (&set);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}
