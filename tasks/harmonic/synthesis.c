/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/harmonic/analysis-private.h"

#include <armilla/harmonic.h>

gboolean
armilla_check_fields (int a, int b, GError **error)
{
  if (a == b)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "the numbers of fields are %d and %d; must be equal", a, b);
}

/* Sets the job's work to that of @times transforms, for the estimate of progress. */
void
armilla_job_set_transforms (ArmillaJob *job, ArmillaAlm *alm, ArmillaMap *map, int times)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);

  job->times = times;
  job->work = 4.0 * times * (double) (layout.lmax + 1) * (double) (layout.mmax + 1)
              * (double) armilla_map_grid (map)->n_rings * armilla_map_n_fields (map);
}

/* Fails unless both have the same number of fields with the same spins, and the layout is valid. */
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
shapes_alike (ArmillaAlm *alm_a, ArmillaMap *map_a, ArmillaAlm *alm_b, ArmillaMap *map_b)
{
  const ArmillaAlmLayout a = armilla_alm_layout (alm_a), b = armilla_alm_layout (alm_b);
  const int n_fields = armilla_alm_n_fields (alm_a);

  return a.lmax == b.lmax && a.mmax == b.mmax && n_fields == armilla_alm_n_fields (alm_b)
         && armilla_fields_equal (armilla_alm_spins (alm_a), armilla_alm_spins (alm_b), n_fields)
         && armilla_grid_equal (armilla_map_grid (map_a), armilla_map_grid (map_b));
}

/* Returns whether a table exists for the transforms of the jobs; then each is computed alone. */
static gboolean
have_table (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b)
{
  return armilla_legendre_options (graph, a->label)->table
         || armilla_legendre_options (graph, b->label)->table;
}

/* Returns whether two analyses can share a recurrence. */
gboolean
armilla_analyses_alike (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b)
{
  const ArmillaAnalysisArgs *first = a->args, *second = b->args;

  return !have_table (graph, a, b) && (!first || first->iterations == second->iterations)
         && shapes_alike (ARMILLA_ALM (a->out), ARMILLA_MAP (a->in[0]), ARMILLA_ALM (b->out),
                          ARMILLA_MAP (b->in[0]));
}

static gboolean
syntheses_alike (ArmillaGraph *graph, const ArmillaJob *a, const ArmillaJob *b)
{
  return !have_table (graph, a, b)
         && shapes_alike (ARMILLA_ALM (a->in[0]), ARMILLA_MAP (a->out), ARMILLA_ALM (b->in[0]),
                          ARMILLA_MAP (b->out));
}

static gboolean
synthesize_blocks (ArmillaTransform *t, ArmillaJob *const *jobs, const ArmillaTile *const *out,
                   GError **error)
{
  const ArmillaTile **tile = g_newa (const ArmillaTile *, (gsize) t->n_skies);
  gboolean ok = TRUE;

  for (int i = 0; ok && i < t->rings->n; i++)
    {
      const int b = armilla_transform_block (t, i);

      for (int sky = 0; sky < t->n_skies; sky++)
        tile[sky] = &out[sky][b];
      armilla_transform_next_epoch (t);
      ok = armilla_transform_rings (t, b, tile, 0, error);
      for (int sky = 0; ok && sky < t->n_skies; sky++)
        ok = armilla_data_tile_pass (jobs[sky]->out, t->graph, b, error);
    }
  return ok;
}

static const ArmillaJobKind adjoint_analysis_kind;

static gboolean
run_synthesis (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (jobs[0]->in[0]);
  const ArmillaTile **in = g_newa0 (const ArmillaTile *, (gsize) n);
  const ArmillaTile **out = g_newa0 (const ArmillaTile *, (gsize) n);
  ArmillaTransform transform;
  gboolean ok;

  for (int i = 0; i < n; i++)
    {
      in[i] = armilla_alm_tiles (ARMILLA_ALM (jobs[i]->in[0]), graph, error);
      out[i] = in[i] ? armilla_map_tiles (ARMILLA_MAP (jobs[i]->out), graph, error) : NULL;
      if (!out[i])
        return FALSE;
    }
  ok = armilla_transform_begin (&transform, graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                armilla_alm_layout (alm),
                                armilla_map_grid (ARMILLA_MAP (jobs[0]->out)),
                                armilla_alm_spins (alm), armilla_alm_n_fields (alm), n,
                                jobs[0]->kind == &adjoint_analysis_kind, error)
       && armilla_transform_prepare (&transform, in, error);
  if (n == 1)
    transform.in_place = armilla_map_in_place (ARMILLA_MAP (jobs[0]->out));
  for (int i = 0; i < n && !transform.in_alm; i++)
    armilla_job_done_with (jobs[i], 0);
  ok = ok && synthesize_blocks (&transform, jobs, out, error);
  for (int i = 0; i < n && transform.in_alm; i++)
    armilla_job_done_with (jobs[i], 0);
  armilla_transform_end (&transform);
  return ok;
}

static const ArmillaJobKind synthesis_kind
  = { .alike = syntheses_alike, .run = run_synthesis };
static const ArmillaJobKind adjoint_analysis_kind
  = { .alike = syntheses_alike, .run = run_synthesis };

static gboolean
request (ArmillaGraph *graph, const ArmillaJobKind *kind, ArmillaAlm *alm, ArmillaMap *map,
         GError **error)
{
  ArmillaJob job = { .kind = kind, .in = { ARMILLA_DATA (alm) }, .out = ARMILLA_DATA (map) };

  if (!armilla_check_transform (alm, map, error))
    return FALSE;
  armilla_job_set_transforms (&job, alm, map, 1);
  armilla_graph_defer (graph, &job);
  return TRUE;
}

gboolean
armilla_graph_synthesis (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *map, GError **error)
{
  return request (graph, &synthesis_kind, alm, map, error);
}

/* Requests the adjoint of an analysis that resamples the rings of the map, see
 * armilla_analysis_resamples(). */
gboolean
armilla_graph_adjoint_analysis (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaMap *map,
                                GError **error)
{
  return request (graph, &adjoint_analysis_kind, alm, map, error);
}
