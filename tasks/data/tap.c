/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/tap.h"

#include "tasks/trace/trace-private.h"

static void
tap_unref (ArmillaTap *tap)
{
  if (!g_atomic_int_dec_and_test (&tap->refs))
    return;
  if (tap->destroy)
    tap->destroy (tap->user);
  g_clear_pointer (&tap->planned, g_array_unref);
  armilla_cut_clear (&tap->cut);
  g_free (tap);
}

/* Drops a reference. */
void
armilla_tap_free (gpointer tap)
{
  tap_unref (tap);
}

static void
step_free (gpointer data)
{
  ArmillaTapStep *step = data;

  g_free (step->blocks);
  tap_unref (step->tap);
  g_free (step);
}

/* Counts a finished step. Returns the function to call after the last one. */
gboolean
armilla_tap_step_done (ArmillaTap *tap, GError **error)
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
  ArmillaTap *tap;
  gboolean is_over;
} Walk;

/* Calls the function of the source or sink for one piece, unless the run has failed or was
 * cancelled: a step with many fields takes long. */
static gboolean
pass_piece (gpointer user, ArmillaPiece *piece, GError **error)
{
  Walk *walk = user;

  walk->is_over = armilla_fault_is_set (&walk->tap->label->fault);
  return !walk->is_over && walk->tap->on_piece (walk->tap->user, piece, error);
}

/* Runs the step of a source or sink, as an #ArmillaHostStep in an I/O thread: calls on_piece for
 * each piece of the tile (see map-tiles.c, alm-tiles.c). Returns FALSE if a call failed. */
gboolean
armilla_tap_run (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;
  ArmillaTap *tap = step->tap;
  Walk walk = { tap, FALSE };

  if (!tap->cut.verbs->pieces (&tap->cut, step->block, buffers[0], pass_piece, &walk, error))
    return walk.is_over;
  return armilla_tap_step_done (tap, error);
}

/* Returns a source or sink of @data for the node whose label is set; NULL if the data cannot be
 * divided into tiles.
 * @done: called after the last step (may be NULL); @destroy: frees @user, at once after a failure
 * (may be NULL). */
ArmillaTap *
armilla_tap_new (ArmillaGraph *graph, ArmillaData *data, gboolean fills, ArmillaHostPiece on_piece,
                 ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap = g_new0 (ArmillaTap, 1);

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

/* Returns the arguments of a step. */
ArmillaTapStep *
armilla_tap_step_new (ArmillaTap *tap, int block)
{
  ArmillaTapStep *step = g_new0 (ArmillaTapStep, 1);

  step->tap = tap;
  step->block = block;
  g_atomic_int_inc (&tap->refs);
  return step;
}

/* Submits a step of a source or sink, with the label of its node. Returns whether StarPU accepted
 * it. */
gboolean
armilla_tap_add (ArmillaGraph *graph, int rank, const ArmillaTile *tiles, int n_tiles,
                 enum starpu_data_access_mode mode, ArmillaHostStep run, ArmillaTapStep *step,
                 GError **error)
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

void
armilla_tap_defer (ArmillaGraph *graph, gboolean (*run) (ArmillaGraph *, ArmillaJob *, GError **),
                   ArmillaData *in, ArmillaData *out, ArmillaTap *tap)
{
  ArmillaJob job
    = { .run = run, .in = { in }, .out = out, .user = tap, .destroy = armilla_tap_free };

  armilla_graph_defer (graph, &job);
}
