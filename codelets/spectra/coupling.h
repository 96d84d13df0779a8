/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices of masked spectra: blocks of rows and columns. Raw-pointer kernels.
 *
 * M_{l1 l2} = (2 l2 + 1) / (4 pi) sum over l3 of (2 l3 + 1) W_l3 times
 *   00: (l1 l2 l3; 0 0 0)^2
 *   0+: (l1 l2 l3; 0 0 0) (l1 l2 l3; 2 -2 0)
 *   ++: (l1 l2 l3; 2 -2 0)^2 if l1 + l2 + l3 is even
 *   --: the same if it is odd,
 * where W is the spectrum of a mask, or the cross spectrum of two (Hivon et al. 2002; Alonso,
 * Sanchez and Slosar 2019).
 *
 * The a_lm of a purified E or B are those of a scalar, D P, times the mask, where D multiplies
 * multipole l of P by sqrt ((l + 2)! / (l - 2)!); the factor is divided out again at l1 (Smith
 * 2006). So for each purified field (l1 l2 l3; 2 -2 0) becomes r (l1 l2 l3; 0 0 0), r^2 = (l2 + 2)!
 * (l1 - 2)! / ((l2 - 2)! (l1 + 2)!), and odd sums vanish:
 *   0p: a scalar and a purified field: r times 00
 *   +p: a field of spin 2 and a purified one: r times 0+
 *   pp: two purified fields: r^2 times 00 */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/common/isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* rows and columns of a block; results do not depend on it */
#define ARMILLA_COUPLING_BLOCK 256

/* kinds, in the order of the fields of a matrix */
#define ARMILLA_COUPLING_00 1
#define ARMILLA_COUPLING_0P 2
#define ARMILLA_COUPLING_PP 4
#define ARMILLA_COUPLING_MM 8
#define ARMILLA_COUPLING_0PURE 16
#define ARMILLA_COUPLING_PPURE 32
#define ARMILLA_COUPLING_PUREPURE 64
#define ARMILLA_COUPLING_LAST ARMILLA_COUPLING_PUREPURE

/* A block of coupling matrices on or below their diagonal. */
typedef struct {
  int64_t lmax;      /* highest multipole of rows and columns */
  int64_t mask_lmax; /* highest multipole used of the spectrum of the mask, at most 2 lmax */
  int64_t row;       /* first row of the block */
  int64_t n_rows;    /* rows, at most ARMILLA_COUPLING_BLOCK */
  int64_t col;       /* first column: row, or col + n_cols is at most row */
  int64_t n_cols;    /* number of columns; that of rows if col is row */
  int32_t kinds;     /* kinds to compute, as bits ARMILLA_COUPLING_* */
  ArmillaIsa isa;    /* instruction set of the CPU kernel */
} ArmillaCouplingShape;

/* Returns the number of doubles of the table that all blocks share. */
int64_t armilla_coupling_table_size (int64_t lmax, int64_t mask_lmax);
/* table <- one-index factors, each accurate to the rounding of a double. @spectrum: W_l, l =
 * 0..mask_lmax. */
void armilla_coupling_table_cpu (int64_t lmax, int64_t mask_lmax, const double *spectrum,
                                 double *table);

/* below <- the block, [kind][row][column]; above <- the block on the other side of the diagonal,
 * [kind][column][row]. @above is ignored for a block on the diagonal. The bits do not depend on the
 * division of the matrix into blocks. 3 flops for each of lmax^3 / 6 terms of 00, 13 for all four
 * kinds. */
void armilla_coupling_cpu (const ArmillaCouplingShape *shape, const double *table, double *below,
                           double *above);

/* CUDA kernel: the same arguments; all except the shape are in device memory. */
int armilla_coupling_launch (const ArmillaCouplingShape *shape, const double *table, double *below,
                             double *above, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
