#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --memory and --spill: the bits of a run without them, a resident size within the bound, and an end
# in order where something is too small or too full. TAP.

large=$(pwd)/tests # some hundred MB at once, for which /tmp may be too small
. "${srcdir:-.}/tests/lib/test-functions.sh"
peak=$build/tests/memory/peak
export STARPU_NCPU=2
mkdir "$room/disk" "$room/plain" || exit 99
sanitizer=no
if sanitized; then
  sanitizer=yes # it would keep what was freed, and so take the place of tiles
  ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1
  export ASAN_OPTIONS
fi

awk 'BEGIN { for (l = 0; l <= 300; l++) print l, 1 / (l + 1) }' > "$room/cl.dat"
# 101 MB of map, read twice again for the iteration and the monopole; about 8 tiles of 16 rings at
# once
cat > "$room/sky.workflow" << END
[workflow]
ring-block = 64
$(random_alm draw cl "$room/cl.dat")
lmax = 300
seed = 3
$(synthesis sky draw 1024)
[level]
stage = remove-monopole
map = sky
$(analysis alm level 300)
iterations = 1
$(output out alm alm alm.fits)
$(output map map level map.fits)
END
# From a file, which is read again for each iteration; and what combine reads of it.
cat > "$room/back.workflow" << END
[workflow]
ring-block = 64
$(input map map "$room/plain/map.fits")
[half]
stage = combine
input = map
input2 = map
weights = 0.25, 0.25
$(analysis alm map 200)
iterations = 1
$(analysis halves half 100)
$(input read alm "$room/plain/alm.fits")
$(spectrum cl read)
$(output spectrum cl cl cl.fits)
$(output out alm alm alm.fits)
$(output more alm halves halves.fits)
END

# What a run needs on this machine and with these compiler's options.
least=$(min_memory --spill "$room/disk" "$room/sky.workflow")
ok "a bound below what the program itself takes is refused, with what would do" [ "${least:-0}" -gt 4 ]
bound=$((least + 32))

# bounded DIRECTORY OPTION...: runs in a folder of that name within the bound
bounded ()
{
  rm -rf "${room:?}/$1"
  enter "$1"
  shift
  ends 0 "$peak" "$room/peak" "$armilla" run --memory "${bound}MiB" --spill "$room/disk" "$@"
}
# The bound holds for what the program maps; a sanitizer keeps as much again for itself.
within ()
{
  most=$(tail -n 1 "$room/peak")
  echo "# peak $most KiB of $((bound * 1024)) KiB"
  [ $sanitizer = yes ] || [ "$most" -le $((bound * 1024)) ]
}
nothing_left () { [ -z "$(ls -A "$room/disk")" ]; }

cd "$room/plain" || exit 99
ok "a run without a bound" run "$room/sky.workflow"
ok "the same within $bound MiB" bounded sky "$room/sky.workflow"
ok "has the same bits" sh -c "cmp alm.fits '$room/plain/alm.fits' && cmp map.fits '$room/plain/map.fits'"
rm "$room/sky/map.fits"
ok "and its resident size stays within the bound" within
ok "tiles went to the disk" grep -q 'tiles on disk: .* written' "$room/.said"
ok "nothing is left there" nothing_left

mkdir "$room/plain/back" && cd "$room/plain/back" || exit 99
ok "analyses of a file without a bound" run "$room/back.workflow"
ok "the same within $bound MiB" bounded back "$room/back.workflow"
ok "has the same bits" sh -c "for f in alm halves cl; do cmp \$f.fits '$room/plain/back/'\$f.fits || exit 1; done"
ok "and its resident size stays within the bound" within

ok "the workflow may say it" sh -c "sed 's|ring-block = 64|&\\nmemory = $bound MiB\\nspill = $room/disk|' '$room/back.workflow' > said.workflow
  mkdir told && cd told && '$armilla' run --quiet ../said.workflow && fold -w 80 alm.fits | grep -q memory"
ok "and --memory overrules it" refused said.workflow "set memory =" --memory 1MiB --overwrite

enter errors
ok "tiles that have no place are refused before the first task" \
  refused "$room/sky.workflow" "set memory =" --memory "$((least + 8))MiB" --spill "$room/disk" --set workflow.ring-block=512
ok "and nothing was written" [ -z "$(ls)" ]
# The first advice is enough for all nodes, of which the later ones need more; and what the program itself takes may
# be more than the bound. In one block each of their maps needs more than the one before.
advice () { sed -n 's/.*set memory = \([0-9]*\) MiB.*/\1/p' "$room/.said"; }
cat > growing.workflow << END
[workflow]
ring-block = 512
$(random_alm small theory "$room/cl.dat")
lmax = 64
$(synthesis first small 32)
$(output firsts map first first.fits)
$(synthesis second small 256)
$(output seconds map second second.fits)
$(synthesis third small 512)
$(output thirds map third third.fits)
END
works ()
{
  fails "set memory =" run --memory "$1MiB" --spill "$room/disk" growing.workflow || return 1
  enough=$(advice)
  echo "# advised $enough MiB"
  run --memory "${enough}MiB" --spill "$room/disk" growing.workflow && rm first.fits second.fits third.fits
}
ok "the first advice is enough" works 1
rm growing.workflow
ok "a folder that is not there" \
  refused "$room/sky.workflow" "$room/none: tiles cannot be written there: No such file" --memory 1GiB --spill "$room/none"
