/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of spin s: (E_lm, B_lm) -> Fourier coefficients of (Q, U) on the rings, and the adjoint,
 * for a block of orders and a block of ring pairs. Raw-pointer kernels.
 *
 * With _sY_lm = (-1)^s L^l_{m,-s} (theta) e^{i m phi}, L^l_{m,s} = sqrt ((2 l + 1) / (4 pi))
 * d^l_{m,s}, and the conventions of healpy,
 *
 *   Q +- i U = sum_lm a^+-_lm +-sY_lm,   a^+ = -(E + i B),   a^- = -(-1)^s (E - i B).
 *
 * No separate recurrence is needed. d^l times d^1 is a sum over l - 1, l, l + 1, so s such steps
 * lead from spin s to spin 0:
 *
 *   sin^s theta L^l_{m,+-s}            = sum over l - s .. l + s of P_l'm
 *   (1 + cos theta)^s L^l_{m,s}        = sum over l - s .. l + s of P_l',|m-s|
 *   (1 + cos theta)^s L^l_{m,-s}       = sum over l - s .. l + s of P_l',m+s
 *
 * The coefficients depend on l and m only, so they are applied to the a_lm beforehand, and the
 * kernels of delta-recurrence.h do the rest. The first line is used for all rings that are not near
 * a pole: Q and U share one recurrence, and one sum serves both rings of a pair. Near a pole, where
 * the division by sin^s theta would lose digits, the other two lines are used: for the southern
 * ring L^l_{m,s} (pi - theta) = (-1)^(l+m) L^l_{m,-s} (theta), so that 1 + cos theta is never
 * small. */
#pragma once

#include <stdint.h>

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/spin-math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int64_t lmax;    /* highest multipole */
  int64_t m_first; /* first order of the block */
  int64_t m_last;  /* last order of the block (inclusive) */
  /* number of pairs of fields (E, B) and (Q, U) that share the recurrence, at least 1 */
  int64_t n_maps;
  int64_t n_pairs; /* number of ring pairs of the block */
  int32_t spin;    /* s, 1 .. ARMILLA_SPIN_KERNEL_MAX */
  int32_t isa;     /* instruction set (CPU kernels only), ArmillaIsa */
} ArmillaSpinShape;

/* Parts of the prepared a_lm, as bits. */
typedef enum {
  ARMILLA_SPIN_PART_MIDDLE = 1, /* part of the prepared a_lm for rings that are not near a pole */
  ARMILLA_SPIN_PART_POLAR = 2   /* part for rings near a pole */
} ArmillaSpinPart;

/* Sizes in doubles. */
int64_t armilla_spin_table_size (const ArmillaSpinShape *shape);    /* coefficients of the
                                                                     * recurrence */
int64_t armilla_spin_prepared_size (const ArmillaSpinShape *shape); /* a_lm in the recurrence's
                                                                     * basis */
int64_t armilla_spin_tile_size (const ArmillaSpinShape *shape);     /* [2 n_maps][2 n_pairs][m] */
int64_t armilla_spin_coupling_size (const ArmillaSpinShape *shape); /* scratch of prepare and
                                                                     * finish */
int64_t armilla_spin_scratch_size (const ArmillaSpinShape *shape);  /* scratch of synthesis and
                                                                     * adjoint */
/* Returns the number of doubles of scratch that prepare and finish need on a GPU: roots and
 * factors, and the scalar fields of some orders. */
int64_t armilla_spin_cuda_coupling_size (const ArmillaSpinShape *shape);
int64_t armilla_spin_cuda_scratch_size (const ArmillaSpinShape *shape);
/* Returns the number of doubles of ARMILLA_SPIN_PART_MIDDLE of the prepared a_lm, which is the
 * offset of ARMILLA_SPIN_PART_POLAR. */
int64_t armilla_spin_middle_size (const ArmillaSpinShape *shape);
/* Returns whether any of a block's ring pairs is near a pole for the CPU kernels. */
int armilla_spin_has_polar (const ArmillaSpinShape *shape, const double *pairs);
/* Returns the number of pairs near a pole for a GPU, the first ones of the block. A GPU processes
 * pairs in groups of ARMILLA_SPIN_WHOLE: the pairs beyond whole groups count as not near if all are
 * within 2 % of the limit. */
int64_t armilla_spin_count_polar (const ArmillaSpinShape *shape, const double *pairs);

/* table <- coefficients; depends on lmax, spin and the orders only. */
void armilla_spin_table_cpu (const ArmillaSpinShape *shape, double *table);
/* prepared <- a_lm: converts fields of spin s to scalar ones, and these to the basis of the
 * recurrence (delta-recurrence.h) for lmax + spin. alm has E and B of each map in sequence, whole
 * maps per tile; multipoles below the spin are not read. */
void armilla_spin_prepare_cpu (const ArmillaSpinShape *shape, const double *basis,
                               const ArmillaAlmTiles *alm, double *prepared, double *scratch);
/* Adjoint of prepare: a_lm <- prepared; multipoles below the spin become 0. */
void armilla_spin_finish_cpu (const ArmillaSpinShape *shape, const double *basis,
                              const double *prepared, const ArmillaAlmTiles *alm, double *scratch);
/* tile <- Fourier coefficients of Q and U: complex, [map][Q, U][2 pair + south][m - m_first]. Q_m
 * (theta) = sum_l (a^+_lm L+_lm + a^-_lm L-_lm) / 2, U_m (theta) = sum_l (a^+_lm L+_lm - a^-_lm
 * L-_lm) / (2 i), where +-sY_lm = L+-_lm (theta) e^{i m phi}. The basis is that for lmax + spin. */
void armilla_spin_synthesis_cpu (const ArmillaSpinShape *shape, const double *basis,
                                 const double *prepared, const double *pairs, double *tile,
                                 double *scratch);
/* Adds the adjoint of the synthesis, applied to @tile, to @prepared, whose parts in @fresh
 * (ArmillaSpinPart) are uninitialised and count as 0. Absent rings are 0 in tile. The order of the
 * sum over rings is fixed by the shape. */
void armilla_spin_adjoint_cpu (const ArmillaSpinShape *shape, const double *basis,
                               const double *tile, const double *pairs, int fresh,
                               double *prepared, double *scratch);

/* CUDA kernels: the same arguments, with a table instead of a basis and a_lm in one tile; all
 * except the shape are in device memory. @n_polar: number of ring pairs near a pole, the first
 * ones */
int armilla_spin_table_launch (const ArmillaSpinShape *shape, double *table,
                               cudaStream_t stream);
int armilla_spin_prepare_launch (const ArmillaSpinShape *shape, const double *table,
                                 const double *alm, double *prepared, double *scratch,
                                 cudaStream_t stream);
int armilla_spin_finish_launch (const ArmillaSpinShape *shape, const double *table,
                                const double *prepared, double *alm, double *scratch,
                                cudaStream_t stream);
int armilla_spin_synthesis_launch (const ArmillaSpinShape *shape, int64_t n_polar,
                                   const double *table, const double *prepared,
                                   const double *pairs, double *tile, double *scratch,
                                   cudaStream_t stream);
int armilla_spin_adjoint_launch (const ArmillaSpinShape *shape, int64_t n_polar,
                                 const double *table, const double *tile,
                                 const double *pairs, double *prepared, double *scratch,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
