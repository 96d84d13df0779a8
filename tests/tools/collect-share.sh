#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What collect costs: 1,000 skies of nside 64 up to lmax 3 nside - 1, with and without it, in turn.
# From the top of the build tree, on a quiet machine: collect-share.sh [SKIES [NSIDE [LMAX [TURNS]]]].
# Prints seconds, those of processors, and the largest resident size of each run, then the share that
# collect has of the run with it, from the least of each: all else makes them longer. Then, of runs
# with a trace, the share of its tasks and of the files behind it in what all workers and I/O threads
# did, which depends less on what else the machine does.
set -eu
armilla=$(pwd)/armilla
skies=${1:-1000}
nside=${2:-64}
lmax=${3:-$((3 * nside - 1))}
turns=${4:-9}
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
lmax = $lmax
[sky]
stage = alm2map
alm = draw
nside = $nside
[measure]
stage = map2alm
map = sky
lmax = $lmax
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
for turn in $(seq "$turns"); do
  for kind in without with; do
    /usr/bin/time -f '%e %U %S %M' -o time.txt "$armilla" run --quiet --overwrite $kind.workflow
    awk -v kind=$kind -v turn="$turn" '{
      printf "%s, turn %d: %s s, of processors %.2f s, %s KiB\n", kind, turn, $1, $2 + $3, $4
      print $1 >> (kind ".seconds"); print $2 + $3 >> (kind ".processors") }' time.txt
  done
done
for what in seconds processors; do
  awk -v a="$(sort -g without.$what | head -n 1)" -v b="$(sort -g with.$what | head -n 1)" -v what=$what \
    'BEGIN { printf "collect takes %.1f %% of the %s\n", 100 * (b - a) / b, what }'
done
for turn in 1 2 3; do
  "$armilla" run --quiet --overwrite --trace trace.json with.workflow
  "$armilla" trace trace.json | awk '/^\[/ { all += $5; if (/ (collect|write-map|write-table) /) own += $5 }
    END { printf "its tasks: %.3f s of %.2f s, %.1f %%\n", own, all, 100 * own / all }'
done
