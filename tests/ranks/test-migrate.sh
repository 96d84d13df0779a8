#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Blocks that change their ranks at random, wherever they may, change no bit: of the transforms of
# tests/harmonic/dump-transform, and of all workflows of the repository (test-migrate-workflows.sh). And blocks
# leave a rank that becomes slow. TAP.
#
# RANKS="1 2 3 4 7" SEEDS="1 2 3" tests/ranks/test-migrate.sh takes longer and tries more.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/job-functions.sh
. "$source/tests/lib/job-functions.sh"
numbers=${RANKS:-3}
seeds=${SEEDS:-1}
need_ranks
cd "$build" || exit 99
export STARPU_NCPU=1

# migrating N HOW COMMAND...
migrating ()
{
  n=$1
  how=$2
  shift 2
  ranks "$n" -x ARMILLA_MIGRATE="$how" "$@"
}

awk 'BEGIN { for (l = 0; l <= 200; l++) print l, 1 / (l + 1) }' > "$room/cl.dat"
if [ -z "$ONLY_WORKFLOWS" ]; then

# --- What the user can get wrong

# refused HOW: it ends with a message that says what is allowed
refused ()
{
  fails "must be auto, off, random, or random:SEED" migrating 2 "$1" tests/harmonic/dump-transform "$room/refused" \
    && [ ! -e "$room/refused" ]
}

for how in perhaps random:x random:99999999999; do
  ok "ARMILLA_MIGRATE=$how" refused "$how"
done

# --- Transforms

transforms () { migrating "$1" "$2" tests/harmonic/dump-transform "$room/moved" && cmp "$room/plain" "$room/moved"; }

tests/harmonic/dump-transform "$room/plain" || echo "# the plain run failed"
[ "$(wc -c < "$room/plain")" -gt 100000 ] || echo "Bail out! the plain run wrote nothing"
for n in $numbers; do
  for seed in $seeds; do
    ok "transforms, $n ranks, seed $seed" transforms "$n" "random:$seed"
  done
  ok "transforms, $n ranks, by speed" transforms "$n" auto
done

# --- A rank that becomes slow

cat > "$room/slow.workflow" << END
[workflow]
repeat = 60
together = 1
deal = blocks
m-blocks = 8
ring-block = 8
$(random_alm draw theory "$room/cl.dat")
seed = 7
lmax = 60
$(synthesis sky draw 32)
$(output out map sky "map-\${index}.fits")
END
# late RANK: its ring transforms in the last 10 of 60 realisations, of 80
late ()
{
  grep '"name":"ring_synthesis"' "$room/slow/trace.json" | grep "\"pid\":$1," | grep -c '"realisation":5[0-9],'
}
# leaves: blocks of both kinds change their ranks because rank 1 is slower, it keeps at most one of 8 ring blocks,
# and the files have the bytes of a plain run
leaves ()
{
  mkdir "$room/slow-plain" "$room/slow" || return 1
  (cd "$room/slow-plain" && "$armilla" run --quiet ../slow.workflow) || return 1
  (cd "$room/slow" \
    && timeout 170 mpirun --oversubscribe --bind-to none -x ARMILLA_MIGRATE=auto -x ARMILLA_SPEEDS="1 1" \
         -x LD_PRELOAD="$build/tests/lib/.libs/slow-rank.so" -n 2 "$armilla" run --quiet --trace trace.json ../slow.workflow) || return 1
  grep -o '"[0-9]* of [0-9]* [a-z-]* *blocks change their ranks: [^"]*"' "$room/slow/trace.json"
  for kind in 'm-blocks' 'ring blocks'; do
    sed -n "s/.*\"[1-9][0-9]* of [0-9]* $kind change their ranks: ranks have the speeds \([^;]*\);.*/\1/p" \
      "$room/slow/trace.json" | awk '$2 < $1 { n++ } END { exit n == 0 }' || { echo "no $kind leave"; return 1; }
  done
  echo "ring transforms of the last realisations: $(late 0) and $(late 1)"
  [ $(($(late 0) + $(late 1))) -eq 80 ] && [ "$(late 1)" -le 10 ] || return 1
  rm -f "$room/slow/trace.json" "$room/slow/trace.paje" # the latter where StarPU has FxT, as Debian 13's
  diff -r "$room/slow-plain" "$room/slow"
}
name="blocks leave a rank that becomes slow"
if can_preload "$build/tests/lib/.libs/slow-rank.so"; then
  ok "$name" leaves
