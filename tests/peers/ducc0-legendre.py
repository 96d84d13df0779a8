#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of the Legendre part alone (a_lm to Delta_m(theta) of all HEALPix rings, and back) with
Armilla's kernels and with ducc0, taking turns, on one thread."""
import os

import times

parser = times.parser(__doc__)
parser.add_argument("bench", help="the build's tests/legendre/bench-delta")
parser.add_argument("nside", type=int)
parser.add_argument("lmax", type=int, nargs="?", help="default: 2 nside")
args = parser.parse_args()
args.threads = 1
times.start(args)
ducc0 = times.need("ducc0")
np = times.need("numpy")

lmax = args.lmax or 2 * args.nside
theta = ducc0.healpix.Healpix_Base(args.nside, "RING").sht_info()["theta"]
alm = times.random_alm(np, lmax)
common = dict(lmax=lmax, spin=0, nthreads=1, theta=theta)
leg = ducc0.sht.experimental.alm2leg(alm=alm, **common)
back = np.empty_like(alm)
peers = [lambda: ducc0.sht.experimental.alm2leg(alm=alm, leg=leg, **common),
         lambda: ducc0.sht.experimental.leg2alm(leg=leg, alm=back, **common)]
os.environ["BENCH_STEP"] = "1"
ours = times.Armilla(args.bench, args.nside, lmax, 1, 1000000, columns=2)
both = times.alternate(ours, peers, args.repeats)
for name, pairs in zip(["alm2map", "map2alm"], both):
    if args.direction in (name, "both"):
        times.report(args, f"recurrence of {name}, nside {args.nside}, lmax {lmax}", pairs,
                     name=f"recurrence of {name}", grid="healpix", size=args.nside, lmax=lmax,
                     batch=1, peer="ducc0", version=ducc0.__version__)
