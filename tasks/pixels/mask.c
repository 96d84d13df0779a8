/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-codelets.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"
#include "tasks/ranks/gather.h"

typedef struct {
  int n_fields;
  double reach;
  ArmillaMaskTaper taper;
} Apodise;

/* Pixels with value 0 of a ring: for each pixel the last zero at or before it, and the first at or
 * after it. Indices outside of 0..n_phi - 1 mean a turn around the ring. */
typedef struct {
  gint32 *before, *behind; /* [n_phi]; NULL if there is none */
} Zeros;

static void
find_zeros (Zeros *zeros, const double *pixels, gint64 n)
{
  gint32 last = G_MININT32;

  for (gint64 j = 0; j < n && last == G_MININT32; j++)
    if (pixels[n - 1 - j] == 0)
      last = (gint32) (-1 - j);
  if (last == G_MININT32)
    return;
  zeros->before = g_new (gint32, n);
  zeros->behind = g_new (gint32, n);
  for (gint64 j = 0; j < n; j++)
    zeros->before[j] = last = pixels[j] == 0 ? (gint32) j : last;
  for (gint64 j = 0; j < n && pixels[j] != 0; j++)
    last = (gint32) (n + j + 1);
  last = last >= n ? last : (gint32) n;
  for (gint64 j = n - 1; j >= 0; j--)
    zeros->behind[j] = last = pixels[j] == 0 ? (gint32) j : last;
}

static double
ring_phi0 (const ArmillaRing *ring)
{
  return ring->phi0_den > 0 ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den
                            : ring->phi0;
}

/* Returns the squared chord from a pixel at azimuth @phi to the nearest zero of a ring, or @best if
 * that is smaller. */
static double
nearest_in_ring (const ArmillaRing *ring, const Zeros *zeros, double dtheta_chord2, double sine,
                 double phi, double best)
{
  double step = 2 * G_PI / (double) ring->n_phi;
  double x = (phi - ring_phi0 (ring)) / step;
  gint64 j = (gint64) floor (x), n = ring->n_phi, k = ((j % n) + n) % n;
  gint64 next = (k + 1) % n;
  /* distances in pixels from phi to the previous and to the next zero */
  double back = (x - (double) j) + (double) (k - zeros->before[k]);
  double on = ((double) (j + 1) - x) + (double) (zeros->behind[next] - next);
  double s = sin (0.5 * step * MIN (back, on));

  return MIN (best, dtheta_chord2 + 4 * sine * ring->sin_theta * s * s);
}

static double
co_latitude (const ArmillaRing *ring)
{
  return atan2 (ring->sin_theta, ring->cos_theta);
}

static double
squared_chord (double a, double b)
{
  const double s = sin (0.5 * (a - b));

  return 4 * s * s;
}

/* For an image of a part of the sky, sets the squared chord from each ring to the nearest ring that
 * the image lacks. Missing rings have the same azimuths of pixels, which have weight 0. */
static void
find_absent (const ArmillaGrid *part, const double *theta, double *absent)
{
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) part);
  const gint64 n_phi = part->rings[0].n_phi, n = part->n_rings;

  for (int way = 1; way >= -1; way -= 2)
    {
      double edge = G_MAXDOUBLE; /* co-latitude of the last omitted ring */
      gint64 next = way > 0 ? 0 : whole->n_rings - 1; /* ring expected next if none is missing */

      for (gint64 i = 0; i < n; i++)
        {
          const gint64 r = way > 0 ? i : n - 1 - i, here = part->rings[r].offset / n_phi;
          const double before = way > 0 ? G_MAXDOUBLE : absent[r];

          if (part != whole && here != next)
            edge = co_latitude (&whole->rings[here - way]);
          next = here + way;
          absent[r] = edge == G_MAXDOUBLE ? before
                                          : MIN (before, squared_chord (edge, theta[r]));
        }
    }
}

/* Returns the squared chord to the nearest zero, searching ring by ring outwards. */
static double
nearest_zero (const ArmillaGathered *in, const Zeros *zeros, const double *theta, gint64 ring,
              double phi, double limit)
{
  double best = limit, sine = in->grid->rings[ring].sin_theta;

  for (int way = -1; way <= 1; way += 2)
    for (gint64 r = way < 0 ? ring : ring + 1; r >= 0 && r < in->grid->n_rings; r += way)
      {
        const double chord2 = squared_chord (theta[r], theta[ring]);

        if (chord2 >= best)
          break;
        if (zeros[r].before != NULL)
          best = nearest_in_ring (&in->grid->rings[r], &zeros[r], chord2, sine, phi, best);
      }
  return best;
}

