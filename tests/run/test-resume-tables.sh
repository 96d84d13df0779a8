#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that are killed and go on from catalogues and tables that they kept, on 1 and 2 ranks: what is
# carried from node to node, and what is collected, has the bits of an undisturbed run. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
OMPI_MCA_orte_tmpdir_base=$room
OMPI_MCA_btl_vader_backing_directory=$(mktemp -d /dev/shm/armilla-tables-XXXXXX 2> /dev/null || echo "$room")
export OMPI_MCA_orte_tmpdir_base OMPI_MCA_btl_vader_backing_directory
trap 'rm -rf "$room" "$OMPI_MCA_btl_vader_backing_directory"' EXIT
export STARPU_NCPU=1

# The catalogue goes to a map, and the table to its pixels.
cat > "$room/short.workflow" << END
[workflow]
repeat = 3
[objects]
stage = random-catalogue
number = 3000
seed = 5
[pairs]
stage = count-objects
catalogue = objects
max = 10 deg
bins = 4
spacing = linear
[binned]
stage = bin-catalogue
catalogue = objects
nside = 64
[scaled]
stage = expression
map = binned
table = pairs
expression = COUNTS * table.2.count
$(analysis harmonics scaled 100)
iterations = 2
[gathered]
stage = collect
input = pairs
$(output alm alm harmonics "out/alm-\${index}.fits")
$(output catalogue catalogue objects "out/objects-\${index}.csv")
$(output mean table gathered.table "out/pairs.csv")
END
sed 's/iterations = 2/iterations = 1000/; s/repeat = 3/&\ncheckpoint = 1e-6 ms/' \
  "$room/short.workflow" > "$room/long.workflow"
mkdir -p plain/out && cd plain || exit 99
ok "an undisturbed run" run "$room/short.workflow"

enter () { mkdir "$room/$1" && cd "$room/$1" || exit 99; }

# kept: checkpoints of the first realisation's catalogue and table
kept () { [ -e out/many.journal.0.objects.0.part ] && [ -e out/many.journal.0.pairs.0.part ]; }

# interrupted COMMAND...: killed when these are there; no other outputs of nodes are left of it
interrupted ()
{
  mkdir -p out
  cp "$room/long.workflow" many.workflow
  "$@" > said 2>&1 &
  pid=$!
  until kept || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
  kill_all $pid
  wait $pid 2> /dev/null
  find out -name '*.part' ! -name '*.0.objects.0.part' ! -name '*.0.pairs.0.part' \
    ! -name '*.journal.lot*' -exec rm {} +
  rm -f out/alm-*
  sed -i 's/iterations = 1000/iterations = 2/' many.workflow
  kept || { cat said; find out; return 1; }
}

# resumed COMMAND...: goes on from both, to the bits of the undisturbed run
resumed ()
{
  "$@" > said 2>&1 || { cat said; return 1; }
  cat said
  grep -q "checkpoints: 2\$" said || return 1
  for i in 0 1 2; do
    "$fits" same out/alm-$i.fits "$room/plain/out/alm-$i.fits" \
      && cmp out/objects-$i.csv "$room/plain/out/objects-$i.csv" || return 1
  done
  cmp out/pairs.csv "$room/plain/out/pairs.csv" || return 1
  # lots of what is collected stay beside the journal
  [ -z "$(find out -name '*.part' ! -name '*.journal.lot*')" ]
}

enter alone
ok "a run is killed that has kept a catalogue and a table" interrupted "$armilla" run --resume many.workflow
cp -rp out again
for what in objects pairs; do
  flip out/many.journal.0.$what.0.part 40
  ok "a flipped byte of $what is found" gives 1 "$what.0.part is damaged" \
    "$armilla" run --resume many.workflow
  cp again/many.journal.0.$what.0.part out
done
ok "it goes on from both" resumed "$armilla" run --resume many.workflow

if has_ranks; then
  for deal in realisations blocks; do
    enter $deal
    cp -rp ../alone/again out
    cp ../alone/many.workflow .
    # shellcheck disable=SC2086
    ok "two ranks go on from both by $deal" resumed $mpirun -n 2 "$armilla" run --resume \
      --set workflow.deal=$deal many.workflow
  done
fi
finish
