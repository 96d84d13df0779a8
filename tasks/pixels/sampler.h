/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of gathered pixels at directions. Any number of threads may share a sampler. */
#pragma once

#include "core/grids/interpolation.h"
#include "tasks/ranks/gather.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaPixelFinder finder;
  gint64 *own; /* [ring of the whole grid]: index of the ring in the grid of the map, or -1 */
} ArmillaSampler;

void armilla_sampler_init (ArmillaSampler *self, const ArmillaGrid *grid);
void armilla_sampler_clear (ArmillaSampler *self);
double armilla_sampler_reach (const ArmillaSampler *self);
gint64 armilla_sampler_nearest_ring (const ArmillaSampler *self, const double v[3]);
void armilla_sampler_values (const ArmillaSampler *self, const ArmillaGathered *in,
                             ArmillaSampling how, const double v[3], const int *fields,
                             int n_fields, double *out, gint64 stride);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ArmillaSampler, armilla_sampler_clear)

G_END_DECLS
