#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether bandpowers of simulated masked skies have the mean that they should have, and scatter as
# covariance says: from the top of the build tree, masked-skies.sh [SKIES [NSIDE [SEED]]]. Needs a Python
# with healpy. First spectra of T, E and B as they are, B a third of E; then with B purified, B a
# fiftieth of E, beside unpurified B. Prints chi squared of the means of all bandpowers of a
# spectrum, less what the windows make of the theory, by the covariance that was simulated; and the
# scatter over that of covariance, which has the mean masked spectra, over the mean square of the
# mask, for its spectra. TAP: a chi squared that has a probability below 1e-4 is not ok, nor is
# scatter that is 10 % off on average over the bins; that of EB and TB is only told, as E that leaks
# into B, which is much fainter, scatters less than such spectra say.
set -eu
armilla=$(pwd)/armilla
skies=${1:-500}
nside=${2:-64}
seed=${3:-19}
python=${PYTHON:-/usr/bin/python3}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
square=$("$python" - "$nside" << 'END'
import sys
import healpy
import numpy as np
nside = int(sys.argv[1])
theta, phi = healpy.pix2ang(nside, np.arange(12 * nside**2))
# A cap of a third of the sky, with a hole, and slopes of some 20 degrees.
x = np.clip((80 - np.degrees(theta)) / 20, 0, 1)
hole = np.degrees(np.arccos(np.clip(np.sin(theta) * np.cos(phi) * np.sin(0.6)
                                    + np.cos(theta) * np.cos(0.6), -1, 1)))
x *= np.clip((hole - 4) / 15, 0, 1)
mask = x - np.sin(2 * np.pi * x) / (2 * np.pi)
healpy.write_map("mask.fits", mask, dtype=np.float64)
print(np.mean(mask**2))
END
)
awk -v n="$nside" 'BEGIN { for (l = 0; l <= 2 * n; l++) { c = 1 / (l + 20) ^ 2; print l, c, c / 3, c / 9, c / 4 } }' > even.dat
awk -v n="$nside" 'BEGIN { for (l = 0; l <= 2 * n; l++) { c = 1 / (l + 20) ^ 2; print l, c, c / 3, c / 150, c / 4 } }' > faint.dat

# skies THEORY: the head of a workflow
skies ()
{
  cat << END
[workflow]
repeat = $skies
[theory]
stage = read-cl
file = $1.dat
[draw]
stage = random-alm
cl = theory
seed = $seed
lmax = 2*$nside
[sky]
stage = alm2map
alm = draw
nside = $nside
[mask]
stage = read-map
file = mask.fits
[masked]
stage = mask
map = sky
mask = mask
[alm]
stage = map2alm
map = masked
lmax = 2*$nside
[pure]
stage = purify
map = sky
mask = mask
lmax = 2*$nside
END
}

# powers NAME ALM PURE: bandpowers, their means, and their covariance, simulated and computed
powers ()
{
  if [ "$3" = none ]; then pure=false; else pure=true; fi
  cat << END
[cl-$1]
stage = alm2cl
alm = $2
[coupling-$1]
stage = coupling
mask = mask
lmax = 2*$nside
pure = $pure
[powers-$1]
stage = decouple
cl = cl-$1
coupling = coupling-$1
delta-l = 10
pure = $3
[mean-$1]
stage = collect
input = powers-$1.table
error-of = mean
[means-$1]
stage = write-table
table = mean-$1.table
file = $1-mean.fits
[scatter-$1]
stage = write-table
table = mean-$1.covariance
file = $1-scatter.fits
[pseudo-$1]
stage = collect
input = cl-$1
[known-$1]
stage = expression
cl = pseudo-$1.mean
expression = TT/$square, EE/$square, BB/$square, TE/$square, EB/$square, TB/$square
[covariance-$1]
stage = covariance
mask = mask
cl = known-$1
spectra = TT, EE, BB, TE, EB, TB
coupling = coupling-$1
delta-l = 10
pure = $3
[computed-$1]
stage = write-matrix
matrix = covariance-$1
file = $1-computed.fits
END
}

# windows NAME: of the bandpowers, in a run of one sky; begins with the nodes of skies and powers
windows ()
{
  sed -e '/^repeat/d' -e "/^\[mean-$1\]/,\$d" "$1.workflow" > windows.workflow
  cat >> windows.workflow << END
[windows]
stage = write-matrix
matrix = powers-$1.windows
file = $1-windows.fits
END
  "$armilla" run --quiet windows.workflow
}

# run NAME ALM PURE THEORY
run ()
{
  { skies "$4"; powers "$1" "$2" "$3"; } > "$1.workflow"
  "$armilla" run --quiet "$1.workflow"
  windows "$1"
}

run even alm none even
run faint alm none faint
run pure pure b faint
"$python" - "$skies" even faint pure << 'END'
import sys
import numpy as np
from astropy.io import fits

skies, runs = int(sys.argv[1]), sys.argv[2:]
count = failed = 0


def ok(what, good):
    global count, failed
    count += 1
    failed += not good
    print("ok" if good else "not ok", count, "-", what)


def matrices(name):
    with fits.open(name) as file:
        header, data = file[1].header, file[1].data
        return {header["FIELD%d" % (i + 1)].strip(): d for i, d in enumerate(data)}


def simulated(table, one, two, n):
    name = one if one == two else one + "_" + two
    return np.array(table[name]).reshape(n, n)


sizes = {}
for run in runs:
    theory = np.loadtxt(("even" if run == "even" else "faint") + ".dat", unpack=True)
    cl = dict(zip(["TT", "EE", "BB", "TE"], theory[1:]))
    means = fits.getdata(run + "-mean.fits")
    table = fits.getdata(run + "-scatter.fits")
    windows, computed = matrices(run + "-windows.fits"), matrices(run + "-computed.fits")
    n = len(means)
    for name in ["TT", "EE", "BB", "TE", "EB", "TB"]:
        expected = sum(windows[w] @ cl.get(w[-2:], 0 * theory[1]) for w in windows
                       if w.startswith(name))
        c = simulated(table, name, name, n)
        d = means[name] - expected
        chi2 = skies * (skies - n - 2) / (skies - 1) * d @ np.linalg.solve(c, d)
        z = ((chi2 / n)**(1 / 3) - 1 + 2 / (9 * n)) / np.sqrt(2 / (9 * n))
        ok("%s %s: mean, chi squared %.1f of %d" % (run, name, chi2, n), z < 3.72)
        sizes[run, name] = np.sqrt(np.diag(c))
        ratio = sizes[run, name] / np.sqrt(np.diag(computed[name + " " + name]))
        text = "%s %s: scatter over covariance %.3f, of bins %.3f to %.3f" % (
            run, name, np.mean(ratio), np.min(ratio), np.max(ratio))
        if name in ("EB", "TB"):
            print("#", text)
        else:
            ok(text, abs(np.mean(ratio) - 1) < 0.1)
        print("#", " ".join("%.2f" % r for r in ratio))
print("# scatter of BB, not purified over purified:",
      " ".join("%.1f" % r for r in sizes["faint", "BB"] / sizes["pure", "BB"]))
print("1..%d" % count)
sys.exit(failed > 0)
END
