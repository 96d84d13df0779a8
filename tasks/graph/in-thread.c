/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the tasks of a small graph in the submitting thread and those of a team. For less than some
 * 0.25 s of work, waking StarPU's workers and scheduling tasks costs more than it saves.
 *
 * Tasks are submitted in an order that respects their dependencies, and collected in a batch, in
 * which each gets a level: one above the highest level of the tasks on which it depends (earlier
 * tasks that write data that it reads or writes, or read data that it writes). Tasks of one level
 * may run at the same time; levels run one after the other. The kernels are those of StarPU's
 * workers, so the results have the same bits. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tasks/graph/graph.h"
#include "tasks/graph/in-thread.h"
#include "tasks/runtime/team.h"

/* operations, as share.c estimates them, up to which a graph counts as small, and seconds per
 * operation */
#define SMALL_WORK 1e6
#define SECONDS_PER_OPERATION 1e-9
/* seconds by which each thread of a team delays the others, and seconds of work from which StarPU's
 * workers are faster */
#define SECONDS_PER_MEMBER 1e-5
#define LARGE_SECONDS 0.25
/* maximum number of tasks of a batch */
#define MAX_TASKS 512
/* maximum number of levels of a batch */
#define MAX_LEVELS 16
/* number of tasks of the lowest level that the team gets at once, while later tasks are submitted:
 * each addition costs every member a cache miss */
#define AT_ONCE 8
/* size of the hash table of accesses; a batch ends when half of it is used */
#define N_ACCESSES 4096

typedef struct {
  void (*kernel) (void *buffers[], void *args);
  gpointer args; /* arguments packed by StarPU, for free() */
  struct starpu_vector_interface *vectors;
  gboolean shares; /* whether vectors are those of an earlier task, which frees them */
  gsize scratch;   /* bytes of scratch vectors, whose ptr is 0 */
  int n_uses;
  int level;
} Task;

/* Highest levels of the current batch on which tasks read a tile, write it, and write disjoint
 * parts of it; 0: no task does. Levels count from 1. */
typedef struct {
  starpu_data_handle_t handle;
  gint64 batch;
  int read, written, parts;
} Access;

struct _ArmillaInThread {
  ArmillaTileMark mark; /* user data of the handles of tiles that the graph uses */
  ArmillaGraph *graph;
  ArmillaTeam *team;
  int n_members;
  Task tasks[MAX_TASKS];
  int order[MAX_TASKS]; /* indices of tasks in the order in which the team runs them */
  gint64 first; /* number of the first task of the batch, counted from the start of the team */
  gint64 n_tasks;
  gint64 n_ordered, n_told; /* number of tasks in order, and of those that the team may run */
  int n_levels;
  ArmillaUse *part_uses; /* accesses of the last task, if it writes only parts of tiles */
  int n_part_uses;       /* their number; 0: it writes a whole tile */
  gint64 batch;
  gint64 n_accesses;
  Access accesses[N_ACCESSES];
};

/* Returns the number n of threads for a graph, which minimises seconds / n + SECONDS_PER_MEMBER n;
 * 0 if StarPU's workers are faster. @seconds: time on one core. */
int
armilla_in_thread_choose (const ArmillaRuntime *runtime, double seconds)
{
  if (runtime->gpus || runtime->n_ranks > 1 || runtime->bound || seconds > LARGE_SECONDS)
    return 0;
  return (int) CLAMP (sqrt (seconds / SECONDS_PER_MEMBER), 1, MAX (runtime->cpu_workers, 1));
}

void
armilla_graph_run_small_in_thread (ArmillaGraph *graph)
{
  if (graph->work_asked <= SMALL_WORK && graph->submitted == 0)
    armilla_graph_run_in_thread (
      graph, armilla_in_thread_choose (graph->runtime, SECONDS_PER_OPERATION * graph->work_asked));
}

