/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/statistics.h"

#include <string.h>

#include "codelets/fields/statistics-math.h"

#define WORDS ((int64_t) (sizeof (ArmillaMoments) / sizeof (double)))

int64_t
armilla_statistics_words (const ArmillaStatisticsShape *shape)
{
  return WORDS + (shape->n_bins > 0 ? shape->n_bins + 2 : 0);
}

static int64_t
count_chunks (const ArmillaStatisticsShape *shape)
{
  return (shape->n_pixels + ARMILLA_CHUNK - 1) / ARMILLA_CHUNK;
}

int64_t
armilla_statistics_scratch (const ArmillaStatisticsShape *shape)
{
  return shape->n_fields * count_chunks (shape) * WORDS;
}

static double
mask_at (const double *mask, int64_t i)
{
  return mask ? mask[i] : 1;
}

static ArmillaLaneSum
sum_chunk (int64_t n, const double *values, const double *mask)
{
  ArmillaLaneSum lanes[ARMILLA_LANES];

  for (int j = 0; j < ARMILLA_LANES; j++)
    lanes[j] = armilla_lane_none ();
  for (int64_t i = 0; i < n; i++)
    if (armilla_pixel_counts (values[i], mask_at (mask, i)))
      lanes[i % ARMILLA_LANES]
        = armilla_lane_add (lanes[i % ARMILLA_LANES], armilla_lane_of (values[i]));
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    for (int j = 0; j < half; j++)
      lanes[j] = armilla_lane_add (lanes[j], lanes[j + half]);
  return lanes[0];
}

static ArmillaLanePowers
sum_powers (int64_t n, const double *values, const double *mask, double mean)
{
  ArmillaLanePowers lanes[ARMILLA_LANES] = { { 0 } };

  for (int64_t i = 0; i < n; i++)
    if (armilla_pixel_counts (values[i], mask_at (mask, i)))
      lanes[i % ARMILLA_LANES]
        = armilla_powers_add (lanes[i % ARMILLA_LANES], armilla_powers_of (values[i] - mean));
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    for (int j = 0; j < half; j++)
      lanes[j] = armilla_powers_add (lanes[j], lanes[j + half]);
  return lanes[0];
}

static ArmillaMoments
moments_of_chunk (int64_t n, const double *values, const double *mask)
{
  const ArmillaLaneSum sum = sum_chunk (n, values, mask);

  if (sum.n == 0)
    return armilla_moments_none ();
  return armilla_moments_of (sum, sum_powers (n, values, mask, sum.sum / sum.n));
}

/* Chunks are combined like the pixels of a chunk: in lanes, then by pairwise halving. */
static ArmillaMoments
moments_of_field (int64_t n, const double *values, const double *mask)
{
  ArmillaMoments lanes[ARMILLA_LANES];

  for (int j = 0; j < ARMILLA_LANES; j++)
    lanes[j] = armilla_moments_none ();
  for (int64_t first = 0, chunk = 0; first < n; first += ARMILLA_CHUNK, chunk++)
    {
      const int64_t count = n - first < ARMILLA_CHUNK ? n - first : ARMILLA_CHUNK;

      lanes[chunk % ARMILLA_LANES]
        = armilla_moments_merge (lanes[chunk % ARMILLA_LANES],
                                 moments_of_chunk (count, values + first,
                                                   mask ? mask + first : NULL));
    }
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    for (int j = 0; j < half; j++)
      lanes[j] = armilla_moments_merge (lanes[j], lanes[j + half]);
  return lanes[0];
}

void
armilla_statistics_cpu (const ArmillaStatisticsShape *shape, const double *map, const double *mask,
                        double *part)
{
  const int64_t words = armilla_statistics_words (shape), n = shape->n_pixels;

  for (int64_t field = 0; field < shape->n_fields; field++)
    {
      const double *values = map + field * n;
      const double *own = shape->n_masks > 0 ? mask + (shape->n_masks > 1 ? field * n : 0) : NULL;
      const ArmillaMoments moments = moments_of_field (n, values, own);
      double *found = part + field * words;

      memcpy (found, &moments, sizeof moments);
      if (shape->n_bins == 0)
        continue;
      memset (found + WORDS, 0, sizeof (double) * (size_t) (words - WORDS));
      for (int64_t i = 0; i < n; i++)
        if (armilla_pixel_counts (values[i], mask_at (own, i)))
          found[WORDS + armilla_bin_of (shape->low, shape->high, shape->n_bins, values[i])] += 1;
    }
}

void
armilla_statistics_merge_cpu (const ArmillaStatisticsShape *shape, int first, const double *part,
                              double *sum)
{
  const int64_t words = armilla_statistics_words (shape);

  for (int64_t field = 0; field < shape->n_fields; field++, part += words, sum += words)
    {
      ArmillaMoments a = armilla_moments_none (), b;

      memcpy (&b, part, sizeof b);
      if (!first)
        memcpy (&a, sum, sizeof a);
      a = armilla_moments_merge (a, b);
      memcpy (sum, &a, sizeof a);
      for (int64_t i = WORDS; i < words; i++)
        sum[i] = part[i] + (first ? 0 : sum[i]);
    }
}
