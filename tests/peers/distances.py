#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs by distance in a box, with Armilla and Corrfunc alternately: counts bin by bin, and seconds.

  distances.py [--galaxies 1200000 | --file gals_Mr19.ff] [--open] [--threads 1] [--repeats 2]

DD, DDrppi (40 bins of pi up to 40) and DDsmu (10 bins of mu up to 0.5) in 14 bins from 0.1675 to 23.8755, at the
density of a box of 420 with 1.2 million galaxies; --file reads the galaxies of Corrfunc's source distribution.
Times are those of whole calls, the best of all repeats. Exit status: 0 when all bins are equal, 1 when some differ.
"""
import argparse
import os
import sys
import time

import numpy as np

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--galaxies", type=int, default=1200000)
parser.add_argument("--file", help="galaxies in a box of 420, in Corrfunc's format")
parser.add_argument("--open", action="store_true", help="no periods")
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--repeats", type=int, default=2)
options = parser.parse_args()
os.environ["STARPU_NCPU"] = str(options.threads)

import armilla  # noqa: E402 (starts with as many workers)
from Corrfunc import theory  # noqa: E402
from Corrfunc.io import read_fastfood_catalog  # noqa: E402

side = 420.0
if options.file:
    x, y, z = (np.asarray(column, float) for column in read_fastfood_catalog(options.file))
else:
    side *= (options.galaxies / 1.2e6) ** (1 / 3)
    x, y, z = np.random.default_rng(1).uniform(0, side, (3, options.galaxies))
edges = np.geomspace(0.1675, 23.8755, 15)
box = {"boxsize": side, "periodic": not options.open}
keys = {"edges": ", ".join(repr(float(edge)) for edge in edges), "box": "" if options.open else repr(side)}
galaxies = armilla.Catalogue({"x": x, "y": y, "z": z}, coordinates="box")
kinds = {
    "DD": (lambda: theory.DD(1, options.threads, edges, x, y, z, **box), {"separation": "s"}),
    "DDrppi": (lambda: theory.DDrppi(1, options.threads, 40.0, edges, x, y, z, **box),
               {"separation": "rp-pi", "pi_max": 40, "pi_bins": 40, "line_of_sight": "z"}),
    "DDsmu": (lambda: theory.DDsmu(1, options.threads, edges, 0.5, 10, x, y, z, **box),
              {"separation": "s-mu", "mu_max": 0.5, "mu_bins": 10, "line_of_sight": "z"}),
}
differ = 0
for name, (peer, own) in kinds.items():
    seconds = {"Corrfunc": [], "Armilla": []}
    for _ in range(options.repeats):
        start = time.perf_counter()
        expected = peer()["npairs"].astype(np.int64)
        seconds["Corrfunc"].append(time.perf_counter() - start)
        start = time.perf_counter()
        counts = armilla.stages.distance_correlation(galaxies, **own, **keys)["DD"]
        seconds["Armilla"].append(time.perf_counter() - start)
    wrong = int((expected != 2 * counts).sum())
    differ += wrong
    best = {who: min(times) for who, times in seconds.items()}
    print(f"{name}: {counts.sum()} pairs, {wrong} of {counts.size} bins differ; Corrfunc {best['Corrfunc']:.2f} s, "
          f"Armilla {best['Armilla']:.2f} s, ratio {best['Corrfunc'] / best['Armilla']:.2f}", flush=True)
sys.exit(differ > 0)
