/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scale.h"

struct _StretchScale {
  ArmillaData parent_instance;
  int n_fields;
  double softness;
  ArmillaTile tile;
};

G_DEFINE_FINAL_TYPE (StretchScale, stretch_scale, ARMILLA_TYPE_DATA)

static void
stretch_scale_drop (ArmillaData *data)
{
  armilla_tile_drop (&STRETCH_SCALE (data)->tile);
}

static void
stretch_scale_class_init (StretchScaleClass *klass)
{
  ARMILLA_DATA_CLASS (klass)->drop = stretch_scale_drop;
}

static void
stretch_scale_init (StretchScale *self)
{
  (void) self;
}

StretchScale *
stretch_scale_new (int n_fields, double softness)
{
  StretchScale *self = g_object_new (STRETCH_TYPE_SCALE, NULL);

  self->n_fields = n_fields;
  self->softness = softness;
  return self;
}

int
stretch_scale_n_fields (StretchScale *self)
{
  return self->n_fields;
}

double
stretch_scale_softness (StretchScale *self)
{
  return self->softness;
}

/* The tile, owned by rank 0; made when it is asked for first. */
const ArmillaTile *
stretch_scale_tile (StretchScale *self, ArmillaGraph *graph, GError **error)
{
  if (!self->tile.handle && !armilla_tile_new (graph, 0, 2 * self->n_fields, &self->tile, error))
    return NULL;
  return &self->tile;
}
