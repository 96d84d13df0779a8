/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Catalogues, and counting them by a graph, for the tests and measurements of pairs. */
#pragma once

#include <armilla/armilla.h>
#include <math.h>
#include <string.h>

#include "core/catalogues/histogram.h"
#include "tasks/correlation/correlation.h"
#include "tasks/data/objects.h"

#define DEGREE (G_PI / 180)

typedef enum {
  SKY_UNIFORM,
  SKY_CLUSTERED,  /* most within a few arcminutes of a few places */
  SKY_POLAR,      /* within 2 degrees of the poles, some on them */
  SKY_DUPLICATED, /* every place several times */
  SKY_ANTIPODAL,  /* every object with its opposite */
  SKY_KINDS
} Sky;

static inline void
sky_put (ArmillaCatalogue *c, gint64 i, double x, double y, double z)
{
  const double r = sqrt (x * x + y * y + z * z);

  c->x[i] = x / r;
  c->y[i] = y / r;
  c->z[i] = z / r;
}

static inline void
sky_direction (GRand *rand, double *v)
{
  double r;

  do
    {
      for (int c = 0; c < 3; c++)
        v[c] = g_rand_double_range (rand, -1, 1);
      r = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
  while (r > 1 || r < 1e-4);
}

static inline ArmillaCatalogue *
sky_new (Sky sky, gint64 n, guint32 seed, ArmillaCatalogueParts parts)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  ArmillaCatalogue *c = armilla_catalogue_new (n, parts, NULL);
  double v[3] = { 0, 0, 1 }, centre[3] = { 1, 0, 0 };

  g_assert_nonnull (c);
  for (gint64 i = 0; i < n; i++)
    {
      sky_direction (rand, v);
      if (sky == SKY_CLUSTERED)
        {
          /* The places are those of seed 77, so that catalogues share them. */
          g_autoptr (GRand) places = g_rand_new_with_seed (77 + (guint32) (i % 5));
          const double width = pow (10, g_rand_double_range (rand, -5, -1));

          sky_direction (places, centre);
          for (int k = 0; k < 3; k++)
            v[k] = centre[k] / sqrt (centre[0] * centre[0] + centre[1] * centre[1]
                                     + centre[2] * centre[2])
                   + width * v[k];
        }
      else if (sky == SKY_POLAR)
        {
          v[0] = i % 50 < 2 ? 0 : 0.03 * v[0];
          v[1] = i % 50 < 2 ? 0 : 0.03 * v[1];
          v[2] = v[2] < 0 ? -1 : 1;
        }
      sky_put (c, i, v[0], v[1], v[2]);
      if ((sky == SKY_DUPLICATED && i % 4 != 0) || (sky == SKY_ANTIPODAL && i % 2 == 1))
        {
          const double sign = sky == SKY_ANTIPODAL ? -1 : 1;

          c->x[i] = sign * c->x[i - 1];
          c->y[i] = sign * c->y[i - 1];
          c->z[i] = sign * c->z[i - 1];
        }
    }
  for (gint64 i = 0; i < n; i++)
    {
      if (c->weight)
        c->weight[i] = i % 17 == 0 ? 0 : g_rand_double_range (rand, 0.01, 3);
      if (c->g1)
        {
          c->g1[i] = g_rand_double_range (rand, -0.5, 0.5);
          c->g2[i] = g_rand_double_range (rand, -0.5, 0.5);
        }
    }
  return c;
}

/* Objects without shears, with weights of both signs: lenses, or values times weights. */
static inline ArmillaCatalogue *
sky_lenses (Sky sky, gint64 n, guint32 seed)
{
  ArmillaCatalogue *c = sky_new (sky, n, seed, ARMILLA_CATALOGUE_WEIGHT);

  for (gint64 i = 0; i < n; i += 3)
    c->weight[i] = -c->weight[i];
  return c;
}

/* A square of @side degrees on the equator. */
static inline ArmillaCatalogue *
sky_square (gint64 n, double side)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  ArmillaCatalogue *c = armilla_catalogue_new (n, 0, NULL);
  const double max_angle = 0.5 * side * DEGREE;

  for (gint64 i = 0; i < n; i++)
    {
      const double z = g_rand_double_range (rand, -sin (max_angle), sin (max_angle));
      const double angle = g_rand_double_range (rand, -max_angle, max_angle);

      sky_put (c, i, sqrt (1 - z * z) * cos (angle), sqrt (1 - z * z) * sin (angle), z);
    }
  return c;
}

/* Patches of longitude. */
static inline void
sky_patches (ArmillaCatalogue *c, int n)
{
  c->n_patches = n;
  for (gint64 i = 0; i < c->n; i++)
    c->patch[i] = MIN ((gint32) ((atan2 (c->y[i], c->x[i]) / (2 * G_PI) + 0.5) * n), n - 1);
}

/* A histogram that the host keeps. */
typedef struct {
  ArmillaHistogramShape shape;
  gint64 *words;
} Counted;

static inline void
counted_clear (Counted *counted)
{
  g_clear_pointer (&counted->words, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Counted, counted_clear)

static inline gboolean
counted_take (gpointer user, ArmillaPiece *piece, GError **error)
{
  Counted *counted = user;

  (void) error;
  counted->words = g_memdup2 (piece->words, sizeof (gint64)
                                          * (gsize) armilla_histogram_words (&counted->shape));
  return TRUE;
}

static inline ArmillaObjects *
sky_objects (ArmillaCatalogue *c)
{
  ArmillaObjects *objects
    = armilla_objects_new ((c->weight ? ARMILLA_CATALOGUE_WEIGHT : 0)
                           | (c->g1 ? ARMILLA_CATALOGUE_SHEAR : 0)
                           | (c->patch ? ARMILLA_CATALOGUE_PATCH : 0));

  armilla_objects_set_catalogue (objects, c);
  return objects;
}

/* Counts by a graph; on other ranks than 0 there are no words. */
static inline Counted
sky_count (ArmillaRuntime *runtime, ArmillaHistogramKind kind, ArmillaCatalogue *a,
           ArmillaCatalogue *b, ArmillaBins *bins, int n_patches, int sums,
           const ArmillaCountOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaObjects) objects_a = sky_objects (a);
  g_autoptr (ArmillaObjects) objects_b = b ? sky_objects (b) : NULL;
  g_autoptr (ArmillaHistogram) out
    = armilla_histogram_new (kind, bins, n_patches, sums, &error);
  ArmillaGraph *graph = armilla_graph_new (runtime, NULL, &error);
  Counted counted = { 0 };

  g_assert_no_error (error);
  counted.shape = *armilla_histogram_shape (out);
  if (kind == ARMILLA_HISTOGRAM_PAIRS)
    armilla_graph_count_pairs (graph, objects_a, objects_b, options, out, &error);
  else
    armilla_graph_count_triangles (graph, objects_a, objects_b, options, out, &error);
  g_assert_no_error (error);
  armilla_graph_drain (graph, ARMILLA_DATA (out), counted_take, NULL, &counted, NULL, &error);
  g_assert_no_error (error);
  armilla_graph_wait (graph, &error);
  g_assert_no_error (error);
  armilla_graph_free (graph);
  return counted;
}
