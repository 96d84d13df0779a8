/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/ring-fold.h"

#include <glib.h>
#include <string.h>

#include "codelets/rings/ring-fft-math.h"

#define BLOCK ARMILLA_RING_BLOCK

/* Returns whether the table holds the phases of the azimuth at which a ring begins. */
int
armilla_ring_phases_are (const ArmillaRingPhases *table, const ArmillaRingSlot *slot)
{
  return slot->phi0_num == table->phi0_num && slot->phi0_den == table->phi0_den
         && slot->phi0 == table->phi0;
}

/* Returns whether the ring begins at azimuth 0, so that its phases are 1. */
int
armilla_ring_starts_at_zero (const ArmillaRingSlot *slot)
{
  return slot->phi0_den ? slot->phi0_num == 0 : slot->phi0 == 0;
}

/* Sets the phases of the slot's azimuth, unless the table has them already: all fields of a ring
 * have the same phases, and adjacent rings often do. */
void
armilla_ring_phases_set (ArmillaRingPhases *table, const ArmillaRingSlot *slot)
{
  if (armilla_ring_phases_are (table, slot))
    return;
  table->phi0_num = slot->phi0_num;
  table->phi0_den = slot->phi0_den;
  table->phi0 = slot->phi0;
  table->trivial = armilla_ring_starts_at_zero (slot);
  table->large_first = -1;
  for (int64_t i = 0; i < BLOCK && !table->trivial; i++)
    armilla_ring_phase (i, slot->phi0_num, slot->phi0_den, slot->phi0, &table->small[2 * i],
                        &table->small[2 * i + 1]);
}

/* Returns the phase of order m, a multiple of 64, which is a factor of the phases of the 64 orders
 * from m on. @mmax: last order that is needed */
static const double *
phase_table_large (ArmillaRingPhases *table, int64_t m, int64_t mmax)
{
  const int64_t first = m / ARMILLA_RING_ORDERS * ARMILLA_RING_ORDERS;

  if (table->large_first != first)
    {
      for (int64_t i = 0; i < BLOCK && first + BLOCK * i <= mmax; i++)
        armilla_ring_phase (first + BLOCK * i, table->phi0_num, table->phi0_den, table->phi0,
                            &table->large[2 * i], &table->large[2 * i + 1]);
      table->large_first = first;
    }
  return &table->large[2 * ((m - first) / BLOCK)];
}

void
armilla_ring_phases_fill (ArmillaRingPhases *table)
{
  phase_table_large (table, 0, ARMILLA_RING_ORDERS - 1);
}

/* Adds modes m .. m + count - 1 of a ring of n pixels to the elements of its half spectrum to which
 * they alias; on the pixels, orders m and n - m are complex conjugates. */
static void
fold_block (double *half, int64_t n, const double *modes, int64_t m, int64_t count)
{
  int64_t r = m % n;

  while (count > 0)
    {
      const gboolean mirrored = r > n / 2;
      const int64_t run = MIN (count, mirrored ? n - r : n / 2 - r + 1);

      if (mirrored)
        for (int64_t i = 0; i < run; i++)
          {
            half[2 * (n - r - i)] += modes[2 * i];
            half[2 * (n - r - i) + 1] -= modes[2 * i + 1];
          }
      else
        for (int64_t i = 0; i < 2 * run; i++)
          half[2 * r + i] += modes[i];
      modes += 2 * run;
      count -= run;
      r = r + run == n ? 0 : r + run;
    }
}

/* Sets modes m .. m + count - 1 to the elements of the half spectrum to which they alias. */
static void
unfold_block (const double *half, int64_t n, double *modes, int64_t m, int64_t count)
{
  int64_t r = m % n;

  while (count > 0)
    {
      const gboolean mirrored = r > n / 2;
      const int64_t run = MIN (count, mirrored ? n - r : n / 2 - r + 1);

      if (mirrored)
        for (int64_t i = 0; i < run; i++)
          {
            modes[2 * i] = half[2 * (n - r - i)];
            modes[2 * i + 1] = -half[2 * (n - r - i) + 1];
          }
      else
        memcpy (modes, half + 2 * r, sizeof (double) * (gsize) (2 * run));
      modes += 2 * run;
      count -= run;
      r = r + run == n ? 0 : r + run;
    }
}

/* half[k], k = 0..n/2 <- sum of all modes that alias to k on n pixels, rotated to the first
 * pixel. */
void
armilla_ring_fold (const ArmillaRingSimd *simd, ArmillaRingPhases *table, int64_t n, int64_t mmax,
                   const double *modes, double *half, ArmillaRingFetch *fetch)
{
  const int64_t n_direct = MIN (mmax, n / 2) + 1;
  double block[2 * BLOCK];

  memset (half + 2 * n_direct, 0, sizeof (double) * (gsize) (2 * (n / 2 + 1 - n_direct)));
  for (int64_t m = 0; m <= mmax; m += BLOCK)
    {
      const int64_t count = MIN (BLOCK, mmax + 1 - m);
      const int64_t direct = CLAMP (n_direct - m, 0, count);
      const double *rotated = modes + 2 * m;

      armilla_ring_fetch (fetch, count);
      if (!table->trivial)
        {
          const double *large = phase_table_large (table, m, mmax);
          double *target = direct == count ? half + 2 * m : block;

          simd->rotate (target, rotated, table->small, large[0], large[1], count);
          rotated = target;
        }
      if (rotated != half + 2 * m)
        memcpy (half + 2 * m, rotated, sizeof (double) * (gsize) (2 * direct));
      if (m == 0)
        half[0] *= 0.5;
      fold_block (half, n, rotated + 2 * direct, m + direct, count - direct);
    }
  /* Orders 0 and n / 2 are their own mirror images; order 0 counts once, the others twice. */
  half[0] *= 2;
  half[1] = 0;
  if (n % 2 == 0)
    {
      half[n] *= 2;
      half[n + 1] = 0;
    }
}

/* modes[m] <- factor * conj (phase) * element of the half spectrum to which m aliases. */
void
armilla_ring_unfold (const ArmillaRingSimd *simd, ArmillaRingPhases *table, int64_t n,
                     int64_t mmax, const double *half, double factor, double *modes,
                     ArmillaRingFetch *fetch)
{
  double block[2 * BLOCK], small[2 * BLOCK];

  for (int64_t i = 0; i < BLOCK && !table->trivial; i++)
    {
      small[2 * i] = table->small[2 * i];
      small[2 * i + 1] = -table->small[2 * i + 1];
    }
  for (int64_t m = 0; m <= mmax; m += BLOCK)
    {
      const int64_t count = MIN (BLOCK, mmax + 1 - m);
      const double *source = half + 2 * m;

      armilla_ring_fetch (fetch, count);
      if (m + count - 1 > n / 2)
        {
          unfold_block (half, n, block, m, count);
          source = block;
        }
      if (table->trivial)
        simd->scale (modes + 2 * m, source, factor, count);
      else
        {
          const double *large = phase_table_large (table, m, mmax);

          simd->rotate (modes + 2 * m, source, small, factor * large[0], -factor * large[1],
                        count);
        }
    }
}
