/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the bin of a number between the first and the last edge, without a search: a table indexed
 * by the exponent and the first bits of the mantissa has the last edge below, and the few edges
 * that share its place are compared. */
#pragma once

#include <stdint.h>
#include <string.h>

/* maximum number of places; 64-bit words that a table needs */
#define ARMILLA_LOOKUP_PLACES 8192
#define ARMILLA_LOOKUP_WORDS (ARMILLA_LOOKUP_PLACES / 2)

typedef struct {
  const double *edge; /* edges, ascending */
  int shift;          /* number of low bits of a double that the table ignores */
  int steps;          /* maximum number of edges at one place */
  int64_t base;       /* remaining bits of the numbers at place 0, to which lower numbers belong */
  int32_t *bin;       /* bin of the lowest number of each place */
} ArmillaLookup;

static inline int64_t
armilla_lookup_bits (double x)
{
  int64_t bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static inline int64_t
armilla_lookup_bin (const ArmillaLookup *lookup, double x)
{
  const int64_t at = (armilla_lookup_bits (x) >> lookup->shift) - lookup->base;
  int64_t k = lookup->bin[at < 0 ? 0 : at];

  for (int step = 0; step < lookup->steps; step++)
    k += x >= lookup->edge[k + 1];
  return k;
}

/* Fills a table for @n bins in ARMILLA_LOOKUP_WORDS words. Numbers to look up are at least the
 * first edge, which is not negative, and below the last one, which may be infinity; then they are
 * at most @max. */
void armilla_lookup_init (ArmillaLookup *lookup, const double *edge, int64_t n, double max,
                          int64_t *words);