/* Returns the taper of Grain, Tristram and Stompor (2009): x is the chord to the nearest zero over
 * the chord of the apodisation angle. */
static double
taper (ArmillaMaskTaper kind, double x)
{
  if (x >= 1)
    return 1;
  return kind == ARMILLA_MASK_TAPER_C1 ? x - sin (2 * G_PI * x) / (2 * G_PI)
                                       : 0.5 * (1 - cos (G_PI * x));
}

static void
apodise_field (const Apodise *apodise, const ArmillaGathered *in, const double *theta,
               const double *absent, const ArmillaRingBlock *block, int field, double *out)
{
  gint64 n_rings = in->grid->n_rings;
  g_autofree Zeros *zeros = g_new0 (Zeros, n_rings);
  double chord = 2 * sin (0.5 * apodise->reach), limit = chord * chord;

  for (gint64 r = 0; r < n_rings; r++)
    if (in->rings[r] != NULL)
      find_zeros (&zeros[r], in->rings[r] + field * in->strides[r], in->grid->rings[r].n_phi);
  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    {
      gint64 n = block->slots[slot].n_phi, ring;
      const double *weights;

      if (n == 0)
        continue;
      ring = armilla_grid_ring_of (in->grid, block->first_pixel[slot]);
      weights = in->rings[ring] + field * in->strides[ring];
      for (gint64 j = 0; j < n; j++)
        {
          double phi = ring_phi0 (&in->grid->rings[ring]) + 2 * G_PI * (double) j / (double) n;
          double near = weights[j] == 0
                          ? 0 : nearest_zero (in, zeros, theta, ring, phi,
                                              MIN (limit, absent[ring]));

          out[block->slots[slot].offset + j]
            = weights[j] * taper (apodise->taper, sqrt (near / limit));
        }
    }
  for (gint64 r = 0; r < n_rings; r++)
    {
      g_free (zeros[r].before);
      g_free (zeros[r].behind);
    }
}

static void
apodise_block (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block,
               double *out)
{
  const Apodise *apodise = user;
  g_autofree double *theta = g_new (double, in->grid->n_rings);
  g_autofree double *absent = g_new (double, in->grid->n_rings);

  for (gint64 r = 0; r < in->grid->n_rings; r++)
    theta[r] = co_latitude (&in->grid->rings[r]);
  find_absent (in->grid, theta, absent);
  for (int f = 0; f < apodise->n_fields; f++)
    apodise_field (apodise, in, theta, absent, block, f, out + f * block->n_pixels);
}

/* Arguments of the masking of one map. */
typedef struct {
  ArmillaGraph *graph;
  const ArmillaMaskOptions *options;
  ArmillaRingBlocks *rings;
  int n_fields, n_weights;
  const ArmillaTile *map, *mask, *out; /* map is NULL if the weights themselves are requested */
} Mask;

static ArmillaPixelArgs
pixel_args (const Mask *m, int b, int n_fields, gboolean flag)
{
  return (ArmillaPixelArgs) { .fault = armilla_graph_fault (m->graph),
                              .n_fields = n_fields,
                              .n_pixels = m->rings->block[b].n_pixels,
                              .n_weights = m->n_weights,
                              .flag = flag };
}

static gboolean
make_weights (const Mask *m, int b, const ArmillaTile *weights, GError **error)
{
  ArmillaPixelArgs args = pixel_args (m, b, m->n_weights, m->options->from_unseen);
  ArmillaUse uses[] = { { m->mask[b].handle, STARPU_R }, { weights->handle, STARPU_W } };

  return armilla_submit (m->graph, &armilla_pixel_weights_cl, m->rings->block[b].owner, &args,
                         sizeof args, uses, G_N_ELEMENTS (uses), 0, error);
}

static gboolean
apply_weights (const Mask *m, int b, const ArmillaTile *weights, GError **error)
{
  ArmillaPixelArgs args = pixel_args (m, b, m->n_fields, m->options->outside_unseen);
  ArmillaUse uses[] = { { m->map[b].handle, STARPU_R },
                        { weights->handle, STARPU_R },
                        { m->out[b].handle, STARPU_W } };

  return armilla_submit (m->graph, &armilla_pixel_mask_cl, m->rings->block[b].owner, &args,
                         sizeof args, uses, G_N_ELEMENTS (uses), 0, error);
}

/* Submits the weights of one ring block. @sharp: weights before apodisation of all ring blocks;
 * NULL without apodisation. */
