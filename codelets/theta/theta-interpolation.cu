/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/theta/theta-interpolation.h"

#include <cuda_pipeline.h>

#include "codelets/legendre/delta-mma.cuh"
#include "codelets/theta/theta-rows.h"

/* Both directions are banded matrix products, computed by the matrix unit. A warp computes sixteen
 * rings with sixteen orders of both hemispheres; four warps share the inputs, which pass through
 * shared memory sixteen rings at a time, with their weights. */
#define GROUP ARMILLA_THETA_GROUP

namespace {

constexpr int n_warps = 4;
constexpr int n_threads = 32 * n_warps;
constexpr int n_blocks = 4;              /* per multiprocessor */
constexpr int n_rings = 16 * n_warps;    /* output rings of a block, in each hemisphere */
constexpr int n_orders = 16;             /* per block */
constexpr int n_columns = 2 * n_orders;  /* real numbers of a ring in a block */
constexpr int depth = 16;                /* input rings staged at a time */
constexpr int stride = 2 * n_columns + 4; /* rings begin in different banks of shared memory */

struct Tiles {
  double *tile[ARMILLA_THETA_TILES];
};

constexpr int n_weights = n_rings * depth / GROUP; /* rows of GROUP weights of a stage */

/* Some of the input rings, both hemispheres, and their weights: a row has those of a grid ring for
 * eight pairs of the map. */
struct Staged {
  double value[depth][stride];
  double weight[n_weights][GROUP + 4];
};

__device__ double *
ring_at (double *tile, const ArmillaThetaShape &shape, int64_t n_pairs, int64_t field, int64_t pair,
         int south)
{
  return tile + armilla_theta_row (&shape, n_pairs, field, pair, south);
}

/* Returns whether an order is not negligible on some ring of a group of pairs. */
__device__ bool
matters (const ArmillaThetaShape &shape, const double *weights, int64_t group, int64_t order)
{
  return (double) (shape.m_first + order - 3 * shape.spin)
         < armilla_theta_limits (&shape, weights)[group];
}

/* Returns the first order of the thread block, counted from that of the tiles. */
__device__ int64_t
first_order ()
{
  return (int64_t) blockIdx.x * n_orders;
}

/* Returns which of eight rings this lane processes. */
__device__ int
own_ring ()
{
  return threadIdx.x % 32 / 4;
}

__device__ int
count_lanes (bool what)
{
  return __popc (__ballot_sync (0xffffffff, what));
}

/* Sums rings of the grid for pairs of the map. */
struct Synthesis {
  const ArmillaThetaShape &shape;
  const double *weights;
  const Tiles &grid;
  double *tile;
  int64_t group, ring, begin, end;
  int64_t own_begin, own_end; /* those of rings begin .. end - 1 that this warp needs */

  __device__
  Synthesis (const ArmillaThetaShape &shape, const double *weights, const Tiles &grid,
             double *tile)
    : shape (shape), weights (weights), grid (grid), tile (tile),
      group ((int64_t) blockIdx.y * n_rings / GROUP),
      ring ((int64_t) blockIdx.y * n_rings + threadIdx.x / 32 * 16)
  {
    const int64_t last = min (group + n_rings / GROUP, armilla_theta_groups (&shape)) - 1;
    const int64_t own = ring / GROUP;

    begin = (int64_t) weights[group];
    end = matters (shape, weights, last, first_order ())
            ? (int64_t) weights[last] + shape.n_window : begin;
    own_begin = own <= last ? (int64_t) weights[own] : end;
    own_end = (int64_t) weights[min (own + 1, last)] + shape.n_window;
  }

  /* Returns the row @i of the weights of rings k .. k + depth - 1, eight numbers; NULL for
   * zeros. */
  __device__ const double *
  weights_of (int64_t k, int i) const
  {
    const int64_t own = group + i / depth;
    const int64_t j = own < armilla_theta_groups (&shape)
                        ? k + i % depth - (int64_t) weights[own] : -1;

    return j >= 0 && j < shape.n_window
             ? armilla_theta_table (&shape, weights) + (own * shape.n_window + j) * GROUP : NULL;
  }

  /* Returns the weight of staged ring k + i for this lane's ring of eight. */
  __device__ double
  weight (const Staged &staged, int half, int i) const
  {
    return staged.weight[(threadIdx.x / 32 * 2 + half) * depth + i][own_ring ()];
  }

  __device__ const double *
  from (int64_t k, int south) const
  {
    const ArmillaThetaRing at = armilla_theta_ring (&shape, k);

    return ring_at (grid.tile[at.tile], shape, shape.tile_pairs[at.tile], blockIdx.z, at.pair,
                    at.south ^ south);
  }

  /* Returns whether the factors of rings k .. k + depth - 1 are all 1. */
  __device__ bool
  is_plain (int64_t k) const
  {
    return k >= 0 && k + depth <= shape.n_grid;
  }

  /* Returns the sign of an order on a ring: -1 for odd ones beyond a pole. */
  __device__ double
  factor (int64_t k, int64_t order) const
  {
    const bool beyond = k < 0 || k >= shape.n_grid;

    return beyond && (shape.m_first + shape.spin + order) % 2 ? -1 : 1;
  }

