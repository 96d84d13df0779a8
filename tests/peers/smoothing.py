#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Smoothing of a map, from file to file, by armilla run and by healpy (read_map, smoothing with
three iterations, write_map), whole processes except for the imports of healpy, alternately.

    smoothing.py [--threads N] [--repeats N] [--json FILE] ARMILLA [NSIDE]
"""
import os
import subprocess
import sys
import tempfile
import warnings

import times

WORKFLOW = """[sky]
stage = read-map
file = sky.fits
[smooth]
stage = smoothing
map = sky
fwhm = 1 deg
lmax = {lmax}
[out]
stage = write-map
map = smooth
file = smooth.fits
dtype = float64
"""

parser = times.parser(__doc__.split("\n\n")[0])
parser.add_argument("armilla", help="the program")
parser.add_argument("nside", type=int, nargs="?", default=1024)
args = parser.parse_args()
times.start(args)
healpy, numpy = times.need("healpy"), times.need("numpy")
warnings.simplefilter("ignore")
armilla, lmax = os.path.abspath(args.armilla), 2 * args.nside


def ours():
    run = subprocess.run([armilla, "run", "--quiet", "--overwrite", "smooth.workflow"])
    if run.returncode != 0:
        sys.exit(f"{sys.argv[0]}: {armilla} ended; it says why above")


def script():
    sky = healpy.read_map("sky.fits", dtype=numpy.float64)
    smooth = healpy.smoothing(sky, fwhm=numpy.radians(1), lmax=lmax, iter=3)
    healpy.write_map("script.fits", smooth, dtype=numpy.float64, overwrite=True)


with tempfile.TemporaryDirectory(prefix="armilla-smoothing-") as folder:
    os.chdir(folder)
    with open("smooth.workflow", "w") as file:
        file.write(WORKFLOW.format(lmax=lmax))
    sky = healpy.alm2map(times.random_alm(numpy, lmax)[0], args.nside, lmax=lmax)
    healpy.write_map("sky.fits", sky, dtype=numpy.float64)
    ours(), script()
    both = [healpy.read_map(name, dtype=float) for name in ("smooth.fits", "script.fits")]
    difference = both[0] - both[1]
    pairs = [(times.timed(ours), times.timed(script)) for _ in range(args.repeats)]
    os.chdir("/")
print(f"largest difference of the two maps: {abs(difference).max() / abs(sky).max():.1e} of the sky")
times.report(args, f"smoothing, nside {args.nside}, lmax {lmax}, {args.threads} thread(s)", pairs,
             name="smoothing, file to file", grid="healpix", size=args.nside, lmax=lmax, batch=1,
             peer="healpy", version=healpy.__version__)
