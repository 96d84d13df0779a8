/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta/theta-resample.h"

#include <string.h>

#include "codelets/rings/ring-dft.h"
#include "codelets/rings/ring-fft-math.h"
#include "codelets/theta/theta-resample-math.h"

/* Number of sequences that are read or written together: their orders fill a cache line of a row.
 * Twice as many, with the arrays of a transform, exceed the second-level cache at 4096 rings, where
 * they take three times as long. */
#define CHUNK 2

typedef struct {
  const ArmillaResampleShape *shape;
  const double *table;
  const ArmillaDftPlan *plan;
  ArmillaDftWork work;
  int64_t n;       /* points of the circle */
  int64_t stride;  /* doubles from one sequence to the next */
  double *z;       /* [CHUNK] sequences */
  double *a, *b;   /* a sequence and its transform */
} Call;

static ArmillaDftSizes
sizes_of (const ArmillaDftPlan *plan)
{
  ArmillaDftSizes sizes = { 0, 0, 0 };

  armilla_dft_sizes_add (&sizes, plan);
  return sizes;
}

/* Returns the number of doubles between sequences, not a power of two: elements of several
 * sequences at one ring would map to the same set of a cache. */
static int64_t
stride_of (const ArmillaResampleShape *shape)
{
  return (2 * armilla_resample_points (shape) + 7) / 8 * 8 + 24;
}

int64_t
armilla_resample_table_size (const ArmillaResampleShape *shape)
{
  return 4 * armilla_resample_points (shape) + 2 * shape->n_pairs;
}

int64_t
armilla_resample_scratch_size (const ArmillaResampleShape *shape)
{
  return 8 + (CHUNK + 2) * stride_of (shape)
         + armilla_dft_work_size (armilla_resample_points (shape));
}

int
armilla_resample_plan (const ArmillaResampleShape *shape, ArmillaFftPlans *plans)
{
  const ArmillaRingSlot slot = { .n_phi = armilla_resample_points (shape) };

  return armilla_fft_plans_add (plans, &slot, 1);
}

static void
begin (Call *call, const ArmillaResampleShape *shape, const double *table,
       const ArmillaFftPlans *plans, double *scratch)
{
  *call = (Call) { .shape = shape, .table = table };
  call->n = armilla_resample_points (shape);
  call->plan = armilla_fft_plans_find (plans, call->n);
  call->stride = stride_of (shape);
  call->z = (double *) (((uintptr_t) scratch + 63) / 64 * 64);
  call->a = call->z + CHUNK * call->stride;
  call->b = call->a + call->stride;
  const ArmillaDftSizes sizes = sizes_of (call->plan);
  armilla_dft_work_init (&call->work, call->b + call->stride, &sizes);
}

/* Sets b[t] to the weight at theta = t pi / n_points, which has the period n_points: the Fourier
 * series of |sin theta| up to degree n_points, the highest that 2 n_points points resolve. */
static void
find_weights (Call *call)
{
  const int64_t n = call->n;

  memset (call->a, 0, sizeof (double) * (size_t) (2 * n));
  for (int64_t q = 0; q <= n / 2; q++)
    {
      const double k = 2 * (double) q;
      const double s = 1 / ((double) n * (1 - k * k));

      call->a[2 * q] = s;
      if (q > 0)
        call->a[2 * (n - q)] = s;
    }
  armilla_dft_run (call->plan, &call->work, call->a, call->b);
}

void
armilla_resample_table (const ArmillaResampleShape *shape, const int64_t *ring, double factor,
                        const ArmillaFftPlans *plans, double *scratch, double *table)
{
  const int64_t start = shape->on_poles ? 0 : 1;
  double *midway = table + armilla_resample_points (shape);
  double *phases = table + 2 * armilla_resample_points (shape);
  double *rings = table + 4 * armilla_resample_points (shape);
  Call call;

  begin (&call, shape, table, plans, scratch);
  find_weights (&call);
  for (int64_t j = 0; j < call.n; j++)
    {
      const double count = (double) call.n;

      table[j] = factor * call.b[2 * ((2 * j + start) % call.n)];
      midway[j] = factor * call.b[2 * ((1 + start + 2 * (call.n - j)) % call.n)] / (count * count);
    }
  /* Phases that shift points by half a step: exp (-i pi k / n) for the frequencies k between -n / 2
   * and n / 2; n / 2, which equals -n / 2, is left out. */
  for (int64_t k = 0; k < call.n; k++)
    {
      double *phase = phases + 2 * k;

      if (2 * k == call.n)
        {
          phase[0] = phase[1] = 0;
          continue;
        }
      armilla_root_of_unity ((uint64_t) (2 * k < call.n ? k : call.n - k), (uint64_t) call.n,
                             &phase[0], &phase[1]);
      if (2 * k < call.n)
        phase[1] = -phase[1];
    }
  for (int64_t slot = 0; slot < 2 * shape->n_pairs; slot++)
    rings[slot] = (double) ring[slot];
}

/* The orders of a chunk of sequences: [sequence][odd], -1 if absent. */
typedef struct {
  int64_t n; /* sequences */
  int64_t order[CHUNK][2];
} Chunk;

