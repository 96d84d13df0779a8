#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Coupling matrices and bandpowers in workflows: the same bits on any ranks, with little memory, after a kill,
# through files; and what is said where they cannot be. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"

awk 'BEGIN { for (l = 0; l <= 320; l++) { c = 1 / (l + 5) ^ 2; print l, c, c / 3, c / 9, c / 4 } }' > theory.dat
"${PYTHON:-/usr/bin/python3}" -c 'import healpy' 2> /dev/null || skip_all "no Python here has healpy"
"${PYTHON:-/usr/bin/python3}" - << 'END' || exit 99
import healpy, numpy as np
z = np.cos(healpy.pix2ang(128, np.arange(12 * 128 ** 2))[0])
healpy.write_map("mask.fits", np.clip((np.abs(z) - 0.3) / 0.1, 0, 1), dtype=np.float64)
healpy.write_map("none.fits", 0 * z, dtype=np.float64)
healpy.write_map("north.fits", 1.0 * (z > 0.999), dtype=np.float64, coord="G")
healpy.write_map("turned.fits", 1.0 * (z > 0), dtype=np.float64, coord="C")
healpy.write_map("small.fits", np.ones(12 * 16 ** 2), dtype=np.float64)
END
cat > masked.workflow << END
[workflow]
ring-block = 64
m-blocks = 3
$(input theory cl "$room/theory.dat")
[draw]
stage = random-alm
cl = theory
seed = 4
lmax = 300
$(synthesis sky draw 128)
$(input mask map "$room/mask.fits")
[masked]
stage = mask
map = sky
mask = mask
$(analysis alm masked 300)
iterations = 1
$(spectrum cl alm)
[coupling]
stage = coupling
mask = mask
lmax = 300
iterations = 1
[powers]
stage = decouple
cl = cl
coupling = coupling
delta-l = 25
dl = true
[plain]
stage = bandpowers
cl = cl
edges = 2, 10, 301
[expected]
stage = bandpowers
cl = theory
spectra = TT, EE, BB, TE
windows = powers.windows
delta-l = 25
dl = true
$(output matrix matrix coupling out/matrix.fits)
$(output windows matrix powers.windows out/windows.fits)
$(output table table powers.table out/table.fits)
$(output means table plain out/plain.fits)
$(output expects table expected out/expected.fits)
END
mkdir -p plain/out && cd plain || exit 99
ok "bandpowers of a masked sky" run ../masked.workflow
described () { "$armilla" run --dry-run --overwrite ../masked.workflow | grep "$1"; }
ok "a plan describes the matrices" described '^  matrix: matrix: 301 x 301, 4 fields$'
ok "and their windows" described '^  windows: matrix: 11 x 301, 8 fields$'

# summed in numpy: each spectrum through its windows; those that the theory lacks are 0
summed ()
{
  "${PYTHON:-/usr/bin/python3}" - << 'END'
import numpy as np
from astropy.io import fits
theory = dict(zip(["TT", "EE", "BB", "TE"], np.loadtxt("../theory.dat")[:301, 1:].T))
with fits.open("out/windows.fits") as file:
    fields, windows = [file[1].header[f"FIELD{i + 1}"].strip() for i in range(8)], file[1].data
with fits.open("out/expected.fits") as one, fits.open("out/table.fits") as other:
    table, powers = one[1].data, other[1].data
    assert table.names == powers.names and list(table["l_max"]) == list(powers["l_max"])
    for name in table.names[3:]:
        right = sum(np.array([np.dot(row, theory[field[6:]]) for row in window])
                    for field, window in zip(fields, windows) if field[:2] == name and field[6:] in theory)
        assert np.allclose(table[name], right, rtol=1e-12, atol=1e-14 * np.max(np.abs(table["TT"]))), name
    print(table["EE"], powers["EE"])
    # what the sky has is that within its scatter, which averages over bins leave little of
    assert abs(np.mean(powers["TT"] / table["TT"]) - 1) < 0.1
END
}
ok "a theory through the windows" summed
cat > ../corner.workflow << END
$(input mask map "$room/mask.fits")
[coupling]
stage = coupling
mask = mask
lmax = 60
iterations = 1
$(output matrix matrix coupling corner.fits)
END
ok "matrices of fewer multipoles" run ../corner.workflow
# As NaMaster: the mask is analysed as far as it goes, so that its spectrum does not depend on lmax.
corner ()
{
  "${PYTHON:-/usr/bin/python3}" - << 'END'
import numpy as np
from astropy.io import fits
small, large = fits.getdata("corner.fits"), fits.getdata("out/matrix.fits")
assert small.shape == (4, 61, 61) and large.shape == (4, 301, 301)
off = np.abs(small - large[:, :61, :61]).max() / np.abs(large).max()
print(off)
assert off < 1e-13
END
}
ok "are a corner of the larger ones" corner
rm corner.fits
same_everywhere ../masked.workflow
enter again && mkdir out

