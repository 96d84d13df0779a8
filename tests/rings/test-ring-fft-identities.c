/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The identities that ring transforms must obey, and that all forms of one transform agree. */
#include <armilla/map-header.h>
#include <math.h>
#include <string.h>

#include "codelets/rings/ring-fft-math.h"
#include "codelets/rings/ring-simd.h"
#include "tests/rings/ring-block.h"

/* y = A x + n |A x|, |n| = 1 random: |<A x, y> - <x, A' y>| <= 1e-14 |A x| |y| (the contract of the
 * whole transform, for every single block here). */
static void
test_adjointness (void)
{
  const gint64 lengths[] = { 1, 2, 3, 4, 20, 37, 256, 1021, 4084, 4096 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (gint64 mmax = 0; mmax < 5000; mmax = 3 * mmax + 7)
      {
        const gint64 n = lengths[i];
        const ArmillaRingSlot slots[]
            = { { .n_phi = n, .phi0_num = 1, .phi0_den = n }, { .n_phi = n, .phi0 = 0.3 } };
        g_autoptr (Block) block = block_new (slots, 2, mmax, 1);
        g_autofree double *x = g_new (double, block->n_modes);
        long double image_norm = 0, noise_norm = 0, norm = 0, left = 0, right = 0;
        g_autofree double *image = g_new0 (double, block->n_pixels);
        g_autofree double *noise = g_new (double, block->n_pixels);

        fill_random (rand, block->modes, block->n_modes);
        memcpy (x, block->modes, sizeof (double) * block->n_modes);
        synthesis (block);
        fill_random (rand, noise, block->n_pixels);
        for (int slot = 0; slot < 2; slot++)
          for (gint64 j = block->slots[slot].offset; j < block->slots[slot].offset + n; j++)
            {
              image[j] = block->pixels[j];
              image_norm += (long double) image[j] * image[j];
              noise_norm += (long double) noise[j] * noise[j];
            }
        for (gsize j = 0; j < block->n_pixels; j++)
          {
            block->pixels[j]
                = (double) (image[j] + noise[j] * sqrtl (image_norm) / sqrtl (noise_norm));
            left += (long double) image[j] * block->pixels[j];
          }
        for (int slot = 0; slot < 2; slot++)
          for (gint64 j = block->slots[slot].offset; j < block->slots[slot].offset + n; j++)
            norm += (long double) block->pixels[j] * block->pixels[j];
        adjoint (block, 0);
        for (gsize k = 0; k < block->n_modes; k += 2)
          right += (k % (gsize) (2 * (mmax + 1)) ? 2 : 1)
                   * ((long double) x[k] * block->modes[k]
                      + (long double) x[k + 1] * block->modes[k + 1]);
        g_assert_cmpfloat ((double) fabsl (left - right), <=,
                           (double) (1e-14L * sqrtl (image_norm * norm)));
      }
}

static void
test_unseen (void)
{
  const double values[] = { ARMILLA_UNSEEN, (float) ARMILLA_UNSEEN, ARMILLA_UNSEEN * (1 + 9.9e-6),
                            ARMILLA_UNSEEN * (1 - 9.9e-6), ARMILLA_UNSEEN * (1 + 1.1e-5),
                            -ARMILLA_UNSEEN, 0, -1, 1e300, -1e31 };
  const ArmillaRingSlot slots[]
      = { { .n_phi = 44, .weight = 1 }, { .n_phi = 44, .phi0 = 1, .weight = 1 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (Block) block = block_new (slots, 2, 60, 1);
  g_autofree double *cleaned = g_new (double, block->n_modes);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpint (armilla_unseen_to_zero (values[i]) != values[i], ==,
                     armilla_is_unseen (values[i]));
  fill_random (rand, block->pixels, block->n_pixels);
  for (gsize j = 0; j < block->n_pixels; j += 5)
    block->pixels[j] = values[j % 4];
  adjoint (block, ARMILLA_RING_UNSEEN_IS_ZERO);
  memcpy (cleaned, block->modes, sizeof (double) * block->n_modes);
  for (gsize j = 0; j < block->n_pixels; j += 5)
    block->pixels[j] = 0;
  adjoint (block, ARMILLA_RING_UNSEEN_IS_ZERO);
  g_assert_cmpmem (cleaned, sizeof (double) * block->n_modes, block->modes,
                   sizeof (double) * block->n_modes);
  /* Without the flag the value counts. */
  block->pixels[0] = ARMILLA_UNSEEN;
  adjoint (block, 0);
  g_assert_cmpfloat (fabs (block->modes[0]), >, 1e30);
}

/* The bits of a ring depend neither on the other pairs of its block nor on the scratch's address,
 * nor on what was transformed before. */
static void
test_block_split (void)
{
  enum { N_PAIRS = 12, MMAX = 70 };
  ArmillaRingSlot slots[2 * N_PAIRS];
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (Block) whole = NULL;

  for (int i = 0; i < 2 * N_PAIRS; i++)
    slots[i] = (ArmillaRingSlot){ .n_phi = 4 * MIN (i / 2 + 5, 13), .phi0_num = i / 2 % 2,
                                  .phi0_den = 4 * MIN (i / 2 + 5, 13), .weight = 1.0 + i / 2 };
  whole = block_new (slots, 2 * N_PAIRS, MMAX, 2);
  fill_random (rand, whole->modes, whole->n_modes);
  synthesis (whole);
  for (int shift = 0; shift < N_PAIRS; shift++)
    {
      g_autoptr (Block) part = block_new (slots + 2 * shift, 2, MMAX, 2);
      double *scratch = part->scratch;
      g_autofree double *moved
          = g_new (double, (gsize) armilla_ring_scratch_size (52, whole->shape.mmax) + 8);

      part->scratch = moved + shift % 8;
      for (int field = 0; field < 2; field++)
        for (int i = 0; i < 2; i++)
          memcpy (ring_modes (part, field, i), ring_modes (whole, field, 2 * shift + i),
                  2 * (MMAX + 1) * sizeof (double));
      synthesis (part);
      for (int field = 0; field < 2; field++)
        for (int i = 0; i < 2; i++)
          g_assert_cmpmem (ring_pixels (part, field, i),
                           sizeof (double) * (gsize) part->slots[i].n_phi,
                           ring_pixels (whole, field, 2 * shift + i),
                           sizeof (double) * (gsize) part->slots[i].n_phi);
      part->scratch = scratch;
    }
}

/* All that one of the forms does with a block: in one piece, or in parts that end at @cuts, the
 * last one first. */
static void
transform_parts (Block *block, int form, const gint64 *cuts, int n)
{
  for (int i = n - 1; i >= 0; i--)
    {
      block->shape.first_slot = i > 0 ? cuts[i - 1] : 0;
      block->shape.end_slot = cuts[i];
      g_assert_cmpint (form == 0   ? one_tile_ring_synthesis (&block->shape, block->slots,
                                                              block->plans, block->modes,
                                                              block->pixels, block->scratch)
                       : form == 1 ? one_tile_ring_adjoint (&block->shape, block->slots,
                                                            block->plans, ARMILLA_RING_WEIGHTED,
                                                            block->pixels, block->modes,
                                                            block->scratch)
                                   : one_tile_ring_normal (&block->shape, block->slots,
                                                           block->plans, block->modes,
                                                           block->scratch),
                       ==, 0);
    }
}

/* A block in parts has the bits of the whole block, wherever it is cut; and a part alone writes to
 * nothing but its own. */
static void
test_parts (void)
{
  enum { N_PAIRS = 11, MMAX = 70, N = 2 * N_PAIRS };
  const gint64 whole[] = { 0 };
  const gint64 cuts[][4] = { { 2, 4, 20, N }, { 8, 10, 12, N }, { 6, 14, 16, N } };
  ArmillaRingSlot slots[N];
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);

  for (int i = 0; i < N; i++) /* lengths alike, not alike, smooth; absent; lone */
    slots[i] = (ArmillaRingSlot){ .n_phi = i == 5 ? 0 : i == 9 ? 33 : 4 * (7 + 5 * (i / 2)),
                                  .phi0_num = i % 4, .phi0_den = 28, .weight = 1.0 + i };
  g_autoptr (Block) block = block_new (slots, N, MMAX, 3);
  g_autofree double *modes = g_new (double, block->n_modes);
  g_autofree double *pixels = g_new (double, block->n_pixels);
  const gsize modes_size = sizeof (double) * block->n_modes;
  const gsize pixels_size = sizeof (double) * block->n_pixels;

  fill_random (rand, modes, block->n_modes);
  fill_random (rand, pixels, block->n_pixels);
  for (int form = 0; form < 3; form++)
    {
      g_autofree double *to_modes = NULL, *to_pixels = NULL;

      for (guint i = 0; i <= G_N_ELEMENTS (cuts); i++)
        {
          memcpy (block->modes, modes, modes_size);
          memcpy (block->pixels, pixels, pixels_size);
          transform_parts (block, form, i ? cuts[i - 1] : whole, i ? 4 : 1);
          if (i == 0)
            {
              to_modes = g_memdup2 (block->modes, modes_size);
              to_pixels = g_memdup2 (block->pixels, pixels_size);
            }
          g_assert_cmpmem (block->modes, modes_size, to_modes, modes_size);
          g_assert_cmpmem (block->pixels, pixels_size, to_pixels, pixels_size);
        }
      memcpy (block->modes, modes, modes_size);
      block->shape.first_slot = 12;
      block->shape.end_slot = 16;
      if (form == 2)
        g_assert_cmpint (one_tile_ring_normal (&block->shape, block->slots, block->plans,
                                               block->modes, block->scratch),
                         ==, 0);
      for (int i = 0; form == 2 && i < 3 * N; i++)
        {
          const gsize size = sizeof (double) * 2 * (MMAX + 1);
          const double *expected = i % N >= 12 && i % N < 16 ? to_modes : modes;

          g_assert_cmpmem (block->modes + 2 * (MMAX + 1) * i, size,
                           expected + 2 * (MMAX + 1) * i, size);
        }
    }
}

/* All instruction sets give the same bits, whatever the count. */
static void
test_instruction_sets (void)
{
  const ArmillaRingSimd *plain = &armilla_ring_simd_portable;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  double a[200], b[200], x[2][400], y[2][400];

  fill_random (rand, a, 200);
  fill_random (rand, b, 200);
  a[3] = a[6] = b[8] = ARMILLA_UNSEEN;
  for (ArmillaIsa isa = ARMILLA_ISA_AVX2; isa <= armilla_isa_detect (); isa++)
    for (int n = 1; n <= 64; n++)
      {
        const ArmillaRingSimd *both[2] = { plain, ARMILLA_FOR_ISA (isa, armilla_ring_simd) };

        for (int k = 0; k < 2; k++)
          {
            double *to = x[k], *to2 = y[k];

            memset (to, 0, sizeof x[k]);
            memset (to2, 0, sizeof y[k]);
            both[k]->rotate (to, a + 1, b, 0.3, -0.7, n);
            both[k]->scale (to + 130, a + 1, 0.3, n);
            both[k]->multiply (to2, a + 1, b, ARMILLA_SIMD_PLAIN, n);
            both[k]->multiply (to2 + 130, a + 1, b, ARMILLA_SIMD_CONJ, n);
            both[k]->multiply (to + 260, a + 1, b, ARMILLA_SIMD_CONJ_A, n);
          }
        g_assert_cmpmem (x[0], sizeof x[0], x[1], sizeof x[1]);
        g_assert_cmpmem (y[0], sizeof y[0], y[1], sizeof y[1]);
        for (int k = 0; k < 2; k++)
          {
            double *to = x[k], *to2 = y[k];

            both[k]->interleave (to, a + 1, n % 3 ? b : NULL, n % 2, n);
            both[k]->split (to2, n % 3 ? to2 + 64 : NULL, a + 1, n);
            both[k]->join (to2 + 130, a, b, n);
            /* at once, or in two parts */
            if (k > 0)
              both[k]->unjoin (to + 130, to + 260, a + 1, 0.7, 0, n / 3, n);
            both[k]->unjoin (to + 130, to + 260, a + 1, 0.7, k > 0 ? n / 3 : 0, n / 2 + 1, n);
          }
        g_assert_cmpmem (x[0], sizeof x[0], x[1], sizeof x[1]);
        g_assert_cmpmem (y[0], sizeof y[0], y[1], sizeof y[1]);
        for (int k = 0; k < 2; k++)
          {
            memcpy (x[k], a, sizeof a);
            memcpy (y[k], b, sizeof b);
            both[k]->combine_four (x[k] + 1, MIN (n, 24));
            both[k]->combine_two (y[k] + 1, MIN (n, 49));
          }
        g_assert_cmpmem (x[0], sizeof x[0], x[1], sizeof x[1]);
        g_assert_cmpmem (y[0], sizeof y[0], y[1], sizeof y[1]);
      }
}

static void
assert_same_tiles (Block *block, const ArmillaRingTiles *tiles)
{
  const gint64 n_modes = block->shape.mmax + 1;

  for (int t = 0; t < tiles->n; t++)
    {
      const gint64 count = (t + 1 < tiles->n ? tiles->first[t + 1] : n_modes) - tiles->first[t];

      for (int i = 0; i < block->shape.n_fields * block->shape.n_slots; i++)
        g_assert_cmpmem (tiles->tile[t] + 2 * count * i, sizeof (double) * (gsize) (2 * count),
                         block->modes + 2 * (n_modes * i + tiles->first[t]),
                         sizeof (double) * (gsize) (2 * count));
    }
}

/* Modes in tiles of any sizes, and fields in maps of their own in another order, give the bits of
 * modes and maps in one piece. */
static void
test_tiles (void)
{
  enum { N_PAIRS = 11, MMAX = 130, N_FIELDS = 3, N_TILES = 5 };
  const gint64 first[N_TILES] = { 0, 1, 64, 65, 129 };
  ArmillaRingSlot slots[2 * N_PAIRS];
  double *tile[N_TILES];
  const ArmillaRingTiles tiles = { N_TILES, first, tile };
  const gint64 place[N_FIELDS] = { 2, 0, 1 };
  double *map[N_FIELDS];
  const ArmillaRingPixels pixels = { 1, place, map, NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (int i = 0; i < 2 * N_PAIRS; i++) /* lengths alike, not alike, smooth; absent; lone */
    slots[i] = (ArmillaRingSlot){ .n_phi = i == 5 ? 0 : i == 9 ? 33 : 4 * (7 + 5 * (i / 2)),
                                  .phi0_num = i % 4, .phi0_den = 28, .weight = 1.0 + i };
  g_autoptr (Block) block = block_new (slots, 2 * N_PAIRS, MMAX, N_FIELDS);
  g_autofree double *whole = g_new (double, MAX (block->n_modes, block->n_pixels));

  fill_random (rand, block->modes, block->n_modes);
  for (int t = 0; t < N_TILES; t++)
    {
      const gint64 count = (t + 1 < N_TILES ? first[t + 1] : MMAX + 1) - first[t];

      tile[t] = g_new (double, (gsize) (2 * N_FIELDS * 2 * N_PAIRS * count));
      for (int i = 0; i < N_FIELDS * 2 * N_PAIRS; i++)
        memcpy (tile[t] + 2 * count * i, block->modes + 2 * ((MMAX + 1) * i + first[t]),
                sizeof (double) * (gsize) (2 * count));
    }
  synthesis (block);
  memcpy (whole, block->pixels, sizeof (double) * block->n_pixels);
  for (int f = 0; f < N_FIELDS; f++)
    map[place[f]] = block->pixels + f * block->shape.n_pixels;
  fill_poison (block->pixels, block->n_pixels);
  g_assert_cmpint (armilla_ring_synthesis_cpu (&block->shape, block->slots, block->plans,
                                               &tiles, &pixels, block->scratch),
                   ==, 0);
  g_assert_cmpmem (whole, sizeof (double) * block->n_pixels, block->pixels,
                   sizeof (double) * block->n_pixels);

  fill_random (rand, block->pixels, block->n_pixels);
  adjoint (block, ARMILLA_RING_WEIGHTED);
  for (int t = 0; t < N_TILES; t++)
    {
      const gint64 count = (t + 1 < N_TILES ? first[t + 1] : MMAX + 1) - first[t];

      fill_poison (tile[t], (gsize) (2 * N_FIELDS * 2 * N_PAIRS * count));
    }
  g_assert_cmpint (armilla_ring_adjoint_cpu (&block->shape, block->slots, block->plans,
                                             ARMILLA_RING_WEIGHTED, &pixels, &tiles,
                                             block->scratch),
                   ==, 0);
  assert_same_tiles (block, &tiles);

  normal (block);
  g_assert_cmpint (armilla_ring_normal_cpu (&block->shape, block->slots, block->plans, &tiles,
                                            block->scratch),
                   ==, 0);
  assert_same_tiles (block, &tiles);
  for (int t = 0; t < N_TILES; t++)
    g_free (tile[t]);
}

static void
test_missing_plan (void)
{
  const ArmillaRingSlot slots[] = { { .n_phi = 20, .weight = 1 } };
  g_autoptr (Block) block = block_new (slots, 1, 5, 1);

  memset (block->modes, 0, sizeof (double) * block->n_modes);
  memset (block->pixels, 0, sizeof (double) * block->n_pixels);
  block->slots[0].n_phi = 19;
  g_assert_cmpint (one_tile_ring_synthesis (&block->shape, block->slots, block->plans,
                                            block->modes, block->pixels, block->scratch),
                   ==, -1);
  g_assert_cmpint (one_tile_ring_adjoint (&block->shape, block->slots, block->plans, 0,
                                          block->pixels, block->modes, block->scratch),
                   ==, -1);
  g_assert_cmpint (one_tile_ring_normal (&block->shape, block->slots, block->plans, block->modes,
                                         block->scratch),
                   ==, -1);
  g_assert_cmpint (armilla_fft_plans_add (block->plans, block->slots, 1), ==, 0);
  g_assert_cmpint (armilla_fft_plans_add (block->plans, block->slots, 1), ==, 0);
  g_assert_cmpint (one_tile_ring_synthesis (&block->shape, block->slots, block->plans,
                                            block->modes, block->pixels, block->scratch),
                   ==, 0);
}

/* Rings that lie elsewhere than their slots say, in a map that has more of them. */
static void
test_elsewhere (void)
{
  enum { N_SLOTS = 10, MMAX = 40, N_FIELDS = 2, GAP = 3 };
  static const gint64 zero = 0;
  ArmillaRingSlot slots[N_SLOTS];
  gint64 first[N_SLOTS], n = 0;
  double *map[N_FIELDS], *modes;
  const ArmillaRingPixels pixels = { 1, NULL, map, first };
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);

  for (int i = 0; i < N_SLOTS; i++)
    slots[i] = (ArmillaRingSlot) { .n_phi = i == 5 ? 0 : 4 * (7 + 5 * (i / 2)), .phi0_num = i % 4,
                                   .phi0_den = 28, .weight = 1.0 + i };
  g_autoptr (Block) block = block_new (slots, N_SLOTS, MMAX, N_FIELDS);
  const ArmillaRingTiles tiles = { 1, &zero, &modes };

  for (int i = N_SLOTS - 1; i >= 0; n += slots[i--].n_phi + GAP)
    first[i] = n;
  for (int f = 0; f < N_FIELDS; f++)
    map[f] = g_new0 (double, n);
  fill_random (rand, block->modes, block->n_modes);
  synthesis (block);
  modes = block->modes;
  g_assert_cmpint (armilla_ring_synthesis_cpu (&block->shape, block->slots, block->plans, &tiles,
                                               &pixels, block->scratch),
                   ==, 0);
  for (int f = 0; f < N_FIELDS; f++)
    for (int i = 0; i < N_SLOTS; i++)
      {
        g_assert_cmpmem (map[f] + first[i], sizeof (double) * (gsize) slots[i].n_phi,
                         ring_pixels (block, f, i), sizeof (double) * (gsize) slots[i].n_phi);
        for (int j = 0; j < GAP; j++)
          g_assert_cmpfloat (map[f][first[i] + slots[i].n_phi + j], ==, 0);
      }
  adjoint (block, ARMILLA_RING_WEIGHTED);
  modes = g_new (double, block->n_modes);
  fill_poison (modes, block->n_modes);
  g_assert_cmpint (armilla_ring_adjoint_cpu (&block->shape, block->slots, block->plans,
                                             ARMILLA_RING_WEIGHTED, &pixels, &tiles,
                                             block->scratch),
                   ==, 0);
  g_assert_cmpmem (modes, sizeof (double) * (gsize) block->n_modes, block->modes,
                   sizeof (double) * (gsize) block->n_modes);
  g_free (modes);
  for (int f = 0; f < N_FIELDS; f++)
    g_free (map[f]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ring-fft/adjointness", test_adjointness);
  g_test_add_func ("/ring-fft/unseen", test_unseen);
  g_test_add_func ("/ring-fft/block-split", test_block_split);
  g_test_add_func ("/ring-fft/parts", test_parts);
  g_test_add_func ("/ring-fft/instruction-sets", test_instruction_sets);
  g_test_add_func ("/ring-fft/tiles", test_tiles);
  g_test_add_func ("/ring-fft/elsewhere", test_elsewhere);
  g_test_add_func ("/ring-fft/missing-plan", test_missing_plan);
  return g_test_run ();
}
