#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table of random objects: python3 tests/reference/random-catalogue.py

For tests/catalogues/test-random-catalogue.c.

Philox4x64-10 as Salmon, Moraes, Dror and Shaw (2011) describe it, written anew; sine and cosine by
their series in 60 digits.
"""
from decimal import Decimal, getcontext
from math import pi

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
    """sin (x + quarter pi / 2)"""
    x, power, total = Decimal(x), Decimal(1), Decimal(0)
    for k in range(120):
        if k % 2 != quarter % 2:
            total += -power if (k // 2) % 2 else power
        power = power * x / (k + 1)
    return total


def uniform(word):
    return ((word >> 11) + 0.5) * 2.0**-53


for seed, realisation in ((0, 0), (1, 0), (1, 7), (WORD, WORD)):
    for i in (0, 1, 2, 1000):
        words = philox((seed, realisation), (i, 0, 0, 1))
        z = -1.0 + 2.0 * uniform(words[0])
        lon = 2 * pi * uniform(words[1])
        r = ((1 - Decimal(z)) * (1 + Decimal(z))).sqrt()
        x, y = float(r * sine(lon, 1)), float(r * sine(lon, 0))
        print(f"  {{ {seed}UL, {realisation}UL, {i}, {x.hex()}, {y.hex()}, {z.hex()} }},")
