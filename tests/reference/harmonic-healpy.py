# SPDX-License-Identifier: GPL-3.0-or-later
"""Workflows against healpy's functions of the same purpose, on random input. TAP.

Usage: harmonic-healpy.py PATH-OF-ARMILLA
"""

import os
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads that spin, on a machine that others use

import healpy
import numpy as np

warnings.simplefilter("ignore")
armilla = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp(prefix="armilla-healpy-"))
random = np.random.default_rng(20261121)
count = 0
NSIDE, LMAX = 32, 64


def node(_name, **keys):
    """A group of a workflow file; a node called from_ has the key from."""
    lines = ["%s = %s" % (key.rstrip("_").replace("_", "-"), value) for key, value in keys.items()]
    return "\n".join(["[%s]" % _name, *lines, ""])


def run(*nodes):
    with open("test.workflow", "w") as file:
        file.write("\n".join(nodes))
    subprocess.run([armilla, "run", "--quiet", "--overwrite", "test.workflow"], check=True)


def check(what, ours, theirs, bound):
    """Largest RMS of a field's difference, relative to the RMS of that field."""
    global count
    count += 1
    ours, theirs = np.atleast_2d(ours), np.atleast_2d(theirs)
    worst = np.inf
    if ours.shape == theirs.shape:
        unseen = healpy.UNSEEN * (1 - 1e-9)
        same = (ours < unseen) == (theirs < unseen)
        good = (ours >= unseen) & (theirs >= unseen)
        worst = 0 if same.all() else np.inf
        for a, b, seen in zip(ours, theirs, good):
            size = np.sqrt(np.mean(np.abs(b[seen]) ** 2))
            worst = max(worst, np.sqrt(np.mean(np.abs(a[seen] - b[seen]) ** 2)) / (size or 1))
    print("ok" if worst <= bound else "not ok", count, "- %s: %.2g" % (what, worst))


def write_map(name, maps, **options):
    healpy.write_map(name, maps, dtype=np.float64, overwrite=True, **options)


def read_map(name, nest=False):
    return healpy.read_map(name, field=None, dtype=float, nest=nest)


def write_alm(name, alms):
    healpy.write_alm(name, alms, out_dtype=np.float64, overwrite=True)


def read_alm(name, fields):
    return np.array([healpy.read_alm(name, hdu=i + 1) for i in range(fields)])


def random_alm(fields, lmax=LMAX, lowest=0):
    """White coefficients; those of polarisation begin at l = 2."""
    size = healpy.Alm.getsize(lmax)
    l, m = healpy.Alm.getlm(lmax)
    alm = random.standard_normal((fields, size)) + 1j * random.standard_normal((fields, size))
    alm[:, m == 0] = alm[:, m == 0].real
    alm[:, l < lowest] = 0
    return alm


def random_map(fields, nside=NSIDE):
    return random.standard_normal((fields, 12 * nside**2))


def masked_map(nside, share):
    maps = random_map(3, nside)
    maps[random.random(maps.shape) < share] = healpy.UNSEEN
    return maps


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
    write_map("in.fits", maps)
    write_map("mask.fits", mask)
    run(node("in", stage="read-map", file="in.fits", fields="all", spin=0),
        node("m", stage="read-map", file="mask.fits"),
        node("out", stage="mask", map="in", mask="m", outside="unseen"),
        node("write", stage="write-map", map="out", file="out.fits"))
    theirs = healpy.ma(maps)
    theirs.mask |= mask == 0
    check("ma, mask and UNSEEN", read_map("out.fits"), theirs.filled(), 0)


def check_rotate_alm():
    for angles in ((0.3, 1.1, -2.0), (0, np.pi / 2, 0), (1.0, 0.0, 0.5)):
        alm = random_alm(3, lowest=2)
        write_alm("in.fits", alm)
        run(node("in", stage="read-alm", file="in.fits", fields="all", spin="0, 2, 2"),
            node("out", stage="rotate", alm="in",
                 **{k: "%.17g rad" % v for k, v in zip(("psi", "theta", "phi"), angles)}),
            node("write", stage="write-alm", alm="out", file="out.fits"))
        theirs = alm.copy()
        healpy.rotate_alm(theirs, *angles)
        check("rotate_alm, angles %s" % (angles,), read_alm("out.fits", 3), theirs, 1e-11)
    for coord in ("GE", "EC", "CG"):
        names = dict(G="galactic", E="ecliptic", C="equatorial")
        run(node("in", stage="read-alm", file="in.fits", fields="all", spin="0, 2, 2"),
            node("out", stage="rotate", alm="in", from_=names[coord[0]], to=names[coord[1]]),
            node("write", stage="write-alm", alm="out", file="out.fits"))
        check("Rotator.rotate_alm %s" % coord, read_alm("out.fits", 3),
              healpy.Rotator(coord=list(coord)).rotate_alm(alm), 1e-11)


