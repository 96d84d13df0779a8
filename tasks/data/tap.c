/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/data/tap.h"

#include "tasks/planning/forecast-private.h"
#include "tasks/trace/trace-private.h"

static void
tap_unref (ArmillaTap *tap)
{
  if (!g_atomic_int_dec_and_test (&tap->refs))
    return;
  if (tap->destroy)
    tap->destroy (tap->user);
  g_clear_pointer (&tap->planned, g_array_unref);
  g_free (tap);
}

/* Gives up one hold on it. */
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

/* Says that one of its steps is done. Returns what is called after the last one. */
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

/* A step of many fields takes long: one whose run was cancelled, or has failed, leaves the rest, as
 * the steps behind it are left. */
static gboolean
is_over (ArmillaTap *tap)
{
  return armilla_fault_is_set (&tap->label->fault);
}

/* Calls on_map for every run of pixels that is contiguous both in the tile and in the map. */
static gboolean
map_field (ArmillaTap *tap, const ArmillaRingBlock *block, int field, double *pixels,
           GError **error)
{
  ArmillaRun run = { 0 };

  while (armilla_ring_block_next_run (block, &run))
    if (!tap->on_map (tap->user, field, run.first, run.n, pixels + run.start, error))
      return FALSE;
  return TRUE;
}

/* The step of a source or sink of maps. Returns whether what it calls went well. */
gboolean
armilla_tap_run_map (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;
  ArmillaTap *tap = step->tap;
  const ArmillaRingBlock *block = &tap->rings->block[step->block];

  for (int f = 0; f < tap->n_fields; f++)
    if (is_over (tap))
      return TRUE;
    else if (!map_field (tap, block, f, buffers[0] + f * block->n_pixels, error))
      return FALSE;
  return armilla_tap_step_done (tap, error);
}

/* The step of a source or sink of a_lm. Returns whether what it calls went well. */
gboolean
armilla_tap_run_alm (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTapStep *step = data;
  ArmillaTap *tap = step->tap;
  gint64 count = armilla_order_block_count (tap->orders, step->block);

  for (int f = 0; f < tap->n_fields; f++)
    if (is_over (tap))
      return TRUE;
    else if (!tap->on_alm (tap->user, f, tap->orders->m_first[step->block],
                           tap->orders->m_last[step->block], buffers[0] + 2 * f * count, error))
      return FALSE;
  return armilla_tap_step_done (tap, error);
}

/* The step of a source or sink of spectra. Returns whether what it calls went well. */
gboolean
armilla_tap_run_cl (gpointer data, double *const *buffers, GError **error)
{
  ArmillaTap *tap = ((ArmillaTapStep *) data)->tap;

  return tap->on_cl (tap->user, buffers[0], error) && armilla_tap_step_done (tap, error);
}

/* Returns a source or sink of the node that speaks now. @done: called after the last step (may
 * be NULL); @user: for what is called; @destroy: frees @user (may be NULL). */
ArmillaTap *
armilla_tap_new (ArmillaGraph *graph, int n_steps, int n_fields, ArmillaHostDone done,
                 gpointer user, GDestroyNotify destroy)
{
  ArmillaTap *tap = g_new0 (ArmillaTap, 1);

  tap->label = graph->label;
  tap->refs = 1;
  tap->left = n_steps;
  tap->n_fields = n_fields;
  tap->done = done;
  tap->user = user;
  tap->destroy = destroy;
  tap->rank = graph->view.rank;
  return tap;
}

/* Returns a source or sink of @map; NULL when its grid cannot be cut. @on_map: called for every
 * run of pixels; @done: called after the last step (may be NULL); @destroy: frees @user, at once
 * after a failure (may be NULL). */
ArmillaTap *
armilla_tap_new_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap on_map,
                     ArmillaHostDone done, gpointer user, GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap
    = armilla_tap_new (graph, 0, armilla_map_n_fields (map), done, user, destroy);

  tap->on_map = on_map;
  tap->rings = armilla_map_ring_blocks (map, graph, error);
  if (!tap->rings)
    {
      tap_unref (tap);
      return NULL;
    }
  tap->left = tap->rings->n;
  return tap;
}

/* Returns a source or sink of @alm; NULL when its layout is none. @done: called after the last
 * step (may be NULL); @user: for what is called; @destroy: frees @user, at once after a failure
 * (may be NULL). */
ArmillaTap *
armilla_tap_new_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostDone done, gpointer user,
                     GDestroyNotify destroy, GError **error)
{
  ArmillaTap *tap
    = armilla_tap_new (graph, 0, armilla_alm_n_fields (alm), done, user, destroy);

  if (!armilla_alm_layout_check (armilla_alm_layout (alm), error))
    {
      tap_unref (tap);
      return NULL;
    }
  tap->orders = armilla_alm_order_blocks (alm, graph);
  tap->left = tap->orders->n;
  return tap;
}

/* Returns what its step needs to know. */
ArmillaTapStep *
armilla_tap_step_new (ArmillaTap *tap, int block)
{
  ArmillaTapStep *step = g_new0 (ArmillaTapStep, 1);

  step->tap = tap;
  step->block = block;
  g_atomic_int_inc (&tap->refs);
  return step;
}

/* Adds a step of a source or sink, on behalf of the node that it belongs to. Returns whether
 * StarPU accepted it. */
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
                   gpointer in, gpointer out, ArmillaTap *tap)
{
  ArmillaJob job
    = { .run = run, .in = { in }, .out = out, .user = tap, .destroy = armilla_tap_free };

  armilla_graph_defer (graph, &job);
}
