/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/analysis-private.h"

/**
 * armilla_check_fields:
 * @a: number of fields of one thing
 * @b: number of fields of the other
 * @error: return location
 *
 * Returns: whether they are equal; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_check_fields (int a, int b, GError **error)
{
  if (a == b)
    return TRUE;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
               "one side has %d field(s), the other %d; they must have the same number", a, b);
  return FALSE;
}

static gboolean
run_synthesis (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]);
  ArmillaMap *map = ARMILLA_MAP (job->out);
  const ArmillaTile *in = armilla_alm_tiles (alm, graph, error);
  const ArmillaTile *out = in ? armilla_map_tiles (map, graph, error) : NULL;
  ArmillaTransform transform;
  gboolean ok;

  if (!out)
    return FALSE;
  ok = armilla_transform_begin (&transform, graph, armilla_alm_layout (alm),
                                armilla_map_grid (map), armilla_alm_n_fields (alm), error)
       && armilla_transform_prepare (&transform, in, error);
  armilla_job_done_with (job, 0);
  for (int b = 0; ok && b < transform.rings->n; b++)
    {
      armilla_graph_next_epoch (graph);
      ok = armilla_transform_synthesis (&transform, b, &out[b], error)
           && armilla_map_tile_comes (map, graph, b, error);
    }
  armilla_transform_end (&transform);
  return ok;
}

/**
 * armilla_graph_synthesis:
 * @graph: a graph
 * @alm: a_lm, F fields
 * @map: a map of F fields; written
 * @error: return location
 *
 * Asks for f(p) = sum_lm a_lm Y_lm(p) for every field; the fields share the recurrence.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE when the numbers of fields differ
 */
gboolean
armilla_graph_synthesis (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *map, GError **error)
{
  ArmillaJob job
    = { .run = run_synthesis, .in = { ARMILLA_DATA (alm) }, .out = ARMILLA_DATA (map) };

  if (!armilla_check_fields (armilla_alm_n_fields (alm), armilla_map_n_fields (map), error)
      || !armilla_alm_layout_check (armilla_alm_layout (alm), error))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
