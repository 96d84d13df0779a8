/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that crash, abort or call exit () end the program without a word of what it was about.
 * What it says then needs no memory. Ranks have a process beside them that says more: they hand
 * theirs to it. */
#include "config.h"

#include "workflows/program/last-words.h"

#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "workflows/program/guard.h"
#include "workflows/program/shortage.h"

#define PATIENCE 10 /* s that libraries have for their end after a failure */

static gboolean ended;      /* all that this program has to say is said */
static gboolean wants_core; /* of an abort, too */
static int exit_status;

static void
say (const char *text)
{
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    return; /* nobody hears it */
}

#ifndef __SANITIZE_ADDRESS__ /* which has more to say of a crash */
static void
crashed (int number)
{
  char text[128] = "armilla: crashed (";

  if (armilla_shortage () != NULL && !ended)
    armilla_guard_end (armilla_shortage ());
  if (!armilla_guard_watches ())
    {
      g_strlcat (text, strsignal (number), sizeof text);
      g_strlcat (text, number == SIGABRT ? "): a library gave up; see above\n" : ")\n",
                 sizeof text);
      say (text);
    }
  if (number == SIGABRT && !wants_core)
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

/* A library has called exit (): it has said what it missed, but not always for want of what. */
static void
hear_exit (int status, void *user)
{
  (void) user;
  if (!ended && status != EXIT_SUCCESS && armilla_shortage () != NULL)
    armilla_guard_end (armilla_shortage ());
}

static void
hear_alarm (int number)
{
  (void) number;
  say ("armilla: libraries do not finish; killed\n");
  _exit (exit_status);
}

/**
 * armilla_last_words_begin:
 *
 * From now on crashes are told. To be called first.
 */
void
armilla_last_words_begin (void)
{
  struct rlimit limit;

  wants_core = g_getenv ("G_DEBUG") != NULL
               || (getrlimit (RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0);
  catch_crashes ();
  if (on_exit (hear_exit, NULL) != 0)
    return; /* it is only told less */
}

/**
 * armilla_last_words_end:
 * @status: what the program is to end with; why has been said
 *
 * To be called last: what is left is what libraries do at their end.
 *
 * Returns: @status
 */
int
armilla_last_words_end (int status)
{
  const char *shortage = armilla_shortage ();

  ended = TRUE;
  exit_status = status;
  if (status == EXIT_SUCCESS)
    return status;
  if (shortage != NULL)
    {
      say ("armilla: ");
      say (shortage);
      say ("\n");
    }
  if (signal (SIGALRM, hear_alarm) != SIG_ERR)
    alarm (PATIENCE);
  return status;
}
