#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGKILL at random moments, and what a run with --resume makes of it: the bits of an uninterrupted
# run, nothing left behind, and no belief in damaged journals and checkpoints. TAP.
#
# KILLS=100 REALISATIONS=60 LMAX=500 tests/run/test-kill-resume.sh kills more often, and longer runs;
# tests/run/kill-long.sh kills runs of half a minute, in steps.

# A mpirun that is stuck because a rank was killed in MPI_Init is not waited for long.
RANKS_LIMIT=${RANKS_LIMIT:-60}
. "${srcdir:-.}/tests/lib/test-functions.sh"
kills=3
if sanitized; then kills=1; fi # a sanitizer makes runs long
kills=${KILLS:-$kills}
realisations=${REALISATIONS:-12}
lmax=${LMAX:-200}
# What Open MPI leaves when mpirun is killed goes with the rest.
OMPI_MCA_orte_tmpdir_base=$room
OMPI_MCA_btl_vader_backing_directory=$(mktemp -d /dev/shm/armilla-resume-XXXXXX 2> /dev/null || echo "$room")
export OMPI_MCA_orte_tmpdir_base OMPI_MCA_btl_vader_backing_directory
trap 'rm -rf "$room" "$OMPI_MCA_btl_vader_backing_directory"' EXIT
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
export STARPU_NCPU=1

enter () { mkdir -p "$room/$1/out" && cd "$room/$1" || exit 99; }

# refused TEXT WORKFLOW: a run that is resumed ends with status 1 and a message
refused () { gives 1 "$1" "$armilla" run --resume "$2"; }

many_workflow "$realisations" "$lmax" > "$room/many.workflow"
theory > "$room/theory.dat"
cp "$room/theory.dat" "$room/theory.keep"

enter plain
ok "an uninterrupted run" "$armilla" run --quiet ../many.workflow
ok "leaves its outputs and a journal" [ "$(find out -type f | wc -l)" -eq $((2 * realisations + 1)) ]
rm out/many.journal

# --- Kills. What runs is killed once within its time, and begun again until it comes to an end.

# killed N WHOM COMMAND...: N kills, at any time of an undisturbed run
killed ()
{
  left=$1
  whom=$2
  shift 2
  ended=0
  rm -rf out
  mkdir out
  time=$(hundredths "$@")
  same || return 1
  rm -rf out
  mkdir out
  while [ "$left" -gt 0 ]; do
    if run_and_kill $(($(random) % time)) "$whom" "$@"; then
      ended=$((ended + 1))
      same || return 1
      rm -rf out
      mkdir out
    else
      left=$((left - 1))
    fi
  done
  "$@" > said 2>&1 || { cat said; return 1; }
  echo "# $time hundredths of a second long; came to an end $ended times before the last"
  same
}

enter alone
ok "$kills kills of one process" killed "$kills" all "$armilla" run --resume ../many.workflow
ok "nothing is left to do, and that is said" \
  sh -c "'$armilla' run --resume ../many.workflow 2>&1 | grep -q ': $realisations of $realisations'"
ok "no other file is there" same

if has_ranks; then
  enter ranks
  for whom in one all; do
    # shellcheck disable=SC2086
    ok "$kills kills of $whom of 2 ranks" \
      killed "$kills" $whom $mpirun -n 2 "$armilla" run --resume ../many.workflow
  done
fi

# --- What has changed is noticed

# remade N: a resumed run makes N outputs anew, and no other
remade ()
{
  touch .before
  "$armilla" run --resume ../many.workflow > said 2>&1 || { cat said; return 1; }
  cat said
  if [ "$1" -gt 0 ]; then
    grep -q "changed: $1\$" said || return 1
  fi
  [ "$(find out -name '*.fits' -newer .before | wc -l)" -eq "$1" ]
}

enter alone
ok "a run that is done makes nothing" remade 0
rm out/map-3.fits
ok "an output that was removed is made again" \
  sh -c "'$armilla' run --quiet --resume ../many.workflow && cmp out/map-3.fits ../plain/out/map-3.fits"
