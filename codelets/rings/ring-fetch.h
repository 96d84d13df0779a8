/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prefetches rows of modes that will be read from or written to tiles soon, a few lines at a time
 * while rings are transformed; prefetching all at once would stall. Internal to ring-*.c. */
#pragma once

#include <stddef.h>

#include "codelets/rings/ring-fft.h"

typedef struct {
  const ArmillaRingTiles *tiles;
  int64_t n_modes;
  int64_t slot, n_slots;  /* first slot, counted from slot 0 of field 0, and number of slots */
  int64_t tile;           /* the next tile */
  const double *at, *end; /* rest of the rows of the previous tile */
} ArmillaRingFetch;

static inline ArmillaRingFetch
armilla_ring_fetch_of (const ArmillaRingTiles *tiles, int64_t n_modes, int64_t slot,
                       int64_t n_slots)
{
  return (ArmillaRingFetch){ tiles, n_modes, slot, n_slots, 0, NULL, NULL };
}

/* Prefetches the next lines: as many as @count modes take. */
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