# --- Through files: a matrix that was read gives the same bandpowers, and is written as it was.
{
  sed '/^\[coupling\]/,$d' ../masked.workflow
  input coupling matrix ../plain/out/matrix.fits
  sed -n '/^\[powers\]/,$p' ../masked.workflow
} > read.workflow
rm -f out/*
ok "with matrices from a file" run read.workflow
equal ()
{
  "${PYTHON:-/usr/bin/python3}" - "$@" << 'END'
import sys
from astropy.io import fits
for name in sys.argv[1:]:
    with fits.open("out/" + name) as one, fits.open("../plain/out/" + name) as other:
        assert len(one) == len(other)
        for a, b in zip(one[1:], other[1:]):
            assert a.data.tobytes() == b.data.tobytes(), name
END
}
ok "all data are the same" equal matrix.fits windows.fits table.fits plain.fits expected.fits
{
  input theory cl "$room/theory.dat"
  input saved matrix ../plain/out/windows.fits
  sed -n '/^\[expected\]/,/^dl/p' "$room/masked.workflow" | sed 's/^windows = .*/windows = saved/'
  output expects table expected out/expected.fits
} > saved.workflow
rm -f out/*
ok "a theory through windows from a file" run saved.workflow
ok "is the same" equal expected.fits

# --- Killed in an analysis whose spectra wait for the matrices; then one iteration will do.
{
  sed "s|^ring-block.*|&\ncheckpoint = 1e-6 ms|" "$room/masked.workflow"
  printf '[again]\nstage = map2alm\nmap = masked\nlmax = 300\niterations = 1\n'
  spectrum more again
  printf '[late]\nstage = decouple\ncl = more\ncoupling = coupling\ndelta-l = 50\n'
  output end table late.table out/late.fits
} > "$room/once.workflow"
part () { find out -name '*.coupling.0.part'; }
interrupted ()
{
  sed '/^\[again\]/,$s/^iterations = .*/iterations = 1000/' "$room/once.workflow" > many.workflow
  "$armilla" run --resume many.workflow > said 2>&1 &
  pid=$!
  until [ -n "$(part)" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
  kill_all $pid
  wait $pid 2> /dev/null
  find out -name '*.part' ! -name '*.coupling.0.part' -exec rm {} +
  cat said; find out
  [ -n "$(part)" ]
}
resumed ()
{
  cp "$room/once.workflow" many.workflow
  "$armilla" run --resume many.workflow > said 2>&1 || { cat said; return 1; }
  cat said
  grep -q 'checkpoints: 1$' said || return 1
  # HISTORY of what was written before the kill has the workflow of then.
  equal matrix.fits windows.fits table.fits plain.fits late.fits
}
mkdir -p "$room/killed/plain/out" && cd "$room/killed/plain" || exit 99
cp "$room/once.workflow" many.workflow
ok "an uninterrupted run" run many.workflow
enter killed/again && mkdir out
ok "a run is killed when the matrices are kept" interrupted
ok "and goes on from there, to the same bits" resumed

# --- A beam leaves 1e-18 of the power at the end: what a spectrum that is flat in one bin gives there is 1, and 0 in others.
unmixed ()
{
  sed '/^\[powers\]/,/^\[plain\]/s/^dl = true/&\nfwhm = 3 deg/' ../masked.workflow > beam.workflow
  run beam.workflow && "${PYTHON:-/usr/bin/python3}" - << 'END'
from astropy.io import fits
import numpy as np
table, windows = fits.getdata("out/table.fits"), fits.getdata("out/windows.fits")
for i, first, last in zip(range(11), table["l_min"].astype(int), table["l_max"].astype(int)):
    l = np.arange(first, last + 1)
    sums = (windows[0][:, l] * 2 * np.pi / (l * (l + 1))).sum(axis=1)
    # The last bin shows the rounding of the others, which have far more power: some 3e-6.
    assert np.abs(sums - np.eye(11)[i]).max() < 1e-4, sums
END
}
enter beam && mkdir out
ok "a beam that leaves little is no bad condition" unmixed

# --- Matrices of 72 MB, where 40 are left for them
enter large && mkdir all
awk 'BEGIN { for (l = 0; l <= 1500; l++) print l, 1 / (l + 1) ^ 3 }' > mask.dat
{
  input mask cl mask.dat
  printf '[coupling]\nstage = coupling\ncl = mask\n'
  printf '[powers]\nstage = decouple\ncl = mask\ncoupling = coupling\nspectra = TT\ndelta-l = 100\n'
  output table table powers.table powers.fits
} > large.workflow
bounded () { run --memory "$(if sanitized; then echo 370; else echo 115; fi)MiB" large.workflow; }
ok "large matrices" run large.workflow
mv powers.fits all
ok "in less memory than they have" bounded
ok "are the same" cmp powers.fits all/powers.fits

