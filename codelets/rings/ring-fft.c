/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/ring-fft.h"

#include <glib.h>
#include <string.h>

#include "codelets/rings/ring-dft.h"
#include "codelets/rings/ring-fold.h"

/* If the two rings of a pair have equally many pixels, whose values are real, they are transformed
 * together: as real and imaginary part of one complex sequence. */

/* pairs whose modes are gathered from their tiles together: their rows are adjacent in a tile, so
 * that memory is read in large pieces */
#define GROUP ARMILLA_DFT_TABLES

typedef struct {
  ArmillaDftWork dft;
  double *sequence, *transform; /* [2 n] */
  double *half[2];  /* [n / 2 + 1] complex: north, south */
  double *rows;     /* [2 GROUP][row] */
  ArmillaRingPhases phase[GROUP]; /* phases of the group's pairs */
} RingWork;

/* Rings that are transformed together. */
typedef struct {
  int64_t slot[2]; /* north and south; -1: only one ring */
  const ArmillaDftPlan *plan;
} Sequence;

/* Direction of a call: modes -> pixels, pixels -> modes, or modes -> pixels -> modes. */
typedef enum { SYNTHESIS, ADJOINT, NORMAL } Form;

typedef struct {
  Form form;
  const ArmillaRingShape *shape;
  const ArmillaRingSlot *slots;
  const ArmillaFftPlans *plans;
  const ArmillaRingTiles *modes;
  const ArmillaRingPixels *pixels; /* NULL: no pixels are computed (NORMAL) */
  int flags;
  RingWork work;
  int64_t first, end;      /* slots of the current group of pairs */
  ArmillaRingFetch fetch;  /* rows to prefetch: read for the next field or group, or written */
  int n_members;           /* number of sequences of the group for one field */
  Sequence members[2 * GROUP];
} RingCall;

static int64_t
end_slot (const RingCall *call)
{
  return armilla_ring_shape_end (call->shape);
}

static int64_t
round_up (int64_t doubles)
{
  return (doubles + 7) / 8 * 8;
}

int64_t
armilla_ring_scratch_size (int64_t longest_ring, int64_t mmax)
{
  const int64_t n = MAX (longest_ring, 1);

  return 8 + 2 * round_up (2 * n) + 2 * round_up (n + 2) + 2 * GROUP * round_up (2 * (mmax + 1))
         + armilla_dft_work_size (n);
}

/* Divides the scratch space. Returns 0, or -1 if the length of a ring was not planned. */
static int
ring_work_init (RingCall *call, double *scratch)
{
  ArmillaDftSizes sizes = { 1, 1, 1 };
  RingWork *work = &call->work;

  for (int64_t i = call->shape->first_slot; i < end_slot (call); i++)
    if (call->slots[i].n_phi > 0)
      {
        const ArmillaDftPlan *plan = armilla_fft_plans_find (call->plans, call->slots[i].n_phi);

        if (!plan)
          return -1;
        armilla_dft_sizes_add (&sizes, plan);
      }
  scratch = (double *) (((uintptr_t) scratch + 63) / 64 * 64);
  work->sequence = armilla_dft_work_init (&work->dft, scratch, &sizes);
  work->transform = work->sequence + round_up (2 * sizes.n);
  work->half[0] = work->transform + round_up (2 * sizes.n);
  work->half[1] = work->half[0] + round_up (sizes.n + 2);
  work->rows = work->half[1] + round_up (sizes.n + 2);
  for (int i = 0; i < GROUP; i++)
    work->phase[i] = ARMILLA_RING_PHASES_NONE;
  return 0;
}

/* Returns the phases of a ring of the group: the table stored with the plan of its length if it is
 * for the same azimuth, otherwise a table in the scratch space. The two rings of a pair usually
 * have the same phases. */
static ArmillaRingPhases *
ring_phases (RingCall *call, const ArmillaDftPlan *plan, int64_t slot)
{
  ArmillaRingPhases *table = NULL;

  if (call->shape->mmax < ARMILLA_RING_ORDERS)
    table = armilla_dft_phases (plan, &call->slots[slot]);
  if (table)
    return table;
  table = &call->work.phase[(slot - call->first) / 2];
  armilla_ring_phases_set (table, &call->slots[slot]);
  return table;
}

