/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps objects to buckets. Buckets are segments of the curve with equal numbers of sampled objects;
 * sampling errors change the sizes of buckets, not results. */
#include <glib.h>
#include <string.h>

#include "codelets/correlation/cells-private.h"

/* Approximate number of buckets; more if the workspace to sort one would not fit a second-level
 * cache. */
#define BUCKETS 128
#define MIN_BUCKET 2048
#define MAX_BUCKET 8192
/* samples per bucket: most buckets are then within a quarter of the mean size */
#define SAMPLES 16
/* squares per bucket: most buckets begin at a square, so that no search is needed */
#define SQUARES 8

/* Sorts positions by radix sort, last byte first. */
static void
sort_places (uint64_t *at, uint64_t *other, int64_t n, int n_bytes)
{
  for (int byte = 0; byte < n_bytes; byte++)
    {
      int64_t next[257] = { 0 };

      for (int64_t k = 0; k < n; k++)
        next[(at[k] >> 8 * byte & 255) + 1]++;
      for (int value = 0; value < 256; value++)
        next[value + 1] += next[value];
      for (int64_t k = 0; k < n; k++)
        other[next[at[k] >> 8 * byte & 255]++] = at[k];
      memcpy (at, other, sizeof *at * (size_t) n);
    }
}

/* Returns the sorted positions of @n objects at equal distances in the catalogue. */
static uint64_t *
sample_places (const ArmillaCellsInput *in, int64_t n)
{
  g_autofree uint64_t *other = g_try_new (uint64_t, (gsize) n + 1);
  g_autofree double *at = g_try_new (double, (gsize) (3 * n) + 1);
  g_autofree uint32_t *keys = g_try_new (uint32_t, (gsize) n + 1);
  uint64_t *places = g_try_new (uint64_t, (gsize) n + 1);

  if (!other || !at || !keys || !places)
    {
      g_free (places);
      return NULL;
    }
  for (int64_t k = 0; k < n; k++)
    {
      const int64_t i = k * (in->n / n) + MIN (k, in->n % n);

      at[k] = in->x[i];
      at[n + k] = in->y[i];
      at[2 * n + k] = in->z[i];
      places[k] = in->patch ? (uint64_t) in->patch[i] << ARMILLA_SHORT_KEY_BITS : 0;
    }
  armilla_cells_input_keys (in, at, at + n, at + 2 * n, n, keys);
  for (int64_t k = 0; k < n; k++)
    places[k] |= keys[k];
  sort_places (places, other, n, in->patch ? 6 : 4);
  return places;
}

/* A bucket begins with each patch and, within it, whenever the previous bucket has enough samples:
 * at the square of the next sample, if that is after the beginning of the previous bucket. Returns
 * the number of buckets. */
static int64_t
begin_buckets (const ArmillaSquares *squares, int64_t n_patches, const uint64_t *places, int64_t n)
{
  const uint64_t within = UINT32_MAX >> squares->bits;
  int64_t n_buckets = 0, k = 0;

  for (int64_t patch = 0; patch < n_patches; patch++)
    {
      const uint64_t end = (uint64_t) (patch + 1) << ARMILLA_SHORT_KEY_BITS;
      uint64_t begin = (uint64_t) patch << ARMILLA_SHORT_KEY_BITS;

      squares->first[n_buckets++] = begin;
      for (int64_t last = k; k < n && places[k] < end; k++)
        if (k - last >= SAMPLES && places[k] > begin)
          {
            begin = (places[k] & ~within) > begin ? places[k] & ~within : places[k];
            while (k > last && places[k - 1] >= begin)
              k--;
            last = k;
            squares->first[n_buckets++] = begin;
          }
    }
  squares->first[n_buckets] = (uint64_t) n_patches << ARMILLA_SHORT_KEY_BITS;
  return n_buckets;
}

static void
find_ranges (const ArmillaSquares *squares, int64_t n_squares)
{
  const int shift = ARMILLA_SHORT_KEY_BITS - squares->bits;
  uint32_t bucket = 0;

  for (int64_t s = 0; s < n_squares; s++)
    {
      while (squares->first[bucket + 1] <= (uint64_t) s << shift)
        bucket++;
      squares->range[s].low = bucket;
      while (squares->first[bucket + 1] < (uint64_t) (s + 1) << shift)
        bucket++;
      squares->range[s].high = bucket;
    }
}

ArmillaSquares *
armilla_squares_new (const ArmillaCellsInput *input)
{
  const int64_t n_patches = input->patch ? input->n_patches : 1;
  const int64_t bucket = CLAMP (input->n / BUCKETS, MIN_BUCKET, MAX_BUCKET);
  const int64_t n = (SAMPLES * input->n + bucket - 1) / bucket;
  g_autofree uint64_t *places = sample_places (input, n);
  ArmillaSquares *squares = g_new0 (ArmillaSquares, 1);

  squares->bits = 3;
  while (n_patches << squares->bits < SQUARES * (input->n / bucket))
    squares->bits += 2;
  squares->range = g_try_malloc (sizeof *squares->range * (gsize) (n_patches << squares->bits));
  /* Of any three buckets that begin in a patch, the last one begins after the samples of one
   * bucket. */
  squares->first = g_try_new (uint64_t, (gsize) (4 * n_patches + 3 * (n / SAMPLES) + 1));
  if (!places || !squares->range || !squares->first)
    {
      armilla_squares_free (squares);
      return NULL;
    }
  squares->n_buckets = begin_buckets (squares, n_patches, places, n);
  find_ranges (squares, n_patches << squares->bits);
  return squares;
}

void
armilla_squares_free (ArmillaSquares *squares)
{
  g_free (squares->range);
  g_free (squares->first);
  g_free (squares);
}
