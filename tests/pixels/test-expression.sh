#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stages expression, expression-cl and expression-table, against NumPy on what was written. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
python=${PYTHON:-/usr/bin/python3}

# A sky of T, Q and U, a copy that is UNSEEN in a cap, and hits.
awk 'BEGIN { for (l = 0; l <= 60; l++) printf "%d %.17g %.17g %.17g %.17g\n", l, (l > 1) / (1 + l),
             (l > 1) * .1 / (1 + l), (l > 1) * .01 / (1 + l), (l > 1) * .2 / (1 + l) }' > cl.dat
cat > map.workflow << END
$(random_alm draw theory "$room/cl.dat")
seed = 4
unit = uK
$(synthesis sky draw 32)
[hits]
stage = expression
map = sky
expression = floor(20*abs(sin(3*phi)*cos(theta)))
names = HITS
[polarised]
stage = expression
map = sky
expression = sqrt(Q^2 + U^2), 0.5*atan2(U, Q)
names = P, ANGLE
[masked]
stage = expression
map = sky
map2 = hits
expression = where(hits > 10, T, UNSEEN), Q*map2, U*map2.0
names = I_STOKES, Q_STOKES, U_STOKES
unit = uK
[filled]
stage = expression
map = masked
expression = where(isunseen(T), 0, T), T + Q, where(abs(lat) > 31 || lon < 91, T, 1), Q
names = A, B, C, D
[places]
stage = expression
map = sky
expression = theta, phi, lon, lat
[alone]
stage = expression
nside = 32
expression = theta, phi, lon, lat
[difference]
stage = expression
map = sky
map2 = masked
expression = T - map2.T
$(analysis alms sky 60)
$(spectrum spectra alms)
[scaled]
stage = expression-cl
cl = spectra
cl2 = theory
expression = l*(l+1)/(2*pi)*TT, where(l > 1, TT/cl2.0, 0)
names = DL_TT, RATIO
[statistics]
stage = map-statistics
map = sky
[columns]
stage = expression-table
table = statistics.out
expression = sqrt(VARIANCE), MAX - MIN, MEAN + row, MEAN
names = RMS, RANGE, MEAN, MORE
[unjoined]
stage = expression-table
table = statistics.out
table2 = statistics.out
expression = 2*table2.COUNT
keep = false
$(for map in sky hits polarised masked filled places alone difference; do output $map-out map $map $map.fits; done)
$(output spectra-out cl spectra spectra.fits)
$(output scaled-out cl scaled scaled.fits)
$(output statistics-out table statistics.out statistics.ecsv)
$(output columns-out table columns columns.ecsv)
$(output unjoined-out table unjoined unjoined.ecsv)
END
mkdir plain && cd plain || exit 99
ok "maps, spectra and tables of formulas" run ../map.workflow

cat > ../check.py << 'END'
import sys, numpy as np
import healpy

UNSEEN = healpy.UNSEEN

def maps(name):
    return np.atleast_2d(healpy.read_map(name, field=None, dtype=np.float64))

def header(name):
    return dict((k, v) for k, v, *_ in healpy.read_map(name, h=True, dtype=np.float64)[1])

def same(ours, theirs, eps=1e-14):
    ours, theirs = np.broadcast_arrays(ours, theirs)
    assert np.array_equal(ours == UNSEEN, theirs == UNSEEN), "UNSEEN elsewhere"
    seen = ours != UNSEEN
    worst = np.abs(ours - theirs)[seen].max() / max(1, np.abs(theirs[seen]).max())
    print(worst)
    assert worst <= eps

def table(name):
    rows = [line.split() for line in open(name) if not line.startswith("#")]
    return {column: [row[i] for row in rows[1:]] for i, column in enumerate(rows[0])}

