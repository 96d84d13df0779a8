/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs bundles, see bundle.c. */
#include "config.h"

#include <string.h>

#include "tasks/graph/bundle-run.h"
#include "tasks/graph/task-times.h"

/* Memory of one worker for the temporary tiles of the bundle that it runs. */
typedef struct {
  void *at;
  gsize size;
} Arena;

struct _ArmillaBundleRuns {
  ArmillaGraph *graph;
  int n_arenas;
  Arena *arenas; /* [worker] */
  GMutex lock;   /* guards the following fields */
  GCond changed;
  int in_flight;
  GPtrArray *idle; /* ArmillaBundle, empty */
};

static void
arena_clear (Arena *arena)
{
  if (arena->at)
    starpu_free_flags (arena->at, arena->size, 0);
  *arena = (Arena) { NULL, 0 };
}

/* Returns the arena of the calling worker, enlarged to the size that the bundle needs; NULL, with a
 * fault of the graph, if memory cannot be allocated. */
static char *
find_arena (const ArmillaBundle *self)
{
  Arena *arena = &self->runs->arenas[starpu_worker_get_id ()];
  ArmillaFault *fault = &self->runs->graph->fault;

  if (arena->size >= self->arena)
    return arena->at;
  arena_clear (arena);
  if (starpu_malloc_flags (&arena->at, self->arena, 0) == 0)
    arena->size = self->arena;
  else
    armilla_fault_set (fault, ARMILLA_ERROR_MEMORY,
                       "out of memory: cannot allocate %" G_GSIZE_FORMAT " bytes", self->arena);
  return arena->at;
}

/* Copies the tiles of a host step and passes it to the I/O threads: the worker reuses the tiles'
 * memory. */
static void
run_step (ArmillaBundle *self, const ArmillaBundleCall *call, void **buffers)
{
  ArmillaFault *fault = &self->runs->graph->fault;
  double *values = NULL, *next;

  if (!armilla_fault_is_set (fault))
    {
      values = g_try_new (double, call->n_values);
      if (!values)
        armilla_fault_set (fault, ARMILLA_ERROR_MEMORY,
                           "out of memory: cannot allocate %" G_GSIZE_FORMAT " bytes",
                           call->n_values * sizeof (double));
    }
  next = values;
  for (int i = 0; values && i < call->n_uses; i++)
    {
      const gsize n = STARPU_VECTOR_GET_NX (buffers[i]);

      memcpy (next, (const void *) STARPU_VECTOR_GET_PTR (buffers[i]), n * sizeof (double));
      next += n;
    }
  armilla_host_job_come (call->job, values, armilla_bundle_done, self);
}

static void
run_call (ArmillaBundle *self, const ArmillaBundleCall *call, void *const *tiles)
{
  const ArmillaTaskAround *around = &call->around;
  const guint *uses = &g_array_index (self->uses, guint, call->first_use);
  void **buffers = g_newa (void *, (gsize) call->n_uses);

  for (int i = 0; i < call->n_uses; i++)
    buffers[i] = tiles[uses[i]];
  if (!call->kernel)
    {
      run_step (self, call, buffers);
      return;
    }
  if (around->begins)
    around->begins (around->epoch);
  call->kernel (buffers, self->args->data + call->args);
  armilla_task_times_end ();
  around->end.done (around->end.work);
}

/* Sets the address of every tile: in the arena, or where StarPU has allocated it. */
static void
find_tiles (ArmillaBundle *self, char *arena, void *const *buffers, void **tiles)
{
  int n = 0;

  for (guint i = 0; i < self->places->len; i++)
    {
      ArmillaBundlePlace *place = &g_array_index (self->places, ArmillaBundlePlace, i);

      if (place->mode == STARPU_NONE)
        place->vector.ptr = (uintptr_t) (arena + place->offset);
      tiles[i] = place->mode == STARPU_NONE ? &place->vector : buffers[n++];
    }
}

static void
bundle_cpu (void *buffers[], void *cl_arg)
{
  ArmillaBundle *self;
  void **tiles;

  starpu_codelet_unpack_args (cl_arg, &self);
  tiles = g_newa (void *, (gsize) self->places->len + 1);
  find_tiles (self, find_arena (self), buffers, tiles);
  armilla_task_times_begin (self->runs->graph->observers.n > 0);
  for (guint i = 0; i < self->calls->len; i++)
    run_call (self, &g_array_index (self->calls, ArmillaBundleCall, i), tiles);
  armilla_task_times_begin (FALSE);
  armilla_bundle_done (self);
}

/* The cost of a bundle is the sum of its tasks' costs, which armilla_bundle_submit() passes to
 * StarPU. */
static ArmillaCost
bundle_cost (const void *args, const starpu_data_handle_t *handles)
{
  (void) handles;
  return (*(ArmillaBundle *const *) args)->cost;
}

static ArmillaCodelet bundle_cl = ARMILLA_CPU_CODELET (bundle, "1");

