#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many skies, from the spectrum that they are drawn from to a file with the spectrum of each: draw,
alm2map, map2alm without iterations, alm2cl, write. By armilla run, and by a script of NumPy and
ducc0 on the same cores, alternately.

    monte-carlo.py [--threads N] [--repeats N] [--json FILE] ARMILLA [SKIES NSIDE]...

Of Armilla the seconds count that the program prints, which are those of the run; the whole process
is told beside them. The script's seconds are those of its loop, without imports, with np.save.
"""
import os
import re
import subprocess
import sys
import tempfile

import times

parser = times.parser(__doc__.split("\n\n")[0])
parser.add_argument("armilla", help="the program")
parser.add_argument("cases", type=int, nargs="*", default=[32, 512, 128, 256, 256, 64])
args = parser.parse_args()
times.start(args)
numpy, ducc0 = times.need("numpy"), times.need("ducc0")
args.armilla = os.path.abspath(args.armilla)


def spectrum_of(alm, lmax):
    """C_l of a_lm in healpy's order."""
    power = alm.real**2 + alm.imag**2
    cl, at = numpy.zeros(lmax + 1), 0
    for m in range(lmax + 1):
        cl[m:] += (1 if m == 0 else 2) * power[at:at + lmax + 1 - m]
        at += lmax + 1 - m
    return cl / (2 * numpy.arange(lmax + 1) + 1)


def script(skies, nside, lmax, theory):
    """What a user of NumPy and ducc0 writes."""
    rng = numpy.random.default_rng(1)
    geometry = ducc0.healpix.Healpix_Base(nside, "RING").sht_info()
    common = dict(lmax=lmax, spin=0, nthreads=args.threads, **geometry)
    scale = numpy.concatenate([numpy.sqrt(theory[m:] / (1 if m == 0 else 2))
                               for m in range(lmax + 1)])
    for sky in range(skies):
        normal = rng.standard_normal(2 * scale.size).view(complex)
        alm = normal * scale
        alm[:lmax + 1].imag = 0
        map = ducc0.sht.synthesis(alm=alm[None], **common)
        back = ducc0.sht.adjoint_synthesis(map=map, **common)[0] * (4 * numpy.pi / map.size)
        numpy.save(f"script-{sky}.npy", spectrum_of(back, lmax))


def ours():
    """Seconds of the run, as printed."""
    run = subprocess.run([args.armilla, "run", "--overwrite", "mc.workflow"], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = re.search(r"^done in ([0-9.]+) s", run.stdout, re.M)
    if run.returncode != 0 or not found:
        sys.exit(f"{sys.argv[0]}: {args.armilla} says\n{run.stdout}")
    return float(found.group(1))


for skies, nside in zip(args.cases[::2], args.cases[1::2]):
    lmax = 2 * nside
    theory = 1 / (1 + numpy.arange(lmax + 1.0))**2
    with tempfile.TemporaryDirectory(prefix="armilla-monte-carlo-") as folder:
        os.chdir(folder)
        times.write_realisations("mc.workflow", skies, nside, 0)
        ours(), script(2, nside, lmax, theory)
        pairs, whole = [], []
        for _ in range(args.repeats):
            whole.append(times.timed(lambda: pairs.append([ours()])))
            pairs[-1].append(times.timed(lambda: script(skies, nside, lmax, theory)))
        os.chdir("/")
    print(f"whole processes of Armilla: {min(whole):.3f} to {max(whole):.3f} s")
    times.report(args, f"{skies} skies, nside {nside}", pairs, name="skies to spectra",
                 grid="healpix", size=nside, lmax=lmax, batch=skies, peer="NumPy and ducc0",
                 version=ducc0.__version__)
