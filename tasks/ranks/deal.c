/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes whole realisations to ranks during the run. A rank requests more when it has
 * submitted those that it got, and reports how long the previous ones took; so slow ranks get
 * fewer. A thread of rank 0 answers requests. Results do not depend on the rank. */
#include "config.h"

#include <armilla/runtime.h>

#include "tasks/ranks/deal-plan.h"
#include "tasks/ranks/deal.h"
#include "tasks/runtime/share.h"
#include "tasks/runtime/runtime-private.h"
#include "tasks/trace/trace-private.h"

#define POLL (G_USEC_PER_SEC / 1000)       /* interval at which rank 0 polls for requests */
#define ASK_AGAIN (G_USEC_PER_SEC / 50) /* interval at which a waiting rank repeats its request */
/* fraction of the realisations of the last request that is not finished yet when a rank requests
 * more */
#define LATE 0.25
#define LEAD 0.3 /* remaining work, s, at which a rank requests more, if that is earlier */
/* ratio of times from which a rank counts as slower; measurements vary by less */
#define SLOWER 1.25

enum { ANSWER_END = -1, ANSWER_FAILED = -2, ANSWER_WAIT = -3 };

typedef struct {
  double seconds, backlog; /* see ArmillaDealRank */
  gint64 failed;
} Question;

typedef struct {
  gint64 first; /* number of the first realisation; or an Answer that is none */
  gint64 n;     /* number of realisations: this many remaining ones, from first on */
} Answer;

struct _ArmillaDeal {
  ArmillaRuntime *runtime; /* runtime of all ranks */
  ArmillaGraph *graph;
  /* numbers of tasks submitted before and after the realisations of the last request */
  gint64 marks[2];
  /* number of realisations of the last request, and of all requests before it */
  gint64 n, n_before;
  /* time at which this rank measured last, s, and number of realisations finished at that time */
  double asked, at;
  double seconds;          /* measured time of a realisation; 0: not yet measured */
  gint64 max_together;     /* maximum number of realisations computed together */
#ifdef HAVE_MPI
  MPI_Comm comm;
  GThread *thread;         /* thread that answers, on rank 0 of several ranks */
#endif
  /* guint: ends, as indices into left, of the groups of realisations that one rank must compute */
  GArray *lots;
  GMutex lock;             /* guards the following fields, on rank 0 */
  gboolean stop, failed;
  GArray *left;            /* gint64: numbers of the realisations to compute */
  guint next;              /* index into left of the next realisation to assign */
  guint next_lot;          /* index into lots of its group */
  ArmillaDealRank *ranks;
  double *heard;           /* [rank]: time of its last request, s */
  gboolean *waits;         /* [rank]: whether it was told to wait */
  gint64 *dealt;           /* [rank]: number of realisations assigned to it */
  ArmillaDealt hear;
  gpointer user;
};

static double
now (void)
{
  return starpu_timing_now () / 1e6;
}

static void
note (ArmillaDeal *self, int rank, gint64 index, double own_end, double others_end)
{
  g_autofree char *text = NULL;
  double seconds = self->ranks[rank].seconds;

  if (!armilla_graph_is_traced (self->graph))
    return;
  if (index < 0 && seconds <= 0)
    text = g_strdup_printf ("rank %d gets no realisation: it is so slow that it would end last",
                            rank);
  else if (index < 0)
    text = g_strdup_printf ("rank %d gets no realisation: with %.2f s per realisation it would end "
                            "in %.2f s, the others would compute all remaining ones in %.2f s",
                            rank, seconds, own_end, others_end);
  else if (seconds > 0)
    text = g_strdup_printf ("realisation %" G_GINT64_FORMAT " to rank %d, which takes %.2f s per "
                            "realisation and will end in %.2f s",
                            index, rank, seconds, own_end);
  else
    text = g_strdup_printf ("realisation %" G_GINT64_FORMAT " to rank %d, whose speed was not "
                            "measured yet",
                            index, rank);
  armilla_trace_note (self->graph, "deal", text);
}

/* Returns the number of realisations that a rank gets next, whole groups of those that one rank
 * must compute. @own_end, @others_end: see armilla_deal_share(). */
static gint64
share_of (const ArmillaDeal *self, int rank, double *own_end, double *others_end)
{
  const guint unit = g_array_index (self->lots, guint, self->next_lot) - self->next;
  const gint64 max_together
    = armilla_deal_share (self->ranks, self->runtime->n_ranks, rank,
                          (gint64) (self->left->len - self->next), unit, self->max_together,
                          own_end, others_end);
  gint64 n = 0;

  for (guint lot = self->next_lot; lot < self->lots->len; lot++)
    {
      const gint64 next = (gint64) g_array_index (self->lots, guint, lot) - self->next;

      if (next > max_together)
        break;
      n = next;
    }
  return n;
}

