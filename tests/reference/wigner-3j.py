#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/spectra/wigner-3j.h: Wigner 3j symbols by Racah's sum in exact integers.

    tests/reference/wigner-3j.py > tests/spectra/wigner-3j.h

A row is l1, l2, l3, then (l1 l2 l3; 0 0 0), (l1 l2 l3; 2 -2 0), and what the latter becomes where a
mask's derivatives purify a field (Smith 2006),

    (2 -2 0) + 2 sqrt (l3 (l3 + 1) / ((l1 + 2) (l1 - 1))) (1 -2 1)
             + sqrt ((l3 + 2)! (l1 - 2)! / ((l3 - 2)! (l1 + 2)!)) (0 -2 2),

to 17 digits. Only square roots are rounded, to some 150 digits."""
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt
import math
from random import Random

factorial = lru_cache(maxsize=4096)(math.factorial)
BITS = 500


def root(top, bottom):
    """sqrt (top / bottom) times 2^BITS."""
    return isqrt((top << 2 * BITS) // bottom)


def symbol(l1, l2, l3, m1, m2, m3):
    """(l1 l2 l3; m1 m2 m3) times 2^BITS (Varshalovich et al., 8.2.1)."""
    if not abs(l1 - l2) <= l3 <= l1 + l2 or abs(m1) > l1 or abs(m2) > l2 or abs(m3) > l3:
        return 0
    a, b, c = l1 + l2 - l3, l1 - l2 + l3, l2 + l3 - l1
    first = max(0, l2 - l3 - m1, l1 - l3 + m2)
    term = comb(a, first) * comb(b, l1 - m1 - first) * comb(c, l2 + m2 - first)
    total = 0
    for k in range(first, min(a, l1 - m1, l2 + m2) + 1):
        total += -term if k % 2 else term
        # C (a, k) C (b, l1 - m1 - k) C (c, l2 + m2 - k) of the next k: an exact division
        term = (term * ((a - k) * (l1 - m1 - k) * (l2 + m2 - k))
                // ((k + 1) * (l3 - l2 + m1 + k + 1) * (l3 - l1 - m2 + k + 1)))
    top = total * total
    for l, m in ((l1, m1), (l2, m2), (l3, m3)):
        top *= factorial(l + m) * factorial(l - m)
    bottom = factorial(a) * factorial(b) * factorial(c) * factorial(a + b + c + 1)
    value = root(top, bottom)
    return -value if total and (total > 0) != ((l1 - l2 - m3) % 2 == 0) else value


def pure(l1, l2, l3):
    if l1 < 2:
        return 0
    x1, x3 = l1 * (l1 + 1), l3 * (l3 + 1)
    return (symbol(l1, l2, l3, 2, -2, 0)
            + (2 * root(x3, x1 - 2) * symbol(l1, l2, l3, 1, -2, 1) >> BITS)
            + (root(x3 * max(x3 - 2, 0), x1 * (x1 - 2)) * symbol(l1, l2, l3, 0, -2, 2) >> BITS))


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
  double pure;         /* what the latter becomes of a purified field */
} Symbol;

static const Symbol symbols[] = {""")
    for l1, l2, l3 in triples():
        values = (symbol(l1, l2, l3, 0, 0, 0), symbol(l1, l2, l3, 2, -2, 0), pure(l1, l2, l3))
        print("  { %d, %d, %d, %.17g, %.17g, %.17g },"
              % (l1, l2, l3, *(float(Fraction(value, 1 << BITS)) for value in values)))
    print("};")
