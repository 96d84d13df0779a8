/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of modes that are soon read from their tiles, or written there, on their way into the cache:
 * a few lines at a time, while rings are transformed. All of them at once would be waited for.
 * Internal to ring-*.c. */
#pragma once

#include <stddef.h>

#include "codelets/rings/ring-fft.h"

typedef struct {
  const ArmillaRingTiles *tiles;
  int64_t n_modes;
  int64_t slot, n_slots;  /* the first, counted from that of the first field, and how many */
  int64_t tile;           /* that comes next */
  const double *at, *end; /* of what is left of the one before */
} ArmillaRingFetch;

static inline ArmillaRingFetch
armilla_ring_fetch_of (const ArmillaRingTiles *tiles, int64_t n_modes, int64_t slot,
                       int64_t n_slots)
{
  return (ArmillaRingFetch){ tiles, n_modes, slot, n_slots, 0, NULL, NULL };
}

/* @count modes' share of the lines: as many as those of a row. */
static inline void
armilla_ring_fetch (ArmillaRingFetch *fetch, int64_t count)
{
  for (int64_t left = count; left > 0; left -= 4, fetch->at += 8)
    {
      if (fetch->at >= fetch->end)
        {
          const ArmillaRingTiles *tiles = fetch->tiles;
          const int64_t t = fetch->tile++;

          if (t >= tiles->n)
            {
              fetch->tile = tiles->n;
              return;
            }
          const int64_t n = (t + 1 < tiles->n ? tiles->first[t + 1] : fetch->n_modes)
                            - tiles->first[t];

          fetch->at = tiles->tile[t] + 2 * fetch->slot * n;
          fetch->end = fetch->at + 2 * fetch->n_slots * n;
        }
      __builtin_prefetch (fetch->at, 1, 2);
    }
}
