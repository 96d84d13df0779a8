/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices of associated Legendre functions, compressed (Tygert 2010; Carlson and Sundar 2018,
 * algorithm 1) and applied. Raw-pointer kernels; the StarPU codelets are declared in
 * butterfly-codelets.h.
 *
 * In the basis of the recurrence (delta-math.h) degrees l of both parities share one matrix:
 *
 *   Delta_m = P e + cos theta P o,   P[pair][k] = P_lm (x), l = m + 2 k,
 *
 * e_k = a_lm and o_k = g_k / sqrt (a_k). So a table holds one matrix per order instead of the
 * paper's two, and it is applied to four real vectors per field. */
#pragma once

#include "codelets/butterfly/butterfly-layout.h"
#include "codelets/legendre/delta-math.h"
#include "codelets/legendre/delta-recurrence.h"

/* Input of the compression of one order. */
typedef struct {
  int64_t lmax;     /* highest multipole */
  int64_t m;        /* the order */
  int64_t n_pairs;  /* ring pairs of the grid */
  double tolerance; /* RMS error of a transform, relative to the RMS of the result */
  int32_t chunk;    /* columns of a node of the first stage */
  int32_t pieces;   /* number of pieces into which the first stage divides the rows */
  int32_t isa;      /* instruction set */
} ArmillaButterflyShape;

void armilla_butterfly_shape_init (ArmillaButterflyShape *shape, int64_t lmax, int64_t m,
                                   int64_t n_pairs, double tolerance);

/* Sizes in doubles, including unused space at the end. */
int64_t armilla_butterfly_max_words (const ArmillaButterflyShape *shape);
int64_t armilla_butterfly_compress_scratch (const ArmillaButterflyShape *shape);
/* matrix <- P_lm (x), orthonormal with the Condon-Shortley phase, l = m + 2 k: [k][n_pairs rounded
 * up to 8]. Values below 2^-100 and the padding are 0. @table: armilla_delta_table_cpu () for this
 * order alone. */
void armilla_butterfly_matrix (const ArmillaButterflyShape *shape, const double *table,
                               const double *pairs, double *matrix);
/* words <- the compressed matrix of one order for pairs from the poles to the equator; header word
 * ARMILLA_BUTTERFLY_WORDS is their number, including padding that a kernel may read beyond the end
 * of a matrix. Returns the name of the LAPACK routine that failed, or NULL. */
const char *armilla_butterfly_compress_cpu (const ArmillaButterflyShape *shape,
                                            const double *pairs, double *words, double *scratch);

/* Operands of compressed orders. */
typedef struct {
  int64_t lmax;     /* highest multipole */
  int64_t m_first;  /* first order of the block */
  int64_t m_last;   /* last order of the block (inclusive) */
  int64_t n_fields; /* number of maps that are transformed at once */
  int64_t n_pairs;  /* ring pairs of the grid */
  int64_t n_words;  /* doubles of the block's compressed orders */
  int64_t width;    /* maximum number of values between two stages, over all orders */
  int64_t elements; /* multiplications per vector, sum over all orders */
  int32_t isa;      /* instruction set */
} ArmillaButterflyBlock;

/* Checks a compressed order m that may be damaged, since kernels do not. Returns a description of
 * the error, or NULL if it is valid. */
const char *armilla_butterfly_check (const double *words, int64_t n_words, int64_t lmax, int64_t m,
                                     int64_t n_pairs);

/* Returns the number of doubles of the intermediate values of one field between two stages. */
static inline int64_t
armilla_butterfly_field_size (const ArmillaButterflyBlock *block)
{
  return 4 * (block->width + ARMILLA_BUTTERFLY_PAD);
}

/* Returns the position, in doubles, of order m on the northern ring of a pair in a tile,
 * [field][2 pair + south][m - m_first], complex. */
static inline int64_t
armilla_butterfly_tile (const ArmillaButterflyBlock *block, int64_t field, int64_t pair, int64_t m)
{
  const int64_t n_orders = block->m_last - block->m_first + 1;

  return 2 * ((field * block->n_pairs + pair) * 2 * n_orders + m - block->m_first);
}

/* Returns the position, in doubles, of the prepared coefficients of an order and field. */
static inline int64_t
armilla_butterfly_coefficients (const ArmillaButterflyBlock *block, int64_t m, int64_t field)
{
  return 4 * (block->n_fields * armilla_delta_steps_before (block->lmax, block->m_first, m)
              + field * armilla_delta_steps (block->lmax, m));
}

int64_t armilla_butterfly_apply_scratch (const ArmillaButterflyBlock *block);
/* Like armilla_delta_synthesis_cpu (), on all pairs of the grid, to the tolerance of the table.
 * @words: compressed orders; @offsets: [m - m_first]: position of each in @words. */
void armilla_butterfly_synthesis_cpu (const ArmillaButterflyBlock *block, const double *words,
                                      const int64_t *offsets, const double *prepared, double *tile,
                                      double *scratch);
/* prepared += adjoint of the synthesis applied to tile, by the transposed factors in reverse order.
 * Absent rings are 0 in tile. */
void armilla_butterfly_adjoint_cpu (const ArmillaButterflyBlock *block, const double *words,
                                    const int64_t *offsets, const double *tile, double *prepared,
                                    double *scratch);
