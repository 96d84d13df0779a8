#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of transforms by the Python package armilla and by ducc0, called from one process in turns,
with arrays that are there already. The Python that runs this needs both. The cores of Armilla are
those of STARPU_NCPU."""
import argparse
import statistics
import time

import armilla
import ducc0
import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("threads", type=int, help="of ducc0")
parser.add_argument("nside", type=int, nargs="+")
args = parser.parse_args()


def seconds(functions, rounds):
    """The median of each."""
    times = [[] for _ in functions]
    for _ in range(rounds + 1):
        for function, list_of in zip(functions, times):
            start = time.perf_counter()
            function()
            list_of.append(time.perf_counter() - start)
    return [statistics.median(list_of[1:]) for list_of in times]


for nside in args.nside:
    lmax = 2 * nside
    geometry = ducc0.healpix.Healpix_Base(nside, "RING").sht_info()
    alm = armilla.random_alm(np.ones(lmax + 1), seed=1)
    ours, theirs = np.zeros(12 * nside**2), np.zeros((1, 12 * nside**2))
    back, their_back = np.zeros_like(alm), np.zeros((1, alm.size), complex)
    common = {"lmax": lmax, "spin": 0, "nthreads": args.threads, **geometry}
    rounds = max(3, min(60, 4000000 // nside**2))
    cases = {
        "alm2map": [lambda: armilla.alm2map(alm, nside, out=ours),
                    lambda: ducc0.sht.synthesis(alm=alm[None], map=theirs, **common)],
        "adjoint_alm2map": [lambda: armilla.adjoint_alm2map(ours, lmax, out=back),
                            lambda: ducc0.sht.adjoint_synthesis(map=theirs, alm=their_back,
                                                                **common)],
    }
    for name, functions in cases.items():
        a, b = seconds(functions, rounds)
        print(f"{name}, nside {nside}: {a:.6f} s, ducc0 {b:.6f} s, ratio {b / a:.2f}", flush=True)
    error = np.abs(ours - theirs[0]).max() / np.abs(ours).max()
    print(f"largest difference of the maps, nside {nside}: {error:.1e} of the largest pixel")
