/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/grid.h>

#include "core/base/random-draw.h"

/* Word 3 of the counter: random-alm has 0 there and random catalogues 1 and 2, so that one seed may
 * serve all. */
#define STREAM_NOISE 3

/**
 * armilla_random_noise:
 * @seed: seed of the run
 * @realisation: number of the realisation
 * @field: 0, 1 or 2: I, Q or U
 * @first: number of the first pixel
 * @n: number of pixels
 * @out: (out) (array length=n): standard normal numbers
 *
 * Numbers for white noise: those of the pixel p come from Philox4x64-10 (Salmon et al. 2011) with
 * the key {seed, realisation} and the counter {p, 0, 0, 3}, its words made uniform by
 * u = ((x >> 11) + 0.5) 2^-53, and Box-Muller: field 0 has sqrt (-2 ln u0) cos (2 pi u1), field 1
 * the sine, field 2 the cosine of words 2 and 3. So each number depends on what it is called and on
 * nothing else: not on tiles, ranks, or the other fields. All operations are those of
 * core/base/random-draw.h: machines draw the same bits.
 */
void
armilla_random_noise (guint64 seed, guint64 realisation, int field, gint64 first, gint64 n,
                      double *out)
{
  const philox4x64_key_t key = { { seed, realisation } };
  const int word = field == 2 ? 2 : 0;

  for (gint64 i = 0; i < n; i++)
    {
      const philox4x64_ctr_t counter = { { (guint64) (first + i), 0, 0, STREAM_NOISE } };
      const philox4x64_ctr_t words = philox4x64_R (10, counter, key);
      double g[2];

      armilla_random_normal (((double) (gint64) (words.v[word] >> 11) + 0.5) * 0x1p-53,
                             ((double) (gint64) (words.v[word + 1] >> 11) + 0.5) * 0x1p-53, g);
      out[i] = g[field == 1];
    }
}
