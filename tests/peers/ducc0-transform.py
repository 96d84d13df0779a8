#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of transforms with Armilla and with ducc0, taking turns; map2alm without iteration."""
import times

parser = times.parser(__doc__)
parser.add_argument("--grid", choices=["healpix", "gauss"], default="healpix")
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("armilla", help="the program")
parser.add_argument("size", type=int, help="nside; for gauss lmax")
parser.add_argument("lmax", type=int, nargs="?", help="default for healpix: 2 nside")
args = parser.parse_args()
times.start(args)
ducc0 = times.need("ducc0")
np = times.need("numpy")

if args.grid == "healpix":
    lmax = args.lmax or 2 * args.size
    words = ["--nside", args.size, "--lmax", lmax]
    case = f"nside {args.size}, lmax {lmax}"
    rings = ducc0.healpix.Healpix_Base(args.size, "RING").sht_info()
    weights = {}
else:
    lmax = args.size
    n_theta, n_phi = lmax + 1, 2 * lmax + 2
    words = ["--grid", "gauss", "--lmax", lmax]
    case = f"Gauss-Legendre, lmax {lmax}"
    rings = dict(theta=ducc0.misc.GL_thetas(n_theta),
                 nphi=np.full(n_theta, n_phi, dtype=np.uint64), phi0=np.zeros(n_theta),
                 ringstart=np.arange(n_theta, dtype=np.uint64) * n_phi)
    weights = dict(ringfactor=ducc0.misc.GL_weights(n_theta, n_phi))
if args.batch > 1:
    case += f", {args.batch} maps"

alm = times.random_alm(np, lmax, args.batch).reshape(args.batch, 1, -1)
common = dict(lmax=lmax, spin=0, nthreads=args.threads, **rings)
pixels = ducc0.sht.experimental.synthesis(alm=alm, **common)
out, back = np.empty_like(pixels), np.empty_like(alm)
peers = {
    "alm2map": lambda: ducc0.sht.experimental.synthesis(alm=alm, map=out, **common),
    "map2alm": lambda: ducc0.sht.experimental.adjoint_synthesis(map=pixels, alm=back, **common,
                                                                **weights),
}
for name in times.directions(args):
    ours = times.bench(args.armilla, name, *words, "--batch", args.batch, threads=args.threads)
    pairs = times.alternate(ours, [peers[name]], args.repeats)[0]
    times.report(args, f"{name}, {case}, {args.threads} thread(s)", pairs, name=name,
                 grid=args.grid, size=args.size, lmax=lmax, batch=args.batch, peer="ducc0",
                 version=ducc0.__version__)
