# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of T, E, B and of pairs of spin s against healpy's. TAP.

Usage: spin-healpy.py PATH-OF-ARMILLA
"""

import healpy

from comparison import (check, end, node, random_alm, random_map, read_alm, read_map, run,
                        write_alm, write_map)

# Both err by some 1e-13 at these lmax (healpy, whose polar rings are the worst, by a few 1e-12).
BOUND = 1e-11


def synthesis(alm, nside, spins, *extra):
    write_alm("in.fits", alm)
    run(*extra,
        node("alm", stage="read-alm", file="in.fits", fields="all", spin=spins),
        node("map", stage="alm2map", alm="alm", nside=nside),
        node("out", stage="write-map", map="map", file="out.fits"))
    return read_map("out.fits")


def analysis(maps, lmax, spins, iterations, *extra):
    write_map("in-map.fits", maps)
    run(*extra,
        node("map", stage="read-map", file="in-map.fits", fields="all", spin=spins),
        node("alm", stage="map2alm", map="map", lmax=lmax, iterations=iterations),
        node("out", stage="write-alm", alm="alm", file="out-alm.fits"))
    return read_alm("out-alm.fits", len(maps))


always = node("workflow", interpolation="always")
for nside, lmax, extra in ((16, 40, []), (64, 128, []), (128, 300, [always])):
    what = "nside %d lmax %d%s" % (nside, lmax, " interpolated" * len(extra))
    teb = random_alm(3, lmax)
    teb[1:] = random_alm(2, lmax, lowest=2)
    check("alm2map of T, E, B, " + what, synthesis(teb, nside, "0, 2, 2", *extra),
          healpy.alm2map(teb, nside, pol=True), BOUND)
    noise = random_map(3, nside)
    for iterations in (0, 3):
        check("map2alm of I, Q, U, %d iterations, %s" % (iterations, what),
              analysis(noise, lmax, "0, 2, 2", iterations, *extra),
              healpy.map2alm(noise, lmax=lmax, iter=iterations, pol=True), BOUND)
    for spin in (1, 2, 3):
        pair = random_alm(2, lmax, lowest=spin)
        check("alm2map_spin, spin %d, %s" % (spin, what), synthesis(pair, nside, spin, *extra),
              healpy.alm2map_spin(list(pair), nside, spin, lmax), BOUND)
        check("map2alm_spin, spin %d, %s" % (spin, what),
              analysis(noise[:2], lmax, spin, 0, *extra),
              healpy.map2alm_spin(list(noise[:2]), spin, lmax=lmax), BOUND)
end()
