/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Footprints: masks for catalogues with one bit per pixel, of which every rank has a copy. */
#include "config.h"

#include "core/grids/footprint.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/data-private.h"
#include "tasks/graph/jobs.h"
#include "tasks/planning/forecast-private.h"

/* Adds the pixels of the first field of a ring block. */
static void
add_block (ArmillaFootprint *footprint, const ArmillaRingBlock *block, const double *pixels)
{
  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    {
      const ArmillaRingSlot *ring = &block->slots[slot];

      if (ring->n_phi > 0)
        armilla_footprint_add (footprint, block->first_pixel[slot], ring->n_phi,
                               pixels + ring->offset);
    }
}

/* Fetches pixel values. In a forecast, which has no values, all objects are taken to be in the
 * mask. */
static gboolean
fetch_pixels (ArmillaGraph *graph, const ArmillaTile *tile, double *pixels, GError **error)
{
  if (!graph->taker.kind)
    return armilla_graph_fetch (graph, tile, pixels, error);
  armilla_forecast_fetch (graph, tile);
  for (gint64 i = 0; i < tile->n; i++)
    pixels[i] = 1;
  return TRUE;
}

static gboolean
run_fetch (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]);
  ArmillaRingBlocks *rings = armilla_graph_ring_blocks (graph, armilla_map_grid (map),
                                                        armilla_map_n_fields (map), error);
  const ArmillaTile *tiles = rings ? armilla_map_tiles (map, graph, error) : NULL;
  g_autofree double *pixels = NULL;

  if (!tiles)
    return FALSE;
  pixels = g_new (double, rings->max_pixels * armilla_map_n_fields (map));
  for (int b = 0; b < rings->n; b++)
    {
      if (!fetch_pixels (graph, &tiles[b], pixels, error))
        return FALSE;
      add_block (job->user, &rings->block[b], pixels);
    }
  return TRUE;
}

static void
footprint_unref (gpointer data)
{
  armilla_footprint_unref (data);
}

/* Broadcasts a mask; waits until it is computed. Returns whether it is a HEALPix map of that
 * nside. */
gboolean
armilla_graph_fetch_footprint (ArmillaGraph *graph, ArmillaMap *mask, ArmillaFootprint *footprint,
                               GError **error)
{
  const ArmillaGrid *grid = armilla_map_grid (mask);
  ArmillaJob job = { .run = run_fetch,
                     .in = { ARMILLA_DATA (mask) },
                     .user = armilla_footprint_ref (footprint),
                     .destroy = footprint_unref };

  if (grid->kind == ARMILLA_GRID_HEALPIX && grid->nside == footprint->nside)
    {
      armilla_graph_defer (graph, &job);
      return TRUE;
    }
  footprint_unref (job.user);
  return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "the mask of a catalogue must be a HEALPix map of nside %" G_GINT64_FORMAT,
                       footprint->nside);
}
