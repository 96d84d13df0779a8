#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Calls of the C library that fail: the run comes to a right end, or says why it does not, leaves
# nothing that is not whole, and never hangs. What is no file is refused at once, and one signal ends
# a run that is stuck. Here some calls of each kind; tests/run/faults-long.sh takes all. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/fault-functions.sh
. "$source/tests/lib/fault-functions.sh"
can_preload "$faulty" || skip_all "built with a sanitizer, or without shared libraries"
# Critical messages of libraries whose calls fail are not errors of the program.
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

# Allocations of more than 1 MiB end in an error: large maps and catalogues need some.
mkdir large && cd large && room=$room/large || exit 1
ok "three large workflows without a fault" prepare 128 256 100000
for workflow in harmonics smooth pairs; do
  ok "no memory for one of its large pieces, $workflow" sample malloc $workflow 1 5
  ok "no memory from one of them on, $workflow" sample malloc $workflow 1 3 +
done
if has_ranks; then
  ok "no memory for a large piece on a rank" sample malloc harmonics 2 2
fi
room=${room%/large} && cd .. || exit 1

ok "three workflows without a fault" prepare 16 32 2000
for call in ${calls#malloc }; do
  for workflow in harmonics smooth pairs; do
    ok "$call fails, $workflow" sample "$call" $workflow 1 3
  done
done
ok "no thread from one on" sample thread harmonics 1 4 +
ok "the first thread of ours is missed in words" \
  sh -c "! FAULTY_CALL=thread FAULTY_NUMBER=1 LD_PRELOAD=$faulty '$armilla' run pairs.workflow --overwrite 2> said \
         && grep -q 'waits for Ctrl-C cannot be started' said"
if has_ranks; then
  for call in open read write fsync rename link; do
    ok "$call fails on a rank" sample $call harmonics 2 2
  done
fi

# --- What is stuck ends when it is asked to

# stuck RANK SIGNALS LAUNCHER...: the first fsync of that rank does not return; so many times SIGTERM, to rank 0
stuck ()
{
  rank=$1
  signals=$2
  shift 2
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
  for _ in $(seq "$signals"); do
    kill -TERM "$victim"
    sleep 0.5 # two signals at once are one
  done
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
  if [ "$signals" -eq 1 ]; then
    grep -q 'still running 10 s after SIGTERM; it waits for .*; killed$' said || return 1
  elif grep -q 'still running' said; then
    echo "it waits"
    return 1
  fi
  [ -z "$(find out -name '.*.tmp')" ]
}

# FAULTY_RANK would be looked for in a process that is none.
alone () { unset rank; stuck "" "$1" env -u FAULTY_RANK && [ $status -eq 143 ]; }
ok "one SIGTERM ends a run that is stuck, as the signal would" alone 1
ok "a second one ends it at once" alone 2
if has_ranks; then
  # shellcheck disable=SC2086
  ok "and one of two ranks" stuck 1 1 $mpirun -n 2
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
