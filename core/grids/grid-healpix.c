/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include "core/grids/grid-private.h"

#define NSIDE_LIMIT (G_GINT64_CONSTANT (1) << 29)

/* Computes cosine z and sine of the co-latitude of ring i = 1..2 N, N = nside (Gorski et al. 2005,
 * eqs. 4 and 8). In the cap z = (3 N^2 - i^2) / (3 N^2) and the sine is i sqrt (6 N^2 - i^2) / (3
 * N^2), in the belt (4 N - 2 i) / (3 N) and sqrt ((7 N - 2 i) (2 i - N)) / (3 N). Every integer is
 * below 2^62. */
static void
set_latitude (gint64 nside, gint64 i, ArmillaRing *ring)
{
  ArmillaDd cosine, sine;

  if (i < nside)
    {
      ArmillaDd den = dd_from_int (3 * nside * nside);

      cosine = dd_div (dd_from_int (3 * nside * nside - i * i), den);
      sine = dd_div (dd_mul_double (dd_sqrt (dd_from_int (6 * nside * nside - i * i)), (double) i),
                     den);
    }
  else
    {
      ArmillaDd den = dd_from_int (3 * nside);

      cosine = dd_div (dd_from_int (4 * nside - 2 * i), den);
      sine = dd_div (dd_sqrt (dd_from_int ((7 * nside - 2 * i) * (2 * i - nside))), den);
    }
  ring->cos_theta = cosine.hi;
  ring->cos_lo = cosine.lo;
  ring->sin_theta = sine.hi;
  ring->sin_lo = sine.lo;
}

ArmillaGrid *
armilla_grid_new_healpix (gint64 nside, GError **error)
{
  gint64 n_rings, offset = 0;
  ArmillaRing *rings;

  if (nside < 1 || nside > NSIDE_LIMIT)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "nside is %" G_GINT64_FORMAT "; it must be from 1 to %"
                              G_GINT64_FORMAT, nside, NSIDE_LIMIT);
  n_rings = 4 * nside - 1;
  rings = armilla_rings_alloc (n_rings, error);
  if (rings == NULL)
    return NULL;
  for (gint64 i = 1; i <= n_rings; i++)
    {
      ArmillaRing *ring = &rings[i - 1];
      gint64 from_pole = MIN (i, 4 * nside - i);
      gboolean shifted = from_pole < nside || (from_pole - nside) % 2 == 0;

      set_latitude (nside, from_pole, ring);
      if (i > 2 * nside)
        {
          ring->cos_theta = -ring->cos_theta;
          ring->cos_lo = -ring->cos_lo;
        }
      ring->n_phi = 4 * MIN (from_pole, nside);
      ring->weight = G_PI / (3.0 * (double) nside * (double) nside);
      ring->offset = offset;
      ring->phi0_num = shifted ? 1 : 0;
      ring->phi0_den = shifted ? ring->n_phi : 1;
      ring->phi0 = shifted ? G_PI / (double) ring->n_phi : 0;
      offset += ring->n_phi;
    }
  return armilla_grid_take (ARMILLA_GRID_HEALPIX, nside, rings, n_rings, error);
}