ok "a folder that is a file" refused "$room/sky.workflow" "tiles cannot be written there" --memory 1GiB --spill "$room/cl.dat"
if [ "$(id -u)" != 0 ]; then
  mkdir "$room/locked" && chmod 500 "$room/locked"
  ok "a folder that cannot be written to" \
    refused "$room/sky.workflow" "tiles cannot be written there: Permission denied" --memory 1GiB --spill "$room/locked"
else
  skip "a folder that cannot be written to" "root may write everywhere"
fi
# Where /dev/shm is no tmpfs, nothing has to be said.
ok "a folder in memory is told" sh -c "[ \"\$(stat -f -c %T /dev/shm)\" != tmpfs ] || '$armilla' run '$room/sky.workflow' \
  --memory 4GiB --spill /dev/shm --set draw.lmax=8 --set alm.lmax=8 --set sky.nside=8 2>&1 | grep 'is in memory itself'"
rm -f alm.fits map.fits
ok "--spill without --memory" refused "$room/sky.workflow" "spill has no effect without memory" --spill "$room/disk"
ok "--memory without a unit" refused "$room/sky.workflow" "no unit" --memory 1000
ok "a memory that is no size" refused "$room/sky.workflow" "--memory" --memory -1GiB
ok "--dry-run has no use for it" refused "$room/sky.workflow" "leave out --memory" --memory 1GiB --dry-run
ok "pixels in NESTED order that are too many" sh -c "sed 's/^map = level/map = order/' '$room/sky.workflow' > nested.workflow
  printf '[order]\nstage = change-order\nmap = level\norder = nested\n' >> nested.workflow
  ! timeout 100 '$armilla' run nested.workflow --memory $bound'MiB' --spill '$room/disk' 2> said
  grep 'NESTED order' said"
sed '/^\[map\]/,$ d' "$room/sky.workflow" > "$room/small.workflow" # its output is a megabyte
ok "a disk that is full ends the run, saying so" sh -c "ulimit -f 40000
  ! '$armilla' run '$room/small.workflow' --memory $bound'MiB' --spill '$room/disk' 2> said
  grep '$room/disk: tiles cannot be written: File too large' said && [ \$(grep -c 'tiles cannot' said) = 1 ]"
ok "without output" [ ! -e alm.fits ] && [ ! -e map.fits ]
ok "and without what was moved there" nothing_left

# Killed in the middle, then resumed, with the bound and without. The files are 100 MB each, and go when compared.
enter killed
sed 's|ring-block = 64|&\nrepeat = 2|; s|seed = 3|seed = ${index}|; s|\.fits|${index}.fits|' \
  "$room/sky.workflow" > many.workflow
mkdir whole && ok "two realisations" sh -c "cd whole && '$armilla' run --quiet ../many.workflow"
"$armilla" run --quiet --resume --memory "${bound}MiB" --spill "$room/disk" many.workflow 2> said &
pid=$!
until [ -e alm0.fits ] || ! kill -0 $pid 2> /dev/null; do sleep 0.05; done
kill -KILL $pid 2> /dev/null # it may be through
wait $pid 2> /dev/null
ok "a killed run leaves no tiles" nothing_left
ok "it is resumed within the bound" run --resume --memory "${bound}MiB" --spill "$room/disk" many.workflow
ok "with the same bits" sh -c "for i in 0 1; do for f in alm map; do '$fits' same \$f\$i.fits whole/\$f\$i.fits || exit 1; done; done"
rm map?.fits

if has_ranks; then
  STARPU_NCPU=1
  enter ranks
  ok "two ranks share a realisation, each within its bound" ranks 2 "$peak" "$room/peaks" "$armilla" run --quiet \
    --set workflow.deal=blocks --memory "$((bound + 60))MiB" --spill "$room/disk" "$room/sky.workflow"
  ok "with the same pixels" "$fits" same map.fits "$room/plain/map.fits"
  rm map.fits
  ok "and their sizes are within it" sh -c "sort -n '$room/peaks'; [ $sanitizer = yes ] || [ \$(sort -n '$room/peaks' | tail -n 1) -le $(((bound + 60) * 1024)) ]"
  mkdir dealt && cd dealt || exit 99
  ok "two ranks deal realisations" ranks 2 "$armilla" run --quiet --memory "$((bound + 60))MiB" --spill "$room/disk" \
    --set workflow.deal=realisations "$room/killed/many.workflow"
  ok "with the same bits" sh -c "for i in 0 1; do '$fits' same map\$i.fits '$room/killed/whole/'map\$i.fits || exit 1; done"
  ok "a full disk of theirs" sh -c "mkdir full && cd full && ulimit -f 40000
    ! $mpirun -n 2 '$armilla' run --set workflow.deal=blocks --memory $((bound + 60))MiB --spill '$room/disk' \
      --set sky.nside=2048 '$room/small.workflow' 2> said
    cat said; grep 'tiles cannot be written: File too large' said && [ ! -e alm.fits ]"
  ok "nothing is left" nothing_left
fi
finish
