/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions of the program about its process: signals, messages, exit statuses. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/printable.h"
#include "workflows/program/signals.h"

static gboolean
begin (gpointer user, ArmillaRuntime *runtime, GError **error)
{
  (void) user;
  return armilla_signals_start (runtime, error);
}

static void
end (gpointer user)
{
  (void) user;
  armilla_signals_stop ();
}

static void
abandon (gpointer user, const GError *error)
{
  (void) user;
  armilla_print (stderr, "armilla: %s\n", error->message);
  armilla_runtime_end_ranks ();
  exit (EXIT_FAILURE);
}

/* Ends the process without allocating memory and without exit handlers, since other threads may
 * hold locks while they wait for memory. */
static void
die (gpointer user, const char *reason)
{
  char text[512];

  (void) user;
  g_snprintf (text, sizeof text, "armilla: %s\n", reason);
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    _exit (EXIT_FAILURE); /* standard error is closed */
  _exit (EXIT_FAILURE);
}

static void
wait_for_other (gpointer user, const char *text)
{
  (void) user;
  armilla_print (stderr, "armilla: %s\n", text);
}

const ArmillaProcess armilla_process = {
  .begins = begin,
  .ended = end,
  .abandons = abandon,
  .dies = die,
  .waits = wait_for_other,
};
