# SPDX-License-Identifier: GPL-3.0-or-later
"""The NESTED order of HEALPix's pixels."""
from __future__ import annotations

import numpy as np

# For each of the twelve faces: ring of its southern corner in units of nside, and azimuth of its
# centre in units of 45 degrees.
SOUTH = np.repeat(np.array([2, 3, 4], np.int32), 4)
MIDDLE = np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7], np.int32)


def ring_numbers(nside: int) -> np.ndarray:
    """Returns the number in ring order of each pixel in nested order; nside is a power of 2.

    >>> ring_numbers(1).tolist() == list(range(12))
    True
    """
    if nside & (nside - 1):
        raise ValueError(f"nside = {nside} is not a power of 2, as the nested order requires")
    kind = np.int32 if nside <= 8192 else np.int64  # half the memory, twice as fast
    number = np.arange(nside * nside, dtype=kind)
    x, y = np.zeros_like(number), np.zeros_like(number)
    for bit in range(nside.bit_length() - 1):
        x |= (number >> 2 * bit & 1) << bit
        y |= (number >> (2 * bit + 1) & 1) << bit
    down, right = x + y + 1, x - y
    rings = np.arange(4 * nside, dtype=kind)
    cap = np.minimum(np.minimum(rings, 4 * nside - rings), nside)
    first = np.cumsum(4 * cap, dtype=kind) - 4 * cap
    # In the belt, every other ring begins half a pixel further east.
    shift = np.where(cap == nside, (rings - nside) % 2, 0).astype(kind)
    result = np.empty((12, nside * nside), kind)
    for face in range(12):
        ring = SOUTH[face] * nside - down
        column = right + (MIDDLE[face] * cap - 1 + shift)[ring]
        column >>= 1
        # Pixels west of the zero meridian are at the end of the ring.
        column += np.where(column < 0, 4 * cap[ring], 0)
        np.add(first[ring], column, out=result[face])
    return result.ravel()
