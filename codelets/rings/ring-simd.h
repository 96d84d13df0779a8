/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inner loops of the CPU ring transforms. Internal to ring-*.c. */
#pragma once

#include <stdint.h>

#include "codelets/common/isa.h"

typedef enum {
  ARMILLA_SIMD_PLAIN,  /* a b */
  ARMILLA_SIMD_CONJ_A, /* conj (a) b */
  ARMILLA_SIMD_CONJ    /* conj (a b) */
} ArmillaSimdProduct;

/* Complex arrays are interleaved; n counts complex numbers (pixels for interleave
 * and split, points of a part for combine). */
typedef struct {
  void (*rotate) (double *dst, const double *src, const double *small, double re, double im,
                  int64_t n);
  void (*scale) (double *dst, const double *src, double factor, int64_t n);
  void (*multiply) (double *dst, const double *a, const double *b, ArmillaSimdProduct kind,
                    int64_t n);
  void (*interleave) (double *dst, const double *re, const double *im, int unseen_is_zero,
                      int64_t n);
  void (*split) (double *re, double *im, const double *src, int64_t n);
  void (*combine_two) (double *parts, int64_t q);
  void (*combine_four) (double *parts, int64_t q);
  void (*join) (double *z, const double *north, const double *south, int64_t n);
  void (*unjoin) (double *north, double *south, const double *z, double factor, int64_t first,
                  int64_t end, int64_t n);
} ArmillaRingSimd;

/* All sets give the same bits. */
extern const ArmillaRingSimd ARMILLA_EACH_ISA (armilla_ring_simd);
