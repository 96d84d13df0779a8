/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of objects along Hilbert's curve on the six faces of a cube around the sphere. */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cells-private.h"

/* Bits of a coordinate on a face; 3 more say which face: 3 + 2 * 28 = 59 in all. */
#define FACE_BITS 28
#define STEP_BITS 4
#define KEY_BITS (3 + 2 * FACE_BITS)
/* Objects of a bucket, about, and the least that is worth sorting by digits again. */
#define BUCKET 256
#define MOST_BUCKETS (1 << 20)
/* Objects that a thread takes at a time. */
#define CHUNK 16384

/* Four bits of both coordinates at once: [orientation][x bits, y bits] gives eight bits of the
 * place and the orientation within the square they choose. */
static struct {
  uint8_t place[4][256], next[4][256];
} curve;

/* Orientations: bit 0: the axes are swapped; bit 1: both are turned over. */
static void
fill_curve (void)
{
  for (unsigned state = 0; state < 4; state++)
    for (unsigned xy = 0; xy < 256; xy++)
      {
        unsigned place = 0, s = state;

        for (int bit = STEP_BITS - 1; bit >= 0; bit--)
          {
            unsigned x = xy >> (STEP_BITS + bit) & 1, y = xy >> bit & 1, t;

            if (s & 2)
              {
                x ^= 1;
                y ^= 1;
              }
            if (s & 1)
              {
                t = x;
                x = y;
                y = t;
              }
            place = place << 2 | ((3 * x) ^ y);
            /* The first quarter is transposed, the last one about the other diagonal. */
            if (y == 0)
              s ^= x ? 3 : 1;
          }
        curve.place[state][xy] = (uint8_t) place;
        curve.next[state][xy] = (uint8_t) s;
      }
}

/**
 * armilla_cells_key:
 * @x: a unit vector
 * @y: likewise
 * @z: likewise
 *
 * Returns: its place on the curve, 59 bits
 */
uint64_t
armilla_cells_key (double x, double y, double z)
{
  const double ax = fabs (x), ay = fabs (y), az = fabs (z);
  const double scale = 1 << (FACE_BITS - 1);
  const uint64_t most = (1u << FACE_BITS) - 1;
  const unsigned face = ax >= ay && ax >= az ? 0 : ay >= az ? 2 : 4;
  const double axis = face == 0 ? x : face == 2 ? y : z;
  const double u = face == 0 ? y : face == 2 ? z : x, v = face == 0 ? z : face == 2 ? x : y;
  const double inverse = scale / fabs (axis);
  uint64_t i = (uint64_t) (u * inverse + scale), j = (uint64_t) (v * inverse + scale);
  uint64_t key = face + (axis < 0);
  unsigned state = 0;

  i = i < most ? i : most;
  j = j < most ? j : most;
  for (int shift = FACE_BITS - STEP_BITS; shift >= 0; shift -= STEP_BITS)
    {
      const unsigned xy = (unsigned) ((i >> shift & 15) << STEP_BITS | (j >> shift & 15));

      key = key << (2 * STEP_BITS) | curve.place[state][xy];
      state = curve.next[state][xy];
    }
  return key;
}

typedef struct {
  const ArmillaCellsInput *input;
  int64_t n_chunks, n_buckets; /* buckets of all patches */
  int shift;                   /* from a key to its bucket within a patch */
  int64_t per_patch;
  uint64_t *keys;
  int64_t *starts; /* [chunk][bucket], then [n_buckets + 1] where each bucket begins */
  ArmillaKeyed *sorted;
} Sort;

static int64_t
bucket_of (const Sort *sort, int64_t i)
{
  const int64_t patch = sort->input->patch ? sort->input->patch[i] : 0;

  return patch * sort->per_patch + (int64_t) (sort->keys[i] >> sort->shift);
}

static int64_t
chunk_end (const Sort *sort, int64_t chunk)
{
  return chunk + 1 == sort->n_chunks ? sort->input->n
                                     : (chunk + 1) * (sort->input->n / sort->n_chunks);
}

static void
count_chunk (void *user, int64_t chunk)
{
  Sort *sort = user;
  const ArmillaCellsInput *in = sort->input;
  int64_t *count = sort->starts + chunk * sort->n_buckets;

  memset (count, 0, sizeof *count * (size_t) sort->n_buckets);
  for (int64_t i = chunk * (in->n / sort->n_chunks); i < chunk_end (sort, chunk); i++)
    {
      sort->keys[i] = armilla_cells_key (in->x[i], in->y[i], in->z[i]);
      count[bucket_of (sort, i)]++;
    }
}

static void
place_chunk (void *user, int64_t chunk)
{
  Sort *sort = user;
  int64_t *next = sort->starts + chunk * sort->n_buckets;

  for (int64_t i = chunk * (sort->input->n / sort->n_chunks); i < chunk_end (sort, chunk); i++)
    sort->sorted[next[bucket_of (sort, i)]++] = (ArmillaKeyed) { sort->keys[i], i };
}

