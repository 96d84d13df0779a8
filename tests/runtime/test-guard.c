/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process beside each rank that says why it died: heard when the rank alone is killed, not when
 * a launcher kills the rank's group of processes because another one has died. */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workflows/program/guard.h"
#include "workflows/program/signals.h"

#define STEP (G_USEC_PER_SEC / 100)

/* Leads its own group, as a launcher makes ranks do; its words go to @fd. */
G_GNUC_NORETURN
static void
be_rank (int fd)
{
  if (setpgid (0, 0) != 0 || dup2 (fd, STDERR_FILENO) < 0 || signal (SIGINT, SIG_IGN) == SIG_ERR)
    _exit (2);
  armilla_guard_start ();
  for (;;)
    pause ();
}

/* Whether a process has a guard that no Ctrl-C ends any more. */
static gboolean
is_guarded (pid_t rank)
{
  const guint64 wanted =
      (G_GUINT64_CONSTANT (1) << (SIGINT - 1)) | (G_GUINT64_CONSTANT (1) << (SIGTERM - 1));
  g_autofree char *children = g_strdup_printf ("/proc/%d/task/%d/children", (int) rank, (int) rank);
  g_autofree char *guards = NULL;
  g_autofree char *path = NULL;
  g_autofree char *status = NULL;
  const char *ignored;

  if (!g_file_get_contents (children, &guards, NULL, NULL))
    return FALSE;
  path = g_strdup_printf ("/proc/%d/status", atoi (guards));
  if (!g_file_get_contents (path, &status, NULL, NULL)
      || (ignored = strstr (status, "SigIgn:")) == NULL)
    return FALSE;
  return (g_ascii_strtoull (ignored + strlen ("SigIgn:"), NULL, 16) & wanted) == wanted;
}

/* A rank is begun, its group gets one signal, then it or its group is killed. (transfer full): what
 * was said until the last process of the group has ended */
static char *
hear (int first, gboolean group)
{
  GString *said = g_string_new (NULL);
  char buffer[256];
  ssize_t got;
  int fds[2], status;
  pid_t rank;

  g_assert_cmpint (pipe (fds), ==, 0);
  rank = fork ();
  g_assert_cmpint (rank, >=, 0);
  if (rank == 0)
    {
      close (fds[0]);
      be_rank (fds[1]);
    }
  close (fds[1]);
  while (!is_guarded (rank))
    {
      g_assert_cmpint (waitpid (rank, &status, WNOHANG), ==, 0);
      g_usleep (STEP);
    }
  g_assert_cmpint (kill (-rank, first), ==, 0);
  g_assert_cmpint (kill (group ? -rank : rank, SIGKILL), ==, 0);
  while ((got = read (fds[0], buffer, sizeof buffer)) != 0)
    if (got > 0)
      g_string_append_len (said, buffer, got);
    else
      g_assert_cmpint (errno, ==, EINTR);
  close (fds[0]);
  g_assert_cmpint (waitpid (rank, &status, 0), ==, rank);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  return g_string_free (said, FALSE);
}

/* Ctrl-C reaches a rank as SIGTERM of its launcher. */
static void
test_signal_names (void)
{
  if (armilla_runtime_launcher () != NULL)
    {
      g_test_skip ("started by a launcher");
      return;
    }
  g_assert_cmpstr (armilla_signals_name (SIGINT), ==, "SIGINT (Ctrl-C)");
  g_assert_cmpstr (armilla_signals_name (SIGTERM), ==, "SIGTERM");
  g_setenv ("PMI_RANK", "0", TRUE);
  g_assert_cmpstr (armilla_signals_name (SIGINT), ==, "SIGINT (Ctrl-C)");
  g_assert_cmpstr (armilla_signals_name (SIGTERM), ==,
                   "an interrupt of its launcher (Ctrl-C or SIGTERM)");
  g_unsetenv ("PMI_RANK");
}

static void
test_alone (void)
{
  g_autofree char *said = hear (SIGCONT, FALSE);

  g_assert_true (g_str_has_prefix (said, "armilla: rank "));
  g_assert_nonnull (strstr (said, " was killed "));
  g_assert_true (g_str_has_suffix (said, "; all ranks end\n"));
}

/* Ctrl-C at a terminal is for the whole group. */
static void
test_interrupted (void)
{
  g_autofree char *said = hear (SIGINT, FALSE);

  g_assert_nonnull (strstr (said, " was killed "));
}

static void
test_group (void)
{
  g_autofree char *said = hear (SIGCONT, TRUE);

  g_assert_cmpstr (said, ==, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/signal-names", test_signal_names);
  g_test_add_func ("/guard/alone", test_alone);
  g_test_add_func ("/guard/interrupted", test_interrupted);
  g_test_add_func ("/guard/group", test_group);
  return g_test_run ();
}