def check_maps():
    t, q, u = maps("sky.fits")
    theta, phi = healpy.pix2ang(32, np.arange(t.size))
    hits, = maps("hits.fits")
    want = 20 * np.abs(np.sin(3 * phi) * np.cos(theta))
    assert np.all((hits == np.floor(want)) | (np.abs(want - np.rint(want)) < 1e-12))
    p, angle = maps("polarised.fits")
    same(p, np.sqrt(q * q + u * u))
    same(angle, 0.5 * np.arctan2(u, q))
    mt, mq, mu = maps("masked.fits")
    same(mt, np.where(hits > 10, t, UNSEEN))
    same(mq, q * hits)
    same(mu, u * hits)
    a, b, c, d = maps("filled.fits")
    same(a, np.where(hits > 10, t, 0))
    same(b, np.where(hits > 10, t + mq, UNSEEN))
    lon, lat = healpy.pix2ang(32, np.arange(t.size), lonlat=True)
    place = (np.abs(lat) > 31) | (lon < 91)
    same(c, np.where(place, mt, 1))
    same(d, mq)
    for file in "places.fits", "alone.fits":
        same(maps(file), np.array([theta, phi, lon, lat]))
    same(maps("difference.fits")[0], np.where(hits > 10, 0, UNSEEN))

def check_headers():
    h = header("polarised.fits")
    assert (h["TTYPE1"], h["TUNIT1"], h["TTYPE2"]) == ("P", "uK", "ANGLE"), h
    assert "TUNIT2" not in h
    h = header("masked.fits")
    assert (h["TTYPE1"], h["TUNIT1"], h["POLCCONV"]) == ("I_STOKES", "uK", "COSMO"), h
    h = header("filled.fits")
    assert h["TTYPE3"] == "C" and "POLCCONV" not in h
    h = header("places.fits")
    assert [h["TTYPE%d" % i] for i in (1, 2, 3, 4)] == ["theta", "phi", "lon", "lat"], h

def check_spectra():
    tt = healpy.read_cl("spectra.fits")[0]
    theory = np.loadtxt("../cl.dat")[:, 1]
    d, ratio = healpy.read_cl("scaled.fits")
    l = np.arange(tt.size)
    same(d, l * (l + 1) / (2 * np.pi) * tt)
    same(ratio[2:], tt[2:] / theory[2:])
    assert not ratio[:2].any()

def check_tables():
    before, after, alone = table("statistics.ecsv"), table("columns.ecsv"), table("unjoined.ecsv")
    assert list(after) == list(before) + ["RMS", "RANGE", "MORE"], list(after)
    for name in before:
        assert name == "MEAN" or after[name] == before[name], name
    number = lambda column: np.array(column, dtype=float)
    same(number(after["RMS"]), np.sqrt(number(before["VARIANCE"])))
    same(number(after["RANGE"]), number(before["MAX"]) - number(before["MIN"]))
    same(number(after["MEAN"]), number(before["MEAN"]) + np.arange(3))
    assert after["MORE"] == before["MEAN"]
    assert list(alone) == ["EXPRESSION"] and number(alone["EXPRESSION"]).tolist() == [2 * 12288] * 3

globals()["check_" + sys.argv[1]]()
END
if "$python" -c 'import healpy, numpy' 2> /dev/null; then
  for what in maps headers spectra tables; do ok "$what: as NumPy has it" "$python" -B ../check.py $what; done
else
  skip "as NumPy has it" "no healpy"
fi
cd .. || exit 99

# --- No finite number is no value, and what is written is computed
printf 'x\n0\n1\n-1\n1e300\n' > numbers.csv
cat > numbers.workflow << END
[numbers]
stage = read-table
file = numbers.csv
[values]
stage = expression-table
table = numbers
expression = 1/x, x^2, log (x), 2 - x + x, where(1/x > 5, 1, 0)
names = INVERSE, SQUARE, LOG, SUM, GREAT
keep = false
$(output values-out table values values.ecsv)
END
# x is 0, 1, -1, 1e300
same_values ()
{
  run numbers.workflow || return 1
  grep -v '^#' values.ecsv | tail -n 4 | tr 'N' 'n' | tr 'A' 'a' > got
  cat got
  awk 'BEGIN { print "nan 0 nan 2 1"; print "1 1 0 2 0"; print "-1 1 nan 2 0"
               printf "1e-300 nan %.17g 0 0\n", 300*log (10) }' | paste -d' ' got - |
    awk '{ n++; for (i = 1; i <= 5; i++) if (($i == "nan") != ($(i + 5) == "nan") ||
             ($i != "nan" && ($i - $(i + 5))^2 > 1e-24*$i^2)) bad = 1 } END { exit bad || n != 4 }'
}
ok "no finite number is no value of a table" same_values
same_everywhere ../map.workflow
mkdir other && cd other || exit 99
ok "a plan" "$armilla" plan ../map.workflow --nodes 2x"$source/doc/nodes/half.node"
cd .. || exit 99

