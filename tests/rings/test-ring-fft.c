/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring transforms against direct sums in long double. */
#include <math.h>
#include <string.h>

#include "codelets/rings/ring-fft-math.h"
#include "tests/rings/ring-block.h"

#define PI_L 3.14159265358979323846264338327950288L
#define TWO_PI_Q 6.28318530717958647692528676655900576839433879875021F128

/* Angles in the reference come reduced with integers or with 113 bits: its error is 1e-19 for each
 * term. In the product a rotation is off by at most 4e-16 (two roots, each good to 1.5e-16, and
 * two products), and a chirp-z transform of N points by some 0.6 log2 (N) epsilon per root mean
 * square value and pass: 3 passes at N = 2^14 make 3e-15. Hence 1e-14 of the 2-norm of what is
 * summed (in both rings of a pair), at every single value. */
#define TOLERANCE 1e-14L

/* m phi0 / pi modulo 2. */
static long double
reference_angle (const ArmillaRingSlot *slot, gint64 m)
{
  if (slot->phi0_den)
    {
      __int128 period = 2 * (__int128) slot->phi0_den;
      __int128 rest = slot->phi0_num % period * (m % period) % period;

      return (long double) rest / (long double) slot->phi0_den;
    }
  else
    {
      _Float128 turns = (_Float128) slot->phi0 * m / TWO_PI_Q;

      return (long double) (2 * (turns - (_Float128) (gint64) turns));
    }
}

/* Phases of order m on every pixel of a ring: cosine and sine, [n][2]. */
static void
reference_phases (const ArmillaRingSlot *slot, gint64 m, long double *phases)
{
  const gint64 n = slot->n_phi;
  const long double first = reference_angle (slot, m);

  for (gint64 j = 0; j < n; j++)
    {
      long double angle
          = PI_L * (first + 2 * (long double) ((m % n) * j % n) / (long double) n);

      phases[2 * j] = cosl (angle);
      phases[2 * j + 1] = sinl (angle);
    }
}

/* Rings of a pair that are equally long are transformed together: rounding scales with both. */
static gint64
partner (Block *block, gint64 slot)
{
  const gint64 other = slot ^ 1;

  if (other >= block->shape.n_slots || block->slots[other].n_phi != block->slots[slot].n_phi)
    return slot;
  return other;
}

static long double
modes_norm (Block *block, gint64 field, gint64 slot)
{
  const double *modes = ring_modes (block, field, slot);
  long double norm = modes[0] * modes[0];

  for (gint64 i = 2; i < 2 * (block->shape.mmax + 1); i++)
    norm += 4 * (long double) modes[i] * modes[i];
  return norm;
}

static long double
pixels_norm (Block *block, gint64 field, gint64 slot)
{
  const double *pixels = ring_pixels (block, field, slot);
  long double norm = 0;

  for (gint64 j = 0; j < block->slots[slot].n_phi; j++)
    norm += (long double) pixels[j] * pixels[j];
  return norm;
}

/* Compares one ring with direct sums, pixel by pixel and order by order. */
static void
check_synthesis_ring (Block *block, gint64 field, gint64 slot)
{
  const ArmillaRingSlot *ring = &block->slots[slot];
  const double *modes = ring_modes (block, field, slot);
  const double *pixels = ring_pixels (block, field, slot);
  g_autofree long double *sum = g_new0 (long double, (gsize) ring->n_phi);
  g_autofree long double *phases = g_new (long double, (gsize) (2 * ring->n_phi));
  const long double norm = modes_norm (block, field, slot)
                           + modes_norm (block, field, partner (block, slot));

  for (gint64 m = 0; m <= block->shape.mmax; m++)
    {
      const long double factor = m ? 2 : 1, im = m ? modes[2 * m + 1] : 0;

      reference_phases (ring, m, phases);
      for (gint64 j = 0; j < ring->n_phi; j++)
        sum[j] += factor * (modes[2 * m] * phases[2 * j] - im * phases[2 * j + 1]);
    }
  for (gint64 j = 0; j < ring->n_phi; j++)
    g_assert_cmpfloat ((double) fabsl (pixels[j] - sum[j]), <=,
                       (double) (TOLERANCE * sqrtl (norm)));
}

