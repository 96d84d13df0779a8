/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table, synthesis and adjoint of fields of spin s on the GPU: the kernels of delta-recurrence.h
 * process the runs of orders; other kernels scale and combine rows, one number per thread. */
#include <algorithm>

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/spin-coupling.h"
#include "codelets/legendre/spin-recurrence.h"

namespace
{

constexpr int n_threads = 128;

/* Returns the shape of the fields of a run for delta-recurrence.h. */
ArmillaDeltaShape
run_shape (const ArmillaSpinShape *shape, const ArmillaSpinRun &run, int64_t n_pairs)
{
  return { shape->lmax + shape->spin, run.order_first, run.order_first + run.n - 1,
           2 * shape->n_maps, n_pairs, shape->isa };
}

/* Returns the grid of thread blocks for @n numbers of a row, each ring and field. */
dim3
grid_of (int64_t n, int64_t rings, int64_t fields)
{
  return dim3 ((unsigned) ((n + n_threads - 1) / n_threads), (unsigned) rings, (unsigned) fields);
}

__global__ void __launch_bounds__ (n_threads)
pairs_kernel (ArmillaSpinRows rows, const double *pairs, double *some)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x, row = blockIdx.y;

  if (i < rows.n)
    some[row * rows.n + i] = pairs[row * rows.n_pairs + rows.first + i];
}

/* Sets rows of @tile to those of @work times 1 / sin^s of the ring; both may be the same memory if
 * the rings are all of the block. */
__global__ void __launch_bounds__ (n_threads)
scale_kernel (ArmillaSpinRows rows, int spin, const double *pairs, const double *work, double *tile)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x, ring = blockIdx.y;
  const int64_t field = blockIdx.z;

  if (i < 4 * rows.n_orders)
    tile[armilla_spin_rows_tile (&rows, field, ring) + i]
      = armilla_spin_row_factor (&rows, pairs, ring, spin, 0)
        * work[armilla_spin_rows_work (&rows, field, ring, rows.n_orders) + i];
}

__global__ void __launch_bounds__ (n_threads)
scale_back_kernel (ArmillaSpinRows rows, int spin, const double *pairs, const double *tile,
                   double *work)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x, ring = blockIdx.y;
  const int64_t field = blockIdx.z;

  if (i < 4 * rows.n_orders)
    work[armilla_spin_rows_work (&rows, field, ring, rows.n_orders) + i]
      = armilla_spin_row_factor (&rows, pairs, ring, spin, 0)
        * tile[armilla_spin_rows_tile (&rows, field, ring) + i];
}

__global__ void __launch_bounds__ (n_threads)
clear_kernel (ArmillaSpinRows rows, double *tile)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x;

  if (i < 4 * rows.n_orders)
    tile[armilla_spin_rows_tile (&rows, blockIdx.z, blockIdx.y) + i] = 0;
}

__global__ void __launch_bounds__ (n_threads)
add_kernel (ArmillaSpinRows rows, ArmillaSpinRun run, int kind, int spin, const double *pairs,
            const double *work, double *tile)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x, ring = blockIdx.y;

  if (i < run.n)
    armilla_spin_rows_add (&rows, &run, kind, blockIdx.z, ring, i,
                           armilla_spin_row_factor (&rows, pairs, ring, spin, 1), work, tile);
}

__global__ void __launch_bounds__ (n_threads)
get_kernel (ArmillaSpinRows rows, ArmillaSpinRun run, int kind, int spin, const double *pairs,
            const double *tile, double *work)
{
  const int64_t i = (int64_t) blockIdx.x * n_threads + threadIdx.x, ring = blockIdx.y;

  if (i < run.n)
    armilla_spin_rows_get (&rows, &run, kind, blockIdx.z, ring, i,
                           armilla_spin_row_factor (&rows, pairs, ring, spin, 1), tile, work);
}

/* Arguments that the calls for one kind of rings share. */
struct Rings
{
  const ArmillaSpinShape *shape;
  ArmillaSpinRows rows;
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];
  int64_t n_fields;
  const double *table, *pairs; /* pairs: of the whole block */
  double *some, *work;         /* copy of @pairs for these rings; tile of one run */
  cudaStream_t stream;
};

Rings
rings_of (const ArmillaSpinShape *shape, int64_t first, int64_t n, const double *table,
          const double *pairs, double *scratch, cudaStream_t stream)
{
  Rings rings = { shape,
                  { shape->n_pairs, shape->m_last - shape->m_first + 1, shape->m_first, first, n },
                  {},
                  2 * shape->n_maps,
                  table,
                  pairs,
                  scratch,
                  scratch + ARMILLA_PAIR_ROWS * shape->n_pairs,
                  stream };

  armilla_spin_runs (shape, rings.runs);
  if (n > 0)
    pairs_kernel<<<grid_of (n, ARMILLA_PAIR_ROWS, 1), n_threads, 0, stream>>> (rings.rows, pairs,
                                                                               rings.some);
  return rings;
}