void
armilla_in_thread_free (ArmillaInThread *self)
{
  if (self)
    g_free (self->part_uses);
  g_free (self);
}

/* Runs a task of the batch; an #ArmillaTeamRun. */
static void
run_task (gpointer user, gint64 number, int member)
{
  ArmillaInThread *self = user;
  const Task *task = &self->tasks[self->order[number - self->first]];
  gpointer *buffers = g_newa (gpointer, (gsize) task->n_uses);
  struct starpu_vector_interface *own
    = g_newa (struct starpu_vector_interface, (gsize) task->n_uses);
  char *scratch
    = task->scratch > 0 ? armilla_team_scratch (self->team, member, task->scratch) : NULL;

  for (int i = 0; i < task->n_uses; i++)
    {
      struct starpu_vector_interface *vector = &task->vectors[i];

      buffers[i] = vector;
      if (vector->ptr)
        continue;
      own[i] = *vector;
      own[i].ptr = (uintptr_t) scratch;
      buffers[i] = &own[i];
      scratch += armilla_vector_bytes (vector);
    }
  task->kernel (buffers, task->args);
}

/* Lets the team run the tasks in order. */
static void
publish (ArmillaInThread *self)
{
  if (self->n_told < self->n_ordered)
    armilla_team_add (self->team, self->n_ordered - self->n_told);
  self->n_told = self->n_ordered;
}

/* Waits until all tasks submitted so far are done. */
void
armilla_in_thread_finish (ArmillaInThread *self)
{
  for (int level = 1; level <= self->n_levels; level++)
    {
      for (int i = 0; level > 1 && i < self->n_tasks; i++)
        if (self->tasks[i].level == level)
          self->order[self->n_ordered++] = i;
      publish (self);
      armilla_team_finish (self->team);
    }
  for (gint64 i = 0; i < self->n_tasks; i++)
    {
      free (self->tasks[i].args);
      if (!self->tasks[i].shares)
        g_free (self->tasks[i].vectors);
    }
  self->n_tasks = self->n_ordered = self->n_told = self->n_accesses = 0;
  self->n_levels = self->n_part_uses = 0;
  self->batch++;
}

/* Returns the entry of a handle in the table of accesses. */
static Access *
find_access (ArmillaInThread *self, starpu_data_handle_t handle)
{
  gsize slot = (gsize) (((guintptr) handle >> 6) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 40);

  for (;; slot++)
    {
      Access *access = &self->accesses[slot % N_ACCESSES];

      if (access->batch != self->batch || access->handle == handle)
        return access;
    }
}

/* Waits for the tasks that access a tile before it is dropped. */
static gboolean
finish_tile (ArmillaTileMark *mark, starpu_data_handle_t handle)
{
  ArmillaInThread *self = (ArmillaInThread *) mark;

  if (find_access (self, handle)->batch == self->batch)
    armilla_in_thread_finish (self);
  return FALSE;
}

/* Returns whether cores of this rank run all tasks and tiles stay in main memory, so that kernels
 * can be called without StarPU. */
gboolean
armilla_graph_stays_on_host (const ArmillaGraph *graph)
{
  return graph->view.n_ranks == 1 && !graph->view.mpi && !graph->view.gpus && graph->view.cores
         && !graph->runtime->bound && !graph->taker.kind && starpu_memory_nodes_get_count () == 1;
}

/* Makes the graph run its tasks in the submitting thread and the runtime's team, without StarPU's
 * workers, if that is possible. Does nothing if @n_members is 0. */
void
armilla_graph_run_in_thread (ArmillaGraph *graph, int n_members)
{
  g_return_if_fail (!graph->in_thread);
  if (n_members == 0 || graph->observers.n > 0 || !armilla_graph_stays_on_host (graph))
    return;
  graph->in_thread = g_new0 (ArmillaInThread, 1);
  graph->in_thread->mark.drop = finish_tile;
  graph->in_thread->graph = graph;
  graph->in_thread->batch = 1;
  graph->in_thread->n_members = n_members;
  graph->in_thread->team = armilla_runtime_team (graph->runtime);
}

