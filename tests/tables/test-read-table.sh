#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage read-table: what write-table writes comes back, as does what astropy writes. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
python=${PYTHON:-/usr/bin/python3}

cat > write.workflow << END
$(random_points data 400 1)
$(random_points randoms 800 2)
[w]
stage = pair-correlation
catalogue = data
random = randoms
min = 1 deg
max = 60 deg
bins = 4
$(output fits table w.table w.fits)
$(output ecsv table w.table w.ecsv)
END
ok "a table" run write.workflow
cat > read.workflow << END
$(input from-fits table "$room/w.fits")
$(input from-ecsv table "$room/w.ecsv")
$(output a table from-fits a.fits)
$(output b table from-fits b.ecsv)
$(output c table from-ecsv c.fits)
$(output d table from-ecsv d.ecsv)
[sum]
stage = expression
table = from-ecsv
table2 = from-fits
expression = DD - table2.DD, w - table2.w
names = ZERO, NOTHING
keep = false
$(output e table sum e.ecsv)
END
mkdir plain && cd plain || exit 99
ok "read and written again" run ../read.workflow
# same_text FILE: except for HISTORY, which grows
table () { awk '/^# - HISTORY/ { skip = 1; next } skip && /^#   / { next } { skip = 0; print }' "$1"; }
same_text () { table "$1" > found && table ../w.ecsv > expected && test "$(wc -l < found)" -gt 10 && cmp found expected; }
ok "FITS: the same text" same_text b.ecsv
ok "ECSV: the same text" same_text d.ecsv
ok "no difference" awk '/^#/ { next } ++n > 1 && ($1 != 0 || ($2 != 0 && $2 != "nan")) { exit 1 } END { exit n != 5 }' e.ecsv
cd .. || exit 99
same_everywhere ../read.workflow

cat > astro.py << 'END'
import sys, numpy as np
from astropy.table import Table
import astropy.units as u
if sys.argv[1] == "write":
    t = Table()
    t["x"] = np.array([0.1, np.pi, np.nan, 1e-300])
    t["n"] = np.arange(4, dtype="i4")
    t["word"] = ["a", "b c", "", 'd"e"']
    t["single"] = np.array([1, 2, 3, 4], dtype="f4") / 3
    t["x"].unit = u.km / u.s
    t["x"].description = "a velocity: with a colon, and more words than the line of a header has room for, so that it goes on"
    t.write("astro.fits"), t.write("astro.ecsv"), t.write("comma.ecsv", delimiter=",")
    t.write("astro.csv", format="ascii.csv")
else:
    theirs = Table.read("astro.fits")
    for name in "astro.fits", "astro.ecsv", "comma.ecsv", "astro.csv":
        ours = Table.read("back-" + name + ".fits", hdu=1)
        assert ours.colnames == theirs.colnames, ours.colnames
        for c in "x", "n":
            assert np.array_equal(ours[c], theirs[c], equal_nan=True), (name, c)
        assert np.allclose(ours["single"], theirs["single"], rtol=1e-7, atol=0)
        assert [str(w).strip() for w in ours["word"].filled("")] == [str(w).strip() for w in theirs["word"].filled("")], name
        if name != "astro.csv":
            assert ours["x"].unit == u.km / u.s, (name, ours["x"].unit)
END
if "$python" -c 'import astropy.table, yaml' 2> /dev/null; then
  ok "astropy writes" "$python" -B astro.py write
  for file in astro.fits astro.ecsv comma.ecsv astro.csv; do
    input "in-$file" table "$file" | tr . - | sed 's/^file = \(.*\)-\([a-z]*\)$/file = \1.\2/'
    printf '[out-%s]\nstage = write-table\ntable = in-%s\nfile = back-%s.fits\n' "$(echo $file | tr . -)" "$(echo $file | tr . -)" $file
  done > astro.workflow
  ok "its tables are read" run astro.workflow
  ok "as astropy reads them" "$python" -B astro.py read
else
  skip "tables of astropy's" "no astropy"
fi

# --- What is refused
printf 'a,b\n1\n' > ragged.csv
printf '%s\n' "$(input t table ragged.csv)" "$(output o table t o.fits)" > bad.workflow
ok "a row too short" gives 1 "ragged.csv:2: has 1 columns, but the lines above have 2" "$armilla" run --quiet bad.workflow
ok "leaves no file" test ! -e o.fits
sed 's/ragged/none/' bad.workflow > none.workflow
ok "no file" gives 1 "none.csv" "$armilla" run --quiet none.workflow

# --- Two columns of one name: other programs read one of them, or none
cat > two.workflow << END
$(input table table "$room/w.ecsv")
[named]
stage = expression-table
table = table
expression = w, theta
names = X, X
keep = false
$(output two table named two.ecsv)
END
ok "names of expressions" gives 2 "[named] names: two results are called X" "$armilla" check two.workflow
printf '0 1 2\n1 1 2\n2 1 2\n3 1 2\n' > cl.dat
# spectra_as STAGE PORT WORKFLOW LINE...: a table that STAGE makes of two spectra whose names are one pair
spectra_as ()
{
  stage=$1 port=$2
  shift 2
  cat << END
[workflow]
$1
$(input theory cl "$room/cl.dat")
[spectra]
stage = expression-cl
cl = theory
expression = TEMPERATURE, GRADIENT
names = TT, TEMPERATURE
[made]
stage = $stage
$port = spectra
$2
$(output two table made.table two.ecsv)
END
}
spectra_as bandpowers cl "" "delta-l = 2" > bandpowers.workflow
ok "names of bandpowers" gives 2 'column 5 of the table would be called "TT", like another column' "$armilla" check bandpowers.workflow
sed 's/^names = .*/names = TT, l_min/' bandpowers.workflow > bins.workflow
ok "names of their bins" gives 2 'would be called "l_min"' "$armilla" check bins.workflow
spectra_as collect input "repeat = 2" "" > collect.workflow
ok "names of what is collected" gives 2 'column 3 of the table would be called "TT"' "$armilla" check collect.workflow
spectra_as sweep-table input "sweep = theory.interpolate: false, true" "" > sweep.workflow
ok "names of a sweep" gives 2 'would be called "TT"' "$armilla" check sweep.workflow
sed 's/^names = .*/names = TT, EE/' collect.workflow > different.workflow
ok "different names" run different.workflow
# what only the run knows
cat > late.workflow << END
[workflow]
repeat = 2
$(input theory cl "$room/cl.dat")
[sky]
stage = random-alm
cl = theory
seed = 1
$(spectrum measured sky)
[bands]
stage = bandpowers
cl = measured
delta-l = 1
[named]
stage = expression-table
table = bands
expression = TT, 2 * TT
names = X, X_error
[mean]
stage = collect
input = named
$(output late table mean.table late.csv)
END
ok "errors beside a column of that name" run late.workflow --set theory.columns=0
ok "have another" grep -q 'X,X_error_scatter,X_error,X_error_error' late.csv
finish
