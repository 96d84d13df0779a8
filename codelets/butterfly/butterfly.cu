/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/butterfly/butterfly.h"

#include "codelets/legendre/delta-math.h"

/* A thread block takes one order and up to four fields through all stages; a warp takes nodes. Each
 * T is read once, a column (forward) or a tile (transposed) at a time by whole lines, and every
 * element that is loaded serves for 4 real numbers a field. With one field the limit is memory (8
 * bytes for 4 FMA), with four or more the loads of the vectors. There are only as many thread
 * blocks as the second-level cache can hold the vectors of.
 *
 * All sums have a fixed order: a thread adds the columns of a row one after the other. */
#define N_THREADS 512
#define N_WARPS (N_THREADS / 32)
#define TILE_ROWS 8 /* of T, for 32 columns: what a warp turns over in shared memory */
#define MOST_FIELDS ARMILLA_BUTTERFLY_DEVICE_FIELDS

namespace {

/* What a thread block works on. */
struct Item {
  ArmillaButterfly b;
  int64_t m, field, n_fields; /* fields from the first on */
  int64_t coefficients;       /* of the first field */
  double *x, *y;              /* [field][index][4] */
};

__device__ Item
item_get (const ArmillaButterflyBlock &block, const double *words, const int64_t *offsets,
          double *scratch, int64_t number)
{
  const int64_t n_batches = (block.n_fields + MOST_FIELDS - 1) / MOST_FIELDS;
  const int64_t size = armilla_butterfly_field_size (&block)
                       * (block.n_fields < MOST_FIELDS ? block.n_fields : MOST_FIELDS);
  Item item;

  item.m = block.m_first + number / n_batches;
  item.b = armilla_butterfly_open (words + offsets[item.m - block.m_first]);
  item.field = number % n_batches * MOST_FIELDS;
  item.n_fields = block.n_fields - item.field;
  if (item.n_fields > MOST_FIELDS)
    item.n_fields = MOST_FIELDS;
  item.coefficients = armilla_butterfly_coefficients (&block, item.m, item.field);
  item.x = scratch + 2 * size * blockIdx.x;
  item.y = item.x + size;
  return item;
}

__device__ void
turn_over (Item &item)
{
  double *t = item.x;

  item.x = item.y;
  item.y = t;
}

/* x[field][.][4] of one index as fields follow each other. */
template <int F> struct Row {
  double2 part[F][2];
};

template <int F> __device__ void
row_clear (Row<F> &row)
{
#pragma unroll
  for (int f = 0; f < F; f++)
    row.part[f][0] = row.part[f][1] = make_double2 (0, 0);
}

template <int F> __device__ void
row_add_product (Row<F> &row, double t, const double *x, int64_t stride)
{
#pragma unroll
  for (int f = 0; f < F; f++)
#pragma unroll
    for (int i = 0; i < 2; i++)
      {
        const double2 v = ((const double2 *) (x + f * stride))[i];

        row.part[f][i].x = fma (t, v.x, row.part[f][i].x);
        row.part[f][i].y = fma (t, v.y, row.part[f][i].y);
      }
}

/* @add: (nullable): added to the row first */
template <int F> __device__ void
row_store (const Row<F> &row, const double *add, double *to, int64_t stride)
{
#pragma unroll
  for (int f = 0; f < F; f++)
#pragma unroll
    for (int i = 0; i < 2; i++)
      {
        double2 v = row.part[f][i];

        if (add)
          {
            const double2 w = ((const double2 *) (add + f * stride))[i];

            v.x += w.x;
            v.y += w.y;
          }
        ((double2 *) (to + f * stride))[i] = v;
      }
}

/* Numbers of T as they lie in memory. */
struct Numbers {
  const void *high, *low;
  double fine, coarse;
  int bytes;
};

__device__ Numbers
numbers_get (const ArmillaButterflyNode &node, const double *words)
{
  const int32_t high = armilla_butterfly_high_bytes (node.bytes);
  const double *t = words + node.matrix;
  Numbers n;

  n.high = t;
  n.low = t + armilla_butterfly_plane (node.rank * armilla_butterfly_terms (&node), high);
  n.bytes = node.bytes;
  n.fine = node.step;
  n.coarse = node.step * (double) (1 << 8 * (node.bytes - high));
  return n;
}

/* All lanes of a warp have numbers of one node, so that they go the same way. */
__device__ double
number_at (const Numbers &n, int64_t i)
{
  if (n.bytes == 5)
    return fma ((double) ((const int32_t *) n.high)[i], n.coarse,
                (double) ((const uint8_t *) n.low)[i] * n.fine);
  if (n.bytes == 4)
    return (double) ((const int32_t *) n.high)[i] * n.coarse;
  if (n.bytes == 6)
    return fma ((double) ((const int32_t *) n.high)[i], n.coarse,
                (double) ((const uint16_t *) n.low)[i] * n.fine);
  if (n.bytes == 3)
    return fma ((double) ((const int16_t *) n.high)[i], n.coarse,
                (double) ((const uint8_t *) n.low)[i] * n.fine);
  if (n.bytes == 2)
    return (double) ((const int16_t *) n.high)[i] * n.coarse;
  return ((const double *) n.high)[i];
}

/* A lane a row; rows 32 by 32, @n_shares warps share a node. */
template <int F> __device__ void
node_forward (const Item &item, const ArmillaButterflyNode &node, int64_t stride, int share,
              int n_shares)
{
  const int32_t *order = (const int32_t *) (item.b.words + node.order);
  const int64_t kept = node.dense ? 0 : node.rank;
  const Numbers t = numbers_get (node, item.b.words);
  const double *in = item.x + 4 * node.in;
  double *out = item.y + 4 * node.out;

  for (int64_t i = 32 * share + threadIdx.x % 32; i < node.rank; i += 32 * n_shares)
    {
      Row<F> row;

      row_clear (row);
      for (int64_t j = kept; j < node.n_in; j++)
        row_add_product (row, number_at (t, (j - kept) * node.rank + i), in + 4 * order[j], stride);
      row_store (row, i < kept ? in + 4 * order[i] : nullptr, out + 4 * i, stride);
    }
}

/* Rows i0 .. of columns j0 .. of T, by the lanes of a warp: [column][row]. */
__device__ void
stage_tile (const Numbers &t, int64_t rank, int64_t n_columns, int64_t j0, int64_t i0,
            double (*tile)[TILE_ROWS + 1])
{
  const int lane = threadIdx.x % 32;

  __syncwarp ();
  for (int c = lane / TILE_ROWS; c < 32; c += 32 / TILE_ROWS)
    {
      const int64_t i = i0 + lane % TILE_ROWS, j = j0 + c;

      tile[c][lane % TILE_ROWS] = i < rank && j < n_columns ? number_at (t, j * rank + i) : 0;
    }
  __syncwarp ();
}

/* A lane a column of T: what it adds to an input. */
template <int F> __device__ void
node_transposed (const Item &item, const ArmillaButterflyNode &node, int64_t stride, int share,
                 int n_shares, double (*tile)[TILE_ROWS + 1])
{
  const int32_t *order = (const int32_t *) (item.b.words + node.order);
  const int64_t kept = node.dense ? 0 : node.rank, n_columns = node.n_in - kept;
  const Numbers t = numbers_get (node, item.b.words);
  const double *out = item.x + 4 * node.out;
  const int lane = threadIdx.x % 32;
  double *in = item.y + 4 * node.in;

  for (int64_t i = 32 * share + lane; i < kept; i += 32 * n_shares)
    {
      Row<F> one;

      row_clear (one);
      row_add_product (one, 1, out + 4 * i, stride);
      row_store (one, in + 4 * order[i], in + 4 * order[i], stride);
    }
  for (int64_t j0 = 32 * share; j0 < n_columns; j0 += 32 * n_shares)
    {
      Row<F> row;

      row_clear (row);
      for (int64_t i0 = 0; i0 < node.rank; i0 += TILE_ROWS)
        {
          const int n = (int) (node.rank - i0 < TILE_ROWS ? node.rank - i0 : TILE_ROWS);

          stage_tile (t, node.rank, n_columns, j0, i0, tile);
          for (int i = 0; i < n; i++)
            row_add_product (row, tile[lane][i], out + 4 * (i0 + i), stride);
        }
      if (j0 + lane < n_columns)
        {
          double *to = in + 4 * order[kept + j0 + lane];

          row_store (row, to, to, stride);
        }
    }
}

/* How many warps share a node of a stage that has few. */
__device__ int
count_shares (const ArmillaButterflyStage &stage)
{
  return stage.n_nodes >= 2 * N_WARPS ? 1 : stage.n_nodes >= N_WARPS ? 2 : 4;
}

template <int F> __global__ void
__launch_bounds__ (N_THREADS, 1)
synthesis_kernel (ArmillaButterflyBlock block, const double *words, const int64_t *offsets,
                  const double *prepared, double *tile, double *scratch, int64_t n_items)
{
  const int64_t stride = armilla_butterfly_field_size (&block);
  const int64_t south = 2 * (block.m_last - block.m_first + 1);
  const int warp = threadIdx.x / 32;

  for (int64_t number = blockIdx.x; number < n_items; number += gridDim.x)
    {
      Item item = item_get (block, words, offsets, scratch, number);
      const int64_t n_columns = item.b.head[ARMILLA_BUTTERFLY_COLUMNS];
      const int64_t first = item.b.head[ARMILLA_BUTTERFLY_FIRST];

      for (int64_t k = threadIdx.x; k < 4 * n_columns * item.n_fields; k += N_THREADS)
        item.x[k / (4 * n_columns) * stride + k % (4 * n_columns)]
          = item.b.scale[k % (4 * n_columns) / 4] * prepared[item.coefficients + k];
      __syncthreads ();
      for (int64_t s = 0; s < item.b.head[ARMILLA_BUTTERFLY_STAGES]; s++)
        {
          const ArmillaButterflyStage stage = item.b.stage[s];
          const int n_shares = count_shares (stage);

          for (int64_t i = warp; i < stage.n_nodes * n_shares; i += N_WARPS)
            node_forward<F> (item, item.b.node[stage.first_node + i / n_shares], stride,
                             (int) (i % n_shares), n_shares);
          __syncthreads ();
          turn_over (item);
        }
      for (int64_t i = threadIdx.x; i < block.n_pairs * item.n_fields; i += N_THREADS)
        {
          const int64_t f = i / block.n_pairs, p = i % block.n_pairs;
          double2 *t = (double2 *) (tile + armilla_butterfly_tile (&block, item.field + f, p,
                                                                   item.m));
          double2 even = make_double2 (0, 0), odd = even;

          if (p >= first)
            {
              const double2 *x = (const double2 *) (item.x + f * stride + 4 * (p - first));
              const double c = item.b.cosine[p - first];

              even = x[0];
              odd = make_double2 (c * x[1].x, c * x[1].y);
            }
          t[0] = make_double2 (even.x + odd.x, even.y + odd.y);
          t[south / 2] = make_double2 (even.x - odd.x, even.y - odd.y);
        }
      __syncthreads ();
    }
}

template <int F> __global__ void
__launch_bounds__ (N_THREADS, 1)
adjoint_kernel (ArmillaButterflyBlock block, const double *words, const int64_t *offsets,
                const double *tile, double *prepared, double *scratch, int64_t n_items)
{
  __shared__ double turned[N_WARPS][32][TILE_ROWS + 1];
  const int64_t stride = armilla_butterfly_field_size (&block);
  const int64_t south = 2 * (block.m_last - block.m_first + 1);
  const int warp = threadIdx.x / 32;

  for (int64_t number = blockIdx.x; number < n_items; number += gridDim.x)
    {
      Item item = item_get (block, words, offsets, scratch, number);
      const int64_t n_columns = item.b.head[ARMILLA_BUTTERFLY_COLUMNS];
      const int64_t n_rows = item.b.head[ARMILLA_BUTTERFLY_ROWS];

      for (int64_t i = threadIdx.x; i < n_rows * item.n_fields; i += N_THREADS)
        {
          const int64_t f = i / n_rows, row = i % n_rows;
          const double *at = tile + armilla_butterfly_tile (
                                      &block, item.field + f,
                                      row + item.b.head[ARMILLA_BUTTERFLY_FIRST], item.m);
          const double2 up = *(const double2 *) at, down = *(const double2 *) (at + south);
          const double c = item.b.cosine[row];
          double2 *x = (double2 *) (item.x + f * stride + 4 * row);

          x[0] = make_double2 (up.x + down.x, up.y + down.y);
          x[1] = make_double2 (c * (up.x - down.x), c * (up.y - down.y));
        }
      __syncthreads ();
      for (int64_t s = item.b.head[ARMILLA_BUTTERFLY_STAGES] - 1; s >= 0; s--)
        {
          const ArmillaButterflyStage stage = item.b.stage[s];
          const int64_t width = s > 0 ? item.b.stage[s - 1].width : n_columns;
          const int n_shares = count_shares (stage);

          for (int64_t i = threadIdx.x; i < 4 * width * item.n_fields; i += N_THREADS)
            item.y[i / (4 * width) * stride + i % (4 * width)] = 0;
          __syncthreads ();
          /* Nodes that read the same inputs one after the other. */
          for (int64_t half = 0; half < stage.halves; half++)
            {
              for (int64_t i = warp; i < stage.n_nodes * n_shares; i += N_WARPS)
                {
                  const ArmillaButterflyNode &node = item.b.node[stage.first_node + i / n_shares];

                  if (node.half == half)
                    node_transposed<F> (item, node, stride, (int) (i % n_shares), n_shares,
                                        turned[warp]);
                }
              __syncthreads ();
            }
          turn_over (item);
        }
      for (int64_t k = threadIdx.x; k < 4 * n_columns * item.n_fields; k += N_THREADS)
        prepared[item.coefficients + k]
          += item.b.scale[k % (4 * n_columns) / 4]
             * item.x[k / (4 * n_columns) * stride + k % (4 * n_columns)];
      __syncthreads ();
    }
}

int64_t
count_items (const ArmillaButterflyBlock *block)
{
  return (block->m_last - block->m_first + 1)
         * ((block->n_fields + MOST_FIELDS - 1) / MOST_FIELDS);
}

int
count_blocks (int64_t n_items)
{
  return (int) (n_items < ARMILLA_BUTTERFLY_DEVICE_BLOCKS ? n_items
                                                          : ARMILLA_BUTTERFLY_DEVICE_BLOCKS);
}

} // namespace

