/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta-cuda.h"

#include "codelets/theta-rows.h"

/* A thread holds one order of eight pairs (synthesis) or of eight rings of the grid (adjoint), both
 * hemispheres: 32 sums. Neighbouring threads hold neighbouring orders, so memory is read by whole
 * lines; weights are the same for a whole block and come by broadcast. Every value that is loaded
 * serves eight times: 4 FMA for each 16 bytes of L1, 1 for each weight, and FMA issue is the limit:
 * 32 FMA for each ring of a window of about 110, 3.7e9 FMA a map of one field at nside 2048. */
#define GROUP ARMILLA_THETA_GROUP
#define N_THREADS 128

namespace {

struct Tiles {
  double *tile[ARMILLA_THETA_TILES];
};

__device__ double2 *
ring_at (double *tile, const ArmillaThetaShape &shape, int64_t n_pairs, int64_t field, int64_t pair,
         int south, int64_t order)
{
  return (double2 *) (tile + armilla_theta_row (&shape, n_pairs, field, pair, south)) + order;
}

__device__ double2
operator* (double s, double2 x)
{
  return make_double2 (s * x.x, s * x.y);
}

__device__ void
add_product (double w, double2 x, double2 &sum)
{
  sum.x = fma (w, x.x, sum.x);
  sum.y = fma (w, x.y, sum.y);
}

__device__ double
sign_beyond (const ArmillaThetaShape &shape, const ArmillaThetaRing &ring, int64_t order)
{
  return ring.beyond && (shape.m_first + shape.spin + order) % 2 ? -1. : 1.;
}

__global__ void
synthesis_kernel (ArmillaThetaShape shape, const double *weights, Tiles grid, double *tile)
{
  const int64_t order = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t group = blockIdx.y, field = blockIdx.z;
  const double *w = weights + armilla_theta_firsts (&shape) + group * shape.n_window * GROUP;
  const int64_t first = (int64_t) weights[group];
  double2 sum[GROUP][2] = {};

  if (order >= shape.n_orders)
    return;
  for (int64_t j = 0; j < shape.n_window; j++, w += GROUP)
    {
      const ArmillaThetaRing ring = armilla_theta_ring (&shape, first + j);
      const int64_t n = shape.tile_pairs[ring.tile];
      const double sign = sign_beyond (shape, ring, order);
      double2 value[2];

      for (int i = 0; i < 2; i++)
        value[i] = sign
                   * *ring_at (grid.tile[ring.tile], shape, n, field, ring.pair, ring.south ^ i,
                               order);
#pragma unroll
      for (int i = 0; i < GROUP; i++)
        {
          add_product (w[i], value[0], sum[i][0]);
          add_product (w[i], value[1], sum[i][1]);
        }
    }
#pragma unroll
  for (int i = 0; i < GROUP; i++)
    if (group * GROUP + i < shape.n_pairs)
      for (int south = 0; south < 2; south++)
        *ring_at (tile, shape, shape.n_pairs, field, group * GROUP + i, south, order)
          = sum[i][south];
}

/* Rings @from .. @to - 1 of the continued grid, none of which is another's mirror or continuation:
 * eight of them a thread, added to the tiles. */
__global__ void
adjoint_kernel (ArmillaThetaShape shape, const double *weights, const double *tile, Tiles grid,
                int64_t from, int64_t to)
{
  const int64_t order = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t row = from + (int64_t) blockIdx.y * GROUP, field = blockIdx.z;
  const double *table = weights + armilla_theta_firsts (&shape);
  double2 sum[GROUP][2] = {};

  if (order >= shape.n_orders)
    return;
  for (int64_t group = 0; group < armilla_theta_groups (&shape); group++)
    {
      const int64_t first = (int64_t) weights[group];

      if (first >= row + GROUP || first + shape.n_window <= row)
        continue;
      for (int64_t i = 0; i < GROUP && group * GROUP + i < shape.n_pairs; i++)
        {
          const int64_t pair = group * GROUP + i;
          double *t = (double *) tile;
          const double2 north = *ring_at (t, shape, shape.n_pairs, field, pair, 0, order);
          const double2 south = *ring_at (t, shape, shape.n_pairs, field, pair, 1, order);

#pragma unroll
          for (int r = 0; r < GROUP; r++)
            {
              const int64_t j = row + r - first;
              const double w = j >= 0 && j < shape.n_window
                                 ? table[(group * shape.n_window + j) * GROUP + i]
                                 : 0;

              add_product (w, north, sum[r][0]);
              add_product (w, south, sum[r][1]);
            }
        }
    }
#pragma unroll
  for (int r = 0; r < GROUP; r++)
    if (row + r < to)
      {
        const ArmillaThetaRing ring = armilla_theta_ring (&shape, row + r);
        const int64_t n = shape.tile_pairs[ring.tile];
        const double sign = sign_beyond (shape, ring, order);

        for (int i = 0; i < 2; i++)
          {
            double2 *to_ring = ring_at (grid.tile[ring.tile], shape, n, field, ring.pair,
                                        ring.south ^ i, order);

            add_product (sign, sum[r][i], *to_ring);
          }
      }
}

dim3
blocks_of (const ArmillaThetaShape *shape, int64_t n)
{
  return dim3 ((unsigned) ((shape->n_orders + N_THREADS - 1) / N_THREADS), (unsigned) n,
               (unsigned) shape->n_fields);
}

} // namespace

