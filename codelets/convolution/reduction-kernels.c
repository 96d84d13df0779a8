/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_reduction on the CPU: compiled once for each instruction set.
 *
 * A matrix product transforms the samples of eight input rings to kernel modes, CHUNK orders at a
 * time, which then multiply the modes of the map. Orders are processed in panels: the input modes
 * of a panel stay in the second-level cache for all output rings. */
#include <string.h>

#include "codelets/common/simd.h"
#include "codelets/convolution/reduction-cpu.h"

#define ROWS ARMILLA_CONVOLVE_ROWS
#define CHUNK (2 * VL) /* orders whose kernel modes are computed together */
#define PANEL 256      /* orders; 30 rings of a panel take 120 KiB */
#define UNROLL _Pragma ("GCC unroll 8")

_Static_assert (ARMILLA_CONVOLVE_PAD % CHUNK == 0 && PANEL % CHUNK == 0, "whole chunks");
_Static_assert (ROWS % V_ROWS == 0, "whole tiles");

/* Stores x0 x0 x1 x1 ...: factors of the real and imaginary parts of complex numbers. */
SIMD_INLINE void
v_store_twice (double *p, V x)
{
#if defined ARMILLA_SIMD_AVX512
  v_store (p, _mm512_permutexvar_pd (_mm512_set_epi64 (3, 3, 2, 2, 1, 1, 0, 0), x));
  v_store (p + VL, _mm512_permutexvar_pd (_mm512_set_epi64 (7, 7, 6, 6, 5, 5, 4, 4), x));
#elif defined ARMILLA_SIMD_AVX2
  v_store (p, _mm256_permute4x64_pd (x, 0x50));
  v_store (p + VL, _mm256_permute4x64_pd (x, 0xfa));
#else
  V_LANES (i) p[2 * i] = p[2 * i + 1] = x[i];
#endif
}

/* Sets modes[row][2 i] and [2 i + 1] to the kernel mode of order m + i, 0 beyond the orders of the
 * row. */
SIMD_INLINE void
kernel_modes (const ArmillaConvolveGroup *group, const double *table, const double *values,
              int64_t m, double modes[ROWS][2 * CHUNK])
{
  const double *cosines = table + group->cosines + m;

  for (int r = 0; r < group->n_rows; r += V_ROWS)
    {
      const double *value = values + group->values + r;
      V sum[V_ROWS][2];

      UNROLL for (int i = 0; i < V_ROWS; i++)
        sum[i][0] = sum[i][1] = v_set (0);
      for (int64_t c = 0; c < group->n_samples; c++)
        {
          const V low = v_load (cosines + c * group->stride);
          const V high = v_load (cosines + c * group->stride + VL);

          UNROLL for (int i = 0; i < V_ROWS; i++)
            {
              const V k = v_set (value[c * ROWS + i]);

              sum[i][0] = v_fma (k, low, sum[i][0]);
              sum[i][1] = v_fma (k, high, sum[i][1]);
            }
        }
      UNROLL for (int i = 0; i < V_ROWS; i++)
        {
          v_store_twice (modes[r + i], sum[i][0]);
          v_store_twice (modes[r + i] + 2 * VL, sum[i][1]);
        }
    }
  for (int r = 0; r < group->n_rows; r++)
    for (int64_t i = group->n_modes[r] > m ? group->n_modes[r] - m : 0; i < CHUNK; i++)
      modes[r][2 * i] = modes[r][2 * i + 1] = 0;
}

/* Returns the position, in doubles, of order m in the modes of a ring. */
SIMD_INLINE int64_t
place (int64_t field, int64_t n_pairs, int64_t pair, int south, int64_t mmax, int64_t m)
{
  return 2 * ((2 * (field * n_pairs + pair) + south) * (mmax + 1) + m);
}

/* Adds the contribution of a group to both rings of its output pair, for a whole chunk of
 * orders. */
