/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes objects to buckets. The catalogue is read once, block by block: the objects of a
 * block are converted to records, sorted by bucket, in so little memory that it stays cached. The
 * records of a bucket are then one run per block, long enough to be read at memory bandwidth. So no
 * block waits for another, and objects need not be counted before they are moved. */
#include <glib.h>
#include <string.h>
#ifdef __SSE2__
# include <emmintrin.h>
#endif

#include "codelets/correlation/cells-private.h"

/* Approximate number of blocks. Blocks are smaller if they would not fit a second-level cache, and
 * larger if runs would be shorter than RUN. */
#define BLOCKS 64
#define MIN_BLOCK 2048
#define MAX_BLOCK (1 << 14)
#define RUN 16
/* keys computed before their buckets are looked up */
#define BATCH 512

static size_t
room_size (const ArmillaOrder *order)
{
  return (sizeof (ArmillaRecord) + 2 * sizeof (uint32_t)) * (size_t) order->block;
}

/* Stores to memory that will not be read soon, bypassing the caches if possible, so that its old
 * contents need not be loaded. */
static void
stream_out (ArmillaRecord *to, const ArmillaRecord *from, int64_t n)
{
#ifdef __SSE2__
  for (int64_t i = 0; i < n; i++)
    {
      const __m128i *at = (const __m128i *) (const void *) (from + i);

      _mm_stream_si128 ((__m128i *) (void *) (to + i), _mm_loadu_si128 (at));
      _mm_stream_si128 ((__m128i *) (void *) (to + i) + 1, _mm_loadu_si128 (at + 1));
    }
  _mm_sfence ();
#else
  memcpy (to, from, sizeof *to * (size_t) n);
#endif
}

/* Finds the buckets of some objects, and counts the objects of each. */
static void
find_buckets (const ArmillaSquares *squares, const int32_t *patch, const uint32_t *keys, int64_t n,
              uint32_t *buckets, uint32_t *count)
{
  if (patch)
    for (int64_t i = 0; i < n; i++)
      buckets[i] = armilla_squares_bucket (squares, (uint32_t) patch[i], keys[i]);
  else
    for (int64_t i = 0; i < n; i++)
      buckets[i] = armilla_squares_bucket (squares, 0, keys[i]);
  for (int64_t i = 0; i < n; i++)
    count[buckets[i]]++;
}

/* Makes records of a block's objects, sorted by bucket. */
void
armilla_order_block (const ArmillaOrder *order, int thread, int64_t block)
{
  const ArmillaCellsInput *in = order->input;
  const int64_t n_buckets = order->squares->n_buckets;
  const int64_t begin = block * order->block, n = MIN (in->n - begin, order->block);
  const double *x = in->x + begin, *y = in->y + begin, *z = in->z + begin;
  ArmillaRecord *records
    = (ArmillaRecord *) (void *) (order->rooms + (size_t) thread * room_size (order));
  uint32_t *keys = (uint32_t *) (void *) (records + order->block), *buckets = keys + order->block;
  uint32_t *next = order->runs + block * (n_buckets + 1), at = 0;

  memset (next, 0, sizeof *next * (size_t) n_buckets);
  for (int64_t k = 0; k < n; k += BATCH)
    {
      const int64_t some = MIN (n - k, BATCH);

      armilla_cells_input_keys (in, x + k, y + k, z + k, some, keys + k);
      find_buckets (order->squares, in->patch ? in->patch + begin + k : NULL, keys + k, some,
                    buckets + k, next);
    }
  for (int64_t b = 0; b < n_buckets; b++)
    {
      const uint32_t count = next[b];

      next[b] = at;
      at += count;
    }
  for (int64_t i = 0; i < n; i++)
    {
      const uint32_t to = next[buckets[i]]++;

      /* Prefetches the memory of this bucket's next objects. */
      __builtin_prefetch (records + to + 2, 1);
      records[to]
        = (ArmillaRecord) { x[i], y[i], z[i], (uint64_t) keys[i] << 32 | (uint64_t) (begin + i) };
    }
  stream_out (order->records + begin, records, n);
  /* Each counter is now the position of the next bucket. */
  for (int64_t b = n_buckets; b > 0; b--)
    next[b] = (uint32_t) begin + next[b - 1];
  next[0] = (uint32_t) begin;
}

/* Counts the objects before each bucket, once all blocks are sorted. */
void
armilla_order_start (const ArmillaOrder *order)
{
  const int64_t n_buckets = order->squares->n_buckets;
  uint32_t *start = order->start;

  for (int64_t block = 0; block < order->n_blocks; block++)
    {
      const uint32_t *run = order->runs + block * (n_buckets + 1);

      for (int64_t b = 1; b <= n_buckets; b++)
        start[b] += run[b] - run[0];
    }
}

/* Divides fewer than 2^32 objects into blocks and the curve into buckets. The input must outlive
 * the result, which does not depend on the number of threads. NULL if out of memory. */
ArmillaOrder *
armilla_order_new (const ArmillaCellsInput *input, int n_threads)
{
  ArmillaOrder *order = g_new0 (ArmillaOrder, 1);

  order->input = input;
  order->squares = armilla_squares_new (input);
  if (order->squares)
    {
      const int64_t n_buckets = order->squares->n_buckets;

      order->block = CLAMP (input->n / BLOCKS, MIN_BLOCK, MAX (MAX_BLOCK, RUN * n_buckets));
      order->n_blocks = (input->n + order->block - 1) / order->block;
      order->records
        = armilla_cells_allocate (input, (int64_t) sizeof *order->records * input->n);
      order->runs = g_try_new (uint32_t, (gsize) (order->n_blocks * (n_buckets + 1)) + 1);
      order->start = g_try_new0 (uint32_t, (gsize) n_buckets + 1);
      order->rooms = g_try_malloc ((gsize) n_threads * room_size (order));
    }
  if (!order->records || !order->runs || !order->start || !order->rooms)
    g_clear_pointer (&order, armilla_order_free);
  return order;
}

void
armilla_order_free (ArmillaOrder *order)
{
  if (order->records)
    armilla_cells_release (order->input, order->records,
                           (int64_t) sizeof *order->records * order->input->n);
  g_clear_pointer (&order->squares, armilla_squares_free);
  g_free (order->runs);
  g_free (order->start);
  g_free (order->rooms);
  g_free (order);
}
