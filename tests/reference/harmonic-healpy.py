# SPDX-License-Identifier: GPL-3.0-or-later
"""What healpy does with harmonics and spectra, and workflows with stages of the same purpose, on
random input. TAP.

Usage: harmonic-healpy.py PATH-OF-ARMILLA
"""

import importlib.util
import inspect
import os
import shutil

import astropy.io.fits as fits
import healpy
import numpy as np

from comparison import (check, data, end, masked_map, node, random, random_alm, random_map,
                        read_alm, read_map, run, skip, write_alm, write_map)

NSIDE, LMAX = 32, 64


def check_rotate_alm():
    for angles in ((0.3, 1.1, -2.0), (0, np.pi / 2, 0), (1.0, 0.0, 0.5)):
        alm = random_alm(3, LMAX, lowest=2)
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


def check_scalar(nside, lmax):
    maps = random_map(1, nside)[0]
    write_map("in.fits", maps)
    for iterations in (0, 3):
        run(node("in", stage="read-map", file="in.fits"),
            node("alm", stage="map2alm", map="in", lmax=lmax, iterations=iterations),
            node("cl", stage="alm2cl", alm="alm"),
            node("beam", stage="smooth-alm", alm="alm", fwhm="7 deg"),
            node("sky", stage="alm2map", alm="beam", nside=nside),
            node("write-cl", stage="write-cl", cl="cl", file="cl.fits"),
            node("write-alm", stage="write-alm", alm="alm", file="alm.fits"),
            node("write-map", stage="write-map", map="sky", file="out.fits"))
        case = "nside %d, lmax %d, iter %d" % (nside, lmax, iterations)
        check("map2alm, " + case, read_alm("alm.fits", 1),
              healpy.map2alm(maps, lmax=lmax, iter=iterations), 1e-11)
        check("anafast, " + case, healpy.read_cl("cl.fits"),
              healpy.anafast(maps, lmax=lmax, iter=iterations), 1e-11)
        check("smoothing, " + case, read_map("out.fits"),
              healpy.smoothing(maps, fwhm=np.radians(7), lmax=lmax, iter=iterations), 1e-11)


def check_ring_weights():
    file = os.path.join(data, "weight_ring_n%05d.fits" % NSIDE)
    if not os.path.exists(file):
        return skip("use_weights", "there is no " + file)
    maps = random_map(3, NSIDE)
    write_map("in.fits", maps)
    for iterations in (0, 3):
        run(node("in", stage="read-map", file="in.fits", fields="all"),
            node("alm", stage="map2alm", map="in", lmax=LMAX, iterations=iterations,
                 ring_weights=file),
            node("write", stage="write-alm", alm="alm", file="alm.fits"))
        check("map2alm of I, Q, U, use_weights, iter %d" % iterations, read_alm("alm.fits", 3),
              healpy.map2alm(maps, lmax=LMAX, iter=iterations, use_weights=True, datapath=data),
              1e-11)


