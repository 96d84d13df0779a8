/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression on a GPU; see butterfly-levels.h. All nodes of a level are decomposed at once, a
 * thread block each: at lmax 2047 there are 64 of them. What depends on ranks is decided on the
 * device, so that nothing waits for the CPU: levels that turn out not to be are launched in vain.
 *
 * Pivoted QR is modified Gram-Schmidt, whose R is as good as that of reflections. The norms of what
 * is left of the columns are computed anew after each pivot, which costs nothing beside the
 * elimination. Sums are trees of a fixed shape, so that results have the same bits each time. */
#define ARMILLA_BUTTERFLY_LANES 1

#include "codelets/butterfly/butterfly.h"
#include "codelets/butterfly/butterfly-levels.h"
#include "codelets/butterfly/butterfly-rows.h"
#include "codelets/legendre/delta-recurrence.h"

#define N_THREADS 512
#define N_WARPS (N_THREADS / 32)
#define N_ROW_THREADS 64
#define ALL_LANES 0xffffffffu

namespace {

__device__ uint64_t
nanoseconds (void)
{
  uint64_t t;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

/* All lanes get the sum. */
__device__ double
warp_sum (double x)
{
  for (int distance = 16; distance > 0; distance /= 2)
    x += __shfl_xor_sync (ALL_LANES, x, distance);
  return x;
}

__global__ void
begin_kernel (ArmillaButterflyWork begin, ArmillaButterflyWork *work, uint64_t *start)
{
  *work = begin;
  *start = nanoseconds ();
}

__global__ void
matrix_kernel (ArmillaButterflyShape shape, const double *table, const double *pairs,
               double *matrix)
{
  const int64_t pair = (int64_t) blockIdx.x * N_ROW_THREADS + threadIdx.x;

  if (pair < armilla_butterfly_pad (shape.n_pairs))
    armilla_butterfly_fill_rows (&shape, table, pairs, pair, matrix + pair);
}

__global__ void
squares_kernel (const double *matrix, int64_t ld, int64_t n_columns, double *row_squares)
{
  const int64_t row = (int64_t) blockIdx.x * N_ROW_THREADS + threadIdx.x;
  double sum = 0;

  if (row >= ld)
    return;
  for (int64_t k = 0; k < n_columns; k++)
    sum += matrix[k * ld + row] * matrix[k * ld + row];
  row_squares[row] = sum;
}

__global__ void
rows_kernel (ArmillaButterflyWork *w)
{
  armilla_butterfly_drop_rows (w);
  w->done = w->n_rows == 0 || !armilla_butterfly_level_begin (w, 0);
}

/* A node of a level, and where its thread block works: a column takes ld numbers. Nodes of a piece
 * follow each other as their columns do in the matrix, of which they are parts. */
struct Place {
  int64_t piece, chunk, index;
  int64_t begin, n_rows, ld;
  int64_t at, column;
  ArmillaButterflyInputs x;
};

__device__ Place
place_get (const ArmillaButterflyWork *w, int s, int64_t number)
{
  const ArmillaButterflyLevel &level = w->level[s];
  Place p;

  p.piece = number / level.n_chunks;
  p.chunk = number % level.n_chunks;
  p.index = level.first_node + number;
  p.begin = armilla_butterfly_piece_begin (w, p.piece, level.n_pieces);
  p.n_rows = armilla_butterfly_piece_rows (w, p.piece, level.n_pieces);
  p.ld = armilla_butterfly_pad (p.n_rows);
  p.column = p.chunk * ((int64_t) w->shape.chunk << s);
  p.at = p.begin * w->n_columns + p.ld * p.column;
  p.column += p.piece * w->n_columns;
  p.x = armilla_butterfly_inputs (w, s, p.piece, p.chunk);
  return p;
}

/* Column k + 1 of the order of pivots, by a warp. @r: row k of R; returns whether enough is left of
 * the columns to go on. */
__device__ bool
next_pivot (int64_t k, int64_t n, double limit, int32_t *pivots, const double *norms, double *r)
{
  const int lane = threadIdx.x % 32;
  double left = 0, most = -1;
  int64_t best = k;

  for (int64_t j = k + lane; j < n; j += 32)
    {
      const double norm = norms[pivots[j]];

      left += norm;
      if (norm > most)
        {
          most = norm;
          best = j;
        }
    }
  left = warp_sum (left);
  for (int distance = 16; distance > 0; distance /= 2)
    {
      const double other = __shfl_xor_sync (ALL_LANES, most, distance);
      const int64_t where = __shfl_xor_sync (ALL_LANES, best, distance);

      if (other > most || (other == most && where < best))
        {
          most = other;
          best = where;
        }
    }
  if (left <= limit || most <= 0)
    return false;
  if (lane == 0)
    {
      const int32_t pivot = pivots[best];

      pivots[best] = pivots[k];
      pivots[k] = pivot;
      r[pivot] = sqrt (most);
    }
  return true;
}

/* r = q a, a -= r q, norm = |a|^2, by a warp. */
__device__ void
project (double *a, const double *q, int64_t n_rows, double *r, double *norm)
{
  const int lane = threadIdx.x % 32;
  double dot = 0, square = 0;

  for (int64_t i = lane; i < n_rows; i += 32)
    dot = fma (q[i], a[i], dot);
  dot = warp_sum (dot);
  for (int64_t i = lane; i < n_rows; i += 32)
    {
      const double x = fma (-dot, q[i], a[i]);

      a[i] = x;
      square = fma (x, x, square);
    }
  square = warp_sum (square);
  if (lane == 0)
    {
      *r = dot;
      *norm = square;
    }
}

__device__ double
warp_square (const double *a, int64_t n_rows)
{
  double square = 0;

  for (int64_t i = threadIdx.x % 32; i < n_rows; i += 32)
    square = fma (a[i], a[i], square);
  return warp_sum (square);
}

/* QR with column pivoting until the squares of what is left sum up to @limit or less, by a thread
 * block. @a: columns, overwritten; @pivots: those that are kept, then the others; @r: R, [pivot]
 * [column as it was given]. Returns how many are kept. */
__device__ int64_t
factor (double *a, int64_t ld, int64_t n_rows, int64_t n, double limit, int32_t *pivots,
        double *norms, double *r)
{
  __shared__ int go_on;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int64_t most = n < n_rows ? n : n_rows;
  int64_t k = 0;

  for (int64_t j = warp; j < n; j += N_WARPS)
    {
      const double square = warp_square (a + j * ld, n_rows);

      if (lane == 0)
        {
          norms[j] = square;
          pivots[j] = (int32_t) j;
        }
    }
  __syncthreads ();
  for (; k < most; k++)
    {
      if (warp == 0)
        {
          const bool more = next_pivot (k, n, limit, pivots, norms, r + k * n);

          if (lane == 0)
            go_on = more;
        }
      __syncthreads ();
      if (!go_on)
        break;
      double *q = a + pivots[k] * ld;
      const double scale = 1 / r[k * n + pivots[k]];

      for (int64_t i = threadIdx.x; i < n_rows; i += N_THREADS)
        q[i] *= scale;
      __syncthreads ();
      for (int64_t j = k + 1 + warp; j < n; j += N_WARPS)
        project (a + pivots[j] * ld, q, n_rows, r + k * n + pivots[j], norms + pivots[j]);
      __syncthreads ();
    }
  __syncthreads ();
  return k;
}

/* T of R11 T = R12, [column][rank], a thread a column. */
__device__ void
back_substitute (const double *r, const int32_t *pivots, int64_t rank, int64_t n, double *t)
{
  for (int64_t j = rank + threadIdx.x; j < n; j += N_THREADS)
    {
      double *x = t + (j - rank) * rank;

      for (int64_t i = rank - 1; i >= 0; i--)
        {
          double sum = r[i * n + pivots[j]];

          for (int64_t l = i + 1; l < rank; l++)
            sum = fma (-r[i * n + pivots[l]], x[l], sum);
          x[i] = sum / r[i * n + pivots[i]];
        }
    }
  __syncthreads ();
}

/* The greatest of what the threads of a block have; all of them get it. */
__device__ double
block_most (double x)
{
  __shared__ double most[N_WARPS];

  for (int distance = 16; distance > 0; distance /= 2)
    x = fmax (x, __shfl_xor_sync (ALL_LANES, x, distance));
  if (threadIdx.x % 32 == 0)
    most[threadIdx.x / 32] = x;
  __syncthreads ();
  for (int i = 0; i < N_WARPS; i++)
    x = fmax (x, most[i]);
  __syncthreads ();
  return x;
}

/* Squares of the columns that are kept. @squares: [rank], written */
__device__ double
kept_squares (const ArmillaButterflyWork *w, int s, const Place &p, const int32_t *pivots,
              int64_t rank, double *squares)
{
  double sum = 0;

  for (int64_t j = threadIdx.x / 32; j < rank; j += N_WARPS)
    {
      const int64_t column = armilla_butterfly_input_column (w, s, p.x, pivots[j]);
      const double square = warp_square (armilla_butterfly_column (w, column, p.begin), p.n_rows);

      if (threadIdx.x % 32 == 0)
        squares[j] = square;
    }
  __syncthreads ();
  for (int64_t j = 0; threadIdx.x == 0 && j < rank; j++)
    sum += squares[j];
  return sum;
}

__global__ void
__launch_bounds__ (N_THREADS)
node_kernel (ArmillaButterflyWork *w, double *blocks, double *rs, double *all_norms,
             int32_t *all_pivots, int s)
{
  if (w->done || blockIdx.x >= w->level[s].n_pieces * w->level[s].n_chunks)
    return;
  const Place p = place_get (w, s, blockIdx.x);
  const double limit = armilla_butterfly_limit (w, p.n_rows, p.x.n);
  double *a = blocks + p.at, *r = rs + p.at, *norms = all_norms + p.column, most = 0, kept;
  int32_t *pivots = all_pivots + p.column;

  for (int64_t j = threadIdx.x / 32; j < p.x.n; j += N_WARPS)
    {
      const double *from = armilla_butterfly_column (
        w, armilla_butterfly_input_column (w, s, p.x, j), p.begin);

      for (int64_t i = threadIdx.x % 32; i < p.n_rows; i += 32)
        a[j * p.ld + i] = from[i];
    }
  __syncthreads ();
  const int64_t rank = factor (a, p.ld, p.n_rows, p.x.n, limit, pivots, norms, r);

  back_substitute (r, pivots, rank, p.x.n, a);
  for (int64_t i = threadIdx.x; i < rank * (p.x.n - rank); i += N_THREADS)
    most = fmax (most, fabs (a[i]));
  most = block_most (most);
  kept = kept_squares (w, s, p, pivots, rank, norms);
  if (threadIdx.x == 0)
    armilla_butterfly_set_node (w, s, p.piece, p.x, rank, limit, most, kept, &w->node[p.index]);
}

__device__ ArmillaButterflySums
sums_from (ArmillaButterflySums sums, int lane, bool up, int distance)
{
#define MOVE(x) (up ? __shfl_up_sync (ALL_LANES, x, distance) : __shfl_sync (ALL_LANES, x, lane))
  sums.data = MOVE (sums.data);
  sums.kept = MOVE (sums.kept);
  sums.width = MOVE (sums.width);
  sums.elements = MOVE (sums.elements);
  sums.rest = MOVE (sums.rest);
#undef MOVE
  return sums;
}

/* Gives the nodes of a level their places, by a warp. */
__global__ void
places_kernel (ArmillaButterflyWork *w, int s)
{
  if (w->done)
    return;
  const ArmillaButterflyLevel level = w->level[s];
  const int64_t n = level.n_pieces * level.n_chunks;
  const int lane = threadIdx.x;
  ArmillaButterflySums all = w->sums;

  for (int64_t first = 0; first < n; first += 32)
    {
      const int64_t i = first + lane;
      ArmillaButterflySums sums = { 0, 0, 0, 0, 0 }, before;

      if (i < n)
        sums = armilla_butterfly_node_sums (
          &w->node[level.first_node + i],
          armilla_butterfly_piece_rows (w, i / level.n_chunks, level.n_pieces));
      for (int distance = 1; distance < 32; distance *= 2)
        {
          const ArmillaButterflySums lower = sums_from (sums, 0, true, distance);

          if (lane >= distance)
            sums = armilla_butterfly_sums_add (sums, lower);
        }
      before = sums_from (sums, 0, true, 1);
      if (i < n)
        armilla_butterfly_place_node (w, level.first_node + i,
                                      lane > 0 ? armilla_butterfly_sums_add (all, before) : all);
      all = armilla_butterfly_sums_add (all, sums_from (sums, 31, false, 0));
    }
  if (lane > 0)
    return;
  if (!armilla_butterfly_fits (w, all))
    {
      w->done = 1;
      return;
    }
  w->sums = all;
  armilla_butterfly_level_end (w, s);
  if (!w->done && !armilla_butterfly_level_begin (w, s + 1))
    w->done = 1;
}

__global__ void
__launch_bounds__ (N_THREADS)
store_kernel (ArmillaButterflyWork *w, const double *blocks, const int32_t *all_pivots, int s)
{
  if (s >= w->n_placed || blockIdx.x >= w->level[s].n_pieces * w->level[s].n_chunks)
    return;
  const Place p = place_get (w, s, blockIdx.x);
  const ArmillaButterflyNode node = w->node[p.index];
  const int64_t count = node.rank * armilla_butterfly_terms (&node);
  double *words = w->data + node.matrix;

  armilla_butterfly_store_order (w, s, p.index, p.x, all_pivots + p.column, threadIdx.x,
                                 N_THREADS);
  if (threadIdx.x == 0)
    armilla_butterfly_pack_begin (&node, words, count);
  __syncthreads ();
  for (int64_t i = threadIdx.x; i < count; i += N_THREADS)
    armilla_butterfly_pack (&node, words, count, i, blocks[p.at + i]);
}

__global__ void
rest_kernel (ArmillaButterflyWork *w)
{
  armilla_butterfly_rest_begin (w);
}

/* Number i of what remains of the columns on a piece. */
__device__ double
rest_number (const ArmillaButterflyWork *w, ArmillaButterflyInputs x, int64_t begin,
             int64_t n_rows, int64_t i)
{
  return *armilla_butterfly_column (
    w, armilla_butterfly_input_column (w, w->n_levels, x, i / n_rows), begin + i % n_rows);
}

__global__ void
__launch_bounds__ (N_THREADS)
rest_most_kernel (ArmillaButterflyWork *w)
{
  if (blockIdx.x >= w->last.n_pieces)
    return;
  const ArmillaButterflyInputs x = armilla_butterfly_rest_inputs (w, blockIdx.x);
  const int64_t begin = armilla_butterfly_piece_begin (w, blockIdx.x, w->last.n_pieces);
  const int64_t n_rows = armilla_butterfly_piece_rows (w, blockIdx.x, w->last.n_pieces);
  double most = 0;

  for (int64_t i = threadIdx.x; i < n_rows * x.n; i += N_THREADS)
    most = fmax (most, fabs (rest_number (w, x, begin, n_rows, i)));
  most = block_most (most);
  if (threadIdx.x == 0)
    armilla_butterfly_set_rest (w, blockIdx.x, x, most);
}

__global__ void
rest_places_kernel (ArmillaButterflyWork *w)
{
  for (int64_t piece = 0; piece < w->last.n_pieces; piece++)
    {
      const int64_t index = w->last.first_node + piece;

      armilla_butterfly_place_node (w, index, w->sums);
      w->sums = armilla_butterfly_sums_add (w->sums,
                                            armilla_butterfly_node_sums (&w->node[index], 0));
    }
}

__global__ void
__launch_bounds__ (N_THREADS)
rest_store_kernel (ArmillaButterflyWork *w)
{
  if (blockIdx.x >= w->last.n_pieces)
    return;
  const ArmillaButterflyInputs x = armilla_butterfly_rest_inputs (w, blockIdx.x);
  const ArmillaButterflyNode node = w->node[w->last.first_node + blockIdx.x];
  const int64_t count = node.rank * node.n_in;
  double *words = w->data + node.matrix;

  armilla_butterfly_store_rest_order (w, blockIdx.x, x, threadIdx.x, N_THREADS);
  if (threadIdx.x == 0)
    armilla_butterfly_pack_begin (&node, words, count);
  __syncthreads ();
  for (int64_t i = threadIdx.x; i < count; i += N_THREADS)
    armilla_butterfly_pack (&node, words, count, i,
                            rest_number (w, x, node.out, node.rank, i));
}

/* Tables and data, by all threads of the grid. */
__global__ void
__launch_bounds__ (N_THREADS)
words_kernel (const ArmillaButterflyWork *w, const double *pairs, double *words)
{
  const int64_t begin = armilla_butterfly_begin_of_data (w), n = w->sums.data;
  const int64_t thread = (int64_t) blockIdx.x * N_THREADS + threadIdx.x;
  const int64_t n_threads = (int64_t) gridDim.x * N_THREADS;

  armilla_butterfly_write_tables (w, pairs, words, thread, n_threads);
  for (int64_t i = thread; i < n + ARMILLA_BUTTERFLY_PAD; i += n_threads)
    words[begin + i] = i < n ? w->data[i] : 0;
}

__global__ void
head_kernel (const ArmillaButterflyWork *w, const uint64_t *start, double *words)
{
  armilla_butterfly_write_head (w, words);
  words[((const int64_t *) words)[ARMILLA_BUTTERFLY_WORDS]]
    = 1e-9 * (double) (nanoseconds () - *start);
}

/* The levels that there may be; those that there are not end at once. */
void
launch_levels (const ArmillaButterflyDevice *d, cudaStream_t stream)
{
  const ArmillaButterflyShape *shape = &d->begin.shape;
  const int n_levels = armilla_butterfly_most_levels (shape);
  int64_t n_pieces = shape->pieces;
  int64_t n_chunks = (d->begin.n_columns + shape->chunk - 1) / shape->chunk;

  for (int s = 0; s < n_levels; s++)
    {
      const unsigned n = (unsigned) (n_pieces * n_chunks);

      node_kernel<<<n, N_THREADS, 0, stream>>> (d->work, d->block, d->r, d->norms, d->pivots, s);
      places_kernel<<<1, 32, 0, stream>>> (d->work, s);
      store_kernel<<<n, N_THREADS, 0, stream>>> (d->work, d->block, d->pivots, s);
      n_pieces *= 2;
      n_chunks = (n_chunks + 1) / 2;
    }
}

} // namespace

int
armilla_butterfly_compress_launch (const ArmillaButterflyShape *shape, const double *pairs,
                                   double *words, double *scratch, cudaStream_t stream)
{
  const int64_t ld = armilla_butterfly_pad (shape->n_pairs);
  const unsigned n_rows = (unsigned) ((ld + N_ROW_THREADS - 1) / N_ROW_THREADS);
  ArmillaDeltaShape order = {};
  ArmillaButterflyDevice d;
  int status;

  armilla_butterfly_device_init (&d, shape, scratch);
  order.lmax = shape->lmax;
  order.m_first = order.m_last = shape->m;
  const unsigned n_pieces = (unsigned) d.most_pieces;

  begin_kernel<<<1, 1, 0, stream>>> (d.begin, d.work, d.start);
  status = armilla_delta_table_launch (&order, d.begin.table, stream);
  if (status != cudaSuccess)
    return status;
  matrix_kernel<<<n_rows, N_ROW_THREADS, 0, stream>>> (*shape, d.begin.table, pairs,
                                                       d.begin.matrix);
  squares_kernel<<<n_rows, N_ROW_THREADS, 0, stream>>> (d.begin.matrix, ld, d.begin.n_columns,
                                                        d.begin.row_squares);
  rows_kernel<<<1, 1, 0, stream>>> (d.work);
  launch_levels (&d, stream);
  rest_kernel<<<1, 1, 0, stream>>> (d.work);
  rest_most_kernel<<<n_pieces, N_THREADS, 0, stream>>> (d.work);
  rest_places_kernel<<<1, 1, 0, stream>>> (d.work);
  rest_store_kernel<<<n_pieces, N_THREADS, 0, stream>>> (d.work);
  words_kernel<<<64, N_THREADS, 0, stream>>> (d.work, pairs, words);
  head_kernel<<<1, 1, 0, stream>>> (d.work, d.start, words);
  return cudaGetLastError ();
}
