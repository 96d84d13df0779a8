/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies a memory limit to a runtime. */
#include "config.h"

#include "tasks/runtime/runtime-private.h"
#include "tasks/runtime/share.h"

/* Returns whether the memory can be limited according to @options. */
gboolean
armilla_runtime_set_bound (ArmillaRuntime *runtime, const ArmillaRuntimeOptions *options,
                           GError **error)
{
  const char *folder = options->spill ? options->spill : g_getenv ("TMPDIR");

  if (options->memory <= 0)
    return TRUE;
  runtime->bound
    = armilla_bound_new (options->memory, folder && *folder ? folder : "/var/tmp", error);
  return runtime->bound != NULL;
}

static void
fail (gpointer runtime, const GError *error)
{
  armilla_runtime_fail (runtime, error);
}

static void
die (gpointer runtime, const char *reason)
{
  armilla_runtime_die (runtime, reason);
}

/* Registers the disk for spilled tiles with StarPU on all ranks that need it, and agrees on
 * success. Collective even without a limit: a rank that cannot read the workflow does not know the
 * limit. */
gboolean
armilla_runtime_begin_bound (ArmillaRuntime *runtime, GError **error)
{
  const ArmillaBoundOwner owner = { armilla_runtime_find_progress, armilla_runtime_if_failed, fail,
                                   die, runtime };
  GError *local = NULL;

  if (runtime->bound)
    armilla_bound_begin (runtime->bound, &owner, &local);
  return armilla_runtime_agree (runtime, local, error);
}

/* Returns the memory limit of this process in bytes; 0: none. */
gint64
armilla_runtime_memory (ArmillaRuntime *runtime)
{
  return runtime->bound ? armilla_bound_bytes (runtime->bound) : 0;
}

/* Describes how much of the tiles of this rank was moved to the disk; NULL: none. */
char *
armilla_runtime_spilled (ArmillaRuntime *runtime)
{
  return runtime->bound ? armilla_bound_describe (runtime->bound) : NULL;
}
