/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation and spreading on GPUs. A thread block works on one cell of up to two fields; the
 * pixels of the supports of the cell, its patch, are in shared memory.
 *
 * To spread, thread (i, j) of width x width owns the pixels of the patch whose row is i and whose
 * column is j modulo the width. Each point adds to exactly one of them, so that the threads need no
 * atomics and no barrier between points, and sums are in the order of the points. Patches of
 * neighbouring cells overlap; those of cells that are launched together do not. */
#include "codelets/points/points.h"

namespace {

constexpr int n_threads = 256, max_fields = 2;
/* points whose weights are in shared memory */
constexpr int batch = 32;

struct Pointers {
  const double *at[ARMILLA_POINTS_TILES];
};

/* rows and columns of the support of a cell, and doubles per row: odd, against bank conflicts */
template <int W> constexpr int side = ARMILLA_POINTS_CELL + W - 1;
template <int W> constexpr int stride = side<W> | 1;
template <int W> constexpr int patch_size = side<W> * stride<W>;

template <int W>
__device__ __forceinline__ void
taps (const ArmillaPointsKernel &kernel, double part, double *weight)
{
  constexpr int half = ARMILLA_POINTS_HALF (W);
  const double v = part + part - 1, square = v * v;
  double even[half], odd[half];

#pragma unroll
  for (int j = 0; j < half; j++)
    even[j] = odd[j] = 0;
  for (int i = (int) kernel.n_terms - 1; i >= 0; i--)
#pragma unroll
    for (int j = 0; j < half; j++)
      {
        even[j] = fma (even[j], square, kernel.table[2 * (i * half + j)]);
        odd[j] = fma (odd[j], square, kernel.table[2 * (i * half + j) + 1]);
      }
#pragma unroll
  for (int j = 0; j < half; j++)
    {
      weight[W - 1 - j] = even[j] - v * odd[j];
      weight[j] = even[j] + v * odd[j];
    }
}

/* Returns the address of the first pixel of a ring of a field. */
__device__ const double *
find_row (const ArmillaPointsShape &shape, const ArmillaPointsTiles &tiles, const Pointers &tile,
          int64_t field, const ArmillaPointsRing &ring)
{
  int64_t i = 0, row;

  while (ring.pair >= tiles.first_pair[i] + tiles.n_pairs[i])
    i++;
  row = armilla_points_tile_row (&shape.band, tiles.first_pair[i], tiles.n_pairs[i], &ring);
  row += field * armilla_points_tile_rows (&shape.band, tiles.first_pair[i], tiles.n_pairs[i]);
  return tile.at[i] + row * shape.band.n_columns;
}

/* Copies the patch of a cell to shared memory, one row per warp at a time. */
template <int W>
__device__ __forceinline__ void
read_patch (const ArmillaPointsShape &shape, const ArmillaPointsTiles &tiles,
            const Pointers &tile, int64_t field, const ArmillaPointsCell &cell, double *patch)
{
  const int64_t n_columns = shape.band.n_columns;

  for (int row = (int) threadIdx.x / 32; row < cell.n_rows; row += n_threads / 32)
    {
      const int64_t at = armilla_points_first_row (&shape.band) + cell.row + row;
      const ArmillaPointsRing ring = armilla_points_ring (&shape.band, cell.half, at);
      const double *from = find_row (shape, tiles, tile, field, ring);
      const double sign = ring.beyond && shape.spin % 2 ? -1 : 1;
      const int64_t first = cell.column + (ring.beyond ? n_columns / 2 : 0);

      for (int i = threadIdx.x % 32; i < cell.n_columns; i += 32)
        patch[row * stride<W> + i] = sign * from[(first + i) % n_columns];
    }
}

template <int W>
__global__ void
__launch_bounds__ (n_threads)
interpolate_kernel (const ArmillaPointsShape shape, const ArmillaPointsTiles tiles,
                    const Pointers tile, const double *places, const int64_t *start, double *values)
{
  extern __shared__ double patch[];
  const int64_t begin = start[blockIdx.x] - start[0], end = start[blockIdx.x + 1] - start[0];
  const int64_t field = (int64_t) blockIdx.y * max_fields;
  const int n_fields = (int) min ((int64_t) max_fields, shape.n_fields - field);
  const ArmillaPointsCell cell = armilla_points_cell (&shape.band, blockIdx.x);

  if (begin == end)
    return;
  for (int f = 0; f < n_fields; f++)
    read_patch<W> (shape, tiles, tile, field + f, cell, patch + f * patch_size<W>);
  __syncthreads ();
  for (int64_t i = begin + threadIdx.x; i < end; i += n_threads)
    {
      const double y = places[2 * i], x = places[2 * i + 1];
      const int row = (int) y, column = (int) x;
      double rows[W], columns[W];

      taps<W> (shape.kernel, y - row, rows);
      taps<W> (shape.kernel, x - column, columns);
      for (int f = 0; f < n_fields; f++)
        {
          const double *at = patch + f * patch_size<W> + row * stride<W> + column;
          double sum = 0;

#pragma unroll
          for (int j = 0; j < W; j++)
            {
              double part = 0;

#pragma unroll
              for (int k = 0; k < W; k++)
                part = fma (columns[k], at[j * stride<W> + k], part);
              sum = fma (rows[j], part, sum);
            }
          values[(field + f) * shape.n_points + i] = sum;
        }
    }
}

/* The weights of a batch of points, where their supports begin, and their values. */
template <int W>
struct Batch {
  double weight[batch][2][W], value[max_fields][batch];
  int place[batch][2];
};

template <int W>
__device__ __forceinline__ void
load_batch (const ArmillaPointsShape &shape, const double *places, const double *values,
            int64_t first, int n, int n_fields, Batch<W> &points)
{
  for (int i = threadIdx.x; i < 2 * n; i += W * W)
    {
      const double at = places[2 * first + i];
      double weight[W];

      taps<W> (shape.kernel, at - (int) at, weight);
      points.place[i / 2][i % 2] = (int) at;
#pragma unroll
      for (int j = 0; j < W; j++)
        points.weight[i / 2][i % 2][j] = weight[j];
    }
  for (int i = threadIdx.x; i < n_fields * batch; i += W * W)
    if (i % batch < n)
      points.value[i / batch][i % batch] = values[i / batch * shape.n_points + first + i % batch];
}

/* Adds a batch of points to the pixels that this thread owns. */
template <int W>
__device__ __forceinline__ void
add_batch (const Batch<W> &points, int n, int n_fields, double *patch)
{
  const int own_row = (int) threadIdx.x / W, own_column = (int) threadIdx.x % W;

  for (int i = 0; i < n; i++)
    {
      const int row = points.place[i][0], column = points.place[i][1];
      const int j = (own_row + W * ARMILLA_POINTS_CELL - row) % W;
      const int k = (own_column + W * ARMILLA_POINTS_CELL - column) % W;
      double *to = patch + (row + j) * stride<W> + column + k;

      for (int f = 0; f < n_fields; f++)
        to[f * patch_size<W>]
          = fma (points.weight[i][0][j], points.value[f][i] * points.weight[i][1][k],
                 to[f * patch_size<W>]);
    }
}

/* Adds the patch of a cell to the spread values. On small grids, a patch is wider than a ring and
 * overlaps itself. */
template <int W>
__device__ __forceinline__ void
add_patch (const ArmillaPointsShape &shape, const ArmillaPointsCell &cell, int64_t field,
           const double *patch, double *spread)
{
  const int64_t n_columns = shape.band.n_columns;
  const int n = (int) min (n_columns, cell.n_columns);

  spread += ((2 * field + cell.half) * armilla_points_all_rows (&shape.band) + cell.row)
            * n_columns;
  for (int i = threadIdx.x; i < cell.n_rows * n; i += W * W)
    {
      double *to = spread + i / n * n_columns + (cell.column + i % n) % n_columns;
      double sum = *to;

      for (int64_t k = i % n; k < cell.n_columns; k += n_columns)
        sum += patch[i / n * stride<W> + k];
      *to = sum;
    }
}

/* Cells that are launched together: n_rows x n_columns of them, in every second row of cells from
 * @row on and every second column of cells from @column on. */
struct Colour {
  int64_t row, column, n_rows, n_columns;
};

template <int W>
__global__ void
__launch_bounds__ (W * W)
spread_kernel (const ArmillaPointsShape shape, const Colour colour, const double *places,
               const int64_t *start, const double *values, double *spread)
{
  extern __shared__ double patch[];
  __shared__ Batch<W> points;
  const int64_t cuts = armilla_points_cuts (shape.band.n_columns);
  const int64_t row = colour.row + 2 * (blockIdx.x / colour.n_columns % colour.n_rows);
  const int64_t column = colour.column + 2 * (blockIdx.x % colour.n_columns);
  const int64_t half = blockIdx.x / colour.n_columns / colour.n_rows;
  const int64_t i = (half * armilla_points_cuts (armilla_points_rows (&shape.band)) + row) * cuts
                    + column;
  const int64_t begin = start[i] - start[0], end = start[i + 1] - start[0];
  const int64_t field = (int64_t) blockIdx.y * max_fields;
  const int n_fields = (int) min ((int64_t) max_fields, shape.n_fields - field);
  const ArmillaPointsCell cell = armilla_points_cell (&shape.band, i);

  if (begin == end)
    return;
  for (int k = threadIdx.x; k < n_fields * patch_size<W>; k += W * W)
    patch[k] = 0;
  for (int64_t first = begin; first < end; first += batch)
    {
      const int n = (int) min ((int64_t) batch, end - first);

      __syncthreads ();
      load_batch<W> (shape, places, values + field * shape.n_points, first, n, n_fields, points);
      __syncthreads ();
      add_batch<W> (points, n, n_fields, patch);
    }
  __syncthreads ();
  for (int f = 0; f < n_fields; f++)
    add_patch<W> (shape, cell, field + f, patch + f * patch_size<W>, spread);
}

/* Sums what the bands have spread for a pixel, in the order of the bands. */
__global__ void
__launch_bounds__ (n_threads)
gather_kernel (const ArmillaPointsShape shape, const ArmillaPointsTiles bands,
               const Pointers spread, int64_t n_rows, double *tile)
{
  const int64_t n_columns = shape.band.n_columns, row = blockIdx.x;
  const int64_t ring = armilla_points_ring_of_row (&shape.band, row), field = blockIdx.y;

  for (int64_t column = threadIdx.x; column < n_columns; column += n_threads)
    {
      double sum = 0;

      for (int64_t i = 0; i < bands.n; i++)
        {
          const ArmillaPointsBand band
            = armilla_points_other_band (&shape.band, bands.first_pair[i], bands.n_pairs[i]);
          ArmillaPointsSource source[ARMILLA_POINTS_SOURCES];

          armilla_points_sources (&band, ring, source);
#pragma unroll
          for (int k = 0; k < ARMILLA_POINTS_SOURCES; k++)
            if (source[k].row >= 0)
              {
                const int64_t at = source[k].beyond ? (column + n_columns / 2) % n_columns : column;
                const double sign = source[k].beyond && shape.spin % 2 ? -1 : 1;

                sum += sign * spread.at[i][((2 * field + source[k].half)
                                            * armilla_points_all_rows (&band)
                                            + source[k].row) * n_columns + at];
              }
        }
      tile[(field * n_rows + row) * n_columns + column] = sum;
    }
}

Pointers
pointers_of (const ArmillaPointsTiles *tiles, const double *const *tile)
{
  Pointers pointers = {};

  for (int64_t i = 0; i < tiles->n; i++)
    pointers.at[i] = tile[i];
  return pointers;
}

/* Returns the bytes of shared memory for the patches of a thread block. */
template <int W, class Kernel>
int
shared_size (const ArmillaPointsShape *shape, Kernel kernel, cudaError_t *status)
{
  const int64_t n_fields = shape->n_fields < max_fields ? shape->n_fields : max_fields;
  const int size = (int) (n_fields * patch_size<W> * (int) sizeof (double));

  *status = cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, size);
  return size;
}

