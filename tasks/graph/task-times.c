/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of tasks for those who observe them: StarPU measures its tasks, and a bundle each of the
 * tasks that it consists of. */
#include "config.h"

#include "tasks/graph/task-times.h"

#include <starpu.h>

/* of the task of a bundle that this thread runs */
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

/* The worker begins with the tasks of a bundle, which are measured one by one; or ends with
 * them. */
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

/* A task of the bundle has ended; the next one begins. */
void
armilla_task_times_end (void)
{
  if (!in_bundle)
    return;
  if (current.end > current.start)
    current.ready = current.taken = current.start = current.end;
  current.end = starpu_timing_now ();
}