int
armilla_in_thread_members (const ArmillaInThread *self)
{
  return self->n_members;
}

/* Returns the lowest level of a task that accesses a tile in this mode: above the tasks that it
 * depends on. Tasks that write disjoint parts of the tile may have the same level. */
static int
level_after (const Access *access, enum starpu_data_access_mode mode)
{
  const int written = MAX (access->written, access->parts);

  if (!(mode & STARPU_W))
    return written + 1;
  if ((mode & ARMILLA_IN_THREAD_APART) && access->parts > MAX (access->written, access->read))
    return access->parts;
  return MAX (written, access->read) + 1;
}

/* Returns the level of the task; 0: the batch is full, and must run before. */
static int
find_level (ArmillaInThread *self, const ArmillaTaskCall *call)
{
  int level = 1;

  if (self->n_tasks == MAX_TASKS || self->n_accesses + call->n_uses > N_ACCESSES / 2)
    return 0;
  for (int i = 0; i < call->n_uses; i++)
    {
      const Access *access = find_access (self, call->uses[i].handle);

      if (call->uses[i].mode != STARPU_SCRATCH && access->batch == self->batch)
        level = MAX (level, level_after (access, call->uses[i].mode));
    }
  return level <= MAX_LEVELS ? level : 0;
}

static void
note_accesses (ArmillaInThread *self, const ArmillaTaskCall *call, int level)
{
  for (int i = 0; i < call->n_uses; i++)
    {
      const enum starpu_data_access_mode mode = call->uses[i].mode;
      Access *access;
      int *highest;

      if (mode == STARPU_SCRATCH)
        continue;
      access = find_access (self, call->uses[i].handle);
      /* for tiles that were created before the graph ran in this thread */
      if (!starpu_data_get_user_data (call->uses[i].handle))
        starpu_data_set_user_data (call->uses[i].handle, self);
      if (access->batch != self->batch)
        {
          *access = (Access) { .handle = call->uses[i].handle, .batch = self->batch };
          self->n_accesses++;
        }
      highest = mode & ARMILLA_IN_THREAD_APART ? &access->parts
                : mode & STARPU_W              ? &access->written
                                               : &access->read;
      *highest = MAX (*highest, level);
    }
}

/* Returns the vector of a tile in main memory, which StarPU allocates at its first use. Scratch
 * vectors get ptr = 0. */
static gboolean
find_vector (const ArmillaUse *use, struct starpu_vector_interface *vector, GError **error)
{
  const struct starpu_vector_interface *known
    = starpu_data_get_interface_on_node (use->handle, STARPU_MAIN_RAM);

  if (use->mode != STARPU_SCRATCH && !known->ptr)
    {
      const int status = starpu_data_acquire (use->handle, STARPU_W);

      if (status != 0)
        return armilla_fail (error, ARMILLA_ERROR_NO_WORKER, "StarPU cannot allocate a buffer: %s",
                             g_strerror (-status));
      starpu_data_release (use->handle);
    }
  *vector = *known;
  if (use->mode == STARPU_SCRATCH)
    vector->ptr = 0;
  return TRUE;
}

static gboolean
find_vectors (const ArmillaTaskCall *call, Task *task, GError **error)
{
  task->vectors = g_new (struct starpu_vector_interface, call->n_uses);
  for (int i = 0; i < call->n_uses; i++)
    {
      const struct starpu_vector_interface *vector = &task->vectors[i];

      if (!find_vector (&call->uses[i], &task->vectors[i], error))
        {
          g_free (task->vectors);
          return FALSE;
        }
      if (!vector->ptr)
        task->scratch += armilla_vector_bytes (vector);
    }
  return TRUE;
}

/* Returns whether the task accesses the same tiles in the same modes as the last one, and both
 * write only parts of them. Then its level is the same; many such tasks with many tiles follow each
 * other. */
