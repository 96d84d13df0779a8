/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-fft.h"

#include <glib.h>
#include <string.h>

#include "codelets/ring-dft.h"
#include "codelets/ring-fft-math.h"

/* The two rings of a pair have as many pixels, and their values are real: they are transformed as
 * the real and imaginary part of one complex sequence. */

#define BLOCK 64

/* exp (i m phi0) = large[m / 64 % 64] * small[m % 64]; large is redone every 4096 orders. */
typedef struct {
  int64_t phi0_num, phi0_den;
  double phi0;
  gboolean trivial;    /* phi0 = 0 */
  double small[2 * BLOCK];
  double large[2 * BLOCK];
  int64_t large_first; /* order of large[0]; -1: none */
} PhaseTable;

typedef struct {
  ArmillaDftWork dft;
  double *z, *transform; /* [2 n] */
  double *half[2];       /* [n / 2 + 1] complex: north, south */
  PhaseTable phase[2];
} RingWork;

static int64_t
round_up (int64_t doubles)
{
  return (doubles + 7) / 8 * 8;
}

/**
 * armilla_ring_scratch_size:
 * @longest_ring: pixels of the longest ring
 *
 * Returns: scratch of the CPU kernels, in doubles
 */
int64_t
armilla_ring_scratch_size (int64_t longest_ring)
{
  const int64_t n = MAX (longest_ring, 1);

  return 8 + 2 * round_up (2 * n) + 2 * round_up (n + 2) + armilla_dft_work_size (n);
}

static void
ring_work_init (RingWork *work, const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                double *scratch)
{
  int64_t n = 1;

  for (int64_t i = 0; i < shape->n_slots; i++)
    n = MAX (n, slots[i].n_phi);
  work->z = (double *) (((uintptr_t) scratch + 63) / 64 * 64);
  work->transform = work->z + round_up (2 * n);
  work->half[0] = work->transform + round_up (2 * n);
  work->half[1] = work->half[0] + round_up (n + 2);
  armilla_dft_work_init (&work->dft, work->half[1] + round_up (n + 2), n);
  for (int i = 0; i < 2; i++)
    {
      work->phase[i] = (PhaseTable){ .trivial = TRUE, .large_first = -1 };
    }
}

/* Rings next to each other often share their azimuth: then the table stays. */
static void
phase_table_set (PhaseTable *table, const ArmillaRingSlot *slot)
{
  if (slot->phi0_num == table->phi0_num && slot->phi0_den == table->phi0_den
      && slot->phi0 == table->phi0)
    return;
  table->phi0_num = slot->phi0_num;
  table->phi0_den = slot->phi0_den;
  table->phi0 = slot->phi0;
  table->trivial = slot->phi0_den ? slot->phi0_num == 0 : slot->phi0 == 0;
  table->large_first = -1;
  for (int64_t i = 0; i < BLOCK && !table->trivial; i++)
    armilla_ring_phase (i, slot->phi0_num, slot->phi0_den, slot->phi0, &table->small[2 * i],
                        &table->small[2 * i + 1]);
}

/* The factor of the block of orders from m on (a multiple of 64), mmax being the last order. */
static const double *
phase_table_large (PhaseTable *table, int64_t m, int64_t mmax)
{
  const int64_t first = m / (BLOCK * BLOCK) * (BLOCK * BLOCK);

  if (table->large_first != first)
    {
      for (int64_t i = 0; i < BLOCK && first + BLOCK * i <= mmax; i++)
        armilla_ring_phase (first + BLOCK * i, table->phi0_num, table->phi0_den, table->phi0,
                            &table->large[2 * i], &table->large[2 * i + 1]);
      table->large_first = first;
    }
  return &table->large[2 * ((m - first) / BLOCK)];
}

/* half <- half + modes m .. m + count - 1 of a ring of n pixels, each where it aliases to: orders m
 * and n - m differ, on pixels, by a conjugation. */
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

/* The reverse: copies what a block of orders sees of the half spectrum. */
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

