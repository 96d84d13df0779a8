/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stages outside ask for: tasks tile by tile, or any tasks. */
#include "config.h"

#include <armilla/task.h>

#include "tasks/data/data-private.h"
#include "tasks/data/shapes.h"
#include "tasks/graph/jobs.h"

/* Fails unless all maps are cut at the same rings: blocks of grids that differ in their weights
 * are cut separately, by the fields of the first map of each. */
gboolean
armilla_check_same_cut (ArmillaRingBlocks *const *rings, int n, GError **error)
{
  for (int i = 1; i < n; i++)
    for (int b = 0; b < rings[0]->n; b++)
      if (rings[i]->n != rings[0]->n || rings[i]->block[b].n_pixels != rings[0]->block[b].n_pixels)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                             "maps of the same pixels and other weights are cut into other ring "
                             "blocks; give a ring-block");
  return TRUE;
}

/* The tiles of all maps among the data; inputs are made when somebody begins with them. */
static gboolean
find_map_tiles (ArmillaGraph *graph, ArmillaJob *job, int n_inputs, ArmillaRingBlocks **rings,
                ArmillaTileSet *set, GError **error)
{
  ArmillaRingBlocks *all[ARMILLA_JOB_INPUTS + 1] = { NULL };
  int n = 0;

  for (int i = 0; i < n_inputs; i++)
    {
      ArmillaMap *map = ARMILLA_IS_MAP (job->in[i]) ? ARMILLA_MAP (job->in[i]) : NULL;

      if (map
          && (!(all[n++] = armilla_map_ring_blocks (map, graph, error))
              || !(set->in[i] = armilla_map_lazy_tiles (map, graph, error))))
        return FALSE;
    }
  if (job->out)
    {
      ArmillaMap *map = ARMILLA_MAP (job->out);

      if (!(all[n++] = armilla_map_ring_blocks (map, graph, error))
          || !(set->out = armilla_map_tiles (map, graph, error)))
        return FALSE;
    }
  *rings = all[0];
  return armilla_check_same_cut (all, n, error);
}

static gboolean
run_map_tiles (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaCall *call = job->user;
  const ArmillaSubmitTiles submit = (ArmillaSubmitTiles) call->function;
  ArmillaTileSet set = { .number = 0 };
  ArmillaRingBlocks *rings;
  gboolean ok = find_map_tiles (graph, job, call->n, &rings, &set, error);

  for (int b = 0; ok && b < rings->n; b++)
    {
      ArmillaTileSet now = { .number = b, .count = rings->n, .rank = rings->block[b].owner,
                             .n = rings->block[b].n_pixels };

      for (int i = 0; ok && i < call->n; i++)
        if (set.in[i])
          {
            now.in[i] = &set.in[i][b];
            ok = armilla_map_tile_begin (ARMILLA_MAP (job->in[i]), graph, b, error);
          }
      now.out = job->out ? &set.out[b] : NULL;
      ok = ok && submit (graph, &now, call->user, error)
           && (!job->out || armilla_map_tile_comes (ARMILLA_MAP (job->out), graph, b, error));
      for (int i = 0; ok && i < call->n; i++)
        ok = !set.in[i] || armilla_map_tile_end (ARMILLA_MAP (job->in[i]), graph, b, error);
    }
  return ok;
}

static gboolean
run_alm_tiles (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaCall *call = job->user;
  ArmillaAlm *shape = ARMILLA_ALM (job->in[0] ? job->in[0] : job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (shape, graph);
  const ArmillaTile *in[ARMILLA_JOB_INPUTS] = { NULL }, *out = NULL;

  for (int i = 0; i < call->n; i++)
    if (ARMILLA_IS_ALM (job->in[i])
        && !(in[i] = armilla_alm_tiles (ARMILLA_ALM (job->in[i]), graph, error)))
      return FALSE;
  if (job->out && !(out = armilla_alm_tiles (ARMILLA_ALM (job->out), graph, error)))
    return FALSE;
  for (int b = 0; b < orders->n; b++)
    {
      ArmillaTileSet now = { .number = b, .count = orders->n, .rank = orders->owner[b],
                             .n = armilla_order_block_count (orders, b),
                             .m_first = orders->m_first[b], .m_last = orders->m_last[b],
                             .out = out ? &out[b] : NULL };

      for (int i = 0; i < call->n; i++)
        now.in[i] = in[i] ? &in[i][b] : NULL;
      if (!((ArmillaSubmitTiles) call->function) (graph, &now, call->user, error))
        return FALSE;
    }
  return TRUE;
}

/* Data of other kinds have no shape in common with @like. */
static gboolean
check_shape (ArmillaData *data, ArmillaData *like, GError **error)
{
  if (ARMILLA_IS_MAP (data) && ARMILLA_IS_MAP (like))
    return armilla_check_same_pixels (ARMILLA_MAP (data), ARMILLA_MAP (like), error);
  if (ARMILLA_IS_ALM (data) && ARMILLA_IS_ALM (like))
    return armilla_check_same_layout (ARMILLA_ALM (data), ARMILLA_ALM (like), error);
  return TRUE;
}

gboolean
armilla_graph_each_tile (ArmillaGraph *graph, ArmillaData *const *inputs, int n_inputs,
                         ArmillaData *out, ArmillaSubmitTiles submit, gpointer user,
                         GDestroyNotify destroy, GError **error)
{
  const ArmillaCall call = { n_inputs, G_CALLBACK (submit), user, destroy };
  ArmillaData *shape = out ? out : inputs[0];
  const ArmillaJob job
    = { .run = ARMILLA_IS_MAP (shape) ? run_map_tiles : run_alm_tiles, .out = out };
  gboolean ok = TRUE;

  g_return_val_if_fail (n_inputs >= (out ? 0 : 1) && n_inputs <= ARMILLA_JOB_INPUTS, FALSE);
  g_return_val_if_fail (ARMILLA_IS_MAP (shape) || ARMILLA_IS_ALM (shape), FALSE);
  g_return_val_if_fail (n_inputs == 0 || G_OBJECT_TYPE (shape) == G_OBJECT_TYPE (inputs[0])
                          || (out && ARMILLA_IS_MAP (out)), FALSE);
  for (int i = 0; ok && i < n_inputs; i++)
    ok = check_shape (inputs[i], shape, error);
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
