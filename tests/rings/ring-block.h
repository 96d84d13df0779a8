/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block of rings for the tests of ring transforms. */
#pragma once

#include <glib.h>

#include "codelets/rings/ring-fft.h"

#define POISON 7.7e77

typedef struct {
  ArmillaRingShape shape;
  ArmillaRingSlot *slots;
  double *modes, *pixels, *scratch;
  ArmillaFftPlans *plans;
  gsize n_modes, n_pixels;
} Block;

/* Pixels in one tile. */
static inline ArmillaRingPixels
one_tile_of_pixels (const ArmillaRingShape *shape, double *const *pixels)
{
  return (ArmillaRingPixels) { .n_each = MAX (shape->n_fields, 1), .tile = pixels };
}

/* The kernels that take modes and pixels in tiles, with all in one. */

static inline int
one_tile_ring_synthesis (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                         const ArmillaFftPlans *plans, double *modes, double *pixels,
                         double *scratch)
{
  const int64_t zero = 0;
  const ArmillaRingTiles tiles = { 1, &zero, &modes };
  const ArmillaRingPixels map = one_tile_of_pixels (shape, &pixels);

  return armilla_ring_synthesis_cpu (shape, slots, plans, &tiles, &map, scratch);
}

static inline int
one_tile_ring_adjoint (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                       const ArmillaFftPlans *plans, int flags, double *pixels, double *modes,
                       double *scratch)
{
  const int64_t zero = 0;
  const ArmillaRingTiles tiles = { 1, &zero, &modes };
  const ArmillaRingPixels map = one_tile_of_pixels (shape, &pixels);

  return armilla_ring_adjoint_cpu (shape, slots, plans, flags, &map, &tiles, scratch);
}

static inline int
one_tile_ring_normal (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                      const ArmillaFftPlans *plans, double *modes, double *scratch)
{
  const int64_t zero = 0;
  const ArmillaRingTiles tiles = { 1, &zero, &modes };

  return armilla_ring_normal_cpu (shape, slots, plans, &tiles, scratch);
}

static inline void
fill_random (GRand *rand, double *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    x[i] = g_rand_double_range (rand, -1, 1);
}

static inline void
fill_poison (double *x, gsize n)
{
  for (gsize i = 0; i < n; i++)
    x[i] = POISON;
}

static inline Block *
block_new (const ArmillaRingSlot *slots, int n_slots, gint64 mmax, gint64 n_fields)
{
  Block *block = g_new0 (Block, 1);
  gint64 n_pixels = 0, longest = 1;

  block->slots = g_memdup2 (slots, sizeof *slots * (gsize) n_slots);
  for (int i = 0; i < n_slots; i++)
    {
      /* A gap of three pixels between rings must stay as it was. */
      block->slots[i].offset = n_pixels;
      n_pixels += slots[i].n_phi + 3;
      longest = MAX (longest, slots[i].n_phi);
    }
  block->shape = (ArmillaRingShape) { .mmax = mmax, .n_fields = n_fields, .n_slots = n_slots,
                                       .n_pixels = n_pixels };
  block->n_modes = (gsize) (2 * n_fields * n_slots * (mmax + 1));
  block->n_pixels = (gsize) (n_fields * n_pixels);
  block->modes = g_new (double, block->n_modes);
  block->pixels = g_new (double, block->n_pixels);
  /* Exactly what is asked for, so that a sanitizer sees any step beyond. */
  block->scratch = g_new (double, (gsize) armilla_ring_scratch_size (longest, mmax));
  block->plans = armilla_fft_plans_new ();
  g_assert_cmpint (armilla_fft_plans_add (block->plans, slots, n_slots), ==, 0);
  return block;
}

static inline void
block_free (Block *block)
{
  armilla_fft_plans_free (block->plans);
  g_free (block->slots);
  g_free (block->modes);
  g_free (block->pixels);
  g_free (block->scratch);
  g_free (block);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Block, block_free)

static inline double *
ring_modes (Block *block, gint64 field, gint64 slot)
{
  return block->modes + 2 * (field * block->shape.n_slots + slot) * (block->shape.mmax + 1);
}

static inline double *
ring_pixels (Block *block, gint64 field, gint64 slot)
{
  return block->pixels + field * block->shape.n_pixels + block->slots[slot].offset;
}

static inline void
synthesis (Block *block)
{
  fill_poison (block->pixels, block->n_pixels);
  g_assert_cmpint (one_tile_ring_synthesis (&block->shape, block->slots, block->plans,
                                            block->modes, block->pixels, block->scratch),
                   ==, 0);
}

static inline void
adjoint (Block *block, int flags)
{
  fill_poison (block->modes, block->n_modes);
  g_assert_cmpint (one_tile_ring_adjoint (&block->shape, block->slots, block->plans, flags,
                                          block->pixels, block->modes, block->scratch),
                   ==, 0);
}

static inline void
normal (Block *block)
{
  g_assert_cmpint (one_tile_ring_normal (&block->shape, block->slots, block->plans, block->modes,
                                         block->scratch),
                   ==, 0);
}