static gboolean
repeats_last (const ArmillaInThread *self, const ArmillaTaskCall *call)
{
  if (self->n_tasks == MAX_TASKS || self->n_part_uses != call->n_uses)
    return FALSE;
  for (int i = 0; i < call->n_uses; i++)
    if (self->part_uses[i].handle != call->uses[i].handle
        || self->part_uses[i].mode != call->uses[i].mode)
      return FALSE;
  return TRUE;
}

/* Remembers the accesses of a task that writes only parts of tiles, for repeats_last(). */
static void
keep_part_uses (ArmillaInThread *self, const ArmillaTaskCall *call)
{
  self->n_part_uses = 0;
  for (int i = 0; i < call->n_uses; i++)
    if (call->uses[i].mode == STARPU_W || call->uses[i].mode == STARPU_RW)
      return;
  for (int i = 0; i < call->n_uses && self->n_part_uses == 0; i++)
    if (call->uses[i].mode & ARMILLA_IN_THREAD_APART)
      self->n_part_uses = call->n_uses;
  g_free (self->part_uses);
  self->part_uses = g_memdup2 (call->uses, sizeof *call->uses * (gsize) self->n_part_uses);
}

static gboolean
add (ArmillaInThread *self, const ArmillaTaskCall *call, GError **error)
{
  int level = find_level (self, call);
  Task *task;

  if (level == 0)
    {
      armilla_in_thread_finish (self);
      level = find_level (self, call);
    }
  task = &self->tasks[self->n_tasks];
  *task = (Task) { .n_uses = call->n_uses, .level = level };
  if (!find_vectors (call, task, error))
    return FALSE;
  note_accesses (self, call, level);
  keep_part_uses (self, call);
  return TRUE;
}

/* Runs the CPU kernel of a task, at the latest when the graph waits. A failure of the kernel is
 * recorded in the graph's fault. Returns whether the buffers could be allocated. */
gboolean
armilla_in_thread_task (ArmillaInThread *self, const ArmillaTaskCall *call, GError **error)
{
  gsize size = 0;
  Task *task;

  if (repeats_last (self, call))
    {
      task = &self->tasks[self->n_tasks];
      *task = task[-1];
      task->shares = TRUE;
    }
  else if (!add (self, call, error))
    return FALSE;
  task = &self->tasks[self->n_tasks];
  task->kernel = call->codelet->cl.cpu_funcs[0];
  starpu_codelet_pack_args (&task->args, &size, STARPU_VALUE, call->args, call->args_size, 0);
  if (self->n_tasks == 0)
    self->first = armilla_team_begin (self->team, self->n_members, run_task, self);
  self->n_levels = MAX (self->n_levels, task->level);
  if (task->level == 1)
    self->order[self->n_ordered++] = (int) self->n_tasks;
  self->n_tasks++;
  if (self->n_ordered - self->n_told == AT_ONCE)
    publish (self);
  return TRUE;
}

/* Runs a host step; its failure is recorded in the graph's fault. Returns whether the buffers could
 * be allocated. */
gboolean
armilla_in_thread_step (ArmillaInThread *self, const ArmillaStepCall *call, ArmillaHostStep step,
                        gpointer user, GError **error)
{
  ArmillaFault *fault = armilla_graph_fault (self->graph);
  double **buffers = g_newa (double *, (gsize) call->n_tiles);
  GError *failure = NULL;

  armilla_in_thread_finish (self);
  for (int i = 0; i < call->n_tiles; i++)
    {
      const ArmillaUse use = { call->tiles[i].handle, call->modes[i] };
      struct starpu_vector_interface vector;

      if (!find_vector (&use, &vector, error))
        return FALSE;
      buffers[i] = (double *) vector.ptr;
    }
  if (!armilla_fault_is_set (fault) && !step (user, buffers, &failure))
    armilla_fault_take (fault, failure);
  return TRUE;
}
