/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed orders of a block with all their arrays, for the tests of butterfly. */
#pragma once

#include "codelets/butterfly/butterfly.h"
#include "tests/legendre/delta-reference.h"

typedef struct {
  ArmillaButterflyBlock shape;
  DeltaBlock delta; /* the same block for the recurrence */
  double *words, *tile, *prepared, *scratch;
  gint64 *offsets;
} ButterflyBlock;

/* HEALPix pairs of @nside, or all of a Gauss-Legendre grid of lmax + 1 rings when it is 0. */
void butterfly_block_init (ButterflyBlock *b, gint64 lmax, gint64 m_first, gint64 m_last,
                           gint64 n_fields, gint64 nside, double tolerance, ArmillaIsa isa);
void butterfly_block_clear (ButterflyBlock *b);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ButterflyBlock, butterfly_block_clear)

/* Root of the ratio of sums of squares: |a - b| / |b|. */
double butterfly_distance (const double *a, const double *b, gint64 n);
