#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Each rank opens an input once in a run, however many realisations there are, and whether its node is needed for each
# of them, after the last one, or both, and whether its data are kept. As strace counts. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

command -v strace > /dev/null && strace -o calls -f true 2> /dev/null || skip_all "no strace, or it may not trace"
! sanitized || skip_all "the leak sanitizer cannot be traced"
rm -f calls

awk 'BEGIN { for (l = 0; l <= 32; l++) print l, l < 2 ? 0 : 1000 / (l * (l + 1)) }' > text.dat
awk 'BEGIN { for (l = 0; l <= 32; l++) print exp (-l * l / 500) }' > beam.txt
awk 'BEGIN { for (i = 0; i < 32; i++) print i, 0.001 * i }' > rings.txt
awk 'BEGIN { srand (1); print "ra,dec"; for (i = 0; i < 500; i++) print 360 * rand () "," 90 * rand () }' > points.csv
cat > make.workflow << END
$(random_alm draw theory text.dat)
$(synthesis sky draw 16)
$(output map map sky map.fits)
$(output alm alm draw alm.fits)
$(output cl cl theory cl.fits)
$(random_points points 500 1)
$(output points-out catalogue points points.fits)
[counts]
stage = pair-correlation
catalogue = points
random = points
min = 1 deg
max = 10 deg
$(output table table counts.table table.fits)
$(output ecsv table counts.table table.ecsv)
[coupling]
stage = coupling
mask = sky
lmax = 8
$(output matrix matrix coupling matrix.fits)
END
run make.workflow || exit 99
gzip -c map.fits > packed.fits.gz
cp map.fits last.fits
cp cl.fits later.fits
cat > each.workflow << END
[workflow]
repeat = 200
$(random_alm draw text text.dat)
lmax = 32
seed = 1
$(input fixed alm alm.fits)
[sum]
stage = combine
input = draw
input2 = fixed
[smooth]
stage = smooth-alm
alm = sum
beam = beam.txt
$(synthesis sky smooth 16)
$(input spectrum cl cl.fits)
[filter]
stage = filter-alm
alm = fixed
cl = spectrum
$(synthesis filtered filter 16)
$(input map map map.fits)
$(input packed map packed.fits.gz)
$(input points catalogue points.csv)
longitude-unit = deg
latitude-unit = deg
[numbers]
stage = bin-catalogue
catalogue = points
nside = 16
$(input objects catalogue points.fits)
[more]
stage = bin-catalogue
catalogue = objects
nside = 16
$(input table table table.fits)
$(input ecsv table table.ecsv)
[all]
stage = expression
map = sky
map2 = filtered
map3 = map
map4 = packed
map5 = numbers
map6 = more
table = table
table2 = ecsv
expression = map + map2 + map3 + map4 + map5 + map6 + max(table.RR) + max(table2.RR)
[measured]
stage = map2alm
map = all
lmax = 8
ring-weights = rings.txt
$(spectrum spectra measured)
$(input matrix matrix matrix.fits)
[decoupled]
stage = decouple
cl = spectra
coupling = matrix
delta-l = 4
[powers]
stage = collect
input = decoupled.table
$(output result table powers.table powers.ecsv)
[mean]
stage = collect
input = all
$(input last map last.fits)
[difference]
stage = combine
input = mean.mean
input2 = last
input3 = map
weights = 1, -1, 1
$(output after map difference difference.fits)
$(input later cl later.fits)
$(output constant cl later constant.fits)
END
sed -e "s/^repeat = 200/repeat = 1/; /^\\[powers\\]/,\$d" each.workflow > only.workflow
output out map all out.fits >> only.workflow
output table-out table decoupled.table powers.ecsv >> only.workflow

