#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts and sums over pairs and triangles: the same words on 1, 2, 3 and 4 ranks as without mpirun.
if ! command -v mpirun > /dev/null || ! grep -q 'define HAVE_MPI 1' config.h; then
  echo "1..0 # SKIP built without MPI, or no mpirun"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export STARPU_NCPU=1
# shellcheck source=tests/rank-functions.sh
. "${srcdir:-.}/tests/rank-functions.sh"
echo "1..4"
tests/dump-pairs "$dir/plain" || echo "# the plain run failed"
test $(($(wc -c < "$dir/plain") + 0)) -gt 10000 || echo "Bail out! the plain run wrote nothing"
for n in 1 2 3 4; do
  name="$n rank(s) give the words of a plain run"
  if ranks $n tests/dump-pairs "$dir/$n" \
       > "$dir/log" 2>&1 && cmp -s "$dir/plain" "$dir/$n"; then
    echo "ok $n - $name"
  else
    sed 's/^/# /' "$dir/log"
    echo "not ok $n - $name"
  fi
done
