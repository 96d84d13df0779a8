/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/pixels/pixels.h"
#include "tasks/pixels/sampler.h"

/* State shared by the steps of one rotation; copied as a whole. */
typedef struct {
  double matrix[3][3];     /* multiplies input directions to give output directions */
  const ArmillaGrid *grid; /* grid of the output; the graph keeps a reference */
  int n_fields;
  int spins[];
} Rotation;

static void
multiply (const double m[3][3], gboolean inverse, const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = inverse ? m[0][i] * v[0] + m[1][i] * v[1] + m[2][i] * v[2]
                     : m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

/* Multiplies Q + iU at direction @v by exp (i spin a), where a is the angle from the direction of
 * the north pole to that of the rotated north pole. */
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
rotate_pixel (const Rotation *rotation, const ArmillaSampler *sampler, const ArmillaGathered *in,
              const double v[3], double *out, gint64 stride)
{
  double from[3];

  multiply (rotation->matrix, TRUE, v, from);
  armilla_sampler_values (sampler, in, ARMILLA_SAMPLING_BILINEAR, from, NULL, rotation->n_fields,
                          out, stride);
  for (int f = 0; f < rotation->n_fields; f++)
    if (armilla_fields_part (rotation->spins, f) == 1)
      turn (rotation, v, rotation->spins[f], &out[f * stride], &out[(f + 1) * stride]);
}

static void
rotate_block (gpointer user, const ArmillaGathered *in, const ArmillaRingBlock *block, double *out)
{
  const Rotation *rotation = user;
  g_auto (ArmillaSampler) sampler = { 0 };

  armilla_sampler_init (&sampler, in->grid);
  for (gint64 slot = 0; slot < 2 * block->n_pairs; slot++)
    for (gint64 j = 0; j < block->slots[slot].n_phi; j++)
      {
        double v[3];

        armilla_grid_pixel_vector (rotation->grid, block->first_pixel[slot] + j, v);
        rotate_pixel (rotation, &sampler, in, v, out + block->slots[slot].offset + j,
                      block->n_pixels);
      }
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
  g_auto (ArmillaSampler) sampler = { 0 };
  Rotation *rotation = job->user;
  gboolean ok = tiles != NULL;

  armilla_sampler_init (&sampler, armilla_map_grid (map));
  if (ok)
    rotation->grid = to->grid;
  for (int b = 0; ok && b < to->n; b++)
    ok = armilla_gather (graph, from, in, &to->block[b], &tiles[b],
                         theta + armilla_sampler_reach (&sampler), rotate_block,
                         g_memdup2 (rotation, rotation_size (rotation->n_fields)), g_free, error)
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