/* Objects of equal keys stay in the order of their numbers, whoever sorts them. */
static int
compare (const void *a, const void *b)
{
  const ArmillaKeyed *p = a, *q = b;

  if (p->key != q->key)
    return p->key < q->key ? -1 : 1;
  return p->object < q->object ? -1 : p->object > q->object;
}

static void
sort_few (ArmillaKeyed *at, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    {
      const ArmillaKeyed x = at[i];
      int64_t j = i;

      for (; j > 0 && compare (&at[j - 1], &x) > 0; j--)
        at[j] = at[j - 1];
      at[j] = x;
    }
}

/* By the next four bits in place, then each part by itself; keys of dense clusters share many. */
static void
sort_run (ArmillaKeyed *at, int64_t n, int shift)
{
  int64_t start[17] = { 0 }, next[16];

  if (n <= 24)
    {
      sort_few (at, n);
      return;
    }
  if (shift < 4)
    {
      qsort (at, (size_t) n, sizeof *at, compare);
      return;
    }
  shift -= 4;
  for (int64_t i = 0; i < n; i++)
    start[(at[i].key >> shift & 15) + 1]++;
  for (int d = 0; d < 16; d++)
    {
      start[d + 1] += start[d];
      next[d] = start[d];
    }
  for (int d = 0; d < 16; d++)
    while (next[d] < start[d + 1])
      {
        const unsigned to = (unsigned) (at[next[d]].key >> shift & 15);

        if ((int) to == d)
          next[d]++;
        else
          {
            const ArmillaKeyed x = at[next[to]];

            at[next[to]++] = at[next[d]];
            at[next[d]] = x;
          }
      }
  for (int d = 0; d < 16; d++)
    sort_run (at + start[d], start[d + 1] - start[d], shift);
}

#define BUCKETS_AT_ONCE 16

static void
sort_buckets (void *user, int64_t group)
{
  Sort *sort = user;
  const int64_t *start = sort->starts + sort->n_chunks * sort->n_buckets;

  for (int64_t b = group * BUCKETS_AT_ONCE;
       b < sort->n_buckets && b < (group + 1) * BUCKETS_AT_ONCE; b++)
    sort_run (sort->sorted + start[b], start[b + 1] - start[b], sort->shift);
}

static void
start_buckets (Sort *sort, int64_t *first)
{
  int64_t *start = sort->starts + sort->n_chunks * sort->n_buckets, sum = 0;

  for (int64_t b = 0; b < sort->n_buckets; b++)
    {
      start[b] = sum;
      if (b % sort->per_patch == 0)
        first[b / sort->per_patch] = sum;
      for (int64_t chunk = 0; chunk < sort->n_chunks; chunk++)
        {
          int64_t *count = &sort->starts[chunk * sort->n_buckets + b];
          const int64_t n = *count;

          *count = sum;
          sum += n;
        }
    }
  start[sort->n_buckets] = sum;
  first[sort->n_buckets / sort->per_patch] = sum;
}

/**
 * armilla_cells_sort:
 * @input: objects
 * @n_threads: how many threads may work
 * @first: (out): [n_patches + 1]: the first of each patch in the order
 *
 * Sorts objects by patch, then along the curve. The order does not depend on @n_threads.
 *
 * Returns: (nullable): [n], to be freed with g_free(); %NULL without memory
 */
ArmillaKeyed *
armilla_cells_sort (const ArmillaCellsInput *input, int n_threads, int64_t *first)
{
  static gsize filled = 0;
  const int64_t n_patches = input->patch ? input->n_patches : 1;
  Sort sort = { .input = input, .n_chunks = n_threads };
  int bits = 3;

  if (g_once_init_enter (&filled))
    {
      fill_curve ();
      g_once_init_leave (&filled, 1);
    }
  while ((n_patches << bits) * BUCKET < input->n && (n_patches << bits) < MOST_BUCKETS)
    bits += 2;
  sort.n_chunks = input->n < CHUNK ? 1 : n_threads;
  sort.shift = KEY_BITS - bits;
  sort.per_patch = (int64_t) 1 << bits;
  sort.n_buckets = n_patches * sort.per_patch;
  sort.keys = g_try_new (uint64_t, (gsize) MAX (input->n, 1));
  sort.sorted = g_try_new (ArmillaKeyed, (gsize) MAX (input->n, 1));
  sort.starts = g_try_new (int64_t, (gsize) ((sort.n_chunks + 1) * sort.n_buckets + 1));
  if (sort.keys && sort.sorted && sort.starts)
    {
      armilla_cells_parallel (n_threads, sort.n_chunks, count_chunk, &sort);
      start_buckets (&sort, first);
      armilla_cells_parallel (n_threads, sort.n_chunks, place_chunk, &sort);
      armilla_cells_parallel (n_threads,
                              (sort.n_buckets + BUCKETS_AT_ONCE - 1) / BUCKETS_AT_ONCE,
                              sort_buckets, &sort);
    }
  else
    g_clear_pointer (&sort.sorted, g_free);
  g_free (sort.keys);
  g_free (sort.starts);
  return sort.sorted;
}
