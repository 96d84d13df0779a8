/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-pointer kernels that count the pairs of two sets of cells and sum over them. */
#pragma once

#include <stdint.h>

#include "codelets/correlation/cells.h"
#include "codelets/common/host-device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words per item: node of a, node of b, number of bin edges smaller than all separations of the
 * two, number smaller than at least one. A node paired with itself denotes the pairs within it,
 * each once. If positions repeat, the third word also has ARMILLA_ITEM_IMAGE times the number of
 * the image of a: 0 for a itself, otherwise from 1 to ARMILLA_ITEM_IMAGES: less 1, its digits to
 * base 3 are 1 + the periods along x, y and z by which a is displaced. */
#define ARMILLA_ITEM_WORDS 4
#define ARMILLA_ITEM_IMAGE (INT64_C (1) << 32)
#define ARMILLA_ITEM_IMAGES 27

/* Edges are double, [2][n_bins + 2]: the squared chords, then the chords, each followed by
 * infinity; then [n2 + 1] squared edges of the second coordinate. Words are those of
 * ArmillaHistogramShape. */
typedef struct {
  int64_t n_bins;       /* number of bins */
  int64_t n_patches;    /* number of patches with separate rows */
  int64_t n_within;     /* n_patches if the pairs within each patch have a row too; 0 otherwise */
  int64_t n_items;      /* pairs of nodes */
  int64_t slots[2];     /* words per row of the points of a and b */
  int64_t strides[2];   /* words per row of the nodes of a and b */
  int64_t exponents[4]; /* unit of each sum: 2 to this power; equal for both sums over shears */
  double pairs;         /* estimated number of pairs of objects, for the cost */
  int32_t sums;         /* 1 << s for each ArmillaHistogramSum s */
  int32_t is_auto;      /* whether a and b are the same */
  int32_t brute;        /* whether every pair is visited */
  int32_t isa;          /* instruction set (CPU kernels only), ArmillaIsa */
  int32_t lens; /* whether only b has shears: sums around lenses, see ArmillaHistogramSum */
  /* in space (CPU kernels only), as in ArmillaBins: */
  int32_t separation;   /* ArmillaSeparation */
  int32_t sight;        /* ArmillaSight */
  int64_t n2;           /* number of bins of the second coordinate; 0: there is none */
  double period[3];     /* lengths after which positions repeat; 0: they do not */
} ArmillaPairShape;

/* Input of the kernels. */
typedef struct {
  const double *edges;     /* [2][n_bins + 2] */
  const int64_t *items;    /* [n_items][ARMILLA_ITEM_WORDS] */
  const double *points[2]; /* of a and b */
  const double *nodes[2];  /* of a and b */
} ArmillaPairInput;

/* Returns the displacement of an image of a, see ARMILLA_ITEM_WORDS. */
ARMILLA_HD void
armilla_pair_displacement (const ArmillaPairShape *shape, int64_t image, double displacement[3])
{
  const int64_t digits[3] = { (image - 1) / 9, (image - 1) / 3 % 3, (image - 1) % 3 };

  for (int k = 0; k < 3; k++)
    displacement[k] = image > 0 ? (double) (digits[k] - 1) * shape->period[k] : 0;
}

/* Returns the number of words of scratch that the CPU needs. */
int64_t armilla_pair_histogram_scratch (const ArmillaPairShape *shape);
/* words <- header and rows of all items. */
void armilla_pair_histogram_cpu (const ArmillaPairShape *shape, const ArmillaPairInput *input,
                                 int64_t *words, int64_t *scratch);
/* sum <- part if @first, otherwise sum + part: words of a histogram. @n_entries: number per row;
 * @n_sums: number of sums that are kept. */
void armilla_histogram_merge_cpu (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first,
                                  const int64_t *part, int64_t *sum);

/* CUDA kernels: all arguments except the shape are in device memory. */
/* Returns the number of words of scratch. */
int64_t armilla_pair_histogram_device_scratch (const ArmillaPairShape *shape);
int armilla_pair_histogram_launch (const ArmillaPairShape *shape,
                                   const ArmillaPairInput *input, int64_t *words,
                                   int64_t *scratch, cudaStream_t stream);
int armilla_histogram_merge_launch (int64_t n_rows, int64_t n_entries, int64_t n_sums,
                                    int first, const int64_t *part, int64_t *sum,
                                    cudaStream_t stream);

#ifdef __cplusplus
}
#endif
