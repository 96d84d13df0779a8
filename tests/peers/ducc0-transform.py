#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time a transform with Armilla and with ducc0 alternately, in one run on one core (or more).

    ducc0-transform.py [--threads N] [--repeats N] BENCH NSIDE LMAX

BENCH is the build's tests/bench-transform. Needs numpy and ducc0. Prints the median of each and
their ratio, for alm2map and for map2alm without iteration.
"""
import argparse
import os
import statistics
import subprocess
import time

import ducc0
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--repeats", type=int, default=7)
parser.add_argument("bench")
parser.add_argument("nside", type=int)
parser.add_argument("lmax", type=int)
args = parser.parse_args()

geometry = ducc0.healpix.Healpix_Base(args.nside, "RING").sht_info()
rng = np.random.default_rng(1)
count = (args.lmax + 1) * (args.lmax + 2) // 2
alm = (rng.normal(size=count) + 1j * rng.normal(size=count)).reshape(1, -1)
alm[0, : args.lmax + 1].imag = 0
common = dict(lmax=args.lmax, spin=0, nthreads=args.threads, **geometry)
pixels = ducc0.sht.experimental.synthesis(alm=alm, **common)
out = np.empty_like(pixels)
back = np.empty_like(alm)
peers = {
    "alm2map": lambda: ducc0.sht.experimental.synthesis(alm=alm, map=out, **common),
    "map2alm": lambda: ducc0.sht.experimental.adjoint_synthesis(map=pixels, alm=back, **common),
}
print(f"ducc0 {ducc0.__version__}, nside {args.nside}, lmax {args.lmax}, {args.threads} thread(s)")
for name, peer in peers.items():
    environment = dict(os.environ, STARPU_NCPU=str(args.threads), STARPU_NCUDA="0", BENCH_STEP="1")
    ours = subprocess.Popen(
        [args.bench, name, str(args.nside), str(args.lmax), str(args.repeats)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    own_times, peer_times = [], []
    peer()
    for _ in range(args.repeats):
        ours.stdin.write("\n")
        ours.stdin.flush()
        own_times.append(float(ours.stdout.readline()))
        start = time.perf_counter()
        peer()
        peer_times.append(time.perf_counter() - start)
    ours.stdin.close()
    ours.wait()
    own, other = statistics.median(own_times), statistics.median(peer_times)
    print(f"{name}: armilla {own:.4f} s, ducc0 {other:.4f} s, ratio {other / own:.2f}"
          f" (best {min(own_times):.4f}, {min(peer_times):.4f})")