static ArmillaBundle *
bundle_new (ArmillaBundleRuns *runs)
{
  ArmillaBundle *self = g_new0 (ArmillaBundle, 1);

  self->runs = runs;
  self->calls = g_array_new (FALSE, FALSE, sizeof (ArmillaBundleCall));
  self->places = g_array_new (FALSE, FALSE, sizeof (ArmillaBundlePlace));
  self->uses = g_array_new (FALSE, FALSE, sizeof (guint));
  self->args = g_byte_array_new ();
  return self;
}

static void
bundle_free (gpointer bundle)
{
  ArmillaBundle *self = bundle;

  g_array_unref (self->calls);
  g_array_unref (self->places);
  g_array_unref (self->uses);
  g_byte_array_unref (self->args);
  g_free (self);
}

/* Creates the state for running the bundles of a graph. */
ArmillaBundleRuns *
armilla_bundle_runs_new (ArmillaGraph *graph)
{
  ArmillaBundleRuns *self = g_new0 (ArmillaBundleRuns, 1);

  self->graph = graph;
  self->n_arenas = (int) starpu_worker_get_count ();
  self->arenas = g_new0 (Arena, self->n_arenas);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->idle = g_ptr_array_new_with_free_func (bundle_free);
  return self;
}

/* Frees the state after all bundles have run. */
void
armilla_bundle_runs_free (ArmillaBundleRuns *self)
{
  for (int i = 0; i < self->n_arenas; i++)
    arena_clear (&self->arenas[i]);
  g_free (self->arenas);
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Waits until fewer bundles are in flight. */
void
armilla_bundle_runs_wait (ArmillaBundleRuns *self, int limit)
{
  g_mutex_lock (&self->lock);
  if (self->in_flight >= limit)
    armilla_runtime_wake (self->graph->runtime);
  while (self->in_flight >= limit)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

/* Returns an empty bundle. armilla_bundle_submit() or armilla_bundle_done() must follow. */
ArmillaBundle *
armilla_bundle_open (ArmillaBundleRuns *self)
{
  ArmillaBundle *bundle = NULL;

  g_mutex_lock (&self->lock);
  if (self->idle->len > 0)
    bundle = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  self->in_flight++;
  g_mutex_unlock (&self->lock);
  if (!bundle)
    bundle = bundle_new (self);
  bundle->pending = 1;
  return bundle;
}

/* Called when the tasks of a bundle have run, and when each of its host steps has ended. After the
 * last call the bundle is no longer in flight, and is emptied for reuse. Bundles with waiting host
 * steps count as in flight, which bounds the memory of copied tiles. Any thread may call it. */
void
armilla_bundle_done (gpointer bundle)
{
  ArmillaBundle *self = bundle;
  ArmillaBundleRuns *runs = self->runs;

  if (!g_atomic_int_dec_and_test (&self->pending))
    return;
  g_array_set_size (self->calls, 0);
  g_array_set_size (self->places, 0);
  g_array_set_size (self->uses, 0);
  g_byte_array_set_size (self->args, 0);
  self->arena = 0;
  self->cost = (ArmillaCost) { 0, 0 };
  g_mutex_lock (&runs->lock);
  g_ptr_array_add (runs->idle, self);
  runs->in_flight--;
  g_cond_signal (&runs->changed);
  g_mutex_unlock (&runs->lock);
}

/* Drops the tasks and steps of a bundle that StarPU has rejected. */
static void
discard (ArmillaBundle *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      ArmillaBundleCall *call = &g_array_index (self->calls, ArmillaBundleCall, i);

      if (call->job)
        {
          armilla_host_job_drop (call->job);
          armilla_bundle_done (self);
          continue;
        }
      armilla_task_end_drop (&call->around.end);
      armilla_work_done (call->around.epoch);
    }
  armilla_bundle_done (self);
}

/* Submits the bundle as one task. Returns whether StarPU accepted it; its steps and tasks are
 * dropped otherwise. */
gboolean
armilla_bundle_submit (ArmillaBundle *self)
{
  g_autofree struct starpu_data_descr *descr
    = g_new (struct starpu_data_descr, (gsize) self->places->len + 1);
  int n = 0;

  for (guint i = 0; i < self->places->len; i++)
    {
      const ArmillaBundlePlace *place = &g_array_index (self->places, ArmillaBundlePlace, i);

      if (place->mode != STARPU_NONE)
        descr[n++] = (struct starpu_data_descr) { place->handle, place->mode };
    }
  if (starpu_task_insert (&bundle_cl.cl, STARPU_VALUE, &self, sizeof self,
                          STARPU_DATA_MODE_ARRAY, descr, n, STARPU_FLOPS, self->cost.flops,
                          STARPU_TASK_SCHED_DATA,
                          GSIZE_TO_POINTER ((gsize) MIN (self->cost.bytes, 1e18)), 0)
      == 0)
    return TRUE;
  discard (self);
  return FALSE;
}
