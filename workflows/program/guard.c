/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launcher ends all ranks when one of them dies, and says little of why; a rank that the kernel
 * kills says nothing at all. So each rank has a small process beside it, made before anything else,
 * that waits for the end of a pipe. What the rank knows of its end it writes there:
 *
 *   q       quiet: it ends in order, or because somebody else has died
 *   f       it finishes: a launcher that kills it now does so because another rank has failed
 *   x       it called exit ()
 *   e       it called _exit ()
 *   sNUMBER a signal, as of a crash
 *   mTEXT   a message, which stands for what follows
 *
 * When the pipe ends and did not begin with q or fq, the process beside it tells the user. It stays
 * in the rank's group of processes: a launcher that kills a rank because another one has died kills
 * the group, and no guard is left to take that for news. */
#include "config.h"

#include "workflows/program/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/printable.h"

/* One a process, as signal handlers are; -1: there is no guard. */
static int guard_pipe = -1;
static pid_t guard_process, guarded_process;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
static struct sigaction before[G_N_ELEMENTS (crashes)];
static gboolean catches;

static void
tell (const char *text, gsize length)
{
  /* Nothing can be done about a guard that is gone. */
  if (guard_pipe >= 0 && write (guard_pipe, text, length) < 0)
    return;
}

static const char *
rank_name (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                       "SLURM_PROCID" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]) != NULL)
      return g_getenv (names[i]);
  return "?";
}

/* Reads the beginning of a small file; FALSE where there is none. */
static gboolean
read_some (const char *path, char *text, gsize size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd >= 0 ? read (fd, text, size - 1) : -1;

  if (fd >= 0)
    close (fd);
  text[MAX (got, 0)] = '\0';
  return got > 0;
}

/* How often the kernel has killed processes of this group of processes for want of memory; -1 where
 * it does not say. */
static gint64
count_out_of_memory (void)
{
  char text[4096], path[4096];
  const char *found;

  if (!read_some ("/proc/self/cgroup", text, sizeof text) || (found = strstr (text, "0::")) == NULL)
    return -1;
  g_snprintf (path, sizeof path, "/sys/fs/cgroup%.*s/memory.events",
              (int) strcspn (found + 3, "\n"), found + 3);
  if (!read_some (path, text, sizeof text) || (found = strstr (text, "oom_kill ")) == NULL)
    return -1;
  return g_ascii_strtoll (found + strlen ("oom_kill "), NULL, 10);
}

/* Why the rank ended, from what it wrote; FALSE where there is nothing to say. */
static gboolean
find_reason (const char *said, gint64 kills_before, char *reason, gsize size)
{
  const char *message = strchr (said, 'm');
  const char *crash = strchr (said, 's');

  if (message != NULL)
    g_snprintf (reason, size, ": %.*s", (int) strcspn (message + 1, "\n"), message + 1);
  else if (crash != NULL)
    g_snprintf (reason, size, " crashed (%s)", strsignal (atoi (crash + 1)));
  else if (strchr (said, 'x') != NULL)
    g_strlcpy (reason, " was ended by a library that it uses, which has said why above", size);
  else if (strchr (said, 'f') != NULL)
    return FALSE;
  else if (strchr (said, 'e') != NULL)
    g_strlcpy (reason, " was ended at once by a library that it uses, as where a launcher "
               "is lost", size);
  else if (kills_before >= 0 && count_out_of_memory () > kills_before)
    g_strlcpy (reason, " was killed by the kernel for want of memory; lower nside or lmax, or use "
               "more ranks or nodes", size);
  else
    g_strlcpy (reason, " was killed (SIGKILL), by somebody or by the kernel for want of memory",
               size);
  return TRUE;
}

/* Needs no memory but its stack: there may be none left on this machine. */
G_GNUC_NORETURN
static void
watch (int fd)
{
  char said[1024] = "", reason[640], host[256] = "", text[1024];
  gsize length = 0;
  gint64 kills = count_out_of_memory ();
  ssize_t got;

  while ((got = read (fd, said + length, sizeof said - 1 - length)) != 0)
    if (got > 0)
      length += (gsize) got;
    else if (errno != EINTR)
      break;
  said[length] = '\0';
  if (said[strspn (said, "f")] == 'q' || !find_reason (said, kills, reason, sizeof reason))
    _exit (0);
  if (gethostname (host, sizeof host - 1) != 0)
    g_strlcpy (host, "?", sizeof host);
  for (char *p = reason; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = '?'; /* a terminal is to show it, not to obey it */
  g_snprintf (text, sizeof text, "armilla: rank %s on %s%s; all ranks end\n", rank_name (), host,
              reason);
  _exit (write (STDERR_FILENO, text, strlen (text)) < 0);
}

/* What asks a run to end, as Ctrl-C asks the group, ends the guard only by way of the pipe. */
static void
become_guard (int fd)
{
  static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGTSTP, SIGTTOU };

  prctl (PR_SET_NAME, "armilla-guard");
  for (gsize i = 0; i < G_N_ELEMENTS (ignored); i++)
    signal (ignored[i], SIG_IGN);
  close (STDIN_FILENO);
  close (STDOUT_FILENO);
  if ((fd > STDERR_FILENO + 1 && close_range (STDERR_FILENO + 1, (unsigned) fd - 1, 0) != 0)
      || close_range ((unsigned) fd + 1, ~0u, 0) != 0)
    _exit (EXIT_FAILURE); /* what it kept open, others would wait for */
  watch (fd);
}

