/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-source.h"

#include <string.h>

/* Adds 32-bit words with end-around carry to sum, as for DATASUM and CHECKSUM (FITS standard 4.0,
 * appendix J). n is a multiple of 4, below 2^34. */
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

/* Adds two sums. The sums of parts, in any order, add to that of the whole: the sum of all words
 * modulo 2^32 - 1, where 2^32 - 1 represents its nonzero multiples. */
void
armilla_fits_sum_add (guint32 *sum, guint32 more)
{
  guint64 total = (guint64) *sum + more;

  *sum = (guint32) ((total & 0xffffffff) + (total >> 32));
}

/* Returns the contribution of bytes at offset of the file to the sum of their data unit, including
 * partial words; data units begin at multiples of 4. */
guint32
armilla_fits_sum_at (gint64 offset, const guint8 *bytes, gsize n)
{
  gsize head = MIN (n, (gsize) (-offset & 3)), tail = (n - head) % 4;
  guint8 first[4] = { 0 }, last[4] = { 0 };
  guint32 sum;

  memcpy (first + (offset & 3), bytes, head);
  memcpy (last, bytes + n - tail, tail);
  sum = armilla_fits_sum (0, bytes + head, n - head - tail);
  sum = armilla_fits_sum (sum, first, 4);
  return armilla_fits_sum (sum, last, 4);
}
