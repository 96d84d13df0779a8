/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta/theta-interpolation.h"

#include "codelets/theta/theta-rows.h"

/* A thread holds one order of eight pairs (synthesis) or of eight rings of the grid (adjoint), both
 * hemispheres: 32 sums. Neighbouring threads hold neighbouring orders, so memory is read by whole
 * lines; weights are the same for a whole block and come from shared memory by broadcast. Every
 * value that is loaded serves sixteen times, every weight four, and FMA issue is the limit: 32 FMA
 * for each ring of a window of about 110, 7.4e9 FMA a map of one field at nside 2048, lmax 4096. */
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

/* Rings of the grid that are staged at a time, and groups of the adjoint. */
constexpr int n_rows = 128, n_groups = 16;

__global__ void
__launch_bounds__ (N_THREADS)
synthesis_kernel (ArmillaThetaShape shape, const double *weights, Tiles grid, double *tile)
{
  __shared__ double2 weight[n_rows][GROUP / 2];
  __shared__ const double2 *row[n_rows][2];
  __shared__ double odd_sign[n_rows];
  const int64_t order = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t group = blockIdx.y, field = blockIdx.z;
  const double2 *w = (const double2 *) (weights + armilla_theta_firsts (&shape)
                                        + group * shape.n_window * GROUP);
  const int64_t first = (int64_t) weights[group];
  const bool odd = (shape.m_first + shape.spin + order) % 2;
  double2 sum[GROUP][2] = {};

  for (int64_t j0 = 0; j0 < shape.n_window; j0 += n_rows)
    {
      const int n = (int) (shape.n_window - j0 < n_rows ? shape.n_window - j0 : n_rows);

      __syncthreads ();
      for (int j = threadIdx.x; j < n; j += N_THREADS)
        {
          const ArmillaThetaRing ring = armilla_theta_ring (&shape, first + j0 + j);

          odd_sign[j] = ring.beyond ? -1 : 1;
          for (int i = 0; i < 2; i++)
            row[j][i] = ring_at (grid.tile[ring.tile], shape, shape.tile_pairs[ring.tile], field,
                                 ring.pair, ring.south ^ i, 0);
        }
      for (int j = threadIdx.x; j < n * GROUP / 2; j += N_THREADS)
        weight[0][j] = w[j0 * GROUP / 2 + j];
      __syncthreads ();
      if (order < shape.n_orders)
#pragma unroll 4
        for (int j = 0; j < n; j++)
          {
            const double sign = odd ? odd_sign[j] : 1;
            const double2 north = sign * row[j][0][order], south = sign * row[j][1][order];

#pragma unroll
            for (int i = 0; i < GROUP / 2; i++)
              {
                const double2 two = weight[j][i];

                add_product (two.x, north, sum[2 * i][0]);
                add_product (two.x, south, sum[2 * i][1]);
                add_product (two.y, north, sum[2 * i + 1][0]);
                add_product (two.y, south, sum[2 * i + 1][1]);
              }
          }
    }
  if (order >= shape.n_orders)
    return;
#pragma unroll
  for (int i = 0; i < GROUP; i++)
    if (group * GROUP + i < shape.n_pairs)
      for (int south = 0; south < 2; south++)
        *ring_at (tile, shape, shape.n_pairs, field, group * GROUP + i, south, order)
          = sum[i][south];
}

/* weight[group][pair][ring] of groups g0 .. g0 + n - 1 and rings row .. row + GROUP - 1. */
__device__ void
stage_weights (const ArmillaThetaShape &shape, const double *weights, int64_t g0, int n,
               int64_t row, double2 (*weight)[GROUP][GROUP / 2])
{
  const double *table = weights + armilla_theta_firsts (&shape);

  for (int k = threadIdx.x; k < n * GROUP * GROUP; k += N_THREADS)
    {
      const int g = k / (GROUP * GROUP), r = k / GROUP % GROUP, i = k % GROUP;
      const int64_t j = row + r - (int64_t) weights[g0 + g];

      ((double *) weight[g][i])[r]
        = j >= 0 && j < shape.n_window ? table[((g0 + g) * shape.n_window + j) * GROUP + i] : 0;
    }
}

/* The sums of eight rings, added to the tiles. */
__device__ void
add_rings (const ArmillaThetaShape &shape, const Tiles &grid, int64_t field, int64_t order,
           int64_t row, int64_t to, const double2 (*sum)[2])
{
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

/* Rings @from .. @to - 1 of the continued grid, none of which is another's mirror or continuation:
 * eight of them a block, added to the tiles. */
__global__ void
__launch_bounds__ (N_THREADS)
adjoint_kernel (ArmillaThetaShape shape, const double *weights, const double *tile, Tiles grid,
                int64_t from, int64_t to)
{
  __shared__ double2 weight[n_groups][GROUP][GROUP / 2]; /* [group][pair][ring] */
  const int64_t order = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t row = from + (int64_t) blockIdx.y * GROUP, field = blockIdx.z;
  const int64_t all_groups = armilla_theta_groups (&shape);
  const double2 *values = ring_at ((double *) tile, shape, shape.n_pairs, field, 0, 0, order);
  int64_t begin = 0, end = all_groups;
  double2 sum[GROUP][2] = {};

  /* Windows begin in the order of the groups. */
  while (begin < end && (int64_t) weights[begin] + shape.n_window <= row)
    begin++;
  while (begin < end && (int64_t) weights[end - 1] >= row + GROUP)
    end--;
  for (int64_t g0 = begin; g0 < end; g0 += n_groups)
    {
      const int n = (int) (end - g0 < n_groups ? end - g0 : n_groups);

      __syncthreads ();
      stage_weights (shape, weights, g0, n, row, weight);
      __syncthreads ();
      if (order < shape.n_orders)
        for (int g = 0; g < n; g++)
#pragma unroll 2
          for (int i = 0; i < GROUP && (g0 + g) * GROUP + i < shape.n_pairs; i++)
            {
              const double2 *pair = values + 2 * ((g0 + g) * GROUP + i) * shape.n_orders;
              const double2 north = pair[0], south = pair[shape.n_orders];

#pragma unroll
              for (int r = 0; r < GROUP / 2; r++)
                {
                  const double2 two = weight[g][i][r];

                  add_product (two.x, north, sum[2 * r][0]);
                  add_product (two.x, south, sum[2 * r][1]);
                  add_product (two.y, north, sum[2 * r + 1][0]);
                  add_product (two.y, south, sum[2 * r + 1][1]);
                }
            }
    }
  if (order < shape.n_orders)
    add_rings (shape, grid, field, order, row, to, sum);
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
int
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
int
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