def check_pixel_weights():
    """Random ones in a file of HEALPix's form: real ones are not everywhere."""
    os.makedirs("full_weights", exist_ok=True)
    file = "full_weights/healpix_full_weights_nside_%04d.fits" % NSIDE
    weights = random.standard_normal((3 * NSIDE + 1) * (NSIDE + 1) // 4) / 10
    table = fits.BinTableHDU.from_columns(
        [fits.Column(name="COMPRESSED PIXEL WEIGHTS", format="1D", array=weights)])
    table.header["NSIDE"] = NSIDE
    table.writeto(file, overwrite=True)
    maps = random_map(3, NSIDE)
    write_map("in.fits", maps)
    run(node("in", stage="read-map", file="in.fits", fields="all"),
        node("alm", stage="map2alm", map="in", lmax=LMAX, pixel_weights=file),
        node("write", stage="write-alm", alm="alm", file="alm.fits"))
    check("map2alm of I, Q, U, use_pixel_weights", read_alm("alm.fits", 3),
          healpy.map2alm(maps, lmax=LMAX, iter=0, use_pixel_weights=True, datapath="."), 1e-11)


def check_least_squares():
    """Both stop when they are as close to the solution as they are told."""
    if importlib.util.find_spec("scipy") is None:
        return skip("map2alm_lsq", "it needs scipy")
    maps = random_map(3, NSIDE)
    write_map("in.fits", maps)
    run(node("in", stage="read-map", file="in.fits", fields="all"),
        node("alm", stage="map2alm", map="in", lmax=LMAX, method="cg", tolerance=1e-13),
        node("write", stage="write-alm", alm="alm", file="alm.fits"))
    theirs, _, _ = healpy.map2alm_lsq(maps, LMAX, LMAX, tol=1e-13, maxiter=100)
    check("map2alm_lsq of I, Q, U", read_alm("alm.fits", 3), theirs, 1e-11)


def check_polarised():
    maps = random_map(3, NSIDE)
    masked = masked_map(NSIDE, 0.2)
    masked[:, masked[0] == healpy.UNSEEN] = healpy.UNSEEN
    masked[1:, masked[0] != healpy.UNSEEN] = random_map(2, NSIDE)[:, masked[0] != healpy.UNSEEN]
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


def pixel_window():
    """healpy's, of temperature and polarisation; None where the files are not to be found."""
    name = "pixel_window_n%04d.fits" % NSIDE
    if not os.path.exists(os.path.join(data, name)):
        return None
    if "datapath" not in inspect.signature(healpy.pixwin).parameters:  # 1.16 has them with it
        return healpy.pixwin(NSIDE, pol=True, lmax=LMAX)
    # Newer ones would fetch them from the network.
    os.makedirs("pixel_window_functions", exist_ok=True)
    shutil.copy(os.path.join(data, name), "pixel_window_functions")
    return healpy.pixwin(NSIDE, pol=True, lmax=LMAX, datapath=".")


def check_beams():
    alm = random_alm(3, LMAX)
    write_alm("in.fits", alm)
    window = pixel_window()
    nodes = [node("in", stage="read-alm", file="in.fits", fields="all", spin="0, 2, 2"),
             node("fwhm", stage="smooth-alm", alm="in", fwhm="5 deg"),
             node("out-fwhm", stage="write-alm", alm="fwhm", file="fwhm.fits"),
             node("sigma", stage="smooth-alm", alm="in", sigma="0.04 rad"),
             node("out-sigma", stage="write-alm", alm="sigma", file="sigma.fits")]
    if window:
        nodes += [node("pixel", stage="smooth-alm", alm="in",
                       pixel_window=os.path.join(data, "pixel_window_n%04d.fits" % NSIDE)),
                  node("out-pixel", stage="write-alm", alm="pixel", file="pixel.fits")]
    run(*nodes)
    beam = healpy.gauss_beam(np.radians(5), lmax=LMAX, pol=True)
    check("gauss_beam of T, E, B", read_alm("fwhm.fits", 3),
          np.array([healpy.almxfl(alm[k], beam[:, k]) for k in range(3)]), 1e-11)
    check("smoothalm, fwhm", read_alm("fwhm.fits", 3),
          np.array(healpy.smoothalm(list(alm.copy()), fwhm=np.radians(5))), 1e-11)
    check("smoothalm, sigma", read_alm("sigma.fits", 3),
          np.array(healpy.smoothalm(list(alm.copy()), sigma=0.04)), 1e-11)
    if window:
        check("pixwin of T, E, B", read_alm("pixel.fits", 3),
              np.array([healpy.almxfl(alm[k], window[min(k, 1)]) for k in range(3)]), 1e-11)
    else:
        skip("pixwin", "there are no pixel windows in " + data)


def check_filter():
    """almxfl by one function and by one a field, by powers of it, and past its end."""
    alm = random_alm(3, LMAX)
    write_alm("in.fits", alm)
    cl = 1 + random.random((6, LMAX + 1))
    healpy.write_cl("one.fits", cl[0], overwrite=True)
    healpy.write_cl("three.fits", cl, overwrite=True)
    healpy.write_cl("short.fits", cl[0, :20], overwrite=True)
    cases = [(name, power) for name in ("one", "three", "short") for power in (1, -1, 0.5)
             if name != "short" or power == 1]
    nodes = [node("in", stage="read-alm", file="in.fits", fields="all", spin="0, 2, 2")]
    for name in ("one", "three", "short"):
        nodes += [node(name, stage="read-cl", file=name + ".fits",
                       columns="0, 1, 2" if name == "three" else "0")]
    for i, (name, power) in enumerate(cases):
        nodes += [node("f%d" % i, stage="filter-alm", alm="in", cl=name, power=power),
                  node("out%d" % i, stage="write-alm", alm="f%d" % i, file="f%d.fits" % i)]
    run(*nodes)
    for i, (name, power) in enumerate(cases):
        fl = [cl[k if name == "three" else 0, : 20 if name == "short" else None] ** power
              for k in range(3)]
        check("almxfl by a function, %s, to the power %g" % (name, power),
              read_alm("f%d.fits" % i, 3),
              np.array([healpy.almxfl(alm[k], fl[k]) for k in range(3)]), 1e-11)


def resized(alm, lmax, mmax, lmax_out, mmax_out):
    """healpy.resize_alm, which 1.16 has not yet."""
    if hasattr(healpy, "resize_alm"):
        return np.array(healpy.resize_alm(alm, lmax, mmax, lmax_out, mmax_out))
    l, m = healpy.Alm.getlm(lmax_out, np.arange(healpy.Alm.getsize(lmax_out, mmax_out)))
    kept = (l <= lmax) & (m <= mmax)
    out = np.zeros((len(alm), l.size), dtype=complex)
    out[:, kept] = alm[:, healpy.Alm.getidx(lmax, l[kept], m[kept])]
    return out


def check_resize():
    alm = random_alm(3, LMAX)
    write_alm("in.fits", alm)
    shapes = ((40, 40), (90, 90), (40, 12), (90, 30), (64, 64), (64, 0), (0, 0))
    nodes = [node("in", stage="read-alm", file="in.fits", fields="all", spin="0, 2, 2")]
    for i, (lmax, mmax) in enumerate(shapes):
        nodes += [node("r%d" % i, stage="resize-alm", alm="in", lmax=lmax, mmax=mmax),
                  node("out%d" % i, stage="write-alm", alm="r%d" % i, file="r%d.fits" % i)]
    run(*nodes)
    for i, (lmax, mmax) in enumerate(shapes):
        check("resize_alm from %d to %d, mmax %d" % (LMAX, lmax, mmax),
              read_alm("r%d.fits" % i, 3), resized(alm, LMAX, LMAX, lmax, mmax), 0)


def check_spectra():
    a, b = random_alm(3, LMAX), random_alm(3, LMAX)
    write_alm("a.fits", a)
    write_alm("b.fits", b)
    run(node("a", stage="read-alm", file="a.fits", fields="all", spin="0, 2, 2"),
        node("b", stage="read-alm", file="b.fits", fields="all", spin="0, 2, 2"),
        node("auto", stage="alm2cl", alm="a"),
        node("out-auto", stage="write-cl", cl="auto", file="auto.fits"),
        node("cross", stage="alm2cl", alm="a", alm2="b", lmax=LMAX - 5),
        node("out-cross", stage="write-cl", cl="cross", file="cross.fits"))
    check("alm2cl, six spectra", healpy.read_cl("auto.fits"), healpy.alm2cl(a), 1e-11)
    check("alm2cl of two, lmax_out", healpy.read_cl("cross.fits"),
          healpy.alm2cl(a, b, lmax_out=LMAX - 5), 1e-11)


def check_derivatives():
    alm = random_alm(1, LMAX)
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


check_rotate_alm()
check_scalar(NSIDE, LMAX)
check_scalar(64, 191)
check_ring_weights()
check_pixel_weights()
check_least_squares()
check_polarised()
check_beams()
check_filter()
check_resize()
check_spectra()
check_derivatives()
end()
