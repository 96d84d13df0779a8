/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/fields/statistics.h"

#include "codelets/fields/each.cuh"
#include "codelets/fields/statistics-math.h"

#define WORDS ((int64_t) (sizeof (ArmillaMoments) / sizeof (double)))
#define WARPS 4 /* warps per thread block; each processes one chunk */

/* Returns x of lane j + half for every lane below half; the values of other lanes are not used. */
template<typename T>
static __device__ T
from_lane (T x, int half)
{
  double *words = (double *) &x;

  for (int i = 0; i < (int) (sizeof (T) / sizeof (double)); i++)
    words[i] = __shfl_down_sync (~0u, words[i], half);
  return x;
}

static __device__ double
mask_at (const double *mask, int64_t i)
{
  return mask ? mask[i] : 1;
}

/* Computes moments, one warp per chunk: scratch[field][chunk] <- its moments. */
static __global__ void
chunks_kernel (ArmillaStatisticsShape shape, int64_t n_chunks, const double *map,
               const double *mask, ArmillaMoments *scratch)
{
  const int64_t chunk = (int64_t) blockIdx.x * WARPS + threadIdx.y, n = shape.n_pixels;
  const int64_t first = chunk * ARMILLA_CHUNK;
  const int64_t last = first + ARMILLA_CHUNK < n ? first + ARMILLA_CHUNK : n;
  const double *values = map + blockIdx.y * n;
  const double *own
    = shape.n_masks > 0 ? mask + (shape.n_masks > 1 ? blockIdx.y * n : 0) : nullptr;
  ArmillaLaneSum sum = armilla_lane_none ();
  ArmillaLanePowers powers = {};
  double mean;

  if (chunk >= n_chunks)
    return;
  for (int64_t i = first + threadIdx.x; i < last; i += ARMILLA_LANES)
    if (armilla_pixel_counts (values[i], mask_at (own, i)))
      sum = armilla_lane_add (sum, armilla_lane_of (values[i]));
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    sum = armilla_lane_add (sum, from_lane (sum, half));
  mean = __shfl_sync (~0u, sum.n > 0 ? sum.sum / sum.n : 0, 0);
  for (int64_t i = first + threadIdx.x; i < last; i += ARMILLA_LANES)
    if (armilla_pixel_counts (values[i], mask_at (own, i)))
      powers = armilla_powers_add (powers, armilla_powers_of (values[i] - mean));
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    powers = armilla_powers_add (powers, from_lane (powers, half));
  if (threadIdx.x == 0)
    scratch[blockIdx.y * n_chunks + chunk] = armilla_moments_of (sum, powers);
}

/* Combines chunks, one warp per field: part <- the combined chunks; sets the counters to 0. */
static __global__ void
fields_kernel (int64_t words, int64_t n_chunks, const ArmillaMoments *scratch, double *part)
{
  ArmillaMoments lane = armilla_moments_none ();
  double *found = part + blockIdx.x * words;

  for (int64_t chunk = threadIdx.x; chunk < n_chunks; chunk += ARMILLA_LANES)
    lane = armilla_moments_merge (lane, scratch[blockIdx.x * n_chunks + chunk]);
  for (int half = ARMILLA_LANES / 2; half > 0; half /= 2)
    lane = armilla_moments_merge (lane, from_lane (lane, half));
  if (threadIdx.x == 0)
    *(ArmillaMoments *) found = lane;
  for (int64_t i = WORDS + threadIdx.x; i < words; i += ARMILLA_LANES)
    found[i] = 0;
}

/* Counts the pixels in bins. The counters are integers, so the order of additions does not
 * matter. */
static __global__ void
bins_kernel (ArmillaStatisticsShape shape, int64_t words, const double *map, const double *mask,
             double *part)
{
  const int64_t n = shape.n_pixels;
  const double *values = map + blockIdx.y * n;
  const double *own
    = shape.n_masks > 0 ? mask + (shape.n_masks > 1 ? blockIdx.y * n : 0) : nullptr;
  double *counters = part + blockIdx.y * words + WORDS;

  FOR_EACH (i, n)
  if (armilla_pixel_counts (values[i], mask_at (own, i)))
    atomicAdd (&counters[armilla_bin_of (shape.low, shape.high, shape.n_bins, values[i])], 1.0);
}

int
armilla_statistics_launch (const ArmillaStatisticsShape *shape, const double *map,
                           const double *mask, double *part, double *scratch, cudaStream_t stream)
{
  const int64_t n_chunks = (shape->n_pixels + ARMILLA_CHUNK - 1) / ARMILLA_CHUNK;
  const int64_t words = armilla_statistics_words (shape);
  const dim3 chunks ((unsigned) ((n_chunks + WARPS - 1) / WARPS), (unsigned) shape->n_fields);
  const dim3 pixels (blocks_for (shape->n_pixels), (unsigned) shape->n_fields);
  ArmillaMoments *moments = (ArmillaMoments *) scratch;

  if (n_chunks > 0)
    chunks_kernel<<<chunks, dim3 (ARMILLA_LANES, WARPS), 0, stream>>> (*shape, n_chunks, map, mask,
                                                                       moments);
  fields_kernel<<<(unsigned) shape->n_fields, ARMILLA_LANES, 0, stream>>> (words, n_chunks, moments,
                                                                           part);
  if (shape->n_bins > 0 && n_chunks > 0)
    bins_kernel<<<pixels, THREADS, 0, stream>>> (*shape, words, map, mask, part);
  return cudaGetLastError ();
}

/* Merges results; one thread block per field. */
static __global__ void
merge_kernel (int64_t words, int first, const double *part, double *sum)
{
  const double *from = part + blockIdx.x * words;
  double *to = sum + blockIdx.x * words;

  if (threadIdx.x == 0)
    *(ArmillaMoments *) to
      = armilla_moments_merge (first ? armilla_moments_none () : *(ArmillaMoments *) to,
                               *(const ArmillaMoments *) from);
  for (int64_t i = WORDS + threadIdx.x; i < words; i += THREADS)
    to[i] = from[i] + (first ? 0 : to[i]);
}

int
armilla_statistics_merge_launch (const ArmillaStatisticsShape *shape, int first,
                                 const double *part, double *sum, cudaStream_t stream)
{
  merge_kernel<<<(unsigned) shape->n_fields, THREADS, 0, stream>>> (
    armilla_statistics_words (shape), first, part, sum);
  return cudaGetLastError ();
}