static void
check_adjoint_ring (Block *block, gint64 field, gint64 slot, long double factor)
{
  const ArmillaRingSlot *ring = &block->slots[slot];
  const double *modes = ring_modes (block, field, slot);
  const double *pixels = ring_pixels (block, field, slot);
  g_autofree long double *phases = g_new (long double, (gsize) (2 * ring->n_phi));
  const long double norm = pixels_norm (block, field, slot)
                           + pixels_norm (block, field, partner (block, slot));

  for (gint64 m = 0; m <= block->shape.mmax; m++)
    {
      long double re = 0, im = 0;

      reference_phases (ring, m, phases);
      for (gint64 j = 0; j < ring->n_phi; j++)
        {
          re += pixels[j] * phases[2 * j];
          im -= pixels[j] * phases[2 * j + 1];
        }
      g_assert_cmpfloat ((double) hypotl (modes[2 * m] - factor * re,
                                          modes[2 * m + 1] - factor * im),
                         <=, (double) (TOLERANCE * fabsl (factor) * sqrtl (norm)));
    }
}

/* The modes that go through pixels, each of whose errors both transforms bound. Leaves the pixels
 * and overwrites the modes. */
static void
check_normal (Block *block)
{
  g_autofree double *before = g_memdup2 (block->modes, sizeof (double) * block->n_modes);
  g_autofree double *by_pixels = NULL;

  adjoint (block, ARMILLA_RING_WEIGHTED);
  by_pixels = g_memdup2 (block->modes, sizeof (double) * block->n_modes);
  memcpy (block->modes, before, sizeof (double) * block->n_modes);
  normal (block);
  for (gint64 field = 0; field < block->shape.n_fields; field++)
    for (gint64 slot = 0; slot < block->shape.n_slots; slot++)
      {
        const double *modes = ring_modes (block, field, slot);
        const double *other = by_pixels + (modes - block->modes);
        const long double norm = pixels_norm (block, field, slot)
                                 + pixels_norm (block, field, partner (block, slot));
        const double limit
          = (double) (2 * TOLERANCE * fabs (block->slots[slot].weight) * sqrtl (norm));

        g_assert_cmpfloat (modes[1], ==, 0);
        for (gint64 i = 0; i < 2 * (block->shape.mmax + 1); i++)
          g_assert_cmpfloat (fabs (modes[i] - other[i]), <=,
                             block->slots[slot].n_phi ? limit : 0);
      }
}

static void
check_block (Block *block, GRand *rand)
{
  const gint64 n_slots = block->shape.n_slots;

  fill_random (rand, block->modes, block->n_modes);
  synthesis (block);
  for (gint64 field = 0; field < block->shape.n_fields; field++)
    for (gint64 slot = 0; slot < n_slots; slot++)
      {
        check_synthesis_ring (block, field, slot);
        for (int gap = 0; gap < 3; gap++)
          g_assert_cmpfloat (ring_pixels (block, field, slot)[block->slots[slot].n_phi + gap], ==,
                             POISON);
      }
  check_normal (block);
  fill_random (rand, block->pixels, block->n_pixels);
  adjoint (block, ARMILLA_RING_WEIGHTED);
  for (gint64 field = 0; field < block->shape.n_fields; field++)
    for (gint64 slot = 0; slot < n_slots; slot++)
      {
        check_adjoint_ring (block, field, slot, block->slots[slot].weight);
        g_assert_cmpfloat (ring_modes (block, field, slot)[1], ==, 0);
      }
}

static void
test_octant (void)
{
  /* Rounding pi x costs pi/4 2^-53 = 9e-17, the result 5.5e-17, the polynomial less than 1e-17. */
  for (int i = -1000; i <= 1000; i++)
    {
      const double x = i / 4000.0;
      double c, s;

      armilla_cos_sin_pi_octant (x, &c, &s);
      g_assert_cmpfloat ((double) fabsl (c - cosl (PI_L * x)), <, 1.6e-16);
      g_assert_cmpfloat ((double) fabsl (s - sinl (PI_L * x)), <, 1.6e-16);
    }
}

static void
test_multiply_mod (void)
{
  const guint64 values[] = { 0, 1, 2, 3, 5, 8, 4093, 16384, 67108859, 67108863, 67108864,
                             4294967291, 4294967296, G_GUINT64_CONSTANT (9223372036854775783) };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      for (guint k = 1; k < G_N_ELEMENTS (values); k++)
        g_assert_cmpuint (armilla_multiply_mod (values[i], values[j], values[k]), ==,
                          (guint64) ((unsigned __int128) values[i] * values[j] % values[k]));
  /* Quotients that round up to the next integer are set right. */
  for (guint64 i = 1; i < 3000; i++)
    g_assert_cmpuint (armilla_multiply_mod (67108863, i, i + 1), ==, 67108863 * i % (i + 1));
}

