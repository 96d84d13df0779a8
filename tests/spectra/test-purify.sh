#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Purified fields and covariances of bandpowers in workflows: the same bits on any ranks, with little memory,
# after a kill; and what is said where they cannot be. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"

awk 'BEGIN { for (l = 0; l <= 320; l++) { c = 1 / (l + 5) ^ 2; print l, c, c / 3, c / 9, c / 4 } }' > theory.dat
"${PYTHON:-/usr/bin/python3}" -c 'import healpy' 2> /dev/null || skip_all "no Python here has healpy"
"${PYTHON:-/usr/bin/python3}" - << 'END' || exit 99
import healpy, numpy as np
z = np.cos(healpy.pix2ang(64, np.arange(12 * 64 ** 2))[0])
healpy.write_map("mask.fits", np.clip((np.abs(z) - 0.3) / 0.4, 0, 1) ** 2, dtype=np.float64)
healpy.write_map("other.fits", np.clip((z + 0.3) / 0.4, 0, 1) ** 2, dtype=np.float64)
healpy.write_map("none.fits", 0 * z, dtype=np.float64)
healpy.write_map("turned.fits", 1.0 * (z > 0), dtype=np.float64, coord="C")
healpy.write_map("galactic.fits", [z, z, z], dtype=np.float64, coord="G")
healpy.write_map("small.fits", np.ones(12 * 16 ** 2), dtype=np.float64)
END
cat > pure.workflow << END
[workflow]
ring-block = 40
m-blocks = 3
$(input theory cl "$room/theory.dat")
[draw]
stage = random-alm
cl = theory
seed = 4
lmax = 150
$(synthesis sky draw 64)
$(input mask map "$room/mask.fits")
[pure]
stage = purify
map = sky
mask = mask
lmax = 150
iterations = 1
$(spectrum cl pure)
[coupling]
stage = coupling
mask = mask
pure = true
lmax = 150
iterations = 1
[powers]
stage = decouple
cl = cl
coupling = coupling
pure = b
delta-l = 25
[covariance]
stage = covariance
mask = mask
cl = theory
spectra = TT, EE, BB, TE
coupling = coupling
pure = b
delta-l = 25
$(output alm alm pure out/alm.fits)
$(output matrix matrix covariance out/matrix.fits)
$(output windows matrix powers.windows out/windows.fits)
$(output table table powers.table out/table.fits)
END
mkdir -p plain/out && cd plain || exit 99
ok "bandpowers of purified fields, and their covariance" run ../pure.workflow
described () { "$armilla" run --dry-run --overwrite ../pure.workflow | grep "$1"; }
ok "a plan describes the covariance" described '^  matrix: matrix: 5 x 5, 16 fields$'
ok "and the windows" described '^  windows: matrix: 5 x 151, 7 fields$'

# --- A mask that mixes far more E into B than there is of B leaves less than nothing of a variance.
awk 'BEGIN { for (l = 0; l <= 320; l++) { c = 1 / (l + 5) ^ 2; print l, c, c / 3, c / 3e4, 0, 0, 0 } }' > faint.dat
{
  input theory cl faint.dat
  input mask map "$room/mask.fits"
  printf '[coupling]\nstage = coupling\nmask = mask\nlmax = 64\n'
  printf '[covariance]\nstage = covariance\nmask = mask\ncl = theory\ncoupling = coupling\n'
  printf 'spectra = TT, EE, BB, TE, EB, TB\nedges = 2, 8, 16, 32, 65\n'
  output matrix matrix covariance negative.fits
} > negative.workflow
ok "a negative variance" refused negative.workflow "must not be negative"
ok "none is written" not test -e negative.fits

# --- A sky without B has none in it. The derivatives of the mask count where it is 0, too: without these pixels
# there is 40 times as much.
awk 'BEGIN { for (l = 0; l <= 191; l++) print l, 0, l < 2 ? 0 : 1 / (l + 10) ^ 2, 0, 0 }' > e.dat
{
  input theory cl e.dat
  printf '[draw]\nstage = random-alm\ncl = theory\nseed = 7\nlmax = 191\n'
  synthesis sky draw 64
  printf '[hard]\nstage = expression\nnside = 64\n'
  printf 'expression = where(abs(cos(theta)) > 0.35 && cos(3*phi) > -0.7, 1, 0)\n'
  printf '[mask]\nstage = mask\nmask = hard\napodise = 5 deg\n'
  printf '[pure]\nstage = purify\nmap = sky\nmask = mask\nlmax = 191\n'
  spectrum cl pure
  output out cl cl e.fits
} > e.workflow
no_b ()
{
  run e.workflow && "${PYTHON:-/usr/bin/python3}" - << 'END'
import healpy
ee, bb = healpy.read_cl("e.fits")[1:3]
print("BB / EE:", bb[2:32].sum() / ee[2:32].sum())
assert 0 < bb[2:32].sum() < 0.01 * ee[2:32].sum()
END
}
ok "a sky without B" no_b
rm -f e.workflow e.fits e.dat
same_everywhere ../pure.workflow
enter again && mkdir out

