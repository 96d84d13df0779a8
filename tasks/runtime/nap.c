/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes cores sleep while they have no task. StarPU's workers poll for tasks; if a GPU computes the
 * whole graph, this takes time from the threads that submit tasks, drive the GPU and read files. A
 * StarPU scheduling policy is modified so that a CPU worker without tasks sleeps until a task
 * arrives that it can run. */
#include "config.h"

#include "tasks/runtime/nap.h"

#include <glib.h>
#include <starpu_scheduler.h>

/* time for which a worker polls before it sleeps: ten times as long as sleeping and waking take */
#define SPIN_US 500
/* interval at which a sleeping worker checks for other requests (disks, pauses, its end) */
#define NAP_US 1000

static struct starpu_sched_policy policy; /* StarPU's policy with two functions replaced */
static const struct starpu_sched_policy *base;
static GMutex lock;
static GCond pushed;
static guint n_pushed;  /* atomic: tasks pushed so far that cores can run */
static gint n_napping;  /* atomic: number of workers that sleep or are about to */
/* [worker], used by that worker only; 0: it has a task */
static gint64 idle_since[STARPU_NMAXWORKERS];

static void
nap (guint seen)
{
  const gint64 end = g_get_monotonic_time () + NAP_US;

  /* lets other threads push a task to this worker while it waits for the lock */
  starpu_worker_relax_on ();
  g_mutex_lock (&lock);
  g_atomic_int_inc (&n_napping);
  while ((guint) g_atomic_int_get (&n_pushed) == seen && g_cond_wait_until (&pushed, &lock, end))
    ;
  (void) g_atomic_int_dec_and_test (&n_napping);
  g_mutex_unlock (&lock);
  starpu_worker_relax_off ();
}

static struct starpu_task *
pop_task (unsigned context)
{
  const int worker = starpu_worker_get_id ();
  const guint seen = (guint) g_atomic_int_get (&n_pushed);
  struct starpu_task *task = base->pop_task (context);
  gint64 now;

  if (worker < 0 || starpu_worker_get_type (worker) != STARPU_CPU_WORKER)
    return task;
  if (task)
    {
      idle_since[worker] = 0;
      return task;
    }
  now = g_get_monotonic_time ();
  if (idle_since[worker] == 0)
    idle_since[worker] = now;
  else if (now - idle_since[worker] > SPIN_US)
    nap (seen);
  return NULL;
}

static int
push_task (struct starpu_task *task)
{
  /* read before the push: the task may have ended after it */
  const gboolean for_cores = task->where != STARPU_CUDA;
  const int status = base->push_task (task);

  if (!for_cores)
    return status;
  g_atomic_int_inc (&n_pushed);
  if (g_atomic_int_get (&n_napping) > 0)
    {
      g_mutex_lock (&lock);
      g_cond_broadcast (&pushed);
      g_mutex_unlock (&lock);
    }
  return status;
}

/* Returns a StarPU scheduling policy whose cores sleep while they have no task; NULL if this
 * StarPU lacks it. */
struct starpu_sched_policy *
armilla_nap_policy (const char *name)
{
  struct starpu_sched_policy **all = starpu_sched_get_predefined_policies ();

  for (; *all; all++)
    if ((*all)->policy_name && g_str_equal ((*all)->policy_name, name))
      {
        base = *all;
        policy = *base;
        policy.pop_task = pop_task;
        policy.push_task = push_task;
        return &policy;
      }
  return NULL;
}
