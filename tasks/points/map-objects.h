/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of a catalogue, sorted by the ring blocks of a map. */
#pragma once

#include <armilla/catalogue.h>

#include "tasks/graph/graph-private.h"
#include "tasks/pixels/sampler.h"

G_BEGIN_DECLS

/* Reference-counted and immutable: steps in I/O threads share it. */
typedef struct {
  ArmillaRingBlocks *rings;    /* ring blocks of the map, which the graph owns */
  ArmillaSampler sampler;
  ArmillaCatalogue *catalogue; /* the objects, in the coordinates of the map */
  gint64 *order;               /* numbers of the objects, by block, then in their order */
  gint64 *start;               /* [block]: its first entry in @order; one more at the end */
} ArmillaMapObjects;

ArmillaMapObjects *armilla_map_objects_new (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                            const char *coordsys, ArmillaCatalogue *catalogue,
                                            GError **error);
ArmillaMapObjects *armilla_map_objects_ref (ArmillaMapObjects *self);
void armilla_map_objects_unref (ArmillaMapObjects *self);

static inline gint64
armilla_map_objects_count (const ArmillaMapObjects *self, int block)
{
  return self->start[block + 1] - self->start[block];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaMapObjects, armilla_map_objects_unref)

G_END_DECLS
