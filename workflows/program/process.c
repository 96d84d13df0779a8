/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library is a guest in its process; this is its host: signals end a run in order, and a rank
 * that dies has somebody beside it who says why. */
#include "config.h"

#include "workflows/program/process.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/printable.h"
#include "workflows/program/guard.h"
#include "workflows/program/signals.h"

static gboolean
begin (gpointer user, ArmillaRuntime *runtime, gboolean launched, GError **error)
{
  (void) user;
  if (launched)
    armilla_guard_start ();
  return armilla_signals_start (runtime, error);
}

/* The MPI library would handle crashes otherwise. */
static void
catch (gpointer user)
{
  (void) user;
  armilla_guard_catch ();
}

static void
finish (gpointer user)
{
  (void) user;
  armilla_guard_finish ();
}

static void
end (gpointer user)
{
  (void) user;
  armilla_guard_stop ();
  armilla_signals_stop ();
}

static void
abandon (gpointer user, const GError *error)
{
  (void) user;
  armilla_print (stderr, "armilla: %s\n", error->message);
  armilla_guard_silence ();
  armilla_runtime_end_ranks ();
  exit (EXIT_FAILURE);
}

static void
die (gpointer user, const char *reason)
{
  (void) user;
  armilla_guard_end (reason);
}

static void
wait_for_other (gpointer user, const char *text)
{
  (void) user;
  armilla_print (stderr, "armilla: %s\n", text);
}

const ArmillaProcess armilla_process = {
  .begins = begin,
  .mpi_runs = catch,
  .finishes = finish,
  .ended = end,
  .abandons = abandon,
  .dies = die,
  .waits = wait_for_other,
};
