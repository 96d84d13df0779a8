/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SIGINT and SIGTERM end a run in order: tasks become no-ops, files that are not whole go away. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tasks/graph-private.h"
#include "tasks/guard.h"

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

static void
cancel_graphs (ArmillaRuntime *runtime, int signal_number)
{
  g_mutex_lock (&runtime->lock);
  if (!runtime->graphs)
    runtime->stopped_by = signal_number;
  for (GList *g = runtime->graphs; g; g = g->next)
    armilla_signals_cancel (g->data, signal_number);
  g_mutex_unlock (&runtime->lock);
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

static gpointer
wait_for_signals (gpointer data)
{
  ArmillaRuntime *runtime = data;
  gboolean seen = FALSE;
  sigset_t set;
  int fd;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  fd = signalfd (-1, &set, SFD_CLOEXEC);
  if (fd < 0)
    {
      g_warning ("signalfd: %s; Ctrl-C will not be noticed", g_strerror (errno));
      return NULL;
    }
  for (;;)
    {
      struct pollfd fds[2] = { { fd, POLLIN, 0 }, { runtime->stop_signals, POLLIN, 0 } };
      struct signalfd_siginfo info;

      if (poll (fds, 2, -1) < 0)
        {
          if (errno == EINTR)
            continue;
          break;
        }
      if (fds[1].revents)
        break;
      if (read (fd, &info, sizeof info) != (gssize) sizeof info)
        continue;
      /* A launcher asks so, too, when another rank has died. */
      armilla_guard_silence ();
      /* Whoever asks twice does not want to wait for the running tasks. */
      if (seen)
        die_of ((int) info.ssi_signo);
      seen = TRUE;
      cancel_graphs (runtime, (int) info.ssi_signo);
    }
  close (fd);
  return NULL;
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

  runtime->stop_signals = eventfd (0, EFD_CLOEXEC);
  if (runtime->stop_signals < 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "eventfd: %s", g_strerror (errno));
      return FALSE;
    }
  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  status = pthread_sigmask (SIG_BLOCK, &set, NULL);
  if (status != 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "pthread_sigmask: %s",
                   g_strerror (status));
      close (runtime->stop_signals);
      return FALSE;
    }
  runtime->signals = g_thread_new ("armilla-signals", wait_for_signals, runtime);
  return TRUE;
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
  guint64 one = 1;
  sigset_t set;

  if (!runtime->signals)
    return;
  if (write (runtime->stop_signals, &one, sizeof one) != (gssize) sizeof one)
    g_warning ("eventfd: %s", g_strerror (errno));
  g_thread_join (runtime->signals);
  runtime->signals = NULL;
  close (runtime->stop_signals);
  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
}