# --- What is refused
# refused TEXT NODE LINES: where the node has these lines instead of its expression
refused ()
{
  awk -v node="[$2]" -v lines="$3" '/^\[/ { inside = $0 == node }
    inside && /^(expression|names) =/ { if (/^expr/) print lines; next } { print }' map.workflow > bad.workflow
  gives 1 "$1" "$armilla" run --dry-run bad.workflow
}
# with_nside NSIDE TEXT
with_nside () { gives 1 "$2" "$armilla" run --dry-run --set alone.nside="$1" map.workflow; }
# fails_running TEXT NODE LINES: the same, which is seen when the data are there
fails_running ()
{
  refused "" "$2" "$3" > /dev/null 2>&1
  mkdir -p failing && (cd failing && gives 1 "$1" "$armilla" run --quiet --overwrite ../bad.workflow)
}
ok "an unknown name" refused 'expression = Q*hist: nothing is called "hist" (character 3)' masked 'expression = Q*hist'
ok "with the nearest one" refused 'is it HITS?' masked 'expression = Q*hist'
ok "with the line of the file" refused "bad.workflow:$(awk '/^\[polarised/ { print NR + 3 }' map.workflow):" \
  polarised 'expression = V'
ok "a comma too many" refused 'expression: before or after a comma: it is empty' polarised 'expression = Q,'
ok "a long one, shortened" refused '((...: it has more than 4000 characters' polarised \
  "expression = $(printf '%05000d' 1 | tr 0 '(')"
ok "a parenthesis" refused 'a parenthesis is not closed' polarised 'expression = sqrt(Q'
ok "an assignment" refused 'to compare, write ==' polarised 'expression = Q = U'
ok "unlike units" refused 'before character 3 there is something in "uK", after it in "uK^2"' polarised \
  'expression = Q - U^2'
ok "too few names" refused 'names = P lists 1, but expression lists 2' polarised 'expression = Q, U
names= P'
ok "one name twice" refused 'two of what comes out are called P' polarised 'expression = Q, U
names= P, P'
ok "unlike units of a pair" refused 'unit: ' polarised 'expression = Q, U^2
names= Q, U'
ok "a spin too many" refused 'spin = 1, 2: spin lists 2' polarised 'expression = Q
spin = 1, 2'
ok "pixels that are said twice" refused 'map says which pixels there are, and so does nside' polarised \
  'expression = Q
nside = 32'
ok "pixels that nothing says" with_nside 0 'connect map, or set nside'
ok "a second map alone" refused 'connect map first' alone 'expression = lat
map2 = sky'
ok "an nside that is none" with_nside 16777216 'a map of nside 16777216'
ok "UNSEEN compared" refused 'ask by isunseen()' polarised 'expression = where(T == UNSEEN, 0, T)'
sed 's/^lmax = 60/lmax = 40/' map.workflow > bad.workflow
ok "another lmax" gives 1 "cl has lmax 40, but cl2 lmax 60" "$armilla" run --dry-run bad.workflow
ok "a column that is not there" fails_running 'nothing is called "VARIANZ"' columns 'expression = VARIANZ'
ok "which says its line" says "bad.workflow:"
ok "a text" fails_running 'nothing is called "FIELD"' columns 'expression = FIELD'
ok "an expression of a table" refused 'it ends too early' columns 'expression = MAX -'
ok "an infinite spectrum" fails_running 'the first is l = 0; say what it is there' scaled 'expression = TT/l'
finish
