/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one runtime of a test program. */
#pragma once

#include <armilla/armilla.h>

static ArmillaRuntime *runtime;

static inline void
start_tests (int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (argc, argv, NULL);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
}

/* Returns the exit status. */
static inline int
run_tests (void)
{
  int status = g_test_run ();

  armilla_runtime_stop (runtime);
  return status;
}
