/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"
#include "tasks/ranks/gather.h"

typedef struct {
  gint64 nside_in, nside_out;
  int n_fields;
  gboolean pessimistic;
  double factor; /* (nside_out / nside_in)^power */
} Grade;

/* Returns the mean of the values that are not UNSEEN. @n is a power of four; four neighbours are
 * added at a time, so that the rounding error grows with the logarithm of @n only. */
static double
mean_of_seen (double *values, gint64 n, gboolean pessimistic, double factor)
{
  gint64 seen = 0;

  for (gint64 i = 0; i < n; i++)
    {
      gboolean bad = armilla_is_unseen_value (values[i]);

      seen += !bad;
      if (bad)
        values[i] = 0;
    }
  if (seen == 0 || (pessimistic && seen < n))
    return ARMILLA_UNSEEN_VALUE;
  for (; n > 1; n /= 4)
    for (gint64 i = 0; i < n / 4; i++)
      values[i] = (values[4 * i] + values[4 * i + 1]) + (values[4 * i + 2] + values[4 * i + 3]);
  return factor * (values[0] / (double) seen);
}

/* Reads the input pixels of an output pixel: its children or its parent. Pixels that the map lacks
 * are UNSEEN. */
static void
find_sources (const Grade *grade, const ArmillaGathered *in, gint64 pixel, gint64 n,
              const double **places, gint64 *strides)
{
  static const double unseen = ARMILLA_UNSEEN_VALUE;
  gint64 nest = armilla_healpix_ring_to_nest (grade->nside_out, pixel);
  gint64 up = grade->nside_out / grade->nside_in;

  for (gint64 i = 0; i < n; i++)
    {
      gint64 from = up > 1 ? nest / (up * up) : nest * n + i;
      gint64 source = armilla_healpix_nest_to_ring (grade->nside_in, from);
      gint64 ring = armilla_grid_ring_of (in->grid, source);

      places[i] = ring < 0 ? &unseen
                           : in->rings[ring] + (source - in->grid->rings[ring].offset);
      strides[i] = ring < 0 ? 0 : in->strides[ring];
    }
}

static void
grade_block (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block,
             double *out)
{
  const Grade *grade = user;
  gint64 down = MAX (grade->nside_in / grade->nside_out, 1), n = down * down;
  g_autofree const double **places = g_new (const double *, n);
  g_autofree gint64 *strides = g_new (gint64, n);
  g_autofree double *values = g_new (double, n);

  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    for (gint64 j = 0; j < block->slots[slot].n_phi; j++)
      {
        find_sources (grade, in, block->first_pixel[slot] + j, n, places, strides);
        for (int f = 0; f < grade->n_fields; f++)
          {
            for (gint64 i = 0; i < n; i++)
              values[i] = places[i][f * strides[i]];
            out[f * block->n_pixels + block->slots[slot].offset + j]
              = mean_of_seen (values, n, grade->pessimistic, grade->factor);
          }
      }
}

typedef struct {
  gboolean pessimistic;
  double power;
} How;

static gboolean
run_ud_grade (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const How *how = job->args;
  ArmillaMap *map = ARMILLA_MAP (job->in[0]), *out = ARMILLA_MAP (job->out);
  ArmillaRingBlocks *from = armilla_map_ring_blocks (map, graph, error);
  ArmillaRingBlocks *to
    = from ? armilla_map_ring_blocks (out, graph, error) : NULL;
  const ArmillaTile *in = to ? armilla_map_tiles (map, graph, error) : NULL;
  const ArmillaTile *tiles = in ? armilla_map_tiles (out, graph, error) : NULL;
  Grade grade = { armilla_map_grid (map)->nside, armilla_map_grid (out)->nside,
                  armilla_map_n_fields (map), how->pessimistic, 1 };
  gboolean ok = tiles != NULL;

  if (how->power != 0)
    grade.factor = pow ((double) grade.nside_out / (double) grade.nside_in, how->power);
  /* A pixel's corners are within 1.2 / nside of its centre. */
  for (int b = 0; ok && b < to->n; b++)
    ok = armilla_gather (graph, from, in, &to->block[b], &tiles[b],
                         2.0 / (double) MIN (grade.nside_in, grade.nside_out), grade_block,
                         g_memdup2 (&grade, sizeof grade), g_free, error)
         && armilla_data_tile_pass (ARMILLA_DATA (out), graph, b, error);
  return ok;
}

static gboolean
is_hierarchical (const ArmillaGrid *grid)
{
  return grid->kind == ARMILLA_GRID_HEALPIX && (grid->nside & (grid->nside - 1)) == 0;
}

/* Requests the map at another resolution: the mean of the seen children of a pixel, or its parent.
 * Returns whether the shapes fit; ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE otherwise.
 * @out: a HEALPix map with the same number of fields, nside another power of two; written. */
gboolean
armilla_graph_ud_grade (ArmillaGraph *graph, ArmillaMap *map, gboolean pessimistic, double power,
                        ArmillaMap *out, GError **error)
{
  const How how = { pessimistic, power };
  ArmillaJob job = { .run = run_ud_grade,
                     .in = { ARMILLA_DATA (map) },
                     .out = ARMILLA_DATA (out),
                     .args = &how,
                     .args_size = sizeof how };

  if (!armilla_check_fields (armilla_map_n_fields (map), armilla_map_n_fields (out), error))
    return FALSE;
  if (!is_hierarchical (armilla_map_grid (map)) || !is_hierarchical (armilla_map_grid (out)))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "both maps must be HEALPix with nside a power of two");
  armilla_graph_defer (graph, &job);
  return TRUE;
}