int
middle_synthesis (const Rings &r, const double *prepared, double *tile)
{
  const ArmillaSpinRun &run = r.runs[ARMILLA_SPIN_MIDDLE];
  const ArmillaDeltaShape s = run_shape (r.shape, run, r.rows.n);
  double *work = r.rows.n == r.rows.n_pairs ? tile : r.work;
  int status;

  if (r.rows.n == 0)
    return cudaSuccess;
  status = armilla_delta_synthesis_launch (&s, r.table + run.table, prepared + run.prepared, r.some,
                                           work, r.stream);
  if (status != cudaSuccess)
    return status;
  scale_kernel<<<grid_of (4 * r.rows.n_orders, r.rows.n, r.n_fields), n_threads, 0, r.stream>>> (
    r.rows, r.shape->spin, r.pairs, work, tile);
  return cudaGetLastError ();
}

int
middle_adjoint (const Rings &r, const double *tile, double *prepared)
{
  const ArmillaSpinRun &run = r.runs[ARMILLA_SPIN_MIDDLE];
  const ArmillaDeltaShape s = run_shape (r.shape, run, r.rows.n);
  int status;

  if (r.rows.n == 0)
    return cudaSuccess;
  scale_back_kernel<<<grid_of (4 * r.rows.n_orders, r.rows.n, r.n_fields), n_threads, 0,
                      r.stream>>> (r.rows, r.shape->spin, r.pairs, tile, r.work);
  status = cudaGetLastError ();
  if (status == cudaSuccess)
    status = armilla_delta_adjoint_launch (&s, r.table + run.table, r.work, r.some,
                                           prepared + run.prepared, r.stream);
  return status;
}

int
polar_synthesis (const Rings &r, const double *prepared, double *tile)
{
  int status = cudaSuccess;

  if (r.rows.n == 0)
    return cudaSuccess;
  clear_kernel<<<grid_of (4 * r.rows.n_orders, r.rows.n, r.n_fields), n_threads, 0, r.stream>>> (
    r.rows, tile);
  for (int k = ARMILLA_SPIN_UP; k <= ARMILLA_SPIN_FOLDED && status == cudaSuccess; k++)
    {
      const ArmillaSpinRun &run = r.runs[k];
      const ArmillaDeltaShape s = run_shape (r.shape, run, r.rows.n);

      if (run.n == 0)
        continue;
      status = armilla_delta_synthesis_launch (&s, r.table + run.table, prepared + run.prepared,
                                               r.some, r.work, r.stream);
      if (status != cudaSuccess)
        break;
      add_kernel<<<grid_of (run.n, r.rows.n, r.n_fields), n_threads, 0, r.stream>>> (
        r.rows, run, k, r.shape->spin, r.pairs, r.work, tile);
      status = cudaGetLastError ();
    }
  return status;
}

int
polar_adjoint (const Rings &r, const double *tile, double *prepared)
{
  int status = cudaSuccess;

  for (int k = ARMILLA_SPIN_UP; k <= ARMILLA_SPIN_FOLDED && status == cudaSuccess; k++)
    {
      const ArmillaSpinRun &run = r.runs[k];
      const ArmillaDeltaShape s = run_shape (r.shape, run, r.rows.n);

      if (run.n == 0 || r.rows.n == 0)
        continue;
      get_kernel<<<grid_of (run.n, r.rows.n, r.n_fields), n_threads, 0, r.stream>>> (
        r.rows, run, k, r.shape->spin, r.pairs, tile, r.work);
      status = cudaGetLastError ();
      if (status == cudaSuccess)
        status = armilla_delta_adjoint_launch (&s, r.table + run.table, r.work, r.some,
                                               prepared + run.prepared, r.stream);
    }
  return status;
}

/* Processes the rings away from the poles and then, in the same scratch space, those near a
 * pole. */
int
on_all_rings (int (*middle) (const Rings &, const double *, double *),
              int (*polar) (const Rings &, const double *, double *),
              const ArmillaSpinShape *shape, int64_t n_polar, const double *table,
              const double *pairs, const double *in, double *out, double *scratch,
              cudaStream_t stream)
{
  const int status = middle (
    rings_of (shape, n_polar, shape->n_pairs - n_polar, table, pairs, scratch, stream), in, out);

  if (status != cudaSuccess)
    return status;
  return polar (rings_of (shape, 0, n_polar, table, pairs, scratch, stream), in, out);
}

} // namespace

int
armilla_spin_table_launch (const ArmillaSpinShape *shape, double *table, cudaStream_t stream)
{
  int status = cudaSuccess;
  ArmillaSpinRun runs[ARMILLA_SPIN_RUNS];

  armilla_spin_runs (shape, runs);
  for (int r = 0; r < ARMILLA_SPIN_RUNS && status == cudaSuccess; r++)
    if (runs[r].n > 0)
      {
        const ArmillaDeltaShape s = run_shape (shape, runs[r], 0);

        status = armilla_delta_table_launch (&s, table + runs[r].table, stream);
      }
  return status;
}

int
armilla_spin_synthesis_launch (const ArmillaSpinShape *shape, int64_t n_polar, const double *table,
                               const double *prepared, const double *pairs, double *tile,
                               double *scratch, cudaStream_t stream)
{
  return on_all_rings (middle_synthesis, polar_synthesis, shape, n_polar, table, pairs, prepared,
                       tile, scratch, stream);
}

int
armilla_spin_adjoint_launch (const ArmillaSpinShape *shape, int64_t n_polar, const double *table,
                             const double *tile, const double *pairs, double *prepared,
                             double *scratch, cudaStream_t stream)
{
  return on_all_rings (middle_adjoint, polar_adjoint, shape, n_polar, table, pairs, tile, prepared,
                       scratch, stream);
}