# --- BB alone: nothing of EE is in it.
alone ()
{
  sed '/^\[powers\]/,/^\[cov/s/^pure = b/&\nspectra = -, -, BB, -, -, -/' ../pure.workflow > alone.workflow
  rm -f out/*
  run alone.workflow && "${PYTHON:-/usr/bin/python3}" - << 'END'
from astropy.io import fits
one, other = (fits.getdata(name) for name in ("out/table.fits", "../plain/out/table.fits"))
assert one.names == ["l", "l_min", "l_max", "BB"] and (one["BB"] == other["BB"]).all()
END
}
ok "BB alone, where B is purified" alone

# --- Kept when they are done: a run that is killed in an analysis behind them goes on from there.
{
  sed 's|^ring-block.*|&\ncheckpoint = 1e-6 ms|' "$room/pure.workflow"
  analysis more sky 150
  echo 'iterations = 1'
  spectrum last more
  printf '[late]\nstage = decouple\ncl = last\ncoupling = coupling\npure = b\ndelta-l = 50\n'
  output end table late.table out/late.fits
} > "$room/once.workflow"
kept () { find out -name '*.coupling.0.part'; }
interrupted ()
{
  sed '/^\[more\]/,$s/^iterations = .*/iterations = 1000/' "$room/once.workflow" > many.workflow
  "$armilla" run --resume many.workflow > said 2>&1 &
  pid=$!
  until [ -n "$(kept)" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
  kill_all $pid
  wait $pid 2> /dev/null
  cat said; find out
  [ -n "$(kept)" ]
}
resumed ()
{
  cp "$room/once.workflow" many.workflow
  "$armilla" run --resume many.workflow > said 2>&1 || { cat said; return 1; }
  "${PYTHON:-/usr/bin/python3}" - << 'END'
from astropy.io import fits
for name in ("alm", "matrix", "windows", "table"):
    with fits.open("out/%s.fits" % name) as one, fits.open("../plain/out/%s.fits" % name) as other:
        for a, b in zip(one[1:], other[1:]):
            assert a.data.tobytes() == b.data.tobytes(), name
END
}
enter killed && mkdir out
ok "a run is killed when matrices are kept" interrupted
ok "and goes on from there, to the same bits" resumed

# --- What cannot be. refused TEXT SED-SCRIPT: the workflow changed so says that, in one message.
enter refused && mkdir out
refused ()
{
  rm -f out/*
  sed "$2" ../pure.workflow > wrong.workflow
  fails "$1" "$armilla" run --quiet wrong.workflow && one_message
}
node () { printf '[%s]\\nstage = read-map\\nfile = %s/%s.fits\\n' "$1" "$room" "$1"; }
pure='/^\[pure\]/,/^\[cl\]/'
covariance='/^\[covariance\]/,$'
ok "a mask of 0" refused "the mask is 0 everywhere" 's/mask.fits/none.fits/'
ok "a mask of 0, of purified fields alone" refused "[pure]: the mask is 0 everywhere" \
  's/mask.fits/none.fits/; /^\[coupling\]/,/^\[alm\]/{/^\[alm\]/!d}; /^\[matrix\]/,$d'
ok "a mask of another size" refused "mask is HEALPix nside 16" "${pure}s/^mask = .*/mask = small/; s|^\[pure\]|$(node small)&|"
ok "a mask in other coordinates" refused "oordinates" \
  "${pure}s/^map = .*/map = galactic/; s/mask.fits/turned.fits/; s|^\[pure\]|$(node galactic)fields = all\n&|"
ok "a map that is no pair of spin 2" refused "must be Q and U" "${pure}s/^map = .*/map = mask/"
ok "a mask of three fields" refused "mask has 3 fields" "${pure}s/^mask = .*/mask = sky/"
ok "purified fields of scalars" refused "pure requires E and B" 's/^pure = true/&\nspins = 0/'
ok "a coupling of purified fields for others" refused "set pure to b, e or eb" 's/^pure = b//'
ok "a coupling of others for purified fields" refused "coupling has no matrix pp" 's/^pure = true//'
ok "EE without BB, where B is purified" refused "EE cannot be computed without BB" \
  '/^\[powers\]/,/^\[cov/s/^pure = b/&\nspectra = TT, EE, -, -, -, -/'
ok "a covariance without a spectrum that it needs" refused "also needs the spectrum of T and E" \
  "${covariance}s/^spectra = .*/spectra = TT, EE, BB, -/"
ok "a covariance of another mask's size" refused "mask2: a covariance of cross spectra requires cl22" \
  "s|^\[covariance\]|$(node other)&\nmask2 = other|"
ok "spectra that end early" refused "cl ends at l = 320, but the coupling reaches up to 340" \
  '/^\[coupling\]/,/^\[powers\]/s/^lmax = .*/lmax = 340/; /^\[powers\]/,/^\[cov/s/^cl = .*/cl = theory\nspectra = TT, EE, BB, TE/'
ok "one of three spectra of two skies" refused "cl22: a covariance of cross" "${covariance}s/^cl = .*/&\ncl12 = theory/"
finish
