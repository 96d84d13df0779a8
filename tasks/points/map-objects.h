/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of a catalogue, in parts around the ring blocks of a map. */
#pragma once

#include <armilla/catalogue.h>

#include "tasks/graph/graph-private.h"
#include "tasks/pixels/sampler.h"

G_BEGIN_DECLS

/* Objects in parts, each around one ring block. Reference-counted and immutable: tasks and steps in
 * I/O threads share them. */
typedef struct {
  ArmillaRingBlocks *rings;    /* ring blocks of the map, which the graph owns */
  ArmillaSampler sampler;
  ArmillaCatalogue *catalogue; /* the objects, in the coordinates of the map */
  gint64 *order;               /* numbers of the objects, by part, then in their order */
  int n_parts;
  gint64 *start;               /* [part]: its first entry in @order; one more at the end */
  int *block;                  /* [part]: ring block nearest to its objects */
} ArmillaMapObjects;

ArmillaMapObjects *armilla_map_objects_new (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                            const char *coordsys, ArmillaCatalogue *catalogue,
                                            gint64 max_in_part, GError **error);
ArmillaMapObjects *armilla_map_objects_ref (ArmillaMapObjects *self);
void armilla_map_objects_unref (ArmillaMapObjects *self);

static inline gint64
armilla_map_objects_count (const ArmillaMapObjects *self, int part)
{
  return self->start[part + 1] - self->start[part];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapObjects, armilla_map_objects_unref)

G_END_DECLS
