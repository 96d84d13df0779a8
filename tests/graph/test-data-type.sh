#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A data type of a plugin's own (tests/plugins/profile.c) in plans, the account of memory, checkpoints
# and runs that are resumed, on 1 and 2 ranks. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
mkdir "$room/module" && cp "$build/tests/plugins/.libs/profile.so" "$room/module" || exit 99
ARMILLA_PLUGIN_PATH=$room/module
STARPU_NCPU=1
export ARMILLA_PLUGIN_PATH STARPU_NCPU

awk 'BEGIN { for (l = 0; l <= 200000; l++) print l, 1 / (l + 1) }' > "$room/theory.dat"
cat > "$room/short.workflow" << END
[workflow]
repeat = 2
$(input theory cl "$room/theory.dat")
[square]
stage = profile-square
cl = theory
[root]
stage = profile-root
profile = square
[draw]
stage = random-alm
cl = root
lmax = 100
seed = \${index}
$(synthesis sky draw 64)
$(analysis harmonics sky 100)
iterations = 2
$(output out alm harmonics "out/alm-\${index}.fits")
END
# So long that it is killed in its last transform.
sed 's/iterations = 2/iterations = 1000/; s/repeat = 2/&\ncheckpoint = 1e-6 ms/' \
  "$room/short.workflow" > "$room/long.workflow"
workflow=$room/short.workflow

mkdir -p plain/out && cd plain || exit 99
ok "a plan describes it" sh -c "'$armilla' run --dry-run '$workflow' | grep '^  profile: profile: 200001 numbers$'"
# The spectra have 1.6 MB, and the squares as much.
ok "the account counts it" sh -c "! ARMILLA_MEMORY=3MB '$armilla' run --dry-run '$workflow' 2> said
  cat said; grep '\[square\].* needs at least' said"
ok "and no more than it" sh -c "ARMILLA_MEMORY=3.3MB '$armilla' run --dry-run '$workflow' 2>&1 | grep '\[sky\]'"
ok "an uninterrupted run" run "$workflow"

# part INDEX: the file that keeps a profile
part () { echo "out/many.journal.$1.square.0.part"; }

# interrupted PARTS COMMAND...: killed when PARTS of profiles are there; nothing else is left of it
interrupted ()
{
  parts=$1
  shift
  rm -rf out
  mkdir out
  cp "$room/long.workflow" many.workflow
  "$@" > said 2>&1 &
  pid=$!
  until [ "$(find out -name '*.square.0.part' | wc -l)" -ge "$parts" ] || ! kill -0 $pid 2> /dev/null; do
    sleep 0.05
  done
  kill_all $pid
  wait $pid 2> /dev/null
  find out -name '*.part' ! -name '*.square.0.part' -exec rm {} +
  sed -i 's/iterations = 1000/iterations = 2/' many.workflow
  [ "$(find out -name '*.part' | wc -l)" -eq "$parts" ] || { cat said; find out; return 1; }
}

# resumed PARTS COMMAND...: goes on from so many, with the bits of the undisturbed run
resumed ()
{
  parts=$1
  shift
  "$@" > said 2>&1 || { cat said; return 1; }
  cat said
  grep -q "checkpoints: $parts\$" said || return 1
  for i in 0 1; do "$fits" same out/alm-$i.fits "$room/plain/out/alm-$i.fits" || return 1; done
  [ -z "$(find out -name '*.part')" ]
}

enter alone
ok "one rank keeps a profile" interrupted 1 "$armilla" run --resume many.workflow
cp "$(part 0)" kept
ok "eight bytes before the numbers" [ "$(wc -c < kept)" -eq $((8 + 8 * 200001)) ]
flip "$(part 0)" 100000
ok "a flipped byte is found" refused many.workflow "square.0.part is damaged" --resume
cp kept "$(part 0)"
ok "a whole one is loaded" resumed 1 "$armilla" run --resume many.workflow

enter full
mkdir out
# whichever of the two is written first
ok "a disk that is full ends the run, saying so" sh -c "ulimit -f 1000
  ! '$armilla' run --quiet '$room/long.workflow' 2> said
  cat said; grep -E 'checkpoint out/long.journal.0.(square|root).0.part: File too large' said"
ok "and nothing but the journal is left" [ "$(ls -A out)" = long.journal ]

if has_ranks; then
  enter ranks
  # shellcheck disable=SC2086
  {
    ok "two ranks keep theirs" interrupted 2 $mpirun -n 2 "$armilla" run --resume \
      --set workflow.deal=realisations many.workflow
    cp -r out kept
    ok "and load them" resumed 2 $mpirun -n 2 "$armilla" run --resume \
      --set workflow.deal=realisations many.workflow
    rm -rf out
    mv kept out
    ok "two ranks that share realisations load them" resumed 2 $mpirun -n 2 "$armilla" run --resume \
      --set workflow.deal=blocks many.workflow
  }
fi
finish
