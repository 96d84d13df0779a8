/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of a node in as few bytes as will do; see butterfly-layout.h. */
#include "codelets/butterfly-cpu.h"

#include <math.h>
#include <string.h>

/**
 * armilla_butterfly_choose_bytes:
 * @node: (inout): its bytes and step are set
 * @most: the greatest absolute value of its numbers
 * @limit: square of the step at most
 *
 * Finds in how few bytes numbers may be rounded.
 */
void
armilla_butterfly_choose_bytes (ArmillaButterflyNode *node, double most, double limit)
{
  int exponent;

  frexp (most, &exponent);
  for (node->bytes = 2; node->bytes <= 6; node->bytes++)
    {
      node->step = ldexp (1, exponent - 8 * node->bytes + 1);
      if (node->step * node->step <= limit)
        return;
    }
  node->bytes = 8;
  node->step = 1;
}

static void
clear_last_word (double *words, int64_t n)
{
  if (n > 0)
    words[n - 1] = 0;
}

/**
 * armilla_butterfly_pack_numbers:
 * @node: the node, with bytes and step
 * @words: (out): where its numbers are to be
 * @count: how many it has
 * @first: number of the first one that is given; they are given in order
 * @values: (in): [n]: the numbers
 * @n: how many are given
 *
 * Rounds numbers to multiples of the step.
 */
void
armilla_butterfly_pack_numbers (const ArmillaButterflyNode *node, double *words, int64_t count,
                                int64_t first, const double *values, int64_t n)
{
  const int32_t high = armilla_butterfly_high_bytes (node->bytes), low = node->bytes - high;
  const int64_t high_words = armilla_butterfly_plane (count, high);
  double *plane = words + high_words;
  int64_t most;

  if (node->bytes == 8)
    {
      memcpy (words + first, values, sizeof (double) * (size_t) n);
      return;
    }
  if (first == 0)
    {
      clear_last_word (words, high_words);
      clear_last_word (plane, armilla_butterfly_plane (count, low));
    }
  most = (INT64_C (1) << (8 * node->bytes - 1)) - 1;
  for (int64_t i = first; i < first + n; i++)
    {
      const int64_t rounded = llrint (values[i - first] / node->step);
      const int64_t number = rounded < most ? rounded : most;

      if (high == 2)
        ((int16_t *) words)[i] = (int16_t) (number >> (8 * low));
      else
        ((int32_t *) words)[i] = (int32_t) (number >> (8 * low));
      if (low == 1)
        ((uint8_t *) plane)[i] = (uint8_t) number;
      else if (low == 2)
        ((uint16_t *) plane)[i] = (uint16_t) number;
    }
}
