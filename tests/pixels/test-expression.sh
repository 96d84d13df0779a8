#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage expression, against NumPy on what was written. TAP.
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
expression = where(map2.hits > 10, T, UNSEEN), Q*map2, U*map2.0
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
stage = expression
cl = spectra
cl2 = theory
expression = l*(l+1)/(2*pi)*TT, where(l > 1, TT/cl2.0, 0)
names = DL_TT, RATIO
[statistics]
stage = map-statistics
map = sky
[columns]
stage = expression
table = statistics.out
expression = sqrt(VARIANCE), MAX - MIN, MEAN + row, MEAN
names = RMS, RANGE, MEAN, MORE
[unjoined]
stage = expression
table = statistics.out
table2 = statistics.out
expression = 2*table2.COUNT
keep = false
[hits-statistics]
stage = map-statistics
map = hits
[reduced]
stage = expression
map = sky
map2 = hits
map3 = masked
table = statistics.out
table2 = hits-statistics.out
expression = map2/mean (map2) - 1, mean(map3.T) + 0*T, sum(map2) + 0*T, var(map3.T*map2) + 0*T, min(T) + 0*T, max(Q) + 0*T, mean((T - mean(T))^2) + 0*T, T*table.1.VARIANCE, mean(table.COUNT*table.2.COUNT) + 0*T, max(where(lat > 0, T, U)) + 0*T, T/table2.MEAN, sum(map2) + mean(1/(map2 - map2)) + 0*T
names = A, B, C, D, E, F, G, H, I, J, K, L
unit = uK
[reduced-cl]
stage = expression
cl = spectra
table = statistics.out
expression = TT/max(TT), EE - mean(where(l > 10, EE, NaN)), TT*table.0.VARIANCE/sum((2*l + 1)*TT) + 0*max(table.MAX)
names = A, B, C
unit = uK
[two]
stage = read-table
file = $room/two.csv
[reduced-table]
stage = expression
table = statistics.out
table2 = hits-statistics.out
expression = MEAN/table2.MEAN, VARIANCE - mean (VARIANCE), row*table.2.MAX, COUNT/sum(COUNT), var(MEAN - table2.0.MEAN)
names = A, B, C, D, E
unit = 1
keep = false
$(for map in sky hits polarised masked filled places alone difference reduced; do output $map-out map $map $map.fits; done)
$(output spectra-out cl spectra spectra.fits)
$(output scaled-out cl scaled scaled.fits)
$(output statistics-out table statistics.out statistics.ecsv)
$(output columns-out table columns columns.ecsv)
$(output unjoined-out table unjoined unjoined.ecsv)
$(output reduced-cl-out cl reduced-cl reduced-cl.fits)
$(output reduced-table-out table reduced-table reduced-table.ecsv)
$(output hits-statistics-out table hits-statistics.out hits-statistics.ecsv)
END
printf 'x\n1\n2\n' > two.csv
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

def numbers(name):
    return {k: np.array(v, dtype=float) for k, v in table(name).items() if k not in ("FIELD", "UNIT")}

def check_reductions():
    (t, q, u), (hits,), (mt, _, _) = maps("sky.fits"), maps("hits.fits"), maps("masked.fits")
    r = maps("reduced.fits")
    s, one = numbers("statistics.ecsv"), numbers("hits-statistics.ecsv")
    seen = mt != UNSEEN
    lat = healpy.pix2ang(32, np.arange(t.size), lonlat=True)[1]
    same(r[0], hits / hits.mean() - 1, 1e-13)
    for field, want in zip(r[1:7], (mt[seen].mean(), hits.sum(), (mt * hits)[seen].var(ddof=1), t.min(), q.max(), t.var())):
        same(field, want, 1e-13)
    same(r[7], t * s["VARIANCE"][1])
    same(r[8], float(t.size)**2)
    same(r[9], np.where(lat > 0, t, u).max())
    same(r[10], t / one["MEAN"][0])
    assert np.all(r[11] == UNSEEN)

def check_reduced_rows():
    tt, ee = healpy.read_cl("spectra.fits")[:2]
    a, b, c = healpy.read_cl("reduced-cl.fits")[:3]
    s, one = numbers("statistics.ecsv"), numbers("hits-statistics.ecsv")
    l = np.arange(tt.size)
    same(a, tt / tt.max())
    same(b, ee - ee[11:].mean(), 1e-13)
    same(c, tt * s["VARIANCE"][0] / ((2 * l + 1) * tt).sum(), 1e-13)
    r = numbers("reduced-table.ecsv")
    same(r["A"], s["MEAN"] / one["MEAN"])
    same(r["B"], s["VARIANCE"] - s["VARIANCE"].mean(), 1e-13)
    same(r["C"], np.arange(3) * s["MAX"][2])
    same(r["D"], s["COUNT"] / s["COUNT"].sum())
    same(r["E"], (s["MEAN"] - one["MEAN"]).var(ddof=1), 1e-13)

globals()["check_" + sys.argv[1]]()
END
if "$python" -c 'import healpy, numpy' 2> /dev/null; then
  for what in maps headers spectra tables reductions reduced_rows; do ok "$what: as NumPy has it" "$python" -B ../check.py $what; done
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
stage = expression
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
write_bad ()
{
  awk -v node="[$1]" -v lines="$2" '/^\[/ { inside = $0 == node }
    inside && /^(expression|names) =/ { if (/^expr/) print lines; next } { print }' map.workflow > bad.workflow
}
refused ()
{
  write_bad "$2" "$3"
  gives 1 "$1" "$armilla" run --dry-run bad.workflow
}
# with_nside NSIDE TEXT
with_nside () { gives 1 "$2" "$armilla" run --dry-run --set alone.nside="$1" map.workflow; }
# fails_running TEXT NODE LINES: the same, which is seen when the data are there
fails_running ()
{
  write_bad "$2" "$3"
  mkdir -p failing && (cd failing && gives 1 "$1" "$armilla" run --quiet --overwrite ../bad.workflow)
}
ok "an unknown name" refused 'expression = Q*hist: unknown name "hist" (character 3)' masked 'expression = Q*hist'
ok "with the nearest one" refused 'is it map2.HITS?' masked 'expression = Q*map2.HIST'
ok "with the line of the file" refused "bad.workflow:$(awk '/^\[polarised/ { print NR + 3 }' map.workflow):" \
  polarised 'expression = V'
