/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources and sinks of the graph ("taps"), with a step on the host for each tile. The step of a
 * source runs on the rank that owns the tile, the step of a sink on rank 0 or, for a sink in parts,
 * on the rank that owns the tile.
 *
 * armilla_graph_fill() and armilla_graph_drain() create a tap and defer a job with run_fill() or
 * run_drain(). The job calls add_step() for each tile, which submits a host step
 * (tasks/graph/host-step.c). run_step() runs in an I/O thread and calls on_piece of the stage for
 * each contiguous piece of the tile, as map-tiles.c and alm-tiles.c enumerate them. */
#include "config.h"

#include "tasks/data/data-private.h"
#include "tasks/data/make.h"
#include "tasks/data/parts.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"
#include "tasks/ranks/balance.h"
#include "tasks/ranks/shared-output.h"
#include "tasks/trace/trace-private.h"

/* Data shared by the steps of one source or sink. */
typedef struct {
  ArmillaLabel *label;          /* label of the request, which may differ from that of the job that
                                 * submits its steps */
  gint refs;                    /* reference count */
  /* number of steps not completed, of this rank if the sink is in parts; then plus one for the end
   * of the part */
  gint left;
  gboolean in_parts; /* whether it is a sink whose tiles stay on the ranks that own them */
  int submitted;                /* number of steps submitted on all ranks */
  double bytes;                 /* size of the tiles of this rank's steps */
  GArray *planned; /* in a forecast, steps that are recorded instead of run; NULL in a run */
  ArmillaCut cut;               /* division of its data into tiles */
  ArmillaHostPiece on_piece;    /* called by its steps for each piece; NULL if on_alm_all is set */
  ArmillaHostAlmAll on_alm_all; /* called once with all m-blocks; NULL if on_piece is set */
  ArmillaHostDone done;         /* called after the last step; may be NULL */
  /* this rank's part of a sink in parts; NULL otherwise, and in a forecast */
  ArmillaOutputPart *part;
  gpointer user;                /* argument of these callbacks */
  GDestroyNotify destroy;       /* frees user; may be NULL */
  int rank;                     /* this rank */
} Tap;

typedef struct {
  Tap *tap;    /* (owned): source or sink of the step */
  int block;   /* number of the block; number of blocks if @blocks is set */
  int *blocks; /* (owned): numbers of several blocks; may be NULL */
} Step;

static void
tap_unref (gpointer user)
{
  Tap *tap = user;

  if (!g_atomic_int_dec_and_test (&tap->refs))
    return;
  if (tap->destroy)
    tap->destroy (tap->user);
  g_clear_pointer (&tap->planned, g_array_unref);
  armilla_cut_clear (&tap->cut);
  g_free (tap);
}

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->blocks);
  tap_unref (step->tap);
  g_free (step);
}

/* Counts a completed step, and calls done after the last one. Returns FALSE with an error if done
 * fails. */
static gboolean
step_done (Tap *tap, GError **error)
{
  if (!g_atomic_int_dec_and_test (&tap->left))
    return TRUE;
  if (tap->part || tap->done)
    armilla_trace_host_finish (tap->bytes);
  if (tap->part)
    return armilla_output_part_end (tap->part, error);
  return !tap->done || tap->done (tap->user, error);
}

/* Argument of pass_piece(). */
typedef struct {
  Tap *tap;
  gboolean is_over;
} Walk;

/* Calls on_piece for one piece, unless the run has failed or was cancelled: steps with many fields
 * take long. */
static gboolean
pass_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  Walk *walk = user;

  walk->is_over = armilla_fault_is_set (&walk->tap->label->fault);
  return !walk->is_over && walk->tap->on_piece (walk->tap->user, piece, error);
}

/* Runs the step of a source or sink, as an #ArmillaHostStep in an I/O thread: calls on_piece for
 * each piece of the tile (see map-tiles.c, alm-tiles.c). Returns FALSE if a call failed. */
static gboolean
run_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;
  Tap *tap = step->tap;
  Walk walk = { tap, FALSE };

  if (!tap->cut.verbs->pieces (&tap->cut, step->block, buffers[0], pass_piece, &walk, error))
    return walk.is_over;
  return step_done (tap, error);
}

/* Returns a source or sink of @data for the node whose label is set; NULL if the data cannot be
 * divided into tiles.
 * @done: called after the last step (may be NULL); @destroy: frees @user, at once after a failure
 * (may be NULL). */
static Tap *
tap_new (ArmillaGraph *graph, ArmillaData *data, gboolean fills, ArmillaHostPiece on_piece,
         ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  Tap *tap = g_new0 (Tap, 1);

  tap->label = graph->label;
  tap->refs = 1;
  tap->cut.writes = fills;
  tap->on_piece = on_piece;
  tap->done = done;
  tap->user = user;
  tap->destroy = destroy;
  tap->rank = graph->view.rank;
  if (!armilla_data_cut (data, graph, &tap->cut, error))
    {
      tap_unref (tap);
      return NULL;
    }
  tap->left = tap->cut.n_tiles;
  return tap;
}

