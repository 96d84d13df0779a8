#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of matrices, from the workflow to the file: couplings, covariances of tables, errors. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

enter plain
for l in $(seq 0 300); do echo "$l 1"; done > "$room/cl.txt"
cat > ../matrices.workflow <<WORKFLOW
$(random_points objects 4000 1)
[hits]
stage = bin-catalogue
catalogue = objects
nside = 16
[mask]
stage = expression
map = hits
expression = where(lat > 20, 1, 0) + 0*COUNTS
[coupling]
stage = coupling
mask = mask
lmax = 300
[picture]
stage = render
matrix = coupling
file = coupling.png
width = 500
[correlation]
stage = pair-correlation
catalogue = objects
random = others
edges = 0.1 deg, 1 deg, 3 deg, 5 deg, 8 deg
patches = 8
$(random_points others 8000 2)
[scatter]
stage = render
covariance = correlation.covariance
correlation = true
file = scatter.png
width = 500
[windows]
stage = decouple
cl = pseudo
coupling = coupling
delta-l = 10
$(random_alm alm spectrum "$room/cl.txt")
$(spectrum pseudo alm)
[vector]
stage = render
matrix = windows.windows
file = windows.pdf
WORKFLOW
run ../matrices.workflow
ok "four matrices" "$png" coupling.png 500 544 0 50
ok "a correlation of a table" "$png" scatter.png 500 577 0 50
ok "window functions" test -s windows.pdf
same_everywhere ../matrices.workflow
cd ..

# Pictures that were done when a run before this failed may be there.
run () { "$armilla" run --quiet --overwrite "$@"; }

# no TEXT SETTING...: an error that reports it, and no picture
no ()
{
  text=$1
  shift
  settings=
  for setting; do settings="$settings --set $setting"; done
  rm -f none.png
  # shellcheck disable=SC2086 # settings are words
  refused matrices.workflow "$text" $settings --set picture.file=none.png && test ! -e none.png
}

ok "a field that is not there" no 'the matrix has no column "TT"; it has 0 00' picture.field=TT
ok "variances that are not there" no 'the matrix has' picture.matrix=windows.windows \
   picture.correlation=true
ok "a table that is no covariance" refused matrices.workflow \
  'PAIR-CORRELATION is not one' --set scatter.covariance=correlation.table --set picture.file=other.png
sed 's/^covariance = /table = /; /^correlation = true/d' matrices.workflow > plot.workflow
ok "a covariance plotted as a function" refused plot.workflow \
  'connect covariances to the input covariance' --set picture.file=another.png
ok "what belongs to maps" no 'graticule applies to pictures of a map' picture.graticule=true
sed 's/^matrix = coupling/map = mask/' matrices.workflow > map.workflow
ok "what belongs to matrices" refused map.workflow \
  'correlation applies to pictures of a matrix' --set picture.correlation=true
ok "a matrix and a map" no 'or a matrix, or spectra and tables to plot' picture.map=mask
ok "colours from below 0 on" no 'the colour axis would go from -1' picture.min=-1 \
   picture.colour-scale=log
finish
