/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements --memory SIZE: keeps the resident size of the process below SIZE. StarPU may use SIZE
 * for tiles, and moves tiles to a disk when it needs more. Other memory of the process (code,
 * tables, plans, file buffers) is measured during the run and subtracted from StarPU's limit; but
 * each worker keeps room for one task: with less, workers would wait for each other's tiles. */
#include "config.h"

#include "tasks/memory/bound.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#include <starpu.h>
#endif
#include <stdlib.h>
#include <unistd.h>

#include "tasks/memory/memory-use.h"
#include "tasks/memory/tile-memory.h"

#define INTERVAL 10000 /* microseconds between two measurements */
/* Number of measurements of which the minimum counts: tiles are allocated and freed while the
 * resident size is read. */
#define LOOKS 8
/* Initial reserve for memory other than tiles, which grows (tables, plans, heap); and reserve for
 * changes between two measurements, such as buffers of I/O threads. */
#define MARGIN (44 << 20)
#define SPARE (16 << 20)
#define MIN_FOR_TILES (16 << 20)
/* Number of measurements without progress after which the run is stuck: a task takes seconds, so if
 * none has ended, no byte has moved to or from the disk, and memory is short, then StarPU waits for
 * memory that will never be freed. Counts measurements, since the process may be stopped for a
 * while. */
#define STALLED (120 * (int) (G_USEC_PER_SEC / INTERVAL))

struct _ArmillaBound {
  gint64 bytes;
  gssize others;   /* atomic: memory other than tiles, plus the reserve; may exceed @bytes */
  gssize reserved; /* atomic: amount by which StarPU's limit is lowered because of @others */
  /* minimum of memory other than tiles, of the measurements since @others was set */
  double min_others;
  int n_looks;     /* number of these measurements */
  double peak;     /* maximum resident size */
  gssize task;     /* atomic: bytes of the largest task */
  gssize step;     /* atomic: bytes of the largest step on the host */
  gint running;    /* atomic: number of running steps on the host */
  ArmillaSpill *spill;
  ArmillaBoundOwner owner;
  GThread *thread;
  GMutex lock;
  GCond changed;
  gboolean ended;
  /* atomic: whether StarPU has its whole limit until another graph exists, see
   * look_for_failure() */
  gint released;
  gint64 progress; /* find_progress() at the last measurement */
  int looks;       /* number of measurements without progress */
};

static double
tiles_now (ArmillaBound *self)
{
  return armilla_memory_used_on (STARPU_MAIN_RAM)
         - (double) g_atomic_pointer_get (&self->reserved) + (double) armilla_tile_memory_idle ();
}

/* Returns the bytes that tiles always get: one task per worker, and for steps on the host a fourth
 * of the total, or the largest step if that is more. */
static double
floor_of (ArmillaBound *self)
{
  double tasks = (double) g_atomic_pointer_get (&self->task) * starpu_worker_get_count ();

  return MAX (tasks / 3 * 4, tasks + (double) g_atomic_pointer_get (&self->step));
}

static void
reserve (ArmillaBound *self, double others)
{
  const gssize reserved = g_atomic_pointer_get (&self->reserved);
  const gssize wanted = (gssize) MAX (MIN (others, (double) self->bytes - floor_of (self)), 0);

  g_atomic_pointer_set (&self->others, (gssize) others);
  if (wanted < reserved)
    starpu_memory_deallocate (STARPU_MAIN_RAM, (size_t) (reserved - wanted));
  else if (starpu_memory_allocate (STARPU_MAIN_RAM, (size_t) (wanted - reserved),
                                   STARPU_MEMORY_OVERFLOW) != 0)
    return;
  g_atomic_pointer_set (&self->reserved, wanted);
}

static void
release (ArmillaBound *self)
{
  starpu_memory_deallocate (STARPU_MAIN_RAM, (size_t) g_atomic_pointer_get (&self->reserved));
  g_atomic_pointer_set (&self->reserved, 0);
}

/* Returns the bytes of memory other than tiles. Some tiles may be allocated but not touched yet, so
 * the result may be too small. */
static double
measure_others (ArmillaBound *self)
{
  double before = tiles_now (self), resident = armilla_memory_resident ();

  self->peak = MAX (self->peak, resident);
  return resident - MAX (before, tiles_now (self));
}

/* Measures memory other than tiles. If it has grown, first returns free memory of the C library to
 * the kernel, then lowers StarPU's limit. */
