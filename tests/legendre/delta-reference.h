/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs, random data and a slow exact sum for the tests of delta_recurrence. */
#pragma once

#include <glib.h>

#include "codelets/legendre/delta-recurrence.h"

typedef _Float128 Quad;

/* A block of orders and ring pairs with all its arrays; what the kernels write starts as NaN. */
typedef struct {
  ArmillaDeltaShape shape;
  gint64 n_alm; /* complex, per field */
  double *pairs, *table, *basis, *alm, *prepared, *tile, *scratch;
} DeltaBlock;

void delta_block_init (DeltaBlock *block, const ArmillaDeltaShape *shape);
void delta_block_clear (DeltaBlock *block);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DeltaBlock, delta_block_clear)

/* Where a tile holds a field of an order at a pair; @row: north re, im, south re, im. */
double *delta_tile_at (const DeltaBlock *block, gint64 field, gint64 m, gint64 pair, gint64 row);

/* Standard normal numbers from a counter. */
void delta_random (double *x, gint64 n, guint32 seed);
void delta_fill_nan (double *x, gint64 n);
double *delta_new_nan (gint64 n);
double *delta_new_basis (gint64 lmax);
double delta_dot (const double *x, const double *y, gint64 n);
/* |x - y| / |y| */
double delta_distance (const double *x, const double *y, gint64 n);
gint64 delta_alm_count (gint64 lmax, gint64 m_first, gint64 m_last);

Quad delta_sqrt (Quad x);
/* Cosine and sine of HEALPix ring 1 .. 2 nside. */
void delta_healpix_ring (gint64 nside, gint64 ring, Quad *cosine, Quad *sine);
/* Pair @i of @pairs, a table of @n pairs, gets this co-latitude. */
void delta_set_pair (double *pairs, gint64 n, gint64 i, Quad cosine, Quad sine);
void delta_set_healpix (double *pairs, gint64 n, gint64 nside, gint64 first_ring);

/* The first 8 rings, some between, theta near pi/4, the last 4 before the equator, and that. */
#define DELTA_SAMPLES 20
void delta_sample_rings (gint64 nside, gint64 rings[DELTA_SAMPLES]);
/* @sums: |error|^2 and |value|^2 of each ring; @rms, @ring: bounds of all, and of the worst one */
void delta_check_accuracy (const char *what, gint64 nside, const gint64 *rings, gint64 n,
                           double (*sums)[2], double rms, double ring);

/* even[2], odd[2] (re, im) <- sums over l - m even and odd of a_lm P_lm, by the three-term
 * recurrence in quadruple precision. */
void delta_direct_sum (gint64 lmax, gint64 m, const double *alm, Quad cosine, Quad sine, Quad *even,
                       Quad *odd);

/* The kernels that take a_lm in tiles, with all fields in one. */

static inline void
one_tile_delta_prepare (const ArmillaDeltaShape *shape, const double *basis, double *alm,
                        double *prepared)
{
  const ArmillaAlmTiles tiles = { shape->n_fields, &alm };

  armilla_delta_prepare_cpu (shape, basis, &tiles, prepared);
}

static inline void
one_tile_delta_finish (const ArmillaDeltaShape *shape, const double *basis, const double *prepared,
                       double *alm)
{
  const ArmillaAlmTiles tiles = { shape->n_fields, &alm };

  armilla_delta_finish_cpu (shape, basis, prepared, &tiles);
}
