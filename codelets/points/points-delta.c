/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/points/points-delta.h"

#include <math.h>
#include <string.h>

#include "codelets/points/points-delta-math.h"
#include "codelets/rings/ring-dft.h"

#define PI 3.14159265358979323846
/* Number of sequences that are read or written together: their orders fill four cache lines of a
 * row. */
#define CHUNK 8

/* Rings from pole to pole, and the circle to which they are continued. */
typedef struct {
  int64_t n_rings, n; /* n: number of points of the circle */
  const ArmillaDftPlan *plan;
} Circle;

typedef struct {
  const ArmillaPointsDeltaShape *shape;
  const double *of_orders; /* factors of all orders */
  const double *of_waves;  /* factors of the frequencies of the coarse circle */
  Circle coarse, fine;
  ArmillaDftWork work;
  int64_t stride; /* doubles from one sequence to the next */
  double *z;      /* [CHUNK] sequences */
  double *a, *b;  /* a sequence and its transform */
} Call;

/* Up to CHUNK sequences: their orders, [sequence][odd], -1 if the tiles lack them, and the factors
 * of these. */
typedef struct {
  int64_t n;
  int64_t order[CHUNK][2];
  double factor[CHUNK][2];
} Chunk;

static int64_t
stride_of (const ArmillaPointsDeltaShape *shape)
{
  return (2 * armilla_points_circle (shape->n_fine) + 7) / 8 * 8;
}

int64_t
armilla_points_delta_table_size (const ArmillaPointsDeltaShape *shape, int64_t mmax)
{
  return shape->n_coarse + mmax + 1;
}

int64_t
armilla_points_delta_scratch_size (const ArmillaPointsDeltaShape *shape)
{
  return 8 + (CHUNK + 2) * stride_of (shape)
         + armilla_dft_work_size (armilla_points_circle (shape->n_fine));
}

int
armilla_points_delta_plan (const ArmillaPointsDeltaShape *shape, ArmillaFftPlans *plans)
{
  const ArmillaRingSlot slots[] = { { .n_phi = armilla_points_circle (shape->n_coarse) },
                                    { .n_phi = armilla_points_circle (shape->n_fine) } };

  return armilla_fft_plans_add (plans, slots, 2);
}

void
armilla_points_delta_table (const ArmillaPointsDeltaShape *shape,
                            const ArmillaPointsKernel *kernel, int64_t n_columns, int64_t mmax,
                            double *table)
{
  const int64_t last = shape->n_coarse - 1;

  armilla_points_kernel_transforms (kernel, PI / (double) (shape->n_fine - 1), last, table);
  for (int64_t k = 0; k < last; k++)
    table[k] = 1 / (table[k] * (double) armilla_points_circle (shape->n_coarse));
  /* On the coarse circle, this frequency and its opposite are the same: it is not used. */
  table[last] = 0;
  armilla_points_kernel_transforms (kernel, 2 * PI / (double) n_columns, mmax + 1,
                                    table + shape->n_coarse);
  for (int64_t m = 0; m <= mmax; m++)
    table[shape->n_coarse + m] = 1 / table[shape->n_coarse + m];
}

static void
begin (Call *call, const ArmillaPointsDeltaShape *shape, const double *table,
       const ArmillaFftPlans *plans, double *scratch)
{
  ArmillaDftSizes sizes = { 0, 0, 0 };

  *call = (Call) { .shape = shape,
                   .of_waves = table,
                   .of_orders = table + shape->n_coarse,
                   .coarse = { shape->n_coarse, armilla_points_circle (shape->n_coarse), NULL },
                   .fine = { shape->n_fine, armilla_points_circle (shape->n_fine), NULL },
                   .stride = stride_of (shape) };
  call->coarse.plan = armilla_fft_plans_find (plans, call->coarse.n);
  call->fine.plan = armilla_fft_plans_find (plans, call->fine.n);
  armilla_dft_sizes_add (&sizes, call->coarse.plan);
  armilla_dft_sizes_add (&sizes, call->fine.plan);
  call->z = (double *) (((uintptr_t) scratch + 63) / 64 * 64);
  call->a = call->z + CHUNK * call->stride;
  call->b = call->a + call->stride;
  armilla_dft_work_init (&call->work, call->b + call->stride, &sizes);
}

static Chunk
chunk_from (const Call *call, int64_t first)
{
  const ArmillaPointsDeltaShape *shape = call->shape;
  const int64_t n = armilla_points_sequences (shape) - first;
  Chunk chunk = { .n = n < CHUNK ? n : CHUNK };

  for (int64_t i = 0; i < chunk.n; i++)
    for (int odd = 0; odd < 2; odd++)
      {
        const int64_t order = armilla_points_order (shape, first + i, odd);

        chunk.order[i][odd] = order;
        chunk.factor[i][odd] = order < 0 ? 0 : call->of_orders[shape->m_first + order];
      }
  return chunk;
}

/* Returns the row of a ring in a field of a tile. */
static double *
row_of (const Call *call, const Circle *circle, double *tile, int64_t field, int64_t ring)
{
  return tile + armilla_points_delta_row (call->shape, circle->n_rings, field, ring);
}

/* z <- values on the circle of all rings, times @weight except for the poles, which are their own
 * mirror images. */