else
  skip "$name" "a sanitizer wants to be loaded first"
fi
fi

# --- Workflows

# in_folder FOLDER COMMAND...: what it reads and writes is there alone
in_folder ()
{
  rm -rf "${room:?}/$1"
  cp -r "$room/inputs" "$room/$1" && cd "$room/$1" && shift && "$@"
}
mkdir "$room/inputs" && cp "$source"/workflows/*.fits "$room/inputs" || exit 99
if [ -n "$ONLY_WORKFLOWS" ] && [ -e "$data/data/totcls.dat" ]; then
  (cd "$room/inputs" && job_inputs) || exit 99
fi

# moved N HOW FILE: N ranks write the files of a plain run, byte by byte (orders of a table are in the
# file as they were done)
moved ()
{
  (in_folder moved migrating "$1" "$2" "$armilla" run --quiet --overwrite "$3") \
    && diff -r -x table.arm "$room/plain-files" "$room/moved"
}

# Few realisations are as good as many, and with deal = blocks ranks share them.
for file in "$source"/workflows/*.workflow; do
  if ! grep -q '^data = ' "$file" || [ -e "$data/data/totcls.dat" ]; then
    sed "s/^repeat = .*/repeat = 2\ndeal = blocks/; s|/usr/share/healpy|$data|" "$file" \
      > "$room/$(basename "$file")"
  fi
done
# What these leave out: more blocks than ranks, pairs and triangles in many tasks, a table of compressed matrices,
# a_lm from a file, conjugate gradients, convolution ring by ring.
cat > "$room/blocks.workflow" << END
[workflow]
m-blocks = 6
ring-block = 8
$(random_alm draw theory "$room/cl.dat")
seed = 7
lmax = 90
$(output drawn alm draw drawn.fits)
$(synthesis sky draw 32)
legendre = butterfly
table = table.arm
$(analysis found sky 60)
method = cg
[turned]
stage = rotate
alm = found
psi = 10 deg
$(synthesis again turned 32)
[smooth]
stage = convolve
map = again
fwhm = 8 deg
method = ring
$(output map map smooth map.fits)
END
cat > "$room/read.workflow" << END
[workflow]
m-blocks = 6
ring-block = 8
$(input alm alm "$room/drawn.fits")
$(synthesis sky alm 32)
$(analysis found sky 70)
iterations = 2
$(output out alm found found.fits)
END
cat > "$room/counts.workflow" << END
$(random_points points 4000 3)
$(random_points random 6000 4)
[pairs]
stage = pair-correlation
catalogue = points
random = random
min = 1 deg
max = 60 deg
bins = 6
tasks = 200
[triples]
stage = triple-correlation
catalogue = points
random = random
min = 4 deg
max = 8 deg
bins = 2
tasks = 100
$(output out table pairs.table pairs.fits)
$(output out3 table triples triples.fits)
END
# Of these, which are all run without ranks elsewhere, every third; under sanitizers other ones.
if [ -n "$ONLY_WORKFLOWS" ] && [ -z "$ALL_WORKFLOWS" ]; then
  third=2
  if sanitized; then third=1; fi
  # shellcheck disable=SC2086
  WORKFLOWS=$(printf '%s\n' $WORKFLOWS | awk -v third=$third 'NR % 3 == third')
fi
for file in ${WORKFLOWS:-blocks read counts}; do
  file=$room/$file.workflow
  [ -e "$file" ] || continue
  what=$(basename "$file" .workflow)
  can_read "$file" || { skip "$what" "$no_maps"; continue; }
  ok "$what, plain" in_folder plain-files "$armilla" run --quiet --overwrite "$file"
  cd "$build" || exit 99
  [ "$what" = blocks ] && cp "$room/plain-files/drawn.fits" "$room"
  for n in $numbers; do
    for seed in $seeds; do
      ok "$what, $n ranks, seed $seed" moved "$n" "random:$seed" "$file"
    done
  done
done
finish
