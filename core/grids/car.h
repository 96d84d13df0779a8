/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of equidistant rings: the projection CAR (plate carree) of FITS. Any thread may call these
 * functions. */
#pragma once

#include <armilla/grid.h>

G_BEGIN_DECLS

/* Ranges of latitude and longitude, degrees; the latter goes eastwards from the first to the second
 * number. */
typedef struct {
  double dec[2], ra[2];
} ArmillaCarBox;

gboolean armilla_car_whole (ArmillaCar *car, ArmillaGridKind kind, double resolution,
                            GError **error);
gboolean armilla_car_cut (ArmillaCar *car, const ArmillaCarBox *box, GError **error);
ArmillaGrid *armilla_grid_new_car (const ArmillaCar *car, GError **error);
gboolean armilla_car_find_grid (const ArmillaCar *car, ArmillaGridKind *kind, gint64 *n_theta,
                                gint64 *n_phi, GError **error);
gboolean armilla_grid_array_pixels (const ArmillaGrid *grid, gint64 *first, gint64 *n);
gboolean armilla_grid_car (const ArmillaGrid *grid, ArmillaCar *car, gint64 *first_ring);

/* Returns the row of the image, from 0, that contains row @i from the north. */
static inline gint64
armilla_car_row (const ArmillaCar *car, gint64 i)
{
  return car->cdelt[1] > 0 ? car->n_y - 1 - i : i;
}

/* Returns the column of the image, from 0, that contains pixel @k of a ring; pixels from n_x on are
 * outside the image. */
static inline gint64
armilla_car_column (const ArmillaCar *car, gint64 k)
{
  return car->cdelt[0] < 0 ? car->n_x - 1 - k : k;
}

G_END_DECLS
