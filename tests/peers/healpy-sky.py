#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what Armilla does with maps, a_lm and spectra beside transforms with healpy:

    tests/peers/healpy-sky.py PATH-TO-ARMILLA [NSIDE [FOLDER-OF-HEALPIX-DATA]]

Prints the relative distance (RMS) for each; installs nothing. Wants numpy, astropy and healpy. Pixel
weights are random ones in a file of HEALPix's form, since their real files are not everywhere.
"""
import os
import subprocess
import sys
import tempfile

import healpy as hp
import numpy as np
from astropy.io import fits

ARMILLA = os.path.abspath(sys.argv[1])
NSIDE = int(sys.argv[2]) if len(sys.argv) > 2 else 64
DATA = sys.argv[3] if len(sys.argv) > 3 else "/usr/share/healpy/data"
LMAX = 2 * NSIDE
RNG = np.random.default_rng(7)
WEIGHT = np.repeat([1.0, 2.0], [LMAX + 1, hp.Alm.getsize(LMAX) - LMAX - 1])


def random_alm(n_fields):
    alm = RNG.normal(size=(n_fields, WEIGHT.size)) + 1j * RNG.normal(size=(n_fields, WEIGHT.size))
    alm[:, : LMAX + 1] = alm[:, : LMAX + 1].real
    return alm


def run(**nodes):
    """A workflow of nodes: name = dict of keys; 'a_b' names node a-b."""
    text = "".join(
        "[%s]\n%s\n" % (name.replace("_", "-"),
                        "".join("%s = %s\n" % (k.replace("_", "-"), v) for k, v in keys.items()))
        for name, keys in nodes.items())
    with open("test.workflow", "w") as file:
        file.write(text)
    subprocess.run([ARMILLA, "run", "--quiet", "--overwrite", "test.workflow"], check=True)


def report(what, got, want, alm=False):
    weight = WEIGHT if alm else 1.0
    distance = np.sqrt((weight * abs(got - want) ** 2).sum() / (weight * abs(want) ** 2).sum())
    print("%-48s %.1e" % (what, distance))


def read_alm(name, n_fields):
    alm = [hp.read_alm(name, hdu=i + 1) for i in range(n_fields)]
    return np.array(alm, dtype=complex)


def spectra_and_beams():
    a, b = random_alm(3), random_alm(3)
    hp.write_alm("a.fits", a, overwrite=True, out_dtype=np.float64)
    hp.write_alm("b.fits", b, overwrite=True, out_dtype=np.float64)
    alm = dict(a=dict(stage="read-alm", file="a.fits", fields="all"),
               b=dict(stage="read-alm", file="b.fits", fields="all"))
    run(**alm, cl=dict(stage="alm2cl", alm="a"), w=dict(stage="write-cl", cl="cl", file="cl.fits"),
        x=dict(stage="alm2cl", alm="a", alm2="b", lmax=LMAX - 5),
        v=dict(stage="write-cl", cl="x", file="x.fits"),
        s=dict(stage="smooth-alm", alm="a", fwhm="1 deg"),
        u=dict(stage="write-alm", alm="s", file="s.fits"),
        p=dict(stage="smooth-alm", alm="a", pixel_window="%s/pixel_window_n%04d.fits"
               % (DATA, NSIDE)),
        t=dict(stage="write-alm", alm="p", file="p.fits"),
        r=dict(stage="rotate", alm="a", psi="20 deg", theta="70 deg", phi="-100 deg"),
        q=dict(stage="write-alm", alm="r", file="r.fits"),
        g=dict(stage="rotate", alm="a", **{"from": "galactic"}, to="equatorial"),
        o=dict(stage="write-alm", alm="g", file="g.fits"))
    report("alm2cl, six spectra", np.array(hp.read_cl("cl.fits")), hp.alm2cl(a))
    report("alm2cl of two, lmax", np.array(hp.read_cl("x.fits")), hp.alm2cl(a, b)[:, : LMAX - 4])
    want = hp.smoothalm([f.copy() for f in a], fwhm=np.radians(1), pol=True)
    report("smooth-alm, T, E, B", read_alm("s.fits", 3), np.array(want), True)
    t, pol = (fits.getdata("%s/pixel_window_n%04d.fits" % (DATA, NSIDE)).field(i) for i in (0, 1))
    want = np.array([hp.almxfl(f, w) for f, w in zip(a, (t, pol, pol))])
    report("smooth-alm, pixel window", read_alm("p.fits", 3), want, True)
    for name, angles in (("r", np.radians((20, 70, -100))),
                         ("g", hp.rotator.coordsys2euler_zyz("GC"))):
        want = [f.copy() for f in a]
        for f in want:
            hp.rotate_alm(f, *angles)
        report("rotate, " + ("angles" if name == "r" else "coordinates"),
               read_alm(name + ".fits", 3), np.array(want), True)


def resolutions():
    m = RNG.normal(size=hp.nside2npix(NSIDE))
    m[RNG.random(m.size) < 0.1] = hp.UNSEEN
    hp.write_map("m.fits", m, overwrite=True, dtype=np.float64)
    for nside, pess, power in ((NSIDE // 8, False, 0), (NSIDE // 2, True, 0), (NSIDE // 4, False, -2),
                               (NSIDE * 2, False, 0)):
        run(m=dict(stage="read-map", file="m.fits"),
            g=dict(stage="ud-grade", map="m", nside=nside, pess=str(pess).lower(), power=power),
            w=dict(stage="write-map", map="g", file="g.fits"))
        report("ud-grade to %d%s%s" % (nside, ", pess" * pess, ", power" * bool(power)),
               hp.read_map("g.fits", dtype=np.float64),
               hp.ud_grade(m, nside, pess=pess, power=power or None))


def weights():
    m = RNG.normal(size=hp.nside2npix(NSIDE))
    hp.write_map("m.fits", m, overwrite=True, dtype=np.float64)
    os.makedirs("full_weights", exist_ok=True)
    n = (3 * NSIDE + 1) * (NSIDE + 1) // 4
    file = "full_weights/healpix_full_weights_nside_%04d.fits" % NSIDE
    column = fits.Column(name="COMPRESSED PIXEL WEIGHTS", format="1D", array=RNG.normal(size=n) / 10)
    hdu = fits.BinTableHDU.from_columns([column])
    hdu.header["NSIDE"] = NSIDE
    hdu.writeto(file, overwrite=True)
    keys = dict(stage="map2alm", map="m", lmax=LMAX)
    run(m=dict(stage="read-map", file="m.fits"), p=dict(keys, pixel_weights=file),
        a=dict(stage="write-alm", alm="p", file="p.fits"))
    want = hp.map2alm(m, lmax=LMAX, use_pixel_weights=True, datapath=".")  # which iterates not
    report("map2alm, pixel weights", read_alm("p.fits", 1)[0], want, True)
    for iterations in (0, 3):
        run(m=dict(stage="read-map", file="m.fits"),
            r=dict(keys, ring_weights="%s/weight_ring_n%05d.fits" % (DATA, NSIDE),
                   iterations=iterations),
            b=dict(stage="write-alm", alm="r", file="r.fits"))
        want = hp.map2alm(m, lmax=LMAX, iter=iterations, use_weights=True, datapath=DATA)
        report("map2alm, ring weights, %d iterations" % iterations, read_alm("r.fits", 1)[0], want,
               True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    spectra_and_beams()
    resolutions()
    weights()
