/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/correlation/counted.h"

#include <math.h>

#include "codelets/correlation/pair-codelets.h"
#include "tasks/data/objects.h"
#include "tasks/ranks/balance.h"

/* tasks per rank, unless there is little work: workers of unequal speed then end at about the same
 * time */
#define TASKS_PER_RANK 96
#define MIN_TASK_COST (1 << 20)
/* Cost of a task that occupies a GPU for a millisecond or two; in a smaller task it would wait for
 * its slowest blocks. A core takes a hundred times as long, so tasks are smaller if cores
 * compute. */
#define MIN_GPU_TASK_COST (1 << 28)
#define MIN_SHARED_TASK_COST (1 << 25)
/* tasks per rank, and per worker, between updates of the ranks' speeds: few batches are in
 * flight */
#define BATCH_PER_RANK 16
#define BATCH_PER_WORKER 4

/* Distributes the tasks of a long job in batches. */
typedef struct {
  ArmillaBlockDeal deal; /* assignment of the batch's tasks */
  int left;              /* number of its remaining tasks */
} Batches;

static void
batches_clear (Batches *batches)
{
  armilla_block_deal_clear (&batches->deal);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Batches, batches_clear)

/* Returns the rank of the next task. Begins a new batch if needed; submission then waits until few
 * batches are in flight, and uses the speeds measured meanwhile. A single rank has one batch. Every
 * rank makes the same calls. */
static int
batches_next (Batches *batches, ArmillaGraph *graph, double cost)
{
  const int n_ranks = graph->view.n_ranks;

  if (batches->left == 0)
    {
      batches_clear (batches);
      batches->left = G_MAXINT;
      if (n_ranks > 1)
        {
          armilla_graph_next_epoch (graph);
          armilla_graph_balance (graph);
          batches->left
            = n_ranks * MAX (BATCH_PER_RANK, BATCH_PER_WORKER * graph->view.max_workers);
        }
      armilla_block_deal_init (&batches->deal, n_ranks, armilla_graph_speeds (graph));
    }
  batches->left--;
  return armilla_balance_deal (graph, &batches->deal, cost);
}

static gboolean
merge (ArmillaCounting *self, const ArmillaTile *part, const ArmillaTile *to, gboolean first,
       GError **error)
{
  const ArmillaHistogramShape *shape = armilla_histogram_shape (self->out);
  const ArmillaMergeArgs args = { .fault = armilla_graph_fault (self->graph),
                                  .n_rows = armilla_histogram_rows (shape),
                                  .n_entries = armilla_histogram_entries (shape),
                                  .n_sums = __builtin_popcount ((unsigned) shape->sums),
                                  .first = first };
  const ArmillaUse uses[]
    = { { part->handle, STARPU_R }, { to->handle, first ? STARPU_W : STARPU_RW } };

  return armilla_submit (self->graph, &armilla_histogram_merge_cl, to->owner, &args, sizeof args,
                         uses, G_N_ELEMENTS (uses), 1, error);
}

/* Adds the histogram of a task, on any rank, to the sum of that rank. */
static gboolean
add_part (ArmillaCounting *self, const ArmillaTile *part, gint64 n_words, GError **error)
{
  ArmillaTile *sum = &self->sums[part->owner];
  const gboolean first = sum->handle == NULL;

  return (!first || armilla_tile_new (self->graph, part->owner, n_words, sum, error))
         && merge (self, part, sum, first, error);
}

static gboolean
add_ranks (ArmillaCounting *self, const ArmillaTile *out, GError **error)
{
  gboolean first = TRUE;

  for (int rank = 0; rank < self->graph->view.n_ranks; rank++)
    if (self->sums[rank].handle)
      {
        if (!merge (self, &self->sums[rank], out, first, error))
          return FALSE;
        first = FALSE;
      }
  return TRUE;
}

static gint64
count_edges (const ArmillaCounting *self)
{
  const ArmillaBins *bins = armilla_histogram_bins (self->out);

  return 2 * ((gint64) bins->n + 2) + (bins->n2 > 0 ? bins->n2 + 1 : 0);
}

static void
fill_edges (ArmillaCounting *self)
{
  const ArmillaBins *bins = armilla_histogram_bins (self->out);
  const int n = bins->n + 2;

  self->edges = g_new (double, count_edges (self));
  for (int k = 0; k < n; k++)
    {
      self->edges[k] = k <= bins->n ? bins->s2[k] : INFINITY;
      self->edges[n + k] = sqrt (self->edges[k]);
    }
  for (int k = 0; k <= bins->n2 && bins->n2 > 0; k++)
    self->edges[2 * n + k] = bins->v2[k];
}

/* Submits a task for the pieces from @first up to @end. */
static gboolean
submit_pieces (ArmillaCounting *self, gint64 first, gint64 end, int rank, GError **error)
{
  const gint64 n_words = armilla_histogram_words (armilla_histogram_shape (self->out));
  ArmillaTile part = { 0 };
  const gboolean ok = armilla_tile_new (self->graph, rank, n_words, &part, error)
                      && self->kind->submit (self, first, end, rank, &part, error)
                      && add_part (self, &part, n_words, error);

  armilla_tile_drop (&part);
  return ok;
}

/* Submits tasks of consecutive pieces with about equal cost; adjacent tasks go to different
 * ranks. */
