/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixel grids and their rings, HEALPix numbering, coordinates. Grids never change: any threads may
 * share them. Any threads may call the other functions, each with arrays of its own. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaRing:
 * @cos_theta: cosine of the co-latitude, rounded once from its exact formula
 * @cos_lo: what rounding @cos_theta left out
 * @sin_theta: sine of the co-latitude, rounded once
 * @sin_lo: what rounding @sin_theta left out
 * @weight: quadrature weight of each pixel of the ring, in steradian
 * @n_phi: number of pixels, at least 1
 * @offset: number of the ring's first pixel in the map
 * @phi0_num: the first pixel's azimuth is pi * @phi0_num / @phi0_den radian
 * @phi0_den: positive; or 0, and then the azimuth is @phi0
 * @phi0: azimuth of the first pixel, radian
 *
 * One iso-latitude ring. Pixels are equidistant in azimuth, increasing eastwards, and contiguous in
 * the map. The azimuth is a rational multiple of pi wherever the grid says so, in order that
 * exp(i m phi0) can be reduced with integers.
 *
 * @cos_theta + @cos_lo and @sin_theta + @sin_lo have a relative error below 2^-98 (3e-30) on
 * HEALPix and equiangular grids, and below 1e-19 on Gauss-Legendre grids (below 1e-21 up to 16385
 * rings; the cosine's absolute error is below 1e-29). On rings given by a user they are what the
 * user gave.
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
 * ArmillaGridKind:
 * @ARMILLA_GRID_HEALPIX: HEALPix in RING order, any nside
 * @ARMILLA_GRID_GAUSS_LEGENDRE: Gauss-Legendre nodes
 * @ARMILLA_GRID_FEJER1: equiangular, theta = (i + 1/2) pi / n
 * @ARMILLA_GRID_CLENSHAW_CURTIS: equiangular with both poles, theta = i pi / (n - 1)
 * @ARMILLA_GRID_DRISCOLL_HEALY: equiangular with the north pole only, theta = i pi / n, n even
 * @ARMILLA_GRID_RINGS: rings given by the user
 */
typedef enum {
  ARMILLA_GRID_HEALPIX,
  ARMILLA_GRID_GAUSS_LEGENDRE,
  ARMILLA_GRID_FEJER1,
  ARMILLA_GRID_CLENSHAW_CURTIS,
  ARMILLA_GRID_DRISCOLL_HEALY,
  ARMILLA_GRID_RINGS
} ArmillaGridKind;

/**
 * ArmillaGrid:
 * @kind: how it was made
 * @nside: HEALPix resolution parameter, 0 for other grids
 * @n_rings: number of rings
 * @rings: (array length=n_rings): the rings, north to south
 * @n_pairs: number of ring pairs
 * @pairs: (array length=n_pairs): the pairs, from the poles to the equator
 * @n_pixels: pixels of the whole map; each belongs to at most one ring
 * @n_covered: pixels on the rings: @n_pixels, unless the grid has only some rings of another
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

ArmillaGrid *armilla_grid_new_healpix (gint64 nside, GError **error);
ArmillaGrid *armilla_grid_new_gauss_legendre (gint64 n_theta, gint64 n_phi, GError **error);
ArmillaGrid *armilla_grid_new_equiangular (ArmillaGridKind kind, gint64 n_theta, gint64 n_phi,
                                           GError **error);
ArmillaGrid *armilla_grid_new_rings (const ArmillaRing *rings, gint64 n_rings, GError **error);
ArmillaGrid *armilla_grid_with_ring_weights (ArmillaGrid *grid, const double *factor,
                                             gint64 n_factors, GError **error);
ArmillaGrid *armilla_grid_select_rings (ArmillaGrid *grid, const gboolean *wanted,
                                        GError **error);
ArmillaGrid *armilla_grid_select_theta (ArmillaGrid *grid, double theta_min, double theta_max,
                                        GError **error);
gint64 armilla_grid_exact_lmax (ArmillaGridKind kind, gint64 n_rings);
ArmillaGrid *armilla_grid_whole (ArmillaGrid *grid);
ArmillaGrid *armilla_grid_ref (ArmillaGrid *grid);
void armilla_grid_unref (ArmillaGrid *grid);
gboolean armilla_grid_equal (const ArmillaGrid *a, const ArmillaGrid *b);
gboolean armilla_grid_same_pixels (const ArmillaGrid *a, const ArmillaGrid *b);
char *armilla_grid_describe (const ArmillaGrid *grid);

gint64 armilla_healpix_ring_to_nest (gint64 nside, gint64 pixel);
gint64 armilla_healpix_nest_to_ring (gint64 nside, gint64 pixel);
gint64 armilla_grid_ring_of (const ArmillaGrid *grid, gint64 pixel);
void armilla_grid_pixel_vector (const ArmillaGrid *grid, gint64 pixel, double vector[3]);
gint64 armilla_healpix_vector_to_pixel (gint64 nside, const double vector[3]);

void armilla_random_noise (guint64 seed, guint64 realisation, int n_fields, gint64 first, gint64 n,
                           double *const *out);

char armilla_coordinates_letter (const char *word);
gboolean armilla_coordinates_angles (char from, char to, double angles[3], GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaGrid, armilla_grid_unref)

/**
 * ARMILLA_RING_WEIGHTS_MOST:
 *
 * Highest nside that armilla_ring_weights_compute() takes: the time goes with its square.
 */
#define ARMILLA_RING_WEIGHTS_MOST 16384

gint64 armilla_ring_weights_lmax (gint64 nside);
double *armilla_ring_weights_compute (gint64 nside, gint64 lmax, gint64 *n_rings, GError **error);

G_END_DECLS
