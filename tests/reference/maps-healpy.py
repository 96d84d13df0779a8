# SPDX-License-Identifier: GPL-3.0-or-later
"""What healpy does with maps, and workflows with stages of the same purpose, on random input. TAP.

Usage: maps-healpy.py PATH-OF-ARMILLA
"""

import healpy
import numpy as np

from comparison import (check, end, masked_map, node, random, random_map, read_map, run, write_map)

NSIDE, LMAX = 32, 64


def check_ud_grade():
    cases = [(nside, pess, power) for nside in (4, 8, 32) for pess in (False, True)
             for power in (None, -2, 2, 0.5)]
    for share in (0, 0.1, 0.5):
        maps = masked_map(16, share)
        write_map("in.fits", maps)
        nodes = [node("in", stage="read-map", file="in.fits", fields="all", spin=0)]
        for i, (nside, pess, power) in enumerate(cases):
            nodes += [node("out%d" % i, stage="ud-grade", map="in", nside=nside,
                           pess=str(pess).lower(), power=power or 0),
                      node("write%d" % i, stage="write-map", map="out%d" % i,
                           file="out%d.fits" % i)]
        run(*nodes)
        for i, (nside, pess, power) in enumerate(cases):
            theirs = healpy.ud_grade(maps, nside, pess=pess, power=power)
            if nside > 16:  # healpy multiplies UNSEEN, too
                theirs[healpy.ud_grade(maps, nside) == healpy.UNSEEN] = healpy.UNSEEN
            check("ud_grade 16 to %d, %g UNSEEN, pess %s, power %s" % (nside, share, pess, power),
                  read_map("out%d.fits" % i), theirs, 1e-14)
    for order_in in ("RING", "NESTED"):
        write_map("in.fits", maps, nest=order_in == "NESTED")
        nodes = [node("in", stage="read-map", file="in.fits", fields="all", spin=0),
                 node("low", stage="ud-grade", map="in", nside=8)]
        for order_out in ("RING", "NESTED"):
            nodes += [node(order_out, stage="change-order", map="low", order=order_out.lower()),
                      node("w" + order_out, stage="write-map", map=order_out,
                           file=order_out + ".fits")]
        run(*nodes)
        for order_out in ("RING", "NESTED"):
            check("ud_grade %s to %s" % (order_in, order_out),
                  read_map(order_out + ".fits", nest=None),
                  healpy.ud_grade(maps, 8, order_in=order_in, order_out=order_out), 1e-14)


def check_mask():
    """healpy masks by setting pixels UNSEEN (ma), and multiplies arrays."""
    maps = masked_map(16, 0.2)
    mask = (random.random(maps.shape[1]) < 0.7).astype(float)
    weights = random.random(maps.shape[1])
    write_map("in.fits", maps)
    write_map("mask.fits", mask)
    write_map("weights.fits", weights)
    run(node("in", stage="read-map", file="in.fits", fields="all", spin=0),
        node("m", stage="read-map", file="mask.fits"),
        node("out", stage="mask", map="in", mask="m", outside="unseen"),
        node("write", stage="write-map", map="out", file="out.fits"),
        node("w", stage="read-map", file="weights.fits"),
        node("product", stage="mask", map="in", mask="w", outside="unseen"),
        node("write-product", stage="write-map", map="product", file="product.fits"))
    theirs = healpy.ma(maps)
    check("ma, product", read_map("product.fits"), (theirs * weights).filled(), 0)
    theirs.mask |= mask == 0
    check("ma, mask and UNSEEN", read_map("out.fits"), theirs.filled(), 0)


def check_reorder():
    maps = masked_map(16, 0.2)
    write_map("ring.fits", maps)
    write_map("nested.fits", maps, nest=True)
    nodes = []
    for given, wanted in (("ring", "nested"), ("nested", "ring")):
        nodes += [node(given, stage="read-map", file=given + ".fits", fields="all", spin=0),
                  node("to-" + wanted, stage="change-order", map=given, order=wanted),
                  node("write-" + wanted, stage="write-map", map="to-" + wanted,
                       file="to-%s.fits" % wanted)]
    run(*nodes)
    check("reorder, r2n", read_map("to-nested.fits", nest=None), healpy.reorder(maps, r2n=True), 0)
    check("reorder, n2r", read_map("to-ring.fits", nest=None), healpy.reorder(maps, n2r=True), 0)


def check_rotate_map():
    maps = random_map(3, NSIDE)
    write_map("in.fits", maps, coord="G")
    for coord in ("E", "C"):
        name = dict(E="ecliptic", C="equatorial")[coord]
        run(node("in", stage="read-map", file="in.fits", fields="all"),
            node("out", stage="rotate-map", map="in", to=name),
            node("write", stage="write-map", map="out", file="out.fits"))
        check("Rotator.rotate_map_pixel G%s, I, Q, U" % coord, read_map("out.fits"),
              healpy.Rotator(coord=["G", coord]).rotate_map_pixel(maps), 1e-11)


def check_rotate_map_alms():
    maps = random_map(3, NSIDE)
    write_map("in.fits", maps)
    run(node("in", stage="read-map", file="in.fits", fields="all"),
        node("alm", stage="map2alm", map="in", lmax=LMAX, iterations=3),
        node("turned", stage="rotate", alm="alm", from_="galactic", to="ecliptic"),
        node("out", stage="alm2map", alm="turned", nside=NSIDE),
        node("write", stage="write-map", map="out", file="out.fits"))
    rotator = healpy.Rotator(coord=["G", "E"])
    check("Rotator.rotate_map_alms, I, Q, U", read_map("out.fits"),
          rotator.rotate_map_alms(maps, use_pixel_weights=False, lmax=LMAX), 1e-11)


def check_remove():
    """Of each field alone where they are scalars; of I alone where they are I, Q and U."""
    x, y, z = healpy.pix2vec(NSIDE, np.arange(12 * NSIDE**2))
    for share in (0, 0.3):
        maps = masked_map(NSIDE, share)
        seen = ~healpy.mask_bad(maps)
        for field in range(3):
            maps[field, seen[field]] += (7 * field - 5 + 3 * x - 2 * y + z)[seen[field]]
        write_map("in.fits", maps)
        nodes = [node("in", stage="read-map", file="in.fits", fields="all", spin=0),
                 node("iqu", stage="read-map", file="in.fits", fields="all", spin="0, 2, 2")]
        cases = [(source, dipole, cut) for source in ("in", "iqu") for dipole in (False, True)
                 for cut in (0, 10.3, 60)]
        for i, (source, dipole, cut) in enumerate(cases):
            nodes += [node("out%d" % i, stage="remove-monopole", map=source,
                           dipole=str(dipole).lower(), galactic_cut="%g deg" % cut),
                      node("write%d" % i, stage="write-map", map="out%d" % i,
                           file="out%d.fits" % i)]
        run(*nodes)
        for i, (source, dipole, cut) in enumerate(cases):
            remove = healpy.remove_dipole if dipole else healpy.remove_monopole
            theirs = np.array([remove(field, gal_cut=cut) for field in maps])
            if source == "iqu":
                theirs[1:] = maps[1:]
            check("%s, gal_cut %g, %s, %g UNSEEN" % (remove.__name__, cut, source, share),
                  read_map("out%d.fits" % i), theirs, 1e-11)


check_ud_grade()
check_mask()
check_reorder()
check_rotate_map()
check_rotate_map_alms()
check_remove()
end()
