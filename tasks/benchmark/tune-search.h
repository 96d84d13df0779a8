/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/tuning/tuning.h"

G_BEGIN_DECLS

/**
 * ArmillaTuneTimer:
 * @begin: makes transforms @which (of both directions: one of each) ready to be timed, cut and
 *   computed as @tuning says, and takes a reference to @tuning where it is looked at later; %NULL
 *   with an error where that fails
 * @call: does them once; the seconds of all of them together
 * @end: forgets what @begin gave
 * @now: microseconds since any moment
 * @tell: told before each trial
 * @user: what @begin, @now and @tell are called with
 *
 * What takes the time. The search knows nothing else of it, so that a test can give it times.
 */
typedef struct {
  gpointer (*begin) (gpointer user, ArmillaTransforms which, ArmillaTuning *tuning,
                     GError **error);
  gboolean (*call) (gpointer trial, double *seconds, GError **error);
  void (*end) (gpointer trial);
  gint64 (*now) (gpointer user);
  void (*tell) (gpointer user, ArmillaTransforms which, const ArmillaTuneChoice *choice);
  gpointer user;
} ArmillaTuneTimer;

char *armilla_tune_choice_text (const ArmillaTuneChoice *choice);
gboolean armilla_tune_search (const ArmillaTuneTimer *timer, ArmillaTuneClass klass, gint64 due,
                              ArmillaTuning *found, GString *report, GError **error);

G_END_DECLS
