/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "core/grids/grid.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"
#include "tasks/ranks/gather.h"

/* State shared by the steps of one rotation; copied as a whole. */
typedef struct {
  double matrix[3][3];     /* multiplies input directions to give output directions */
  const ArmillaGrid *grid; /* grid of the output; the graph keeps a reference */
  int n_fields;
  int spins[];
} Rotation;

/* Rings of a whole grid, for interpolation; @own: their indices in the gathered grid, or -1. */
typedef struct {
  const ArmillaGrid *whole;
  double *theta;
  gint64 *own;
} Rings;

/* Interpolation point: two pixels on each of up to two rings, or a point next to a pole. */
typedef struct {
  gint64 ring[2];    /* rings of the whole grid; -1: none */
  double weight[2];
  double pole;       /* weight of the mean of ring[0], for points beyond the last ring */
  double phi;
} Place;

static void
multiply (const double m[3][3], gboolean inverse, const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = inverse ? m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2]
                     : m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static void
rings_init (Rings *rings, const ArmillaGrid *grid)
{
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) grid);

  rings->whole = whole;
  rings->theta = g_new (double, whole->n_rings);
  rings->own = g_new (gint64, whole->n_rings);
  for (gint64 r = 0; r < whole->n_rings; r++)
    {
      rings->theta[r] = atan2 (whole->rings[r].sin_theta, whole->rings[r].cos_theta);
      rings->own[r] = armilla_grid_ring_of (grid, whole->rings[r].offset);
    }
}

static void
rings_clear (Rings *rings)
{
  g_free (rings->theta);
  g_free (rings->own);
}

/* Finds the rings above and below a direction and their weights, linear in theta. Between a pole
 * and the nearest ring the value of the pole is the mean of that ring. */
static Place
find_place (const Rings *rings, const double v[3])
{
  double theta = atan2 (hypot (v[0], v[1]), v[2]);
  gint64 low = -1, high = rings->whole->n_rings; /* theta[low] <= theta < theta[high] */
  Place place = { .phi = atan2 (v[1], v[0]) };

  while (high - low > 1)
    {
      gint64 middle = low + (high - low) / 2;

      if (rings->theta[middle] <= theta)
        low = middle;
      else
        high = middle;
    }
  if (low < 0 || high == rings->whole->n_rings)
    {
      double ring = rings->theta[low < 0 ? 0 : low], pole = low < 0 ? 0 : G_PI;
      double weight = ring == pole ? 1 : (theta - pole) / (ring - pole);

      place.ring[0] = low < 0 ? 0 : low;
      place.ring[1] = -1;
      place.weight[0] = weight;
      place.pole = 1 - weight;
      return place;
    }
  place.ring[0] = low;
  place.ring[1] = high;
  place.weight[1] = (theta - rings->theta[low]) / (rings->theta[high] - rings->theta[low]);
  place.weight[0] = 1 - place.weight[1];
  return place;
}

/* Adds pixel i (modulo n) of a ring to the sums. */
static void
add_pixel (const double *ring, gint64 n, gint64 i, double weight, double *sum, double *seen)
{
  double value = ring[((i % n) + n) % n];

  if (weight == 0 || armilla_is_unseen_value (value))
    return;
  *sum += weight * value;
  *seen += weight;
}

/* Interpolates linearly in phi on each ring. Returns UNSEEN if more than half of the weight is. */
static double
interpolate (const Rings *rings, const ArmillaGathered *in, const Place *place, int field)
{
  double sum = 0, seen = 0;

  for (int k = 0; k < 2; k++)
    {
      gint64 own = place->ring[k] < 0 ? -1 : rings->own[place->ring[k]];
      const ArmillaRing *ring;
      const double *pixels;
      double x;
      gint64 i;

      if (own < 0)
        continue;
      ring = &in->grid->rings[own];
      pixels = in->rings[own] + field * in->strides[own];
      x = (place->phi - ring->phi0) * (double) ring->n_phi / (2 * G_PI);
      i = (gint64) floor (x);
      add_pixel (pixels, ring->n_phi, i, place->weight[k] * (1 - (x - (double) i)), &sum, &seen);
      add_pixel (pixels, ring->n_phi, i + 1, place->weight[k] * (x - (double) i), &sum, &seen);
      for (i = 0; k == 0 && place->pole > 0 && i < ring->n_phi; i++)
        add_pixel (pixels, ring->n_phi, i, place->pole / (double) ring->n_phi, &sum, &seen);
    }
  return seen >= 0.5 ? sum / seen : ARMILLA_UNSEEN_VALUE;
}

/* Multiplies Q + iU by exp (i spin angle), with the angle at the new position from the direction of
 * the new pole to that of the rotated old one. */
static void
turn (const Rotation *rotation, const double v[3], int spin, double *q, double *u)
{
  double pole[3], x, y, length, re = 1, im = 0;

  if (armilla_is_unseen_value (*q) || armilla_is_unseen_value (*u))
    {
      *q = *u = ARMILLA_UNSEEN_VALUE;
      return;
    }
  multiply (rotation->matrix, FALSE, (const double[]) { 0, 0, 1 }, pole);
  y = pole[0] * v[1] - pole[1] * v[0];
  x = pole[2] - v[2] * (pole[0] * v[0] + pole[1] * v[1] + pole[2] * v[2]);
  length = hypot (x, y);
  for (int s = 0; length > 0 && s < spin; s++)
    {
      double old = re;

      re = (old * x - im * y) / length;
      im = (old * y + im * x) / length;
    }
  length = *q;
  *q = re * length - im * *u;
  *u = re * *u + im * length;
}

