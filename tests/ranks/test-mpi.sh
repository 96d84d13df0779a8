#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same bits on 1, 2, 3 and 4 ranks as without mpirun; an end when a rank cannot start. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
export STARPU_NCPU=1
dump=$build/tests/harmonic/dump-transform
"$dump" plain && [ "$(wc -c < plain)" -gt 100000 ] || echo "Bail out! the plain run wrote nothing"
same () { rm -f moved; ranks "$@" "$dump" moved && cmp plain moved; } # RANKS [OPTION...]
for n in 1 2 3 4; do
  ok "$n rank(s) give the bits of a plain run" same $n
done
many="1 0.1 0.1 3 0.4 0.9 2"
if sanitized; then many=; fi # seven ranks take long then, and do what three do
for speeds in "1 0.2" "0.3 1 0.5" ${many:+"$many"}; do
  n=$(echo "$speeds" | wc -w)
  ok "blocks dealt to $n ranks of speeds $speeds have the same bits" same "$n" -x ARMILLA_SPEEDS="$speeds"
done
ok "and so have blocks dealt by what is measured" same 3 env -u ARMILLA_SPEEDS
# One program for both: mpirun of Open MPI 5.0.7 crashes when it starts two.
# shellcheck disable=SC2016
ok "a rank without workers ends all ranks" fails "rank 1: StarPU cannot start" \
  ranks 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || export STARPU_NCPU=0; exec "$@"' - "$dump" none
finish
