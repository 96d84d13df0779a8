#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table of random a_lm for tests/fields/test-random.c: python3 tests/reference/random-alm.py

Philox4x64-10 as Salmon, Moraes, Dror and Shaw (2011) describe it, written anew; logarithm, sine and
cosine in 60 digits, then rounded once. Everything else is one double operation after the other.
"""
from decimal import Decimal, getcontext
from math import sqrt

getcontext().prec = 60
WORD = (1 << 64) - 1


def arctangent(n):
    """Of 1 / n"""
    power, total, k = 1 / Decimal(n), Decimal(0), 1
    while power > Decimal(10)**-62:
        total += power / k if k % 4 == 1 else -power / k
        power, k = power / (n * n), k + 2
    return total


PI = 16 * arctangent(5) - 4 * arctangent(239)  # Machin


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
    """sin (x + quarter pi / 2), rounded once"""
    power, total, k = Decimal(1), Decimal(0), 0
    while k < 120:
        if k % 2 != quarter % 2:
            total += -power if (k // 2) % 2 else power
        k += 1
        power = power * x / k
    return float(total)


def uniform(word):
    return ((word >> 11) + 0.5) * 2.0**-53


def normal(seed, realisation, field, l, m):
    words = philox((seed, realisation), (l, m, field, 0))
    radius = sqrt(-2.0 * float(Decimal(uniform(words[0])).ln()))
    angle = 2 * PI * Decimal(uniform(words[1]))
    return radius * sine(angle, 1), radius * sine(angle, 0)


def alm(seed, realisation, field, l, m, cl):
    g0, g1 = normal(seed, realisation, field, l, m)
    scale = sqrt(cl if m == 0 else cl / 2)
    return scale * g0, 0.0 if m == 0 else scale * g1


def teb(seed, realisation, l, m, cl):
    """T, E, B: L g with V = L L', V from TT, EE, BB, TE, EB, TB; 60 digits, then rounded once"""
    tt, ee, bb, te, eb, tb = (Decimal(c) / (1 if m == 0 else 2) for c in cl)
    l00 = tt.sqrt()
    l10, l20 = te / l00, tb / l00
    l11 = (ee - l10 * l10).sqrt()
    l21 = (eb - l20 * l10) / l11
    l22 = (bb - l20 * l20 - l21 * l21).sqrt()
    out = []
    for part in range(1 if m == 0 else 2):
        t, e, b = (Decimal(normal(seed, realisation, field, l, m)[part]) for field in range(3))
        out.append([float(l00 * t), float(l10 * t + l11 * e), float(l20 * t + l21 * e + l22 * b)])
    return out if m else out + [[0.0] * 3]


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

SPECTRA = 1.0, 0.5, 0.25, -0.3, 0.1, 0.2
for seed, realisation, l, m in ((1, 0, 2, 0), (1, 0, 2, 1), (7, 3, 30, 0), (7, 3, 30, 17)):
    t, e, b = zip(*teb(seed, realisation, l, m, SPECTRA))
    print("  { %d, %d, %d, %d, {" % (seed, realisation, l, m),
          ", ".join(x.hex() for x in t + e + b), "} },")

# Noise of pixels, for tests/fields/test-random-noise.c: fields 0, 1 and 2
for seed, realisation in ((0, 0), (1, 0), (1, 1), (WORD, WORD)):
    for pixel in (0, 1, 12345678901):
        words = philox((seed, realisation), (pixel, 0, 0, 3))
        numbers = []
        for first, quarter in ((0, 1), (0, 0), (2, 1)):
            radius = sqrt(-2.0 * float(Decimal(uniform(words[first])).ln()))
            angle = 2 * PI * Decimal(uniform(words[first + 1]))
            numbers.append(radius * sine(angle, quarter))
        print("  { %dUL, %dUL, %d, {" % (seed, realisation, pixel),
              ", ".join(x.hex() for x in numbers), "} },")