/* The vectors of fields that are not there are reckoned with, too: as many as the scratch has. */
#define LAUNCH(kernel, ...)                                                                        \
  do                                                                                               \
    {                                                                                              \
      const int64_t n_items = count_items (block);                                                 \
      const int n_blocks = count_blocks (n_items);                                                 \
                                                                                                   \
      switch (block->n_fields)                                                                     \
        {                                                                                          \
        case 1: kernel<1><<<n_blocks, N_THREADS, 0, stream>>> (__VA_ARGS__, n_items); break;       \
        case 2: kernel<2><<<n_blocks, N_THREADS, 0, stream>>> (__VA_ARGS__, n_items); break;       \
        case 3: kernel<3><<<n_blocks, N_THREADS, 0, stream>>> (__VA_ARGS__, n_items); break;       \
        default: kernel<MOST_FIELDS><<<n_blocks, N_THREADS, 0, stream>>> (__VA_ARGS__, n_items);   \
        }                                                                                          \
    }                                                                                              \
  while (0)

int
armilla_butterfly_synthesis_launch (const ArmillaButterflyBlock *block, const double *words,
                                    const int64_t *offsets, const double *prepared, double *tile,
                                    double *scratch, cudaStream_t stream)
{
  LAUNCH (synthesis_kernel, *block, words, offsets, prepared, tile, scratch);
  return cudaGetLastError ();
}

int
armilla_butterfly_adjoint_launch (const ArmillaButterflyBlock *block, const double *words,
                                  const int64_t *offsets, const double *tile, double *prepared,
                                  double *scratch, cudaStream_t stream)
{
  LAUNCH (adjoint_kernel, *block, words, offsets, tile, prepared, scratch);
  return cudaGetLastError ();
}
