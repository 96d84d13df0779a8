#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Transforms have the same bits with any number of cores, also where ring blocks are cut into parts
# for many. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 256; l++) {
  t = l < 2 ? 0 : 1 / (l * (l + 1)); print l, t, 0.02 * t, 0.001 * t, 0.1 * t } }' > theory.dat
cat > sky.workflow << END
[workflow]
repeat = 2
$(random_alm draw teb "$room/theory.dat")
seed = 1
lmax = 256
$(synthesis sky draw 128)
$(analysis measure sky 256)
$(output maps map sky "sky-\${index}.fits")
$(output out alm measure "alm-\${index}.fits")
END

# gates N: how many gates there are in the trace of a run with N workers
gates ()
{
  "$armilla" trace "trace-$1.json" | awk '$1 == "ring_gate" { n = $3 } END { print n + 0 }'
}

for n in 1 2 3 4; do
  ok "$n worker(s)" env STARPU_NCPU=$n STARPU_NCUDA=0 "$armilla" run --quiet --overwrite sky.workflow \
    --trace "trace-$n.json"
  mkdir $n && mv ./*.fits $n || exit 99
  for file in sky-0 sky-1 alm-0 alm-1; do
    ok "$n: the bits of one worker: $file" "$fits" same $n/$file.fits 1/$file.fits
  done
done
ok "one core has ring blocks in one piece" [ "$(gates 1)" -eq 0 ]
ok "and two" [ "$(gates 2)" -eq 0 ]
ok "three in parts" [ "$(gates 3)" -gt 0 ]
ok "and four" [ "$(gates 4)" -gt 0 ]
ok "a bound of memory, where tiles may move: in one piece" env STARPU_NCPU=4 STARPU_NCUDA=0 \
  "$armilla" run --quiet --overwrite sky.workflow --memory 1GB --trace trace-5.json
ok "with the same bits" "$fits" same alm-1.fits 1/alm-1.fits
ok "no gates" [ "$(gates 5)" -eq 0 ]
if has_ranks; then
  sed 's/^repeat = 2/repeat = 1/' sky.workflow > one.workflow # so that ranks share one sky
  # shellcheck disable=SC2154
  ok "two ranks of three workers share a sky" ranks 2 env STARPU_NCPU=3 STARPU_NCUDA=0 "$armilla" run --quiet \
    --overwrite one.workflow --trace trace-6.json
  ok "its map has the bits of one worker" "$fits" same sky-0.fits 1/sky-0.fits
  ok "and its a_lm" "$fits" same alm-0.fits 1/alm-0.fits
  ok "in parts" [ "$(gates 6)" -gt 0 ]
else
  skip "ranks" "built without MPI, or no mpirun"
fi
finish
