/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Balances the load of ranks that share a task graph. They exchange how long their tasks took,
 * compute the same new owners of blocks, and move tiles if that gains more time than it costs:
 * between the jobs of a graph, between the iterations of an analysis, and between batches of
 * pairs. */
#include "config.h"

#include "tasks/ranks/balance.h"

#include <string.h>

#include "tasks/graph/task-times.h"
#include "tasks/runtime/block-deal.h"
#include "tasks/ranks/measured.h"
#include "tasks/trace/trace-private.h"

/* Approximate seconds between two exchanges: other programs change the speeds of ranks within
 * seconds, and measurements over a shorter time are unreliable. */
#define ROUND 0.5
/* minimum interval, in durations of an exchange, since ranks with less than a core each need long
 * for one */
#define ROUND_EXCHANGES 20
/* minimum relative gain for which blocks move: smaller gains may be errors of measurement */
#define MIN_GAIN 0.15
/* assumed lower limit of the network bandwidth, byte/s: 10 Gbit/s Ethernet */
#define BANDWIDTH 1e9

typedef struct {
  ArmillaRuntime *runtime;
  double *speeds;      /* [rank]; the same on all ranks, like all members up to random */
  double prices[ARMILLA_MEASURED_CODELETS];
  gboolean known;      /* whether speeds are measured */
  GPtrArray *codelets; /* codelets used so far */
  gint64 talked;       /* epoch_number of the last exchange */
  gint64 due;          /* epoch_number from which on the next exchange may take place */
  guint64 random;      /* state of the generator for random assignments */
  double talk;         /* duration of the last exchange on this rank, s */
  double began;        /* start of this rank's measurements, s */
  /* CPU time and waiting time of the worker threads at the last call of share_of_cores(), s */
  double ran, waited;
  GMutex lock;         /* guards the following fields */
  ArmillaMeasured measured;
  pid_t threads[STARPU_NMAXWORKERS]; /* threads of CPU workers; 0: the worker has run no task yet */
} ArmillaBalance;

/* Argument of the callback of a measured task. */
typedef struct {
  ArmillaBalance *balance;
  ArmillaFault *fault;
  void (*done) (void *);
  gpointer work;
  double amount;
  int codelet;
} Task;

/* Returns the number of a codelet, the same on all ranks, since all submit the same tasks; -1: more
 * codelets than can be measured. */
static int
find_codelet (ArmillaBalance *self, ArmillaCodelet *codelet)
{
  guint number = 0;

  while (number < self->codelets->len && g_ptr_array_index (self->codelets, number) != codelet)
    number++;
  if (number == ARMILLA_MEASURED_CODELETS)
    return -1;
  if (number == self->codelets->len)
    g_ptr_array_add (self->codelets, codelet);
  return (int) number;
}

static void
task_done (void *data)
{
  g_autofree Task *task = data;
  ArmillaBalance *self = task->balance;
  ArmillaTaskTimes times;

  /* After a failure tasks do nothing, and would seem fast. */
  if (!armilla_fault_is_set (task->fault) && armilla_task_times (&times))
    {
      int kind = starpu_worker_get_type (times.worker) == STARPU_CPU_WORKER ? 0 : 1;
      double took = 1e-6 * (times.end - times.start);

      g_mutex_lock (&self->lock);
      if (kind == 0)
        self->threads[times.worker] = gettid ();
      self->measured.work[kind][task->codelet] += task->amount;
      self->measured.busy[kind][task->codelet] += MAX (took, 0);
      g_mutex_unlock (&self->lock);
    }
  task->done (task->work);
}

