/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier transforms of eight sequences at once, one a lane of a vector, for the CPU ring kernels.
 * Nothing is ever shuffled between lanes, and no two lanes meet: what a lane gives does not depend
 * on the others. Internal to ring-*.c.
 *
 * A point is eight real parts, then eight imaginary parts. Transforms are in place. The forward one
 * (decimation in frequency) leaves result k at order[k]; the backward one (decimation in time)
 * wants its input so and gives results in their natural order. Both sum with exp (+2 pi i j k / n):
 * between them a product with another spectrum makes a convolution, and nothing need be put in
 * order. */
#pragma once

#include <stdint.h>

#define ARMILLA_LANES 8
#define ARMILLA_LANE_POINT (2 * ARMILLA_LANES) /* doubles of a point */
#define ARMILLA_LANE_LEVELS 24                 /* enough for 2^48 points */

/**
 * ArmillaLaneFft:
 * @n: points, a product of 2, 3 and 5
 * @n_levels: passes
 * @radix: of each pass of the forward transform, the first of which is over all points
 * @twiddles: of each pass: exp (2 pi i t j / length), [length / radix][radix - 1] complex
 * @order: (array length=n): where the forward transform leaves result k
 */
typedef struct {
  int64_t n;
  int n_levels;
  int radix[ARMILLA_LANE_LEVELS];
  double *twiddles[ARMILLA_LANE_LEVELS];
  int64_t *order;
} ArmillaLaneFft;

/* NULL: no memory. */
ArmillaLaneFft *armilla_lane_fft_new (int64_t n);
void armilla_lane_fft_free (ArmillaLaneFft *fft);

/* Where a sequence's parts are: lanes first .. first + radix - 1, point k of part s being element
 * radix k + s of the sequence; q points a part. */
typedef struct {
  double *points;
  int64_t radix, first, q;
} ArmillaLaneParts;

/* The inner loops; complex arrays are interleaved, everything is 64-byte aligned but re and im.
 *
 * forward, backward: a transform of all lanes.
 * put: parts <- chirp (complex, [q]; NULL: 1) times a complex sequence of radix q elements.
 * put_real: the same for re + i im; im may be NULL.
 * clear: parts <- 0; radix may be anything.
 * multiply: parts, of n points, <- the conjugates of their products with lane @other of @kernel.
 * get: a complex sequence, element t q + j, t < radix, <- sum_s i^(s t) (or (-1)^(s t)) times
 *   parts_s[j] table[j], where table is [q][re: radix][im: radix] and parts are taken from point
 *   order[j]; or, where order is NULL, the conjugates of parts from point j.
 * get_real: the same, real and imaginary parts apart; im may be NULL. */
typedef struct {
  void (*forward) (const ArmillaLaneFft *fft, double *points);
  void (*backward) (const ArmillaLaneFft *fft, double *points);
  void (*put) (const ArmillaLaneParts *parts, const double *chirp, const double *sequence);
  void (*put_real) (const ArmillaLaneParts *parts, const double *chirp, const double *re,
                    const double *im, int unseen_is_zero);
  void (*clear) (const ArmillaLaneParts *parts);
  void (*multiply) (const ArmillaLaneParts *parts, int64_t n, const double *kernel, int64_t other);
  void (*get) (const ArmillaLaneParts *parts, const double *table, const int64_t *order,
               double *sequence);
  void (*get_real) (const ArmillaLaneParts *parts, const double *table, const int64_t *order,
                    double *re, double *im);
} ArmillaLaneKernels;

/* The widest set that this processor has; all sets give the same bits. */
const ArmillaLaneKernels *armilla_lane_kernels (void);
/* All that this processor has, narrowest first, for tests; NULL past the end. */
const ArmillaLaneKernels *armilla_lane_kernels_nth (int i);