static void
rotate_pixel (const Rotation *rotation, const Rings *rings, const ArmillaGathered *in,
              const double v[3], double *out, gint64 stride)
{
  double from[3];
  Place place;

  multiply (rotation->matrix, TRUE, v, from);
  place = find_place (rings, from);
  for (int f = 0; f < rotation->n_fields; f++)
    out[f * stride] = interpolate (rings, in, &place, f);
  for (int f = 0; f < rotation->n_fields; f++)
    if (armilla_fields_part (rotation->spins, f) == 1)
      turn (rotation, v, rotation->spins[f], &out[f * stride], &out[(f + 1) * stride]);
}

static void
rotate_block (gconstpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block,
              double *out)
{
  const Rotation *rotation = user;
  Rings rings;

  rings_init (&rings, in->grid);
  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    for (gint64 j = 0; j < block->slots[slot].n_phi; j++)
      {
        double v[3];

        armilla_grid_pixel_vector (rotation->grid, block->first_pixel[slot] + j, v);
        rotate_pixel (rotation, &rings, in, v, out + block->slots[slot].offset + j,
                      block->n_pixels);
      }
  rings_clear (&rings);
}

/* Returns the widest gap between rings, poles included. */
static double
widest_gap (const ArmillaGrid *grid)
{
  double before = 0, widest = 0;

  for (gint64 r = 0; r < grid->n_rings; r++)
    {
      double theta = atan2 (grid->rings[r].sin_theta, grid->rings[r].cos_theta);

      widest = MAX (widest, theta - before);
      before = theta;
    }
  return MAX (widest, G_PI - before);
}

/* Computes Rz (phi) Ry (theta) Rz (psi). */
static void
rotation_matrix (double psi, double theta, double phi, double m[3][3])
{
  double a = cos (psi), b = sin (psi), c = cos (theta), s = sin (theta), e = cos (phi),
         f = sin (phi);

  m[0][0] = e * c * a - f * b;
  m[0][1] = -e * c * b - f * a;
  m[0][2] = e * s;
  m[1][0] = f * c * a + e * b;
  m[1][1] = -f * c * b + e * a;
  m[1][2] = f * s;
  m[2][0] = -s * a;
  m[2][1] = s * b;
  m[2][2] = c;
}

static gsize
rotation_size (int n_fields)
{
  return sizeof (Rotation) + sizeof (int) * (gsize) n_fields;
}

static gboolean
run_rotate_map (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (job->in[0]), *out = ARMILLA_MAP (job->out);
  ArmillaRingBlocks *from = armilla_map_ring_blocks (map, graph, error);
  ArmillaRingBlocks *to
    = from ? armilla_map_ring_blocks (out, graph, error) : NULL;
  const ArmillaTile *in = to ? armilla_map_tiles (map, graph, error) : NULL;
  const ArmillaTile *tiles = in ? armilla_map_tiles (out, graph, error) : NULL;
  const double theta = *(const double *) job->args;
  double reach = theta + 2 * widest_gap (armilla_grid_whole (armilla_map_grid (map)));
  Rotation *rotation = job->user;
  gboolean ok = tiles != NULL;

  if (ok)
    rotation->grid = to->grid;
  for (int b = 0; ok && b < to->n; b++)
    ok = armilla_gather (graph, from, in, &to->block[b], &tiles[b], reach, rotate_block, rotation,
                         rotation_size (rotation->n_fields), error)
         && armilla_data_tile_pass (ARMILLA_DATA (out), graph, b, error);
  return ok;
}

/* Requests the rotation of the field within fixed axes in pixel space: every pixel of @out is
 * interpolated at its original position, linearly in theta between the rings above and below, and
 * linearly in phi on each ring; between a pole and the nearest ring, the value of the pole is the
 * mean of that ring. Then Q + iU of a pair of spin s is multiplied by exp (i s a), where a is the
 * angle from the direction of the north pole to that of the rotated pole. A pixel is UNSEEN if more
 * than half of the weight of its sources is; otherwise unseen sources are ignored. Like healpy's
 * rotate_map_pixel, which does not support UNSEEN. Returns whether the shapes fit;
 * ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE otherwise. */
gboolean
armilla_graph_rotate_map (ArmillaGraph *graph, ArmillaMap *map, double psi, double theta,
                          double phi, ArmillaMap *out, GError **error)
{
  ArmillaJob job = { .run = run_rotate_map,
                     .in = { ARMILLA_DATA (map) },
                     .out = ARMILLA_DATA (out),
                     .args = &theta,
                     .args_size = sizeof theta,
                     .destroy = g_free };
  int n_fields = armilla_map_n_fields (map);
  Rotation *rotation;

  if (!armilla_check_fields (n_fields, armilla_map_n_fields (out), error))
    return FALSE;
  if (!armilla_fields_equal (armilla_map_spins (map), armilla_map_spins (out), n_fields))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the two maps differ in the spins of their fields");
  if (!(theta >= 0 && theta <= G_PI))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the second angle is %g; must be from 0 to pi", theta);
  job.user = rotation = g_malloc0 (rotation_size (n_fields));
  rotation_matrix (psi, theta, phi, rotation->matrix);
  rotation->n_fields = n_fields;
  memcpy (rotation->spins, armilla_map_spins (map), sizeof (int) * (gsize) n_fields);
  armilla_graph_defer (graph, &job);
  return TRUE;
}
