#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Objects of catalogues and contours on maps, from the workflow to the file: coordinates, names, errors. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

enter plain
# Places near the centre of the Galaxy, as galactic coordinates and as right ascension and
# declination, by ESA (1997), The Hipparcos and Tycho Catalogues 1, section 1.5.3.
printf 'lon,lat\n359.99718493,-0.00469179\n0.18673252,1.87509732\n' > ../galactic.csv
printf 'lon,lat\n266.40789485,-28.94102126\n264.70587097,-27.78920983\n' > ../equatorial.csv

# objects NODE FILE COORDINATES: a catalogue that is read
objects ()
{
  input "$1" catalogue "$room/$2"
  printf 'longitude = lon\nlatitude = lat\nlongitude-unit = deg\nlatitude-unit = deg\n'
  printf 'coordinates = %s\n' "$3"
}

cat > ../catalogues.workflow <<WORKFLOW
$(objects here galactic.csv galactic)
$(objects there equatorial.csv equatorial)
[map]
stage = bin-catalogue
catalogue = here
nside = 64
[one]
stage = render
map = map
catalogue = here
labels = objects
title =
projection = gnomonic
size = 6 deg
file = one.png
[other]
stage = render
map = map
catalogue = there
labels = objects
title =
projection = gnomonic
size = 6 deg
file = other.png
[wide]
stage = expression
map = map
expression = 10*cos(lon*pi/90) + 0*COUNTS
[lines]
stage = render
map = map
contours = wide
catalogue2 = there
file = lines.png
width = 400
[own]
stage = render
map = wide
levels = -5, 5
file = own.svg
[turned]
stage = bin-catalogue
catalogue = there
nside = 16
[both]
stage = render
map = map
catalogue = here
catalogue3 = there
colours = red, #0000a0
file = both.pdf
WORKFLOW
sed -i 's/ #0000a0/ \\s#0000a0/' ../catalogues.workflow
run ../catalogues.workflow
ok "objects on a square" "$png" one.png 1000 1095 0 50
ok "objects in other coordinates are in the same places" cmp one.png other.png
ok "two catalogues in a PDF" test -s both.pdf
ok "contours of another map" "$png" lines.png 400 282 0 50
ok "contours of the map itself" test -s own.svg
same_everywhere ../catalogues.workflow
cd ..

# A catalogue that comes long after all pixels of the map, and the same one from a file.
seq 0 1000 | sed 's,$, 1,' > flat.txt
# picture FILE: objects on a map of few pixels
picture ()
{
  printf '[cl]\nstage = read-cl\nfile = flat.txt\n[alm]\nstage = random-alm\ncl = cl\n'
  printf '[small]\nstage = alm2map\nalm = alm\nnside = 8\n'
  printf '[picture]\nstage = render\nmap = small\ncatalogue = objects\nwidth = 200\nfile = %s\n' "$1"
}
{
  picture late.png
  printf '[large]\nstage = alm2map\nalm = alm\nnside = 512\n'
  printf '[everywhere]\nstage = expression\nmap = large\nexpression = 1 + 0*TEMPERATURE\n'
  printf '[objects]\nstage = random-catalogue\nnumber = 50\nmask = everywhere\n'
  output out catalogue objects objects.fits
} > late.workflow
{
  picture read.png
  input objects catalogue objects.fits
} > read.workflow
late () { run late.workflow && run read.workflow && cmp late.png read.png; }
ok "a catalogue that comes after the pixels" late

# no TEXT SETTING...: an error that reports it, and no picture
no ()
{
  text=$1
  shift
  refused catalogues.workflow "$text" --set both.file=none.pdf "$@" && test ! -e none.pdf
}

ok "a level that is no number" no 'levels: "high" is not a number' --set 'own.levels=1, high'
ok "too many levels" no 'levels has 33 values; must be at most 32' \
  --set "own.levels=$(seq -s , 33)"
ok "contours in other coordinates" no 'map has the coordinates G (galactic), but contours has C' \
  --set lines.contours=turned
ok "a name too many" no 'labels has 2 entries; must be one per catalogue (1)' --set 'one.labels=a, b'
ok "no colour" no 'colours: "reddish" is not a colour' --set 'both.colours=reddish, red'
sed '/^map = map/,$ { /^catalogue = here/d }' catalogues.workflow > bare.workflow
ok "names of nothing" refused bare.workflow \
  'labels of a map requires a catalogue; connect one' --set one.file=none.png
sed '/^stage = render/,/^\[/ { /^map = /d }' catalogues.workflow > alone.workflow
ok "a catalogue without a map" refused alone.workflow \
  'connect either a map, with contours and catalogues or without' --set one.file=none.png
finish
