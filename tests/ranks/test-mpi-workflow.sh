#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Workflows under mpirun: the pixels of a plain run on any number of ranks, one voice, and an end in
# order when something goes wrong on one rank only. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
export STARPU_NCPU=1

cat > "$room/simulate.workflow" << END
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = 150
$(synthesis sky draw 64)
$(output out map sky out.fits)
END
cat > "$room/analyse.workflow" << END
$(input sky map sky.fits)
$(analysis alm sky 100)
iterations = 1
[again]
stage = alm2map
alm = alm
like = sky
$(output out map again out/map.fits)
END
# Whatever needs pixels of other ring blocks, and correlated fields.
cat > "$room/arithmetic.workflow" << END
[workflow]
m-blocks = 5
$(random_alm teb six "$room/six.dat")
seed = 3
lmax = 150
$(output teb-out alm teb teb.fits)
$(random_alm draw flat "$room/flat.dat")
seed = 8
lmax = 150
$(synthesis sky draw 64)
[few]
stage = ud-grade
map = sky
nside = 4
[holes]
stage = combine
input = few
weights = 1
[coarse]
stage = ud-grade
map = holes
nside = 64
[masked]
stage = mask
map = sky
mask = coarse
apodise = 5 deg
[sum]
stage = combine
input = masked
input2 = sky
weights = 2, -1
$(output out map sum sum.fits)
END
awk 'BEGIN { for (l = 0; l <= 800; l++) print l, 1 / (l + 1) }' > "$room/flat.dat"
awk 'BEGIN { for (l = 0; l <= 150; l++) print l, 4, 2, 1, 1.5, 0.5, -1 }' > "$room/six.dat"

# --- The same pixels, and rank 0 alone talks

# Open MPI 5 puts a space between who says something and what.
gap=$(ranks 1 --tag-output echo words 2> /dev/null | sed -n 's/^.*>:\( *\)words$/\1/p')

# same_run N FILE WORKFLOW: N ranks write the pixels of ../plain/FILE, and say what a plain run says (and, where
# the machine has fewer cores than there are ranks, so)
same_run ()
{
  ranks "$1" --tag-output "$armilla" run "$3" > said 2>&1 || { cat said; return 1; }
  "$fits" same "$2" "../plain-$2/$2" || return 1
  sed "s/^\[1,0\]<[a-z]*>:$gap//"'; s/^done in .*/done/; s/, [0-9.]* s$//; /^[0-9]* ranks on .* CPU workers for [0-9]* cores;/d' \
    said > plainly
  sed 's/^done in .*/done/; s/, [0-9.]* s$//' "../plain-$2/said" | diff - plainly
}

workflows="out.fits:$room/simulate.workflow sum.fits:$room/arithmetic.workflow"
workflows="$workflows teb.fits:$room/arithmetic.workflow"
smooth=$data/test/data/wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits
if [ -e "$smooth" ]; then
  workflows="$workflows smoothed.fits:$source/workflows/smooth-wmap.workflow"
fi
# plain_run WORKFLOW OPTION...
plain_run () { "$armilla" run "$@" > said 2>&1; }

for pair in $workflows; do
  file=${pair%%:*}
  enter "plain-$file"
  ok "a plain run writes $file" plain_run "${pair#*:}"
  for n in 1 2 3 4; do
    enter "$n-$file"
    ok "the same pixels and words with $n rank(s), $file" same_run $n "$file" "${pair#*:}"
  done
done
# --- Whole realisations, dealt to ranks as they ask for them

cat > "$room/many.workflow" << END
[workflow]
repeat = 12
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = 150
$(synthesis sky draw 64)
$(output out map sky "map-\${index}.fits")
END
# dealt N WAY: N ranks write the bytes of a plain run; with "blocks" they share each realisation
dealt ()
{
  ranks "$1" "$armilla" run "$2" > said 2>&1 || { cat said; return 1; }
  for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    cmp map-$i.fits ../plain-many/map-$i.fits || return 1
  done
  # the first ten and the eleventh are told once, in whatever order they were begun
  [ "$(grep -c 'realisation [0-9]* of 12' said)" -eq 11 ] || { cat said; return 1; }
}
sed 's/^repeat/deal = blocks\nrepeat/' "$room/many.workflow" > "$room/many-blocks.workflow"
sed 's/^repeat/deal = realisations\nrepeat/' "$room/many.workflow" > "$room/many-whole.workflow"
enter plain-many
ok "a plain run of realisations" plain_run ../many-whole.workflow
for n in 2 3 7; do
  enter "many-$n"
  ok "the same bytes when $n ranks get whole realisations" dealt $n ../many-whole.workflow
