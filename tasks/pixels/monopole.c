/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"

typedef struct {
  int n_fields;
  int *spins;
  gboolean dipole;
} Fit;

static Fit *
fit_new (ArmillaMap *map, gboolean dipole)
{
  Fit *f = g_new (Fit, 1);

  f->n_fields = armilla_map_n_fields (map);
  f->spins = g_memdup2 (armilla_map_spins (map), sizeof (int) * (gsize) f->n_fields);
  f->dipole = dipole;
  return f;
}

static void
fit_free (gpointer data)
{
  Fit *f = data;

  g_free (f->spins);
  g_free (f);
}

/* Computes the coefficients of the least-squares fit of each scalar field. Fields with spin are not
 * fitted: their lowest multipole is the spin. */
static gboolean
fit (gpointer user, double *const *buffers, GError **error)
{
  const Fit *f = user;
  g_autofree int32_t *status = g_new0 (int32_t, f->n_fields);

  armilla_dipole_solve_cpu (f->n_fields, f->dipole, buffers[0], buffers[1], status);
  for (int field = 0; field < f->n_fields; field++)
    if (f->spins[field] != 0)
      memset (buffers[1] + 4 * field, 0, sizeof (double) * 4);
    else if (status[field] != 0)
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "the monopole%s of field %d cannot be fitted: too few pixels are seen "
                           "outside the galactic cut; check the UNSEEN or masked pixels, or reduce "
                           "galactic-cut", f->dipole ? " and dipole" : "", field);
  return TRUE;
}

static gboolean
sum_moments (ArmillaGraph *graph, const ArmillaRingBlock *rings, ArmillaDipoleArgs *args,
             const ArmillaTile *map, const ArmillaTile *sum, GError **error)
{
  ArmillaVectorArgs add = { .fault = armilla_graph_fault (graph),
                            .n = sum->n, .alpha = 1, .beta = 1 };
  ArmillaTile part = { 0 }, scratch = { 0 };
  gboolean ok;

  if (!armilla_tile_borrow (graph, rings->owner, sum->n, &part, error)
      || !armilla_tile_borrow (graph, 0,
                               ARMILLA_CUDA_SCRATCH (armilla_dipole_scratch_size (&args->shape)),
                               &scratch, error))
    return FALSE;
  ArmillaUse make[] = { { rings->slots_handle, STARPU_R },
                        { rings->pairs_handle, STARPU_R },
                        { map->handle, STARPU_R },
                        { part.handle, STARPU_W },
                        { scratch.handle, STARPU_SCRATCH } };
  ArmillaUse put[] = { { part.handle, STARPU_R }, { sum->handle, STARPU_RW } };
  ok = armilla_submit (graph, &armilla_moments_cl, rings->owner, args, sizeof *args, make,
                       G_N_ELEMENTS (make), 0, error)
       && armilla_submit (graph, &armilla_combine_cl, sum->owner, &add, sizeof add, put,
                          G_N_ELEMENTS (put), 0, error);
  armilla_tile_return (graph, &part);
  armilla_tile_return (graph, &scratch);
  return ok;
}

static ArmillaDipoleArgs
dipole_args (ArmillaGraph *graph, const ArmillaRingBlock *rings, int n_fields, double cut)
{
  return (ArmillaDipoleArgs) { .fault = armilla_graph_fault (graph),
                               .shape = { .n_fields = n_fields,
                                          .n_slots = 2 * rings->n_pairs,
                                          .n_pixels = rings->n_pixels,
                                          .sin_cut = sin (cut) } };
}

static gboolean
fit_and_subtract (ArmillaGraph *graph, ArmillaRingBlocks *rings, const ArmillaTile *in,
                  const ArmillaTile *out, const ArmillaTile *sum, const ArmillaTile *coefficients,
                  ArmillaMap *map, gboolean dipole, double cut, GError **error)
{
  static const enum starpu_data_access_mode modes[2] = { STARPU_R, STARPU_W };
  ArmillaVectorArgs zero = { .fault = armilla_graph_fault (graph), .n = sum->n };
  ArmillaTile tiles[2] = { *sum, *coefficients };
  int n_fields = armilla_map_n_fields (map);

  if (!armilla_submit (graph, &armilla_zero_cl, 0, &zero, sizeof zero,
                       (ArmillaUse[]) { { sum->handle, STARPU_W } }, 1, 0, error))
    return FALSE;
  for (int b = 0; b < rings->n; b++)
    {
      ArmillaDipoleArgs args = dipole_args (graph, &rings->block[b], n_fields, cut);

      if (!sum_moments (graph, &rings->block[b], &args, &in[b], sum, error))
        return FALSE;
    }
  if (!armilla_host_step (graph, 0, tiles, modes, 2, fit, fit_new (map, dipole), fit_free, error))
    return FALSE;
  for (int b = 0; b < rings->n; b++)
    {
      const ArmillaRingBlock *block = &rings->block[b];
      ArmillaDipoleArgs args = dipole_args (graph, block, n_fields, cut);
      ArmillaUse uses[] = { { block->slots_handle, STARPU_R },
                            { block->pairs_handle, STARPU_R },
                            { coefficients->handle, STARPU_R },
                            { in[b].handle, STARPU_R },
                            { out[b].handle, STARPU_W } };

      if (!armilla_submit (graph, &armilla_remove_dipole_cl, block->owner, &args, sizeof args,
                           uses, G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

typedef struct {
  gboolean dipole;
  double galactic_cut;
} How;

static gboolean
run_remove (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const How *how = job->args;
  ArmillaMap *map = ARMILLA_MAP (job->in[0]), *out = ARMILLA_MAP (job->out);
  ArmillaRingBlocks *rings = armilla_map_ring_blocks (map, graph, error);
  const ArmillaTile *from = rings ? armilla_map_tiles (map, graph, error) : NULL;
  const ArmillaTile *to = from ? armilla_map_tiles (out, graph, error) : NULL;
  int n_fields = armilla_map_n_fields (map);
  ArmillaTile sum = { 0 }, coefficients = { 0 };
  gboolean ok;

  ok = to && armilla_tile_new (graph, 0, (gint64) ARMILLA_MOMENTS * n_fields, &sum, error)
       && armilla_tile_new (graph, 0, (gint64) 4 * n_fields, &coefficients, error)
       && fit_and_subtract (graph, rings, from, to, &sum, &coefficients, map, how->dipole,
                            how->galactic_cut, error);
  armilla_tile_drop (&sum);
  armilla_tile_drop (&coefficients);
  for (int b = 0; ok && b < rings->n; b++)
    ok = armilla_data_tile_pass (ARMILLA_DATA (out), graph, b, error);
  return ok;
}

/* Requests the subtraction of the least-squares fit of 1 (and x, y, z) to the seen pixels of each
 * scalar field; UNSEEN pixels and fields with spin are unchanged. Like healpy's remove_monopole and
 * remove_dipole. Returns whether the shapes fit. */
gboolean
armilla_graph_remove_monopole (ArmillaGraph *graph, ArmillaMap *map, gboolean dipole,
                               double galactic_cut, ArmillaMap *out, GError **error)
{
  const How how = { dipole, galactic_cut };
  ArmillaJob job = { .run = run_remove,
                     .in = { ARMILLA_DATA (map) },
                     .out = ARMILLA_DATA (out),
                     .args = &how,
                     .args_size = sizeof how };

  if (!armilla_check_fields (armilla_map_n_fields (map), armilla_map_n_fields (out), error))
    return FALSE;
  armilla_graph_defer (graph, &job);
  return TRUE;
}