/* Largest error of the phases of some ring, at all kinds of orders. */
static void
check_phases (const ArmillaRingSlot *slot)
{
  const gint64 orders[] = { 0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 16384, 999983, 16777216 };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      const long double angle = PI_L * reference_angle (slot, orders[i]);
      double c, s;

      armilla_ring_phase (orders[i], slot->phi0_num, slot->phi0_den, slot->phi0, &c, &s);
      /* As in test_octant; reducing a plain azimuth costs another pi/4 2^-53. */
      g_assert_cmpfloat ((double) hypotl (c - cosl (angle), s - sinl (angle)), <, 2.6e-16);
    }
}

static void
test_phases (void)
{
  const gint64 numbers[] = { 1, 3, 4, 7, 8192, 8191, G_GINT64_CONSTANT (999999999989),
                             G_MAXINT64, G_MAXINT64 - 24 };
  const double azimuths[] = { 0, 1e-300, 1e-9, 0.1, -0.1, 1, 3.141592653589793, -3, 6.28, 50.5 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    for (guint j = 0; j < G_N_ELEMENTS (numbers); j++)
      for (int sign = -1; sign <= 1; sign++)
        check_phases (&(ArmillaRingSlot){ .phi0_num = sign * numbers[i],
                                          .phi0_den = numbers[j] });
  check_phases (&(ArmillaRingSlot){ .phi0_num = G_MININT64, .phi0_den = 7 });
  for (guint i = 0; i < G_N_ELEMENTS (azimuths); i++)
    check_phases (&(ArmillaRingSlot){ .phi0 = azimuths[i] });
}

/* Every length from 1 to 41 with every mmax from 0 to 50, pairs of all kinds. */
static void
test_short_rings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (gint64 n = 1; n <= 41; n++)
    for (gint64 mmax = 0; mmax <= 50; mmax++)
      {
        const ArmillaRingSlot slots[]
            = { { .n_phi = n, .phi0_num = 1, .phi0_den = n, .weight = 1.5 },
                { .n_phi = n, .phi0_num = 1, .phi0_den = n, .weight = -0.25 },
                { .n_phi = n, .weight = 1 },
                { .n_phi = 0 },
                { .n_phi = n, .weight = 2.5 },
                { .n_phi = n, .weight = 2.5 },
                { .n_phi = n, .weight = 3 },
                { .n_phi = n, .weight = 0.5 } };
        g_autoptr (Block) block = block_new (slots, G_N_ELEMENTS (slots), mmax, 1);

        check_block (block, rand);
      }
}

/* Rings whose partner differs in length, azimuth or kind of azimuth, and several fields. */
static void
test_mixed_rings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  const ArmillaRingSlot slots[]
      = { { .n_phi = 28, .phi0_num = 1, .phi0_den = 28, .weight = 2 },
          { .n_phi = 28, .phi0_num = -5, .phi0_den = 3, .weight = 3 },
          { .n_phi = 17, .phi0 = 0.7, .weight = 1e-3 },
          { .n_phi = 120, .phi0 = -123.25, .weight = 1 },
          { .n_phi = 331, .phi0_num = G_MAXINT64, .phi0_den = G_MAXINT64 - 24, .weight = 1 },
          { .n_phi = 331, .phi0 = 1, .weight = 4 },
          { .n_phi = 362, .phi0_num = 7, .phi0_den = 2, .weight = 1 },
          { .n_phi = 1, .phi0 = 2, .weight = 12.5 } };
  const gint64 orders[] = { 0, 13, 63, 64, 65, 127, 128, 150, 400 };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (Block) block = block_new (slots, G_N_ELEMENTS (slots), orders[i], 3);

      check_block (block, rand);
    }
}

/* Lengths of real maps: primes, 4 * prime, smooth; orders below and beyond Nyquist, beyond the
 * 4096 of one phase table. Few orders are non-zero so that the direct sums stay short. */
