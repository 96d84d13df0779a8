#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of maps, from the workflow to the file: projections, palettes of files, errors. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

for l in 0 1 2 3 4; do echo "$l 1"; done > cl.txt
printf '#000000\n#ff8000\n' > orange.palette
printf '0 0 0\n1 1\n' > broken.palette
cat > map.workflow <<WORKFLOW
$(input spectrum cl cl.txt)

[alm]
stage = random-alm
cl = spectrum

$(synthesis sky alm 8)

[picture]
stage = render
map = sky
file = picture.png
graticule = true
width = 400
title =
WORKFLOW

# draws KEY=VALUE...
draws ()
{
  rm -f picture.png
  settings=
  for setting; do settings="$settings --set picture.$setting"; done
  # shellcheck disable=SC2086 # settings are words
  "$armilla" run map.workflow --overwrite $settings > run.log 2>&1
}

# size WIDTH HEIGHT KEY=VALUE...: a picture of that size
size ()
{
  width=$1 height=$2
  shift 2
  draws "$@" || { cat run.log >&2; return 1; }
  "$png" picture.png "$width" "$height" 0 50
}

# refused PATTERN KEY=VALUE...: an error that reports it, and no picture
refused ()
{
  pattern=$1
  shift
  if draws "$@"; then return 1; fi
  grep -q -e "$pattern" run.log && test ! -e picture.png
}

ok "all of the sky in an ellipse" size 400 268
ok "half of it" size 400 352 projection=orthographic latitude=40deg
ok "both halves" size 400 265 projection=hemispheres
ok "a square of it" size 400 424 projection=gnomonic latitude=80deg
ok "all of it in a rectangle" size 400 264 projection=cartesian
ok "another square" size 400 424 projection=cartesian size=20deg
ok "in the colours of a file" size 400 268 palette-file=orange.palette
ok "and of a palette for angles" size 400 268 palette=phase
# panels KEY=VALUE...: two fields of a map
panels ()
{
  sed 's/^map = sky/map = both/' map.workflow > both.workflow
  cat >> both.workflow <<WORKFLOW
[both]
stage = expression
map = sky
expression = TEMPERATURE, 3*TEMPERATURE^2
names = one, two
WORKFLOW
  rm -f picture.png
  "$armilla" run both.workflow "$@" > run.log 2>&1
}
halves ()
{
  words=$1
  shift
  panels "$@" && "$png" picture.png 400 "$height" 0 50 "$words"
}
height=154
ok "a panel for each field" halves differ --set picture.field=all
ok "of equal fields, equal panels" halves same --set picture.field=1,1
height=172
ok "a title above them" halves differ --set picture.field=0,1 --set picture.title=both
too_many () { panels --set picture.field=0,1,0,1,0,1,0,1,0,1; grep -q 'names 10 fields; must be at most 9' run.log; }
ok "more panels than there is room for" too_many
ok "colours in powers of ten" size 400 268 colour-scale=log
cat > negative.workflow << 'WORKFLOW'
[negative]
stage = expression
nside = 8
expression = 0*lat - 1
[picture]
stage = render
map = negative
file = negative.png
colour-scale = log
WORKFLOW
ok "but not without a positive value" gives 1 'the colour axis is logarithmic, but no value is positive' \
  "$armilla" run --quiet negative.workflow
ok "and of both signs" size 400 268 colour-scale=symlog colour-threshold=1e-3
ok "a wrong file of colours" refused 'broken.palette:2: "1 1" is not a colour' \
   palette-file=broken.palette
ok "a missing one" refused 'cannot read the palette none' palette-file=none
ok "a size of what has none" refused 'size requires projection' size=20deg
ok "more than the plane shows" refused 'shows at most 144 deg' projection=gnomonic size=170deg
# What draws before it, in another format, changes no letter of a picture.
figure () { printf '[%s]\nstage = render\ncl = spectrum\nfile = %s\n' "$@"; }
same_letters ()
{
  { input spectrum cl cl.txt; figure alone alone.png; } > alone.workflow
  { input spectrum cl cl.txt; figure first first.pdf; figure second second.svg; figure third third.png; } > three.workflow
  run alone.workflow && run three.workflow && cmp alone.png third.png
}
ok "a PNG file beside a PDF and an SVG file" same_letters
# cairo names parts of an SVG by the surfaces that there were in the process.
same_names ()
{
  sed 's/picture.png/alone.svg/' map.workflow > alone.workflow
  { cat map.workflow; figure first first.svg; printf '[last]\nstage = render\nmap = sky\n'
    printf 'file = last.svg\ngraticule = true\nwidth = 400\ntitle =\n'; } > three.workflow
  rm -f picture.png first.svg && run alone.workflow && run three.workflow && cmp alone.svg last.svg
}
ok "an SVG file beside others" same_names
finish