/* half[k], k = 0..n/2 <- all modes that look like k on n pixels, rotated to the first pixel. */
static void
fold_modes (const ArmillaRingSimd *simd, PhaseTable *table, int64_t n, int64_t mmax,
            const double *modes, double *half)
{
  const int64_t n_direct = MIN (mmax, n / 2) + 1;
  double block[2 * BLOCK];

  memset (half + 2 * n_direct, 0, sizeof (double) * (gsize) (2 * (n / 2 + 1 - n_direct)));
  for (int64_t m = 0; m <= mmax; m += BLOCK)
    {
      const int64_t count = MIN (BLOCK, mmax + 1 - m);
      const int64_t direct = CLAMP (n_direct - m, 0, count);
      const double *rotated = modes + 2 * m;

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

/* modes[m] <- factor * conj (phase) * what order m sees of the half spectrum. */
static void
unfold_modes (const ArmillaRingSimd *simd, PhaseTable *table, int64_t n, int64_t mmax,
              const double *half, double factor, double *modes)
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

/* Calls visit for every pair of slots of a block that are transformed together, and for every
 * slot left alone; the second slot is then -1. Returns -1 where a length was not planned. */
typedef void (*RingVisitor) (gpointer user, int64_t first, int64_t second,
                             const ArmillaDftPlan *plan);

static int
visit_rings (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
             const ArmillaFftPlans *plans, RingVisitor visit, gpointer user)
{
  for (int64_t i = 0; i < shape->n_slots; i += 2)
    {
      const gboolean whole = i + 1 < shape->n_slots;
      const gboolean together = whole && slots[i].n_phi == slots[i + 1].n_phi;

      for (int64_t j = i; j < i + (whole ? 2 : 1); j += together ? 2 : 1)
        {
          const ArmillaDftPlan *plan = NULL;

          if (slots[j].n_phi > 0 && !(plan = armilla_fft_plans_find (plans, slots[j].n_phi)))
            return -1;
          visit (user, j, together ? j + 1 : -1, plan);
        }
    }
  return 0;
}

typedef struct {
  const ArmillaRingShape *shape;
  const ArmillaRingSlot *slots;
  const double *in;
  double *out;
  int flags;
  RingWork work;
} RingCall;

static void
synthesize (gpointer user, int64_t first, int64_t second, const ArmillaDftPlan *plan)
{
  RingCall *call = user;
  const ArmillaRingShape *shape = call->shape;
  const int64_t slot[2] = { first, second };
  const int64_t n = call->slots[first].n_phi;
  RingWork *work = &call->work;
  const ArmillaRingSimd *simd = work->dft.simd;

  if (!plan)
    return;
  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      double *pixels = call->out + field * shape->n_pixels;

      for (int i = 0; i < 2; i++)
        if (slot[i] >= 0)
          {
            phase_table_set (&work->phase[i], &call->slots[slot[i]]);
            fold_modes (simd, &work->phase[i], n, shape->mmax,
                        call->in
                            + 2 * (field * shape->n_slots + slot[i]) * (shape->mmax + 1),
                        work->half[i]);
          }
        else
          memset (work->half[i], 0, sizeof (double) * (gsize) (2 * (n / 2 + 1)));
      simd->join (work->z, work->half[0], work->half[1], n);
      armilla_dft_run (plan, &work->dft, work->z, work->transform);
      simd->split (pixels + call->slots[first].offset,
                   second < 0 ? NULL : pixels + call->slots[second].offset, work->transform, n);
    }
}

/**
 * armilla_ring_synthesis_cpu:
 * @shape: shape of the block
 * @slots: (array length=shape.n_slots): its rings; slots 2p and 2p + 1 are a pair
 * @plans: plans of the rings' lengths
 * @modes: complex, [field][slot][mmax + 1]; those of absent rings and the imaginary part of order
 *   0 are not looked at
 * @pixels: [field][n_pixels]: only the pixels of rings are written
 * @scratch: armilla_ring_scratch_size() doubles
 *
 * pixel j of a ring <- sum_{m=0..mmax} (2 - [m = 0]) Re (modes[m] exp (i m (phi0 + 2 pi j / n))).
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_synthesis_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                            const ArmillaFftPlans *plans, const double *modes, double *pixels,
                            double *scratch)
{
  RingCall call = { .shape = shape, .slots = slots, .in = modes, .out = pixels };

  ring_work_init (&call.work, shape, slots, scratch);
  return visit_rings (shape, slots, plans, synthesize, &call);
}

static void
analyse (gpointer user, int64_t first, int64_t second, const ArmillaDftPlan *plan)
{
  RingCall *call = user;
  const ArmillaRingShape *shape = call->shape;
  const int64_t slot[2] = { first, second };
  const int64_t n = call->slots[first].n_phi;
  RingWork *work = &call->work;
  const ArmillaRingSimd *simd = work->dft.simd;

  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      const double *pixels = call->in + field * shape->n_pixels;

      if (plan)
        {
          simd->interleave (work->z, pixels + call->slots[first].offset,
                            second < 0 ? NULL : pixels + call->slots[second].offset,
                            call->flags & ARMILLA_RING_UNSEEN_IS_ZERO, n);
          armilla_dft_run (plan, &work->dft, work->z, work->transform);
          simd->unjoin (work->half[0], work->half[1], work->transform, n);
        }
      for (int i = 0; i < 2; i++)
        if (slot[i] >= 0)
          {
            const ArmillaRingSlot *ring = &call->slots[slot[i]];
            double *modes = call->out + 2 * (field * shape->n_slots + slot[i]) * (shape->mmax + 1);

            if (!plan)
              {
                memset (modes, 0, sizeof (double) * (gsize) (2 * (shape->mmax + 1)));
                continue;
              }
            phase_table_set (&work->phase[i], ring);
            unfold_modes (simd, &work->phase[i], n, shape->mmax, work->half[i],
                          call->flags & ARMILLA_RING_WEIGHTED ? ring->weight : 1, modes);
          }
    }
}

/**
 * armilla_ring_adjoint_cpu:
 * @shape: shape of the block
 * @slots: (array length=shape.n_slots): its rings; slots 2p and 2p + 1 are a pair
 * @plans: plans of the rings' lengths
 * @flags: what #ArmillaRingFlags say
 * @pixels: [field][n_pixels]
 * @modes: complex, [field][slot][mmax + 1]; all of it is written
 * @scratch: armilla_ring_scratch_size() doubles
 *
 * modes[m] <- w sum_j pixel_j exp (-i m (phi0 + 2 pi j / n)), w = 1 or the ring's weight; slots
 * without a ring get 0. With w = 1 this is the transpose of the synthesis for the inner product
 * that counts orders above 0 twice.
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_adjoint_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                          const ArmillaFftPlans *plans, int flags, const double *pixels,
                          double *modes, double *scratch)
{
  RingCall call
      = { .shape = shape, .slots = slots, .in = pixels, .out = modes, .flags = flags };

  ring_work_init (&call.work, shape, slots, scratch);
  return visit_rings (shape, slots, plans, analyse, &call);
}
