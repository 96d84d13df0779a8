/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixel grids and their rings, HEALPix numbering, coordinates. Grids are immutable, so threads may
 * share them. Any thread may call the other functions, with its own arrays. */
#pragma once

#include <armilla/error.h>
#include <armilla/types.h>

G_BEGIN_DECLS

/**
 * ArmillaRing:
 * @cos_theta: cosine of the co-latitude, rounded once from its exact formula
 * @cos_lo: rounding error of @cos_theta: the exact cosine minus @cos_theta
 * @sin_theta: sine of the co-latitude, rounded once
 * @sin_lo: rounding error of @sin_theta: the exact sine minus @sin_theta
 * @weight: quadrature weight of each pixel of the ring, in steradian
 * @n_phi: number of pixels, at least 1
 * @offset: number of the ring's first pixel in the map
 * @phi0_num: the first pixel's azimuth is pi * @phi0_num / @phi0_den radian
 * @phi0_den: positive; or 0, and then the azimuth is @phi0
 * @phi0: azimuth of the first pixel, radian
 *
 * One iso-latitude ring. Pixels are equidistant in azimuth, increasing eastwards, and contiguous in
 * the map. The azimuth is given as a rational multiple of pi if it is one, so that exp(i m phi0)
 * can be reduced with integers.
 *
 * @cos_theta + @cos_lo and @sin_theta + @sin_lo have a relative error below 2^-98 (3e-30) on
 * HEALPix and equiangular grids, and below 1e-19 on Gauss-Legendre grids (below 1e-21 up to 16385
 * rings; the cosine's absolute error is below 1e-29). On rings given by a user they are the user's
 * values.
 */
typedef struct {
  double cos_theta, cos_lo;
  double sin_theta, sin_lo;
  double weight;
  gint64 n_phi;
  gint64 offset;
  gint64 phi0_num, phi0_den;
  double phi0;
} ArmillaRing;

/**
 * ArmillaRingPair:
 * @north: index of the northern ring, or -1
 * @south: index of its mirror image about the equator, or -1
 *
 * Two rings with opposite cosines, or a ring without a partner (a ring on the equator is "north").
 */
typedef struct {
  gint64 north, south;
} ArmillaRingPair;

/**
 * ArmillaGrid:
 * @kind: kind of grid
 * @nside: HEALPix resolution parameter, 0 for other grids
 * @n_rings: number of rings
 * @rings: (array length=n_rings): the rings, north to south
 * @n_pairs: number of ring pairs
 * @pairs: (array length=n_pairs): the pairs, from the poles to the equator
 * @n_pixels: number of pixels of the whole map; each belongs to at most one ring
 * @n_covered: number of pixels on the rings: @n_pixels, unless the grid has only some of the rings
 *   of another grid
 *
 * A reference-counted, immutable list of rings.
 */
typedef struct {
  ArmillaGridKind kind;
  gint64 nside;
  gint64 n_rings;
  const ArmillaRing *rings;
  gint64 n_pairs;
  const ArmillaRingPair *pairs;
  gint64 n_pixels;
  gint64 n_covered;
} ArmillaGrid;

/**
 * armilla_grid_new_healpix:
 * @nside: resolution parameter, 1 to 2^29; not only powers of two
 * @error: return location
 *
 * HEALPix in ring order: 4 nside - 1 rings, 12 nside^2 pixels of equal area, each with the weight 4
 * pi / (12 nside^2).
 *
 * Returns: (transfer full): a grid; %NULL with %ARMILLA_ERROR_VALUE or %ARMILLA_ERROR_MEMORY
 */
ArmillaGrid *armilla_grid_new_healpix (gint64 nside, GError **error);

/**
 * armilla_grid_new_gauss_legendre:
 * @n_theta: number of rings, 1 to 2^17
 * @n_phi: number of pixels of each ring, at least 1
 * @error: return location
 *
 * Rings on the roots of P_n, n = @n_theta, with weights 2 / ((1 - x^2) P_n'(x)^2) 2 pi / @n_phi:
 * exact for polynomials of degree up to 2 n - 1. The first pixel of each ring is at azimuth 0.
 *
 * Returns: (transfer full): a grid; %NULL with %ARMILLA_ERROR_VALUE or %ARMILLA_ERROR_MEMORY
 */
ArmillaGrid *armilla_grid_new_gauss_legendre (gint64 n_theta, gint64 n_phi, GError **error);

/**
 * armilla_grid_new_equiangular:
 * @kind: %ARMILLA_GRID_FEJER1, %ARMILLA_GRID_CLENSHAW_CURTIS or %ARMILLA_GRID_DRISCOLL_HEALY
 * @n_theta: number of rings: at least 1, 2 and 2; even for Driscoll-Healy; at most 2^17
 * @n_phi: number of pixels of each ring, at least 1
 * @error: return location
 *
 * Rings at equidistant co-latitudes, the first pixel of each at azimuth 0, with the weights that
 * integrate every polynomial in cos theta of degree below @n_theta exactly.
 *
 * Returns: (transfer full): a grid; %NULL with %ARMILLA_ERROR_VALUE or %ARMILLA_ERROR_MEMORY
 */
