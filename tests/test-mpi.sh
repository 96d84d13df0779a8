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
# shellcheck source=tests/rank-functions.sh
. "${srcdir:-.}/tests/rank-functions.sh"
echo "1..8"
tests/dump-transform "$dir/plain" || echo "# the plain run failed"
test $(($(wc -c < "$dir/plain") + 0)) -gt 100000 || echo "Bail out! the plain run wrote nothing"
for n in 1 2 3 4; do
  name="$n rank(s) give the bits of a plain run"
  if ranks $n tests/dump-transform "$dir/$n" \
       > "$dir/log" 2>&1 && cmp -s "$dir/plain" "$dir/$n"; then
    echo "ok $n - $name"
  else
    sed 's/^/# /' "$dir/log"
    echo "not ok $n - $name"
  fi
done
test_number=5
for speeds in "1 0.2" "0.3 1 0.5" "1 0.1 0.1 3 0.4 0.9 2"; do
  n=$(echo "$speeds" | wc -w)
  name="blocks dealt to $n ranks of speeds $speeds have the same bits"
  if ranks "$n" -x ARMILLA_SPEEDS="$speeds" tests/dump-transform "$dir/deal-$n" > "$dir/log" 2>&1 && cmp -s "$dir/plain" "$dir/deal-$n"
  then
    echo "ok $test_number - $name"
  else
    sed 's/^/# /' "$dir/log"
    echo "not ok $test_number - $name"
  fi
  test_number=$((test_number + 1))
done
name="a rank without workers ends all ranks"
ranks 1 -x STARPU_NCPU=1 tests/dump-transform "$dir/0" \
  : -n 1 -x STARPU_NCPU=0 tests/dump-transform "$dir/0" > "$dir/log" 2>&1
status=$?
if test $status -ne 0 && test $status -ne 124 && grep -q "rank 1: StarPU does not start" "$dir/log"
then
  echo "ok 8 - $name"
else
  sed 's/^/# /' "$dir/log"
  echo "not ok 8 - $name"
fi
