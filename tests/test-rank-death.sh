#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A rank that dies ends the whole run, with one message that names the rank and the reason. TAP.

build=$(pwd)
source=$(cd "${srcdir:-.}" && pwd)
armilla=$build/armilla
if ! command -v mpirun > /dev/null || ! grep -q 'define HAVE_MPI 1' config.h; then
  echo "1..0 # SKIP built without MPI, or no mpirun"
  exit 0
fi
room=$(mktemp -d "${TMPDIR:-/tmp}/armilla-death-XXXXXX") || exit 99
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 99
STARPU_NCPU=1
export STARPU_NCPU
number=0
# shellcheck source=tests/rank-functions.sh
. "$source/tests/rank-functions.sh"

# More realisations than anybody waits for.
cat > long.workflow << END
[workflow]
repeat = 100000
[theory]
stage = read-cl
file = theory.dat
[draw]
stage = random-alm
cl = theory
seed = 7
lmax = 300
[sky]
stage = alm2map
alm = draw
nside = 256
[power]
stage = alm2cl
alm = again
[again]
stage = map2alm
map = sky
lmax = 300
[cl]
stage = write-cl
cl = power
file = out/cl-\${index}.fits
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

# ends NAME REASON COMMAND...: the command, given the process of rank 1, ends the run under way. It takes the
# launcher two seconds, and a busy machine some more.
ends ()
{
  number=$((number + 1))
  name=$1
  reason=$2
  shift 2
  "$@" "$victim" || echo "# the command failed"
  began=$(date +%s)
  while kill -0 $pid 2> /dev/null && [ $(($(date +%s) - began)) -lt 100 ]; do sleep 0.1; done
  if kill -0 $pid 2> /dev/null; then
    kill_all $pid
    echo "not ok $number - $name: it goes on after 100 seconds"
    return
  fi
  echo "# ended after $(($(date +%s) - began)) s"
  wait $pid
  status=$?
  if [ $status -ne 0 ] && [ "$(grep -c '^armilla:' said)" -eq 1 ] \
     && grep -q "^armilla: rank 1 on .* $reason.*; all ranks end\$" said; then
    echo "ok $number - $name"
  else
    grep -v '^realisation' said | sed 's/^/# /'
    echo "not ok $number - $name (exit status $status)"
  fi
}

# In the three runs ranks compute whole realisations, share one, and whole ones again.
start 3
ends "SIGKILL of a rank" 'was killed' kill -KILL
if grep -q '^CFLAGS = .*-fsanitize=' "$build/Makefile"; then
  # It has more to say of a crash itself, and needs the address space.
  for name in "a crash" "an abort" "memory that cannot be had"; do
    echo "ok $((number += 1)) - $name # SKIP built with a sanitizer"
  done
  echo "1..$number"
  exit 0
fi
start 3 --set workflow.deal=blocks
ends "a crash" 'crashed (Segmentation fault)' kill -SEGV
start 3
ends "an abort" 'crashed (Aborted)' kill -ABRT

# What ranks have for small maps is not enough for large ones, which take 100 MB more: of addresses, of which
# malloc would otherwise keep 64 MB a thread.
MALLOC_ARENA_MAX=1
export MALLOC_ARENA_MAX
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
ends "memory that cannot be had" 'out of memory' true
echo "1..$number"
