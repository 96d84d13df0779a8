/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the bin of a number between the first and the last edge, without a search: a table indexed
 * by the exponent and the first bits of the mantissa has the last edge below, and the few edges
 * that share its place are compared. */
#pragma once

#include <stdint.h>
#include <string.h>

/* maximum number of places; 64-bit words that a table needs */
#define ARMILLA_LOOKUP_PLACES 8192
#define ARMILLA_LOOKUP_WORDS (2 * ARMILLA_LOOKUP_PLACES)

/* Numbers that agree in the bits that the table uses. */
typedef struct {
  double edge; /* the next edge above the lowest of them */
  int64_t bin; /* bin of the lowest of them */
} ArmillaLookupPlace;

typedef struct {
  const double *edge; /* edges, ascending */
  int shift;          /* number of low bits of a double that the table ignores */
  int steps;          /* maximum number of edges at one place, at least 1 */
  int64_t base;       /* remaining bits of the numbers at place 0 */
  double low;         /* a number at the first place, as which lower ones are looked up */
  ArmillaLookupPlace *places;
} ArmillaLookup;

/* Returns the bin of a number that is at least lookup->low, if no place has two edges; otherwise a
 * bin that is not above it. */
static inline int64_t
armilla_lookup_first (const ArmillaLookup *lookup, double x)
{
  const ArmillaLookupPlace *place;
  int64_t bits;

  memcpy (&bits, &x, sizeof bits);
  place = &lookup->places[(bits >> lookup->shift) - lookup->base];
  return place->bin + (x >= place->edge);
}

/* Returns the bin of a number that is at least lookup->low. */
static inline int64_t
armilla_lookup_bin (const ArmillaLookup *lookup, double x)
{
  int64_t k = armilla_lookup_first (lookup, x);

  for (int step = 1; step < lookup->steps; step++)
    k += x >= lookup->edge[k + 1];
  return k;
}

/* Fills a table for @n bins in ARMILLA_LOOKUP_WORDS words. Numbers to look up are at least the
 * first edge, which is not negative, and below the last one, which may be infinity; then they are
 * at most @max. */
void armilla_lookup_init (ArmillaLookup *lookup, const double *edge, int64_t n, double max,
                          int64_t *words);
