/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <sched.h>
#include <stdatomic.h>

#include "tasks/runtime/team.h"

/* microseconds for which a member polls for more work before it sleeps */
#define LINGER 1000
/* polls between two readings of the clock */
#define LOOKS 64
/* polls after which the waiting thread yields its core, which a member may need */
#define LOOKS_BEFORE_YIELD 4096
#define CACHE_LINE 64

typedef struct {
  ArmillaTeam *team;
  int number;
  GThread *thread;
  char *scratch;
  gsize scratch_size;
} Member;

struct _ArmillaTeam {
  Member *members;
  int n_members;
  ArmillaTeamRun run;
  gpointer user;
  _Atomic gboolean quits;
  _Atomic int n_asleep;
  GMutex lock; /* lock of wake, the condition for which members sleep */
  GCond wake;
  /* Tasks are numbered from the start of the team. Members take the task @next while @next <
   * @limit; @done counts tasks that have ended. A new batch begins when all tasks have ended. */
  _Alignas (CACHE_LINE) _Atomic gint64 next;
  _Alignas (CACHE_LINE) _Atomic gint64 limit;
  _Atomic int n_active; /* number of members that may run tasks; changes with @limit */
  _Alignas (CACHE_LINE) _Atomic gint64 done;
};

static void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("yield");
#endif
}

static gboolean
has_work (const ArmillaTeam *team)
{
  return atomic_load (&team->next) < atomic_load (&team->limit);
}

/* Runs the next task, if there is one for this member. */
static gboolean
run_next (ArmillaTeam *team, int member)
{
  gint64 task = atomic_load_explicit (&team->next, memory_order_relaxed);

  while (task < atomic_load_explicit (&team->limit, memory_order_acquire))
    if (atomic_compare_exchange_weak (&team->next, &task, task + 1))
      {
        team->run (team->user, task, member);
        atomic_fetch_add_explicit (&team->done, 1, memory_order_release);
        return TRUE;
      }
  return FALSE;
}

/* Wakes one sleeping member; each member that wakes wakes another one, so that the calling thread
 * loses little time. */
static void
wake_one (ArmillaTeam *team)
{
  if (atomic_load (&team->n_asleep) == 0)
    return;
  g_mutex_lock (&team->lock);
  g_cond_signal (&team->wake);
  g_mutex_unlock (&team->lock);
}

static void
sleep_until_work (ArmillaTeam *team)
{
  g_mutex_lock (&team->lock);
  atomic_fetch_add (&team->n_asleep, 1);
  while (!atomic_load (&team->quits) && !has_work (team))
    g_cond_wait (&team->wake, &team->lock);
  atomic_fetch_sub (&team->n_asleep, 1);
  g_mutex_unlock (&team->lock);
  wake_one (team);
}

static gpointer
member_main (gpointer data)
{
  Member *self = data;
  ArmillaTeam *team = self->team;
  gint64 idle_since = g_get_monotonic_time ();

  while (!atomic_load (&team->quits))
    {
      gboolean ran = FALSE;

      for (int i = 0; i < LOOKS; i++)
        if (self->number < atomic_load (&team->n_active) && run_next (team, self->number))
          ran = TRUE;
        else
          relax ();
      if (ran)
        idle_since = g_get_monotonic_time ();
      else if (g_get_monotonic_time () - idle_since > LINGER)
        {
          sleep_until_work (team);
          idle_since = g_get_monotonic_time ();
        }
    }
  return NULL;
}

/* @n_members: number of threads, the calling one included; there are fewer if threads cannot be
 * started. */
ArmillaTeam *
armilla_team_new (int n_members)
{
  ArmillaTeam *team = g_aligned_alloc0 (1, sizeof *team, CACHE_LINE);

  g_mutex_init (&team->lock);
  g_cond_init (&team->wake);
  team->n_members = n_members;
  team->members = g_new0 (Member, n_members);
  for (int i = 0; i < n_members; i++)
    {
      team->members[i] = (Member) { .team = team, .number = i };
      if (i > 0)
        team->members[i].thread = g_thread_try_new ("team", member_main, &team->members[i], NULL);
    }
  return team;
}

void
armilla_team_free (ArmillaTeam *team)
{
  if (!team)
    return;
  g_mutex_lock (&team->lock);
  atomic_store (&team->quits, TRUE);
  g_cond_broadcast (&team->wake);
  g_mutex_unlock (&team->lock);
  for (int i = 0; i < team->n_members; i++)
    {
      if (team->members[i].thread)
        g_thread_join (team->members[i].thread);
      g_aligned_free (team->members[i].scratch);
    }
  g_free (team->members);
  g_mutex_clear (&team->lock);
  g_cond_clear (&team->wake);
  g_aligned_free (team);
}

/* Begins a batch for @n_active members, the calling thread included, and returns the number of its
 * first task. Members that poll may still take a task if there are more than @n_active. Of the
 * functions of a team, all except armilla_team_scratch () may be called by one thread at a time. */
gint64
armilla_team_begin (ArmillaTeam *team, int n_active, ArmillaTeamRun run, gpointer user)
{
  team->run = run;
  team->user = user;
  atomic_store (&team->n_active, n_active);
  return atomic_load (&team->limit);
}

/* Adds n tasks to the batch; members may run them at once. */
void
armilla_team_add (ArmillaTeam *team, gint64 n)
{
  atomic_fetch_add (&team->limit, n);
  if (atomic_load (&team->n_active) > 1)
    wake_one (team);
}

/* Runs tasks of the batch, and waits until all have ended. */
void
armilla_team_finish (ArmillaTeam *team)
{
  const gint64 limit = atomic_load (&team->limit);

  while (run_next (team, 0))
    ;
  for (gint64 looks = 1; atomic_load_explicit (&team->done, memory_order_acquire) < limit; looks++)
    if (looks % LOOKS_BEFORE_YIELD == 0)
      sched_yield ();
    else
      relax ();
}

/* Returns uninitialised memory of the calling member, valid until its next call. */
gpointer
armilla_team_scratch (ArmillaTeam *team, int member, gsize size)
{
  Member *self = &team->members[member];

  if (size > self->scratch_size)
    {
      g_aligned_free (self->scratch);
      self->scratch = g_aligned_alloc (1, size, CACHE_LINE);
      self->scratch_size = size;
    }
  return self->scratch;
}