done
enter plain-many-blocks
mkdir ../keep && mv ../plain-many/* ../keep
cd ../plain-many || exit 99
ok "a plain run of realisations in blocks" plain_run ../many-blocks.workflow
enter many-blocks
ok "the same bytes when 3 ranks share each realisation" dealt 3 ../many-blocks.workflow
for i in 0 5 11; do
  ok "and the same pixels, $i" "$fits" same ../keep/map-$i.fits map-$i.fits
done
# Some outputs are there already.
enter dealt-exists
cp ../plain-many/map-2.fits ../plain-many/map-3.fits .
ok "outputs that exist end all ranks" \
  sh -c "! $mpirun -n 3 '$armilla' run --quiet ../many-whole.workflow > said 2>&1 && grep -c exists said | grep -qx 1"

# One rank finds its input damaged in the middle, which is not known before: all ranks end, with one
# message. What was done until then is whole.
cat > "$room/many-inputs.workflow" << END
[workflow]
repeat = 12
deal = realisations
$(input sky map "in-\${index}.fits")
$(analysis alm sky 100)
$(output out alm alm "alm-\${index}.fits")
END
# damaged_in_the_middle: in a folder with the inputs, of which that of realisation 7 has a NaN
damaged_in_the_middle ()
{
  gives 1 in-7.fits ranks 3 "$armilla" run --quiet ../many-inputs.workflow && one_message || return 1
  [ ! -e alm-7.fits ] || { echo "its output is there"; return 1; }
  for file in alm-*.fits; do
    [ ! -e "$file" ] || cmp "$file" ../plain-inputs/"$file" || return 1
  done
  if ls -A | grep -v -e '^in-[0-9]*\.fits$' -e '^alm-[0-9]*\.fits$'; then return 1; fi
}
enter plain-inputs
cp ../many-2/map-*.fits .
for file in map-*.fits; do mv "$file" "in-${file#map-}"; done
ok "a plain run that reads realisations" plain_run ../many-inputs.workflow
enter inputs-fail
cp ../plain-inputs/in-*.fits .
"$fits" poke in-7.fits 1 30000 nan > /dev/null
ok "an input that is damaged in the middle ends all ranks" damaged_in_the_middle

enter other
ok "a run with another seed" plain_run ../simulate.workflow --set draw.seed=8
ok "has other pixels" not "$fits" same out.fits ../plain-out.fits/out.fits

# --- What goes wrong on one rank only: status and message of the design, nothing left anywhere

# Rank BAD runs in the folder bad, the others in good: other files under the same names.
# shellcheck disable=SC2016
apart='if [ "$OMPI_COMM_WORLD_RANK" = "$1" ]; then cd bad; else cd good; fi; shift; exec "$@"'

# fails BAD STATUS PATTERN OPTION...
fails ()
{
  bad=$1
  status=$2
  pattern=$3
  shift 3
  (cd good && ls -AR) > before
  (cd bad && ls -AR) >> before
  ends "$status" ranks 3 --tag-output sh -c "$apart" - "$bad" "$armilla" run --quiet analyse.workflow "$@" || return 1
  (cd good && ls -AR) > after
  (cd bad && ls -AR) >> after
  one_message && matches "^\[1,0\]<stderr>:.*$pattern" && diff before after
}

enter apart
mkdir -p good/out bad/out
for folder in good bad; do
  cp "$room/plain-out.fits/out.fits" $folder/sky.fits
  cp "$room/analyse.workflow" $folder
done
for rank in 0 2; do
  mv bad/sky.fits away.fits
  ok "rank $rank does not find its input" fails $rank 1 'analyse.workflow:3:8: .sky. file: sky.fits'
  if [ $rank -eq 0 ]; then
    head -c 100000 away.fits > bad/sky.fits
    ok "the input of rank $rank is truncated" fails $rank 1 'sky.fits'
  else
    cp away.fits bad/sky.fits
    "$fits" poke bad/sky.fits 1 30000 nan > /dev/null
    ok "the input of rank $rank is damaged" fails $rank 1 'sky.fits'
  fi
  mv away.fits bad/sky.fits
  mv bad/analyse.workflow away
  ok "rank $rank does not find the workflow" fails $rank 2 'analyse.workflow'
  mv away bad/analyse.workflow
done
rmdir bad/out
ok "the output cannot be written" fails 0 1 'analyse.workflow:16:8: .out. file: out/map.fits'
mkdir bad/out
: > bad/out/map.fits
ok "the output exists" fails 0 1 'out/map.fits exists'
rm bad/out/map.fits
ok "a run after all that" ranks 3 sh -c "$apart" - 1 "$armilla" run --quiet analyse.workflow
ok "rank 0 wrote the map" [ -s good/out/map.fits ]
ok "and no other rank" [ -z "$(ls -A bad/out)" ]

# --- What is wrong from the beginning: one rank reports it, on whichever rank it is found

# once STATUS PATTERN COMMAND...: on three ranks; it ends, with one message of rank 0
once ()
{
  status=$1
  pattern=$2
  shift 2
  ends "$status" ranks 3 --tag-output "$@" && one_message && matches "^\[1,0\]<stderr>:.*$pattern" \
    && [ ! -e out.fits ]
}

enter beginnings
cp ../simulate.workflow .
printf '[workflow]\nmemory = 4 GiB\n' | cat - simulate.workflow > bound.workflow
ok "an option that is not there" once 2 'Unknown option --nonsense' \
  "$armilla" run --nonsense simulate.workflow
ok "a command that is not there" once 2 'unknown command "rnu"' "$armilla" rnu simulate.workflow
ok "a size that is none" once 2 '--memory: .*"parsec"' \
  "$armilla" run --memory 3parsec simulate.workflow
ok "a benchmark of nothing" once 2 'requires --nside' "$armilla" bench alm2map --nside 0
ok "a table that no stage names" once 2 'no stage names a table' \
  "$armilla" precompute simulate.workflow
ok "one process forecasts" once 2 'started by mpirun' \
  "$armilla" plan simulate.workflow --nodes 1x"$source/doc/nodes/cpu.node"
little () # three ranks on few cores may be told of that, too
{
  ends 1 ranks 3 "$armilla" run --memory 5MiB simulate.workflow
  [ "$(grep -c 'memory = 5 MiB leaves 0 MiB for tiles' "$room/.said")" -eq 1 ]
}
ok "memory that is not enough for the program" little
ok "a disk that is not there" once 1 '/none: tiles cannot be written there: No such file' \
  "$armilla" run --memory 4GiB --spill "$room/none" simulate.workflow
ok "no worker" once 1 'StarPU cannot start' env STARPU_NCPU=0 "$armilla" run simulate.workflow
ok "speeds that are none" once 1 'ARMILLA_SPEEDS is "1 x"' \
  env ARMILLA_SPEEDS="1 x" "$armilla" run simulate.workflow
ok "a way to migrate that is none" once 1 'ARMILLA_MIGRATE is "perhaps"' \
  env ARMILLA_MIGRATE=perhaps "$armilla" run simulate.workflow

# alone RANK WORD COMMAND...: WORD is set in the environment of one rank
# shellcheck disable=SC2016
alone='[ "$OMPI_COMM_WORLD_RANK" = "$1" ] && export "$2"; shift 2; exec "$@"'
ok "no worker on rank 2" once 1 'StarPU cannot start' \
  sh -c "$alone" - 2 STARPU_NCPU=0 "$armilla" run simulate.workflow
for rank in 0 2; do
  ok "no disk on rank $rank" once 1 '/none: tiles cannot be written there' \
    sh -c "$alone" - $rank TMPDIR="$room/none" "$armilla" run --memory 4GiB simulate.workflow
  # which says how much memory ranks have, to the others alone
  # shellcheck disable=SC2016
  ok "no workflow on rank $rank" once 2 'cannot open the workflow' \
    sh -c 'file=bound; [ "$OMPI_COMM_WORLD_RANK" = "$1" ] && file=gone; exec "$2" run $file.workflow' \
    - $rank "$armilla"
  # shellcheck disable=SC2016
  ok "another command line on rank $rank" once 2 'Unknown option --nonsense' \
    sh -c 'option=--quiet; [ "$OMPI_COMM_WORLD_RANK" = "$1" ] && option=--nonsense
      exec "$2" run $option simulate.workflow' - $rank "$armilla"
done
slow=$build/tests/lib/.libs/slow-end.so
for rank in 1 2; do
  name="no worker, and rank $rank ends last"
  if ! can_preload "$slow"; then
    skip "$name" "a sanitizer wants to be loaded first"
    continue
  fi
  ok "$name" once 1 'StarPU cannot start' \
    sh -c "$alone" - $rank LD_PRELOAD="$slow" env STARPU_NCPU=0 "$armilla" run simulate.workflow
  ok "the run fails, and rank $rank ends last" once 1 'none.fits' \
    sh -c "$alone" - $rank LD_PRELOAD="$slow" \
    "$armilla" run --quiet ../analyse.workflow --set sky.file="$room/none.fits"
done
ok "speeds that are none on rank 0" once 1 'ARMILLA_SPEEDS is "1"' \
  sh -c "$alone" - 0 ARMILLA_SPEEDS=1 "$armilla" run simulate.workflow
ok "speeds on another rank count for nothing" \
  ranks 3 env -u ARMILLA_SPEEDS sh -c "$alone" - 2 ARMILLA_SPEEDS=1 "$armilla" run --quiet simulate.workflow
ok "and the pixels are the same" "$fits" same out.fits ../plain-out.fits/out.fits

# --- Cores

# divides: two ranks that a launcher left all cores to say how many each has; together not more than all
divides ()
{
  $mpirun -n 2 --bind-to none env -u STARPU_NCPU -u STARPU_WORKERS_NOBIND "$armilla" machine > said 2> warned \
    || { cat said warned; return 1; }
  cat said warned
  each=$(sed -n 's/^2 ranks on .* divide its cores: \([0-9]*\) for this one$/\1/p' warned)
  grep -q " cores, $each for this process" said && [ "$((2 * each))" -le "$(nproc)" ] &&
    ! grep -q 'CPU workers for' warned && [ "$(grep -c 'worker .* CPU' said)" -eq "$each" ]
}

enter cores
if [ "$(nproc)" -lt 2 ]; then
  skip "ranks divide the cores of their machine" "there is one core"
elif [ "$(nproc)" -gt 8 ]; then
  skip "ranks divide the cores of their machine" "StarPU may have fewer workers than cores"
else
  ok "ranks divide the cores of their machine" divides
fi

# --- Signals

# stopped SIGNAL: mpirun gets it while tasks run, far from the end
stopped ()
{
  : > "$room/.said" # what the last run has said must not be taken for this one's
  $mpirun -n 2 "$armilla" run ../analyse.workflow \
    --set sky.file=../plain-out.fits/out.fits --set alm.lmax=191 --set alm.iterations=1000 \
    --set out.file=out.fits > "$room/.said" 2>&1 &
  pid=$!
  until grep -q '\[out\]' "$room/.said" || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
  kill -s "$1" "$(launcher $pid)" || { echo "ended before it was stopped"; return 1; }
  wait $pid
  got=$?
  cat "$room/.said"
  [ $got -ne 0 ] || { echo "exit status 0"; return 1; }
  [ -z "$(ls -A)" ] || { ls -A; return 1; }
}

enter signals
ok "SIGINT to mpirun leaves nothing" stopped INT
ok "SIGTERM to mpirun leaves nothing" stopped TERM
finish