static gboolean
submit_all (ArmillaCounting *self, GError **error)
{
  const ArmillaView *view = &self->graph->view;
  const int n_ranks = view->n_ranks;
  const double min_cost = !view->gpus    ? MIN_TASK_COST
                          : view->cores ? MIN_SHARED_TASK_COST
                                        : MIN_GPU_TASK_COST;
  g_auto (Batches) batches = { 0 };
  double total = 0, done = 0, dealt = 0;
  gint64 n_tasks = self->options.tasks, first = 0, task = 0;

  for (gint64 i = 0; i < self->n_pieces; i++)
    total += self->kind->cost (self, i);
  if (n_tasks <= 0)
    n_tasks = CLAMP ((gint64) (total / min_cost), 1, TASKS_PER_RANK * n_ranks);
  n_tasks = MIN (n_tasks, MAX (self->n_pieces, 1)); /* each task has at least one piece */
  for (gint64 i = 0; i < self->n_pieces; i++)
    {
      done += self->kind->cost (self, i);
      if (done < total * (double) (task + 1) / (double) n_tasks && i + 1 < self->n_pieces)
        continue;
      if (!submit_pieces (self, first, i + 1, batches_next (&batches, self->graph, done - dealt),
                          error))
        return FALSE;
      first = i + 1;
      dealt = done;
      while (done >= total * (double) (task + 1) / (double) n_tasks && task < n_tasks)
        task++;
    }
  /* Without pieces an empty histogram is written. */
  return self->n_pieces > 0 || submit_pieces (self, 0, 0, 0, error);
}

static gboolean
sort_both (ArmillaCounting *self, const ArmillaJob *job, ArmillaCatalogue *a, ArmillaCatalogue *b,
           GError **error)
{
  const ArmillaCountArgs *args = armilla_job_count_args (job);

  self->a = armilla_sorted_get (self->graph, a, args, error);
  if (!self->a)
    return FALSE;
  self->b = self->within ? self->a
                         : armilla_sorted_get (self->graph, b, args, error);
  return self->b != NULL;
}

static void
release_both (const ArmillaCounting *self)
{
  armilla_sorted_release (self->a);
  if (!self->within)
    armilla_sorted_release (self->b);
}

static gboolean
count (ArmillaCounting *self, const ArmillaTile *out, GError **error)
{
  const gint64 n_edges = count_edges (self);
  gboolean ok;

  fill_edges (self);
  self->kind->prepare (self);
  release_both (self);
  self->sums = g_new0 (ArmillaTile, self->graph->view.n_ranks);
  ok = armilla_tile_from_words (self->graph, ARMILLA_OWNER_EACH, self->edges, n_edges,
                                &self->edges_tile, error)
       && armilla_tile_borrow (self->graph, 0, self->scratch_size, &self->scratch, error)
       && submit_all (self, error) && add_ranks (self, out, error);
  for (int rank = 0; rank < self->graph->view.n_ranks; rank++)
    armilla_tile_drop (&self->sums[rank]);
  g_clear_pointer (&self->sums, g_free);
  armilla_tile_drop (&self->edges_tile);
  if (self->scratch.handle)
    armilla_tile_return (self->graph, &self->scratch);
  armilla_graph_trim_cells (self->graph);
  g_clear_pointer (&self->edges, g_free);
  return ok;
}

/* Copies the histogram that an equal count of another node has produced. */
static gboolean
take_over (ArmillaCounting *self, ArmillaHistogram *counted, const ArmillaTile *out,
           GError **error)
{
  const ArmillaTile *from = armilla_histogram_tile (counted, self->graph, error);

  armilla_graph_trim_cells (self->graph);
  return from && merge (self, from, out, TRUE, error);
}

/* Submits the tasks of a count, or the copy of an equal count's result. On entry self has only its
 * kind; every rank has the catalogues, sorted alike. ARMILLA_ERROR_MEMORY on all ranks if one has
 * too little. */
gboolean
armilla_counting_run (ArmillaCounting *self, ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaHistogram *out = ARMILLA_HISTOGRAM (job->out);
  const ArmillaTile *tile = armilla_histogram_tile (out, graph, error);
  ArmillaCatalogue *both[2] = { NULL };
  g_autofree char *name = NULL;
  ArmillaHistogram *counted;
  GError *local = NULL;

  if (!tile)
    return FALSE;
  self->graph = graph;
  self->out = out;
  self->options = armilla_job_count_args (job)->options;
  self->within = job->in[1] == NULL;
  for (int i = 0; i < (self->within ? 1 : 2); i++)
    {
      both[i] = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[i]), error);
      if (!both[i] || !self->kind->check (self, i, both[i], error))
        return FALSE;
    }
  name = armilla_counted_name (graph, job, both);
  counted = armilla_counted_find (graph, name);
  armilla_graph_next_epoch (graph);
  if (counted)
    return take_over (self, counted, tile, error);
  (void) sort_both (self, job, both[0], both[1], &local);
  /* If one rank lacks memory, all must fail. */
  if (!armilla_graph_agree (graph, local, error))
    {
      release_both (self);
      return FALSE;
    }
  if (!count (self, tile, error))
    return FALSE;
  armilla_counted_keep (graph, job, name);
  return TRUE;
}
