#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of HEALPix transforms with Armilla and with healpy, taking turns; map2alm without
iteration."""
import warnings

import times

parser = times.parser(__doc__)
parser.add_argument("armilla", help="the program")
parser.add_argument("nside", type=int)
parser.add_argument("lmax", type=int, nargs="?", help="default: 2 nside")
args = parser.parse_args()
times.start(args)
healpy = times.need("healpy")
np = times.need("numpy")
warnings.simplefilter("ignore")

lmax = args.lmax or 2 * args.nside
alm = times.random_alm(np, lmax)[0]
pixels = healpy.alm2map(alm, args.nside, lmax=lmax)
peers = {
    "alm2map": lambda: healpy.alm2map(alm, args.nside, lmax=lmax),
    "map2alm": lambda: healpy.map2alm(pixels, lmax=lmax, iter=0),
}
for name in times.directions(args):
    ours = times.bench(args.armilla, name, "--nside", args.nside, "--lmax", lmax,
                       threads=args.threads)
    pairs = times.alternate(ours, [peers[name]], args.repeats)[0]
    times.report(args, f"{name}, nside {args.nside}, lmax {lmax}, {args.threads} thread(s)", pairs,
                 name=name, grid="healpix", size=args.nside, lmax=lmax, batch=1, peer="healpy",
                 version=healpy.__version__)
