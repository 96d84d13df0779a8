#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage map-statistics, from workflow to files. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 70; l++) printf "%d %.17g\n", l, 1 / (1 + l) }' > cl.dat
cat > map.workflow << END
$(random_alm draw theory "$room/cl.dat")
seed = 4
$(synthesis sky draw 32)
$(synthesis belt draw 32)
[cut]
stage = remove-monopole
map = belt
[few]
stage = mask
mask = cut
[statistics]
stage = map-statistics
map = sky
mask = few
histogram-bins = 12
histogram-min = -15
histogram-max = 15
$(output out table statistics.out out.ecsv)
$(output histogram table statistics.histogram histogram.ecsv)
$(output fits table statistics.out out.fits)
$(output map map sky map.fits)
END
mkdir plain && cd plain || exit 99
ok "a sky has statistics" run ../map.workflow
# value NAME: of the one row
value ()
{
  awk -v name="$1" '/^#/ { next } !head { for (i = 1; i <= NF; i++) if ($i == name) head = i; next }
                    { print $head }' out.ecsv
}
ok "all pixels count" test "$(value COUNT)" = 12288
whole ()
{
  awk '/^#/ || /^LOW/ { next } { n++; sum += $3 } END { exit !(n == 12 && sum > 12000 && sum <= 12288) }' \
    histogram.ecsv
}
ok "bins have most of them" whole
# By healpy, which reads the map that was written.
if "${PYTHON:-/usr/bin/python3}" -c 'import healpy, numpy' 2> /dev/null; then
  by_healpy ()
  {
    "${PYTHON:-/usr/bin/python3}" - "$(value MEAN)" "$(value VARIANCE)" "$(value SKEWNESS)" "$(value KURTOSIS)" \
      "$(value MIN)" "$(value MAX)" << 'END'
import sys, healpy, numpy as np
x = healpy.read_map("map.fits", dtype=np.float64).astype(np.longdouble)
d = x - x.mean()
m2, m3, m4 = ((d ** k).mean() for k in (2, 3, 4))
want = [x.mean(), (d ** 2).sum() / (x.size - 1), m3 / m2 ** 1.5, m4 / m2 ** 2 - 3, x.min(), x.max()]
for found, wanted in zip(sys.argv[1:], want):
    print(found, wanted)
    assert abs(float(found) - float(wanted)) < 1e-12
END
  }
  ok "they are what NumPy finds in the map" by_healpy
else
  skip "they are what NumPy finds in the map" "no healpy"
fi
ok "HISTORY says how the map came about" grep -q 'random-alm' out.ecsv
cd .. || exit 99
if has_ranks; then
  for n in 1 2 3; do
    mkdir "on-$n" && cd "on-$n" || exit 99
    ok "$n rank(s)" ranks $n "$armilla" run --quiet ../map.workflow
    ok "$n: the same table" cmp out.ecsv ../plain/out.ecsv
    ok "$n: the same histogram" cmp histogram.ecsv ../plain/histogram.ecsv
    cd .. || exit 99
  done
else
  skip "ranks" "built without MPI, or no mpirun"
fi
mkdir traced && cd traced || exit 99
ok "a trace" run --trace=t.json ../map.workflow
ok "which has the codelet by name" grep -q '"statistics"' t.json
ok "a plan" "$armilla" plan ../map.workflow --nodes 2x"$source/doc/nodes/half.node"
cd .. || exit 99

# --- What is refused
# refused TEXT SED-COMMAND: of the workflow so changed
refused () { sed "$2" map.workflow > bad.workflow && gives 1 "$1" "$armilla" run --dry-run bad.workflow; }
ok "bins without ends" refused "histogram-bins needs histogram-min and histogram-max" '/histogram-min/d'
ok "ends without bins" refused "belongs to histogram-bins" '/histogram-bins/d'
ok "ends the wrong way round" refused "must be below" 's/histogram-max = 15/histogram-max = -40/'
ok "a mask of another grid" refused "but mask is HEALPix nside 16" '/^\[belt/,/^\[cut/s/nside = 32/nside = 16/'
finish
