/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds numbers of a node to as few bytes as possible; see butterfly-layout.h. */
#pragma once

#include <math.h>

#include "codelets/butterfly/butterfly-layout.h"

/* Chooses the bytes per number and the rounding step of a node. @max_abs: maximum absolute value of
 * its numbers; @limit: maximum of the squared step */
static inline void
armilla_butterfly_choose_bytes (ArmillaButterflyNode *node, double max_abs, double limit)
{
  int exponent;

  frexp (max_abs, &exponent);
  for (node->bytes = 2; node->bytes <= 6; node->bytes++)
    {
      node->step = ldexp (1.0, exponent - 8 * node->bytes + 1);
      if (node->step * node->step <= limit)
        return;
    }
  node->bytes = 8;
  node->step = 1;
}

/* Clears the padding of a node's planes before its numbers are packed.
 * @words: their address; @count: number of numbers */
static inline void
armilla_butterfly_pack_begin (const ArmillaButterflyNode *node, double *words, int64_t count)
{
  const int32_t high = armilla_butterfly_high_bytes (node->bytes);
  const int64_t high_words = armilla_butterfly_plane (count, high);
  const int64_t low_words = armilla_butterfly_plane (count, node->bytes - high);

  if (high_words > 0)
    words[high_words - 1] = 0;
  if (low_words > 0)
    words[high_words + low_words - 1] = 0;
}

/* Rounds a number, the @i-th of @count, to a multiple of the step. */
static inline void
armilla_butterfly_pack (const ArmillaButterflyNode *node, double *words, int64_t count, int64_t i,
                        double value)
{
  const int32_t high = armilla_butterfly_high_bytes (node->bytes), low = node->bytes - high;
  double *plane = words + armilla_butterfly_plane (count, high);
  int64_t max_number, number;

  if (node->bytes == 8)
    {
      words[i] = value;
      return;
    }
  max_number = (INT64_C (1) << (8 * node->bytes - 1)) - 1;
  number = llrint (value / node->step);
  if (number > max_number)
    number = max_number;
  if (high == 2)
    ((int16_t *) words)[i] = (int16_t) (number >> (8 * low));
  else
    ((int32_t *) words)[i] = (int32_t) (number >> (8 * low));
  if (low == 1)
    ((uint8_t *) plane)[i] = (uint8_t) number;
  else if (low == 2)
    ((uint16_t *) plane)[i] = (uint16_t) number;
}
