/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/fields/field-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "tasks/harmonic/analysis-private.h"

/**
 * armilla_check_same_pixels:
 * @a: a map
 * @b: another
 * @error: return location
 *
 * Returns: whether their grids have the same pixels, whatever their quadrature weights;
 *   %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_check_same_pixels (ArmillaMap *a, ArmillaMap *b, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (armilla_grid_same_pixels (armilla_map_grid (a), armilla_map_grid (b)))
    return TRUE;
  first = armilla_grid_describe (armilla_map_grid (a));
  second = armilla_grid_describe (armilla_map_grid (b));
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
               "one map is %s, the other %s; they must have the same pixels", first, second);
  return FALSE;
}

/* out <- factor 0 x in 0, then factor i x in i + out, one after the other: a fixed order. */
static gboolean
combine_map_tile (ArmillaGraph *graph, const ArmillaRingBlock *block, const ArmillaTile *const *in,
                  const double *factors, int b, int n_fields, const ArmillaTile *out,
                  GError **error)
{
  for (int i = 0; in[i] != NULL; i++)
    {
      ArmillaPixelArgs args = { .fault = armilla_graph_fault (graph), .n_fields = n_fields,
                                .n_pixels = block->n_pixels, .alpha = factors[i], .beta = 1 };
      ArmillaUse uses[]
        = { { in[i][b].handle, STARPU_R }, { out->handle, i == 0 ? STARPU_W : STARPU_RW } };

      if (!armilla_submit (graph, i == 0 ? &armilla_pixel_scale_cl : &armilla_pixel_combine_cl,
                           block->owner, &args, sizeof args, uses, G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_combine_maps (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *out = ARMILLA_MAP (job->out);
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (out, graph, error);
  const ArmillaTile *to = rings ? armilla_map_tiles (out, graph, error) : NULL;
  const ArmillaTile *in[ARMILLA_JOB_INPUTS + 1] = { NULL };
  gboolean ok = to != NULL;

  for (int i = 0; ok && i < job->count; i++)
    {
      in[i] = armilla_map_lazy_tiles (ARMILLA_MAP (job->in[i]), graph, error);
      ok = in[i] != NULL;
    }
  for (int b = 0; ok && b < rings->n; b++)
    {
      for (int i = 0; ok && i < job->count; i++)
        ok = armilla_map_tile_begin (ARMILLA_MAP (job->in[i]), graph, b, error);
      ok = ok
           && combine_map_tile (graph, &rings->block[b], in, job->user, b,
                                armilla_map_n_fields (out), &to[b], error)
           && armilla_map_tile_comes (out, graph, b, error);
      for (int i = 0; ok && i < job->count; i++)
        ok = armilla_map_tile_end (ARMILLA_MAP (job->in[i]), graph, b, error);
    }
  return ok;
}

/**
 * armilla_graph_combine_maps:
 * @graph: a graph
 * @maps: (array length=n): maps of the same pixels and number of fields
 * @factors: (array length=n): a factor for each
 * @n: how many, 1 to 8
 * @out: a map like them; written
 * @error: return location
 *
 * Asks for the sum of factor times map; UNSEEN where any map is.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_combine_maps (ArmillaGraph *graph, ArmillaMap *const *maps, const double *factors,
                            int n, ArmillaMap *out, GError **error)
{
  ArmillaJob job = { .run = run_combine_maps, .out = ARMILLA_DATA (out), .count = n };

  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  for (int i = 0; i < n; i++)
    {
      if (!armilla_check_fields (armilla_map_n_fields (maps[i]), armilla_map_n_fields (out), error)
          || !armilla_check_same_pixels (maps[i], out, error))
        return FALSE;
      job.in[i] = ARMILLA_DATA (maps[i]);
    }
  job.user = g_memdup2 (factors, (gsize) n * sizeof *factors);
  job.destroy = g_free;
  armilla_graph_defer (graph, &job);
  return TRUE;
}

static gboolean
run_combine_alm (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *out = ARMILLA_ALM (job->out);
  ArmillaOrderBlocks *orders = armilla_alm_order_blocks (out, graph);
  const ArmillaTile *to = armilla_alm_tiles (out, graph, error);
  const double *factors = job->user;

  for (int i = 0; i < job->count; i++)
    {
      const ArmillaTile *in
        = to ? armilla_alm_tiles (ARMILLA_ALM (job->in[i]), graph, error) : NULL;

      if (!in)
        return FALSE;
      for (int b = 0; b < orders->n; b++)
        {
          ArmillaVectorArgs args = { .fault = armilla_graph_fault (graph), .n = to[b].n,
                                     .alpha = factors[i], .beta = i == 0 ? 0 : 1 };
          ArmillaUse uses[] = { { in[b].handle, STARPU_R },
                                { to[b].handle, i == 0 ? STARPU_W : STARPU_RW } };

          if (!armilla_submit (graph, &armilla_combine_cl, to[b].owner, &args, sizeof args, uses,
                               G_N_ELEMENTS (uses), 0, error))
            return FALSE;
        }
    }
  return TRUE;
}

/**
 * armilla_graph_combine_alm:
 * @graph: a graph
 * @alms: (array length=n): a_lm of the same layout and number of fields
 * @factors: (array length=n): a factor for each
 * @n: how many, 1 to 8
 * @out: a_lm like them; written
 * @error: return location
 *
 * Asks for the sum of factor times a_lm.
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_graph_combine_alm (ArmillaGraph *graph, ArmillaAlm *const *alms, const double *factors,
                           int n, ArmillaAlm *out, GError **error)
{
  ArmillaJob job = { .run = run_combine_alm, .out = ARMILLA_DATA (out), .count = n };
  ArmillaAlmLayout layout = armilla_alm_layout (out);

  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  for (int i = 0; i < n; i++)
    {
      ArmillaAlmLayout other = armilla_alm_layout (alms[i]);

      if (!armilla_check_fields (armilla_alm_n_fields (alms[i]), armilla_alm_n_fields (out), error))
        return FALSE;
      if (other.lmax != layout.lmax || other.mmax != layout.mmax)
        {
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                       "a_lm of lmax %" G_GINT64_FORMAT ", mmax %" G_GINT64_FORMAT
                       " cannot be added to those of lmax %" G_GINT64_FORMAT
                       ", mmax %" G_GINT64_FORMAT,
                       other.lmax, other.mmax, layout.lmax, layout.mmax);
          return FALSE;
        }
      job.in[i] = ARMILLA_DATA (alms[i]);
    }
  job.user = g_memdup2 (factors, (gsize) n * sizeof *factors);
  job.destroy = g_free;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