static void
look (ArmillaBound *self)
{
  const double known = (double) g_atomic_pointer_get (&self->others);
  double others = measure_others (self);

  self->min_others = self->n_looks > 0 ? MIN (self->min_others, others) : others;
  if (++self->n_looks < LOOKS)
    return;
  self->n_looks = 0;
#ifdef HAVE_MALLOC_TRIM
  if (self->min_others + SPARE > known)
    {
      malloc_trim (0);
      self->min_others = MIN (self->min_others, measure_others (self));
    }
#endif
  reserve (self, MAX (self->min_others + SPARE, known));
}

/* Returns a number that grows with finished tasks and with bytes moved; -1 if no work is
 * pending. */
static gint64
find_progress (ArmillaBound *self)
{
  ArmillaSpillUse use = armilla_spill_use (self->spill);
  gint64 sum, left;

  self->owner.progress (self->owner.user, &sum, &left);
  return left > 0 ? sum + use.read + use.written : -1;
}

/* Ends the run, which is stuck. If the program does not exit, all calls fail, and StarPU gets its
 * whole limit, so that tasks waiting for memory end. */
static void
give_up (ArmillaBound *self, const char *text)
{
  g_autoptr (GError) error = g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, text);

  self->owner.die (self->owner.user, text);
  self->owner.fail (self->owner.user, error);
  g_atomic_int_set (&self->released, TRUE);
  release (self);
}

static void
look_for_stall (ArmillaBound *self)
{
  gint64 progress = find_progress (self);
  double used = armilla_memory_used_on (STARPU_MAIN_RAM);
  char text[256];

  if (progress < 0 || progress != self->progress || g_atomic_int_get (&self->running) > 0
      || used < 0.5 * (double) self->bytes)
    {
      self->progress = progress;
      self->looks = 0;
    }
  if (++self->looks < STALLED)
    return;
  g_snprintf (text, sizeof text,
              "no task has ended for %d s because memory is short: allow more than --memory "
              "%.2fGiB",
              STALLED * INTERVAL / (int) G_USEC_PER_SEC, (double) self->bytes / (1 << 30));
  give_up (self, text);
  self->looks = 0;
}

static void
begin_release (gpointer bound, gpointer unused)
{
  ArmillaBound *self = bound;

  (void) unused;
  armilla_spill_skip (self->spill, TRUE);
  g_atomic_int_set (&self->released, TRUE);
}

/* Gives StarPU its whole limit once all graphs have failed, so that the run ends at once: tasks
 * then only allocate tiles and write nothing, so that tiles use no memory and need not be moved. */
static gboolean
look_for_failure (ArmillaBound *self)
{
  const gboolean failed = self->owner.if_failed (self->owner.user, begin_release, self);

  if (failed)
    release (self);
  return failed;
}

static gpointer
watch (gpointer data)
{
  ArmillaBound *self = data;

  g_mutex_lock (&self->lock);
  while (!self->ended)
    {
      gint64 next = g_get_monotonic_time () + INTERVAL;

      if (!g_atomic_int_get (&self->released) && !look_for_failure (self))
        {
          look (self);
          look_for_stall (self);
        }
      while (!self->ended && g_cond_wait_until (&self->changed, &self->lock, next))
        ;
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Creates a bound, before StarPU starts, which reads the environment. Whether the bound is large
 * enough is known when the tiles are: armilla_graph_fits_better() then reports the memory that the
 * run needs. Returns NULL with ARMILLA_ERROR_IO if the folder is not writable. */
ArmillaBound *
armilla_bound_new (gint64 bytes, const char *folder, GError **error)
{
  ArmillaBound *self;
  ArmillaSpill *spill;
  char text[32];

  spill = armilla_spill_new (folder, error);
  if (!spill)
    return NULL;
  self = g_new0 (ArmillaBound, 1);
  self->bytes = MAX (bytes >> 20, 1) << 20;
  self->spill = spill;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, MAX (bytes >> 20, 1));
  g_setenv ("STARPU_LIMIT_CPU_MEM", text, TRUE);
  g_setenv ("STARPU_USE_NUMA", "0", TRUE); /* the limit is per NUMA node */
  /* Otherwise StarPU would write tiles to the disk before it must, also ones about to be freed. */
  g_setenv ("STARPU_MINIMUM_CLEAN_BUFFERS", "0", FALSE);
  g_setenv ("STARPU_TARGET_CLEAN_BUFFERS", "0", FALSE);
  return self;
}

static void
spill_failed (gpointer user, const GError *error)
{
  ArmillaBound *self = user;

  self->owner.fail (self->owner.user, error);
}

/* Returns whether StarPU accepted the disk. */
gboolean
armilla_bound_begin (ArmillaBound *self, const ArmillaBoundOwner *owner, GError **error)
{
  self->owner = *owner;
  if (armilla_spill_register (self->spill, spill_failed, self, error) < 0)
    return FALSE;
  reserve (self, measure_others (self) + MARGIN);
  self->thread = g_thread_try_new ("bound", watch, self, error);
  return self->thread != NULL;
}

/* Must be called between computations of a continuing process, such as the calls of a session,
 * whose own memory may have grown or shrunk. Returns whether any memory is left for tiles. */
gboolean
armilla_bound_settle (ArmillaBound *self, GError **error)
{
  double others;

  g_mutex_lock (&self->lock);
  others = measure_others (self) + MARGIN;
  reserve (self, MIN (others, (double) g_atomic_pointer_get (&self->others)));
  self->n_looks = 0;
  self->looks = 0;
  g_mutex_unlock (&self->lock);
  if (others + MIN_FOR_TILES <= (double) self->bytes)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "memory = %.0f MiB of the session is too little: the process uses %.0f MiB "
                       "in addition to Armilla's tiles; set at least %.0f MiB",
                       (double) self->bytes / (1 << 20), (others - MARGIN) / (1 << 20),
                       (others + MIN_FOR_TILES) / (1 << 20) + 1);
}

