/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of the objects of a bucket. Only which leaf an object comes to matters, not where
 * within: what is of one leaf is left alone. What decides is where an object is on the curve, then
 * its number, never who sorts. */
#include <glib.h>
#include <string.h>

#include "codelets/cells-private.h"

/* Bits that are sorted by at once, of records and of few words, and of many words. */
#define DIGIT 4
#define DIGITS (1 << DIGIT)
#define MOST_DIGIT 8
/* So few are put into order one by one. */
#define FEW 20

/* Whether places from @place on, counted from the first of a patch, are of one leaf. */
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

/* So many bits that a value has two objects or so. */
static int
digit_for (int64_t n)
{
  int bits = DIGIT;

  while (bits < MOST_DIGIT && n >> bits > 2)
    bits++;
  return bits;
}

static inline uint32_t
digit_of (uint64_t word, int shift, int bits)
{
  return (uint32_t) (word >> shift) & ((1u << bits) - 1);
}

/* Numbers of objects to where those of each value begin. */
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

static void sort_words (uint64_t *at, uint64_t *other, int64_t n, int64_t place, int shift);

/* Words in the order of the digit above @shift: goes on where a value is of two leaves. */
static void
sort_values (uint64_t *at, uint64_t *other, int64_t n, int64_t place, int shift, int bits)
{
  /* The first word of the second leaf. */
  int64_t i = ARMILLA_LEAF - place % ARMILLA_LEAF;

  while (i < n)
    {
      const uint32_t value = digit_of (at[i], shift, bits);
      int64_t begin = i, end = i + 1;

      while (begin > 0 && digit_of (at[begin - 1], shift, bits) == value)
        begin--;
      if (begin < i)
        {
          while (end < n && digit_of (at[end], shift, bits) == value)
            end++;
          sort_words (at + begin, other + begin, end - begin, place + begin, shift);
        }
      while (i < end)
        i += ARMILLA_LEAF;
    }
}

/* Words of the rest of a place on the curve, in the high half, and a number: by some bits, then
 * each part by itself. @other is room for as many. */
static void
sort_words (uint64_t *at, uint64_t *other, int64_t n, int64_t place, int shift)
{
  /* Beyond the last bit they have been left in the order of their numbers. */
  if (one_leaf (place, n) || shift == 32)
    return;
  if (n <= FEW)
    {
      sort_few (at, n);
      return;
    }

  const int bits = MIN (digit_for (n), shift - 32);
  uint32_t next[1 << MOST_DIGIT] = { 0 };

  shift -= bits;
  for (int64_t i = 0; i < n; i++)
    next[digit_of (at[i], shift, bits)]++;
  begin_digits (next, bits);
  for (int64_t i = 0; i < n; i++)
    other[next[digit_of (at[i], shift, bits)]++] = at[i];
  memcpy (at, other, sizeof *at * (size_t) n);
  sort_values (at, other, n, place, shift, bits);
}

/* Bits of the places behind @used ones that all share, the first one on top. */
static void
renew_rests (ArmillaRecord *at, int64_t n, int used)
{
  const int unused = 64 - ARMILLA_KEY_BITS;

  for (int64_t i = 0; i < n; i++)
    at[i].rest
      = (uint32_t) (armilla_cells_key (at[i].x, at[i].y, at[i].z) << (unused + used) >> 32);
}

/* As sort_words(), in place; @used bits are the same for all, @left bits of rest are not used. */
static void
sort_records (ArmillaRecord *at, int64_t n, int64_t place, int used, int left)
{
  int64_t start[DIGITS + 1] = { 0 }, next[DIGITS];

  if (one_leaf (place, n) || used >= ARMILLA_KEY_BITS)
    return;
  if (left == 0)
    {
      renew_rests (at, n, used);
      left = 32;
    }
  left -= DIGIT;
  for (int64_t i = 0; i < n; i++)
    start[(at[i].rest >> left & (DIGITS - 1)) + 1]++;
  for (int d = 0; d < DIGITS; d++)
    {
      start[d + 1] += start[d];
      next[d] = start[d];
    }
  for (int d = 0; d < DIGITS; d++)
    while (next[d] < start[d + 1])
      {
        const int to = (int) (at[next[d]].rest >> left & (DIGITS - 1));

        if (to == d)
          next[d]++;
        else
          {
            const ArmillaRecord x = at[next[to]];

            at[next[to]++] = at[next[d]];
            at[next[d]] = x;
          }
      }
  for (int d = 0; d < DIGITS; d++)
    sort_records (at + start[d], start[d + 1] - start[d], place + start[d], used + DIGIT, left);
}

/**
 * armilla_order_bucket:
 * @order: an order
 * @bucket: a bucket that is not empty
 * @place: of its first object among those of the patch
 * @words: (out): their low halves: which of the bucket's records comes first, second, ...; of more
 *   than %ARMILLA_BUCKET_MOST not written: the records are moved instead
 *
 * Puts the objects of a bucket into the order in which they come to leaves.
 */
void
armilla_order_bucket (const ArmillaOrder *order, int64_t bucket, int64_t place,
                      uint64_t words[ARMILLA_BUCKET_MOST])
{
  const int64_t n = order->start[bucket + 1] - order->start[bucket];
  const int bits = digit_for (n), shift = 32 - bits;
  ArmillaRecord *at = order->records + order->start[bucket];
  uint64_t other[ARMILLA_BUCKET_MOST];
  uint32_t next[1 << MOST_DIGIT] = { 0 };

  if (n > ARMILLA_BUCKET_MOST)
    {
      /* Short keys may be the same for all of so many. */
      renew_rests (at, n, order->bits[bucket]);
      sort_records (at, n, place, order->bits[bucket], 32);
      return;
    }
  for (int64_t i = 0; i < n; i++)
    next[digit_of (at[i].rest, shift, bits)]++;
  begin_digits (next, bits);
  for (int64_t i = 0; i < n; i++)
    words[next[digit_of (at[i].rest, shift, bits)]++]
      = (uint64_t) at[i].rest << 32 | (uint64_t) i;
  sort_values (words, other, n, place, shift + 32, bits);
}
