/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --memory SIZE: the resident size of the process stays below it.
 *
 * StarPU is told that it has SIZE of main memory and a disk to move tiles to. What the program
 * itself takes (code, tables, plans, buffers of files) is measured while it runs, and taken from
 * StarPU's account. */
#include "config.h"

#include "tasks/memory/bound.h"

#include <stdlib.h>
#include <unistd.h>

#include "tasks/graph/graph-private.h"
#include "tasks/memory/memory-use.h"
#include "tasks/memory/tile-memory.h"

#define INTERVAL 10000 /* microseconds between two looks at the memory */
/* What may come between two looks, as buffers of I/O threads. */
#define MARGIN (44 << 20)
#define MIN_FOR_TILES (16 << 20)
/* A task takes seconds. Where none has ended for so many looks, no byte has moved to or from the
 * disk and memory is short, StarPU waits for memory that nobody will give back. (Looks, not time:
 * the process may be stopped for a while.) */
#define STALLED (120 * (int) (G_USEC_PER_SEC / INTERVAL))

struct _ArmillaBound {
  gint64 bytes;
  gssize reserved; /* atomic: of StarPU's account, for what is no tile */
  double last;     /* what was no tile when it was looked at last */
  gint running;    /* atomic: steps on the host */
  ArmillaSpill *spill;
  ArmillaRuntime *runtime;
  GThread *thread;
  GMutex lock;
  GCond changed;
  gboolean ended;
  gboolean released; /* nothing is reserved until armilla_bound_settle() */
  gint64 progress; /* what was seen last */
  int looks;       /* how often it was seen since */
};

static double
tiles_now (ArmillaBound *self)
{
  return armilla_memory_used_on (STARPU_MAIN_RAM)
         - (double) g_atomic_pointer_get (&self->reserved) + (double) armilla_tile_memory_idle ();
}

/* Measures what is no tile, and takes what has come from StarPU's account. Tiles may be allocated
 * and not yet touched, so the measure errs to one side, and the largest counts; but a tile that
 * comes or goes just now is taken for something else at most once. */
static void
look (ArmillaBound *self)
{
  double reserved = (double) g_atomic_pointer_get (&self->reserved);
  double before = tiles_now (self), resident = armilla_memory_resident ();
  double others = resident - MAX (before, tiles_now (self)) + MARGIN;
  double sure = MIN (others, self->last);

  self->last = others;
  if (sure > reserved
      && starpu_memory_allocate (STARPU_MAIN_RAM, (size_t) (sure - reserved),
                                 STARPU_MEMORY_OVERFLOW) == 0)
    g_atomic_pointer_set (&self->reserved, (gssize) sure);
}

/* Something that grows as long as anything happens; -1 where nothing is due. */
static gint64
find_progress (ArmillaBound *self)
{
  ArmillaSpillUse use = armilla_spill_use (self->spill);
  gint64 sum = 0, left = 0;

  g_mutex_lock (&self->runtime->lock);
  for (GList *i = self->runtime->graphs; i; i = i->next)
    {
      gint64 done, submitted;

      armilla_graph_progress (i->data, &done, &submitted);
      sum += done + submitted;
      left += submitted - done;
    }
  g_mutex_unlock (&self->runtime->lock);
  return left > 0 ? sum + use.read + use.written : -1;
}

static void
reserve_less (ArmillaBound *self, double bytes)
{
  const double reserved = (double) g_atomic_pointer_get (&self->reserved);

  if (bytes >= reserved)
    return;
  starpu_memory_deallocate (STARPU_MAIN_RAM, (size_t) (reserved - bytes));
  g_atomic_pointer_set (&self->reserved, (gssize) bytes);
}

/* Where the program does not exit, the calls fail, and StarPU gets the memory back that was taken
 * from its account, so that the tasks that wait for memory end. */
static void
give_up (ArmillaBound *self, const char *text)
{
  g_autoptr (GError) error = g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, text);

  armilla_runtime_die (self->runtime, text);
  armilla_runtime_fail (self->runtime, error);
  self->released = TRUE;
  reserve_less (self, 0);
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
              "no task has ended for %d s, as memory is short: allow more than --memory %.2fGiB",
              STALLED * INTERVAL / (int) G_USEC_PER_SEC, (double) self->bytes / (1 << 30));
  give_up (self, text);
  self->looks = 0;
}