  /* Returns the destination of the sums of this lane's ring of eight; NULL if the ring is beyond
   * the last one. */
  __device__ double2 *
  to (int half, int south) const
  {
    const int64_t pair = ring + GROUP * half + own_ring ();

    return pair < shape.n_pairs
             ? (double2 *) ring_at (tile, shape, shape.n_pairs, blockIdx.z, pair, south) : NULL;
  }

  __device__ void
  put (int half, int64_t order, double re, double im, double2 *to) const
  {
    *to = matters (shape, weights, ring / GROUP + half, order) ? make_double2 (re, im)
                                                               : make_double2 (0, 0);
  }
};

/* Sums pairs of the map for rings of the continued grid before @last, which all belong to different
 * ring pairs. */
struct Adjoint {
  const ArmillaThetaShape &shape;
  const double *weights, *tile;
  const Tiles &grid;
  int64_t first, last, begin, end, own_begin, own_end;

  __device__
  Adjoint (const ArmillaThetaShape &shape, const double *weights, const double *tile,
           const Tiles &grid, int64_t from, int64_t last)
    : shape (shape), weights (weights), tile (tile), grid (grid),
      first (from + (int64_t) blockIdx.y * n_rings), last (last), begin (0), end (0),
      own_begin (0), own_end (0)
  {
    const int64_t all = armilla_theta_groups (&shape), own = first + threadIdx.x / 32 * 16;

    /* The first ring of the window increases with the group, and so does the first negligible
     * order. */
    for (int64_t g0 = 0; g0 < all; g0 += 32)
      {
        const int64_t g = g0 + threadIdx.x % 32;
        const int64_t at = g < all ? (int64_t) weights[g] : INT64_MAX / 2;
        const bool idle = g < all && !matters (shape, weights, g, first_order ());

        begin += count_lanes (idle || at + shape.n_window <= first);
        own_begin += count_lanes (idle || at + shape.n_window <= own);
        end += count_lanes (at < first + n_rings);
        own_end += count_lanes (at < own + 16);
      }
    begin *= GROUP;
    own_begin *= GROUP;
    end = min (end * GROUP, shape.n_pairs);
    own_end = min (own_end * GROUP, shape.n_pairs);
  }

  __device__ const double *
  weights_of (int64_t k, int i) const
  {
    const int64_t group = k / GROUP + i / n_rings;
    const int64_t j = group * GROUP < end ? first + i % n_rings - (int64_t) weights[group] : -1;

    return j >= 0 && j < shape.n_window
             ? armilla_theta_table (&shape, weights) + (group * shape.n_window + j) * GROUP : NULL;
  }

  __device__ double
  weight (const Staged &staged, int half, int i) const
  {
    const int row = threadIdx.x / 32 * 16 + GROUP * half + own_ring ();

    return staged.weight[i / GROUP * n_rings + row][i % GROUP];
  }

  __device__ const double *
  from (int64_t k, int south) const
  {
    return ring_at ((double *) tile, shape, shape.n_pairs, blockIdx.z, k, south);
  }

  __device__ bool
  is_plain (int64_t k) const
  {
    return matters (shape, weights, k / GROUP, first_order () + n_orders - 1);
  }

  __device__ double
  factor (int64_t k, int64_t order) const
  {
    return k < end && !matters (shape, weights, k / GROUP, order) ? 0 : 1;
  }

  __device__ int64_t
  row_of (int half) const
  {
    return first + threadIdx.x / 32 * 16 + GROUP * half + own_ring ();
  }

  __device__ double2 *
  to (int half, int south) const
  {
    const ArmillaThetaRing at = armilla_theta_ring (&shape, min (row_of (half), last - 1));

    return row_of (half) < last && begin < end
             ? (double2 *) ring_at (grid.tile[at.tile], shape, shape.tile_pairs[at.tile],
                                    blockIdx.z, at.pair, at.south ^ south)
             : NULL;
  }

