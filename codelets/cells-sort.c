/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of objects along Hilbert's curve. They are read twice, one after the other, and written
 * once into buckets of a hundred or two, together with their coordinates: what comes later finds
 * them in a cache. Where many are near each other squares of the curve have many buckets. */
#include <glib.h>
#include <string.h>

#include "codelets/cells-private.h"

/* Objects of a bucket, at most, where a square has to be divided. */
#define BUCKET 256
/* Squares of the curve: objects of one, about, where they are uniform; how many there may be. */
#define SQUARE 256
#define MOST_SQUARES (1 << 14)
/* Bits by which a square is divided into buckets. */
#define MOST_DIVISION 12
/* Keys that are made before they are counted. */
#define BLOCK 512
/* Objects that are worth a thread. */
#define CHUNK 8192

/* A square of a patch. */
typedef struct {
  uint32_t first; /* bucket */
  uint8_t shift;  /* from a key to the bucket within the square */
  uint8_t division;
} Square;

typedef struct {
  ArmillaOrder *order;
  int64_t n_chunks, n_squares;
  int bits;        /* that say which square of a patch */
  Square *squares; /* [n_squares], of all patches */
  uint32_t *keys;
  uint32_t *counts;  /* [chunk][square] */
  uint32_t *next;    /* [chunk][bucket]: objects, then where the next one goes */
} Sort;

static int64_t
square_of (const Sort *sort, const int32_t *patch, int64_t i)
{
  return ((patch ? (int64_t) patch[i] : 0) << sort->bits)
         + (int64_t) (sort->keys[i] >> (ARMILLA_SHORT_KEY_BITS - sort->bits));
}

static int64_t
bucket_of (Square square, uint32_t key)
{
  return square.first + (key >> square.shift & ((1u << square.division) - 1));
}

/* Mostly no square is divided, and squares are buckets. */
static gboolean
divided (const Sort *sort)
{
  return sort->order->n_buckets > sort->n_squares;
}

static int64_t
chunk_begin (const Sort *sort, int64_t chunk)
{
  const int64_t n = sort->order->input->n;

  return chunk == sort->n_chunks ? n : chunk * (n / sort->n_chunks);
}

static void
count_squares (void *user, int64_t chunk)
{
  const Sort *sort = user;
  const ArmillaCellsInput *in = sort->order->input;
  const int64_t begin = chunk_begin (sort, chunk), end = chunk_begin (sort, chunk + 1);
  uint32_t *count = sort->counts + chunk * sort->n_squares;

  memset (count, 0, sizeof *count * (size_t) sort->n_squares);
  for (int64_t i = begin, n; i < end; i += n)
    {
      n = MIN (end - i, BLOCK);
      armilla_cells_keys (in->x + i, in->y + i, in->z + i, n, sort->keys + i);
      for (int64_t k = i; k < i + n; k++)
        count[square_of (sort, in->patch, k)]++;
    }
}

static void
count_buckets (void *user, int64_t chunk)
{
  const Sort *sort = user;
  const int32_t *patch = sort->order->input->patch;
  uint32_t *count = sort->next + chunk * sort->order->n_buckets;

  memset (count, 0, sizeof *count * (size_t) sort->order->n_buckets);
  for (int64_t i = chunk_begin (sort, chunk); i < chunk_begin (sort, chunk + 1); i++)
    count[bucket_of (sort->squares[square_of (sort, patch, i)], sort->keys[i])]++;
}

static void
place_objects (void *user, int64_t chunk)
{
  const Sort sort = *(const Sort *) user; /* a copy, which no record that is written can change */
  const ArmillaCellsInput in = *sort.order->input;
  const int64_t end = chunk_begin (&sort, chunk + 1);
  const gboolean in_parts = divided (&sort);
  ArmillaRecord *records = sort.order->records;
  uint32_t *next = sort.next + chunk * sort.order->n_buckets;

  for (int64_t i = chunk_begin (&sort, chunk); i < end; i++)
    {
      const uint32_t key = sort.keys[i];
      int64_t bucket = square_of (&sort, in.patch, i);
      int shift = ARMILLA_SHORT_KEY_BITS - sort.bits;
      uint32_t at;

      if (in_parts)
        {
          const Square square = sort.squares[bucket];

          bucket = bucket_of (square, key);
          shift = square.shift;
        }
      at = next[bucket]++;
      /* What the next ones of this bucket will need. */
      __builtin_prefetch (records + at + 2, 1);
      /* Of the key what is behind the bits of the bucket, the first bit on top. */
      records[at] = (ArmillaRecord) { in.x[i], in.y[i], in.z[i],
                                      key << (ARMILLA_SHORT_KEY_BITS - shift), (uint32_t) i };
    }
}