static double *
pixels_of (const RingCall *call, int64_t field)
{
  const ArmillaRingPixels *pixels = call->pixels;
  const int64_t place = pixels->place ? pixels->place[field] : field;

  return pixels->tile[place / pixels->n_each] + place % pixels->n_each * call->shape->n_pixels;
}

/* Returns the index of a ring's first pixel in the pixels of the call. */
static int64_t
first_pixel (const RingCall *call, int64_t slot)
{
  return call->pixels->first ? call->pixels->first[slot] : call->slots[slot].offset;
}

/* Returns the modes of a ring of the group; those of several tiles are gathered in separate
 * rows. */
static double *
ring_modes (const RingCall *call, int64_t field, int64_t slot)
{
  const int64_t n_modes = call->shape->mmax + 1;

  if (call->modes->n == 1)
    return call->modes->tile[0] + 2 * (field * call->shape->n_slots + slot) * n_modes;
  return call->work.rows + (slot - call->first) * round_up (2 * n_modes);
}

/* Copies the group's modes from their tiles (@to_tiles is FALSE), or to them. */
static void
move_rows (const RingCall *call, int64_t field, gboolean to_tiles)
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
        if (to_tiles)
          memcpy (at, row, bytes);
        else
          memcpy (row, at, bytes);
    }
}

/* Computes the pixels of one field of a sequence from its modes. */
static void
synthesize (RingCall *call, const Sequence *sequence, int64_t field)
{
  RingWork *work = &call->work;
  const ArmillaRingSimd *simd = work->dft.simd;
  const int64_t n = armilla_dft_length (sequence->plan), south = sequence->slot[1];
  double *pixels = pixels_of (call, field);

  for (int side = 0; side < 2; side++)
    if (sequence->slot[side] >= 0)
      armilla_ring_fold (simd, ring_phases (call, sequence->plan, sequence->slot[side]), n,
                         call->shape->mmax, ring_modes (call, field, sequence->slot[side]),
                         work->half[side], &call->fetch);
    else
      memset (work->half[side], 0, sizeof (double) * (gsize) (2 * (n / 2 + 1)));
  simd->join (work->sequence, work->half[0], work->half[1], n);
  armilla_dft_run (sequence->plan, &work->dft, work->sequence, work->transform);
  simd->split (pixels + first_pixel (call, sequence->slot[0]),
               south < 0 ? NULL : pixels + first_pixel (call, south), work->transform, n);
}

/* Prefetches a part of the pixels of the next rings, while modes @first .. @end - 1 of @count are
 * written. In a block the next pixels follow a northern ring and precede a southern one. */
static void
fetch_pixels (const RingCall *call, const Sequence *sequence, int64_t n, int64_t first,
              int64_t end, int64_t count)
{
  const double *pixels = call->pixels->tile[0];
  const int64_t south = sequence->slot[1], begin = n * first / count / 8 * 8;
  const int64_t after = first_pixel (call, sequence->slot[0]) + n;
  const int64_t before = south < 0 ? -1 : first_pixel (call, south) - n;

  for (int64_t j = begin; j < n * end / count; j += 8)
    {
      if (call->pixels->first || after + j < call->shape->n_pixels)
        __builtin_prefetch (pixels + after + j, 0, 2);
      if (before >= 0)
        __builtin_prefetch (pixels + before + j, 0, 2);
    }
}

/* Returns whether the modes of both rings are their half spectra times the same factor: no phases,
 * no aliases, equal weights. */
static int
is_direct (RingCall *call, const Sequence *sequence, int64_t n)
{
  const int64_t north = sequence->slot[0], south = sequence->slot[1];

  if (call->shape->mmax > n / 2 || !ring_phases (call, sequence->plan, north)->trivial)
    return 0;
  return south < 0
         || (ring_phases (call, sequence->plan, south)->trivial
             && (!(call->flags & ARMILLA_RING_WEIGHTED)
                 || call->slots[north].weight == call->slots[south].weight));
}

