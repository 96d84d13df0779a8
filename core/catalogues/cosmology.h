/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comoving distances in flat cosmologies, and positions in space. */
#pragma once

#include <armilla/catalogue.h>

G_BEGIN_DECLS

/* A flat cosmology of matter and dark energy, whose equation of state is w0 + wa z / (1 + z). */
typedef struct {
  double omega_m, w0, wa;
} ArmillaCosmology;

/* name of the column of values that contains distances */
#define ARMILLA_DISTANCE "distance"

void armilla_cosmology_distances (const ArmillaCosmology *self, const double *redshift, gint64 n,
                                  double *distance);

gboolean armilla_catalogue_has_positions (const ArmillaCatalogue *self);
gboolean armilla_catalogue_is_box (const ArmillaCatalogue *self);
gboolean armilla_catalogue_set_box (ArmillaCatalogue *self, gint64 first, gint64 n,
                                    const double *x, const double *y, const double *z,
                                    double *const to[3], GError **error);
ArmillaCatalogue *armilla_catalogue_positions (const ArmillaCatalogue *self,
                                               const double period[3], GError **error);

G_END_DECLS
