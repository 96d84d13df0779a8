/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `armilla tune` finds on a machine, and keeps in a file. Functions are called by the thread
 * that has started the runtime, on every rank alike and in the same order. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

/**
 * ArmillaTuneProgress:
 * @user: what the caller gave
 * @share: how much of the time is over, 0 to 1
 * @what: what is tried now
 *
 * Called before each trial.
 */
typedef void (*ArmillaTuneProgress) (gpointer user, double share, const char *what);

typedef struct {
  double seconds;               /* when to stop */
  /* (array length=n_sizes): degrees up to which transforms are tried, a class of sizes each */
  const gint64 *sizes;
  int n_sizes;                  /* how many */
  ArmillaTuneProgress progress; /* told before each trial; may be NULL */
  gpointer user;                /* for progress */
  /* (array length=n_batches): numbers of maps that are transformed together, a class each */
  const gint64 *batches;
  int n_batches;                /* how many; 0: one map is transformed */
} ArmillaTuneOptions;

gboolean armilla_runtime_tune (ArmillaRuntime *runtime, const ArmillaTuneOptions *options,
                               char **report, GError **error);

G_END_DECLS
