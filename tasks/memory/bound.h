/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bound for the resident size of the process; see doc/memory.md. */
#pragma once

#include <armilla/runtime.h>

#include "tasks/memory/spill.h"

G_BEGIN_DECLS

typedef struct _ArmillaBound ArmillaBound;

/* Functions of the runtime, which the bound's thread calls. */
typedef struct {
  /* computes @sum, submitted plus completed tasks, which grows whenever a task is submitted or
   * ends; and @left, the submitted tasks that are not completed */
  void (*progress) (gpointer user, gint64 *sum, gint64 *left);
  /* if there are graphs and all have failed, calls a function while no graph can be added; returns
   * whether it did */
  gboolean (*if_failed) (gpointer user, GFunc call, gpointer data);
  void (*fail) (gpointer user, const GError *error);
  void (*die) (gpointer user, const char *reason); /* ends the process, if the program allows it */
  gpointer user;
} ArmillaBoundOwner;

ArmillaBound *armilla_bound_new (gint64 bytes, const char *folder, GError **error);
gboolean armilla_bound_begin (ArmillaBound *self, const ArmillaBoundOwner *owner, GError **error);
gboolean armilla_bound_settle (ArmillaBound *self, GError **error);
void armilla_bound_resume (ArmillaBound *self);
void armilla_bound_take_task (ArmillaBound *self, gint64 bytes);
void armilla_bound_take_step (ArmillaBound *self, gint64 bytes);
void armilla_bound_end (ArmillaBound *self);
void armilla_bound_free (ArmillaBound *self);

gint64 armilla_bound_bytes (const ArmillaBound *self);
gint64 armilla_bound_for_tiles (ArmillaBound *self);
gint64 armilla_bound_others (ArmillaBound *self);
gint64 armilla_bound_for_steps (ArmillaBound *self);
void armilla_bound_step_begins (ArmillaBound *self);
void armilla_bound_step_ends (ArmillaBound *self);
char *armilla_bound_describe (ArmillaBound *self);
char *armilla_bound_warning (ArmillaBound *self);

G_END_DECLS
