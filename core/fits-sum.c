/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits-sum.h"

#include <string.h>

/**
 * armilla_fits_sum:
 * @sum: sum of what comes before
 * @bytes: (array length=n): some bytes
 * @n: a multiple of 4, below 2^34
 *
 * Adds 32-bit words with end-around carry: the sum of DATASUM and CHECKSUM.
 *
 * Returns: the new sum
 *
 * Reference: FITS standard 4.0, appendix J
 */
guint32
armilla_fits_sum (guint32 sum, const guint8 *bytes, gsize n)
{
  guint64 total = sum;

  for (gsize i = 0; i < n; i += 4)
    {
      guint32 word;

      memcpy (&word, bytes + i, 4);
      total += GUINT32_FROM_BE (word);
    }
  while (total >> 32 != 0)
    total = (total & 0xffffffff) + (total >> 32);
  return (guint32) total;
}
