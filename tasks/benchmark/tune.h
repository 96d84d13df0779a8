/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of `armilla tune`, which it saves in a file. Every rank calls these functions in the
 * same order, in the thread that started the runtime. */
#pragma once

#include <armilla/runtime.h>

G_BEGIN_DECLS

/* Called before each trial with the elapsed share of the time, 0 to 1, and its description. */
typedef void (*ArmillaTuneProgress) (gpointer user, double share, const char *what);

typedef struct {
  double seconds;               /* time limit */
  /* (array length=n_sizes): values of lmax to try, one per class of sizes */
  const gint64 *sizes;
  int n_sizes;
  ArmillaTuneProgress progress; /* called before each trial; may be NULL */
  gpointer user;                /* for progress */
  /* (array length=n_batches): numbers of maps transformed together to try, one per class */
  const gint64 *batches;
  int n_batches;                /* length of batches; 0: one map is transformed */
} ArmillaTuneOptions;

gboolean armilla_runtime_tune (ArmillaRuntime *runtime, const ArmillaTuneOptions *options,
                               char **report, GError **error);

G_END_DECLS
