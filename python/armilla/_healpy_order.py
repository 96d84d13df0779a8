# SPDX-License-Identifier: GPL-3.0-or-later
"""The NESTED order of HEALPix's pixels."""
from __future__ import annotations

import numpy as np

# Of each of the twelve faces: the ring of its southern corner, in units of nside, and the azimuth
# of its middle, in units of 45 degrees.
SOUTH = np.repeat([2, 3, 4], 4)
MIDDLE = np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7])


def ring_numbers(nside: int) -> np.ndarray:
    """The number in ring order of each pixel in nested order; nside is a power of 2.

    >>> ring_numbers(1).tolist() == list(range(12))
    True
    """
    if nside & (nside - 1):
        raise ValueError(f"nside = {nside} is no power of 2, so there is no nested order")
    number = np.arange(nside * nside)
    x, y = np.zeros_like(number), np.zeros_like(number)
    for bit in range(nside.bit_length() - 1):
        x |= (number >> 2 * bit & 1) << bit
        y |= (number >> (2 * bit + 1) & 1) << bit
    ring = SOUTH[:, None] * nside - x - y - 1
    cap = np.minimum(np.minimum(ring, 4 * nside - ring), nside)
    # In the belt, every other ring begins half a pixel further east.
    shift = np.where(cap == nside, (ring - nside) % 2, 0)
    column = (MIDDLE[:, None] * cap + x - y + 1 + shift) // 2 - 1
    lengths = 4 * np.minimum(np.minimum(np.arange(4 * nside), 4 * nside - np.arange(4 * nside)),
                             nside)
    return (np.cumsum(lengths)[ring - 1] + column % (4 * cap)).ravel()
