/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays, and a slow exact sum with Wigner d functions, for the tests of fields of spin s. */
#pragma once

#include "codelets/legendre/spin-recurrence.h"
#include "tests/legendre/delta-reference.h"

/* A block of orders and ring pairs with all its arrays; what the kernels write starts as NaN. */
typedef struct {
  ArmillaSpinShape shape;
  gint64 n_alm; /* complex, per field */
  double *pairs, *table, *basis, *alm, *prepared, *tile, *coupling, *scratch;
} SpinBlock;

void spin_block_init (SpinBlock *block, const ArmillaSpinShape *shape);
void spin_block_clear (SpinBlock *block);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SpinBlock, spin_block_clear)

/* Where a tile holds a field of an order at a pair; @row: north re, im, south re, im. */
double *spin_tile_at (const SpinBlock *block, gint64 field, gint64 m, gint64 pair, gint64 row);

/* The three-term recurrence of sqrt ((2 l + 1) / (4 pi)) d^l_{m,+-s} in l. */
typedef struct {
  gint64 lmax, m, s;
  Quad *alpha, *beta; /* from l = 0 on */
} SpinDirect;

void spin_direct_init (SpinDirect *direct, gint64 lmax, gint64 m, gint64 s);
void spin_direct_clear (SpinDirect *direct);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SpinDirect, spin_direct_clear)

/* Fourier coefficients of Q (re, im) and U (re, im) at one ring, 0 < theta < pi. @e, @b: complex,
 * of degrees m .. lmax */
void spin_direct_sum (const SpinDirect *direct, const double *e, const double *b, Quad cosine,
                      Quad sine, Quad qu[4]);

static inline void
one_tile_spin_prepare (const ArmillaSpinShape *shape, const double *basis, double *alm,
                       double *prepared, double *scratch)
{
  const ArmillaAlmTiles tiles = { 2 * shape->n_maps, &alm };

  armilla_spin_prepare_cpu (shape, basis, &tiles, prepared, scratch);
}

static inline void
one_tile_spin_finish (const ArmillaSpinShape *shape, const double *basis, const double *prepared,
                      double *alm, double *scratch)
{
  const ArmillaAlmTiles tiles = { 2 * shape->n_maps, &alm };

  armilla_spin_finish_cpu (shape, basis, prepared, &tiles, scratch);
}
