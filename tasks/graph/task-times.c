/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start and end of tasks, for observers. StarPU measures its tasks; a bundle measures each of the
 * tasks that it contains. */
#include "config.h"

#include "tasks/graph/task-times.h"

#include <starpu.h>

/* times of the task that this thread runs in a bundle */
static _Thread_local ArmillaTaskTimes current;
static _Thread_local gboolean in_bundle;

static double
to_us (const struct timespec *time)
{
  return 1e6 * (double) time->tv_sec + 1e-3 * (double) time->tv_nsec;
}

/* Sets the times of the task that has just ended on this thread, for its callback. Returns FALSE if
 * they are unknown. */
gboolean
armilla_task_times (ArmillaTaskTimes *times)
{
  const struct starpu_task *task = starpu_task_get_current ();
  const struct starpu_profiling_task_info *info = task ? task->profiling_info : NULL;

  if (in_bundle)
    *times = current;
  else if (info && info->workerid >= 0)
    *times = (ArmillaTaskTimes) { to_us (&info->push_start_time),
                                  to_us (&info->acquire_data_start_time),
                                  to_us (&info->start_time), to_us (&info->end_time),
                                  info->workerid };
  return in_bundle || (info && info->workerid >= 0);
}

/* Called by a worker before the first task of a bundle, with @measured = whether to measure each
 * task, and after the last one with FALSE. */
void
armilla_task_times_begin (gboolean measured)
{
  const struct starpu_task *task = starpu_task_get_current ();
  const struct starpu_profiling_task_info *info = task ? task->profiling_info : NULL;
  double now;

  in_bundle = measured;
  if (!measured)
    return;
  now = starpu_timing_now ();
  current = (ArmillaTaskTimes) { info ? to_us (&info->push_start_time) : now,
                                 info ? to_us (&info->acquire_data_start_time) : now, now, now,
                                 starpu_worker_get_id () };
}

/* Called between two tasks of a bundle, and after the last one. */
void
armilla_task_times_end (void)
{
  if (!in_bundle)
    return;
  if (current.end > current.start)
    current.ready = current.taken = current.start = current.end;
  current.end = starpu_timing_now ();
}