sed -i 's/iterations = 1/iterations = 0/' ../many.workflow
ok "another property of one branch makes its outputs anew" remade "$realisations"
sed -i 's/iterations = 0/iterations = 1/' ../many.workflow
ok "and back" remade "$realisations"
ok "the same bits then" same
sed '5s/.*/4 0.25/' ../theory.keep > ../theory.dat
ok "another input makes all outputs anew" remade $((2 * realisations))
cp ../theory.keep ../theory.dat
ok "the first input again" remade $((2 * realisations))
ok "and its bits" same
echo >> out/map-2.fits
ok "an output that was changed is rejected" \
  refused 'map-2.fits was changed since' ../many.workflow
rm out/map-2.fits
ok "once it is away it is made again" \
  sh -c "'$armilla' run --quiet --resume ../many.workflow && cmp out/map-2.fits ../plain/out/map-2.fits"

# --- Flipped bytes

cp out/many.journal journal
size=$(($(wc -c < journal)))
for where in 0 40 $((size / 2)) $((size - 2)) $((size - 1)); do
  cp journal out/many.journal
  flip out/many.journal "$where"
  ok "a journal with byte $where of $size flipped is refused" \
    refused 'is damaged, so that the journal cannot be used' ../many.workflow
done
head -c $((size - 7)) journal > out/many.journal
rm "out/$(tail -n 1 journal | sed 's|.*out/||')"
ok "a last line that was cut short is done again" \
  sh -c "'$armilla' run --quiet --resume ../many.workflow"
ok "with the same bits" same

# A last node so long that the run is killed in it, with the checkpoints of those before it there. It is
# another node with less to do that goes on from them.
enter part
sed 's/repeat = .*/repeat = 1/; s/checkpoint = .*/checkpoint = 1e-6 ms/; s/iterations = 1/iterations = 1000/' \
  ../many.workflow > long.workflow
part=out/long.journal.0.sky.0.part
"$armilla" run --resume long.workflow > said 2>&1 &
pid=$!
until [ -e $part ] || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
kill_all $pid
wait $pid 2> /dev/null
ok "there is a checkpoint" [ -e $part ]
sed -i 's/iterations = 1000/iterations = 40/' long.workflow
cp out/long.journal.0.sky.0.part part
flip out/long.journal.0.sky.0.part 100000
ok "a checkpoint with a flipped byte is refused" \
  refused 'long.journal.0.sky.0.part is damaged' long.workflow
cp part out/long.journal.0.sky.0.part
ok "a whole one is used" sh -c "'$armilla' run --resume long.workflow 2>&1 | grep 'checkpoints: 1'"
cp -r out ../resumed
enter again
cp ../part/long.workflow .
ok "the same without a kill" "$armilla" run --quiet long.workflow
rm out/long.journal ../resumed/long.journal
ok "the same files, and no checkpoint is left" [ "$(ls -A out)" = "$(ls -A ../resumed)" ]
for f in map-0 cl-0; do
  ok "the same bits of $f" "$build/tests/fits/check-fits" same out/$f.fits ../resumed/$f.fits
done
# What is left to do must not decide on how data are cut: maps of one and of three fields share a grid
# and an lmax here, and the first decides for both.
enter mixed
awk 'BEGIN { for (l = 0; l <= 400; l++) print l, 4, 2, 1, 1.5, 0.1, -0.1 }' > six.dat
cat > mixed.workflow << END
$(input theory cl ../theory.dat)
$(input six cl six.dat)
[one]
stage = random-alm
cl = theory
seed = 1
lmax = 400
[three]
stage = random-alm
cl = six
seed = 2
lmax = 400
$(output out-one alm one out/one.fits)
$(output out-three alm three out/three.fits)
END
# cuts: how a run, resumed or not, cuts a_lm
cuts () { "$armilla" run --resume mixed.workflow 2>&1 | grep '^tiles of lmax'; }
all=$(cuts)
rm out/three.fits
ok "what is left to do is cut as all of it" [ "$(cuts)" = "$all" ]
finish
