/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the pixels of a tile of a map: moments, extremes, a histogram. Raw pointers.
 * 8 bytes a pixel are moved, and 8 of the mask, for some 15 flops: memory is the limit. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaStatisticsShape:
 * @n_fields: fields of the map
 * @n_pixels: pixels of each in the tile
 * @n_masks: fields of the mask: 0 (there is none), 1, or @n_fields
 * @n_bins: bins of the histogram; 0: none
 * @low: lower end of the first bin
 * @high: upper end of the last bin
 *
 * A tile of a map. What is found of it: doubles, [field][7 + counters]: n, mean, sums of the second
 * to the fourth power of differences from the mean, least, greatest; then, where there are bins,
 * n_bins + 2 counters: below, in each bin, above. Numbers of pixels are exact below 2^53.
 */
typedef struct {
  int64_t n_fields, n_pixels, n_masks, n_bins;
  double low, high;
} ArmillaStatisticsShape;

/* Doubles of a field in what is found. */
int64_t armilla_statistics_words (const ArmillaStatisticsShape *shape);
/* Doubles of scratch that CUDA needs. */
int64_t armilla_statistics_scratch (const ArmillaStatisticsShape *shape);

/* part <- statistics of a tile. mask: NULL where there is none. */
void armilla_statistics_cpu (const ArmillaStatisticsShape *shape, const double *map,
                             const double *mask, double *part);
/* sum <- part (first), or sum and part together. */
void armilla_statistics_merge_cpu (const ArmillaStatisticsShape *shape, int first,
                                   const double *part, double *sum);

/* CUDA kernels: the same in device memory, and the same bits. */
int armilla_statistics_launch (const ArmillaStatisticsShape *shape, const double *map,
                               const double *mask, double *part, double *scratch,
                               cudaStream_t stream);
int armilla_statistics_merge_launch (const ArmillaStatisticsShape *shape, int first,
                                     const double *part, double *sum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