/**
 * armilla_theta_synthesis_launch:
 * @shape: as for armilla_theta_synthesis_cpu(), as the other arguments
 * @weights: device memory
 * @grid: (array): tiles in device memory
 * @tile: device memory, aligned to 16 bytes as the grid's tiles
 * @stream: where to queue the work
 *
 * Returns: whether the work could be queued
 */
cudaError_t
armilla_theta_synthesis_launch (const ArmillaThetaShape *shape, const double *weights,
                                const double *const *grid, double *tile, cudaStream_t stream)
{
  Tiles tiles = {};

  for (int64_t i = 0; i < shape->n_tiles; i++)
    tiles.tile[i] = (double *) grid[i];
  synthesis_kernel<<<blocks_of (shape, armilla_theta_groups (shape)), N_THREADS, 0, stream>>> (
    *shape, weights, tiles, tile);
  return cudaGetLastError ();
}

/**
 * armilla_theta_adjoint_launch:
 * @shape: as for armilla_theta_adjoint_cpu(), as the other arguments
 * @weights: device memory
 * @tile: device memory
 * @fresh: bit i: tile i of the grid has no contents yet
 * @grid: (array): tiles in device memory
 * @stream: where to queue the work
 *
 * Returns: whether the work could be queued
 */
cudaError_t
armilla_theta_adjoint_launch (const ArmillaThetaShape *shape, const double *weights,
                              const double *tile, int fresh, double *const *grid,
                              cudaStream_t stream)
{
  /* Beyond a pole, between it and the equator, beyond the equator, beyond the other pole: pieces in
   * which no two rings are the same pair's, one after the other, so that sums have one order. */
  const int64_t borders[] = { shape->first, 0, shape->n_grid / 2, shape->n_grid,
                              shape->first + shape->n_rows };
  cudaError_t status = cudaSuccess;
  Tiles tiles = {};

  for (int64_t i = 0; i < shape->n_tiles && status == cudaSuccess; i++)
    {
      tiles.tile[i] = grid[i];
      if (fresh & 1 << i)
        status = cudaMemsetAsync (grid[i], 0,
                                  sizeof (double) * (size_t) (4 * shape->tile_pairs[i]
                                                              * shape->n_fields * shape->n_orders),
                                  stream);
    }
  for (int i = 0; i < 4 && status == cudaSuccess; i++)
    {
      const int64_t end = shape->first + shape->n_rows;
      const int64_t from = borders[i] > shape->first ? borders[i] : shape->first;
      const int64_t to = i < 3 && borders[i + 1] < end ? borders[i + 1] : end;

      if (from >= to)
        continue;
      adjoint_kernel<<<blocks_of (shape, (to - from + GROUP - 1) / GROUP), N_THREADS, 0, stream>>> (
        *shape, weights, tile, tiles, from, to);
      status = cudaGetLastError ();
    }
  return status;
}
