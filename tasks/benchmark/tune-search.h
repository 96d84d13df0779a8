/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

/* What takes the time. The search knows nothing else of it, so that a test can give it times. */
typedef struct {
  /* makes transforms which (of both directions: one of each) ready to be timed, cut and computed as
   * tuning says, and takes a reference to tuning where it is looked at later; NULL with an error
   * where that fails */
  gpointer (*begin) (gpointer user, ArmillaTransforms which, ArmillaTuning *tuning,
                     GError **error);
  /* does them once; the seconds of all of them together */
  gboolean (*call) (gpointer trial, double *seconds, GError **error);
  void (*end) (gpointer trial);  /* forgets what begin gave */
  gint64 (*now) (gpointer user); /* microseconds since any moment */
  /* told before each trial */
  void (*tell) (gpointer user, ArmillaTransforms which, const ArmillaTuneChoice *choice);
  gpointer user;                 /* what begin, now and tell are called with */
} ArmillaTuneTimer;

char *armilla_tune_choice_text (const ArmillaTuneChoice *choice);
gboolean armilla_tune_search (const ArmillaTuneTimer *timer, ArmillaTuneClass klass, gint64 due,
                              ArmillaTuning *found, GString *report, GError **error);

G_END_DECLS
