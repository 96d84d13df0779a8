/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/task.h>

G_BEGIN_DECLS

/* Port type "scale": the limits of a stretch: lowest and highest value of each field of a map,
 * double, [field][2], one tile, and the softness. */
#define STRETCH_TYPE_SCALE (stretch_scale_get_type ())
G_DECLARE_FINAL_TYPE (StretchScale, stretch_scale, STRETCH, SCALE, ArmillaData)

StretchScale *stretch_scale_new (int n_fields, double softness);
int stretch_scale_n_fields (StretchScale *self);
double stretch_scale_softness (StretchScale *self);
const ArmillaTile *stretch_scale_tile (StretchScale *self, ArmillaGraph *graph, GError **error);

G_END_DECLS
