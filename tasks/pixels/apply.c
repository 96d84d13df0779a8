/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a function of the caller's as a codelet, one task per tile. */
#include "config.h"

#include <armilla/pixels.h>
#include <armilla/task.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

/* State shared by the tasks of one call, freed by the submitting thread, never in a worker. */
typedef struct {
  gint users; /* number of unfinished tasks of this rank, plus 1 until all are submitted */
  ArmillaPixelFunction function;
  gpointer user;
  GDestroyNotify destroy;
  ArmillaMap *out;     /* output map; used by the submitting thread only */
  ArmillaCl *numbers; /* (nullable): spectra for the function; used by the submitting thread only */
  ArmillaRingBlocks *rings;
  double flops;
  int n_maps, n_in, n_out;
  int n_fields[ARMILLA_JOB_INPUTS]; /* [input] */
} Apply;

/* Arguments of a task. Pointers are valid since the rank that submits the task also runs it. */
typedef struct {
  ArmillaFault *fault;
  Apply *apply;
  const ArmillaRingBlock *block;
  gboolean with_numbers;
} ApplyArgs;

/* Calls the function for each run of pixels that is contiguous in the tiles and in the map. */
static gboolean
apply_to_tiles (const ApplyArgs *args, double *const *tiles, const double *numbers, GError **error)
{
  const Apply *apply = args->apply;
  const double **in = g_newa (const double *, (gsize) apply->n_in);
  double **out = g_newa (double *, (gsize) apply->n_out);
  ArmillaRun run = { 0 };

  while (armilla_ring_block_next_run (args->block, &run))
    {
      ArmillaPixels pixels = { run.first, run.n, apply->n_in, apply->n_out, in, out, numbers };
      int n = 0;

      for (int i = 0; i < apply->n_maps; i++)
        for (int f = 0; f < apply->n_fields[i]; f++)
          in[n++] = tiles[i] + f * args->block->n_pixels + run.start;
      for (int f = 0; f < apply->n_out; f++)
        out[f] = tiles[apply->n_maps] + f * args->block->n_pixels + run.start;
      if (!apply->function (&pixels, apply->user, error))
        return FALSE;
    }
  return TRUE;
}

static void
apply_cpu (void *buffers[], void *cl_arg)
{
  double *tiles[ARMILLA_JOB_INPUTS + 1];
  const double *numbers = NULL;
  GError *error = NULL;
  ApplyArgs args;

  starpu_codelet_unpack_args (cl_arg, &args);
  for (int i = 0; i <= args.apply->n_maps; i++)
    tiles[i] = ARMILLA_BUFFER (i);
  if (args.with_numbers)
    numbers = ARMILLA_BUFFER (args.apply->n_maps + 1);
  if (!armilla_fault_is_set (args.fault) && !apply_to_tiles (&args, tiles, numbers, &error))
    armilla_fault_take (args.fault, error);
  g_atomic_int_add (&args.apply->users, -1);
}

static ArmillaCost
apply_cost (const void *data, const starpu_data_handle_t *handles)
{
  const ApplyArgs *args = data;
  const Apply *apply = args->apply;
  double n = (double) args->block->n_pixels;

  (void) handles;
  return (ArmillaCost) { n * apply->flops, 8 * n * (apply->n_in + apply->n_out) };
}

static ArmillaCodelet apply_cl = ARMILLA_CPU_CODELET (apply, "1");

static gboolean
submit_apply (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  Apply *apply = user;
  ArmillaUse uses[ARMILLA_JOB_INPUTS + 1];
  int n_uses = apply->n_maps + 1;
  ApplyArgs args = { .fault = armilla_graph_fault (graph),
                     .apply = apply,
                     .with_numbers = apply->numbers != NULL };
  gboolean mine = tiles->rank == graph->view.rank && !graph->taker.kind, ok;

  if (!apply->rings && !(apply->rings = armilla_map_ring_blocks (apply->out, graph, error)))
    return FALSE;
  args.block = &apply->rings->block[tiles->number];
  for (int i = 0; i < apply->n_maps; i++)
    uses[i] = (ArmillaUse) { tiles->in[i]->handle, STARPU_R };
  uses[apply->n_maps] = (ArmillaUse) { tiles->out->handle, STARPU_W };
  if (apply->numbers)
    {
      const ArmillaTile *numbers = armilla_cl_tile (apply->numbers, graph, error);

      if (!numbers)
        return FALSE;
      uses[n_uses++] = (ArmillaUse) { numbers->handle, STARPU_R };
    }
  if (mine)
    g_atomic_int_inc (&apply->users);
  ok = armilla_submit (graph, &apply_cl, tiles->rank, &args, sizeof args, uses, n_uses, 0, error);
  if (mine && !ok)
    g_atomic_int_add (&apply->users, -1);
  return ok;
}

static void
apply_submitted (gpointer data)
{
  Apply *apply = data;

  apply->out = NULL;
  apply->numbers = NULL;
  g_atomic_int_add (&apply->users, -1);
}

static void
apply_free (gpointer data)
{
  Apply *apply = data;

  if (apply->destroy)
    apply->destroy (apply->user);
  g_free (apply);
}

/* Frees the calls whose tasks are done. */
static void
calls_trim (ArmillaGraph *graph, GPtrArray *calls)
{
  (void) graph;
  for (guint i = calls->len; i-- > 0;)
    if (g_atomic_int_get (&((Apply *) g_ptr_array_index (calls, i))->users) == 0)
      g_ptr_array_remove_index_fast (calls, i);
}

static const ArmillaExtraKind calls_kind = { .free = apply_free, .trim = calls_trim };

gboolean
armilla_graph_apply_pixels_with (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                                 ArmillaCl *numbers, ArmillaPixelFunction function, double flops,
                                 gpointer user, GDestroyNotify destroy, ArmillaMap *out,
                                 GError **error)
{
  ArmillaData *inputs[ARMILLA_JOB_INPUTS];
  Apply *apply;
  int n = n_maps;

  g_return_val_if_fail (n_maps >= 0 && n_maps + (numbers != NULL) <= ARMILLA_JOB_INPUTS, FALSE);
  apply = g_new0 (Apply, 1);
  *apply = (Apply) { .users = 1,
                     .function = function,
                     .user = user,
                     .destroy = destroy,
                     .out = out,
                     .numbers = numbers,
                     .flops = flops,
                     .n_maps = n_maps,
                     .n_out = armilla_map_n_fields (out) };
  for (int i = 0; i < n_maps; i++)
    {
      inputs[i] = ARMILLA_DATA (maps[i]);
      apply->n_fields[i] = armilla_map_n_fields (maps[i]);
      apply->n_in += apply->n_fields[i];
    }
  if (numbers)
    inputs[n++] = ARMILLA_DATA (numbers);
  g_ptr_array_add (armilla_extras_get (graph->extras, &calls_kind), apply);
  return armilla_graph_each_tile (graph, inputs, n, ARMILLA_DATA (out), submit_apply, apply,
                                  apply_submitted, error);
}

gboolean
armilla_graph_apply_pixels (ArmillaGraph *graph, ArmillaMap *const *maps, int n_maps,
                            ArmillaPixelFunction function, double flops, gpointer user,
                            GDestroyNotify destroy, ArmillaMap *out, GError **error)
{
  return armilla_graph_apply_pixels_with (graph, maps, n_maps, NULL, function, flops, user,
                                          destroy, out, error);
}