static Chunk
chunk_from (const ArmillaResampleShape *shape, int64_t first)
{
  const int64_t n = armilla_resample_sequences (shape) - first;
  Chunk chunk = { .n = n < CHUNK ? n : CHUNK };

  for (int64_t i = 0; i < chunk.n; i++)
    for (int odd = 0; odd < 2; odd++)
      chunk.order[i][odd] = armilla_resample_order (shape, first + i, odd);
  return chunk;
}

/* z <- E in (see theta-resample.h): continues rings to the circle. */
static void
read_rings (Call *call, const Chunk *chunk, const double *in, int64_t field)
{
  static const double zero[2] = { 0, 0 };
  const ArmillaResampleShape *shape = call->shape;
  const int64_t n_pairs = armilla_resample_pairs (shape, 0);

  if (!shape->to_map) /* rings may be missing */
    memset (call->z, 0, sizeof (double) * (size_t) (chunk->n * call->stride));
  for (int64_t slot = 0; slot < 2 * n_pairs; slot++)
    {
      const int64_t ring = armilla_resample_ring (shape, call->table, 0, slot);
      const double *row = in + armilla_resample_at (shape, n_pairs, field, slot, 0);

      if (ring < 0)
        continue;
      const int64_t mirror = armilla_resample_mirror (shape, ring);

      for (int64_t i = 0; i < chunk->n; i++)
        {
          const int64_t *order = chunk->order[i];
          const double *even = order[0] < 0 ? zero : row + 2 * order[0];
          const double *odd = order[1] < 0 || mirror == ring ? zero : row + 2 * order[1];
          double *z = call->z + i * call->stride;

          z[2 * ring] = even[0] + odd[0];
          z[2 * ring + 1] = even[1] + odd[1];
          z[2 * mirror] = even[0] - odd[0];
          z[2 * mirror + 1] = even[1] - odd[1];
        }
    }
}

/* out <- E' z, the transpose of read_rings(). */
static void
write_rings (const Call *call, const Chunk *chunk, double *out, int64_t field)
{
  const ArmillaResampleShape *shape = call->shape;
  const int64_t n_pairs = armilla_resample_pairs (shape, 1);

  for (int64_t slot = 0; slot < 2 * n_pairs; slot++)
    {
      const int64_t ring = armilla_resample_ring (shape, call->table, 1, slot);
      const int64_t mirror = ring < 0 ? -1 : armilla_resample_mirror (shape, ring);
      double *row = out + armilla_resample_at (shape, n_pairs, field, slot, 0);

      for (int64_t i = 0; i < chunk->n; i++)
        for (int odd = 0; odd < 2; odd++)
          {
            const double *z = call->z + i * call->stride;
            const int64_t order = chunk->order[i][odd];

            if (order < 0)
              continue;
            for (int part = 0; part < 2; part++)
              row[2 * order + part]
                = ring < 0         ? 0
                  : mirror == ring ? (odd ? 0 : z[2 * ring + part])
                  : odd            ? z[2 * ring + part] - z[2 * mirror + part]
                                   : z[2 * ring + part] + z[2 * mirror + part];
          }
    }
}

/* z <- (v + H' w H) z. Two transforms of the same direction reverse the order of the points; after
 * four they are in the original order. */
static void
weigh (Call *call, double *z)
{
  const ArmillaRingSimd *simd = call->work.simd;
  const double *phases = armilla_resample_phases (call->shape, call->table);
  const double *midway = armilla_resample_midway (call->shape, call->table);
  const int64_t n = call->n;

  memcpy (call->a, z, sizeof (double) * (size_t) (2 * n));
  armilla_dft_run (call->plan, &call->work, call->a, call->b);
  simd->multiply (call->a, call->b, phases, ARMILLA_SIMD_PLAIN, n);
  armilla_dft_run (call->plan, &call->work, call->a, call->b);
  for (int64_t j = 0; j < n; j++)
    {
      call->a[2 * j] = midway[j] * call->b[2 * j];
      call->a[2 * j + 1] = midway[j] * call->b[2 * j + 1];
    }
  armilla_dft_run (call->plan, &call->work, call->a, call->b);
  simd->multiply (call->a, call->b, phases, ARMILLA_SIMD_PLAIN, n);
  armilla_dft_run (call->plan, &call->work, call->a, call->b);
  for (int64_t j = 0; j < n; j++)
    {
      z[2 * j] = call->table[j] * z[2 * j] + call->b[2 * j];
      z[2 * j + 1] = call->table[j] * z[2 * j + 1] + call->b[2 * j + 1];
    }
}

void
armilla_resample_cpu (const ArmillaResampleShape *shape, const double *table,
                      const ArmillaFftPlans *plans, const double *in, double *out, double *scratch)
{
  Call call;

  begin (&call, shape, table, plans, scratch);
  for (int64_t field = 0; field < shape->n_fields; field++)
    for (int64_t first = 0; first < armilla_resample_sequences (shape); first += CHUNK)
      {
        const Chunk chunk = chunk_from (shape, first);

        read_rings (&call, &chunk, in, field);
        for (int64_t i = 0; i < chunk.n; i++)
          weigh (&call, call.z + i * call.stride);
        write_rings (&call, &chunk, out, field);
      }
}