/* Separates the modes of both rings from their transform, in one pass. */
static void
split_modes (RingCall *call, const Sequence *sequence, int64_t field, int64_t n)
{
  RingWork *work = &call->work;
  const int64_t count = call->shape->mmax + 1, south = sequence->slot[1];
  const ArmillaRingSlot *slot = &call->slots[sequence->slot[0]];
  const double factor = call->flags & ARMILLA_RING_WEIGHTED ? slot->weight : 1;
  double *modes[2] = { ring_modes (call, field, sequence->slot[0]), work->half[1] };

  if (south >= 0)
    modes[1] = ring_modes (call, field, south);
  for (int64_t m = 0; m < count; m += ARMILLA_RING_BLOCK)
    {
      const int64_t end = MIN (m + ARMILLA_RING_BLOCK, count);

      armilla_ring_fetch (&call->fetch, (south < 0 ? 1 : 2) * (end - m));
      if (call->shape->n_fields == 1)
        fetch_pixels (call, sequence, n, m, end, count);
      work->dft.simd->unjoin (modes[0], modes[1], work->transform, factor, m, end, n);
    }
}

static void
analyse (RingCall *call, const Sequence *sequence, int64_t field)
{
  RingWork *work = &call->work;
  const ArmillaRingSimd *simd = work->dft.simd;
  const int64_t n = armilla_dft_length (sequence->plan), south = sequence->slot[1];
  const double *pixels = pixels_of (call, field);

  simd->interleave (work->sequence, pixels + first_pixel (call, sequence->slot[0]),
                    south < 0 ? NULL : pixels + first_pixel (call, south),
                    call->flags & ARMILLA_RING_UNSEEN_IS_ZERO, n);
  armilla_dft_run (sequence->plan, &work->dft, work->sequence, work->transform);
  if (is_direct (call, sequence, n))
    {
      split_modes (call, sequence, field, n);
      return;
    }
  simd->unjoin (work->half[0], work->half[1], work->transform, 1, 0, n / 2 + 1, n);
  for (int side = 0; side < 2; side++)
    if (sequence->slot[side] >= 0)
      {
        const int64_t slot = sequence->slot[side];

        armilla_ring_unfold (simd, ring_phases (call, sequence->plan, slot), n,
                             call->shape->mmax, work->half[side],
                             call->flags & ARMILLA_RING_WEIGHTED ? call->slots[slot].weight : 1,
                             ring_modes (call, field, slot), &call->fetch);
      }
}

/* Replaces modes by those of the pixels that they give. Instead of transforms to pixels and back,
 * which would multiply the half spectra by n, these are only summed over aliases. */
static void
synthesize_and_analyse (RingCall *call, const Sequence *sequence, int64_t field)
{
  RingWork *work = &call->work;
  const int64_t n = armilla_dft_length (sequence->plan), mmax = call->shape->mmax;

  for (int side = 0; side < 2; side++)
    if (sequence->slot[side] >= 0)
      {
        const int64_t slot = sequence->slot[side];
        const double factor = (double) n * call->slots[slot].weight;
        ArmillaRingPhases *phases = ring_phases (call, sequence->plan, slot);
        double *modes = ring_modes (call, field, slot);
        ArmillaRingFetch none = { .tiles = call->modes, .tile = call->modes->n };

        armilla_ring_fold (work->dft.simd, phases, n, mmax, modes, work->half[side],
                           &call->fetch);
        armilla_ring_unfold (work->dft.simd, phases, n, mmax, work->half[side], factor, modes,
                             &none);
      }
}

static const ArmillaDftPlan *
plan_of (const RingCall *call, int64_t slot)
{
  const int64_t n = call->slots[slot].n_phi;

  return n > 0 ? armilla_fft_plans_find (call->plans, n) : NULL;
}

static void
add_member (RingCall *call, int64_t first, int64_t second)
{
  const Sequence member = { { first, second }, plan_of (call, first) };

  if (member.plan)
    call->members[call->n_members++] = member;
}

