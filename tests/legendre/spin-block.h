/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of fields with a spin for tests: what is done with them, and shapes worth trying. */
#pragma once

#include <math.h>
#include <string.h>

#include "tests/legendre/spin-reference.h"

/* Those of m = 0 are real; what imaginary parts they have is ignored. */
static inline void
block_random_alm (SpinBlock *b, guint32 seed)
{
  delta_random (b->alm, 4 * b->n_alm * b->shape.n_maps, seed);
  for (gint64 f = 0; b->shape.m_first == 0 && f < 2 * b->shape.n_maps; f++)
    for (gint64 l = 0; l <= b->shape.lmax; l++)
      b->alm[2 * (f * b->n_alm + l) + 1] = 0;
}

static inline void
block_table_and_alm (SpinBlock *b, guint32 seed)
{
  block_random_alm (b, seed);
  armilla_spin_table_cpu (&b->shape, b->table);
}

static inline void
block_synthesis (SpinBlock *b)
{
  one_tile_spin_prepare (&b->shape, b->basis, b->alm, b->prepared, b->coupling);
  armilla_spin_synthesis_cpu (&b->shape, b->basis, b->prepared, b->pairs, b->tile, b->scratch);
}

static inline void
block_adjoint (SpinBlock *b)
{
  memset (b->prepared, 0, sizeof (double) * (gsize) armilla_spin_prepared_size (&b->shape));
  armilla_spin_adjoint_cpu (&b->shape, b->basis, b->tile, b->pairs, 0, b->prepared, b->scratch);
  delta_fill_nan (b->alm, 4 * b->n_alm * b->shape.n_maps);
  one_tile_spin_finish (&b->shape, b->basis, b->prepared, b->alm, b->coupling);
}

typedef struct {
  gint64 lmax, m_first, m_last, n_maps, nside, first_ring, n_pairs;
} Case;

/* The last two begin with the poles themselves (ring 0), and go beyond where the form of the
 * recurrence changes; the first of them has orders below and above the spin. */
static const Case cases[] = {
  { 0, 0, 0, 1, 1, 1, 2 },      { 1, 0, 1, 1, 1, 1, 1 },        { 2, 0, 2, 2, 2, 1, 4 },
  { 3, 1, 3, 2, 2, 1, 3 },      { 31, 0, 31, 3, 16, 1, 32 },    { 64, 3, 17, 1, 33, 1, 66 },
  { 64, 2, 2, 1, 33, 1, 20 },   { 128, 0, 63, 1, 64, 1, 127 },  { 200, 60, 99, 8, 100, 37, 129 },
  { 200, 90, 200, 1, 100, 1, 60 }, { 1024, 500, 520, 1, 512, 1, 300 },
  { 4096, 0, 4, 1, 2048, 0, 1400 }, { 4096, 400, 401, 1, 2048, 0, 1400 },
};

static inline void
case_init (SpinBlock *b, const Case *c, gint32 spin, ArmillaIsa isa)
{
  const ArmillaSpinShape shape
    = { c->lmax, c->m_first, c->m_last, c->n_maps, c->n_pairs, spin, (int32_t) isa };

  spin_block_init (b, &shape);
  delta_set_healpix (b->pairs, c->n_pairs, c->nside, c->first_ring);
}