static Step *
step_new (Tap *tap, int block)
{
  Step *step = g_new0 (Step, 1);

  step->tap = tap;
  step->block = block;
  g_atomic_int_inc (&tap->refs);
  return step;
}

/* Submits a step of a source or sink, with the label of its node. Returns whether StarPU accepted
 * it. */
static gboolean
add_step (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles,
          enum starpu_data_access_mode mode, ArmillaHostStep run, Step *step, GError **error)
{
  g_autofree enum starpu_data_access_mode *modes
    = g_new (enum starpu_data_access_mode, n_tiles);
  ArmillaLabel *label = graph->label;
  gboolean ok;

  for (int i = 0; i < n_tiles; i++)
    {
      modes[i] = mode;
      if (rank == graph->view.rank)
        step->tap->bytes += 8.0 * (double) tiles[i].n;
    }
  graph->label = step->tap->label;
  ok = armilla_host_step (graph, rank, tiles, modes, n_tiles, run, step, step_free, error);
  graph->label = label;
  return ok;
}

static void
defer (ArmillaGraph *graph, gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **),
       ArmillaData *in, ArmillaData *out, Tap *tap)
{
  ArmillaJob job = { .run = run, .in = { in }, .out = out, .user = tap, .destroy = tap_unref };

  armilla_graph_defer (graph, &job);
}

static gboolean
fill_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  Tap *tap = user;

  return add_step (graph, tile->owner, tile, 1, STARPU_W, run_step, step_new (tap, number), error);
}

/* Submits a step for every tile of the output of the job. If memory is bounded and no consumer
 * waits for the tiles, they are filled when they are needed, and again after they were dropped:
 * reading the input again costs no more than reading the tile from the disk. */
static gboolean
run_fill (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  Tap *tap = job->user;
  const ArmillaDataVerbs *verbs = tap->cut.verbs;
  const ArmillaTile *tiles = armilla_data_tiles (job->out, graph, error);
  gboolean ok = tiles != NULL;

  if (ok && graph->runtime->bound && verbs->renew
      && verbs->renew (job->out, fill_tile, tap, tap_unref))
    {
      armilla_job_steal_user (job);
      return TRUE;
    }
  for (int b = 0; ok && b < tap->cut.n_tiles; b++)
    ok = fill_tile (graph, tap, b, &tiles[b], error)
         && armilla_data_tile_pass (job->out, graph, b, error);
  return ok;
}

gboolean
armilla_graph_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece fill, gpointer user,
                    GDestroyNotify destroy, GError **error)
{
  Tap *tap;

  if (armilla_data_verbs (data)->is_everywhere)
    {
      armilla_graph_visit (graph, NULL, data, fill, NULL, user, destroy);
      return TRUE;
    }
  tap = tap_new (graph, data, TRUE, fill, NULL, user, destroy, error);
  if (tap)
    defer (graph, run_fill, NULL, data, tap);
  return tap != NULL;
}

static gboolean
ignore_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) user, (void) piece, (void) error;
  return TRUE;
}

static gboolean
run_alm_all_step (gpointer data, double *const *buffers, GError **error)
{
  Step *step = data;
  Tap *tap = step->tap;
  ArmillaOrderBlocks *orders = tap->cut.orders;
  g_autofree double **values = g_new0 (double *, orders->n);

  for (int i = 0; i < step->block; i++)
    values[step->blocks[i]] = buffers[i];
  if (!tap->on_alm_all (tap->user, orders->n, orders->m_first, orders->m_last, values, error))
    return FALSE;
  for (int i = 0; i < step->block; i++) /* imaginary parts of m = 0 */
    tap->cut.verbs->pieces (&tap->cut, step->blocks[i], buffers[i], ignore_piece, NULL, NULL);
  return TRUE;
}

/* Fills all m-blocks of the rank at once, or as many as may be in memory together if memory is
 * bounded. */
static gboolean
run_fill_alm_at_once (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  Tap *tap = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (job->out, graph, error);
  int n = tap->cut.n_tiles;
  g_autofree ArmillaTile *own = g_new (ArmillaTile, n);
  g_autofree int *blocks = g_new (int, n);
  gint64 max_values = G_MAXINT64;
  gboolean ok = tiles != NULL;

  if (graph->runtime->bound)
    max_values = armilla_bound_for_steps (graph->runtime->bound) / (gint64) sizeof (double);
  for (int first = 0, end = 0; ok && first < n; first = end)
    {
      int n_own = 0;

      for (gint64 sum = 0; end < n && (n_own == 0 || sum + tiles[end].n <= max_values); end++)
        {
          armilla_movers_written (graph, tiles[end].handle, STARPU_W);
          if (tiles[end].owner != tap->rank)
            continue;
          blocks[n_own] = end;
          own[n_own++] = tiles[end];
          sum += tiles[end].n;
        }
      if (n_own > 0)
        {
          Step *step = step_new (tap, n_own);

          step->blocks = g_memdup2 (blocks, sizeof (int) * (gsize) n_own);
          ok = add_step (graph, tap->rank, own, n_own, STARPU_W, run_alm_all_step, step, error);
        }
    }
  return ok;
}