# traced COMMAND...: with its calls in the files of the folder calls
traced () { rm -rf calls ./*-out.fits; mkdir calls; strace -ff -o calls/of -e trace=open,openat "$@"; }
# opened LEAST MOST FILE...: each of these was opened so often
opened ()
{
  least=$1 most=$2
  shift 2
  for file; do
    n=$(cat calls/of.* | grep -c "[\"/]$file\"")
    [ "$n" -ge "$least" ] && [ "$n" -le "$most" ] || { echo "$file: opened $n times"; return 1; }
  done
}
described="text.dat alm.fits beam.txt rings.txt cl.fits map.fits packed.fits.gz points.csv points.fits matrix.fits"
tables="table.fits table.ecsv"
after="last.fits later.fits"
# shellcheck disable=SC2086
once () { traced "$@" && opened 1 1 $described $tables; }
# shellcheck disable=SC2086
once_all () { once "$@" && opened 1 1 $after; }
# shellcheck disable=SC2086
checked () { traced "$armilla" check "$1" && opened 1 1 $described && opened 0 1 $tables; }

ok "one sky" once "$armilla" run --quiet only.workflow
rm -f out.fits powers.ecsv
for n in 2 200; do
  ok "$n realisations and what comes after them" once_all "$armilla" run --quiet --set workflow.repeat=$n each.workflow
  rm -f difference.fits constant.fits powers.ecsv
done
ok "one by one" once_all "$armilla" run --quiet --set workflow.repeat=20 --set workflow.together=1 each.workflow
rm -f difference.fits constant.fits powers.ecsv
ok "a sweep" once_all "$armilla" run --quiet --set workflow.repeat=2 --set 'workflow.sweep=draw.seed: 1, 2' \
  --set 'result.file=powers-${draw.seed}.ecsv' --set 'constant.file=constant-${draw.seed}.fits' --set 'after.file=difference-${draw.seed}.fits' each.workflow
rm -f difference-* constant-* powers-*

# Data that are the same in all realisations are read again where they take more than a quarter of the memory, and
# with checkpoints, for which a file is summed up, too.
ok "without room for the data" once_all env ARMILLA_MEMORY="1 MiB" "$armilla" run --quiet --set workflow.repeat=5 each.workflow
rm -f difference.fits constant.fits powers.ecsv
# shellcheck disable=SC2086
checkpointed () { traced "$@" && opened 1 2 $described $tables $after; }
ok "with checkpoints" checkpointed "$armilla" run --quiet --set workflow.repeat=5 --set "workflow.checkpoint=1 s" each.workflow
rm -f difference.fits constant.fits powers.ecsv

# Inputs that differ from realisation to realisation: all are tried before the first one. What is made after the last
# one has the shapes of the first.
for i in 0 1 2 3 4; do
  for file in alm.fits map.fits points.csv points.fits text.dat beam.txt table.ecsv; do cp $file "$i-$file"; done
done
sed -e 's/^repeat = 200/repeat = 5/' -e 's/^file = \(alm\.fits\|map\.fits\|points\..*\|text\.dat\|table\.ecsv\)$/file = ${index}-\1/' \
  -e 's/^beam = /beam = ${index}-/' -e '/^\[difference\]/,/^\[/{/^input3/d; s/, 1$//}' each.workflow > own.workflow
own=$(for i in 0 1 2 3 4; do echo $i-alm.fits $i-map.fits $i-points.csv $i-points.fits $i-text.dat $i-beam.txt $i-table.ecsv; done)
# shellcheck disable=SC2086
own_once () { traced "$@" && opened 1 1 $own $after packed.fits.gz cl.fits; }
ok "each realisation has its own" own_once "$armilla" run --quiet own.workflow
rm -f difference.fits constant.fits powers.ecsv
ok "one by one" own_once "$armilla" run --quiet --set workflow.together=1 own.workflow
rm -f difference.fits constant.fits powers.ecsv
# with a limit that is too small for all of them, some are opened again
few_files () { traced sh -c 'ulimit -n 80 && exec "$@"' sh "$@" && opened 1 3 $own; }
ok "few open files" few_files "$armilla" run --quiet own.workflow
rm -f difference.fits constant.fits powers.ecsv
sed 's/{index}-/{draw.seed}-/' own.workflow > point.workflow
# shellcheck disable=SC2086
points_once () { traced "$@" && opened 1 1 $(echo "$own" | grep '^[12]-') $after packed.fits.gz cl.fits; }
ok "each point of a sweep has its own" points_once "$armilla" run --quiet --set 'workflow.sweep=draw.seed: 1, 2' \
  --set 'result.file=powers-${draw.seed}.ecsv' --set 'constant.file=constant-${draw.seed}.fits' --set 'after.file=difference-${draw.seed}.fits' point.workflow
rm -f difference-* constant-* powers-*
ok "what is wrong with one that comes after them" gives 2 "after the last realisation: fields = Q" "$armilla" check \
  --set last.fields=Q each.workflow
ok "check" checked each.workflow
ok "check of one sky" checked only.workflow
if has_ranks; then
  # shellcheck disable=SC2086
  by_ranks ()
  {
    rm -rf calls difference.fits constant.fits powers.ecsv
    mkdir calls
    ranks 2 strace -ff -o calls/of -e trace=open,openat "$armilla" run --quiet --set workflow.deal="$1" \
      --set workflow.repeat=8 each.workflow && opened 1 2 $described $tables $after
  }
  for deal in blocks realisations; do ok "each of two ranks, $deal" by_ranks $deal; done
else
  skip "each of two ranks" "built without MPI, or no mpirun"
fi
finish