  __device__ void
  put (int half, int64_t order, double re, double im, double2 *to) const
  {
    const bool beyond = row_of (half) < 0 || row_of (half) >= shape.n_grid;
    const double sign = beyond && (shape.m_first + shape.spin + order) % 2 ? -1 : 1;

    *to = make_double2 (fma (sign, re, to->x), fma (sign, im, to->y));
  }
};

/* Starts the asynchronous loads of rings k .. k + depth - 1 of both hemispheres and their weights,
 * sixteen bytes per thread at a time. */
template <class Side>
__device__ __forceinline__ void
stage (const Side &side, int64_t k, Staged &staged)
{
  constexpr int of_ring = 2 * n_orders, of_weights = GROUP / 2;

#pragma unroll 2
  for (int i = threadIdx.x; i < depth * of_ring; i += n_threads)
    {
      const int row = i / of_ring, south = i / n_orders % 2, order = i % n_orders;
      const bool is = k + row < side.end && first_order () + order < side.shape.n_orders;
      const double *from
        = is ? side.from (k + row, south) + 2 * (first_order () + order) : side.weights;

      __pipeline_memcpy_async (&staged.value[row][south * n_columns + 2 * order], from, 16,
                               is ? 0 : 16);
    }
#pragma unroll 2
  for (int i = threadIdx.x; i < n_weights * of_weights; i += n_threads)
    {
      const double *from = side.weights_of (k, i / of_weights);

      __pipeline_memcpy_async (&staged.weight[i / of_weights][2 * (i % of_weights)],
                               from ? from + 2 * (i % of_weights) : side.weights, 16,
                               from ? 0 : 16);
    }
  __pipeline_commit ();
}

/* A lane's part of the sums: matrices of sixteen rings and eight columns. */
struct Sums {
  double c[2 * n_columns / 8][4];
};

/* Adds the products of the staged rings, the first of which is ring @k. */
template <bool PLAIN, class Side>
__device__ __forceinline__ void
multiply (const Side &side, int64_t k, const Staged &staged, Sums &sums)
{
  const int g = own_ring (), t = threadIdx.x % 4;

#pragma unroll
  for (int j = 0; j < depth; j += 8)
    {
      double a[4];

#pragma unroll
      for (int h = 0; h < 4; h++)
        a[h] = side.weight (staged, h % 2, j + t + 4 * (h / 2));
#pragma unroll
      for (int u = 0; u < 2 * n_columns / 8; u++)
        {
          double b[2];

#pragma unroll
          for (int h = 0; h < 2; h++)
            {
              const int row = j + 4 * h + t;

              b[h] = staged.value[row][8 * u + g];
              if (!PLAIN)
                b[h] *= side.factor (k + row, first_order () + u % (n_columns / 8) * 4 + g / 2);
            }
          warp_multiply (sums.c[u], a, b[0], b[1]);
        }
    }
}

template <class Side>
__device__ __forceinline__ void
put_sums (const Side &side, const Sums &sums)
{
#pragma unroll
  for (int h = 0; h < 2; h++)
#pragma unroll
    for (int south = 0; south < 2; south++)
      {
        double2 *to = side.to (h, south);

#pragma unroll
        for (int u = 0; u < n_columns / 8; u++)
          {
            const int64_t order = first_order () + 4 * u + threadIdx.x % 4;
            const double *sum = sums.c[south * (n_columns / 8) + u] + 2 * h;

            if (to && order < side.shape.n_orders)
              side.put (h, order, sum[0], sum[1], to + order);
          }
      }
}

template <class Side>
__device__ __forceinline__ void
run (const Side &side)
{
  __shared__ Staged staged[2];
  Sums sums = {};
  int b = 0;

  if (side.begin < side.end)
    stage (side, side.begin, staged[0]);
  for (int64_t k = side.begin; k < side.end; k += depth, b ^= 1)
    {
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (k + depth < side.end)
        stage (side, k + depth, staged[b ^ 1]);
      if (k + depth <= side.own_begin || k >= side.own_end)
        continue;
      if (side.is_plain (k))
        multiply<true> (side, k, staged[b], sums);
      else
        multiply<false> (side, k, staged[b], sums);
    }
  put_sums (side, sums);
}

__global__ void
__launch_bounds__ (n_threads, n_blocks)
synthesis_kernel (ArmillaThetaShape shape, const double *weights, Tiles grid, double *tile)
{
  run (Synthesis (shape, weights, grid, tile));
}

/* Adds to rings @from .. @to - 1 of the continued grid. */
__global__ void
__launch_bounds__ (n_threads, n_blocks)
adjoint_kernel (ArmillaThetaShape shape, const double *weights, const double *tile, Tiles grid,
                int64_t from, int64_t to)
{
  run (Adjoint (shape, weights, tile, grid, from, to));
}

dim3
blocks_of (const ArmillaThetaShape *shape, int64_t n)
{
  return dim3 ((unsigned) ((shape->n_orders + n_orders - 1) / n_orders),
               (unsigned) ((n + n_rings - 1) / n_rings), (unsigned) shape->n_fields);
}

} // namespace

int
armilla_theta_synthesis_launch (const ArmillaThetaShape *shape, const double *weights,
                                const double *const *grid, double *tile, cudaStream_t stream)
{
  Tiles tiles = {};

  for (int64_t i = 0; i < shape->n_tiles; i++)
    tiles.tile[i] = (double *) grid[i];
  synthesis_kernel<<<blocks_of (shape, shape->n_pairs), n_threads, 0, stream>>> (
    *shape, weights, tiles, tile);
  return cudaGetLastError ();
}

int
armilla_theta_adjoint_launch (const ArmillaThetaShape *shape, const double *weights,
                              const double *tile, int fresh, double *const *grid,
                              cudaStream_t stream)
{
  /* Four pieces (beyond the north pole, to the equator, to the south pole, beyond it), in each of
   * which all rings belong to different pairs, are processed in sequence, so that sums have a fixed
   * order. */
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
      adjoint_kernel<<<blocks_of (shape, to - from), n_threads, 0, stream>>> (
        *shape, weights, tile, tiles, from, to);
      status = cudaGetLastError ();
    }
  return status;
}
