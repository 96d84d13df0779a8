#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage set-fields: numbers come from where they should, unchanged. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
python=${PYTHON:-/usr/bin/python3}

awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d %.17g %.17g %.17g %.17g\n", l, (l > 1) / (1 + l),
             (l > 1) * .1 / (1 + l), (l > 1) * .05 / (1 + l), (l > 1) * .2 / (1 + l) }' > cl.dat
cat > fields.workflow << END
$(random_alm draw theory "$room/cl.dat")
seed = 4
unit = uK
$(synthesis sky draw 16)
[swapped]
stage = set-fields
input = sky
fields = U_POLARISATION, 0, 1
spin = 0
names = A, B, C
unit = mK, K, uK
[scalars]
stage = set-fields
input = sky
names = FIRST, SECOND, THIRD
spin = 0
[again]
stage = set-fields
input = scalars
names = TEMPERATURE, Q_POLARISATION, U_POLARISATION
spin = 0, 2, 2
[pair]
stage = set-fields
input = sky
fields = 1, 2
[teb]
stage = set-fields
input = draw
spin = 0
$(synthesis teb-sky teb 16)
$(analysis teb-alm teb-sky 20)
[iqu]
stage = set-fields
input = teb-alm
spin = 0, 2, 2
$(synthesis iqu-sky iqu 16)
[reversed]
stage = set-fields
input = draw
fields = B, T
spin = 0
unit = mK
[unchanged]
stage = set-fields
input = draw
$(for map in sky swapped scalars again pair teb-sky iqu-sky; do output $map-out map $map $map.fits; done)
$(for alm in draw teb teb-alm iqu reversed unchanged; do output $alm-file alm $alm $alm-alm.fits; done)
END
mkdir plain && cd plain || exit 99
ok "fields of maps and of a_lm" run ../fields.workflow
cat > ../check.py << 'END'
import sys, healpy, numpy as np

def maps(name):
    return np.atleast_2d(healpy.read_map(name + ".fits", field=None, dtype=np.float64))

def header(name, *keys):
    h = dict((k, v) for k, v, *_ in healpy.read_map(name + ".fits", h=True)[1])
    return [h.get(k) for k in keys]

def alms(name, n):
    return np.array([healpy.read_alm(name + "-alm.fits", hdu=i + 1) for i in range(n)])

def check_maps():
    sky = maps("sky")
    assert np.array_equal(maps("swapped"), sky[[2, 0, 1]])
    for name in "scalars", "again":
        assert np.array_equal(maps(name), sky)
    assert np.array_equal(maps("pair"), sky[1:])
    words = ("TTYPE1", "TTYPE2", "TTYPE3", "TUNIT1", "TUNIT2", "TUNIT3", "POLCCONV")
    assert header("swapped", *words)[:6] == ["A", "B", "C", "mK", "K", "uK"], header("swapped", *words)
    assert header("scalars", *words[:4]) == ["FIRST", "SECOND", "THIRD", "uK"]
    assert header("again", *words) == header("sky", *words), header("again", *words)
    assert header("pair", "TTYPE1", "POLCCONV") == ["Q_POLARISATION", "COSMO"]

def check_alms():
    draw = alms("draw", 3)
    assert np.array_equal(alms("teb", 3), draw)
    assert np.array_equal(alms("unchanged", 3), draw)
    assert np.array_equal(alms("reversed", 2), draw[[2, 0]])
    theirs = [healpy.alm2map(a, 16) for a in draw]
    assert np.abs(maps("teb-sky") - theirs).max() < 1e-12
    # what was analysed as three scalars makes the sky of the same three as T, E and B
    theirs = healpy.alm2map(alms("teb-alm", 3), 16)
    assert np.abs(maps("iqu-sky") - theirs).max() < 1e-12
    assert np.abs(maps("iqu-sky")[1] - maps("teb-sky")[1]).max() > 1e-3

globals()["check_" + sys.argv[1]]()
END
if "$python" -c 'import healpy, numpy' 2> /dev/null; then
  for what in maps alms; do ok "$what: as healpy reads them" "$python" -B ../check.py $what; done
else
  skip "as healpy reads them" "no healpy"
fi
cd .. || exit 99
same_everywhere ../fields.workflow

# Spectra: fields 3 and 0 of the file, and their weighted sum, in the arithmetic of awk's doubles
cat > spectra.workflow << END
$(input theory cl "$room/cl.dat")
[chosen]
stage = set-fields
input = theory
fields = 3, 0
[sum]
stage = combine
input = theory
input2 = theory
input3 = theory
weights = 0.3, -1.7, 0.1
$(output chosen-out cl chosen chosen.txt)
$(output sum-out cl sum sum.txt)
END
ok "fields and sums of spectra" run spectra.workflow
# same_columns FILE WHAT: the rows of FILE are those that WHAT makes of cl.dat
same_columns ()
{
  grep -v '^#' cl.dat > want
  grep -v '^#' "$1" | paste -d ' ' want - |
    awk -v condition="$2" '{ for (i = 1; i <= 4; i++) s[i] = .1 * $(i + 1) + (-1.7 * $(i + 1) + .3 * $(i + 1)) }
      condition == "chosen" && !($7 == $5 && $8 == $2) || condition == "sum" && !($7 == s[1] && $8 == s[2] && $9 == s[3] && $10 == s[4]) { bad = 1; print }
      END { exit bad || NR != 41 }'
}
ok "the fields of spectra" same_columns chosen.txt chosen
ok "the sum of spectra" same_columns sum.txt sum

# --- What is refused
# refused TEXT NODE SED-COMMAND: with that node so changed
refused () { sed "/^\[$2\]/,/^\[/{$3}" fields.workflow > bad.workflow && gives 1 "$1" "$armilla" run --dry-run bad.workflow; }
ok "half of a pair" refused "Q_POLARISATION is one of a pair of spin 2" pair 's/^fields = .*/fields = 1/'
ok "a pair turned round" refused "is not next to it; select both, or set spin = 0" pair 's/^fields = .*/fields = 2, 1/'
ok "half of a pair of a_lm" refused "B is one of a pair of spin 2" reversed '/^spin/d'
ok "no such field" refused "V_POLARISATION" pair 's/^fields = .*/fields = V_POLARISATION/'
ok "a number beyond" refused "fields" pair 's/^fields = .*/fields = 1, 3/'
ok "too few names" refused "names = A lists 1, but there are 3 fields" swapped 's/^names = .*/names = A/'
ok "too many units" refused "unit = K, K lists 2, but there are 3 fields" swapped 's/^unit = .*/unit = K, K/'
ok "no such spin" refused "spin = 0, 2: " again 's/^spin = .*/spin = 0, 2/'
ok "a pair in two units" refused "unit: " again 's/^spin = .*/spin = 0, 2, 2\nunit = K, K, mK/'
finish
