#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGKILL at random moments of runs that take half a minute, over and over, in steps: a step goes on
# where the last one ended. Not a test, as 100 kills take an hour; to be run in the build folder:
#
#   FOLDER=/var/tmp/kills [RANKS=1] [REALISATIONS=480] [LMAX=500] [OPTIONS=...] \
#     tests/run/kill-long.sh WHOM SECONDS
#
# WHOM is "one" of the ranks, or "all" of them and mpirun; "none" ends what is left. FOLDER is for
# these ranks and sizes, and stays. A run is killed at any moment, what is left of it is resumed and
# killed at any moment of that, and so on; what comes to an end is compared with the undisturbed
# run, and begun anew. After every fourth kill a byte of a journal is flipped: that must be refused.
# FOLDER/log has a line for every kill, refusal and end; FOLDER/failed says what went wrong, if
# anything did, and ends all steps.

build=$(pwd)
source=$(cd "${srcdir:-.}" && pwd)
whom=$1
stop=$(($(date +%s) + ${2:-0}))
ranks=${RANKS:-1}
realisations=${REALISATIONS:-480}
case $whom$ranks in
  all[1-9]* | one[2-9]* | none[1-9]*) ;;
  *) echo "usage: kill-long.sh all|one|none SECONDS; one of at least 2 ranks" >&2; exit 2 ;;
esac
mkdir -p "$FOLDER/plain/out" "$FOLDER/killed/out" && cd "$FOLDER" || exit 99
# shellcheck source=tests/lib/rank-functions.sh
. "$source/tests/lib/rank-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
STARPU_NCPU=1
export STARPU_NCPU
set --
[ "$ranks" -gt 1 ] && set -- mpirun --oversubscribe --bind-to none -n "$ranks"
# shellcheck disable=SC2086
set -- "$@" "$build/armilla" run --quiet --resume $OPTIONS ../many.workflow

note () { echo "$(date -u +%H:%M:%S) $*" >> ../log; }

failed ()
{
  cat said
  echo "$*" | tee ../failed
  exit 1
}

# begin: anew
begin ()
{
  rm -rf out
  mkdir out
}

# refused COMMAND...: with a byte of a journal flipped it fails, with one message
refused ()
{
  file=$(find out -name 'many.journal*' ! -name '*.part' | shuf -n 1)
  [ -n "$file" ] || return 0
  # In the last line it may look like a line that a kill cut short.
  length=$(sed '$d' "$file" | wc -c)
  [ "$length" -gt 0 ] || return 0
  cp -p "$file" kept
  offset=$(($(random) % length))
  flip "$file" "$offset"
  "$@" > said 2>&1 && failed "byte $offset of $length of $file flipped: it runs"
  [ "$(grep -c damaged said)" -eq 1 ] || failed "byte $offset of $file flipped: no message"
  cp -p kept "$file"
  note "refused: byte $offset of $length of $file flipped"
}

if [ -e failed ]; then
  echo "$FOLDER/failed is there" >&2
  exit 1
fi
if [ ! -e time ]; then
  many_workflow "$realisations" "${LMAX:-500}" > many.workflow
  theory > theory.dat
  cd plain || exit 99
  time=$(hundredths "$@")
  rm -f out/many.journal
  [ "$(find out -type f | wc -l)" -eq $((2 * realisations)) ] || failed "the undisturbed run fails"
  cd ..
  echo "$time" > "time"
  echo "undisturbed: $time hundredths of a second" >> log
fi
time=$(cat time)
cd killed || exit 99
if [ "$whom" = none ]; then
  "$@" > said 2>&1 || failed "it does not come to an end"
  same || failed "another result"
  note "ended by itself"
  begin
  exit
fi
while [ "$(date +%s)" -lt "$stop" ]; do
  # Outputs that are there are not made again; it takes half a second to begin.
  left=$((2 * realisations - $(find out -name '*.fits' | wc -l)))
  after=$(($(random) % (time * left / (2 * realisations) + 50)))
  began=$(date +%s%N)
  if run_and_kill $after "$whom" "$@"; then
    took=$((($(date +%s%N) - began) / 10000000))
    same || failed "another result"
    note "ended after $took"
    begin
  else
    # Which rank was killed, and how, is for mpirun to say.
    told=$(grep -c '^armilla:' said)
    [ "$told" -eq 0 ] || failed "a message of Armilla's"
    note "killed $whom of $ranks after $after, with $left outputs to make; messages: $told"
    kills=$(grep -c killed ../log)
    [ $((kills % 4)) -ne 0 ] || refused "$@"
  fi
done
