#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of what a script of healpy calls does, synfast, smoothing and anafast, with healpy alone and
with Armilla under it, taking turns. The Python that runs this needs both. Threads are those of
OMP_NUM_THREADS and STARPU_NCPU."""
import argparse
import statistics
import time
import warnings

import armilla.healpy
import healpy
import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("nside", type=int)
parser.add_argument("lmax", type=int, nargs="?", help="default: 2 nside")
parser.add_argument("--rounds", type=int, default=20, help="20 if not given")
args = parser.parse_args()
warnings.simplefilter("ignore")

lmax = args.lmax or 2 * args.nside
cl = 1 / (np.arange(lmax + 1.0) + 1) ** 2
names = ["synfast", "smoothing", "anafast"]


def one_round(seed):
    """The spectrum, and the seconds of each step."""
    np.random.seed(seed)
    steps = [lambda _: healpy.synfast(cl, args.nside),
             lambda map: healpy.smoothing(map, fwhm=np.radians(1), lmax=lmax),
             lambda map: healpy.anafast(map, lmax=lmax)]
    result, seconds = None, []
    for step in steps:
        start = time.perf_counter()
        result = step(result)
        seconds.append(time.perf_counter() - start)
    return result, seconds + [sum(seconds)]


alone, under = [], []
for seed in range(args.rounds + 1):
    theirs, seconds = one_round(seed)
    alone.append(seconds)
    with armilla.healpy.installed():
        ours, seconds = one_round(seed)
    under.append(seconds)
for i, name in enumerate(names + ["all three"]):
    a, b = (statistics.median(row[i] for row in rows[1:]) for rows in (alone, under))
    print(f"{name}, nside {args.nside}, lmax {lmax}: healpy {healpy.__version__} {a:.4f} s, with "
          f"Armilla {b:.4f} s, ratio {a / b:.2f}")
print(f"largest difference of the spectra: {np.abs(ours - theirs).max() / theirs.max():.1e} of the "
      "largest")
