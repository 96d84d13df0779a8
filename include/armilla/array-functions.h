/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of arrays of a_lm and of positions that need no plan. Plain C, as armilla/arrays.h. */
#pragma once

#include <armilla/arrays.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * armilla_array_spectra:
 * @session: a session
 * @lmax: highest degree of the a_lm
 * @mmax: their highest order
 * @a: a_lm, [copy][component][coefficient]
 * @b: (nullable): a_lm of the same shape; %NULL for auto spectra
 * @cl: [copy][spectrum][degree], degrees up to lmax or less; written
 * @failure: (nullable): filled where it fails
 *
 * C_l = 1 / (2 l + 1) sum_m a_lm conj(b_lm). Of F components the spectra are those of (i, i), then
 * of the neighbours (i, i + 1), and so on, as healpy's alm2cl: TT, EE, BB, TE, EB, TB; at most
 * F (F + 1) / 2 of them, or as many of the first ones as @cl has.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_spectra (ArmillaSession *session, int64_t lmax, int64_t mmax,
                                     const ArmillaArray *a, const ArmillaArray *b,
                                     const ArmillaArray *cl, ArmillaFailure *failure);

/**
 * armilla_array_scale_alm:
 * @session: a session
 * @lmax: highest degree
 * @mmax: highest order
 * @alm: a_lm, [copy][component][coefficient]
 * @window: f_l, [1 or copy][1 or component][degree]; 0 beyond its end
 * @out: a_lm of the shape of @alm; written
 * @failure: (nullable): filled where it fails
 *
 * out_lm = f_l a_lm, as healpy's almxfl.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_scale_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                                       const ArmillaArray *alm, const ArmillaArray *window,
                                       const ArmillaArray *out, ArmillaFailure *failure);

/**
 * armilla_array_rotate_alm:
 * @session: a session
 * @lmax: highest degree
 * @mmax: highest order of @alm
 * @alm: a_lm, [copy][component][coefficient]
 * @angles: (array fixed-size=3): psi, theta and phi, radian: the field turns by psi about z, then
 *   by theta, from 0 to pi, about y, then by phi about z
 * @out: a_lm of the same shape, but with mmax = @lmax; written
 * @failure: (nullable): filled where it fails
 *
 * As healpy's rotate_alm, which has the angles in the same order. The adjoint is the rotation by
 * (pi - phi, theta, pi - psi), which is its inverse.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_rotate_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                                        const ArmillaArray *alm, const double angles[3],
                                        const ArmillaArray *out, ArmillaFailure *failure);

/**
 * armilla_array_random_alm:
 * @session: a session
 * @lmax: highest degree
 * @mmax: highest order
 * @cl: [1 or copy][spectrum][degree]: one spectrum a component; or, of the three components T, E
 *   and B, four (TT, EE, BB, TE) or six (and EB, TB); 0 beyond its end
 * @seed: seed
 * @first: number of the first copy's realisation; the next copies have the next ones
 * @alm: a_lm, [copy][component][coefficient]; written
 * @failure: (nullable): filled where it fails
 *
 * Gaussian a_lm of these spectra: the same for equal @seed and realisation on all machines, and the
 * same as those of the stage `random-alm`. Spectra that no fields have are a wrong argument: a
 * negative one, or a cross spectrum whose square is above the product of the two by more than 1e-6
 * of that.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_random_alm (ArmillaSession *session, int64_t lmax, int64_t mmax,
                                        const ArmillaArray *cl, uint64_t seed, uint64_t first,
                                        const ArmillaArray *alm, ArmillaFailure *failure);

/**
 * ArmillaPoints:
 * @n: number of objects on the sphere
 * @longitude: (array length=n) (nullable): right ascension or longitude, degrees
 * @latitude: (array length=n) (nullable): declination or latitude, degrees
 * @x: (array length=n) (nullable): instead of angles, unit vectors to the objects
 * @y: (array length=n) (nullable): towards longitude 90 degrees
 * @z: (array length=n) (nullable): towards the north pole
 * @weight: (array length=n) (nullable): weights, finite and not negative; %NULL: 1. Objects of
 *   weight 0 do not count, neither in pairs nor in triangles
 * @g1: (array length=n) (nullable): shear, g1 + i g2 = |g| exp (2 i psi), psi from north to east
 * @g2: (array length=n) (nullable): see @g1
 *
 * A catalogue of the caller's.
 */
typedef struct {
  int64_t n;
  const double *longitude, *latitude;
  const double *x, *y, *z;
  const double *weight;
  const double *g1, *g2;
} ArmillaPoints;

/**
 * ArmillaPairSums:
 * @count: (array) (nullable): number of pairs
 * @weight: (array) (nullable): sum of w_i w_j
 * @separation: (array) (nullable): sum of w_i w_j theta_ij, radian
 * @xi_plus: (array) (nullable): sum of w_i w_j (gt_i gt_j + gx_i gx_j)
 * @xi_minus: (array) (nullable): sum of w_i w_j (gt_i gt_j - gx_i gx_j)
 *
 * Arrays of the caller's for what is wanted of pairs, a number a bin.
 */
typedef struct {
  int64_t *count;
  double *weight, *separation, *xi_plus, *xi_minus;
} ArmillaPairSums;

/**
 * armilla_array_pairs:
 * @session: a session
 * @a: objects
 * @b: (nullable): other objects: pairs of one of @a and one of @b; %NULL: pairs within @a, each
 *   once
 * @edges: (array): edges of the bins, n_bins + 1 of them, radian, increasing, from 0 to pi
 * @n_bins: number of bins
 * @sums: what is wanted; written
 * @failure: (nullable): filled where it fails
 *
 * A pair belongs to bin k when its separation is at least @edges[k] and below @edges[k + 1]. Counts
 * are exact; see #ArmillaBins for where a separation on an edge goes.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_pairs (ArmillaSession *session, const ArmillaPoints *a,
                                   const ArmillaPoints *b, const double *edges, int n_bins,
                                   const ArmillaPairSums *sums, ArmillaFailure *failure);

/**
 * armilla_array_triangles:
 * @session: a session
 * @a: objects
 * @b: (nullable): other objects: triangles of two of @a and one of @b; %NULL: triangles within @a,
 *   each once
 * @edges: (array): edges of the bins, n_bins + 1 of them, radian, increasing, from 0 to pi
 * @n_bins: number of bins
 * @counts: (array): n (n + 1) (n + 2) / 6 numbers for n bins: of the triangles with sides in the
 *   bins k1 <= k2 <= k3, k3 running fastest, then k2; written
 * @failure: (nullable): filled where it fails
 *
 * Triangles with a side in no bin do not count. Counts are exact.
 *
 * Returns: how it went
 */
ArmillaStatus armilla_array_triangles (ArmillaSession *session, const ArmillaPoints *a,
                                       const ArmillaPoints *b, const double *edges, int n_bins,
                                       int64_t *counts, ArmillaFailure *failure);

#ifdef __cplusplus
}
#endif
