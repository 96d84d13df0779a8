/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the objects of a bucket by leaf; objects that belong to one leaf are not sorted further.
 * The order depends on an object's position on the curve, then on its number, never on the
 * thread. */
#include <glib.h>
#include <string.h>

#include "codelets/correlation/cells-private.h"

/* minimum number of bits per sorting pass */
#define MIN_DIGIT 4
#define MAX_DIGIT 12
/* maximum number of words that are sorted by insertion */
#define FEW 20

/* Words to be sorted: the high half is the position on the curve, the low half the number of a
 * record. */
typedef struct {
  const ArmillaCellsInput *input;
  const ArmillaRecord *records;
  uint64_t *at, *other;
} Words;

/* Returns whether the n places from @place on, counted from the first of a patch, belong to one
 * leaf. */
static gboolean
one_leaf (int64_t place, int64_t n)
{
  return n < 2 || place / ARMILLA_LEAF == (place + n - 1) / ARMILLA_LEAF;
}

static void
sort_few (uint64_t *at, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    {
      const uint64_t x = at[i];
      int64_t j = i;

      for (; j > 0 && at[j - 1] > x; j--)
        at[j] = at[j - 1];
      at[j] = x;
    }
}

/* Returns the number of bits of a digit that has about as many values as there are objects. */
static int
digit_for (int64_t n)
{
  int bits = MIN_DIGIT;

  while (bits < MAX_DIGIT && n >> bits > 1)
    bits++;
  return bits;
}

/* Converts the number of objects with each value of a digit to the position of the first of
 * them. */
static void
begin_digits (uint32_t *next, int bits)
{
  uint32_t sum = 0;

  for (uint32_t d = 0; d < 1u << bits; d++)
    {
      const uint32_t count = next[d];

      next[d] = sum;
      sum += count;
    }
}

static void sort_words (const Words *words, int64_t first, int64_t n, int64_t place, int renewed);

/* Sorts words that are in the order of the bits above @shift; recurses if a value spans two
 * leaves. */
static void
sort_values (const Words *words, int64_t first, int64_t n, int64_t place, int shift, int renewed)
{
  const uint64_t *at = words->at + first;
  /* First word of the second leaf. */
  int64_t i = ARMILLA_LEAF - place % ARMILLA_LEAF;

  while (i < n)
    {
      const uint64_t value = at[i] >> shift;
      int64_t begin = i, end = i + 1;

      while (begin > 0 && at[begin - 1] >> shift == value)
        begin--;
      if (begin < i)
        {
          while (end < n && at[end] >> shift == value)
            end++;
          sort_words (words, first + begin, end - begin, place + begin, renewed);
        }
      while (i < end)
        i += ARMILLA_LEAF;
    }
}

/* Returns the index plus one of the highest bit in which words differ; 0 if all positions are
 * equal. */
static int
bits_that_differ (const uint64_t *at, int64_t n)
{
  uint64_t differ = 0;

  for (int64_t i = 1; i < n; i++)
    differ |= at[i] ^ at[0];
  return differ >> 32 ? 64 - __builtin_clzll (differ) : 0;
}

/* Replaces short keys, which are all equal, by the following bits of the full keys. */
static void
renew_places (const Words *words, int64_t first, int64_t n)
{
  uint64_t *at = words->at + first;

  for (int64_t i = 0; i < n; i++)
    {
      const ArmillaRecord *record = &words->records[(uint32_t) at[i]];
      const uint64_t key
        = armilla_cells_input_key (words->input, record->x, record->y, record->z);

      at[i] = key << (64 - ARMILLA_KEY_BITS + ARMILLA_SHORT_KEY_BITS) | (uint32_t) at[i];
    }
}

static void
sort_words (const Words *words, int64_t first, int64_t n, int64_t place, int renewed)
{
  uint64_t *at = words->at + first, *other = words->other + first;
  int top, bits;

  if (one_leaf (place, n))
    return;
  if (n <= FEW)
    {
      sort_few (at, n);
      return;
    }
  top = bits_that_differ (at, n);
  if (top == 0 && !renewed)
    {
      renew_places (words, first, n);
      renewed = TRUE;
      top = bits_that_differ (at, n);
    }
  /* Objects at the same position keep the order of their numbers. */
  if (top == 0)
    return;
  bits = MIN (digit_for (n), top - 32);

  const int shift = top - bits;
  const uint64_t mask = (UINT64_C (1) << bits) - 1;
  uint32_t next[1 << MAX_DIGIT];

  memset (next, 0, sizeof *next << bits);
  for (int64_t i = 0; i < n; i++)
    next[at[i] >> shift & mask]++;
  begin_digits (next, bits);
  for (int64_t i = 0; i < n; i++)
    other[next[at[i] >> shift & mask]++] = at[i];
  memcpy (at, other, sizeof *at * (size_t) n);
  sort_values (words, first, n, place, shift, renewed);
}

static gboolean
make_room (ArmillaBucketRoom *room, int64_t n)
{
  if (room->size < 2 * n)
    {
      g_free (room->words);
      room->size = 2 * n + n / 2;
      room->words = g_try_new (uint64_t, (gsize) room->size);
      if (!room->words)
        room->size = 0;
    }
  return room->size > 0;
}

const uint64_t *
armilla_order_bucket (const ArmillaOrder *order, int64_t bucket, int64_t place,
                      ArmillaBucketRoom *room)
{
  const ArmillaSquares *squares = order->squares;
  const int64_t n = order->start[bucket + 1] - order->start[bucket];
  const uint32_t base = (uint32_t) squares->first[bucket];
  const uint32_t span = (uint32_t) (squares->first[bucket + 1] - squares->first[bucket] - 1);
  /* Number of leading bits that are 0 in all keys of the bucket after subtraction of base. */
  const int unused = span > 0 ? __builtin_clz (span) : 31;
  const int bits = digit_for (n), shift = 32 - bits;
  uint32_t next[1 << MAX_DIGIT];
  uint64_t *from;
  int64_t k = 0;
  Words words = { .input = order->input, .records = order->records };

  if (!make_room (room, n))
    return NULL;
  words.at = room->words;
  words.other = from = room->words + n;
  memset (next, 0, sizeof *next << bits);
  for (int64_t block = 0; block < order->n_blocks; block++)
    {
      const uint32_t *run = order->runs + block * (squares->n_buckets + 1) + bucket;

      if (block + 1 < order->n_blocks)
        for (uint32_t i = run[squares->n_buckets + 1]; i < run[squares->n_buckets + 2]; i += 2)
          __builtin_prefetch (order->records + i);
      for (uint32_t i = run[0]; i < run[1]; i++)
        {
          const uint32_t key
            = ((uint32_t) (order->records[i].word >> 32) - base) << unused;

          from[k++] = (uint64_t) key << 32 | i;
          next[key >> shift]++;
        }
    }
  begin_digits (next, bits);
  for (int64_t i = 0; i < n; i++)
    words.at[next[from[i] >> (32 + shift)]++] = from[i];
  sort_values (&words, 0, n, place, 32 + shift, FALSE);
  return words.at;
}