static void
test_long_rings (void)
{
  const struct {
    gint64 n, mmax;
  } cases[] = { { 4096, 2048 }, { 4093, 2046 }, { 4084, 2048 }, { 4 * 1021, 5000 },
                { 1021, 9000 }, { 2 * 1021, 600 }, { 8188, 8300 }, { 3 * 1361, 2048 },
                { 16000, 8193 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint64 n = cases[i].n, mmax = cases[i].mmax;
      const ArmillaRingSlot slots[] = { { .n_phi = n, .phi0_num = 1, .phi0_den = n, .weight = 1 },
                                        { .n_phi = n, .phi0 = 0.4, .weight = 1 } };
      g_autoptr (Block) block = block_new (slots, 2, mmax, 1);
      g_autofree long double *phases = g_new (long double, (gsize) (2 * n));

      memset (block->modes, 0, sizeof (double) * block->n_modes);
      for (int slot = 0; slot < 2; slot++)
        {
          const gint64 few[] = { 0, 1, n / 2, n / 2 + 1, n - 1, n, 4095, 4096, 4097, mmax };
          g_autofree long double *sum = g_new0 (long double, (gsize) n);
          double *modes = ring_modes (block, 0, slot);

          for (guint k = 0; k < G_N_ELEMENTS (few); k++)
            if (few[k] <= mmax)
              fill_random (rand, modes + 2 * few[k], 2);
          synthesis (block);
          for (gint64 m = 0; m <= mmax; m++)
            if (modes[2 * m] != 0)
              {
                reference_phases (&slots[slot], m, phases);
                for (gint64 j = 0; j < n; j++)
                  sum[j] += (m ? 2 : 1)
                            * (modes[2 * m] * phases[2 * j]
                               - (m ? modes[2 * m + 1] : 0) * phases[2 * j + 1]);
              }
          /* At most 10 modes of modulus up to sqrt(2) on either ring: the norm is below 12.7. */
          for (gint64 j = 0; j < n; j++)
            g_assert_cmpfloat ((double) fabsl (ring_pixels (block, 0, slot)[j] - sum[j]), <=,
                               (double) TOLERANCE * 12.7);
        }
    }
}

static void
test_absent_slots (void)
{
  const ArmillaRingSlot slots[] = { { .n_phi = 20, .weight = 1 }, { .n_phi = 0 }, { .n_phi = 0 },
                                    { .n_phi = 28, .weight = 1 }, { .n_phi = 0 }, { .n_phi = 0 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (Block) block = block_new (slots, G_N_ELEMENTS (slots), 30, 2);

  fill_random (rand, block->modes, block->n_modes);
  for (int field = 0; field < 2; field++)
    for (int slot = 0; slot < 6; slot++)
      if (slots[slot].n_phi == 0)
        for (int i = 0; i < 2 * 31; i++)
          ring_modes (block, field, slot)[i] = NAN; /* not looked at */
  synthesis (block);
  for (int field = 0; field < 2; field++)
    for (int slot = 0; slot < 6; slot++)
      {
        for (int gap = 0; gap < 3; gap++)
          g_assert_cmpfloat (ring_pixels (block, field, slot)[slots[slot].n_phi + gap], ==,
                             POISON);
        if (slots[slot].n_phi)
          check_synthesis_ring (block, field, slot);
      }
  adjoint (block, ARMILLA_RING_WEIGHTED | ARMILLA_RING_UNSEEN_IS_ZERO);
  for (int field = 0; field < 2; field++)
    for (int slot = 0; slot < 6; slot++)
      if (slots[slot].n_phi)
        check_adjoint_ring (block, field, slot, 1);
      else
        for (int i = 0; i < 2 * 31; i++)
          g_assert_cmpfloat (ring_modes (block, field, slot)[i], ==, 0);
}

static gpointer
add_lengths (gpointer user)
{
  for (gint64 n = 1; n <= 400; n++)
    {
      const ArmillaRingSlot slot = { .n_phi = n };

      if (armilla_fft_plans_add (user, &slot, 1))
        return GINT_TO_POINTER (1);
    }
  return NULL;
}

/* Lengths may be added from several threads, and while a transform runs. */
static void
test_threads (void)
{
  const ArmillaRingSlot slots[] = { { .n_phi = 44, .weight = 1 }, { .n_phi = 44, .weight = 1 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (Block) block = block_new (slots, 2, 40, 1);
  GThread *threads[3];

  for (int i = 0; i < 3; i++)
    threads[i] = g_thread_new ("plans", add_lengths, block->plans);
  for (int i = 0; i < 20; i++)
    check_block (block, rand);
  for (int i = 0; i < 3; i++)
    g_assert_null (g_thread_join (threads[i]));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ring-fft/octant", test_octant);
  g_test_add_func ("/ring-fft/multiply-mod", test_multiply_mod);
  g_test_add_func ("/ring-fft/phases", test_phases);
  g_test_add_func ("/ring-fft/short-rings", test_short_rings);
  g_test_add_func ("/ring-fft/mixed-rings", test_mixed_rings);
  g_test_add_func ("/ring-fft/long-rings", test_long_rings);
  g_test_add_func ("/ring-fft/absent-slots", test_absent_slots);
  g_test_add_func ("/ring-fft/threads", test_threads);
  return g_test_run ();
}
