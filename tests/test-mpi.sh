#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same bits on 1, 2, 3 and 4 ranks as without mpirun; an end when a rank cannot start.
if ! command -v mpirun > /dev/null || ! grep -q 'define HAVE_MPI 1' config.h; then
  echo "1..0 # SKIP built without MPI, or no mpirun"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export STARPU_NCPU=1
echo "1..5"
tests/dump-transform "$dir/plain" || echo "# the plain run failed"
test $(($(wc -c < "$dir/plain") + 0)) -gt 100000 || echo "Bail out! the plain run wrote nothing"
for n in 1 2 3 4; do
  name="$n rank(s) give the bits of a plain run"
  if timeout 120 mpirun --oversubscribe --bind-to none -n $n tests/dump-transform "$dir/$n" \
       > "$dir/log" 2>&1 && cmp -s "$dir/plain" "$dir/$n"; then
    echo "ok $n - $name"
  else
    sed 's/^/# /' "$dir/log"
    echo "not ok $n - $name"
  fi
done
name="a rank without workers ends all ranks"
timeout 60 mpirun --oversubscribe --bind-to none -n 1 -x STARPU_NCPU=1 tests/dump-transform "$dir/0" \
  : -n 1 -x STARPU_NCPU=0 tests/dump-transform "$dir/0" > "$dir/log" 2>&1
status=$?
if test $status -ne 0 && test $status -ne 124 && grep -q "rank 1: StarPU does not start" "$dir/log"
then
  echo "ok 5 - $name"
else
  sed 's/^/# /' "$dir/log"
  echo "not ok 5 - $name"
fi
