#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the time of a transform grows with lmax (HEALPix, lmax = 2 nside): the exponent of a power law
fitted to the medians, and how far each size lies from the fit and from its neighbour.

    growth.py [--from LMAX] [--to LMAX] [--threads N] [--gpus N] [--repeats N] ARMILLA
"""
import argparse
import json
import math
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--from", dest="first", type=int, default=1024)
parser.add_argument("--to", dest="last", type=int, default=8192)
parser.add_argument("--threads", type=int, default=-1)
parser.add_argument("--gpus", type=int, default=-1)
parser.add_argument("--repeats", type=int, default=5)
parser.add_argument("--direction", choices=["alm2map", "map2alm", "both"], default="both")
parser.add_argument("--json", metavar="FILE", help="append a line of JSON for each direction")
parser.add_argument("armilla", help="the program")
args = parser.parse_args()
sizes = []
lmax = args.first
while lmax <= args.last:
    sizes.append(lmax)
    lmax *= 2
if len(sizes) < 2:
    sys.exit(f"{sys.argv[0]}: --to must be at least twice --from")


def seconds(name, lmax):
    words = [args.armilla, "bench", name, "--nside", lmax // 2, "--lmax", lmax, "--json",
             "--repeats", args.repeats]
    if args.threads >= 0:
        words += ["--threads", args.threads]
    if args.gpus >= 0:
        words += ["--gpus", args.gpus]
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{sys.argv[0]}: {args.armilla} ended; it says why above")
    return json.loads(done.stdout)["results"][0]["seconds"]


for name in ["alm2map", "map2alm"] if args.direction == "both" else [args.direction]:
    times = [seconds(name, lmax) for lmax in sizes]
    x, y = [math.log(lmax) for lmax in sizes], [math.log(t) for t in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
             / sum((a - mean_x) ** 2 for a in x))
    print(f"{name}: time grows as lmax^{slope:.2f}")
    for i, lmax in enumerate(sizes):
        fit = math.exp(mean_y + slope * (x[i] - mean_x))
        step = f", {math.log2(times[i] / times[i - 1]):.2f} from {lmax // 2} on" if i else ""
        print(f"  lmax {lmax}: {times[i]:.4f} s, {times[i] / fit:.2f} of the fit{step}", flush=True)
    if args.json:
        with open(args.json, "a") as file:
            file.write(json.dumps(dict(name=name, exponent=round(slope, 3), lmax=sizes,
                                       seconds=times)) + "\n")
