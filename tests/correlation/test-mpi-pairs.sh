#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts and sums over pairs and triangles: the same words on 1, 2, 3 and 4 ranks as without mpirun. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
export STARPU_NCPU=1
dump=$build/tests/correlation/dump-pairs
"$dump" plain && [ "$(wc -c < plain)" -gt 10000 ] || echo "Bail out! the plain run wrote nothing"
same () { ranks "$1" "$dump" "$1" && cmp plain "$1"; }
for n in 1 2 3 4; do
  ok "$n rank(s) give the words of a plain run" same $n
done
finish
