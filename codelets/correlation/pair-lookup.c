/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/correlation/pair-lookup.h"

#include <math.h>

/* bits of the mantissa of a double */
#define MANTISSA 52

static int64_t
place_of (double x, int bits)
{
  int64_t place;

  memcpy (&place, &x, sizeof place);
  return place >> (MANTISSA - bits);
}

/* Returns the lowest number at a place. */
static double
lowest_of (int64_t place, int bits)
{
  double x;

  place <<= MANTISSA - bits;
  memcpy (&x, &place, sizeof x);
  return x;
}

/* Returns the maximum number of edges at one place, at least 1. */
static int
edges_at_one_place (const double *edge, int64_t n, int bits)
{
  int max = 1, now = 1;

  for (int64_t k = 2; k < n; k++)
    {
      now = place_of (edge[k], bits) == place_of (edge[k - 1], bits) ? now + 1 : 1;
      max = now > max ? now : max;
    }
  return max;
}

void
armilla_lookup_init (ArmillaLookup *lookup, const double *edge, int64_t n, double max,
                     int64_t *words)
{
  const double last = isinf (edge[n]) ? max : edge[n];
  const double first = edge[0] > 0 ? edge[0] : n > 1 ? edge[1] : last;
  int bits = 0;
  int64_t k = 0, places;

  while (edges_at_one_place (edge, n, bits) > 1
         && place_of (last, bits + 1) - place_of (first, bits + 1) + 2 <= ARMILLA_LOOKUP_PLACES)
    bits++;
  lookup->edge = edge;
  lookup->shift = MANTISSA - bits;
  lookup->steps = edges_at_one_place (edge, n, bits);
  lookup->base = place_of (first, bits) - 1;
  lookup->low = lowest_of (lookup->base, bits);
  lookup->places = (ArmillaLookupPlace *) (void *) words;
  places = place_of (last, bits) - lookup->base + 1;
  for (int64_t at = 0; at < places; at++)
    {
      while (at > 0 && k + 1 < n && edge[k + 1] <= lowest_of (lookup->base + at, bits))
        k++;
      lookup->places[at] = (ArmillaLookupPlace) { edge[k + 1], k };
    }
}
