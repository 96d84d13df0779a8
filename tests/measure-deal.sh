#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How well realisations are dealt to two ranks of one core each, one of which has two competing
# processes on its core and so a third of its speed. Not a test: to be run on a machine that does
# nothing else, in the build folder.
#
# tests/measure-deal.sh [FREE-CORE SLOW-CORE [REALISATIONS]]

fast=${1:-2}
slow=${2:-3}
n=${3:-40}
armilla=$(pwd)/armilla
room=$(mktemp -d "${TMPDIR:-/tmp}/armilla-deal-XXXXXX") || exit 99
hogs=
# shellcheck disable=SC2086,SC2317
clean () { [ -n "$hogs" ] && kill $hogs; rm -rf "$room"; }
trap clean EXIT
cd "$room" || exit 99
STARPU_NCPU=1
export STARPU_NCPU
awk 'BEGIN { for (l = 0; l <= 600; l++) print l, 1 / (l + 1) }' > theory.dat
cat > batch.workflow << END
[theory]
stage = read-cl
file = theory.dat
[draw]
stage = random-alm
cl = theory
seed = 7
lmax = 512
[sky]
stage = alm2map
alm = draw
nside = 256
[harmonics]
stage = map2alm
map = sky
lmax = 512
iterations = 3
[power]
stage = alm2cl
alm = harmonics
[cl]
stage = write-cl
cl = power
file = cl-\${index}.fits
END

hog ()
{
  for _ in 1 2; do
    taskset -c "$slow" sh -c 'while :; do :; done' &
    hogs="$hogs $!"
  done
}

# shellcheck disable=SC2086
no_hog () { kill $hogs; hogs=; }

# seconds WORDS...: how long a run says it took
seconds () { "$@" 2>&1 | tee -a log | awk '/^done in/ { print $3 }'; }

# one CORE N: N realisations on one core
one () { seconds taskset -c "$1" "$armilla" run --overwrite batch.workflow --set workflow.repeat="$2"; }

# both [OPTION...]: the batch on two ranks
both ()
{
  # shellcheck disable=SC2016
  seconds mpirun -q --bind-to none -n 2 sh -c '
    core=$1; [ "$OMPI_COMM_WORLD_RANK" = 1 ] && core=$2; shift 2; exec taskset -c "$core" "$@"' - \
    "$fast" "$slow" "$armilla" run --overwrite --set workflow.repeat="$n" "$@" batch.workflow
}

one "$fast" 1 > /dev/null
quick=$(one "$fast" 10)
hog
half=$(one "$slow" $((n / 2)))
dealt=$(both)
no_hog
(sleep 4; echo) | { read -r _; taskset -c "$slow" timeout 60 sh -c 'while :; do :; done' & echo $! > a
                    taskset -c "$slow" timeout 60 sh -c 'while :; do :; done' & echo $! > b; } &
late=$(both --trace late.json --set workflow.repeat=$((2 * n)))
kill "$(cat a)" "$(cat b)" 2> /dev/null
awk -v n="$n" -v quick="$quick" -v half="$half" -v dealt="$dealt" -v late="$late" 'BEGIN {
  v = 10 / quick; w = n / 2 / half; ideal = n / (v + w)
  printf "realisations a second: %.2f on the free core, %.2f on the other (%.2f of it)\n", v, w, w / v
  printf "ideal split of %d: %.2f s\nequal deal: %.2f s (%+.0f %%)\n", n, ideal, half,
         100 * (half / ideal - 1)
  printf "dealt: %.2f s (%+.0f %%)\n%d with load from 4 s on: %.2f s\n", dealt,
         100 * (dealt / ideal - 1), 2 * n, late
}'
grep 'by rank' log
grep -o '"ts":[0-9.]*,"args":{"decision":"[^"]*"' late.json
