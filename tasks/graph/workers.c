/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses between cores and GPUs. A GPU may be thirty times faster than all cores of its machine.
 * Then cores do not shorten a run: moving the data of their small share costs more than it saves,
 * and they compete with the threads that feed the GPU. If rates are comparable both kinds get
 * tasks, and StarPU assigns each task to the worker that will finish it first. */
#include "config.h"

#include "tasks/graph/workers.h"

#include "codelets/common/rates.h"
#include "tasks/graph/graph-private.h"
#include "tasks/graph/task-times.h"

/* Ratio of speeds from which the slower kind of workers (all together) gets no tasks: it could
 * shorten the run by at most a fifth, which data movement and load imbalance consume. */
#define MAX_RATIO 4

/* Returns the time that all workers of a kind would take for the tasks submitted so far. */
static double
time_of (const ArmillaWorth *self, ArmillaKind kind)
{
  return self->seconds[kind] / MAX (self->workers[kind], 1);
}

/* Returns the kinds of workers that should run the task: STARPU_CPU, STARPU_CUDA, or -1 for both.
 * This depends on the graph so far, not on this task alone: tasks of a graph share their data. */
gint32
armilla_worth_add (ArmillaWorth *self, const double seconds[ARMILLA_KINDS])
{
  double core, gpu;

  for (int kind = 0; kind < ARMILLA_KINDS; kind++)
    self->seconds[kind] += seconds[kind];
  core = time_of (self, ARMILLA_KIND_CORE);
  gpu = time_of (self, ARMILLA_KIND_GPU);
  self->n++;
  if (MAX (core, gpu) <= MAX_RATIO * MIN (core, gpu))
    return -1;
  self->n_kept++;
  return core > gpu ? STARPU_CUDA : STARPU_CPU;
}

static char *
count (int n, const char *one, const char *many)
{
  return n == 1 ? g_strdup (one) : g_strdup_printf ("%d %s", n, many);
}

/* Describes which workers were idle, and why; NULL if none were idle for this reason. */
char *
armilla_worth_describe (const ArmillaWorth *self)
{
  const double core = time_of (self, ARMILLA_KIND_CORE), gpu = time_of (self, ARMILLA_KIND_GPU);
  const int n_cores = self->workers[ARMILLA_KIND_CORE], n_gpus = self->workers[ARMILLA_KIND_GPU];
  g_autofree char *cores = count (n_cores, "1 core", "cores");
  g_autofree char *gpus = NULL;

  /* Most tasks must have been withheld; the first tasks of a small graph may have run elsewhere. */
  if (2 * self->n_kept <= self->n)
    return NULL;
  if (core > gpu)
    {
      gpus = count (n_gpus, "a GPU does", "GPUs do");
      return g_strdup_printf ("%s idle: %s this graph %.0f times faster", cores, gpus, core / gpu);
    }
  gpus = count (n_gpus, "1 GPU", "GPUs");
  return g_strdup_printf ("%s idle: %s %s this graph %.0f times faster", gpus, cores,
                          n_cores == 1 ? "does" : "do", gpu / core);
}

/* A task whose duration is measured. */
typedef struct {
  ArmillaCodelet *codelet;
  ArmillaFault *fault;
  ArmillaCost cost;
  void (*done) (void *);
  gpointer work;
} Task;

static void
task_done (void *data)
{
  g_autofree Task *task = data;
  ArmillaTaskTimes times;

  /* After a failure tasks do nothing, so their times mean nothing. */
  if (!armilla_fault_is_set (task->fault) && armilla_task_times (&times))
    {
      const ArmillaKind kind = starpu_worker_get_type (times.worker) == STARPU_CPU_WORKER
                                 ? ARMILLA_KIND_CORE
                                 : ARMILLA_KIND_GPU;

      armilla_rates_measured (task->codelet, kind, task->cost,
                              1e-6 * (times.end - times.start));
    }
  task->done (task->work);
}

static gpointer
see_task (gpointer data, ArmillaGraph *graph, const ArmillaTaskCall *call, void (**done) (void *),
          gpointer work)
{
  Task *task;

  (void) data;
  if (call->rank != graph->view.rank)
    return work;
  task = g_new (Task, 1);
  *task = (Task) { call->codelet, &graph->fault, call->cost, *done, work };
  *done = task_done;
  return task;
}

static void
leave_graph (gpointer data)
{
  (void) data;
}

static const ArmillaObserver observer = { .task = see_task, .free = leave_graph };

/* Measures the tasks of the graph, for the expected times of later ones. */
void
armilla_graph_watch_rates (ArmillaGraph *graph)
{
  starpu_profiling_status_set (STARPU_PROFILING_ENABLE);
  armilla_observers_add (&graph->observers, &observer, graph);
}