ok "a comma too many" refused 'expression: before or after a comma: it is empty' polarised 'expression = Q,'
ok "a long one, shortened" refused '((...: longer than 4000 characters' polarised \
  "expression = $(printf '%05000d' 1 | tr 0 '(')"
ok "a parenthesis" refused 'missing closing parenthesis' polarised 'expression = sqrt(Q'
ok "an assignment" refused 'to compare, write ==' polarised 'expression = Q = U'
ok "unlike units" refused 'the value before character 3 is in "uK", the one after it in "uK^2"' polarised \
  'expression = Q - U^2'
ok "too few names" refused 'names = P lists 1, but expression lists 2' polarised 'expression = Q, U
names= P'
ok "one name twice" refused 'two results are called P' polarised 'expression = Q, U
names= P, P'
ok "unlike units of a pair" refused 'unit: ' polarised 'expression = Q, U^2
names= Q, U'
ok "a spin too many" refused 'spin = 1, 2: spin lists 2' polarised 'expression = Q
spin = 1, 2'
ok "pixels that are said twice" refused 'the pixels are defined by both map and nside' polarised \
  'expression = Q
nside = 32'
ok "pixels that nothing says" with_nside 0 'connect map, or set nside'
ok "a second map alone" refused 'connect map first' alone 'expression = lat
map2 = sky'
ok "an nside that is none" with_nside 16777216 'a map of nside 16777216'
ok "UNSEEN compared" refused 'use isunseen()' polarised 'expression = where(T == UNSEEN, 0, T)'
sed 's/^lmax = 60/lmax = 40/' map.workflow > bad.workflow
ok "another lmax" gives 1 "cl has lmax 40, but cl2 lmax 60" "$armilla" run --dry-run bad.workflow
ok "a column that is not there" fails_running 'unknown name "VARIANZ"' columns 'expression = VARIANZ'
ok "which says its line" says "bad.workflow:"
ok "a text" fails_running 'unknown name "FIELD"' columns 'expression = FIELD'
# --- Names of later inputs, and numbers of kinds that do not fit, as check tells
# unchecked TEXT NODE LINES: refused by check alone
unchecked ()
{
  write_bad "$2" "$3"
  gives 2 "$1" "$armilla" check bad.workflow
}
ok "a name of the second map alone" unchecked \
  'a name without a prefix denotes a variable of map, which has no HITS (it has TEMPERATURE, Q_POLARISATION, U_POLARISATION); for that of map2 write map2.HITS' \
  masked 'expression = Q*HITS'
ok "within a reduction, too" unchecked 'for that of map2 write map2.hits' masked 'expression = Q/mean(hits)'
ok "of spectra" unchecked 'which has no RATIO' reduced-cl 'cl2 = scaled
expression = RATIO'
ok "of tables" fails_running 'a name without a prefix denotes a variable of table, which has no RMS' reduced-table 'table3 = columns
expression = RMS + table2.MEAN'
ok "a mean of one number" unchecked 'argument of mean at character 3 is one number' masked 'expression = Q*mean(2)'
ok "a mean of two" unchecked 'mean at character 3 takes one argument' masked 'expression = Q*mean(Q, U)'
ok "a mean of nothing" unchecked 'mean at character 1 takes one argument' columns 'expression = mean ( )'
ok "an unknown name in a mean" unchecked 'unknown name "hist" (character 8)' masked 'expression = Q*mean(hist)'
ok "unlike units in a mean" unchecked 'before character 8 is' polarised 'expression = mean(Q - U^2)'
ok "with its mean" unchecked 'before character 3 is' polarised 'expression = Q - var(Q)'
ok "no table" unchecked 'unknown name "table.MEAN"' masked 'expression = Q*table.MEAN'
ok "a column of many rows" fails_running 'table has 3 rows; name one by its number, table.0.MEAN, or a reduction' \
  reduced 'expression = T*table.MEAN'
ok "a row that is not there" fails_running 'table has 3 rows, from 0, and none is called "3"' reduced 'expression = T*table.3.MEAN'
ok "a text in a formula" fails_running 'table has no column "FIELD" of numbers' reduced 'expression = T*table.0.FIELD'
ok "columns of unlike lengths" fails_running 'columns of 3 and of 2 rows have no value together' reduced-table \
  'table3 = two
expression = MEAN*table3.x'
ok "an expression of a table" refused 'unexpected end' columns 'expression = MAX -'
# Without inputs it makes a map, which no stage may take for other data.
for port in alm cl table catalogue matrix; do
  printf '[m]\nstage = expression\nnside = 4\nexpression = 1\n[o]\nstage = write-%s\n%s = m\nfile = o.fits\n' \
    "$port" "$port" > bad.workflow
  said="$port: this input accepts data of kind $port, but node m (expression) outputs map"
  ok "a map for $port" gives 2 "$said" "$armilla" check bad.workflow
  ok "without check" gives 1 "$said" "$armilla" run --overwrite bad.workflow
done
ok "an infinite spectrum" fails_running 'the first is l = 0; define its value there' scaled 'expression = TT/l'
finish
