#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the first, second, ... call of a function fail, in one run each. Not a test, as that takes
# hours; to be run in the build folder:
#
#   [FIRST=1] [STEP=1] [LATER=+] [VICTIM=1] tests/run/faults-long.sh FOLDER WORKFLOW RANKS [CALL...]
#
# WORKFLOW is harmonics, smooth or pairs; FOLDER is made. With LATER=+ all later calls fail, too. Of
# several RANKS, the calls of rank VICTIM fail. A line tells of every run that went wrong, and the
# last one of a CALL how many ended how.

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
mkdir -p "$room" && cd "$room" && prepare 128 256 100000 || exit 1

for call in ${*:-$calls}; do
  right=0 failed=0 wrong=0 n=0
  last=$(count_calls "$call" "$workflow" "$ranks") || exit 1
  for point in $(seq "${FIRST:-1}" "${STEP:-1}" "$last"); do
    n=$((n + 1))
    if endures "$call" "$point${LATER-}" "$workflow" "$ranks" > why
    then
      [ $ended = right ] && right=$((right + 1)) || failed=$((failed + 1))
    else
      wrong=$((wrong + 1))
      echo "$workflow, $ranks ranks, $call $point${LATER-}: $(cat why) (status $status): $(tail -n 1 said)"
    fi
  done
  echo "$workflow, $ranks ranks, $call${LATER-}: of $n, right $right, failed $failed, wrong $wrong"
done