unsigned
field_groups (const ArmillaPointsShape *shape)
{
  return (unsigned) ((shape->n_fields + max_fields - 1) / max_fields);
}

template <int W>
int
interpolate (const ArmillaPointsShape *shape, const double *places, const int64_t *start,
             const ArmillaPointsTiles *tiles, const double *const *tile, double *values,
             cudaStream_t stream)
{
  const dim3 blocks ((unsigned) armilla_points_cells (&shape->band), field_groups (shape));
  cudaError_t status;
  const int size = shared_size<W> (shape, interpolate_kernel<W>, &status);

  if (status != cudaSuccess)
    return status;
  interpolate_kernel<W><<<blocks, n_threads, size, stream>>> (
    *shape, *tiles, pointers_of (tiles, tile), places, start, values);
  return cudaGetLastError ();
}

/* Launches even and odd rows and columns of cells in turn. The last column of cells is next to the
 * first one: if their number is odd, the last one is launched on its own. */
template <int W>
int
spread (const ArmillaPointsShape *shape, const double *places, const int64_t *start,
        const double *values, double *to, cudaStream_t stream)
{
  const int64_t rows = armilla_points_cuts (armilla_points_rows (&shape->band));
  const int64_t columns = armilla_points_cuts (shape->band.n_columns);
  const int64_t paired = columns > 1 ? columns / 2 : 0;
  const Colour of_columns[] = { { 0, 0, 0, paired }, { 0, 1, 0, paired },
                                { 0, columns - 1, 0, columns - 2 * paired } };
  cudaError_t status;
  const int size = shared_size<W> (shape, spread_kernel<W>, &status);

  if (status == cudaSuccess)
    status = cudaMemsetAsync (to, 0, sizeof (double) * (size_t) armilla_points_spread_size (shape),
                              stream);
  for (int64_t row = 0; row < 2; row++)
    for (int i = 0; i < 3 && status == cudaSuccess; i++)
      {
        Colour colour = of_columns[i];

        colour.row = row;
        colour.n_rows = (rows + 1 - row) / 2;
        if (colour.n_rows * colour.n_columns == 0)
          continue;
        spread_kernel<W><<<dim3 ((unsigned) (2 * colour.n_rows * colour.n_columns),
                                 field_groups (shape)), W * W, size, stream>>> (
          *shape, colour, places, start, values, to);
        status = cudaGetLastError ();
      }
  return status;
}

} // namespace