static void
read_rings (const Call *call, const Circle *circle, const Chunk *chunk, const double *tile,
            int64_t field, double weight)
{
  for (int64_t ring = 0; ring < circle->n_rings; ring++)
    {
      const int64_t mirror = armilla_points_mirror (circle->n_rings, ring);
      const double *row = row_of (call, circle, (double *) tile, field, ring);
      const double factor = mirror == ring ? 1 : weight;
      for (int64_t i = 0; i < chunk->n; i++)
        for (int part = 0; part < 2; part++)
          {
            const int64_t *order = chunk->order[i];
            const double even = order[0] < 0 ? 0 : factor * row[2 * order[0] + part];
            /* An odd function is 0 at the poles. */
            const double odd
              = order[1] < 0 || mirror == ring ? 0 : factor * row[2 * order[1] + part];
            double *z = call->z + i * call->stride + part;

            z[2 * ring] = even + odd;
            z[2 * mirror] = even - odd;
          }
    }
}

/* Computes the transpose of read_rings (), times the factors of the orders: adds or subtracts the
 * two values of each ring, times @weight except for the poles. */
static void
write_rings (const Call *call, const Circle *circle, const Chunk *chunk, double *tile,
             int64_t field, double weight)
{
  for (int64_t ring = 0; ring < circle->n_rings; ring++)
    {
      const int64_t mirror = armilla_points_mirror (circle->n_rings, ring);
      double *row = row_of (call, circle, tile, field, ring);
      for (int64_t i = 0; i < chunk->n; i++)
        {
          const double *here = call->z + i * call->stride + 2 * ring;
          const double *there = call->z + i * call->stride + 2 * mirror;
          const int64_t even = chunk->order[i][0], odd = chunk->order[i][1];

          for (int part = 0; even >= 0 && part < 2; part++)
            row[2 * even + part]
              = chunk->factor[i][0]
                * (mirror == ring ? here[part] : weight * (here[part] + there[part]));
          for (int part = 0; odd >= 0 && part < 2; part++)
            row[2 * odd + part]
              = chunk->factor[i][1]
                * (mirror == ring ? 0 : weight * (here[part] - there[part]));
        }
    }
}

/* Clears the southern slot of the equator, which belongs to no ring. */
static void
clear_absent (const Call *call, const Circle *circle, double *tile, int64_t field)
{
  if (circle->n_rings % 2)
    memset (row_of (call, circle, tile, field, circle->n_rings / 2) + 2 * call->shape->n_orders, 0,
            sizeof (double) * 2 * (size_t) call->shape->n_orders);
}

/* Copies the frequencies of the coarse circle, times their factors, from b, of @n_from points, to
 * a, of @n_to points, whose other frequencies become 0. @reverse: each becomes its opposite. */
static void
copy_waves (Call *call, int64_t n_to, int64_t n_from, int reverse)
{
  memset (call->a, 0, sizeof (double) * 2 * (size_t) n_to);
  for (int64_t k = 0; k < call->coarse.n_rings - 1; k++)
    for (int negative = 0; negative < (k > 0 ? 2 : 1); negative++)
      {
        const int64_t to = negative ? n_to - k : k;
        const int64_t from = k > 0 && negative != reverse ? n_from - k : k;

        call->a[2 * to] = call->of_waves[k] * call->b[2 * from];
        call->a[2 * to + 1] = call->of_waves[k] * call->b[2 * from + 1];
      }
}

/* Reverses a sequence, z[i] <- z[-i modulo n]: two transforms in the same direction reverse it. */
static void
reverse (double *z, int64_t n)
{
  for (int64_t i = 1, j = n - 1; i < j; i++, j--)
    for (int part = 0; part < 2; part++)
      {
        const double x = z[2 * i + part];

        z[2 * i + part] = z[2 * j + part];
        z[2 * j + part] = x;
      }
}

/* Refines the coarse tile to the fine one, or computes the transpose. */
static void
convert (const ArmillaPointsDeltaShape *shape, const double *table, const ArmillaFftPlans *plans,
         int refines, const double *in, double *out, double *scratch)
{
  Call call;

  begin (&call, shape, table, plans, scratch);
  const Circle *from = refines ? &call.coarse : &call.fine;
  const Circle *to = refines ? &call.fine : &call.coarse;

  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      for (int64_t first = 0; first < armilla_points_sequences (shape); first += CHUNK)
        {
          const Chunk chunk = chunk_from (&call, first);

          read_rings (&call, from, &chunk, in, field, refines ? 1 : 0.5);
          for (int64_t i = 0; i < chunk.n; i++)
            {
              double *z = call.z + i * call.stride;

              armilla_dft_run (from->plan, &call.work, z, call.b);
              copy_waves (&call, to->n, from->n, refines);
              armilla_dft_run (to->plan, &call.work, call.a, z);
              if (!refines)
                reverse (z, to->n);
            }
          write_rings (&call, to, &chunk, out, field, refines ? 0.5 : 1);
        }
      clear_absent (&call, to, out, field);
    }
}

void
armilla_points_refine_cpu (const ArmillaPointsDeltaShape *shape, const double *table,
                           const ArmillaFftPlans *plans, const double *coarse, double *fine,
                           double *scratch)
{
  convert (shape, table, plans, 1, coarse, fine, scratch);
}

void
armilla_points_coarsen_cpu (const ArmillaPointsDeltaShape *shape, const double *table,
                            const ArmillaFftPlans *plans, const double *fine, double *coarse,
                            double *scratch)
{
  convert (shape, table, plans, 0, fine, coarse, scratch);
}
