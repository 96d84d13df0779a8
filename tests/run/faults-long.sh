#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the first, second, ... call of a function fail, in one run each. Not a test, as that takes
# hours; to be run in the build folder:
#
#   [FIRST=1] [STEP=1] [LATER=+] [VICTIM=1] tests/run/faults-long.sh FOLDER WORKFLOW RANKS [CALL...]
#
# WORKFLOW is harmonics, smooth or pairs; FOLDER is made. With LATER=+ all later calls fail, too. Of
# several RANKS, the calls of rank VICTIM fail. There are too many calls of malloc: the CALL paths is
# the first and the last one by each way that the program takes to it (of twelve callers), all
# others of the same way being what these two are.
# A line tells of every run that went wrong, and the last one of a CALL how many ended how.

build=$(pwd)
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
armilla=$build/armilla
room=$1
workflow=$2
ranks=$3
shift 3
RANKS_LIMIT=${RANKS_LIMIT:-60}
# shellcheck source=tests/lib/rank-functions.sh
. "$source/tests/lib/rank-functions.sh"
# shellcheck source=tests/lib/workflow-functions.sh
. "$source/tests/lib/workflow-functions.sh"
# shellcheck source=tests/lib/fault-functions.sh
. "$source/tests/lib/fault-functions.sh"
# shellcheck source=tests/lib/environment.sh
. "$source/tests/lib/environment.sh"
unset G_DEBUG
mkdir -p "$room" && cd "$room" && prepare || exit 1

# list_points CALL: which calls fail, one a line
list_points ()
{
  if [ "$1" = paths ]; then
    list_paths "$workflow" "$ranks"
  else
    last=$(count_calls "$1" "$workflow" "$ranks") && seq "$last"
  fi
}

for call in ${*:-paths $calls}; do
  right=0 failed=0 wrong=0 n=0
  [ -e "points-$call" ] || list_points "$call" > "points-$call" || exit 1
  while read -r point <&3; do
    n=$((n + 1))
    [ "$n" -ge "${FIRST:-1}" ] && [ $(((n - ${FIRST:-1}) % ${STEP:-1})) -eq 0 ] || continue
    if endures "$(echo "$call" | sed s/paths/malloc/)" "$point${LATER-}" "$workflow" "$ranks" > why
    then
      [ $ended = right ] && right=$((right + 1)) || failed=$((failed + 1))
    else
      wrong=$((wrong + 1))
      echo "$workflow, $ranks ranks, $call $point${LATER-}: $(cat why) (status $status): $(tail -n 1 said)"
    fi
  done 3< "points-$call"
  echo "$workflow, $ranks ranks, $call${LATER-}: of $n, right $right, failed $failed, wrong $wrong"
done
