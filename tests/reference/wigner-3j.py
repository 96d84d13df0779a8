#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/spectra/wigner-3j.h: Wigner 3j symbols by Racah's sum in exact integers.

    tests/reference/wigner-3j.py > tests/spectra/wigner-3j.h

A row is l1, l2, l3, then (l1 l2 l3; 0 0 0) and (l1 l2 l3; 2 -2 0) to 17 digits. Only the square
root at the end is rounded."""
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt
import math
from random import Random

factorial = lru_cache(maxsize=4096)(math.factorial)


def symbol(l1, l2, l3, m):
    """(l1 l2 l3; m -m 0) (Varshalovich et al., 8.2.1)."""
    if not abs(l1 - l2) <= l3 <= l1 + l2 or m > min(l1, l2):
        return 0.0
    a, b, c = l1 + l2 - l3, l1 - l2 + l3, l2 + l3 - l1
    first = max(0, l2 - l3 - m, l1 - l3 - m)
    term = comb(a, first) * comb(b, l1 - m - first) * comb(c, l2 - m - first)
    total = 0
    for k in range(first, min(a, l1 - m, l2 - m) + 1):
        total += -term if k % 2 else term
        # C (a, k) C (b, l1 - m - k) C (c, l2 - m - k) of the next k: an exact division
        term = (term * ((a - k) * (l1 - m - k) * (l2 - m - k))
                // ((k + 1) * (l3 - l2 + m + k + 1) * (l3 - l1 + m + k + 1)))
    top = (total * total * factorial(l1 + m) * factorial(l1 - m) * factorial(l2 + m)
           * factorial(l2 - m) * factorial(l3) ** 2)
    bottom = factorial(a) * factorial(b) * factorial(c) * factorial(a + b + c + 1)
    root = isqrt((top << 1000) // bottom)
    value = float(Fraction(root, 1 << 500))
    return -value if total and (total > 0) != ((l1 - l2) % 2 == 0) else value


def triples():
    """All small ones; then large ones: l3 at its ends and between, l1 = l2, l1 >> l2."""
    for l1 in range(7):
        for l2 in range(l1 + 1):
            for l3 in range(l1 - l2, l1 + l2 + 1):
                yield l1, l2, l3
    random = Random(1)
    for l1 in (100, 1000, 3000, 8191, 8192):
        for l2 in (0, 1, 2, 3, 17, l1 // 3, l1 - 1, l1):
            low, high = l1 - l2, l1 + l2
            inside = {random.randint(low, high) for _ in range(3)}
            for l3 in sorted({low, low + 1, high - 1, high} | inside):
                if low <= l3 <= high:
                    yield l1, l2, l3


if __name__ == "__main__":
    print("""/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wigner 3j symbols, made by tests/reference/wigner-3j.py. */
#pragma once

typedef struct {
  int l1, l2, l3;
  double scalar, spin; /* (l1 l2 l3; 0 0 0), (l1 l2 l3; 2 -2 0) */
} Symbol;

static const Symbol symbols[] = {""")
    for l1, l2, l3 in triples():
        both = (symbol(l1, l2, l3, m) for m in (0, 2))
        print("  { %d, %d, %d, %.17g, %.17g }," % (l1, l2, l3, *both))
    print("};")
