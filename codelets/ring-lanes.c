/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/ring-lanes.h"

#include <stddef.h>
#include <stdlib.h>

#include "codelets/ring-fft-math.h"

/* As in ring-simd.c: the loops are vectors already, and no set may fuse what another does not. */
#pragma GCC optimize("no-tree-vectorize")

#define TABLE(name)                                                                               \
  static const ArmillaLaneKernels name##_table                                                    \
      = { name##_forward, name##_backward, name##_put, name##_put_real,                           \
          name##_clear,   name##_multiply, name##_get, name##_get_real }

#define SIMD_WIDTH 2
#define SIMD_NAME(x) portable_##x
#define SIMD_TARGET
#include "codelets/ring-lanes-template.h"
#undef SIMD_WIDTH
#undef SIMD_NAME
#undef SIMD_TARGET
TABLE (portable);

#ifdef __x86_64__
#define SIMD_WIDTH 4
#define SIMD_NAME(x) avx2_##x
#define SIMD_TARGET __attribute__ ((target ("avx2")))
#include "codelets/ring-lanes-template.h"
#undef SIMD_WIDTH
#undef SIMD_NAME
#undef SIMD_TARGET
TABLE (avx2);

#define SIMD_WIDTH 8
#define SIMD_NAME(x) avx512_##x
#define SIMD_TARGET __attribute__ ((target ("avx512f,avx512dq,avx512vl")))
#include "codelets/ring-lanes-template.h"
TABLE (avx512);
#endif

const ArmillaLaneKernels *
armilla_lane_kernels_nth (int i)
{
  if (i == 0)
    return &portable_table;
#ifdef __x86_64__
  if (i == 1 && __builtin_cpu_supports ("avx2"))
    return &avx2_table;
  if (i == 2 && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
      && __builtin_cpu_supports ("avx512vl"))
    return &avx512_table;
#endif
  return NULL;
}

const ArmillaLaneKernels *
armilla_lane_kernels (void)
{
  int i = 0;

  while (armilla_lane_kernels_nth (i + 1))
    i++;
  return armilla_lane_kernels_nth (i);
}

/* Odd factors first, then a two where the power of two is odd, then fours: the last passes, whose
 * points are next to each other, are the cheap ones. */
static void
find_radices (ArmillaLaneFft *fft)
{
  static const int odd[] = { 5, 3 };
  int64_t n = fft->n;

  for (int i = 0; i < 2; i++)
    for (; n % odd[i] == 0; n /= odd[i])
      fft->radix[fft->n_levels++] = odd[i];
  for (int64_t m = n; m > 1; m /= 4)
    if (m == 2)
      {
        fft->radix[fft->n_levels++] = 2;
        n /= 2;
      }
  for (; n > 1; n /= 4)
    fft->radix[fft->n_levels++] = 4;
}

static int
fill_twiddles (ArmillaLaneFft *fft)
{
  int64_t length = fft->n;

  for (int level = 0; level < fft->n_levels; length /= fft->radix[level++])
    {
      const int64_t r = fft->radix[level], m = length / r;
      double *w = malloc (sizeof (double) * 2 * (size_t) (m * (r - 1)));

      if (!w)
        return 0;
      fft->twiddles[level] = w;
      for (int64_t j = 0; j < m; j++)
        for (int64_t t = 1; t < r; t++, w += 2)
          armilla_root_of_unity ((uint64_t) (2 * t * j), (uint64_t) length, w, w + 1);
    }
  return 1;
}

/* Result k = t + radix k' is result k' of the block t of the next level. */
static int64_t
place_of (const ArmillaLaneFft *fft, int64_t k)
{
  int64_t place = 0, length = fft->n;

  for (int level = 0; level < fft->n_levels; level++)
    {
      length /= fft->radix[level];
      place += k % fft->radix[level] * length;
      k /= fft->radix[level];
    }
  return place;
}

/**
 * armilla_lane_fft_new:
 * @n: number of points, a product of 2, 3 and 5
 *
 * Returns: (transfer full) (nullable): the tables of a transform; %NULL without memory
 */
ArmillaLaneFft *
armilla_lane_fft_new (int64_t n)
{
  ArmillaLaneFft *fft = calloc (1, sizeof *fft);

  if (!fft)
    return NULL;
  fft->n = n;
  find_radices (fft);
  fft->order = malloc (sizeof (int64_t) * (size_t) n);
  if (!fft->order || !fill_twiddles (fft))
    {
      armilla_lane_fft_free (fft);
      return NULL;
    }
  for (int64_t k = 0; k < n; k++)
    fft->order[k] = place_of (fft, k);
  return fft;
}

/**
 * armilla_lane_fft_free:
 * @fft: (transfer full) (nullable): tables that no kernel uses any more
 */
void
armilla_lane_fft_free (ArmillaLaneFft *fft)
{
  if (!fft)
    return;
  for (int level = 0; level < fft->n_levels; level++)
    free (fft->twiddles[level]);
  free (fft->order);
  free (fft);
}
