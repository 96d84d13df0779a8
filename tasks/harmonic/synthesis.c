/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/harmonic/analysis-private.h"

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
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "one side has %d field(s), the other %d; they must have the same number", a,
                       b);
}

/**
 * armilla_check_transform:
 * @alm: a_lm
 * @map: a map
 * @error: return location
 *
 * Returns: whether there is a transform between the two: the same number of fields with the same
 *   spins, a layout that can be; %ARMILLA_ERROR_SHAPE or %ARMILLA_ERROR_VALUE otherwise
 */
gboolean
armilla_check_transform (ArmillaAlm *alm, ArmillaMap *map, GError **error)
{
  const int *spins = armilla_alm_spins (alm);
  int n_fields = armilla_alm_n_fields (alm);

  if (!armilla_check_fields (n_fields, armilla_map_n_fields (map), error)
      || !armilla_alm_layout_check (armilla_alm_layout (alm), error))
    return FALSE;
  if (!armilla_fields_equal (spins, armilla_map_spins (map), n_fields))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the a_lm and the map differ in the spins of their fields");
  return TRUE;
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
  ok = armilla_transform_begin (&transform, graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                armilla_alm_layout (alm),
                                armilla_map_grid (map), armilla_alm_spins (alm),
                                armilla_alm_n_fields (alm), error)
       && armilla_transform_prepare (&transform, in, error);
  armilla_job_done_with (job, 0);
  /* The equator first: on HEALPix the rings next to the poles take the least time, and what comes
   * last is computed while other workers have nothing left to do. */
  for (int b = ok ? transform.rings->n - 1 : -1; ok && b >= 0; b--)
    {
      armilla_transform_next_epoch (&transform, FALSE);
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

  if (!armilla_check_transform (alm, map, error))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
