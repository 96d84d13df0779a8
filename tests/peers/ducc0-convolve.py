#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of convolutions with a Gaussian: Armilla's method = ring, and map2alm + scaling + alm2map with
ducc0, taking turns."""
import math

import times

parser = times.parser(__doc__)
parser.add_argument("armilla", help="the program")
parser.add_argument("nside", type=int, nargs="?", default=2048)
parser.add_argument("fwhm", type=float, nargs="?", default=4.7, help="arcmin")
parser.add_argument("lmax", type=int, nargs="?", help="of ducc0's a_lm; default 2 nside")
parser.add_argument("--method", choices=["ring", "harmonic"], default="ring")
args = parser.parse_args()
times.start(args)
ducc0 = times.need("ducc0")
np = times.need("numpy")

lmax = args.lmax or 2 * args.nside
sigma = math.radians(args.fwhm / 60) / math.sqrt(8 * math.log(2))
degrees = np.arange(lmax + 1)
window = np.exp(-0.5 * degrees * (degrees + 1) * sigma**2) * math.pi / (3 * args.nside**2)
scale = np.concatenate([window[m:] for m in range(lmax + 1)])
common = dict(lmax=lmax, spin=0, nthreads=args.threads,
              **ducc0.healpix.Healpix_Base(args.nside, "RING").sht_info())
pixels = np.random.default_rng(1).normal(size=(1, 12 * args.nside**2))
alm = np.empty((1, scale.size), dtype=np.complex128)
out = np.empty_like(pixels)


def convolve():
    ducc0.sht.experimental.adjoint_synthesis(map=pixels, alm=alm, **common)
    np.multiply(alm, scale, out=alm)
    ducc0.sht.experimental.synthesis(alm=alm, map=out, **common)


ours = times.bench(args.armilla, "convolve", "--nside", args.nside, "--fwhm", args.fwhm, "--method",
                   args.method, "--resident", threads=args.threads)
pairs = times.alternate(ours, [convolve], args.repeats)[0]
times.report(args, f"convolve, {args.method}, nside {args.nside}, FWHM {args.fwhm:g} arcmin, "
             f"{args.threads} thread(s)", pairs, name="convolve", method=args.method,
             grid="healpix", size=args.nside, batch=1, fwhm=args.fwhm, lmax=lmax, peer="ducc0",
             version=ducc0.__version__)