static Answer
decide (ArmillaDeal *self, int rank, const Question *question)
{
  double own_end = 0, others_end = 0;
  Answer answer = { ANSWER_END, 0 };

  self->failed |= question->failed != 0;
  self->ranks[rank].seconds = question->seconds;
  self->ranks[rank].backlog = question->backlog;
  self->heard[rank] = now ();
  if (self->failed)
    answer.first = ANSWER_FAILED;
  if (self->failed || self->next == self->left->len)
    return answer;
  for (int r = 0; r < self->runtime->n_ranks; r++)
    self->ranks[r].since = self->heard[rank] - self->heard[r];
  answer.n = share_of (self, rank, &own_end, &others_end);
  if (answer.n == 0)
    {
      if (!self->waits[rank])
        note (self, rank, -1, own_end, others_end);
      self->waits[rank] = TRUE;
      answer.first = ANSWER_WAIT;
      return answer;
    }
  answer.first = g_array_index (self->left, gint64, self->next);
  self->waits[rank] = FALSE;
  self->ranks[rank].backlog += (double) answer.n;
  self->dealt[rank] += answer.n;
  for (gint64 i = 0; i < answer.n; i++)
    {
      const gint64 index = g_array_index (self->left, gint64, self->next++);

      note (self, rank, index, own_end, others_end);
      self->hear (self->user, index);
    }
  while (self->next_lot < self->lots->len
         && g_array_index (self->lots, guint, self->next_lot) <= self->next)
    self->next_lot++;
  return answer;
}

static Answer
decide_locked (ArmillaDeal *self, int rank, const Question *question)
{
  Answer answer;

  g_mutex_lock (&self->lock);
  answer = decide (self, rank, question);
  g_mutex_unlock (&self->lock);
  return answer;
}

#ifdef HAVE_MPI
static gboolean
check_mpi (int status, const char *call)
{
  if (status == MPI_SUCCESS)
    return TRUE;
  g_warning ("realisations cannot be distributed: %s failed", call);
  return FALSE;
}

static gboolean
answer_one (ArmillaDeal *self)
{
  Question question;
  MPI_Status status;
  Answer answer;
  int arrived = 0;

  if (!check_mpi (MPI_Iprobe (MPI_ANY_SOURCE, 0, self->comm, &arrived, &status), "MPI_Iprobe")
      || !arrived
      || !check_mpi (MPI_Recv (&question, (int) sizeof question, MPI_BYTE, status.MPI_SOURCE, 0,
                               self->comm, MPI_STATUS_IGNORE),
                     "MPI_Recv"))
    return FALSE;
  answer = decide_locked (self, status.MPI_SOURCE, &question);
  return check_mpi (MPI_Send (&answer, 2, MPI_INT64_T, status.MPI_SOURCE, 1, self->comm),
                    "MPI_Send");
}

static gpointer
deal_thread (gpointer data)
{
  ArmillaDeal *self = data;

  for (;;)
    {
      gboolean stop;

      while (answer_one (self))
        ;
      g_mutex_lock (&self->lock);
      stop = self->stop;
      g_mutex_unlock (&self->lock);
      if (stop)
        return NULL;
      g_usleep (POLL);
    }
}
#endif

static Answer
ask (ArmillaDeal *self, const Question *question)
{
#ifdef HAVE_MPI
  Answer answer = { ANSWER_FAILED, 0 };

  if (self->runtime->rank != 0)
    {
      if (check_mpi (MPI_Send (question, (int) sizeof *question, MPI_BYTE, 0, 0, self->comm),
                     "MPI_Send"))
        check_mpi (MPI_Recv (&answer, 2, MPI_INT64_T, 0, 1, self->comm, MPI_STATUS_IGNORE),
                   "MPI_Recv");
      return answer;
    }
#endif
  return decide_locked (self, 0, question);
}

/* Begins to distribute realisations. Collective. Returns the state; on error NULL, with
 * ARMILLA_ERROR_MPI if communication fails, or GThreadError if the answering thread does not start.
 * @left: numbers of the realisations to compute; @lots: ends of groups of them that one rank must
 * compute; @hear: called on rank 0, in any thread, for each realisation that is assigned. */
ArmillaDeal *
armilla_deal_new (ArmillaRuntime *runtime, ArmillaGraph *graph, GArray *left, GArray *lots,
                  gint64 max_together, ArmillaDealt hear, gpointer user, GError **error)
{
  ArmillaDeal *self;

#ifdef HAVE_MPI
  MPI_Comm comm = MPI_COMM_NULL;
  GError *local = NULL;

  if (runtime->n_ranks > 1 && MPI_Comm_dup (runtime->comm, &comm) != MPI_SUCCESS)
    return armilla_fail_null (error, ARMILLA_ERROR_MPI, "MPI_Comm_dup fails");
#else
  (void) error;
#endif
  self = g_new0 (ArmillaDeal, 1);
  self->runtime = runtime;
  self->graph = graph;
  self->max_together = max_together;
  g_mutex_init (&self->lock);
  self->left = g_array_ref (left);
  self->lots = g_array_ref (lots);
  self->ranks = g_new0 (ArmillaDealRank, runtime->n_ranks);
  for (int r = 0; r < runtime->n_ranks; r++)
    self->ranks[r].speed = runtime->speeds[r];
  self->heard = g_new0 (double, runtime->n_ranks);
  self->waits = g_new0 (gboolean, runtime->n_ranks);
  self->dealt = g_new0 (gint64, runtime->n_ranks);
  self->hear = hear;
  self->user = user;
#ifdef HAVE_MPI
  self->comm = comm;
  if (runtime->n_ranks > 1 && runtime->rank == 0)
    self->thread = g_thread_try_new ("armilla-deal", deal_thread, self, &local);
  if (!armilla_runtime_agree (runtime, local, error))
    {
      armilla_deal_free (self);
      return NULL;
    }
#endif
  return self;
}

