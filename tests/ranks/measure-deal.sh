#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How well a batch is dealt to two ranks of one core each, one of which has two competing processes
# on its core and so a third of its speed. Not a test: to be run on a machine that does nothing
# else, in the build folder. Parts, all of them where none is named, each some 20 s:
#   ideal     each rank on its own, and so the ideal split and what equal shares would take
#   halves    the same half of the realisations for each rank, as two runs at once
#   whole     whole realisations, dealt while the run goes on
#   equal     shared realisations, blocks dealt alike: ARMILLA_SPEEDS="1 1" ARMILLA_MIGRATE=off
#   start     the same, blocks dealt by the speeds that ranks had at the start
#   auto      the same, blocks dealt anew while the run goes on
#   late-whole, late-off, late-auto
#             twice as many; the competing processes begin after 4 s
#
# [FAST=2] [SLOW=3] [N=40] tests/ranks/measure-deal.sh [PART...]

fast=${FAST:-2}
slow=${SLOW:-3}
n=${N:-40}
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

# hog [AFTER]: two processes on the slow core, after so many seconds
hog ()
{
  for _ in 1 2; do
    # shellcheck disable=SC2016
    taskset -c "$slow" sh -c 'sleep "$1"; while :; do :; done' - "${1:-0}" &
    hogs="$hogs $!"
  done
}

# shellcheck disable=SC2086
no_hog () { kill $hogs; hogs=; }

# seconds WORDS...: how long a run says it took
seconds () { "$@" > log 2>&1; awk '/^done in/ { print $3 }' log; }

# one CORE N: N realisations on one core
one () { seconds taskset -c "$1" "$armilla" run --overwrite batch.workflow --set workflow.repeat="$2"; }

# both N DEAL SPEEDS MIGRATE: the batch on two ranks
both ()
{
  if [ -n "$3" ]; then
    ARMILLA_SPEEDS=$3
    export ARMILLA_SPEEDS
  else
    unset ARMILLA_SPEEDS
  fi
  # shellcheck disable=SC2016
  ARMILLA_MIGRATE=$4 seconds mpirun -q --bind-to none -n 2 sh -c '
    core=$1; [ "$OMPI_COMM_WORLD_RANK" = 1 ] && core=$2; shift 2; exec taskset -c "$core" "$@"' - \
    "$fast" "$slow" "$armilla" run --overwrite --trace both.json --set workflow.repeat="$1" \
    --set workflow.deal="$2" batch.workflow
  grep 'by rank' log >&2
  [ -z "$DECISIONS" ] || grep -o '"ts":[0-9.]*,"args":{"decision":"[^"]*"' both.json >&2
}

# loaded PART DEAL SPEEDS MIGRATE; late PART DEAL MIGRATE
loaded ()
{
  hog
  printf '%s: %s s\n' "$1" "$(both "$n" "$2" "$3" "$4")"
  no_hog
}

late ()
{
  hog 4
  printf '%s: %s s\n' "$1" "$(both $((2 * n)) "$2" '' "$3")"
  no_hog
}

halves ()
{
  mkdir -p other && cp theory.dat batch.workflow other
  hog
  (cd other && one "$fast" $((n / 2)) > quick) &
  quick=$!
  printf 'halves: %s s on the other core' "$(one "$slow" $((n / 2)))"
  wait $quick
  no_hog
  printf ', %s s on the free one\n' "$(cat other/quick)"
}

ideal ()
{
  one "$fast" 1 > /dev/null
  quick=$(one "$fast" 10)
  hog
  half=$(one "$slow" $((n / 4)))
  no_hog
  awk -v n="$n" -v quick="$quick" -v half="$half" 'BEGIN {
    v = 10 / quick; w = int (n / 4) / half; ideal = n / (v + w)
    printf "realisations a second: %.2f on the free core, %.2f on the other (%.2f of it)\n", v, w, w / v
    printf "ideal split of %d: %.2f s; equal shares: %.2f s (%+.0f %%)\n", n, ideal, n / 2 / w,
           100 * (n / 2 / w / ideal - 1) }'
}

for part in "${@:-all}"; do
  case $part in ideal | all) ideal ;; esac
  case $part in halves | all) halves ;; esac
  case $part in whole | all) loaded whole realisations '' auto ;; esac
  case $part in equal | all) loaded equal blocks '1 1' off ;; esac
  case $part in start | all) loaded start blocks '' off ;; esac
  case $part in auto | all) loaded auto blocks '' auto ;; esac
  case $part in late-whole | all) late late-whole realisations auto ;; esac
  case $part in late-off | all) late late-off blocks off ;; esac
  case $part in late-auto | all) late late-auto blocks auto ;; esac
done
