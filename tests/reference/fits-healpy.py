# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of healpy's through fits-copy and back to healpy: every number must survive. TAP.

Usage: fits-healpy.py PATH-OF-FITS-COPY
"""

import os
import subprocess
import sys
import tempfile
import warnings

import astropy.io.fits as fits
import healpy
import numpy as np

warnings.simplefilter("ignore")
copy = sys.argv[1]
folder = tempfile.mkdtemp(prefix="armilla-healpy-")
random = np.random.default_rng(20260921)
count = 0


def path(name):
    return os.path.join(folder, name)


def run(*words):
    subprocess.run([copy, *words], check=True)


def check(what, ok):
    global count
    count += 1
    print("ok" if ok else "not ok", count, "-", what)


def read_map(name, **options):
    return np.atleast_2d(healpy.read_map(name, field=None, dtype=float, **options))


def header_of(name):
    return fits.getheader(name, 1)


def check_map(nside, fields, dtype, nest, partial):
    """A map in RING order, as healpy writes it in several ways."""
    ring = random.standard_normal((fields, 12 * nside**2)).astype(dtype)
    if partial:
        ring[:, random.random(ring.shape[1]) < 0.8] = healpy.UNSEEN
    given = healpy.reorder(ring, r2n=True) if nest else ring
    given = np.atleast_2d(given)
    healpy.write_map(path("in.fits"), given, nest=nest, dtype=dtype, partial=partial,
                     coord="G", column_units="K", overwrite=True)
    words = []
    if dtype == np.float32:
        words.append("single")
    name = f"map nside {nside} fields {fields} {np.dtype(dtype)} nest {nest} partial {partial}"
    for out in ([], ["nested"], ["partial"], ["nested", "partial"]):
        if "nested" in out and nside & (nside - 1):
            continue
        target = "out.fits.gz" if "partial" in out else "out.fits"
        run("map", path("in.fits"), path(target), *words, *out)
        back = read_map(path(target))
        # healpy leaves the rounded mark of float32 in some paths; all marks are the same to it.
        same = np.where(healpy.mask_bad(back), healpy.UNSEEN, back)
        want = np.where(healpy.mask_bad(ring), healpy.UNSEEN, ring.astype(float))
        head = header_of(path(target))
        ok = np.array_equal(same, want)
        ok &= head["ORDERING"] == ("NESTED" if "nested" in out else "RING")
        ok &= head["COORDSYS"] == "G" and head["NSIDE"] == nside
        check(f"{name} as {' '.join(out) or 'ring'}", ok)
        run("map", path(target), path("again.fits"), *words)
        check("  and back to ring", np.array_equal(
            np.where(healpy.mask_bad(read_map(path("again.fits"))), healpy.UNSEEN,
                     read_map(path("again.fits"))), want))


def check_same_layout(nside, fields, dtype):
    """The table has the shape and the keywords of healpy.write_map's."""
    sky = random.standard_normal((fields, 12 * nside**2)).astype(dtype)
    healpy.write_map(path("in.fits"), sky, dtype=dtype, coord="E", column_units="mK",
                     overwrite=True)
    run("map", path("in.fits"), path("out.fits"), *(["single"] if dtype == np.float32 else []))
    ours, theirs = header_of(path("out.fits")), header_of(path("in.fits"))
    differing = [key for key in theirs
                 if key not in ours or str(ours[key]).strip() != str(theirs[key]).strip()]
    data = np.array_equal(fits.getdata(path("in.fits"), 1), fits.getdata(path("out.fits"), 1))
    check(f"layout of nside {nside}, {fields} fields: {differing}", not differing and data)
    with fits.open(path("out.fits"), checksum=True) as file:
        file.verify("exception")


def check_alm(lmax, mmax, fields, dtype):
    size = healpy.Alm.getsize(lmax, mmax)
    alms = [(random.standard_normal(size) + 1j * random.standard_normal(size)).astype(dtype)
            for _ in range(fields)]
    healpy.write_alm(path("in.fits"), alms, mmax_in=mmax, mmax=mmax, overwrite=True)
    run("alm", path("in.fits"), path("out.fits"), *(["single"] if dtype == np.complex64 else []))
    for i, alm in enumerate(alms):
        back, found = healpy.read_alm(path("out.fits"), hdu=i + 1, return_mmax=True)
        ours = fits.getdata(path("out.fits"), i + 1)
        theirs = fits.getdata(path("in.fits"), i + 1)
        ok = np.array_equal(back, alm) and found == mmax
        ok &= np.array_equal(ours["index"], theirs["index"])
        check(f"a_lm {lmax} {mmax} {np.dtype(dtype)} field {i}", ok)


def check_cl(lmax, fields):
    cl = random.standard_normal((fields, lmax + 1))
    healpy.write_cl(path("in.fits"), cl if fields > 1 else cl[0], overwrite=True)
    run("cl", path("in.fits"), path("out.fits"))
    ours, theirs = header_of(path("out.fits")), header_of(path("in.fits"))
    ok = np.array_equal(np.atleast_2d(healpy.read_cl(path("out.fits"))), cl)
    ok &= all(ours[f"TTYPE{i + 1}"] == theirs[f"TTYPE{i + 1}"] for i in range(fields))
    check(f"spectra {lmax} {fields}", ok)


for side in (1, 2, 8, 16, 64):
    for nested in (False, True):
        check_map(side, 3, np.float64, nested, False)
        check_map(side, 1, np.float32, nested, False)
for side in (8, 32):
    check_map(side, 2, np.float64, False, True)
    check_map(side, 1, np.float32, True, True)
check_map(3, 1, np.float64, False, False)
for shape in ((1, 1), (8, 3), (16, 2), (128, 6)):
    check_same_layout(*shape, np.float32)
    check_same_layout(*shape, np.float64)
check_alm(0, 0, 1, np.complex128)
check_alm(100, 40, 3, np.complex128)
check_alm(64, 64, 2, np.complex64)
check_cl(0, 1)
check_cl(700, 4)
check_cl(30, 8)
print(f"1..{count}")
for name in os.listdir(folder):
    os.unlink(path(name))
os.rmdir(folder)
