#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Workflows under mpirun: the pixels of a plain run on any number of ranks, one voice, and an end in
# order when something goes wrong on one rank only. TAP.

build=$(pwd)
source=$(cd "${srcdir:-.}" && pwd)
armilla=$build/armilla
fits=$build/tests/check-fits
data=${HEALPY_DATA:-/usr/share/healpy}
if ! command -v mpirun > /dev/null || ! grep -q 'define HAVE_MPI 1' config.h; then
  echo "1..0 # SKIP built without MPI, or no mpirun"
  exit 0
fi
room=$(mktemp -d "${TMPDIR:-/tmp}/armilla-mpi-XXXXXX") || exit 99
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 99
STARPU_NCPU=1
export STARPU_NCPU
number=0

# ok NAME COMMAND...: one test
ok ()
{
  number=$((number + 1))
  name=$1
  shift
  if "$@" > "$room/.log" 2>&1; then
    echo "ok $number - $name"
  else
    sed 's/^#* */# /' "$room/.log"
    echo "not ok $number - $name"
  fi
}

# not COMMAND...
not () { if "$@"; then return 1; else return 0; fi; }

enter () { mkdir "$room/$1" && cd "$room/$1" || exit 99; }

# ranks N COMMAND...: -q keeps mpirun's own remarks on exit statuses away
ranks ()
{
  n=$1
  shift
  timeout 120 mpirun -q --tag-output --oversubscribe --bind-to none -n "$n" "$@"
}


cat > "$room/simulate.workflow" << END
[flat]
stage = read-cl
file = $room/flat.dat
[draw]
stage = random-alm
cl = flat
seed = 7
lmax = 150
[sky]
stage = alm2map
alm = draw
nside = 64
[out]
stage = write-map
map = sky
file = out.fits
END
cat > "$room/analyse.workflow" << END
[sky]
stage = read-map
file = sky.fits
[alm]
stage = map2alm
map = sky
lmax = 100
iterations = 1
[again]
stage = alm2map
alm = alm
like = sky
[out]
stage = write-map
map = again
file = out/map.fits
END
# Whatever needs pixels of other ring blocks, and correlated fields.
cat > "$room/arithmetic.workflow" << END
[six]
stage = read-cl
file = $room/six.dat
[teb]
stage = random-alm
cl = six
seed = 3
lmax = 150
[teb-out]
stage = write-alm
alm = teb
file = teb.fits
[flat]
stage = read-cl
file = $room/flat.dat
[draw]
stage = random-alm
cl = flat
seed = 8
lmax = 150
[sky]
stage = alm2map
alm = draw
nside = 64
[few]
stage = ud-grade
map = sky
nside = 4
[holes]
stage = combine
map = few
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
map = masked
map2 = sky
weights = 2, -1
[out]
stage = write-map
map = sum
file = sum.fits
END
awk 'BEGIN { for (l = 0; l <= 800; l++) print l, 1 / (l + 1) }' > "$room/flat.dat"
awk 'BEGIN { for (l = 0; l <= 150; l++) print l, 4, 2, 1, 1.5, 0.5, -1 }' > "$room/six.dat"

# --- The same pixels, and rank 0 alone talks

# same_run N FILE WORKFLOW: N ranks write the pixels of ../plain/FILE, and say what a plain run says
same_run ()
{
  ranks "$1" "$armilla" run "$3" > said 2>&1 || { cat said; return 1; }
  "$fits" same "$2" "../plain-$2/$2" || return 1
  sed 's/^\[1,0\]<[a-z]*>://; s/^done in .*/done/' said > plainly
  sed 's/^done in .*/done/' "../plain-$2/said" | diff - plainly
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
[flat]
stage = read-cl
file = $room/flat.dat
[draw]
stage = random-alm
cl = flat
seed = 7
lmax = 150
[sky]
stage = alm2map
alm = draw
nside = 64
[out]
stage = write-map
map = sky
file = map-\${index}.fits
END
# dealt N WAY: N ranks write the bytes of a plain run; with "blocks" they share each realisation
dealt ()
{
  ranks "$1" "$armilla" run "$2" > said 2>&1 || { cat said; return 1; }
  for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    cmp map-$i.fits ../plain-many/map-$i.fits || return 1
  done
  # every realisation is told once, in whatever order it was begun
  [ "$(grep -c 'realisation [0-9]* of 12' said)" -eq 12 ] || { cat said; return 1; }
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
# One rank finds its input damaged in the middle: all end, with one message.
enter dealt-fails
ranks 3 "$armilla" run ../many-whole.workflow > said 2>&1 && : > map-99.fits
rm -f map-5.fits map-6.fits map-7.fits map-8.fits map-9.fits map-10.fits map-11.fits
ok "outputs that exist end all ranks" \
  sh -c "! timeout 60 mpirun -q --oversubscribe --bind-to none -n 3 '$armilla' run --quiet ../many-whole.workflow > said 2>&1 && grep -c exists said | grep -qx 1"

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
  ranks 3 sh -c "$apart" - "$bad" "$armilla" run --quiet analyse.workflow "$@" > "$room/.message" 2>&1
  got=$?
  cat "$room/.message"
  (cd good && ls -AR) > after
  (cd bad && ls -AR) >> after
  [ $got -eq "$status" ] || { echo "exit status $got, not $status"; return 1; }
  [ "$(grep -c . "$room/.message")" -eq 1 ] || { echo "not one message"; return 1; }
  grep -q "^\[1,0\]<stderr>:.*$pattern" "$room/.message" || { echo "not about $pattern"; return 1; }
  diff before after
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

# --- Signals

# stopped SIGNAL: mpirun gets it while tasks run, far from the end
stopped ()
{
  mpirun -q --oversubscribe --bind-to none -n 2 "$armilla" run ../analyse.workflow \
    --set sky.file=../plain-out.fits/out.fits --set alm.lmax=191 --set alm.iterations=1000 \
    --set out.file=out.fits > "$room/.said" 2>&1 &
  pid=$!
  tries=0
  until grep -q '\[out\]' "$room/.said" || [ $((tries += 1)) -gt 300 ]; do sleep 0.1; done
  sleep 0.5
  kill -s "$1" $pid || { echo "ended before it was stopped"; return 1; }
  wait $pid
  got=$?
  cat "$room/.said"
  [ $got -ne 0 ] || { echo "exit status 0"; return 1; }
  [ -z "$(ls -A)" ] || { ls -A; return 1; }
}

enter signals
ok "SIGINT to mpirun leaves nothing" stopped INT
ok "SIGTERM to mpirun leaves nothing" stopped TERM
echo "1..$number"