static gpointer
watch (gpointer data)
{
  ArmillaBound *self = data;

  g_mutex_lock (&self->lock);
  while (!self->ended)
    {
      gint64 next = g_get_monotonic_time () + INTERVAL;

      if (!self->released)
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

/* To be called before StarPU starts, which reads the environment then. Returns a bound;
 * ARMILLA_ERROR_MEMORY or ARMILLA_ERROR_IO; NULL on error. */
ArmillaBound *
armilla_bound_new (gint64 bytes, const char *folder, GError **error)
{
  double resident = armilla_memory_resident ();
  ArmillaBound *self;
  ArmillaSpill *spill;
  char text[32];

  if ((double) bytes < resident + MARGIN + MIN_FOR_TILES)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "memory = %.0f MiB is not enough: the program itself takes %.0f MiB "
                              "before it reads anything; allow %.0f MiB at least",
                              (double) bytes / (1 << 20), resident / (1 << 20),
                              (resident + MARGIN + MIN_FOR_TILES) / (1 << 20) + 1);
  spill = armilla_spill_new (folder, error);
  if (!spill)
    return NULL;
  self = g_new0 (ArmillaBound, 1);
  self->bytes = bytes >> 20 << 20;
  self->spill = spill;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, bytes >> 20);
  g_setenv ("STARPU_LIMIT_CPU_MEM", text, TRUE);
  g_setenv ("STARPU_USE_NUMA", "0", TRUE); /* the limit is that of one node */
  /* StarPU would write tiles to the disk beforehand that are about to be given back. */
  g_setenv ("STARPU_MINIMUM_CLEAN_BUFFERS", "0", FALSE);
  g_setenv ("STARPU_TARGET_CLEAN_BUFFERS", "0", FALSE);
  return self;
}

static void
spill_failed (gpointer user, const GError *error)
{
  ArmillaBound *self = user;

  armilla_runtime_fail (self->runtime, error);
}

/* Returns whether StarPU has taken the disk. */
gboolean
armilla_bound_begin (ArmillaBound *self, ArmillaRuntime *runtime, GError **error)
{
  self->runtime = runtime;
  if (armilla_spill_register (self->spill, spill_failed, self, error) < 0)
    return FALSE;
  look (self);
  look (self);
  self->thread = g_thread_try_new ("bound", watch, self, error);
  return self->thread != NULL;
}

/* To be called between computations of a process that goes on, such as the calls of a session:
 * what its own data take may have grown beyond the bound, or become less. Returns whether
 * anything is left for tiles. */
gboolean
armilla_bound_settle (ArmillaBound *self, GError **error)
{
  double others;

  g_mutex_lock (&self->lock);
  others = armilla_memory_resident () - tiles_now (self) + MARGIN;
  reserve_less (self, MAX (others, 0));
  self->last = others;
  self->released = FALSE;
  self->looks = 0;
  g_mutex_unlock (&self->lock);
  if (others + MIN_FOR_TILES <= (double) self->bytes)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "memory = %.0f MiB of the session is not enough: the process takes %.0f MiB "
                       "beside what Armilla computes; allow %.0f MiB at least",
                       (double) self->bytes / (1 << 20), (others - MARGIN) / (1 << 20),
                       (others + MIN_FOR_TILES) / (1 << 20) + 1);
}

/* To be called before StarPU is shut down. */
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
  starpu_memory_deallocate (STARPU_MAIN_RAM, (size_t) self->reserved);
}

void
armilla_bound_free (ArmillaBound *self)
{
  armilla_spill_free (self->spill);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* Returns what the process may take. */
gint64
armilla_bound_bytes (const ArmillaBound *self)
{
  return self->bytes;
}

/* Returns what is left of it for tiles, in bytes; may shrink while the program runs. */
gint64
armilla_bound_for_tiles (ArmillaBound *self)
{
  return MAX (self->bytes - (gint64) g_atomic_pointer_get (&self->reserved), 0);
}

/* Returns what the program takes beside tiles, in bytes; may be more than the bound. */
gint64
armilla_bound_reserved (ArmillaBound *self)
{
  return (gint64) g_atomic_pointer_get (&self->reserved);
}

/* Returns bytes of tiles that steps on the host may hold together. What they hold or wait for
 * cannot be moved to the disk; the rest is for tasks. */
gint64
armilla_bound_for_steps (ArmillaBound *self)
{
  return armilla_bound_for_tiles (self) / 4;
}

/* A step on the host runs, which may take long. */
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

/* Returns how much went to the disk, in words; NULL: nothing. */
char *
armilla_bound_describe (ArmillaBound *self)
{
  ArmillaSpillUse use = armilla_spill_use (self->spill);

  if (use.written == 0)
    return NULL;
  return g_strdup_printf ("tiles on disk: %.2f GiB at once; %.2f GiB written, %.2f GiB read",
                          (double) use.most / (1 << 30), (double) use.written / (1 << 30),
                          (double) use.read / (1 << 30));
}

/* Returns a line on what is unwise about it; NULL: nothing. */
char *
armilla_bound_warning (ArmillaBound *self)
{
  return armilla_spill_warning (self->spill);
}
