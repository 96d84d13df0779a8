/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-fft.h"

#include <glib.h>
#include <string.h>

#include "codelets/ring-dft.h"
#include "codelets/ring-fold.h"

/* The two rings of a pair have as many pixels, and their values are real: they are transformed as
 * the real and imaginary part of one complex sequence. */

/* Pairs whose modes are brought together from their tiles at once: their rows are next to each
 * other in a tile, so that memory is read in pieces that are large enough. */
#define GROUP ARMILLA_DFT_TABLES

typedef struct {
  ArmillaDftWork dft;
  double *sequence; /* [2 n] */
  double *half[2];  /* [n / 2 + 1] complex: north, south */
  double *rows;     /* [2 GROUP][row] */
  ArmillaRingPhases phase[2 * GROUP]; /* of the group's slots */
} RingWork;

/* Rings that are transformed together, and in the lanes one field of them. */
typedef struct {
  int64_t field, slot[2]; /* north and south; -1: only one ring */
  const ArmillaDftPlan *plan;
} Sequence;

typedef struct {
  const ArmillaRingShape *shape;
  const ArmillaRingSlot *slots;
  const ArmillaFftPlans *plans;
  const ArmillaRingTiles *modes;
  const double *pixels_in; /* adjoint */
  double *pixels_out;      /* synthesis */
  int flags;
  RingWork work;
  int n;                   /* sequences in the lanes */
  Sequence sequences[ARMILLA_LANES];
  int64_t first, end;      /* slots of the group */
  int n_members;           /* its sequences, of whichever field */
  Sequence members[2 * GROUP];
} RingCall;

static int64_t
round_up (int64_t doubles)
{
  return (doubles + 7) / 8 * 8;
}

/**
 * armilla_ring_scratch_size:
 * @longest_ring: pixels of the longest ring
 * @mmax: highest order
 *
 * Returns: scratch of the CPU kernels, in doubles
 */
int64_t
armilla_ring_scratch_size (int64_t longest_ring, int64_t mmax)
{
  const int64_t n = MAX (longest_ring, 1);

  return 8 + round_up (2 * n) + 2 * round_up (n + 2) + 2 * GROUP * round_up (2 * (mmax + 1))
         + armilla_dft_work_size (n);
}

/* Returns -1 where a length was not planned. */
static int
ring_work_init (RingCall *call, double *scratch)
{
  int64_t n = 1, q = 1, points = 1;
  RingWork *work = &call->work;

  for (int64_t i = 0; i < call->shape->n_slots; i++)
    if (call->slots[i].n_phi > 0)
      {
        const ArmillaDftPlan *plan = armilla_fft_plans_find (call->plans, call->slots[i].n_phi);

        if (!plan)
          return -1;
        n = MAX (n, plan->n);
        q = MAX (q, plan->q);
        points = MAX (points, plan->fft->n);
      }
  scratch = (double *) (((uintptr_t) scratch + 63) / 64 * 64);
  work->sequence = armilla_dft_work_init (&work->dft, scratch, points, q, n);
  work->half[0] = work->sequence + round_up (2 * n);
  work->half[1] = work->half[0] + round_up (n + 2);
  work->rows = work->half[1] + round_up (n + 2);
  for (int i = 0; i < 2 * GROUP; i++)
    work->phase[i] = (ArmillaRingPhases){ .trivial = TRUE, .large_first = -1 };
  return 0;
}

/* The phases of a ring of the group. */
static ArmillaRingPhases *
ring_phases (RingCall *call, int64_t slot)
{
  ArmillaRingPhases *table = &call->work.phase[slot - call->first];

  armilla_ring_phases_set (table, &call->slots[slot]);
  return table;
}

/* The modes of a ring of the group. Those of several tiles are in rows of their own. */
static double *
ring_modes (const RingCall *call, int64_t field, int64_t slot)
{
  const int64_t n_modes = call->shape->mmax + 1;

  if (call->modes->n == 1)
    return call->modes->tile[0] + 2 * (field * call->shape->n_slots + slot) * n_modes;
  return call->work.rows + (slot - call->first) * round_up (2 * n_modes);
}

/* Brings the group's modes together from their tiles, or takes them there. */
static void
move_rows (const RingCall *call, int64_t field)
{
  const ArmillaRingTiles *modes = call->modes;
  const int64_t stride = round_up (2 * (call->shape->mmax + 1));

  for (int64_t t = 0; t < modes->n && modes->n > 1; t++)
    {
      const int64_t end = t + 1 < modes->n ? modes->first[t + 1] : call->shape->mmax + 1;
      const int64_t count = end - modes->first[t];
      const gsize bytes = sizeof (double) * (gsize) (2 * count);
      double *row = call->work.rows + 2 * modes->first[t];
      double *at = modes->tile[t] + 2 * (field * call->shape->n_slots + call->first) * count;

      for (int64_t slot = call->first; slot < call->end; slot++, row += stride, at += 2 * count)
        if (call->pixels_out)
          memcpy (row, at, bytes);
        else
          memcpy (at, row, bytes);
    }
}

