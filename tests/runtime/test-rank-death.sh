#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A rank that dies ends the whole run, its launcher says that it died, and the next run removes the
# files that it left. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
export STARPU_NCPU=1
unset OMPI_MCA_orte_execute_quiet # the launcher is to say which rank died

# More realisations than anybody waits for.
cat > long.workflow << END
[workflow]
repeat = 100000
$(random_alm draw theory theory.dat)
seed = 7
lmax = 300
$(synthesis sky draw 256)
$(spectrum power again)
$(analysis again sky 300)
$(output cl cl power "out/cl-\${index}.fits")
END
awk 'BEGIN { for (l = 0; l <= 300; l++) print l, 1 }' > theory.dat

# start RANKS OPTION...: begins the run, and waits until it computes
start ()
{
  n=$1
  shift
  rm -rf out
  mkdir out
  : > said # what the last run has said must not be taken for this one's
  # shellcheck disable=SC2016
  ranks "$n" sh -c '
    [ "$OMPI_COMM_WORLD_RANK" = 1 ] && ulimit -v "$1"; shift; exec "$@"' - "${limit:-unlimited}" \
    "$armilla" run "$@" long.workflow > said 2>&1 &
  pid=$!
  until grep -q "^realisation ${computing:-3} of" said || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
  launcher=$(launcher $pid)
  victim=$([ -z "$launcher" ] || children "$launcher" | tr -s ' ' '\n' | sed -n 2p)
}

# ended REASON COMMAND...: the command, given the process of rank 1, ends the run under way, and the run says
# why. It takes the launcher two seconds, and a busy machine some more.
ended ()
{
  reason=$1
  shift
  "$@" "$victim" || echo "the command failed"
  began=$(date +%s)
  while kill -0 $pid 2> /dev/null && [ $(($(date +%s) - began)) -lt 100 ]; do sleep 0.1; done
  if kill -0 $pid 2> /dev/null; then
    kill_all $pid
    echo "it goes on after 100 seconds"
    return 1
  fi
  echo "# ended after $(($(date +%s) - began)) s"
  wait $pid
  status=$?
  grep -v '^realisation' said
  [ $status -ne 0 ] && grep -q "$reason" said
}

# In the three runs ranks compute whole realisations, share one, and whole ones again.
start 3
ok "SIGKILL of a rank" ended 'rank 1 .*signal 9' kill -KILL
if sanitized; then
  # It has more to say of a crash itself, and needs the address space.
  for name in "a crash" "an abort" "memory that cannot be had"; do skip "$name" "built with a sanitizer"; done
  finish
  exit 0
fi
start 3 --set workflow.deal=blocks
ok "a crash" ended '^armilla: crashed (Segmentation fault)$' kill -SEGV
start 3
ok "an abort" ended '^armilla: crashed (Aborted): a library failed' kill -ABRT

# What ranks have for small maps is not enough for large ones, which take 100 MB more: of addresses, of which
# malloc would otherwise keep 64 MB a thread.
export MALLOC_ARENA_MAX=1
start 2 --set sky.nside=64
limit=0
for rank in $(children "$launcher"); do
  peak=$(awk '/^VmPeak/ { print $2 }' "/proc/$rank/status")
  [ "$peak" -le "$limit" ] || limit=$peak
done
limit=$((limit + 30000))
kill -TERM "$launcher"
wait $pid
computing=0
start 2 --set sky.nside=1024 --set workflow.deal=realisations
ok "memory that cannot be had" ended '^armilla: .*rank 1: .*out of memory' true
finish