static gboolean
run_block (const Mask *m, int b, const ArmillaTile *sharp, GError **error)
{
  const ArmillaRingBlock *block = &m->rings->block[b];
  Apodise apodise = { m->n_weights, m->options->apodise, m->options->taper };
  ArmillaTile own = { 0 };
  const ArmillaTile *weights = m->map ? &own : &m->out[b];
  gboolean ok = !m->map
                || armilla_tile_new (m->graph, block->owner, m->n_weights * block->n_pixels, &own,
                                     error);

  ok = ok
       && (sharp ? armilla_gather (m->graph, m->rings, sharp, block, weights, apodise.reach,
                                   apodise_block, g_memdup2 (&apodise, sizeof apodise), g_free,
                                   error)
                 : make_weights (m, b, weights, error))
       && (!m->map || apply_weights (m, b, weights, error));
  armilla_tile_drop (&own);
  return ok;
}

static gboolean
run_mask (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaMaskOptions *options = job->user;
  ArmillaMap *mask = ARMILLA_MAP (job->in[0]), *out = ARMILLA_MAP (job->out);
  ArmillaMap *map = job->in[1] ? ARMILLA_MAP (job->in[1]) : NULL;
  Mask m = { .graph = graph,
             .options = options,
             .rings = armilla_map_ring_blocks (out, graph, error),
             .n_fields = armilla_map_n_fields (out),
             .n_weights = armilla_map_n_fields (mask) };
  g_autofree ArmillaTile *sharp = NULL;
  gboolean ok = m.rings && (m.mask = armilla_map_lazy_tiles (mask, graph, error))
                && (!map || (m.map = armilla_map_lazy_tiles (map, graph, error)))
                && (m.out = armilla_map_tiles (out, graph, error));

  if (ok && options->apodise > 0)
    sharp = g_new0 (ArmillaTile, m.rings->n);
  for (int b = 0; ok && sharp && b < m.rings->n; b++)
    ok = armilla_tile_new (graph, m.rings->block[b].owner,
                           m.n_weights * m.rings->block[b].n_pixels, &sharp[b], error)
         && armilla_data_tile_begin (ARMILLA_DATA (mask), graph, b, error)
         && make_weights (&m, b, &sharp[b], error)
         && armilla_data_tile_end (ARMILLA_DATA (mask), graph, b, error);
  for (int b = 0; ok && b < m.rings->n; b++)
    ok = (sharp || armilla_data_tile_begin (ARMILLA_DATA (mask), graph, b, error))
         && (!map || armilla_data_tile_begin (ARMILLA_DATA (map), graph, b, error))
         && run_block (&m, b, sharp, error)
         && armilla_data_tile_pass (ARMILLA_DATA (out), graph, b, error)
         && (sharp || armilla_data_tile_end (ARMILLA_DATA (mask), graph, b, error))
         && (!map || armilla_data_tile_end (ARMILLA_DATA (map), graph, b, error));
  for (int b = 0; sharp && b < m.rings->n; b++)
    armilla_tile_drop (&sharp[b]);
  return ok;
}

/* Requests @map times the weights of @mask: its values, or 1 for seen pixels, and 0 for UNSEEN
 * ones; with apodisation, times a taper that grows from 0 at the nearest pixel of weight 0 to 1 at
 * the given angle. Where the weight is 0 the result is 0 or UNSEEN; elsewhere UNSEEN pixels stay
 * UNSEEN. Returns whether the shapes fit. */
gboolean
armilla_graph_mask (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                    const ArmillaMaskOptions *options, ArmillaMap *out, GError **error)
{
  ArmillaJob job = { .run = run_mask,
                     .in = { ARMILLA_DATA (mask), map ? ARMILLA_DATA (map) : NULL },
                     .out = ARMILLA_DATA (out),
                     .user = g_memdup2 (options, sizeof *options),
                     .destroy = g_free };
  int n_weights = armilla_map_n_fields (mask);

  if (!armilla_check_fields (armilla_map_n_fields (map ? map : mask), armilla_map_n_fields (out),
                             error)
      || (n_weights != 1 && !armilla_check_fields (n_weights, armilla_map_n_fields (out), error))
      || !armilla_data_same_shape (ARMILLA_DATA (mask), "mask", ARMILLA_DATA (out), "out", error)
      || (map
          && !armilla_data_same_shape (ARMILLA_DATA (map), "map", ARMILLA_DATA (out), "out",
                                       error)))
    {
      g_free (job.user);
      return FALSE;
    }
  armilla_graph_defer (graph, &job);
  return TRUE;
}
