/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/catalogues/histogram.h"

#include <math.h>

/* Returns the number of entries per row: bins, pairs of bins of two coordinates, or triples of
 * bins. */
gint64
armilla_histogram_entries (const ArmillaHistogramShape *shape)
{
  const gint64 n = shape->n_bins;

  return shape->kind == ARMILLA_HISTOGRAM_TRIANGLES ? n * (n + 1) * (n + 2) / 6
                                                     : n * MAX (shape->n2, 1);
}

/* Returns the number of words per entry. */
static gint64
entry_words (const ArmillaHistogramShape *shape)
{
  return 1 + ARMILLA_SUM_WORDS * __builtin_popcount ((unsigned) shape->sums);
}

/* Returns the number of rows: the total, one per patch and, if they are kept, the pairs within each
 * patch. */
gint64
armilla_histogram_rows (const ArmillaHistogramShape *shape)
{
  return (gint64) 1 + shape->n_patches + shape->n_within;
}

/* Returns the number of 64-bit words, including the header. */
gint64
armilla_histogram_words (const ArmillaHistogramShape *shape)
{
  return ARMILLA_HISTOGRAM_HEADER
         + armilla_histogram_rows (shape) * armilla_histogram_entries (shape)
             * entry_words (shape);
}

/* Returns whether the row and the entry exist; a build with G_DISABLE_CHECKS does not check. */
static inline gboolean
has_place (const ArmillaHistogramShape *shape, int row, gint64 entry)
{
  return row >= 0 && row < armilla_histogram_rows (shape) && entry >= 0
         && entry < armilla_histogram_entries (shape);
}

/* Returns the number of pairs or triangles. @row: 0 for all, 1 + p for patch p, 1 + n_patches + p
 * for pairs within patch p. */
gint64
armilla_histogram_count (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                         gint64 entry)
{
  g_return_val_if_fail (has_place (shape, row, entry), 0);
  return words[ARMILLA_HISTOGRAM_HEADER
               + row * armilla_histogram_entries (shape) * entry_words (shape) + entry];
}

/* Returns a 192-bit integer, rounded once. */
static double
wide_to_double (const gint64 *words, int exponent)
{
  const gboolean negative = words[2] < 0;
  guint64 w[3] = { (guint64) words[0], (guint64) words[1], (guint64) words[2] };
  int shift = 0, top = 2;
  double value;

  if (negative)
    {
      w[0] = ~w[0] + 1;
      w[1] = ~w[1] + (w[0] == 0);
      w[2] = ~w[2] + (w[0] == 0 && w[1] == 0);
    }
  while (top > 0 && w[top] == 0)
    top--;
  if (top > 0)
    {
      /* 64 bits from the highest set bit on; lower bits only break ties. */
      const int lead = __builtin_clzll (w[top]);
      guint64 high = w[top] << lead, below = 0;

      if (lead > 0)
        high |= w[top - 1] >> (64 - lead);
      below = w[top - 1] << lead;
      if (top == 2)
        below |= w[0];
      w[top] = high | (below != 0);
      shift = 64 * top - lead;
    }
  value = ldexp ((double) w[top], shift + exponent);
  return negative ? -value : value;
}

/* Returns the sum, rounded once. @row: 0 for all, 1 + p for patch p, 1 + n_patches + p for pairs
 * within patch p. */
double
armilla_histogram_sum (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                       ArmillaHistogramSum sum, gint64 entry)
{
  const gint64 n = armilla_histogram_entries (shape);
  const int before = __builtin_popcount ((unsigned) shape->sums & ((1u << sum) - 1));

  g_return_val_if_fail (shape->sums & 1 << sum, NAN);
  g_return_val_if_fail (has_place (shape, row, entry), NAN);
  return wide_to_double (words + ARMILLA_HISTOGRAM_HEADER + row * n * entry_words (shape) + n
                           + ARMILLA_SUM_WORDS * (before * n + entry),
                         (int) words[sum]);
}
