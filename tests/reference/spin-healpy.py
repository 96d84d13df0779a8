# SPDX-License-Identifier: GPL-3.0-or-later
"""Transforms of T, E, B and of pairs of spin s against healpy's. TAP.

Usage: spin-healpy.py PATH-OF-ARMILLA
"""

import os
import subprocess
import sys
import tempfile
import warnings

import healpy
import numpy as np

warnings.simplefilter("ignore")
armilla = sys.argv[1]
folder = tempfile.mkdtemp(prefix="armilla-healpy-")
random = np.random.default_rng(20261121)
count = 0


def check(what, found, expected, bound):
    """Relative RMS of all fields together and of each."""
    global count
    count += 1
    worst = max(np.linalg.norm(x - y) / np.linalg.norm(y) for x, y in zip(found, expected))
    ok = len(found) == len(expected) and worst <= bound
    print("ok" if ok else "not ok", count, "-", what, f"# {worst:.1e}")
    sys.stdout.flush()


def run(name, text):
    path = os.path.join(folder, name + ".workflow")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([armilla, "run", "--quiet", "--overwrite", path], check=True, cwd=folder)


def white_alm(lmax, fields, lowest):
    """White a_lm; fields of a spin have none below it."""
    n = healpy.Alm.getsize(lmax)
    degree, order = healpy.Alm.getlm(lmax)
    alm = random.standard_normal((fields, n)) + 1j * random.standard_normal((fields, n))
    alm[:, order == 0] = alm[:, order == 0].real
    for field in range(fields):
        alm[field, degree < lowest[field]] = 0
    return alm


def path(name):
    return os.path.join(folder, name)


def synthesis(alm, nside, spins, extra=""):
    healpy.write_alm(path("in.fits"), alm, overwrite=True)
    run("synthesis", f"""{extra}
[alm]
stage = read-alm
file = in.fits
fields = all
spin = {spins}

[map]
stage = alm2map
alm = alm
nside = {nside}

[out]
stage = write-map
map = map
file = out.fits
""")
    return healpy.read_map(path("out.fits"), field=None, dtype=float)


def analysis(maps, lmax, spins, how, extra=""):
    healpy.write_map(path("in-map.fits"), maps, overwrite=True, dtype=float)
    run("analysis", f"""{extra}
[map]
stage = read-map
file = in-map.fits
fields = all
spin = {spins}

[alm]
stage = map2alm
map = map
lmax = {lmax}
{how}

[out]
stage = write-alm
alm = alm
file = out-alm.fits
""")
    return [healpy.read_alm(path("out-alm.fits"), hdu=1 + i) for i in range(len(maps))]


always = "[workflow]\ninterpolation = always\n"
# Both err by some 1e-13 at these lmax (healpy, whose polar rings are the worst, by a few 1e-12).
BOUND = 1e-11
for nside, lmax, extra in ((16, 40, ""), (64, 128, ""), (128, 300, always)):
    what = f"nside {nside} lmax {lmax}" + (" interpolated" if extra else "")
    teb = white_alm(lmax, 3, (0, 2, 2))
    iqu = healpy.alm2map(teb, nside, pol=True)
    check(f"alm2map of T, E, B, {what}", synthesis(teb, nside, "0, 2, 2", extra), iqu, BOUND)
    noise = random.standard_normal((3, 12 * nside**2))
    for iterations in (0, 3):
        check(f"map2alm of I, Q, U, {iterations} iterations, {what}",
              analysis(noise, lmax, "0, 2, 2", f"iterations = {iterations}", extra),
              healpy.map2alm(noise, lmax=lmax, iter=iterations, pol=True), BOUND)
    for spin in (1, 2, 3):
        pair = white_alm(lmax, 2, (spin, spin))
        check(f"alm2map_spin, spin {spin}, {what}", synthesis(pair, nside, spin, extra),
              healpy.alm2map_spin(list(pair), nside, spin, lmax), BOUND)
        check(f"map2alm_spin, spin {spin}, {what}",
              analysis(noise[:2], lmax, spin, "iterations = 0", extra),
              healpy.map2alm_spin(list(noise[:2]), spin, lmax=lmax), BOUND)
print(f"1..{count}")