/* A sequence from modes (synthesis) or pixels (adjoint) into the lanes, and out of them. */

static void
put_modes (RingCall *call, int i)
{
  const Sequence *sequence = &call->sequences[i];
  RingWork *work = &call->work;
  const int64_t n = sequence->plan->n;

  for (int side = 0; side < 2; side++)
    if (sequence->slot[side] >= 0)
      armilla_ring_fold (work->dft.simd, ring_phases (call, sequence->slot[side]), n,
                         call->shape->mmax,
                         ring_modes (call, sequence->field, sequence->slot[side]),
                         work->half[side]);
    else
      memset (work->half[side], 0, sizeof (double) * (gsize) (2 * (n / 2 + 1)));
  work->dft.simd->join (work->sequence, work->half[0], work->half[1], n);
  armilla_dft_put (&work->dft, sequence->plan, i, work->sequence);
}

static void
get_pixels (RingCall *call, int i)
{
  const Sequence *sequence = &call->sequences[i];
  double *pixels = call->pixels_out + sequence->field * call->shape->n_pixels;
  const int64_t south = sequence->slot[1];

  armilla_dft_get_real (&call->work.dft, sequence->plan, i,
                        pixels + call->slots[sequence->slot[0]].offset,
                        south < 0 ? NULL : pixels + call->slots[south].offset);
}

static void
put_pixels (RingCall *call, int i)
{
  const Sequence *sequence = &call->sequences[i];
  const double *pixels = call->pixels_in + sequence->field * call->shape->n_pixels;
  const int64_t south = sequence->slot[1];

  armilla_dft_put_real (&call->work.dft, sequence->plan, i,
                        pixels + call->slots[sequence->slot[0]].offset,
                        south < 0 ? NULL : pixels + call->slots[south].offset,
                        call->flags & ARMILLA_RING_UNSEEN_IS_ZERO);
}

static void
get_modes (RingCall *call, int i)
{
  const Sequence *sequence = &call->sequences[i];
  RingWork *work = &call->work;
  const int64_t n = sequence->plan->n;

  armilla_dft_get (&work->dft, sequence->plan, i, work->sequence);
  work->dft.simd->unjoin (work->half[0], work->half[1], work->sequence, n);
  for (int side = 0; side < 2; side++)
    if (sequence->slot[side] >= 0)
      {
        const int64_t slot = sequence->slot[side];

        armilla_ring_unfold (work->dft.simd, ring_phases (call, slot), n, call->shape->mmax,
                             work->half[side],
                             call->flags & ARMILLA_RING_WEIGHTED ? call->slots[slot].weight : 1,
                             ring_modes (call, sequence->field, slot));
      }
}

/* Transforms what the lanes hold. */
static void
flush (RingCall *call)
{
  const ArmillaDftPlan *plans[ARMILLA_LANES];

  for (int i = 0; i < call->n; i++)
    plans[i] = call->sequences[i].plan;
  if (call->n > 0)
    armilla_dft_run (&call->work.dft, plans, call->n);
  for (int i = 0; i < call->n; i++)
    if (call->pixels_out)
      get_pixels (call, i);
    else
      get_modes (call, i);
  call->n = 0;
}

static const ArmillaDftPlan *
plan_of (const RingCall *call, int64_t slot)
{
  const int64_t n = call->slots[slot].n_phi;

  return n > 0 ? armilla_fft_plans_find (call->plans, n) : NULL;
}

/* A member of the group, if it may share the group's chirps. */
static gboolean
add_member (RingCall *call, int64_t first, int64_t second)
{
  const Sequence member = { 0, { first, second }, plan_of (call, first) };

  for (int i = 0; i < call->n_members && member.plan && member.plan->chirp; i++)
    {
      const ArmillaDftPlan *other = call->members[i].plan;

      if (other->chirp && !armilla_dft_alike (other, member.plan))
        return FALSE;
    }
  if (member.plan)
    call->members[call->n_members++] = member;
  return TRUE;
}

/* Rings of a pair are transformed together where they are equally long; two lengths of a pair that
 * cannot share chirps are two groups. */
static void
find_group (RingCall *call, int64_t slot)
{
  const ArmillaRingSlot *slots = call->slots;

  call->first = call->end = slot;
  call->n_members = 0;
  while (call->end < MIN (slot + 2 * GROUP, call->shape->n_slots))
    {
      const int64_t i = call->end;
      const gboolean pair = i % 2 == 0 && i + 1 < call->shape->n_slots
                            && slots[i].n_phi == slots[i + 1].n_phi;

      if (!add_member (call, i, pair ? i + 1 : -1))
        break;
      call->end += pair ? 2 : 1;
    }
}

