/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/rings/redistribute.h"

#define THREADS 128

/* A thread block copies the orders of one ring of one field: 16 bytes read and 16 written per
 * order, at memory bandwidth. */
static __global__ void
forward_kernel (ArmillaRedistributeShape shape, const ArmillaRingSlot *slots, const double2 *tile,
                double2 *modes)
{
  const int64_t row = blockIdx.x, n = shape.m_last - shape.m_first + 1;
  const bool present = slots[row % (2 * shape.n_pairs)].n_phi != 0;

  tile += armilla_redistribute_tile_row (&shape, row) * n;
  modes += row * (shape.mmax + 1) + shape.m_first;
  for (int64_t m = threadIdx.x; m < n; m += THREADS)
    modes[m] = present ? tile[m] : make_double2 (0, 0);
}

static __global__ void
backward_kernel (ArmillaRedistributeShape shape, const ArmillaRingSlot *slots,
                 const double2 *modes, double2 *tile)
{
  const int64_t row = blockIdx.x, n = shape.m_last - shape.m_first + 1;
  const bool present = slots[row % (2 * shape.n_pairs)].n_phi != 0;

  tile += armilla_redistribute_tile_row (&shape, row) * n;
  modes += row * (shape.mmax + 1) + shape.m_first;
  for (int64_t m = threadIdx.x; m < n; m += THREADS)
    tile[m] = present ? modes[m] : make_double2 (0, 0);
}

static unsigned
rows_of (const ArmillaRedistributeShape *shape)
{
  return (unsigned) (shape->n_fields * 2 * shape->n_pairs);
}

int
armilla_redistribute_forward_launch (const ArmillaRedistributeShape *shape,
                                     const ArmillaRingSlot *slots, const double *tile,
                                     double *modes, cudaStream_t stream)
{
  if (rows_of (shape) > 0)
    forward_kernel<<<rows_of (shape), THREADS, 0, stream>>> (
      *shape, slots, (const double2 *) tile, (double2 *) modes);
  return cudaGetLastError ();
}

int
armilla_redistribute_backward_launch (const ArmillaRedistributeShape *shape,
                                      const ArmillaRingSlot *slots, const double *modes,
                                      double *tile, cudaStream_t stream)
{
  if (rows_of (shape) > 0)
    backward_kernel<<<rows_of (shape), THREADS, 0, stream>>> (
      *shape, slots, (const double2 *) modes, (double2 *) tile);
  return cudaGetLastError ();
}
