/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/grids/footprint.h"

#include <armilla/grid.h>

/* Returns an empty footprint; NULL with ARMILLA_ERROR_MEMORY on error. */
ArmillaFootprint *
armilla_footprint_new (gint64 nside, GError **error)
{
  ArmillaFootprint *self = g_new0 (ArmillaFootprint, 1);

  self->refs = 1;
  self->nside = nside;
  self->bits = g_try_malloc0 ((12 * nside * nside + 7) / 8);
  if (self->bits != NULL)
    return self;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "out of memory: cannot allocate a mask of nside %" G_GINT64_FORMAT, nside);
  g_free (self);
  return NULL;
}

ArmillaFootprint *
armilla_footprint_ref (ArmillaFootprint *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_footprint_unref (ArmillaFootprint *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->refs))
    return;
  g_free (self->bits);
  g_free (self);
}

/* Adds pixels. Not thread-safe. */
void
armilla_footprint_add (ArmillaFootprint *self, gint64 first, gint64 n, const double *pixels)
{
  g_return_if_fail (first >= 0 && first + n <= 12 * self->nside * self->nside);
  for (gint64 i = 0; i < n; i++)
    if (pixels[i] > 0)
      {
        self->bits[(first + i) >> 3] |= (guint8) (1 << ((first + i) & 7));
        self->n_inside++;
      }
}

/* Returns whether the pixel at a direction is inside. @vector: unit vector, in the coordinates of
 * the footprint. */
gboolean
armilla_footprint_has (const ArmillaFootprint *self, const double vector[3])
{
  gint64 pixel = armilla_healpix_vector_to_pixel (self->nside, vector);

  return (self->bits[pixel >> 3] >> (pixel & 7)) & 1;
}
