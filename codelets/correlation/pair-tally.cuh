/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accumulators of CUDA kernels: a tally per thread block in shared memory if it fits, otherwise the
 * rows of the whole launch in global memory. The same numbers as in pair-cpu.h, but sums are stored
 * as six limbs of 32 bits in 64-bit words, so that additions need no carry: a limb can take 2^31
 * additions. */
#pragma once

#include "codelets/correlation/pair-histogram.h"
#include "codelets/correlation/pair-math.h"

#define LIMBS 6
#define ALL_SUMS 4
#define FULL_WARP 0xffffffffu
/* maximum words of a tally in shared memory */
#define MAX_SHARED 5000

typedef unsigned long long Word;

enum { BELOW, TOP, PARTS };

typedef struct {
  Word *at[3];   /* one tally in shared memory, or up to three rows in global memory */
  int n_at;
  int64_t n;     /* numbers of edges: bins + 2 */
  int sums;      /* 1 << s for each sum that is kept */
} Tally;

/* Returns the number of words of a tally: counts [PARTS][n], then for each kept sum
 * [PARTS][n][LIMBS]. */
static __host__ __device__ inline int64_t
tally_words (int64_t n_bins, int sums)
{
  int n_sums = 0;

  for (int s = 0; s < ALL_SUMS; s++)
    n_sums += sums >> s & 1;
  return PARTS * (n_bins + 2) * (1 + LIMBS * n_sums);
}

static __device__ inline int64_t
tally_sum (int64_t n, int sums, int sum, int part, int64_t m)
{
  int before = 0;

  for (int s = 0; s < sum; s++)
    before += sums >> s & 1;
  return PARTS * n + ((before * PARTS + part) * n + m) * LIMBS;
}

static __device__ inline void
tally_count (const Tally *tally, int part, int64_t m, int64_t count)
{
  for (int i = 0; i < tally->n_at; i++)
    atomicAdd (tally->at[i] + part * tally->n + m, (Word) count);
}

/* Adds a 192-bit integer. */
static __device__ inline void
tally_add (const Tally *tally, int sum, int part, int64_t m, const int64_t wide[3])
{
  const int64_t to = tally_sum (tally->n, tally->sums, sum, part, m);

  for (int limb = 0; limb < LIMBS; limb++)
    {
      const Word bits = (Word) wide[limb / 2] >> (32 * (limb % 2)) & 0xffffffff;
      /* The last limb is signed. */
      const Word value = limb == LIMBS - 1 ? (Word) (wide[2] >> 32) : bits;

      if (value != 0)
        for (int i = 0; i < tally->n_at; i++)
          atomicAdd (tally->at[i] + to + limb, value);
    }
}

/* Combines limbs to an integer. */
static __device__ inline void
tally_wide (const Word *limbs, int64_t wide[3])
{
  wide[0] = wide[1] = wide[2] = 0;
  for (int limb = 0; limb < LIMBS; limb++)
    {
      const int64_t value = (int64_t) limbs[limb];
      const Word sign = value < 0 ? ~(Word) 0 : 0;
      const Word low = (Word) value << 32, high = (Word) (value >> 32);

      if (limb % 2 == 0)
        armilla_wide_add (wide, limb == 0 ? (Word) value : 0,
                          limb == 0 ? sign : limb == 2 ? (Word) value : 0,
                          limb == 4 ? (Word) value : sign);
      else
        armilla_wide_add (wide, limb == 1 ? low : 0, limb == 1 ? high : limb == 3 ? low : 0,
                          limb == 1 ? sign : limb == 3 ? high : low);
    }
}