def check_rotate_map():
    maps = random_map(3)
    write_map("in.fits", maps, coord="G")
    for coord in ("E", "C"):
        name = dict(E="ecliptic", C="equatorial")[coord]
        run(node("in", stage="read-map", file="in.fits", fields="all"),
            node("out", stage="rotate-map", map="in", to=name),
            node("write", stage="write-map", map="out", file="out.fits"))
        check("Rotator.rotate_map_pixel G%s, I, Q, U" % coord, read_map("out.fits"),
              healpy.Rotator(coord=["G", coord]).rotate_map_pixel(maps), 1e-11)


def check_scalar():
    maps = random_map(1)[0]
    write_map("in.fits", maps)
    for iterations in (0, 3):
        run(node("in", stage="read-map", file="in.fits"),
            node("alm", stage="map2alm", map="in", lmax=LMAX, iterations=iterations),
            node("cl", stage="alm2cl", alm="alm"),
            node("beam", stage="smooth-alm", alm="alm", fwhm="7 deg"),
            node("sky", stage="alm2map", alm="beam", nside=NSIDE),
            node("write-cl", stage="write-cl", cl="cl", file="cl.fits"),
            node("write-alm", stage="write-alm", alm="alm", file="alm.fits"),
            node("write-map", stage="write-map", map="sky", file="out.fits"))
        check("map2alm, iter %d" % iterations, read_alm("alm.fits", 1),
              healpy.map2alm(maps, lmax=LMAX, iter=iterations), 1e-11)
        check("anafast, iter %d" % iterations, healpy.read_cl("cl.fits"),
              healpy.anafast(maps, lmax=LMAX, iter=iterations), 1e-11)
        check("smoothing, iter %d" % iterations, read_map("out.fits"),
              healpy.smoothing(maps, fwhm=np.radians(7), lmax=LMAX, iter=iterations), 1e-11)


def check_polarised():
    maps = random_map(3)
    masked = masked_map(NSIDE, 0.2)
    masked[:, masked[0] == healpy.UNSEEN] = healpy.UNSEEN
    masked[1:, masked[0] != healpy.UNSEEN] = random_map(2)[:, masked[0] != healpy.UNSEEN]
    bl = np.exp(-np.arange(LMAX + 1)[:, None] * np.array([0.03, 0.05, 0.04]))
    np.savetxt("bl.txt", np.column_stack([np.arange(LMAX + 1), bl]))
    for name, iqu in (("all", maps), ("masked", masked)):
        write_map(name + ".fits", iqu)
        nodes = [node("in", stage="read-map", file=name + ".fits", fields="all")]
        for i in (0, 3):
            nodes += [node("alm%d" % i, stage="map2alm", map="in", lmax=LMAX, iterations=i),
                      node("cl%d" % i, stage="alm2cl", alm="alm%d" % i),
                      node("out-cl%d" % i, stage="write-cl", cl="cl%d" % i, file="cl%d.fits" % i)]
        nodes += [node("fwhm", stage="smooth-alm", alm="alm3", fwhm="5 deg"),
                  node("beam", stage="smooth-alm", alm="alm3", beam="bl.txt")]
        for beam in ("fwhm", "beam"):
            nodes += [node("sky-" + beam, stage="alm2map", alm=beam, nside=NSIDE),
                      node("seen-" + beam, stage="mask", map="sky-" + beam, mask="in",
                           weights="seen", outside="unseen"),
                      node("out-" + beam, stage="write-map", map="seen-" + beam,
                           file=beam + ".fits")]
        run(*nodes)
        for i in (0, 3):
            check("anafast, six spectra, iter %d, %s pixels" % (i, name),
                  healpy.read_cl("cl%d.fits" % i), healpy.anafast(iqu, lmax=LMAX, iter=i), 1e-11)
        check("smoothing of I, Q, U by fwhm, %s pixels" % name, read_map("fwhm.fits"),
              healpy.smoothing(iqu, fwhm=np.radians(5), lmax=LMAX), 1e-11)
        if name == "all":  # healpy.smoothing takes one window for T, E and B
            alm = healpy.map2alm(iqu, lmax=LMAX)
            smooth = [healpy.almxfl(alm[k], bl[:, k]) for k in range(3)]
            check("almxfl of T, E, B and alm2map", read_map("beam.fits"),
                  healpy.alm2map(smooth, NSIDE, lmax=LMAX), 1e-11)


def check_derivatives():
    alm = random_alm(1)
    write_alm("in.fits", alm)
    run(node("in", stage="read-alm", file="in.fits"),
        node("gradient", stage="gradient", alm="in"),
        node("out", stage="alm2map", alm="gradient", nside=NSIDE),
        node("write", stage="write-map", map="out", file="out.fits"),
        node("bare", stage="gradient", alm="in", keep="false"),
        node("sky", stage="alm2map", alm="bare", nside=NSIDE),
        node("write-bare", stage="write-map", map="sky", file="bare.fits"))
    theirs = healpy.alm2map_der1(alm[0], NSIDE, lmax=LMAX)
    check("alm2map_der1", read_map("out.fits"), theirs, 1e-11)
    check("alm2map_der1, derivatives only", read_map("bare.fits"), theirs[1:], 1e-11)


print("# healpy", healpy.__version__)
check_ud_grade()
check_mask()
check_rotate_alm()
check_rotate_map()
check_scalar()
check_polarised()
check_derivatives()
print("1..%d" % count)
