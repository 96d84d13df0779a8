/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program calls a signal that stops a run. */
#include "config.h"

#include <signal.h>

#include "tasks/runtime/runtime.h"
#include "workflows/program/signals.h"

/* Ctrl-C reaches a rank as SIGTERM of its launcher. */
static void
test_names (void)
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/signals/names", test_names);
  return g_test_run ();
}
