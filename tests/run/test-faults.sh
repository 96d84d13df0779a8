#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of the C library that fail: the run comes to a right end, or says why it does not, leaves
# nothing that is not whole, and never hangs. What is no file is refused at once, and one signal ends
# a run that is stuck. Here some calls of each kind; tests/run/faults-long.sh takes all. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/fault-functions.sh
. "$source/tests/lib/fault-functions.sh"
can_preload "$faulty" || skip_all "built with a sanitizer, or without shared libraries"
# A critical message of a library that has no memory is no mistake of ours.
unset G_DEBUG

# sample CALL WORKFLOW RANKS COUNT [LATER]: about COUNT of the calls fail, in a run each
sample ()
{
  last=$(count_calls "$1" "$2" "$3") || { cat said; return 1; }
  step=$((last / $4 + 1))
  n=$((last % step + 1))
  while [ $n -le "$last" ]; do
    endures "$1" "$n$5" "$2" "$3" || { echo "call $n of $last"; cat said; return 1; }
    n=$((n + step))
  done
}

ok "three workflows without a fault" prepare
for call in $calls; do
  for workflow in harmonics smooth pairs; do
    ok "$call fails, $workflow" sample "$call" $workflow 1 3
  done
done
# By the way to it, a call of malloc is the same in every run: the first one by each of a few ways.
by_path ()
{
  list_paths pairs 1 | grep '^1@' > points || return 1
  n=$(wc -l < points)
  [ "$n" -gt 500 ] || { echo "$n ways to malloc are too few"; return 1; }
  for point in $(awk -v step=$((n / 5)) 'NR % step == 0' points); do
    endures malloc "$point" pairs 1 || { echo "$point"; cat said; return 1; }
    [ "$ended" = failed ] && failed_by_path=$((failed_by_path + 1))
  done
  [ "$failed_by_path" -ge 3 ] || { echo "only $failed_by_path failed"; return 1; }
}
failed_by_path=0
ok "malloc fails by a path, pairs" by_path
ok "no thread from one on" sample thread harmonics 1 4 +
ok "no memory from one call on" sample malloc smooth 1 6 +
ok "the first thread of ours is missed in words" \
  sh -c "! FAULTY_CALL=thread FAULTY_NUMBER=1 LD_PRELOAD=$faulty '$armilla' run pairs.workflow --overwrite 2> said \
         && grep -q 'waits for Ctrl-C cannot be started' said"
if has_ranks; then
  for call in malloc open read write fsync rename link; do
    ok "$call fails on a rank" sample $call harmonics 2 2
  done
  ok "no memory on a rank" sample malloc harmonics 2 2 +
fi

# --- What is stuck ends when it is asked to

# stuck RANK LAUNCHER...: the first fsync of that rank does not return; one SIGTERM, to rank 0
stuck ()
{
  rank=$1
  shift
  rm -rf out
  mkdir out
  rm -f count
  FAULTY_CALL=fsync FAULTY_NUMBER=1 FAULTY_HANGS=1 FAULTY_RANK=$rank FAULTY_COUNT=$room/count \
    LD_PRELOAD=$faulty "$@" "$armilla" run --quiet harmonics.workflow > said 2>&1 &
  pid=$!
  for _ in $(seq 600); do
    calls=$(od -An -td8 count 2> /dev/null | tr -d ' ')
    [ "${calls:-0}" -ge 1 ] && break # other threads may have come by meanwhile
    kill -0 $pid 2> /dev/null || break
    sleep 0.1
  done
  above=$(launcher $pid)
  victim=$pid
  # shellcheck disable=SC2046
  [ -z "$above" ] || victim=$(children "$above" | tr -s ' ' '\n' | head -n 1)
  kill -TERM "$victim"
  for _ in $(seq 600); do
    kill -0 $pid 2> /dev/null || break
    sleep 0.1
  done
  if kill -0 $pid 2> /dev/null; then
    kill_all $pid
    echo "it goes on"
    return 1
  fi
  wait $pid
  status=$?
  cat said
  grep -q 'still running 10 s after SIGTERM; it waits for .*; killed$' said || return 1
  [ -z "$(find out -name '.*.tmp')" ]
}

# A rank that a library ends at once is no rank that somebody killed.
ended_at_once ()
{
  rm -rf out
  mkdir out
  # shellcheck disable=SC2086
  fails 'was ended at once by a library' $mpirun -n 2 env FAULTY_CALL=fsync \
    FAULTY_NUMBER=1 FAULTY_EXITS=1 FAULTY_RANK=1 LD_PRELOAD="$faulty" \
    "$armilla" run --quiet harmonics.workflow
}

# FAULTY_RANK would be looked for in a process that is none.
alone () { unset rank; stuck "" env -u FAULTY_RANK && [ $status -eq 143 ]; }
ok "one SIGTERM ends a run that is stuck, as the signal would" alone
if has_ranks; then
  # shellcheck disable=SC2086
  ok "and one of two ranks" stuck 1 $mpirun -n 2
  ok "a rank that a library ends says so" ended_at_once
fi

# --- What is no file

# refused STATUS PATTERN COMMAND...: at once, with a message
refused () { status=$1; pattern=$2; shift 2; ends "$status" timeout -k 5 60 "$@" && matches "$pattern"; }

mkfifo pipe
for what in pipe /dev/zero . ; do
  case $what in
    pipe) kind='it is a pipe' ;;
    /dev/zero) kind='it is a device' ;;
    *) kind='it is a folder' ;;
  esac
  ok "input: $what" refused 1 "$kind" "$armilla" run --set sky.file=$what smooth.workflow
  printf '[workflow]\ninclude = %s\n' $what > include.workflow
  ok "include: $what" refused 2 "$kind" "$armilla" check include.workflow
  ok "workflow: $what" refused 2 "$kind" "$armilla" check $what
  ok "trace: $what" refused 2 "$kind" "$armilla" trace $what
  ok "node file: $what" refused 2 "$kind" "$armilla" plan --nodes 1x$what smooth.workflow
  ok "table: $what" refused 1 "$kind" "$armilla" run --set harmonics.table=$what smooth.workflow
done
rm -rf out
mkdir -p out
mkfifo out/harmonics.journal
ok "journal: a pipe" refused 1 'journal .*it is a pipe' "$armilla" run harmonics.workflow
rm out/harmonics.journal
mkdir out/harmonics.journal
ok "journal: a folder" refused 1 'journal .*it is a folder' "$armilla" run harmonics.workflow
finish
