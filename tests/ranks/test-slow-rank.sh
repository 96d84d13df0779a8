#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One of two ranks becomes slow in the middle of a run of 48 realisations, since it is stopped and
# continued in turn: it gets fewer realisations than the other, and the results have the bits of a
# run on one rank. TAP.
#
#   tests/ranks/test-slow-rank.sh measure [ROUNDS]
#
# in the build folder, on a machine with two cores that does nothing else, says how long a run with
# a rank of a third of its speed takes over the ideal: skies of nside 512, both ranks alike to the
# middle of the run; after that the rest takes 2 / (1 + 1/3) times as long.

. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
nside=64
ran=0.01 stopped=0.09  # s in turn
[ "${1-}" = measure ] && nside=512 ran=0.02 stopped=0.04
[ "${1-}" = measure ] || export STARPU_NCPU=1

cat > "$room/skies.workflow" << END
[workflow]
repeat = 48
deal = realisations
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = $((2 * nside))
$(synthesis sky draw "$nside")
$(analysis alm sky "$((2 * nside))")
iterations = $([ "$nside" = 64 ] && echo 20 || echo 0)
$(spectrum power alm)
[all]
stage = collect
input = power
$(output out cl all.mean mean.fits)
END
awk 'BEGIN { for (l = 0; l <= 1100; l++) print l, 1 / (l + 1) }' > "$room/flat.dat"

# both: two ranks, their numbers in pid.0 and pid.1
both ()
{
  rm -f pid.0 pid.1
  # shellcheck disable=SC2016
  $mpirun -n 2 sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec "$@"' - \
    "$armilla" run --overwrite ../skies.workflow > said 2>&1
}

# slow: stops and continues rank 1 as long as it is there. It is left alone in its last moments, as
# long as it takes to see that it has ended.
slow ()
{
  while kill -STOP "$1" 2> /dev/null; do
    sleep $stopped
    kill -CONT "$1" 2> /dev/null
    sleep $ran
  done
}

# begun N: waits until the realisation of that number was dealt
begun ()
{
  until grep -q "^realisation $1 of" said 2> /dev/null; do
    grep -q '^done in' said 2> /dev/null && return
    sleep 0.01
  done
}

# slowed WHEN...: a run whose rank 1 becomes slow after that command
slowed ()
{
  rm -f said
  both &
  running=$!
  "$@"
  slow "$(cat pid.1)" &
  wait $running
  status=$?
  wait
  return $status
}

# seconds: how long the run says that it took
seconds () { awk '/^done in/ { print $3 }' said; }

if [ "${1-}" = measure ]; then
  enter measured
  for _ in $(seq "${2:-3}"); do
    both || exit 1
    alike=$(seconds)
    slowed sleep "$(awk -v s="$alike" 'BEGIN { print s / 2 }')" || exit 1
    awk -v alike="$alike" -v slow="$(seconds)" -v dealt="$(grep 'by rank' said)" 'BEGIN {
      printf "alike %.2f s; slowed %.2f s, %.2f times the ideal; %s\n", alike, slow,
             slow / (1.25 * alike), dealt }'
  done
  exit
fi

# fewer: rank 1 got less than rank 0
fewer () { awk '/^realisations by rank:/ { print; exit !($4 + $5 == 48 && $5 < $4) }' said; }

enter alone
ok "a run on one rank" run ../skies.workflow
enter slowed
ok "a run on two, of which one becomes slow" slowed begun 10
ok "that one gets fewer realisations" fewer
ok "the same bits" cmp mean.fits ../alone/mean.fits
finish
