# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of healpy's through fits-copy and back to healpy: every number must survive. TAP.

Usage: fits-healpy.py PATH-OF-FITS-COPY
"""

import os
import warnings

import astropy.io.fits as fits
import healpy
import numpy as np

from comparison import end, ok, random
from comparison import run_program as run


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
    healpy.write_map("in.fits", given, nest=nest, dtype=dtype, partial=partial, coord="G",
                     column_units="K", overwrite=True)
    words = []
    if dtype == np.float32:
        words.append("single")
    name = f"map nside {nside} fields {fields} {np.dtype(dtype)} nest {nest} partial {partial}"
    for out in ([], ["nested"], ["partial"], ["nested", "partial"]):
        if "nested" in out and nside & (nside - 1):
            continue
        target = "out.fits.gz" if "partial" in out else "out.fits"
        run("map", "in.fits", target, *words, *out)
        back = read_map(target)
        # healpy leaves the rounded mark of float32 in some paths; all marks are the same to it.
        back = np.where(healpy.mask_bad(back), healpy.UNSEEN, back)
        want = np.where(healpy.mask_bad(ring), healpy.UNSEEN, ring.astype(float))
        head = header_of(target)
        same = np.array_equal(back, want)
        same &= head["ORDERING"] == ("NESTED" if "nested" in out else "RING")
        same &= head["COORDSYS"] == "G" and head["NSIDE"] == nside
        ok(f"{name} as {' '.join(out) or 'ring'}", same)
        run("map", target, "again.fits", *words)
        again = read_map("again.fits")
        ok("  and back to ring",
           np.array_equal(np.where(healpy.mask_bad(again), healpy.UNSEEN, again), want))


def check_same_layout(nside, fields, dtype):
    """The table has the shape and the keywords of healpy.write_map's."""
    sky = random.standard_normal((fields, 12 * nside**2)).astype(dtype)
    healpy.write_map("in.fits", sky, dtype=dtype, coord="E", column_units="mK", overwrite=True)
    run("map", "in.fits", "out.fits", *(["single"] if dtype == np.float32 else []))
    ours, theirs = header_of("out.fits"), header_of("in.fits")
    differing = [key for key in theirs
                 if key not in ours or str(ours[key]).strip() != str(theirs[key]).strip()]
    data = np.array_equal(fits.getdata("in.fits", 1), fits.getdata("out.fits", 1))
    ok(f"layout of nside {nside}, {fields} fields: {differing}", not differing and data)
    ok("  its checksums, and that it is FITS", sound("out.fits"))
    damage("out.fits")
    ok("  one bit of a pixel changed is seen", not sound("out.fits"))


def sound(name):
    """astropy finds sums that are there, right, and no fault of form (of sums it only warns)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        try:
            with fits.open(name, checksum=True) as file:
                file.verify("exception")
                return all("CHECKSUM" in hdu.header and "DATASUM" in hdu.header for hdu in file)
        except (UserWarning, fits.VerifyError) as error:
            print(f"# {name}: {str(error).strip()}")
            return False


def damage(name):
    with open(name, "r+b") as file:
        file.seek(-2880, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-2880, os.SEEK_END)
        file.write(bytes([byte ^ 1]))


def check_alm(lmax, mmax, fields, dtype):
    size = healpy.Alm.getsize(lmax, mmax)
    alms = [(random.standard_normal(size) + 1j * random.standard_normal(size)).astype(dtype)
            for _ in range(fields)]
    healpy.write_alm("in.fits", alms, mmax_in=mmax, mmax=mmax, overwrite=True)
    run("alm", "in.fits", "out.fits", *(["single"] if dtype == np.complex64 else []))
    for i, alm in enumerate(alms):
        back, found = healpy.read_alm("out.fits", hdu=i + 1, return_mmax=True)
        ours = fits.getdata("out.fits", i + 1)
        theirs = fits.getdata("in.fits", i + 1)
        same = np.array_equal(back, alm) and found == mmax
        same &= np.array_equal(ours["index"], theirs["index"])
        ok(f"a_lm {lmax} {mmax} {np.dtype(dtype)} field {i}", same)


def check_cl(lmax, fields):
    cl = random.standard_normal((fields, lmax + 1))
    healpy.write_cl("in.fits", cl if fields > 1 else cl[0], overwrite=True)
    run("cl", "in.fits", "out.fits")
    ours, theirs = header_of("out.fits"), header_of("in.fits")
    # healpy 1.16 leaves out what comes after the sixth.
    fields = min(fields, theirs["TFIELDS"])
    same = np.array_equal(np.atleast_2d(healpy.read_cl("out.fits")), cl[:fields])
    same &= fields >= min(len(cl), 6) and ours["TFIELDS"] == fields
    same &= all(ours[f"TTYPE{i + 1}"] == theirs[f"TTYPE{i + 1}"] for i in range(fields))
    ok(f"spectra {lmax} {fields}", same)


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
end()