#define EACH_WIDTH(DO)                                                                             \
  DO (4) DO (5) DO (6) DO (7) DO (8) DO (9) DO (10) DO (11) DO (12) DO (13) DO (14) DO (15) DO (16)

int
armilla_points_interpolate_launch (const ArmillaPointsShape *shape, const double *places,
                                   const int64_t *start, const ArmillaPointsTiles *tiles,
                                   const double *const *tile, double *values, cudaStream_t stream)
{
#define INTERPOLATE(W)                                                                             \
  case W: return interpolate<W> (shape, places, start, tiles, tile, values, stream);
  switch (shape->kernel.width)
    {
      EACH_WIDTH (INTERPOLATE)
    default: return cudaErrorInvalidValue;
    }
}

int
armilla_points_spread_launch (const ArmillaPointsShape *shape, const double *places,
                              const int64_t *start, const double *values, double *to,
                              cudaStream_t stream)
{
#define SPREAD(W)                                                                                  \
  case W: return spread<W> (shape, places, start, values, to, stream);
  switch (shape->kernel.width)
    {
      EACH_WIDTH (SPREAD)
    default: return cudaErrorInvalidValue;
    }
}

int
armilla_points_gather_launch (const ArmillaPointsShape *shape, const ArmillaPointsTiles *bands,
                              const double *const *from, double *tile, cudaStream_t stream)
{
  const int64_t n_rows = armilla_points_tile_rows (&shape->band, shape->band.first_pair,
                                                   shape->band.n_pairs);

  gather_kernel<<<dim3 ((unsigned) n_rows, (unsigned) shape->n_fields), n_threads, 0, stream>>> (
    *shape, *bands, pointers_of (bands, from), n_rows, tile);
  return cudaGetLastError ();
}
