#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several pictures in one file: maps, matrices and plots as they are alone, where they stand, in
# realisations, in runs that go on, and what is refused. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

enter plain
for l in $(seq 0 40); do echo "$l $((100 / (l + 1)))"; done > "$room/cl.txt"

# What the pictures show: a map with objects, a spectrum, a matrix, a histogram.
cat > "$room/data" <<WORKFLOW
$(input lines cl "$room/cl.txt")
$(random_alm alm theory "$room/cl.txt")
seed = 1
realisation = 0
$(synthesis sky alm 16)
$(random_points objects 50 1)
[mask]
stage = expression
nside = 16
expression = where(lat > 20, 1, 0)
[coupling]
stage = coupling
mask = mask
lmax = 40
$(spectrum power alm)
[values]
stage = map-statistics
map = sky
histogram-bins = 20
histogram-min = -50
histogram-max = 50
WORKFLOW
map='map = sky\ncatalogue = objects\nlevels = 10\ngraticule = true'
plot='cl = lines\ncl2 = power\ntitle = Spectra'
matrix='matrix = coupling\nfield = all'
histogram='table = values.histogram'

# panel NODE WHAT
panel () { printf "[%s]\nstage = panel\n$2\n" "$1"; }
# page NODE FILE PANEL...
page ()
{
  printf '[%s]\nstage = render-panels\nfile = %s\nwidth = 600\n' "$1" "$2"
  shift 2
  place=
  for node; do
    echo "panel$place = $node"
    place=$((${place:-1} + 1))
  done
}
panels () { panel map "$map"; panel plot "$plot"; panel matrix "$matrix"; panel histogram "$histogram"; }

{
  cat "$room/data"
  panels
  page all all.png map plot matrix histogram
  page paper all.pdf map plot matrix histogram
  page drawing all.svg map plot matrix histogram
  page twice twice.png matrix matrix
  page three three.png plot map plot
  page column column.png map histogram
  echo 'columns = 1'
  page row row.png plot plot
  echo 'title = Two'
  for kind in map plot matrix histogram; do
    page "one-$kind" "one-$kind.png" $kind
    panel "alone-$kind" "$(eval echo \"\$$kind\")" | sed "s/^stage = panel/stage = render\nwidth = 600\nfile = alone-$kind.png/"
  done
} > ../panels.workflow
ok "pictures of all kinds" run ../panels.workflow
for kind in map plot matrix histogram; do
  ok "one $kind is what render draws" cmp one-$kind.png alone-$kind.png
done
ok "four panels" "$png" all.png 600 581 0 50 differ
ok "one picture in two panels" "$png" twice.png 600 335 0 50 same
ok "a row as high as its highest picture, and one below it" "$png" three.png 600 174 0 20
ok "a map above a plot" "$png" column.png 600 813 0 50
ok "plots under a title" "$png" row.png 600 222 0 3
same_everywhere ../panels.workflow
cd ..

# More than nine, in rows of four; plots of the same curves have one legend.
enter many
{
  cat "$room/data"
  panel plot "$plot"
  panel bare "cl = lines\ncl2 = power\ntitle = Spectra\nlabels = , "
  page eleven eleven.png $(yes plot | head -n 11)
  page most most.png $(yes plot | head -n 24)
  page both both.png plot bare
  page twice twice.png plot plot
  page other other.png bare bare
} > ../eleven.workflow
ok "panels" run ../eleven.workflow
ok "eleven in three rows of four" "$png" eleven.png 600 294 0 50 differ
ok "twenty-four in six rows" "$png" most.png 600 588 0 50
ok "one legend for plots of the same curves" cmp both.png twice.png
ok "which is there" "$png" other.png 600 195 0 3 same
ok "not twice" "$png" twice.png 600 195 0 3 differ
cd ..

# What is the same in all realisations is drawn beside what is not.
{
  printf '[workflow]\nrepeat = 3\n'
  sed 's/^seed = .*/seed = ${index}/' data
  panels | sed '/^catalogue = /d' # of random objects, which the number of the realisation changes
  page all 'all-${index}.png' map plot matrix histogram
  page same 'same-${index}.png' matrix
} > many.workflow
same_as_alone ()
{
  for i in 0 1 2; do
    sed "/^repeat/d; s/\${index}/$i/" many.workflow > one.workflow
    mkdir -p alone && (cd alone && run ../one.workflow && cmp all-$i.png ../all-$i.png && cmp same-$i.png ../same-$i.png) || return 1
  done
  ! cmp -s all-0.png all-1.png && cmp same-0.png same-2.png
}
ok "realisations" run many.workflow
ok "each is what it is alone" same_as_alone
goes_on ()
{
  cp all-1.png kept.png
  rm -f many.journal all-?.png same-?.png
  "$armilla" run --quiet --resume many.workflow && rm all-1.png && "$armilla" run --quiet --resume many.workflow && cmp all-1.png kept.png
}
ok "a run that goes on draws what is not there" goes_on

# After the last realisation: what was collected, beside what never changes.
{
  printf '[workflow]\nrepeat = 3\n'
  sed 's/^seed = .*/seed = ${index}/' data
  panel area 'map = mask'
  panel mean 'table = collected.table\ncl = lines'
  printf '[collected]\nstage = collect\ninput = power\n'
  page end end.png area mean
} > end.workflow
ok "what was collected, beside a mask" run end.workflow
ok "is one picture" "$png" end.png 600 232 0 20 differ

# wrong TEXT COMMAND...: a workflow whose panels the command changes is refused, and nothing is drawn
wrong ()
{
  text=$1
  shift
  { cat data; panels; page all none.png map plot matrix histogram; } | "$@" > wrong.workflow
  refused wrong.workflow "$text" && test ! -e none.png
}
ok "a panel of nothing" wrong "[plot]: connect either a map" sed '/^cl = lines/d; /^cl2/d'
ok "a map is no panel" wrong \
  "[all] panel: this input accepts data of kind picture, but node sky (alm2map) outputs map" sed 's/^panel = map/panel = sky/'
ok "a panel has no file" wrong "[map] file: panel has no such key" sed 's/^levels/file = x.png\nlevels/'
ok "what a panel refuses is told by its line" wrong '[map] field: field = 7: the map has no column' sed 's/^levels = 10/field = 7/'
ok "so is what is seen when it is drawn" wrong "[plot] residuals: no line" \
  sed 's/^cl = lines/table = values.histogram\nresiduals = ratio/; /^cl2/d'
ok "and what is the fault of no key" wrong "[plot]: the inputs have different horizontal axes" \
  sed 's/^cl2 = power/table = values.histogram/'
ok "no file that render cannot write" wrong '.png, .svg or .pdf' sed 's/none.png/none.gif/'
ok "memory of all of them" fails "[all]: needs at least 1.0 GiB" \
  env ARMILLA_MEMORY=256MiB "$armilla" run --dry-run panels.workflow --set all.width=8192
finish
