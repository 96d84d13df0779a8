/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

/* Functions that time transforms, so that tests can supply their own times. */
typedef struct {
  /* prepares transforms in the directions @which, one of each, with @tuning, of which it takes a
   * reference if it uses it later; returns NULL with an error on failure */
  gpointer (*begin) (gpointer user, ArmillaTransforms which, ArmillaTuning *tuning,
                     GError **error);
  /* computes the transforms once and returns the total seconds */
  gboolean (*call) (gpointer trial, double *seconds, GError **error);
  void (*end) (gpointer trial);  /* frees the trial */
  gint64 (*now) (gpointer user); /* microseconds since an arbitrary moment */
  /* called before each trial */
  void (*tell) (gpointer user, ArmillaTransforms which, const ArmillaTuneChoice *choice);
  gpointer user;                 /* user data of begin, now and tell */
} ArmillaTuneTimer;

char *armilla_tune_choice_text (const ArmillaTuneChoice *choice);
gboolean armilla_tune_search (const ArmillaTuneTimer *timer, ArmillaTuneClass klass, gint64 due,
                              ArmillaTuning *found, GString *report, GError **error);

G_END_DECLS