/* Finds the group of pairs that begins with @slot, and its sequences: the rings of a pair are one
 * sequence if they are equally long. */
static void
find_group (RingCall *call, int64_t slot)
{
  const ArmillaRingSlot *slots = call->slots;

  call->first = call->end = slot;
  call->n_members = 0;
  while (call->end < MIN (slot + 2 * GROUP, end_slot (call)))
    {
      const int64_t i = call->end;
      const gboolean pair = i % 2 == 0 && i + 1 < end_slot (call)
                            && slots[i].n_phi == slots[i + 1].n_phi;

      add_member (call, i, pair ? i + 1 : -1);
      call->end += pair ? 2 : 1;
    }
}

/* Selects the rows to prefetch while a field is transformed: those of the next field of the group,
 * or of the first field of the next group; in an adjoint, those of this field, which it writes. */
static void
find_fetch (RingCall *call, int64_t field)
{
  const int64_t n_slots = call->shape->n_slots, n_modes = call->shape->mmax + 1;
  const int64_t count = call->end - call->first;

  call->fetch = (ArmillaRingFetch){ .tiles = call->modes, .tile = call->modes->n };
  if (call->modes->n == 1)
    return;
  if (call->form == ADJOINT)
    call->fetch
      = armilla_ring_fetch_of (call->modes, n_modes, field * n_slots + call->first, count);
  else if (field + 1 < call->shape->n_fields)
    call->fetch
      = armilla_ring_fetch_of (call->modes, n_modes, (field + 1) * n_slots + call->first, count);
  else
    call->fetch = armilla_ring_fetch_of (call->modes, n_modes, call->end,
                                         MIN (2 * GROUP, end_slot (call) - call->end));
}

static void
transform (RingCall *call, const Sequence *sequence, int64_t field)
{
  switch (call->form)
    {
    case SYNTHESIS:
      synthesize (call, sequence, field);
      break;
    case ADJOINT:
      analyse (call, sequence, field);
      break;
    default:
      synthesize_and_analyse (call, sequence, field);
    }
}

static void
transform_group (RingCall *call, int64_t field)
{
  find_fetch (call, field);
  if (call->form != ADJOINT)
    move_rows (call, field, FALSE);
  for (int i = 0; i < call->n_members; i++)
    transform (call, &call->members[i], field);
  if (call->form == SYNTHESIS)
    return;
  for (int64_t slot = call->first; slot < call->end; slot++)
    if (call->slots[slot].n_phi == 0)
      memset (ring_modes (call, field, slot), 0,
              sizeof (double) * (gsize) (2 * (call->shape->mmax + 1)));
  move_rows (call, field, TRUE);
}

static int
run_rings (RingCall *call, double *scratch)
{
  if (ring_work_init (call, scratch) != 0)
    return -1;
  for (int64_t slot = call->shape->first_slot; slot < end_slot (call); slot = call->end)
    {
      find_group (call, slot);
      for (int64_t field = 0; field < call->shape->n_fields; field++)
        transform_group (call, field);
    }
  return 0;
}

int
armilla_ring_synthesis_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                            const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                            const ArmillaRingPixels *pixels, double *scratch)
{
  RingCall call = { .form = SYNTHESIS, .shape = shape, .slots = slots, .plans = plans,
                    .modes = modes, .pixels = pixels };

  return run_rings (&call, scratch);
}

int
armilla_ring_adjoint_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                          const ArmillaFftPlans *plans, int flags,
                          const ArmillaRingPixels *pixels, const ArmillaRingTiles *modes,
                          double *scratch)
{
  RingCall call = { .form = ADJOINT, .shape = shape, .slots = slots, .plans = plans,
                    .modes = modes, .pixels = pixels, .flags = flags };

  return run_rings (&call, scratch);
}

int
armilla_ring_normal_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                         const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                         double *scratch)
{
  RingCall call = { .form = NORMAL, .shape = shape, .slots = slots, .plans = plans,
                    .modes = modes };

  return run_rings (&call, scratch);
}
