#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What collect costs: 1,000 skies of nside 64 with and without it, in turn, three times. From the
# top of the build tree, on a quiet machine: collect-share.sh [SKIES [NSIDE]]. Prints seconds and
# the largest resident size of each run, then the share that collect has of the run with it, from
# the shortest of each.
set -eu
armilla=$(pwd)/armilla
skies=${1:-1000}
nside=${2:-64}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
awk 'BEGIN { for (l = 0; l <= 400; l++) print l, l < 2 ? 0 : 1 / (l * l) }' > theory.dat
cat > without.workflow << END
[workflow]
repeat = $skies
[theory]
stage = read-cl
file = theory.dat
[draw]
stage = random-alm
cl = theory
lmax = 2*$nside
[sky]
stage = alm2map
alm = draw
nside = $nside
[measure]
stage = map2alm
map = sky
lmax = 2*$nside
[power]
stage = alm2cl
alm = measure
END
{
  cat without.workflow
  cat << END
[skies]
stage = collect
input = sky
[spectra]
stage = collect
input = power
[scatter]
stage = write-map
map = skies.error
file = scatter.fits
[means]
stage = write-table
table = spectra.table
file = means.ecsv
END
} > with.workflow
for turn in 1 2 3; do
  for kind in without with; do
    /usr/bin/time -f '%e s, %M KiB' -o time.txt "$armilla" run --quiet --overwrite $kind.workflow
    echo "$kind, turn $turn: $(cat time.txt)"
    cut -d ' ' -f 1 time.txt >> $kind.seconds
  done
done
least () { sort -g "$1.seconds" | head -n 1; }
awk -v a="$(least without)" -v b="$(least with)" \
  'BEGIN { printf "collect takes %.1f %% of the run\n", 100 * (b - a) / b }'