static gpointer
see_task (gpointer data, ArmillaGraph *graph, const ArmillaTaskCall *call, void (**done) (void *),
          gpointer work)
{
  ArmillaBalance *self = data;
  int number;
  Task *task;

  for (int i = 0; i < call->n_uses; i++)
    armilla_movers_written (graph, call->uses[i].handle, call->uses[i].mode);
  if (self->runtime->migrate != ARMILLA_MIGRATE_AUTO)
    return work;
  number = find_codelet (self, call->codelet);
  if (call->rank != self->runtime->rank || number < 0)
    return work;
  task = g_new (Task, 1);
  /* The unit of work does not matter: only tasks of the same codelet are compared. */
  *task = (Task) { self, &graph->fault, *done, work, call->cost.flops + call->cost.bytes,
                   number };
  *done = task_done;
  return task;
}

static gpointer
see_step (gpointer data, ArmillaGraph *graph, const ArmillaStepCall *call)
{
  (void) data;
  for (int i = 0; i < call->n_tiles; i++)
    armilla_movers_written (graph, call->tiles[i].handle, call->modes[i]);
  return NULL;
}

static void balance_job (gpointer self, ArmillaGraph *graph);

/* The initial speeds are those that the runtime has estimated. */
static ArmillaBalance *
balance_new (ArmillaRuntime *runtime)
{
  ArmillaBalance *self = g_new0 (ArmillaBalance, 1);

  self->runtime = runtime;
  self->speeds = g_memdup2 (runtime->speeds, sizeof (double) * (gsize) runtime->n_ranks);
  self->codelets = g_ptr_array_new ();
  self->due = 1;
  self->random = (guint64) runtime->migrate_seed;
  self->began = starpu_timing_now () / 1e6;
  g_mutex_init (&self->lock);
  if (runtime->migrate == ARMILLA_MIGRATE_AUTO)
    starpu_profiling_status_set (STARPU_PROFILING_ENABLE);
  return self;
}