/* Into how many buckets squares are divided. */
static void
divide_squares (Sort *sort)
{
  ArmillaOrder *order = sort->order;
  int64_t n_buckets = 0;

  for (int64_t s = 0; s < sort->n_squares; s++)
    {
      int64_t count = 0;
      int division = 0;

      for (int64_t chunk = 0; chunk < sort->n_chunks; chunk++)
        count += sort->counts[chunk * sort->n_squares + s];
      while (count > ARMILLA_BUCKET_MOST && count >> division > BUCKET
             && division < MOST_DIVISION)
        division += 2;
      sort->squares[s] = (Square) { (uint32_t) n_buckets,
                                    (uint8_t) (ARMILLA_SHORT_KEY_BITS - sort->bits - division),
                                    (uint8_t) division };
      n_buckets += (int64_t) 1 << division;
    }
  order->n_buckets = n_buckets;
}

static void
start_buckets (const Sort *sort)
{
  ArmillaOrder *order = sort->order;
  uint32_t sum = 0;

  for (int64_t s = 0; s < sort->n_squares; s++)
    memset (order->bits + sort->squares[s].first, sort->bits + sort->squares[s].division,
            (size_t) 1 << sort->squares[s].division);
  for (int64_t b = 0; b < order->n_buckets; b++)
    {
      order->start[b] = sum;
      for (int64_t chunk = 0; chunk < sort->n_chunks; chunk++)
        {
          uint32_t *next = &sort->next[chunk * order->n_buckets + b];
          const uint32_t n = *next;

          *next = sum;
          sum += n;
        }
    }
  order->start[order->n_buckets] = sum;
}

/* FALSE: no memory. */
static gboolean
fill_buckets (Sort *sort, int n_threads)
{
  ArmillaOrder *order = sort->order;

  sort->counts = g_try_new (uint32_t, (gsize) (sort->n_chunks * sort->n_squares));
  sort->squares = g_try_new (Square, (gsize) sort->n_squares);
  if (!sort->keys || !order->records || !sort->counts || !sort->squares)
    return FALSE;
  armilla_cells_parallel (n_threads, sort->n_chunks, count_squares, sort);
  divide_squares (sort);
  sort->next = divided (sort)
                 ? g_try_new (uint32_t, (gsize) (sort->n_chunks * order->n_buckets))
                 : g_steal_pointer (&sort->counts);
  order->start = g_try_new (uint32_t, (gsize) order->n_buckets + 1);
  order->bits = g_try_new (uint8_t, (gsize) order->n_buckets);
  if (!sort->next || !order->start || !order->bits)
    return FALSE;
  if (divided (sort))
    armilla_cells_parallel (n_threads, sort->n_chunks, count_buckets, sort);
  start_buckets (sort);
  armilla_cells_parallel (n_threads, sort->n_chunks, place_objects, sort);
  return TRUE;
}

/**
 * armilla_order_new:
 * @input: objects, below 2^32; must live as long as the order
 * @n_threads: how many threads may work; the result does not depend on it
 *
 * Sorts objects by patch, then into buckets along the curve.
 *
 * Returns: (transfer full) (nullable): the order; %NULL without memory
 */
ArmillaOrder *
armilla_order_new (const ArmillaCellsInput *input, int n_threads)
{
  ArmillaOrder *order = g_new0 (ArmillaOrder, 1);
  const int64_t key_bytes = (int64_t) sizeof (uint32_t) * input->n;
  const int64_t n_patches = input->patch ? input->n_patches : 1;
  Sort sort = { .order = order, .bits = 3 };
  gboolean done;

  armilla_cells_curve ();
  order->input = input;
  while ((n_patches << sort.bits) * SQUARE < input->n
         && (n_patches << sort.bits) < MOST_SQUARES)
    sort.bits += 2;
  sort.n_squares = n_patches << sort.bits;
  sort.n_chunks = CLAMP (input->n / CHUNK, 1, n_threads);
  sort.keys = armilla_cells_allocate (input, key_bytes);
  order->records
    = armilla_cells_allocate (input, (int64_t) sizeof *order->records * input->n);
  done = fill_buckets (&sort, n_threads);
  if (sort.keys)
    armilla_cells_release (input, sort.keys, key_bytes);
  g_free (sort.counts);
  g_free (sort.squares);
  g_free (sort.next);
  if (!done)
    g_clear_pointer (&order, armilla_order_free);
  return order;
}

/**
 * armilla_order_free:
 * @order: (transfer full): an order
 */
void
armilla_order_free (ArmillaOrder *order)
{
  if (order->records)
    armilla_cells_release (order->input, order->records,
                           (int64_t) sizeof *order->records * order->input->n);
  g_free (order->start);
  g_free (order->bits);
  g_free (order);
}

/**
 * armilla_order_bucket_from:
 * @order: an order
 * @place: a place in it
 *
 * Returns: the first bucket that begins there or behind
 */
int64_t
armilla_order_bucket_from (const ArmillaOrder *order, int64_t place)
{
  int64_t low = 0, high = order->n_buckets;

  while (low < high)
    {
      const int64_t middle = (low + high) / 2;

      if (order->start[middle] < place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}
