#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How far forecasts are off on this machine: rates are taken from a traced run on one core, and runs on
# one core, two workers, two ranks and four ranks (of one core each) are compared with what armilla plan
# says of them.
# usage: [NSIDE=512] tests/planning/measure-forecast.sh   (from the build folder)
set -eu
armilla=$PWD/armilla
nside=${NSIDE:-512}
repeats=${REPEATS:-3}
room=$(mktemp -d "${TMPDIR:-/tmp}/armilla-forecast-XXXXXX")
trap 'rm -rf "$room"' EXIT
cd "$room"
STARPU_SILENT=1
STARPU_WORKERS_NOBIND=1
TMPDIR=$room
export STARPU_SILENT STARPU_WORKERS_NOBIND TMPDIR

awk -v l="$((2 * nside))" 'BEGIN { for (i = 0; i <= l; i++) print i, 1 }' > flat.dat
cat > a.workflow << END
[workflow]
repeat = 4
deal = blocks
overwrite = true
[flat]
stage = read-cl
file = flat.dat
[draw]
stage = random-alm
cl = flat
seed = 7
lmax = $((2 * nside))
[sky]
stage = alm2map
alm = draw
nside = $nside
[back]
stage = map2alm
map = sky
lmax = $((2 * nside))
iterations = 0
[spectrum]
stage = alm2cl
alm = back
[out]
stage = write-cl
cl = spectrum
file = out-\${index}.fits
END

# node WORKERS: the file of a node
node ()
{
  sed "s/^workers = .*/workers = $1/; s/^bandwidth = .*/bandwidth = 5 GB\/s/; s/^latency = .*/latency = 1 us/
    s/^message = .*/message = 60 us/" rates
}

# seconds WORKERS RANKS: the shortest of some runs
seconds ()
{
  for i in $(seq "$repeats"); do
    if [ "$2" = 1 ]; then
      STARPU_NCPU=$1 "$armilla" run a.workflow
    else
      STARPU_NCPU=$1 mpirun -q --oversubscribe --bind-to none -n "$2" "$armilla" run a.workflow
    fi 2>&1 | sed -n 's/^done in \(.*\) s$/\1/p'
  done | sort -n | head -n 1
}

STARPU_NCPU=1 "$armilla" run --quiet --trace t.json a.workflow
"$armilla" plan --measure t.json > rates
echo "workers ranks run forecast error"
for case in '1 1' '2 1' '1 2' '1 4'; do
  set -- $case
  node "$1" > n.node
  run=$(seconds "$1" "$2")
  plan=$("$armilla" plan a.workflow --nodes "$2xn.node" --json | sed 's/.*"seconds": \([^,]*\).*/\1/')
  awk -v w="$1" -v r="$2" -v a="$run" -v b="$plan" 'BEGIN {
    printf "%d %d %.2f %.2f %+.0f%%\n", w, r, a, b, 100 * (b / a - 1) }'
done
