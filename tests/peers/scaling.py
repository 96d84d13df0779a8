#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much faster a transform is on two cores than on one: both take turns."""
import os

import times

parser = times.parser(__doc__)
parser.add_argument("armilla", help="the program")
parser.add_argument("nside", type=int)
args = parser.parse_args()
args.threads = 2
times.start(args)
cores = sorted(os.sched_getaffinity(0))

for name in times.directions(args):
    words = [name, "--nside", args.nside]
    two = times.bench(args.armilla, *words, threads=2)
    if not args.no_pin:
        os.sched_setaffinity(0, cores[:1])
    one = times.bench(args.armilla, *words, threads=1)
    os.sched_setaffinity(0, cores)
    pairs = []
    two.call()
    one.call()
    for _ in range(args.repeats):
        pairs.append((two.call()[0], one.call()[0]))
    two.close()
    one.close()
    times.report(args, f"{name}, nside {args.nside}, lmax {2 * args.nside}, two cores against one",
                 pairs, name=name, grid="healpix", size=args.nside, lmax=2 * args.nside, batch=1,
                 peer="armilla on one core", version="")
