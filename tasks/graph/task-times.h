/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Times of a task, microseconds on StarPU's clock. */
typedef struct {
  double ready; /* time at which the scheduler received it */
  double taken; /* time at which a worker took it */
  double start; /* time at which its kernel began */
  double end;   /* time at which its kernel ended */
  int worker;
} ArmillaTaskTimes;

gboolean armilla_task_times (ArmillaTaskTimes *times);
void armilla_task_times_begin (gboolean measured);
void armilla_task_times_end (void);

G_END_DECLS
