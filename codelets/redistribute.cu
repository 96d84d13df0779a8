/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/redistribute-cuda.h"

/* A block of threads moves a square of 32 orders by 32 pairs of one hemisphere through shared
 * memory: full lines on both sides. */
#define SIDE 32
#define ROWS 8

static __device__ int64_t
tile_index (const ArmillaRedistributeShape &shape, int64_t m, int64_t field, int row, int64_t p)
{
  return (((m - shape.m_first) * shape.n_fields + field) * 4 + row) * shape.n_pairs + p;
}

static __device__ int64_t
modes_index (const ArmillaRedistributeShape &shape, int64_t field, int64_t slot, int64_t m)
{
  return 2 * ((field * 2 * shape.n_pairs + slot) * (shape.mmax + 1) + m);
}

static __global__ void
forward_kernel (ArmillaRedistributeShape shape, const ArmillaRingSlot *slots, const double *tile,
                double *modes)
{
  __shared__ double2 square[SIDE][SIDE + 1]; /* [order][pair] */
  const int64_t p0 = (int64_t) blockIdx.x * SIDE, m0 = shape.m_first + (int64_t) blockIdx.y * SIDE;
  const int64_t field = blockIdx.z / 2;
  const int south = blockIdx.z % 2, x = threadIdx.x;

  if (p0 + x < shape.n_pairs)
    {
      const bool present = slots[2 * (p0 + x) + south].n_phi != 0;

      for (int y = threadIdx.y; y < SIDE && m0 + y <= shape.m_last; y += ROWS)
        square[y][x] =
            present ? make_double2 (tile[tile_index (shape, m0 + y, field, 2 * south, p0 + x)],
                                    tile[tile_index (shape, m0 + y, field, 2 * south + 1, p0 + x)])
                    : make_double2 (0, 0);
    }
  __syncthreads ();
  if (m0 + x <= shape.m_last)
    for (int y = threadIdx.y; y < SIDE && p0 + y < shape.n_pairs; y += ROWS)
      {
        double *mode = modes + modes_index (shape, field, 2 * (p0 + y) + south, m0 + x);

        mode[0] = square[x][y].x;
        mode[1] = square[x][y].y;
      }
}

static __global__ void
backward_kernel (ArmillaRedistributeShape shape, const ArmillaRingSlot *slots, const double *modes,
                 double *tile)
{
  __shared__ double2 square[SIDE][SIDE + 1]; /* [order][pair] */
  const int64_t p0 = (int64_t) blockIdx.x * SIDE, m0 = shape.m_first + (int64_t) blockIdx.y * SIDE;
  const int64_t field = blockIdx.z / 2;
  const int south = blockIdx.z % 2, x = threadIdx.x;

  if (m0 + x <= shape.m_last)
    for (int y = threadIdx.y; y < SIDE && p0 + y < shape.n_pairs; y += ROWS)
      {
        const int64_t slot = 2 * (p0 + y) + south;
        const double *mode = modes + modes_index (shape, field, slot, m0 + x);

        square[x][y] = slots[slot].n_phi ? make_double2 (mode[0], mode[1]) : make_double2 (0, 0);
      }
  __syncthreads ();
  if (p0 + x < shape.n_pairs)
    for (int y = threadIdx.y; y < SIDE && m0 + y <= shape.m_last; y += ROWS)
      {
        tile[tile_index (shape, m0 + y, field, 2 * south, p0 + x)] = square[y][x].x;
        tile[tile_index (shape, m0 + y, field, 2 * south + 1, p0 + x)] = square[y][x].y;
      }
}

static dim3
grid_of (const ArmillaRedistributeShape *shape)
{
  return dim3 ((unsigned) ((shape->n_pairs + SIDE - 1) / SIDE),
               (unsigned) ((shape->m_last - shape->m_first + SIDE) / SIDE),
               (unsigned) (2 * shape->n_fields));
}

/**
 * armilla_redistribute_forward_launch:
 * @shape: as for armilla_redistribute_forward_cpu(), as the other arguments
 * @slots: device memory
 * @tile: device memory
 * @modes: device memory
 * @stream: where to run
 *
 * Returns: what CUDA says of the launch
 */
cudaError_t
armilla_redistribute_forward_launch (const ArmillaRedistributeShape *shape,
                                     const ArmillaRingSlot *slots, const double *tile,
                                     double *modes, cudaStream_t stream)
{
  forward_kernel<<<grid_of (shape), dim3 (SIDE, ROWS), 0, stream>>> (*shape, slots, tile, modes);
  return cudaGetLastError ();
}

/**
 * armilla_redistribute_backward_launch:
 * @shape: as for armilla_redistribute_backward_cpu(), as the other arguments
 * @slots: device memory
 * @modes: device memory
 * @tile: device memory
 * @stream: where to run
 *
 * Returns: what CUDA says of the launch
 */
cudaError_t
armilla_redistribute_backward_launch (const ArmillaRedistributeShape *shape,
                                      const ArmillaRingSlot *slots, const double *modes,
                                      double *tile, cudaStream_t stream)
{
  backward_kernel<<<grid_of (shape), dim3 (SIDE, ROWS), 0, stream>>> (*shape, slots, modes, tile);
  return cudaGetLastError ();
}
