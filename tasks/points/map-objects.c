/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/points/map-objects.h"

#include <armilla/memory.h>
#include <string.h>

#include "core/catalogues/catalogue.h"

/* Number of objects whose blocks a thread finds at a time. */
#define PART 16384

static void
clear (gpointer data)
{
  ArmillaMapObjects *self = data;

  armilla_sampler_clear (&self->sampler);
  g_clear_pointer (&self->catalogue, armilla_catalogue_unref);
  g_free (self->order);
  g_free (self->start);
  g_free (self->block);
}

ArmillaMapObjects *
armilla_map_objects_ref (ArmillaMapObjects *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
armilla_map_objects_unref (ArmillaMapObjects *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* Returns the block of each ring. */
static int *
blocks_of_rings (const ArmillaRingBlocks *rings)
{
  int *block = g_new (int, rings->grid->n_rings);
  gint64 pair = 0;

  for (int b = 0; b < rings->n; b++)
    for (gint64 i = 0; i < rings->block[b].n_pairs; i++, pair++)
      {
        const ArmillaRingPair *both = &rings->grid->pairs[pair];

        if (both->north >= 0)
          block[both->north] = b;
        if (both->south >= 0)
          block[both->south] = b;
      }
  return block;
}

/* Divides the objects of each block, @first[block] to @first[block + 1], into parts. */
static void
divide (ArmillaMapObjects *self, const gint64 *first, gint64 max_in_part)
{
  gint64 n = 0;

  for (int b = 0; b < self->rings->n; b++)
    n += (first[b + 1] - first[b] + max_in_part - 1) / max_in_part;
  self->start = g_new0 (gint64, n + 1);
  self->block = g_new (int, n);
  for (int b = 0; b < self->rings->n; b++)
    for (gint64 i = first[b]; i < first[b + 1]; i += max_in_part)
      {
        self->block[self->n_parts] = b;
        self->start[self->n_parts++] = i;
      }
  self->start[n] = first[self->rings->n];
}

/* State of find_blocks (). */
typedef struct {
  const ArmillaMapObjects *objects;
  const int *of_ring;
  int *block; /* (out): [object] */
} Finding;

/* Finds the blocks of the rings nearest to a part of the objects. */
static void
find_blocks (gpointer user, gint64 part, int member)
{
  const Finding *self = user;
  const ArmillaCatalogue *c = self->objects->catalogue;

  (void) member;
  for (gint64 i = part * PART; i < MIN ((part + 1) * PART, c->n); i++)
    {
      const double v[3] = { c->x[i], c->y[i], c->z[i] };

      self->block[i]
        = self->of_ring[armilla_sampler_nearest_ring (&self->objects->sampler, v)];
    }
}

/* Sorts the objects by the blocks of the rings nearest to them. */
static gboolean
sort (ArmillaMapObjects *self, ArmillaGraph *graph, gint64 max_in_part, GError **error)
{
  const gint64 n = self->catalogue->n;
  g_autofree int *of_ring = blocks_of_rings (self->rings);
  g_autofree int *block = armilla_try_new (int, n, "objects", error);
  g_autofree gint64 *next = g_new0 (gint64, self->rings->n + 1);
  Finding finding = { self, of_ring, block };

  self->order = block ? armilla_try_new (gint64, n, "objects", error) : NULL;
  if (!self->order)
    return FALSE;
  armilla_graph_use_cores (graph, (n + PART - 1) / PART, find_blocks, &finding);
  for (gint64 i = 0; i < n; i++)
    next[block[i] + 1]++;
  for (int b = 0; b < self->rings->n; b++)
    next[b + 1] += next[b];
  divide (self, next, max_in_part);
  for (gint64 i = 0; i < n; i++)
    self->order[next[block[i]]++] = i;
  return TRUE;
}

/* Divides the objects of a catalogue into parts around the ring blocks of a map with these
 * coordinates; NULL on error. The parts depend on the objects and the blocks only. @coordsys:
 * (nullable): unless C, G or E, the objects have the coordinates of the map. @max_in_part: maximum
 * number of objects in a part */
ArmillaMapObjects *
armilla_map_objects_new (ArmillaGraph *graph, ArmillaRingBlocks *rings, const char *coordsys,
                         ArmillaCatalogue *catalogue, gint64 max_in_part, GError **error)
{
  ArmillaMapObjects *self = g_atomic_rc_box_new0 (ArmillaMapObjects);
  const gboolean known
    = coordsys && strlen (coordsys) == 1 && strchr ("CGE", *coordsys) && catalogue->coordsys != 0;

  self->rings = rings;
  armilla_sampler_init (&self->sampler, rings->grid);
  self->catalogue = known ? armilla_catalogue_rotate (catalogue, *coordsys, error)
                          : armilla_catalogue_ref (catalogue);
  if (self->catalogue && sort (self, graph, max_in_part, error))
    return self;
  armilla_map_objects_unref (self);
  return NULL;
}
