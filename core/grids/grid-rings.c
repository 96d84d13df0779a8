/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/grids/grid-private.h"

/* The product of an order and a numerator must fit 64 bits: exp (i m phi0) is reduced with
 * integers. */
#define DEN_LIMIT (G_GINT64_CONSTANT (1) << 36)

static gboolean G_GNUC_PRINTF (3, 4)
ring_error (GError **error, gint64 i, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "ring %" G_GINT64_FORMAT " (from 0): %s", i,
                       what);
}

static gboolean
check_latitude (const ArmillaRing *ring, gint64 i, GError **error)
{
  ArmillaDd c = dd_sum (ring->cos_theta, ring->cos_lo);
  ArmillaDd s = dd_sum (ring->sin_theta, ring->sin_lo);
  double excess;

  if (!isfinite (c.hi) || !isfinite (s.hi) || !isfinite (c.lo) || !isfinite (s.lo))
    return ring_error (error, i, "the cosine or sine of its co-latitude is not a finite number");
  if (s.hi < 0)
    return ring_error (error, i, "the sine of its co-latitude is %.17g; it must not be negative",
                       s.hi);
  if (fabs (ring->cos_lo) > 0x1p-52 * fabs (ring->cos_theta)
      || fabs (ring->sin_lo) > 0x1p-52 * ring->sin_theta)
    return ring_error (error, i,
                       "cos_lo or sin_lo is larger than the rounding error of its high part");
  /* both are rounded: the sum is off by at most 2 (cos^2 + sin^2) 2^-53 */
  excess = dd_sub (dd_add (dd_mul (c, c), dd_mul (s, s)), dd_from_double (1)).hi;
  if (fabs (excess) > 4 * 0x1p-52)
    return ring_error (error, i, "cos^2 + sin^2 of its co-latitude differs from 1 by %.2g", excess);
  return TRUE;
}

static gboolean
check_ring (const ArmillaRing *ring, gint64 i, GError **error)
{
  if (!check_latitude (ring, i, error))
    return FALSE;
  if (!isfinite (ring->weight))
    return ring_error (error, i, "its weight is not a finite number");
  if (ring->n_phi < 1 || ring->n_phi > ARMILLA_MAX_N_PHI)
    return ring_error (error, i,
                       "it has %" G_GINT64_FORMAT " pixels; it must have from 1 to %"
                       G_GINT64_FORMAT, ring->n_phi, ARMILLA_MAX_N_PHI);
  if (ring->offset < 0 || ring->offset > ARMILLA_MAX_PIXELS)
    return ring_error (error, i,
                       "its first pixel is %" G_GINT64_FORMAT "; it must be from 0 to %"
                       G_GINT64_FORMAT, ring->offset, ARMILLA_MAX_PIXELS);
  if (ring->phi0_den < 0 || ring->phi0_den > DEN_LIMIT)
    return ring_error (error, i,
                       "phi0_den is %" G_GINT64_FORMAT "; it must be from 0 to %" G_GINT64_FORMAT,
                       ring->phi0_den, DEN_LIMIT);
  if (ring->phi0_den == 0 && !isfinite (ring->phi0))
    return ring_error (error, i, "the azimuth of its first pixel is not a finite number");
  return TRUE;
}

/* Normalises the azimuth to a reduced fraction in [0, 2) pi. */
static void
normalise_azimuth (ArmillaRing *ring)
{
  gint64 a, b;

  if (ring->phi0_den == 0)
    {
      ring->phi0_num = 0;
      return;
    }
  ring->phi0_num %= 2 * ring->phi0_den;
  if (ring->phi0_num < 0)
    ring->phi0_num += 2 * ring->phi0_den;
  a = ring->phi0_num;
  b = ring->phi0_den;
  while (a != 0)
    {
      gint64 rest = b % a;

      b = a;
      a = rest;
    }
  ring->phi0_num /= b;
  ring->phi0_den /= b;
  ring->phi0 = G_PI * ((double) ring->phi0_num / (double) ring->phi0_den);
}

/* Checks that every pixel from 0 on belongs to exactly one ring. */
static gboolean
check_offsets (const ArmillaRing *rings, gint64 n_rings, GError **error)
{
  g_autofree gint64 *order = armilla_rings_by_offset (rings, n_rings);
  gint64 next = 0;

  for (gint64 i = 0; i < n_rings; i++)
    {
      const ArmillaRing *ring = &rings[order[i]];

      if (ring->offset < next)
        return ring_error (error, order[i],
                           "its first pixel, %" G_GINT64_FORMAT ", belongs to ring %"
                           G_GINT64_FORMAT " already", ring->offset, order[i - 1]);
      if (ring->offset > next)
        return ring_error (error, order[i],
                           "its first pixel is %" G_GINT64_FORMAT ", and pixels %" G_GINT64_FORMAT
                           " to %" G_GINT64_FORMAT " belong to no ring", ring->offset, next,
                           ring->offset - 1);
      next += ring->n_phi;
    }
  return TRUE;
}

/* Sorts from north to south. Near the poles the sine is more precise than the cosine. Equal rings
 * keep the order of their pixels. */
static int
compare_latitudes (const void *a, const void *b)
{
  const ArmillaRing *x = a, *y = b;

  if (x->cos_theta != y->cos_theta)
    return x->cos_theta > y->cos_theta ? -1 : 1;
  if (x->cos_lo != y->cos_lo)
    return x->cos_lo > y->cos_lo ? -1 : 1;
  if (x->sin_theta != y->sin_theta)
    return (x->sin_theta < y->sin_theta) == (x->cos_theta > 0) ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

ArmillaGrid *
armilla_grid_new_rings (const ArmillaRing *rings, gint64 n_rings, GError **error)
{
  g_autofree ArmillaRing *copy = NULL;

  if (n_rings < 1 || n_rings > ARMILLA_MAX_RINGS)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "ring list: the number of rings is %" G_GINT64_FORMAT
                              "; it must be from 1 to %" G_GINT64_FORMAT, n_rings,
                              ARMILLA_MAX_RINGS);
  for (gint64 i = 0; i < n_rings; i++)
    if (!check_ring (&rings[i], i, error))
      return NULL;
  copy = armilla_rings_alloc (n_rings, error);
  if (copy == NULL)
    return NULL;
  memcpy (copy, rings, n_rings * sizeof *copy);
  if (!check_offsets (copy, n_rings, error))
    return NULL;
  for (gint64 i = 0; i < n_rings; i++)
    normalise_azimuth (&copy[i]);
  qsort (copy, n_rings, sizeof *copy, compare_latitudes);
  return armilla_grid_take (ARMILLA_GRID_RINGS, 0, g_steal_pointer (&copy), n_rings, error);
}