/* Chirps of the group's lengths and of those alike that come next. */
static void
prepare_lengths (RingCall *call)
{
  const ArmillaDftPlan *plans[ARMILLA_LANES];
  gboolean missing = FALSE;
  int n = 0;

  for (int i = 0; i < call->n_members; i++)
    missing = missing
              || (call->members[i].plan->chirp
                  && armilla_dft_prepared (&call->work.dft, call->members[i].plan) < 0);
  for (int64_t slot = call->first; missing && slot < call->shape->n_slots && n < ARMILLA_LANES;
       slot++)
    {
      const ArmillaDftPlan *plan = plan_of (call, slot);
      int known = 0;

      if (!plan || !plan->chirp)
        continue;
      if (n > 0 && !armilla_dft_alike (plan, plans[0]))
        break;
      while (known < n && plans[known] != plan)
        known++;
      if (known == n)
        plans[n++] = plan;
    }
  if (missing)
    armilla_dft_prepare (&call->work.dft, plans, n);
}

/* One field of the group. */
static void
transform_group (RingCall *call, int64_t field)
{
  if (call->pixels_out)
    move_rows (call, field);
  for (int i = 0; i < call->n_members; i++)
    {
      const ArmillaDftPlan *plan = call->members[i].plan;

      if (call->n > 0
          && (call->n == armilla_dft_room (plan)
              || !armilla_dft_alike (plan, call->sequences[0].plan)))
        flush (call);
      call->sequences[call->n] = call->members[i];
      call->sequences[call->n].field = field;
      if (call->pixels_out)
        put_modes (call, call->n++);
      else
        put_pixels (call, call->n++);
    }
  flush (call);
  if (call->pixels_out)
    return;
  for (int64_t slot = call->first; slot < call->end; slot++)
    if (call->slots[slot].n_phi == 0)
      memset (ring_modes (call, field, slot), 0,
              sizeof (double) * (gsize) (2 * (call->shape->mmax + 1)));
  move_rows (call, field);
}

static int
run_rings (RingCall *call, double *scratch)
{
  if (ring_work_init (call, scratch) != 0)
    return -1;
  for (int64_t slot = 0; slot < call->shape->n_slots; slot = call->end)
    {
      find_group (call, slot);
      prepare_lengths (call);
      for (int64_t field = 0; field < call->shape->n_fields; field++)
        transform_group (call, field);
    }
  return 0;
}

/**
 * armilla_ring_synthesis_tiles_cpu:
 * @shape: shape of the block
 * @slots: (array length=shape.n_slots): its rings; slots 2p and 2p + 1 are a pair
 * @plans: plans of the rings' lengths
 * @modes: tiles of modes; those of absent rings and the imaginary part of order 0 are not looked at
 * @pixels: [field][n_pixels]: only the pixels of rings are written
 * @scratch: armilla_ring_scratch_size() doubles
 *
 * pixel j of a ring <- sum_{m=0..mmax} (2 - [m = 0]) Re (modes[m] exp (i m (phi0 + 2 pi j / n))).
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_synthesis_tiles_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                                  const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                                  double *pixels, double *scratch)
{
  RingCall call = { .shape = shape, .slots = slots, .plans = plans, .modes = modes,
                    .pixels_out = pixels };

  return run_rings (&call, scratch);
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
 * As armilla_ring_synthesis_tiles_cpu(), for modes in one piece.
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_synthesis_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                            const ArmillaFftPlans *plans, const double *modes, double *pixels,
                            double *scratch)
{
  const int64_t zero = 0;
  double *const all = (double *) modes;
  const ArmillaRingTiles tiles = { 1, &zero, &all };

  return armilla_ring_synthesis_tiles_cpu (shape, slots, plans, &tiles, pixels, scratch);
}

/**
 * armilla_ring_adjoint_tiles_cpu:
 * @shape: shape of the block
 * @slots: (array length=shape.n_slots): its rings; slots 2p and 2p + 1 are a pair
 * @plans: plans of the rings' lengths
 * @flags: what #ArmillaRingFlags say
 * @pixels: [field][n_pixels]
 * @modes: tiles of modes; all of them are written
 * @scratch: armilla_ring_scratch_size() doubles
 *
 * modes[m] <- w sum_j pixel_j exp (-i m (phi0 + 2 pi j / n)), w = 1 or the ring's weight; slots
 * without a ring get 0. With w = 1 this is the transpose of the synthesis for the inner product
 * that counts orders above 0 twice.
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_adjoint_tiles_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                                const ArmillaFftPlans *plans, int flags, const double *pixels,
                                const ArmillaRingTiles *modes, double *scratch)
{
  RingCall call = { .shape = shape, .slots = slots, .plans = plans, .modes = modes,
                    .pixels_in = pixels, .flags = flags };

  return run_rings (&call, scratch);
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
 * As armilla_ring_adjoint_tiles_cpu(), for modes in one piece.
 *
 * Returns: 0; or -1 where a ring's length is not in @plans
 */
int
armilla_ring_adjoint_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                          const ArmillaFftPlans *plans, int flags, const double *pixels,
                          double *modes, double *scratch)
{
  const int64_t zero = 0;
  double *const all = modes;
  const ArmillaRingTiles tiles = { 1, &zero, &all };

  return armilla_ring_adjoint_tiles_cpu (shape, slots, plans, flags, pixels, &tiles, scratch);
}