/* Returns the number of realisations that this rank has finished, estimated from finished tasks. */
static double
position (const ArmillaDeal *self)
{
  const gint64 tasks = self->marks[1] - self->marks[0];
  gint64 done, submitted;

  armilla_graph_progress (self->graph, &done, &submitted);
  if (done >= self->marks[1])
    return (double) (self->n_before + self->n);
  return (double) self->n_before
         + (double) self->n * (double) MAX (done - self->marks[0], 0) / (double) MAX (tasks, 1);
}

/* Waits until the fraction LATE of the realisations of the last request is left to compute, so that
 * the next request reports the current speed; but not until less than LEAD seconds of work are
 * left. With one rank waits only until the realisations of the request before have ended. */
static void
wait_late (const ArmillaDeal *self)
{
  const double tasks = (double) (self->marks[1] - self->marks[0]);
  double left = LATE;

  if (self->seconds > 0)
    left = CLAMP (LEAD / (self->seconds * (double) self->n), LATE, 1);
  if (self->runtime->n_ranks == 1)
    left = 1;
  armilla_graph_wait_done (self->graph, self->marks[1] - (gint64) (left * tasks));
}

/* Measures the time per realisation since the last measurement. If it is much longer than before,
 * this rank became slow in between, and is now slower than the mean. */
static void
measure (ArmillaDeal *self)
{
  const double at = position (self), time = now ();
  double seconds;

  if (at <= self->at)
    return;
  seconds = (time - self->asked) / (at - self->at);
  if (self->seconds > 0 && seconds > SLOWER * self->seconds)
    self->seconds = 2 * seconds - self->seconds;
  else
    self->seconds = seconds;
  self->asked = time;
  self->at = at;
}

/* Requests realisations after the last ones were submitted. Waits until those before them are done
 * and part of the last ones, so that workers still have tasks. Returns the number of the first; @n:
 * number of realisations, the first and those that follow it in @left of armilla_deal_new().
 * Negative if none is left, or a rank has failed. */
gint64
armilla_deal_next (ArmillaDeal *self, gboolean failed, gint64 *n)
{
  Question question = { 0 };
  gint64 done;
  Answer answer;

  if (!failed && self->n > 0)
    {
      wait_late (self);
      measure (self);
    }
  question.seconds = self->seconds;
  question.failed = failed || armilla_graph_failed (self->graph);
  for (;;)
    {
      question.backlog = (double) (self->n_before + self->n) - position (self);
      answer = ask (self, &question);
      if (answer.first != ANSWER_WAIT)
        break;
      g_usleep (ASK_AGAIN);
      question.failed |= armilla_graph_failed (self->graph);
    }
  if (self->n == 0)
    {
      armilla_graph_progress (self->graph, &done, &self->marks[1]);
      self->asked = now ();
    }
  self->n_before += self->n;
  self->n = *n = answer.n;
  return answer.first;
}

/* Records that the realisations assigned last are submitted. */
void
armilla_deal_begun (ArmillaDeal *self)
{
  gint64 done;

  self->marks[0] = self->marks[1];
  armilla_graph_progress (self->graph, &done, &self->marks[1]);
}

/* Describes how many realisations each rank got, as known to rank 0. */
char *
armilla_deal_describe (const ArmillaDeal *self)
{
  GString *text = g_string_new ("realisations by rank:");

  for (int r = 0; r < self->runtime->n_ranks; r++)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, self->dealt[r]);
  return g_string_free (text, FALSE);
}

/* Frees the state. Collective. */
void
armilla_deal_free (ArmillaDeal *self)
{
#ifdef HAVE_MPI
  MPI_Request request;

  /* Sleeps between polls: workers of other ranks may need the core. */
  if (self->comm != MPI_COMM_NULL
      && check_mpi (MPI_Ibarrier (self->comm, &request), "MPI_Ibarrier")
      && !armilla_mpi_wait_asleep (&request))
    g_warning ("realisations cannot be distributed: MPI_Test failed");
  g_mutex_lock (&self->lock);
  self->stop = TRUE;
  g_mutex_unlock (&self->lock);
  if (self->thread)
    g_thread_join (self->thread);
  if (self->comm != MPI_COMM_NULL)
    check_mpi (MPI_Comm_free (&self->comm), "MPI_Comm_free");
#endif
  g_array_unref (self->left);
  g_array_unref (self->lots);
  g_free (self->ranks);
  g_free (self->heard);
  g_free (self->waits);
  g_free (self->dealt);
  g_mutex_clear (&self->lock);
  g_free (self);
}
