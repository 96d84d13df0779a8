/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the pixels of a tile of a map: moments, extrema, a histogram. Raw-pointer kernels.
 * Reads 8 bytes per pixel and 8 of the mask for some 15 flops: memory bandwidth is the limit. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tile of a map. The result is double, [field][7 + counters]: n, mean, sums of the second to the
 * fourth power of differences from the mean, minimum, maximum; then, with bins, n_bins + 2
 * counters: below, in each bin, above. Counts are exact below 2^53. */
typedef struct {
  int64_t n_fields; /* fields of the map */
  int64_t n_pixels; /* pixels of each in the tile */
  int64_t n_masks;  /* fields of the mask: 0 (no mask), 1, or n_fields */
  int64_t n_bins;   /* bins of the histogram; 0: none */
  double low;       /* lower end of the first bin */
  double high;      /* upper end of the last bin */
} ArmillaStatisticsShape;

/* Returns the number of doubles of the result per field. */
int64_t armilla_statistics_words (const ArmillaStatisticsShape *shape);
/* Returns the number of doubles of scratch space that CUDA needs: the moments of all chunks. */
int64_t armilla_statistics_scratch (const ArmillaStatisticsShape *shape);

/* part[field][words] <- statistics of the observed pixels of map[field][pixel] under
 * mask[mask][pixel]; mask may be NULL. */
void armilla_statistics_cpu (const ArmillaStatisticsShape *shape, const double *map,
                             const double *mask, double *part);
/* sum <- part if @first, otherwise the statistics of the union of both. */
void armilla_statistics_merge_cpu (const ArmillaStatisticsShape *shape, int first,
                                   const double *part, double *sum);

/* CUDA kernels: the same arguments, in device memory, and the same bits. */
int armilla_statistics_launch (const ArmillaStatisticsShape *shape, const double *map,
                               const double *mask, double *part, double *scratch,
                               cudaStream_t stream);
int armilla_statistics_merge_launch (const ArmillaStatisticsShape *shape, int first,
                                     const double *part, double *sum, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
