/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages when the program ends abnormally: when a library crashes or aborts, or exit handlers of
 * libraries do not return. */
#include "config.h"

#include "workflows/program/last-words.h"

#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds that exit handlers may take after a failure */

static gboolean wants_core; /* whether the user wants a core file after an abort */
static int exit_status;

static void
say (const char *text)
{
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    return; /* standard error is closed */
}

#ifndef __SANITIZE_ADDRESS__ /* the sanitizer reports crashes itself */
static void
crashed (int number)
{
  const gboolean aborted = number == SIGABRT || number == SIGTRAP; /* GLib aborts by SIGTRAP */
  char text[128] = "armilla: crashed (";

  g_strlcat (text, strsignal (number), sizeof text);
  g_strlcat (text, aborted ? "): a library failed; see above\n" : ")\n", sizeof text);
  say (text);
  if (aborted && !wants_core)
    _exit (EXIT_FAILURE);
  signal (number, SIG_DFL);
  raise (number);
}

static void
catch_crashes (void)
{
  static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };

  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    {
      struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_NODEFER };

      sigaction (crashes[i], &action, NULL);
    }
}
#else
static void
catch_crashes (void)
{
}
#endif

static void
hear_alarm (int number)
{
  (void) number;
  say ("armilla: exit handlers of libraries do not return; process killed\n");
  _exit (exit_status);
}

/* From now on, prints a message if the program crashes. Must be called before everything else. */
void
armilla_last_words_begin (void)
{
  struct rlimit limit;

  wants_core = g_getenv ("G_DEBUG") != NULL
               || (getrlimit (RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0);
  catch_crashes ();
}

/* Must be called after everything else. After a failure, ends the process if exit handlers do not.
 * Returns @status. */
int
armilla_last_words_end (int status)
{
  exit_status = status;
  if (status != EXIT_SUCCESS && signal (SIGALRM, hear_alarm) != SIG_ERR)
    alarm (PATIENCE);
  return status;
}