static void
balance_free (gpointer data)
{
  ArmillaBalance *self = data;

  if (self->runtime->migrate == ARMILLA_MIGRATE_AUTO)
    starpu_profiling_status_set (STARPU_PROFILING_DISABLE);
  g_free (self->speeds);
  g_ptr_array_unref (self->codelets);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static const ArmillaObserver observer
  = { .task = see_task, .step = see_step, .job_begins = balance_job, .free = balance_free };

static ArmillaBalance *
find (const ArmillaGraph *graph)
{
  return armilla_observers_find (&graph->observers, &observer);
}

/* Lets the blocks of a new graph of several ranks change owners. */
void
armilla_balance_watch (ArmillaGraph *graph)
{
  graph->movers = g_ptr_array_new ();
  armilla_observers_add (&graph->observers, &observer, balance_new (graph->runtime));
}

/* Returns the current speeds of the ranks, the same on all ranks. */
const double *
armilla_graph_speeds (const ArmillaGraph *graph)
{
  const ArmillaBalance *self = find (graph);

  return self ? self->speeds : graph->view.speeds;
}

/* Steele, Lea and Flood (2014), SplitMix64 */
static guint64
next_random (ArmillaBalance *self)
{
  guint64 z = self->random += 0x9e3779b97f4a7c15u;

  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int
random_rank (ArmillaGraph *graph)
{
  return (int) (next_random (find (graph)) % (guint64) graph->view.n_ranks);
}

/* Returns the rank for a piece of work that any rank can do, the same on every rank: the one that
 * will finish it first. @deal becomes invalid at the next armilla_graph_balance (). */
int
armilla_balance_deal (ArmillaGraph *graph, ArmillaBlockDeal *deal, double cost)
{
  if (find (graph) && graph->runtime->migrate == ARMILLA_MIGRATE_RANDOM)
    return random_rank (graph);
  return armilla_block_deal_next (deal, cost);
}

#ifdef HAVE_MPI
static int
count_blocks (const ArmillaOrderBlocks *orders, const ArmillaRingBlocks *rings)
{
  return orders ? orders->n : rings->n;
}

static void
note (ArmillaGraph *graph, const ArmillaOrderBlocks *orders, const ArmillaRingBlocks *rings,
      const int *owners, const char *why)
{
  const int n = count_blocks (orders, rings);
  g_autoptr (GString) text = NULL;
  int moved = 0;

  if (!armilla_graph_is_traced (graph))
    return;
  for (int b = 0; b < n; b++)
    moved += owners[b] != (orders ? orders->owner[b] : rings->block[b].owner);
  text = g_string_new (NULL);
  g_string_printf (text, "%d of %d %s %s", moved, n, orders ? "m-blocks" : "ring blocks", why);
  armilla_trace_note (graph, "deal", text->str);
}

static void
deal_at_random (ArmillaGraph *graph, ArmillaOrderBlocks *orders, ArmillaRingBlocks *rings)
{
  const int n = count_blocks (orders, rings);
  g_autofree int *owners = g_new (int, n);

  for (int b = 0; b < n; b++)
    owners[b] = random_rank (graph);
  note (graph, orders, rings, owners, "change their ranks at random (ARMILLA_MIGRATE)");
  armilla_movers_run (graph, orders, rings, owners, TRUE);
}

static char *
describe_speeds (const ArmillaBalance *self)
{
  GString *text = g_string_new (NULL);

  for (int r = 0; r < self->runtime->n_ranks; r++)
    g_string_append_printf (text, "%s%.3g", r == 0 ? "" : " ", self->speeds[r]);
  return g_string_free (text, FALSE);
}

/* Moves blocks to balance the load if that pays. @round: seconds since the last exchange; the next
 * exchange is assumed to be as long away. */
static void
deal_by_speed (ArmillaGraph *graph, ArmillaOrderBlocks *orders, ArmillaRingBlocks *rings,
               double round)
{
  const int n = count_blocks (orders, rings);
  g_autofree int *owners = g_new (int, n);
  g_autofree double *costs = g_new (double, n);
  g_autofree char *speeds = describe_speeds (find (graph));
  g_autofree char *why = NULL;
  double ratio, moving;
  gboolean pays;

  for (int b = 0; b < n; b++)
    {
      owners[b] = orders ? orders->owner[b] : rings->block[b].owner;
      costs[b] = orders ? (double) armilla_order_block_count (orders, b)
                        : (double) rings->block[b].n_pixels;
    }
  ratio = armilla_block_deal_again (costs, n, armilla_graph_speeds (graph),
                                    graph->view.n_ranks, owners);
  if (1 - ratio < MIN_GAIN)
    return;
  moving = (double) armilla_movers_run (graph, orders, rings, owners, FALSE) / BANDWIDTH;
  pays = (1 - ratio) * round > moving;
  why = g_strdup_printf ("%s: ranks have the speeds %s; a round of %.2f s will take %.2f s, and "
                         "moving takes %.2f s",
                         pays ? "change their ranks" : "stay, since moving costs more than it "
                                "gains", speeds, round,
                         ratio * round, moving);
  note (graph, orders, rings, owners, why);
  if (pays)
    armilla_movers_run (graph, orders, rings, owners, TRUE);
}

/* Returns the CPU time of the worker threads since the last call, divided by the time in which they
 * were running or ready to run; below 1 if other programs use the cores. 0 if the kernel does not
 * report it. */
static double
share_of_cores (ArmillaBalance *self)
{
  double ran = 0, waited = 0, share = 0;

  for (int w = 0; w < STARPU_NMAXWORKERS; w++)
    {
      g_autofree char *path = NULL, *text = NULL;
      char *end = NULL;

      if (self->threads[w] == 0)
        continue;
      path = g_strdup_printf ("/proc/self/task/%d/schedstat", (int) self->threads[w]);
      if (!g_file_get_contents (path, &text, NULL, NULL))
        return 0;
      ran += 1e-9 * g_ascii_strtod (text, &end);
      waited += 1e-9 * g_ascii_strtod (end, NULL);
    }
  if (ran > self->ran && waited >= self->waited)
    share = (ran - self->ran) / (ran - self->ran + waited - self->waited);
  self->ran = ran;
  self->waited = waited;
  return share;
}

/* Exchanges the measurements of all ranks. Returns the seconds since the last exchange; @talk:
 * duration of the exchange, s. */
static double
exchange (ArmillaGraph *graph, ArmillaMeasured *all, double *talk)
{
  ArmillaBalance *self = find (graph);
  ArmillaRuntime *runtime = self->runtime;
  ArmillaMeasured *own = &all[runtime->rank];
  double now = starpu_timing_now () / 1e6, longest = 0;
  MPI_Request request;

  g_mutex_lock (&self->lock);
  *own = self->measured;
  memset (&self->measured, 0, sizeof self->measured);
  own->share = share_of_cores (self);
  g_mutex_unlock (&self->lock);
  own->seconds = now - self->began;
  own->talk = self->talk;
  own->workers[0] = (double) starpu_cpu_worker_get_count ();
  own->workers[1] = (double) starpu_worker_get_count () - own->workers[0];
  self->began = now;
  if (MPI_Iallgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, (int) sizeof *all, MPI_BYTE,
                      runtime->comm, &request)
        != MPI_SUCCESS
      || !armilla_mpi_wait_asleep (&request))
    {
      g_autoptr (GError) error
        = g_error_new_literal (ARMILLA_ERROR, ARMILLA_ERROR_MPI, "MPI_Iallgather failed");

      armilla_runtime_abandon (runtime, error);
      armilla_runtime_fail (runtime, error);
    }
  self->talk = starpu_timing_now () / 1e6 - now;
  /* The rank that arrives last does not wait: the shortest time is that of the exchange itself. */
  *talk = G_MAXDOUBLE;
  for (int r = 0; r < runtime->n_ranks; r++)
    {
      longest = MAX (longest, all[r].seconds);
      *talk = MIN (*talk, all[r].talk);
    }
  return longest;
}

static void
balance_by_speed (ArmillaGraph *graph)
{
  ArmillaBalance *self = find (graph);
  g_autofree ArmillaMeasured *all = g_new (ArmillaMeasured, graph->view.n_ranks);
  double talk, round = exchange (graph, all, &talk);
  double epochs = (double) (graph->epoch_number - self->talked);
  double next = MAX (ROUND, ROUND_EXCHANGES * talk);

  self->talked = graph->epoch_number;
  self->due = self->talked + (gint64) CLAMP (epochs * next / MAX (round, 1e-6), 1, 1e6);
  if (!armilla_measured_speeds (all, graph->view.n_ranks, self->prices, self->speeds,
                                &self->known))
    return;
  for (guint i = 0; i < graph->order_blocks->len; i++)
    deal_by_speed (graph, g_ptr_array_index (graph->order_blocks, i), NULL, round);
  for (guint i = 0; i < graph->ring_blocks->len; i++)
    deal_by_speed (graph, NULL, g_ptr_array_index (graph->ring_blocks, i), round);
}
#endif

/* Exchanges measurements and moves blocks if that pays. Every rank must call this, at points where
 * blocks may change owners: all tiles of blocks that are needed later must have a mover
 * (armilla_mover_new ()). */
void
armilla_graph_balance (ArmillaGraph *graph)
{
#ifdef HAVE_MPI
  const ArmillaBalance *self = find (graph);

  if (!self)
    return;
  if (graph->runtime->migrate == ARMILLA_MIGRATE_RANDOM)
    {
      for (guint i = 0; i < graph->order_blocks->len; i++)
        deal_at_random (graph, g_ptr_array_index (graph->order_blocks, i), NULL);
      for (guint i = 0; i < graph->ring_blocks->len; i++)
        deal_at_random (graph, NULL, g_ptr_array_index (graph->ring_blocks, i));
    }
  else if (graph->epoch_number >= self->due)
    balance_by_speed (graph);
#else
  (void) graph;
#endif
}

static void
balance_job (gpointer self, ArmillaGraph *graph)
{
  (void) self;
  armilla_graph_balance (graph);
}