ArmillaGrid *armilla_grid_new_equiangular (ArmillaGridKind kind, gint64 n_theta, gint64 n_phi,
                                           GError **error);

/**
 * armilla_grid_new_rings:
 * @rings: (array length=n_rings): rings in any order
 * @n_rings: number of rings, at least 1
 * @error: return location
 *
 * A grid of any iso-latitude rings. The cosine and the sine of each must fit together (cos^2 +
 * sin^2 = 1 to 1e-15; the low parts may be 0), and every pixel number from 0 to the highest must
 * belong to exactly one ring. The grid's rings are sorted from north to south and keep their pixel
 * numbers; azimuths given as fractions of pi are reduced. Two rings form a pair if their cosines
 * are opposite and their sines equal: to 2^-80, or to 2^-52 if no low part is given.
 *
 * Returns: (transfer full): a grid; %NULL with %ARMILLA_ERROR_VALUE or %ARMILLA_ERROR_MEMORY
 */
ArmillaGrid *armilla_grid_new_rings (const ArmillaRing *rings, gint64 n_rings, GError **error);

/**
 * armilla_grid_select_rings:
 * @grid: a grid, whole or a part itself
 * @wanted: (array length=grid->n_rings): whether each ring is selected
 * @error: return location
 *
 * A grid of some rings of another. Pixels keep their numbers, and rings their weights; n_pixels
 * remains that of the whole map; n_covered is the number of pixels on the selected rings.
 *
 * Returns: (transfer full): a grid; @grid itself if all its rings are selected; %NULL with
 *   %ARMILLA_ERROR_VALUE if no ring is selected
 */
ArmillaGrid *armilla_grid_select_rings (ArmillaGrid *grid, const gboolean *wanted,
                                        GError **error);

/**
 * armilla_grid_ref:
 * @grid: a grid
 *
 * Returns: (transfer full): @grid; thread-safe
 */
ArmillaGrid *armilla_grid_ref (ArmillaGrid *grid);

/**
 * armilla_grid_unref:
 * @grid: (transfer full) (nullable): a grid
 *
 * Drops a reference; the last one frees the grid. Thread-safe.
 */
void armilla_grid_unref (ArmillaGrid *grid);

/**
 * armilla_grid_equal:
 * @a: a grid
 * @b: a grid
 *
 * Returns: whether both were made in the same way and all their rings are the same, quadrature
 * weights included
 */
gboolean armilla_grid_equal (const ArmillaGrid *a, const ArmillaGrid *b);

/**
 * armilla_grid_same_pixels:
 * @a: a grid
 * @b: a grid
 *
 * Returns: whether all their pixels have the same positions; quadrature weights may differ
 */
gboolean armilla_grid_same_pixels (const ArmillaGrid *a, const ArmillaGrid *b);

/**
 * armilla_grid_describe:
 * @grid: a grid
 *
 * Returns: (transfer full): a name for messages: "HEALPix nside 512",
 * "Gauss-Legendre 64 x 128" (rings x pixels a ring), "Fejer 1 64 x 128",
 * "Clenshaw-Curtis 65 x 128", "Driscoll-Healy 64 x 128", "12 rings, 480 pixels"; of a part,
 * "HEALPix nside 512 (100 of its 2047 rings)"
 */
char *armilla_grid_describe (const ArmillaGrid *grid);

/**
 * armilla_healpix_ring_to_nest:
 * @nside: a power of two, 1 to 2^29
 * @pixel: number in ring order
 *
 * Returns: number of the pixel in nested order; -1 if @nside or @pixel is invalid
 */
gint64 armilla_healpix_ring_to_nest (gint64 nside, gint64 pixel);

/**
 * armilla_healpix_nest_to_ring:
 * @nside: a power of two, 1 to 2^29
 * @pixel: number in nested order
 *
 * Returns: number of the pixel in ring order; -1 if @nside or @pixel is invalid
 */
gint64 armilla_healpix_nest_to_ring (gint64 nside, gint64 pixel);

/**
 * armilla_grid_pixel_vector:
 * @grid: a grid
 * @pixel: number of a pixel (HEALPix: in ring order), 0 <= @pixel < n_pixels
 * @vector: (out): unit vector to the pixel's centre
 *
 * Computes (sin theta cos phi, sin theta sin phi, cos theta), with errors of a few 1e-16.
 */
void armilla_grid_pixel_vector (const ArmillaGrid *grid, gint64 pixel, double vector[3]);

/**
 * armilla_healpix_vector_to_pixel:
 * @nside: 1 to 2^29
 * @vector: a direction, of any nonzero length
 *
 * Returns: number, in ring order, of the pixel that @vector points to; -1 if @nside is out of range
 * or @vector is zero or not finite
 */
gint64 armilla_healpix_vector_to_pixel (gint64 nside, const double vector[3]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGrid, armilla_grid_unref)

G_END_DECLS
