/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/grids/grid.h"

#include <armilla/grid.h>

#include "core/grids/grid-private.h"

/* The quadrature of n Gauss-Legendre rings integrates polynomials in cos theta of degree 2 n - 1,
 * that of n equiangular rings of degree n - 1, and that of n Driscoll-Healy rings products of two
 * harmonics below n / 2. Returns the highest multipole up to which the quadrature recovers the a_lm
 * of a map exactly; -1 for HEALPix and for the caller's own rings, whose quadrature is an
 * approximation. */
gint64
armilla_grid_exact_lmax (ArmillaGridKind kind, gint64 n_rings)
{
  switch (kind)
    {
    case ARMILLA_GRID_GAUSS_LEGENDRE:
      return n_rings - 1;
    case ARMILLA_GRID_FEJER1:
    case ARMILLA_GRID_CLENSHAW_CURTIS:
      return (n_rings - 1) / 2;
    case ARMILLA_GRID_DRISCOLL_HEALY:
      return MAX (n_rings / 2 - 1, 0);
    default:
      return -1;
    }
}

/* Returns the highest multipole up to which the a_lm of a mask are computed: 3 nside - 1 on
 * HEALPix; on other grids the highest that the pixels of the whole grid determine, at least
 * @lmax. */
gint64
armilla_grid_mask_lmax (const ArmillaGrid *whole, gint64 lmax)
{
  return whole->kind == ARMILLA_GRID_HEALPIX
           ? 3 * whole->nside - 1
           : MAX (lmax, MIN (armilla_grid_held_lmax (whole), (whole->rings[0].n_phi - 1) / 2));
}

/* Fejer 1 and Clenshaw-Curtis rings determine Delta_m, a trigonometric polynomial in theta, beyond
 * what their quadrature integrates: n of the former up to degree n - 1, of the latter n - 2.
 * Returns the highest multipole up to which an analysis of the whole grid is exact, by quadrature
 * or, unless the user has set ring weights, by resampling in theta; -1 for HEALPix and the caller's
 * own rings. */
gint64
armilla_grid_held_lmax (const ArmillaGrid *whole)
{
  const gint64 exact = armilla_grid_exact_lmax (whole->kind, whole->n_rings);

  if (armilla_grid_is_weighted (whole))
    return exact;
  if (whole->kind == ARMILLA_GRID_FEJER1)
    return whole->n_rings - 1;
  return whole->kind == ARMILLA_GRID_CLENSHAW_CURTIS ? MAX (whole->n_rings - 2, exact) : exact;
}
