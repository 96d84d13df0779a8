#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a run tells at its end of what it has read and written: compared with the files. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
command -v python3 > /dev/null || skip_all "there is no python3"

awk 'BEGIN { for (l = 0; l <= 40; l++) print l, 1 / (l + 1) }' > theory.txt
awk 'BEGIN { print "# ra dec"; for (i = 0; i < 123; i++) print 2 * i, i / 2 - 30 }' > objects.txt

cat > skies.workflow << 'END'
[workflow]
repeat = 12
[theory]
stage = read-cl
file = theory.txt
[draw]
stage = random-alm
cl = theory
seed = 3
[sky]
stage = alm2map
alm = draw
nside = 8
[out]
stage = write-map
map = sky
file = sky-${index}.fits
[picture]
stage = render
map = sky
file = sky-${index}.png
width = 200
END
cat > second.workflow << 'END'
[sky]
stage = read-map
file = sky-0.fits
[objects]
stage = read-catalogue
file = objects.txt
longitude-unit = deg
latitude-unit = deg
[counts]
stage = bin-catalogue
catalogue = objects
nside = 4
[sum]
stage = write-map
map = counts
file = counts.fits
[copy]
stage = write-map
map = sky
file = copy.fits.gz
END

cat > look.py << 'END'
# look.py TRACE FILES: files of metadata hold what files there are
import glob, json, os, sys
trace, repeat = json.load (open (sys.argv[1])), int (sys.argv[2])
files = trace['metadata']['files']
written = {f['name']: f for f in files['written']}
for name, f in written.items ():
    names = glob.glob (name)
    assert len (names) == f['number'] == repeat, (name, names)
    assert sum (map (os.path.getsize, names)) == f['bytes'], name
    assert f['seconds'] > 0 and f['differ'] == (repeat > 1)
print (' '.join (sorted (written)), [f['kind'] for f in written.values ()])
for f in files['read']:
    print (f['name'], f['kind'], f['number'], f['objects'], f['pixels'])
END

# tells TEXT...: each is a line of what was said
tells () { for line in "$@"; do grep -qx -e "$line" "$room/.said" || { echo "not: $line"; return 1; }; done; }
# lists TRACE N TEXT...: what look.py prints of a trace
lists ()
{
  trace=$1 repeat=$2
  shift 2
  python3 "$room/look.py" "$trace" "$repeat" > listed || return 1
  printf '%s\n' "$@" | diff - listed
}
# skies READ TIMES COMMAND...: the spectrum is the same in all realisations, and read once by each
# rank that computes whole ones
skies ()
{
  read=$1 times=$2
  shift 2
  ends 0 "$@" run --trace t.json skies.workflow &&
    tells 'read:' " *theory.txt  *cl, $read.* s" 'written:' \
      ' *sky-\*.fits  *map, 12 files, [0-9.]* kB, .* s' \
      ' *sky-\*.png  *picture, 12 files, [0-9.]* kB, .* s' &&
    test "$(grep -c 'sky-' .said)" -eq 2 &&
    lists t.json 12 "sky-*.fits sky-*.png ['map', 'picture']" "theory.txt cl $times 0 0"
}
second ()
{
  ends 0 "$@" run --trace s.json second.workflow &&
    tells ' *sky-0.fits  *map, 768 pixels, .* s' ' *objects.txt  *catalogue, 123 objects, .* s' &&
    lists s.json 1 "copy.fits.gz counts.fits ['map', 'map']" 'sky-0.fits map 1 0 768' \
      'objects.txt catalogue 1 123 0'
}
quiet () { ends 0 "$armilla" run --quiet --overwrite skies.workflow && test ! -s .said; }
again ()
{
  run --resume --overwrite --set workflow.repeat=3 skies.workflow && ends 0 "$armilla" run --resume --overwrite \
    --set workflow.repeat=3 skies.workflow && not says 'written:'
}

ok "twelve realisations have a line for each node" skies '' 1 "$armilla"
ok "pixels and objects that were read" second "$armilla"
ok "--quiet says nothing" quiet
ok "what an earlier run has written is not listed" again
if has_ranks; then
  for n in 2 3; do
    rm -f ./*.fits ./*.gz ./*.png ./*.json
    ok "the same of $n ranks that compute whole skies" skies "$n times, " "$n" ranks "$n" "$armilla"
    ok "and of $n ranks that share all" second ranks "$n" "$armilla"
  done
else
  skip "the same of several ranks" "built without MPI, or no mpirun"
fi
finish
