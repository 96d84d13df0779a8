#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage render-patches, from the workflow to the picture: which unit it shows. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
decades=

for l in 0 1 2 3 4; do echo "$l 1"; done > cl.txt
cat > two.workflow <<WORKFLOW
$(input spectrum cl cl.txt)

[alm]
stage = random-alm
cl = spectrum

[alm2]
stage = random-alm
cl = spectrum

$(synthesis sky alm 4)

$(synthesis sky2 alm2 4)

[picture]
stage = render-patches
map = sky
map2 = sky2
centres = 45 60
size = 13 deg
width = 100
file = picture.svg
WORKFLOW

# letters KEY=VALUE...: how many letters and digits a picture shows
letters ()
{
  rm -f picture.svg
  settings=
  for setting; do settings="$settings --set $setting"; done
  # shellcheck disable=SC2086 # settings are words
  "$armilla" run two.workflow --overwrite $settings > run.log 2>&1 || { cat run.log >&2; return 1; }
  grep -o 'xlink:href="#glyph' picture.svg | wc -l
}

# shows_more N KEY=VALUE...: that many letters more than without units
shows_more ()
{
  more=$1
  shift
  # shellcheck disable=SC2086 # a word or none
  bare=$(letters $decades) && all=$(letters "$@" $decades) && echo "$bare letters and $all" \
    && [ "$bare" -gt 0 ] && [ "$all" -eq $((bare + more)) ]
}

# refuses TEXT KEY=VALUE...
refuses ()
{
  text=$1
  shift
  if letters "$@"; then return 1; fi
  cat run.log
  grep -qF "$text" run.log
}

# middle PALETTE: a digit is in the middle of the bar, which is at 103 points
middle ()
{
  letters "picture.palette=$1" picture.size=2rad > /dev/null || return 1
  sed -n 's/.*xlink:href="#glyph[^"]*" x="\([0-9.]*\)" y="\([0-9.]*\)".*/\1 \2/p' picture.svg |
    awk '$2 > 115 && $1 > 100.5 && $1 < 103 { n++ } END { exit n != 1 }'
}

# named N TITLES: so many letters less than with the names of the nodes, sky and sky2
named () { all=$(letters) && less=$(letters "picture.titles=$2") && [ "$all" -eq $((less + $1)) ]; }

ok "maps are called after their nodes" named 5 xy
ok "0 is in the middle of a palette for values about it" middle sky
ok "and not of others" not middle thermal
ok "the unit of the maps is under the bar" shows_more 2 alm.unit=uK alm2.unit=uK
ok "that of one map, where the other has none" shows_more 2 alm2.unit=mK
ok "one that was said" shows_more 3 alm.unit=uK alm2.unit=uK picture.unit=mK2
decades=picture.decades=3
ok "with decades behind the largest value and a blank" shows_more 3 alm.unit=uK alm2.unit=uK
decades=
ok "two units are not shown as one" refuses 'map has the unit "uK", but map2 has "mK"' \
   alm.unit=uK alm2.unit=mK
ok "unless picture.unit declares that they are" shows_more 2 alm.unit=uK alm2.unit=mK picture.unit=uK
finish
