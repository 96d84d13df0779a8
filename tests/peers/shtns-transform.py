#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of transforms on the Gauss-Legendre grid of lmax + 1 rings of 2 lmax + 2 pixels with Armilla
and with SHTns, taking turns.

SHTns tunes itself first (sht_gauss). It may keep its maps with the rings contiguous or with the
meridians contiguous; the faster of both is the peer here, in each direction.
"""
import times

parser = times.parser(__doc__)
parser.add_argument("armilla", help="the program")
parser.add_argument("lmax", type=int)
args = parser.parse_args()
times.start(args)
shtns = times.need("shtns")
np = times.need("numpy")


class Peer:
    def __init__(self, layout):
        self.sht = shtns.sht(args.lmax, norm=shtns.sht_orthonormal, nthreads=args.threads)
        self.sht.set_grid(args.lmax + 1, 2 * args.lmax + 2,
                          flags=shtns.sht_gauss | layout | shtns.SHT_SCALAR_ONLY)
        self.alm = self.sht.spec_array()
        self.alm[:] = times.random_alm(np, args.lmax)[0]
        self.back = self.sht.spec_array()
        self.map = self.sht.spat_array()
        self.given = self.sht.spat_array()
        self.sht.SH_to_spat(self.alm, self.given)

    def alm2map(self):
        self.sht.SH_to_spat(self.alm, self.map)

    def map2alm(self):
        # the analysis overwrites its input; what it leaves there is as good to time
        self.sht.spat_to_SH(self.given, self.back)


layouts = [Peer(shtns.SHT_PHI_CONTIGUOUS), Peer(shtns.SHT_THETA_CONTIGUOUS)]
for name in times.directions(args):
    calls = [getattr(peer, name) for peer in layouts]
    for call in calls:
        call()
    fastest = min(calls, key=lambda call: min(times.timed(call) for _ in range(3)))
    ours = times.bench(args.armilla, name, "--grid", "gauss", "--lmax", args.lmax,
                       threads=args.threads)
    pairs = times.alternate(ours, [fastest], args.repeats)[0]
    times.report(args, f"{name}, Gauss-Legendre, lmax {args.lmax}, {args.threads} thread(s)", pairs,
                 name=name, grid="gauss", size=args.lmax, lmax=args.lmax, batch=1, peer="SHTns",
                 version=shtns.__version__)
