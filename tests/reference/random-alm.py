#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table of random a_lm for tests/test-random.c: python3 tests/reference/random-alm.py

Philox4x64-10 as Salmon, Moraes, Dror and Shaw (2011) describe it, written anew; logarithm, sine and
cosine in 60 digits, then rounded once. Everything else is one double operation after the other.
"""
from decimal import Decimal, getcontext
from math import pi, sqrt

getcontext().prec = 60
WORD = (1 << 64) - 1


def philox(key, counter):
    k0, k1 = key
    c = list(counter)
    for _ in range(10):
        p0 = 0xD2E7470EE14C6C93 * c[0]
        p1 = 0xCA5A826395121157 * c[2]
        c = [(p1 >> 64) ^ c[1] ^ k0, p1 & WORD, (p0 >> 64) ^ c[3] ^ k1, p0 & WORD]
        k0 = (k0 + 0x9E3779B97F4A7C15) & WORD
        k1 = (k1 + 0xBB67AE8584CAA73B) & WORD
    return c


def sine(x, quarter):
    """sin (x + quarter pi / 2) of a double, rounded once"""
    x, power, total, k = Decimal(x), Decimal(1), Decimal(0), 0
    while k < 120:
        if k % 2 != quarter % 2:
            total += -power if (k // 2) % 2 else power
        k += 1
        power = power * x / k
    return float(total)


def uniform(word):
    return ((word >> 11) + 0.5) * 2.0**-53


def alm(seed, realisation, field, l, m, cl):
    words = philox((seed, realisation), (l, m, field, 0))
    radius = sqrt(-2.0 * float(Decimal(uniform(words[0])).ln()))
    angle = 2 * pi * uniform(words[1])
    g0, g1 = radius * sine(angle, 1), radius * sine(angle, 0)
    scale = sqrt(cl if m == 0 else cl / 2)
    return scale * g0, 0.0 if m == 0 else scale * g1


# known answer of Random123's own test (kat_vectors): philox4x64 10, all zero
assert philox((0, 0), (0, 0, 0, 0)) == [
    0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]

for seed, realisation, field in (
    (0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (20260101, 99, 2), (WORD, WORD, WORD)):
    for l, m in ((0, 0), (1, 0), (1, 1), (2, 1), (10, 10), (4096, 1234), (16384, 16384)):
        cl = 1.0 if field == 0 else 3.7e-5
        re, im = alm(seed, realisation, field, l, m, cl)
        print("  { %dUL, %dUL, %dUL, %d, %d, %r, %s, %s },"
              % (seed, realisation, field, l, m, cl, re.hex(), im.hex()))
