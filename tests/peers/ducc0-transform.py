#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of transforms with Armilla and with ducc0, taking turns; map2alm without iteration."""
import times

parser = times.parser(__doc__)
parser.add_argument("--grid", choices=["healpix", "gauss"], default="healpix")
parser.add_argument("--batch", type=int, default=1)
parser.add_argument("--spin", default="0", help="0, 2 or any other: two fields; 0,2: T and those")
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

spins = [int(word) for word in args.spin.split(",")]
if spins != [0]:
    case += f", spin {args.spin}"
    words += ["--spin", args.spin]
transforms = []
for spin in spins:
    parts = 2 if spin else 1
    alm = times.random_alm(np, lmax, parts * args.batch).reshape(args.batch, parts, -1)
    for part in range(parts if spin else 0):
        for m in range(spin):
            first = m * (2 * lmax + 1 - m) // 2
            alm[:, part, first + m:first + spin] = 0
    common = dict(lmax=lmax, spin=spin, nthreads=args.threads, **rings)
    pixels = ducc0.sht.experimental.synthesis(alm=alm, **common)
    transforms.append((alm, pixels, np.empty_like(pixels), np.empty_like(alm), common))


def synthesis():
    for alm, _, out, _, common in transforms:
        ducc0.sht.experimental.synthesis(alm=alm, map=out, **common)


def analysis():
    for _, pixels, _, back, common in transforms:
        ducc0.sht.experimental.adjoint_synthesis(map=pixels, alm=back, **common, **weights)


peers = {"alm2map": synthesis, "map2alm": analysis}
for name in times.directions(args):
    ours = times.bench(args.armilla, name, *words, "--batch", args.batch, threads=args.threads)
    pairs = times.alternate(ours, [peers[name]], args.repeats)[0]
    times.report(args, f"{name}, {case}, {args.threads} thread(s)", pairs, name=name,
                 grid=args.grid, size=args.size, lmax=lmax, batch=args.batch, spin=args.spin, peer="ducc0",
                 version=ducc0.__version__)