SIMD_INLINE void
add_chunk (const ArmillaReductionShape *shape, const ArmillaConvolveGroup *group, int64_t field,
           int64_t m, double modes[ROWS][2 * CHUNK], const double *in, double *out)
{
  double *north = out + place (field, shape->n_out, group->out, 0, shape->mmax_out, m);
  double *south = out + place (field, shape->n_out, group->out, 1, shape->mmax_out, m);
  V sum[2][4];

  UNROLL for (int i = 0; i < 4; i++)
    {
      sum[0][i] = v_load (north + i * VL);
      sum[1][i] = v_load (south + i * VL);
    }
  for (int r = 0; r < group->n_rows; r++)
    {
      const int swap = group->across[r];
      const double *a = in + place (field, shape->n_in, group->pair[r], swap, shape->mmax_in, m);
      const double *b = in + place (field, shape->n_in, group->pair[r], !swap, shape->mmax_in, m);

      if (group->n_modes[r] <= m)
        continue;
      UNROLL for (int i = 0; i < 4; i++)
        {
          const V k = v_load (modes[r] + i * VL);

          sum[0][i] = v_fma (k, v_load (a + i * VL), sum[0][i]);
          sum[1][i] = v_fma (k, v_load (b + i * VL), sum[1][i]);
        }
    }
  UNROLL for (int i = 0; i < 4; i++)
    {
      v_store (north + i * VL, sum[0][i]);
      v_store (south + i * VL, sum[1][i]);
    }
}

/* Like add_chunk() for the last orders, fewer than a chunk. Modes beyond the orders of a row must
 * not be read. */
static void
add_rest (const ArmillaReductionShape *shape, const ArmillaConvolveGroup *group, int64_t field,
          int64_t m, double modes[ROWS][2 * CHUNK], const double *in, double *out)
{
  for (int south = 0; south < 2; south++)
    {
      double *to = out + place (field, shape->n_out, group->out, south, shape->mmax_out, m);

      for (int r = 0; r < group->n_rows; r++)
        {
          const double *from = in + place (field, shape->n_in, group->pair[r],
                                           south ^ group->across[r], shape->mmax_in, m);

          for (int64_t i = 0; i < 2 * CHUNK && m + i / 2 < group->n_modes[r]; i++)
            to[i] += modes[r][i] * from[i];
        }
    }
}

static void
reduce_pair (const ArmillaReductionShape *shape, const ArmillaConvolveGroup *group,
             const ArmillaConvolveGroup *end, const double *table, const double *values,
             int64_t panel, const double *in, double *out)
{
  const int64_t shorter = shape->mmax_in < shape->mmax_out ? shape->mmax_in : shape->mmax_out;

  for (; group < end; group++)
    {
      int64_t last = 0; /* orders of the longest row */

      for (int r = 0; r < group->n_rows; r++)
        last = group->n_modes[r] > last ? group->n_modes[r] : last;
      for (int64_t m = panel; m < panel + PANEL && m < last; m += CHUNK)
        {
          double modes[ROWS][2 * CHUNK];

          kernel_modes (group, table, values, m, modes);
          for (int64_t field = 0; field < shape->n_fields; field++)
            if (m + CHUNK <= shorter + 1)
              add_chunk (shape, group, field, m, modes, in, out);
            else
              add_rest (shape, group, field, m, modes, in, out);
        }
    }
}

void
SIMD_NAME (armilla_theta_reduction) (const ArmillaReductionShape *shape,
                                     const ArmillaConvolveGroup *groups, const int32_t *first,
                                     const double *table, const double *values, const double *in,
                                     double *out)
{
  const int64_t n_pairs = shape->out_last - shape->out_first + 1;

  for (int64_t field = 0; shape->fresh && field < shape->n_fields; field++)
    memset (out + place (field, shape->n_out, shape->out_first, 0, shape->mmax_out, 0), 0,
            sizeof (double) * (size_t) (4 * n_pairs * (shape->mmax_out + 1)));
  for (int64_t panel = 0; panel <= shape->mmax_out; panel += PANEL)
    for (int64_t p = 0; p < n_pairs; p++)
      reduce_pair (shape, groups + first[p], groups + first[p + 1], table, values, panel, in, out);
}