/* Applies the limit again after all graphs failed. Must be called after another graph is in the
 * list of the runtime, and before it submits tasks. */
void
armilla_bound_resume (ArmillaBound *self)
{
  armilla_spill_skip (self->spill, FALSE);
  g_atomic_int_set (&self->released, FALSE);
}

/* Raises @max, one of the sizes from which floor_of() is computed. */
static void
keep_max (ArmillaBound *self, gssize *max, gint64 bytes)
{
  if (bytes <= (gint64) g_atomic_pointer_get (max))
    return;
  g_mutex_lock (&self->lock);
  g_atomic_pointer_set (max, MAX ((gssize) bytes, *max));
  reserve (self, (double) g_atomic_pointer_get (&self->others));
  g_mutex_unlock (&self->lock);
}

/* Must be called before a task is submitted whose tiles have @bytes: from then on tiles always get
 * room for one such task per worker. */
void
armilla_bound_take_task (ArmillaBound *self, gint64 bytes)
{
  keep_max (self, &self->task, bytes);
}

/* The same for a step on the host. */
void
armilla_bound_take_step (ArmillaBound *self, gint64 bytes)
{
  keep_max (self, &self->step, bytes);
}

/* Must be called before StarPU is shut down. */
void
armilla_bound_end (ArmillaBound *self)
{
  if (!self->thread)
    return;
  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  g_thread_join (g_steal_pointer (&self->thread));
  release (self);
}

void
armilla_bound_free (ArmillaBound *self)
{
  armilla_spill_free (self->spill);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Returns the bound of the process. */
gint64
armilla_bound_bytes (const ArmillaBound *self)
{
  return self->bytes;
}

/* Returns the bytes that are left for tiles; they may decrease during the run. */
gint64
armilla_bound_for_tiles (ArmillaBound *self)
{
  return MAX (self->bytes - (gint64) g_atomic_pointer_get (&self->reserved), 0);
}

/* Returns the bytes of memory other than tiles; may exceed the bound. */
gint64
armilla_bound_others (ArmillaBound *self)
{
  return (gint64) g_atomic_pointer_get (&self->others);
}

/* Returns the bytes of tiles that all steps on the host may hold or wait for together: such tiles
 * cannot be moved to the disk, and tasks need the rest. */
gint64
armilla_bound_for_steps (ArmillaBound *self)
{
  return armilla_bound_for_tiles (self) / 4;
}

/* Marks the beginning of a step on the host, which may take long. */
void
armilla_bound_step_begins (ArmillaBound *self)
{
  g_atomic_int_inc (&self->running);
}

void
armilla_bound_step_ends (ArmillaBound *self)
{
  g_atomic_int_add (&self->running, -1);
}

/* Describes the amount of data moved to the disk; NULL if there was none and the bound was not
 * exceeded. */
char *
armilla_bound_describe (ArmillaBound *self)
{
  ArmillaSpillUse use = armilla_spill_use (self->spill);
  g_autofree char *beyond = NULL;

  if (self->peak > (double) self->bytes)
    beyond = g_strdup_printf ("the process used %.0f MiB, more than memory = %.0f MiB; ",
                              self->peak / (1 << 20), (double) self->bytes / (1 << 20));
  if (use.written == 0 && !beyond)
    return NULL;
  return g_strdup_printf ("%stiles on disk: %.2f GiB at once; %.2f GiB written, %.2f GiB read",
                          beyond ? beyond : "", (double) use.max_bytes / (1 << 30),
                          (double) use.written / (1 << 30), (double) use.read / (1 << 30));
}

/* Returns a warning about the bound; NULL: none. */
char *
armilla_bound_warning (ArmillaBound *self)
{
  return armilla_spill_warning (self->spill);
}
