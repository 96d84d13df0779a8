#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Realisations that are computed together share the recurrence, and have the bits that they have in
# other company: in runs of other lengths, on several ranks, after a resume. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# More workers would divide these small skies among themselves.
export STARPU_NCPU=1

awk 'BEGIN { for (l = 0; l <= 64; l++) {
  t = l < 2 ? 0 : 1000 / (l * (l + 1)); printf "%d %.17g %.17g %.17g %.17g\n", l, t, 0.1 * t, 0.01 * t,
    0.2 * t } }' > theory.dat

# skies REPEAT COLUMNS LMAX ITERATIONS
skies ()
{
  cat << END
[workflow]
repeat = $1
[theory]
stage = read-cl
file = $room/theory.dat
columns = $2
[draw]
stage = random-alm
cl = theory
seed = 1
[sky]
stage = alm2map
alm = draw
nside = 24
[maps]
stage = write-map
map = sky
file = map-\${index}.fits
[measure]
stage = map2alm
map = sky
lmax = $3
iterations = $4
[out]
stage = write-alm
alm = measure
file = alm-\${index}.fits
END
}

# same INDEX...: files of realisations are those of the run in $whole
same ()
{
  for i; do
    for file in "map-$i.fits" "alm-$i.fits"; do
      "$fits" same "$whole/$file" "$file" || return 1
    done
  done
}

# tasks CODELET: of a traced run
tasks ()
{
  grep -o "\"name\":\"$1\"" trace.json | wc -l
}

compare ()
{
  enter "$1-whole"
  whole=$(pwd)
  skies 11 "$2" "$3" "$4" > skies.workflow
  ok "$1: eleven realisations" run --trace trace.json skies.workflow
  eleven=$(tasks "$5")
  enter "$1-two"
  skies 2 "$2" "$3" "$4" > skies.workflow
  ok "$1: two" run --trace trace.json skies.workflow
  two=$(tasks "$5")
  ok "$1: with the same bits" same 0 1
  enter "$1-alone"
  skies 3 "$2" "$3" "$4" > skies.workflow
  ok "$1: one by one" run --set workflow.together=1 --trace trace.json skies.workflow
  ok "$1: $(tasks "$5") tasks of $5" test "$(tasks "$5")" -eq $((3 * two))
  ok "$1: with the same bits" same 0 1 2
  # Six and five are computed together, as the two are.
  ok "$1: eleven have twice as many tasks of $5 as two ($eleven, $two)" \
    test "$two" -gt 0 -a "$eleven" -eq $((2 * two))
  if has_ranks; then
    enter "$1-shared"
    skies 3 "$2" "$3" "$4" > skies.workflow
    ok "$1: two ranks share three" ranks 2 "$armilla" run --quiet skies.workflow
    ok "$1: with the same bits" same 0 1 2
    enter "$1-dealt"
    skies 4 "$2" "$3" "$4" > skies.workflow
    ok "$1: four are dealt to two ranks" ranks 2 "$armilla" run --quiet skies.workflow
    ok "$1: with the same bits" same 0 1 2 3
  else
    for test in "share three" "bits" "four are dealt" "bits"; do
      skip "$1: $test" "built without MPI, or no mpirun"
    done
  fi
}

compare scalar 0 64 0 delta_synthesis
compare scalar-pair 0 50 2 delta_adjoint
compare polarised all 40 1 spin_adjoint

# --- Skies that are not alike: each by itself, with the bits of one that others are like

enter unlike
skies 3 0 '3${index}' 1 > skies.workflow
ok "realisations of other lmax" run skies.workflow
for i in 0 1 2; do
  mkdir "alone$i"
  skies 3 0 "3$i" 1 > alone.workflow
  ok "all with lmax 3$i" sh -c "cd alone$i && \"\$0\" run --quiet ../alone.workflow" "$armilla"
  ok "the same bits" sh -c "'$fits' same alm-$i.fits alone$i/alm-$i.fits"
done

# --- What is left of a run has the bits of the whole

enter resumed-whole
whole=$(pwd)
skies 5 0 64 1 > skies.workflow
ok "five realisations" run skies.workflow
enter resumed
skies 5 0 64 1 | sed 's/^repeat/checkpoint = 1 h\nrepeat/' > skies.workflow
ok "five with a journal" run skies.workflow
rm map-3.fits alm-3.fits
ok "one of them again" run --resume skies.workflow
ok "to the same bits" same 0 1 2 3 4
finish