/* Like armilla_graph_fill (), for sources whose order differs from that of the m-blocks, such as
 * files.
 * @fill: called once per rank, with all m-blocks that the rank owns. */
gboolean
armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlmAll fill,
                                gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaData *data = (ArmillaData *) alm;
  Tap *tap = tap_new (graph, data, TRUE, NULL, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  tap->on_alm_all = fill;
  defer (graph, run_fill_alm_at_once, NULL, data, tap);
  return TRUE;
}

static gboolean
run_end (gpointer data, double *const *buffers, GError **error)
{
  (void) buffers;
  return step_done (((Step *) data)->tap, error);
}

/* Submits a step without tiles on every rank, by which the rank ends its part of the sink. */
static gboolean
end_parts (ArmillaGraph *graph, Tap *tap, GError **error)
{
  gboolean ok = TRUE;

  for (int rank = 0; ok && tap->part && rank < graph->view.n_ranks; rank++)
    ok = add_step (graph, rank, NULL, 0, STARPU_R, run_end, step_new (tap, 0), error);
  return ok;
}

/* Records, in a forecast, that the step submitted last belongs to the sink and, after @n steps, the
 * work at the end of the sink, if it has any. */
static gboolean
plan_end (ArmillaGraph *graph, Tap *tap, int rank, const ArmillaTile *tile, int n,
          GError **error)
{
  ArmillaLabel *label = graph->label;
  gboolean ok;

  if (!graph->taker.kind || !(tap->done || tap->in_parts))
    return TRUE;
  if (!tap->planned)
    tap->planned = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastStep));
  armilla_forecast_host_note (graph, rank, tile, tap->planned);
  if ((int) tap->planned->len < n)
    return TRUE;
  graph->label = tap->label;
  ok = armilla_forecast_host_end (graph, tap->planned, error);
  graph->label = label;
  return ok;
}

/* Submits the step that reads one tile and, after the last tile, the end of the sink. */
static gboolean
take_tile (ArmillaGraph *graph, gpointer user, int number, const ArmillaTile *tile, GError **error)
{
  Tap *tap = user;
  const int rank = tap->in_parts ? tile->owner : 0, n = tap->cut.n_tiles;

  if (tap->in_parts && rank == tap->rank)
    g_atomic_int_inc (&tap->left);
  return add_step (graph, rank, tile, 1, STARPU_R, run_step, step_new (tap, number), error)
         && plan_end (graph, tap, rank, tile, n, error)
         && (!tap->in_parts || ++tap->submitted < n || end_parts (graph, tap, error));
}

static gboolean
run_drain (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaData *data = job->in[0];
  Tap *tap = job->user;
  const ArmillaTile *tiles = armilla_data_tiles (data, graph, error);
  gboolean ok = tiles != NULL;

  for (int b = 0; ok && b < tap->cut.n_tiles; b++)
    ok = armilla_data_tile_begin (data, graph, b, error)
         && take_tile (graph, tap, b, &tiles[b], error)
         && armilla_data_tile_end (data, graph, b, error);
  return ok;
}

/* Makes the sink one in parts: counts the steps of this rank, plus one for the end of its part. */
static void
set_parts (ArmillaGraph *graph, Tap *tap, const ArmillaHostParts *parts)
{
  tap->in_parts = TRUE;
  tap->left = 1;
  g_atomic_int_inc (&tap->refs);
  tap->part = armilla_output_part_new (graph, parts, tap->user, tap, tap_unref);
}

/* Requests a sink. Its steps for a tile are submitted as soon as the task that writes the tile is
 * submitted; if the data are being written already, by run_drain(). */
static void
drain (ArmillaGraph *graph, ArmillaData *data, Tap *tap)
{
  const ArmillaDataVerbs *verbs = tap->cut.verbs;

  if (!verbs->listen || !verbs->listen (data, take_tile, tap, tap_unref))
    defer (graph, run_drain, data, NULL, tap);
}

gboolean
armilla_graph_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece take,
                     ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  Tap *tap;

  if (armilla_data_verbs (data)->is_everywhere)
    {
      armilla_graph_visit (graph, data, NULL, take, done, user, destroy);
      return TRUE;
    }
  tap = tap_new (graph, data, FALSE, take, done, user, destroy, error);
  if (tap)
    drain (graph, data, tap);
  return tap != NULL;
}

/* Like armilla_graph_drain (), but every rank calls @take for its own tiles. armilla_graph_wait ()
 * merges the parts. @parts: functions to call after the last @take. */
gboolean
armilla_graph_drain_in_parts (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece take,
                              const ArmillaHostParts *parts, gpointer user, GDestroyNotify destroy,
                              GError **error)
{
  Tap *tap = tap_new (graph, data, FALSE, take, NULL, user, destroy, error);

  if (!tap)
    return FALSE;
  set_parts (graph, tap, parts);
  drain (graph, data, tap);
  return TRUE;
}
