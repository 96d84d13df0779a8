/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of plugins: tasks tile by tile, or any tasks. */
#include "config.h"

#include <armilla/task.h>

#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"

/* Fails unless all maps are divided at the same rings. Grids with the same rings and different
 * weights are divided separately, each by the number of fields of its first map. */
gboolean
armilla_check_same_cut (ArmillaRingBlocks *const *rings, int n, GError **error)
{
  for (int i = 1; i < n; i++)
    for (int b = 0; b < rings[0]->n; b++)
      if (rings[i]->n != rings[0]->n || rings[i]->block[b].n_pixels != rings[0]->block[b].n_pixels)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "maps of the same pixels with different weights are divided into "
                             "different ring blocks; set ring-block");
  return TRUE;
}

/* Tiles of the inputs and of the output, and their division. */
typedef struct {
  ArmillaCut cut;
  const ArmillaTile *in[ARMILLA_JOB_INPUTS], *out; /* NULL: data of another class, or no input */
} Tiles;

/* Finds the tiles. Tiles of maps are filled later, when the first task that uses them is
 * submitted. */
static gboolean
find_tiles (ArmillaGraph *graph, ArmillaJob *job, int n_inputs, Tiles *tiles, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (job->out ? job->out : job->in[0]);
  ArmillaRingBlocks *rings[ARMILLA_JOB_INPUTS + 1];
  int n = 0;

  for (int i = 0; i <= n_inputs; i++)
    {
      ArmillaData *data = i < n_inputs ? job->in[i] : job->out;
      const ArmillaTile **found = i < n_inputs ? &tiles->in[i] : &tiles->out;
      ArmillaCut cut = { .writes = i == n_inputs };

      if (!data || armilla_data_verbs (data) != verbs)
        continue;
      if (!armilla_data_cut (data, graph, &cut, error)
          || !(*found = armilla_data_tiles (data, graph, error)))
        return FALSE;
      if (n == 0)
        tiles->cut = cut;
      rings[n++] = cut.rings;
    }
  return !tiles->cut.rings || armilla_check_same_cut (rings, n, error);
}

static ArmillaTileSet
describe_tiles (const Tiles *tiles, int n_inputs, int b)
{
  const ArmillaCut *cut = &tiles->cut;
  const ArmillaOrderBlocks *orders = cut->orders;
  const ArmillaRingBlocks *rings = cut->rings;
  ArmillaTileSet set = { .number = b, .count = cut->n_tiles,
                         .rank = rings ? rings->block[b].owner : orders ? orders->owner[b] : 0,
                         .n = rings ? rings->block[b].n_pixels
                              : orders ? armilla_order_block_count (orders, b)
                                       : cut->n_rows / cut->n_fields,
                         .m_first = orders ? orders->m_first[b] : 0,
                         .m_last = orders ? orders->m_last[b] : 0,
                         .out = tiles->out ? &tiles->out[b] : NULL };

  for (int i = 0; i < n_inputs; i++)
    set.in[i] = tiles->in[i] ? &tiles->in[i][b] : NULL;
  return set;
}

static gboolean
run_tiles (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaCall *call = job->user;
  Tiles tiles = { .out = NULL };
  gboolean ok = find_tiles (graph, job, call->n, &tiles, error);

  for (int b = 0; ok && b < tiles.cut.n_tiles; b++)
    {
      const ArmillaTileSet set = describe_tiles (&tiles, call->n, b);

      for (int i = 0; ok && i < call->n; i++)
        ok = !set.in[i] || armilla_data_tile_begin (job->in[i], graph, b, error);
      ok = ok && ((ArmillaSubmitTiles) call->function) (graph, &set, call->user, error)
           && (!job->out || armilla_data_tile_pass (job->out, graph, b, error));
      for (int i = 0; ok && i < call->n; i++)
        ok = !set.in[i] || armilla_data_tile_end (job->in[i], graph, b, error);
    }
  return ok;
}

gboolean
armilla_graph_each_tile (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                         ArmillaData *out, ArmillaSubmitTiles submit, gpointer user,
                         GDestroyNotify destroy, GError **error)
{
  const ArmillaCall call = { n_inputs, G_CALLBACK (submit), user, destroy };
  ArmillaData *shape = out ? out : inputs[0];
  const ArmillaDataVerbs *verbs = armilla_data_verbs (shape);
  const ArmillaJob job = { .run = run_tiles, .out = out };
  gboolean ok = TRUE;

  g_return_val_if_fail (n_inputs >= (out ? 0 : 1) && n_inputs <= ARMILLA_JOB_INPUTS, FALSE);
  g_return_val_if_fail (verbs->same_shape, FALSE);
  for (int i = 0; ok && i < n_inputs; i++)
    ok = armilla_data_verbs (inputs[i]) != verbs
         || verbs->same_shape (inputs[i], "one input", shape, "another", error);
  if (ok)
    return armilla_graph_defer_call (graph, &job, n_inputs > 0 ? inputs : NULL, &call,
                                     "data cannot be read", error);
  if (destroy)
    destroy (user);
  return FALSE;
}

static gboolean
run_later (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaCall *call = job->user;

  return ((ArmillaSubmit) call->function) (graph, call->user, error);
}

void
armilla_graph_later (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                     ArmillaSubmit submit, gpointer user, GDestroyNotify destroy)
{
  const ArmillaJob job = { .run = run_later };
  const ArmillaCall call = { n_inputs, G_CALLBACK (submit), user, destroy };

  g_return_if_fail (n_inputs >= 0 && n_inputs <= ARMILLA_JOB_INPUTS);
  armilla_graph_defer_call (graph, &job, n_inputs > 0 ? inputs : NULL, &call, NULL, NULL);
}