# --- What cannot be. refused TEXT SED-SCRIPT: the workflow changed so says that, in one message.
enter refused && mkdir out
refused ()
{
  rm -f out/*
  sed "$2" ../masked.workflow > wrong.workflow
  fails "$1" "$armilla" run --quiet wrong.workflow && one_message
}
ok "a mask of 0" refused "the mask is 0 everywhere" 's/mask.fits/none.fits/'
nothing () { [ -z "$(find out -name 'matrix*' -o -name 'table*')" ]; }
ok "and nothing is left of what it was to give" nothing
ok "a mask too small for its bins" refused "is singular" \
  's/mask.fits/north.fits/; s/^delta-l.*/delta-l = 1/; s/^lmax = 300/lmax = 250/; s/301/251/'
ok "one whose matrix can be inverted, but to noise" refused "is singular" \
  's/mask.fits/north.fits/; s/^delta-l.*/delta-l = 5\nspectra = TT, -, -, -, -, -/; /^\[plain\]/,/^\[matrix\]/{/^\[matrix\]/!d}; /^\[means\]/,$d'
# expected TEXT SED-SCRIPT: of the bandpowers of a theory
expected ()
{
  rm -f out/*
  sed "$2" ../again/saved.workflow > wrong.workflow
  fails "$1" "$armilla" run --quiet wrong.workflow && one_message
}
awk "\$1 < 100" "$room/theory.dat" > short.dat
ok "windows of fewer bins" expected "windows are those of 11 bins, but there are 9; set edges" 's/^delta-l.*/delta-l = 30/'
ok "windows of other bins" expected "windows do not match these bins: the one from l = 4 to 28 has the sum" \
  's/^delta-l.*/delta-l = 25\nlmin = 4/'
ok "windows of D_l" expected "windows do not match these bins" 's/^dl = .*//'
ok "a theory that lacks spectra" expected "cl has no BB, which the bandpowers EE require" 's/^spectra = .*/spectra = TT, EE, -, TE/'
ok "a theory that ends before the windows" expected "cl ends at l = 99, but windows contain multipoles up to 300" \
  "s|^file = .*theory.dat|file = short.dat|"
ok "a matrix of something else" expected 'windows has a field "00"; must be window functions' \
  "s|out/windows.fits|out/matrix.fits|; s/^delta-l.*/delta-l = 1/; s/^dl = .*/lmin = 0/"
ok "bins beyond the spectra" refused "edges: the last bin ends at l = 399, beyond" 's/^edges = .*/edges = 2, 10, 400/'
ok "bins that do not ascend" refused "must increase" 's/^edges = .*/edges = 2, 10, 10/'
ok "no bins" refused "set edges or delta-l" 's/^delta-l.*//'
ok "bins said twice" refused "are both set" 's/^delta-l.*/delta-l = 5\nedges = 2, 9/'
ok "a first bin that D_l does not know" refused "the first bin must begin at l = 1" 's/^delta-l.*/edges = 0, 9/'
ok "a matrix that is missing" refused "coupling has no matrix 00" 's/^\[coupling\]/&\nspins = 2/'
ok "spectra that end before the matrix" refused "must be equal" \
  '/^\[coupling\]/,/^\[powers\]/s/^lmax = 300/lmax = 350/'
ok "a second mask of another size" refused "mask2 is HEALPix nside 16" \
  "s|^\[coupling\]|[small]\nstage = read-map\nfile = $room/small.fits\n[coupling]\nmask2 = small|"
ok "two masks in other coordinates" refused "oordinates" \
  "s|^\[coupling\]|[turned]\nstage = read-map\nfile = $room/turned.fits\n[coupling]\nmask2 = turned|; s/mask.fits/north.fits/"
ok "a mask and its spectrum" refused "connect exactly one" 's/^\[coupling\]/&\ncl = cl/'
ok "EE without BB" refused "cannot be computed without BB" '/^.powers./,/^dl/s/^dl = true/spectra = TT, EE, -, TE, -, -/'
ok "too few names" refused "2 names for 6 spectra" '/^.powers./,/^dl/s/^dl = true/spectra = TT, EE/'
ok "a file without a matrix" refused "contains no matrix" \
  "s|^\[plain\]|[m]\nstage = read-matrix\nfile = $room/plain/out/table.fits\n[w]\nstage = write-matrix\nmatrix = m\nfile = out/m.fits\n&|"
finish