static void
say_exit (void)
{
  tell ("x", 1);
}

/**
 * armilla_guard_start:
 *
 * Makes the process that says why this one died. To be called before there are other threads. Where
 * it cannot be made, the run goes on without.
 */
void
armilla_guard_start (void)
{
  static gboolean registered;
  int fds[2];

  if (guard_pipe >= 0 || pipe2 (fds, O_CLOEXEC) != 0)
    return;
  guard_process = fork ();
  if (guard_process == 0)
    {
      close (fds[1]);
      become_guard (fds[0]);
    }
  close (fds[0]);
  if (guard_process < 0)
    {
      close (fds[1]);
      return;
    }
  guard_pipe = fds[1];
  guarded_process = getpid ();
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    sigaction (crashes[i], NULL, &before[i]); /* and not what MPI does about them */
  if (!registered)
    registered = atexit (say_exit) == 0;
}

#ifndef __SANITIZE_ADDRESS__ /* which has more to say of a crash, and functions of its own */
/* In the place of the C library's: an MPI library without its launcher ends the process so. */
void
_exit (int status)
{
  if (getpid () == guarded_process) /* and not another that was forked */
    tell ("e", 1);
  for (;;)
    syscall (SYS_exit_group, status);
}

static void
crashed (int number)
{
  char text[8] = "s";
  int n = 1;

  if (number >= 10)
    text[n++] = (char) ('0' + number / 10);
  text[n++] = (char) ('0' + number % 10);
  text[n++] = '\n';
  tell (text, (gsize) n);
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    if (crashes[i] == number)
      sigaction (number, &before[i], NULL);
  raise (number); /* for who cared for it before */
}
#endif

/* The last words of GLib and of this program before they abort: the guard has the voice. */
static GLogWriterOutput
hear_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user)
{
  if ((level & G_LOG_LEVEL_ERROR) && guard_pipe >= 0)
    for (gsize i = 0; i < n_fields; i++)
      if (strcmp (fields[i].key, "MESSAGE") == 0)
        {
          g_autofree char *text
            = g_strdup_printf ("mcannot go on: %s\n", (const char *) fields[i].value);

          tell (text, strlen (text));
          return G_LOG_WRITER_HANDLED;
        }
  return g_log_writer_default (level, fields, n_fields, user);
}

/**
 * armilla_guard_catch:
 *
 * Hands crashes to the guard. To be called when the MPI library runs, which would handle them
 * otherwise.
 */
void
armilla_guard_catch (void)
{
  if (guard_pipe < 0)
    return;
#ifndef __SANITIZE_ADDRESS__
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    {
      struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_NODEFER };

      sigaction (crashes[i], &action, NULL);
    }
  catches = TRUE;
#endif
  g_log_set_writer_func (hear_log, NULL, NULL);
}

/**
 * armilla_guard_silence:
 *
 * This process is about to end, and why is known already.
 */
void
armilla_guard_silence (void)
{
  tell ("q", 1);
}

/**
 * armilla_guard_finish:
 *
 * All ranks know how the run ended, and end. From now on the first that has failed may be gone
 * before this one, which its launcher then kills: no news. Crashes still are.
 */
void
armilla_guard_finish (void)
{
  tell ("f", 1);
}

/**
 * armilla_guard_end:
 * @reason: why, in less than 250 bytes
 *
 * Ends the process, and with it all ranks, where there is no way back. Needs no memory, and may be
 * called by a signal handler.
 */
void
armilla_guard_end (const char *reason)
{
  gboolean guarded = guard_pipe >= 0;
  char text[256];

  g_strlcpy (text, guarded ? "m" : "armilla: ", sizeof text);
  g_strlcat (text, reason, sizeof text - 1);
  g_strlcat (text, "\n", sizeof text);
  if (write (guarded ? guard_pipe : STDERR_FILENO, text, strlen (text)) < 0)
    _exit (EXIT_FAILURE); /* nobody hears it */
  _exit (EXIT_FAILURE);
}

/**
 * armilla_guard_watches:
 *
 * Returns: whether there is a process that says why this one died
 */
gboolean
armilla_guard_watches (void)
{
  return guard_pipe >= 0;
}

/**
 * armilla_guard_stop:
 *
 * This process goes on in order, and needs no guard any more.
 */
void
armilla_guard_stop (void)
{
  if (guard_pipe < 0)
    return;
  armilla_guard_silence ();
  close (guard_pipe);
  guard_pipe = -1;
  while (waitpid (guard_process, NULL, 0) < 0 && errno == EINTR)
    ;
  for (gsize i = 0; catches && i < G_N_ELEMENTS (crashes); i++)
    sigaction (crashes[i], &before[i], NULL);
  catches = FALSE;
}
