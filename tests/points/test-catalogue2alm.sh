#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# catalogue2alm and catalogue-spectra in workflows: the same bytes for any number of workers and ranks, with little
# memory; bad input. What they compute: test-catalogue2alm-healpy, ../spectra/test-catalogue-namaster. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 48; l++) {
  t = l < 2 ? 0 : 1 / (l * (l + 1)); print l, t, 0.02 * t, 0.001 * t, 0.1 * t } }' > theory.dat
cat > sky.workflow << END
[workflow]
repeat = 2
$(random_alm draw teb "$room/theory.dat")
seed = 1
$(random_points points 20000 3)
latitude-min = 20 deg
$(random_points randoms 30000 4)
latitude-min = 20 deg
realisation = 0
[values]
stage = alm2points
alm = draw
points = points
columns = T, Q, U
[shears]
stage = catalogue-spectra
catalogue = values
columns = Q, U
spin = 2
templates = U, Q
lmax = 47
mask-lmax = 94
delta-l = 8
[density]
stage = catalogue-spectra
catalogue = values
catalogue2 = randoms
random = randoms
random2 = points
lmax = 47
delta-l = 8
[seen]
stage = alm2points
alm = draw
points = randoms
columns = T, Q, U
[density-alm]
stage = catalogue2alm
catalogue = values
random = seen
templates = T
lmax = 31
$(output shears-out table shears.table "shears-\${index}.fits")
$(output density-out table density.table "density-\${index}.fits")
$(output cross-out table density.cross "cross-\${index}.fits")
$(output alm-out alm density-alm.alm "alm-\${index}.fits")
$(output noise-out cl density-alm.noise "noise-\${index}.fits")
END
mkdir plain && cd plain || exit 99
ok "bandpowers of catalogues" run ../sky.workflow
cd .. || exit 99
same_everywhere ../sky.workflow
ok "a plan" "$armilla" plan --nodes "$source/doc/nodes/cpu.node" sky.workflow

printf '%s\n' "ra,dec,w,f,g" "0,0,1,1,2" "90,30,2,-3,1" "200,-50,0.5,1,4" > few.csv
# few NODE FILE: a catalogue; mask SEED EXPRESSION: a map computed from the map of a constant
few () { input "$1" catalogue "$room/$2"; printf '%s\n' "longitude-unit = deg" "latitude-unit = deg" "weight = w" \
  "values = f, g"; }
awk 'BEGIN { for (l = 0; l <= 3; l++) print l, l == 0 }' > flat.dat
# bad MESSAGE LINE...: catalogue2alm with these lines fails with the message, and writes no file
bad ()
{
  message=$1
  shift
  { few objects few.csv
    printf '[field]\nstage = catalogue2alm\ncatalogue = objects\nlmax = 3\n'; printf '%s\n' "$@"
    output w alm field.alm bad.fits; output w2 cl field.noise bad-noise.fits; } > bad.workflow
  not run bad.workflow > said 2>&1; cat said
  grep -q -e "$message" said && [ ! -e bad.fits ] && [ ! -e bad-noise.fits ]
}
mask ()
{
  random_alm mask-alm mask-cl "$room/flat.dat"; printf '%s\n' "seed = $1"
  synthesis map mask-alm 4
  printf '[positive]\nstage = expression\nmap = map\nexpression = %s\n' "$2"
}
ok "no column" bad "columns is empty; must name a column, or connect random or mask" "spin = 0"
ok "no columns of spin 2" bad "columns is empty; must name Q and U" "spin = 2"
ok "no columns of spin 1" bad "columns is empty; must name two columns" "spin = 1"
ok "one column of spin 2" bad "1 name(s) given; must be two" "spin = 2" "columns = f"
ok "two columns of spin 0" bad "2 name(s) given; must be one" "columns = f, g"
ok "an unknown column" bad "has no column h" "columns = h"
ok "an unknown template" bad "templates: the catalogue has no column h" "columns = f" "templates = h"
ok "one template of spin 2" bad "templates: 1 name(s)" "columns = f, g" "spin = 2" "templates = f"
ok "templates of a map" bad "templates are columns of random" "templates = f" "mask = positive" \
  "$(mask 1 1+0*map)"
ok "maps of templates without a mask" bad "template-maps requires mask" "random = objects" \
  "template-maps = positive" "$(mask 1 1+0*map)"
ok "templates of another spin" bad "template-maps: field 0 has the spin 0; must be 2" "spin = 2" "columns = f, g" \
  "mask = positive" "template-maps = map" "$(mask 1 1+0*map)"
ok "templates-lmax above lmax" bad "templates-lmax = 4: must be at most lmax = 3" "random = objects" "templates = f" \
  "templates-lmax = 4"
ok "templates-lmax without templates" bad "templates-lmax applies to templates of random" "columns = f" \
  "templates-lmax = 2"
ok "weighted without columns" bad "weighted applies to columns" "random = objects" "weighted = true"
ok "iterations without a mask" bad "iterations applies to mask" "columns = f" "iterations = 1"
ok "random and mask" bad "random and mask are both connected" "random = objects" "mask = positive" "$(mask 1 1+0*map)"
ok "a mask without pixels" bad "the sum of the pixels of mask is 0" "mask = positive" "$(mask 1 '0*map')"
ok "epsilon too small" bad "epsilon" "columns = f" "epsilon = 1e-14"
ok "a mask in other coordinates" bad "mask has the coordinates G, but catalogue has C" "mask = turned" \
  "$(mask 1 1+0*map)" "[turned]" "stage = rotate-map" "map = positive" "from = equatorial" "to = galactic"
ok "random objects in other coordinates" bad "random has the coordinates G, but catalogue has C" "random = r" \
  "$(random_points r 10 1)" "coordinates = galactic"
printf '%s\n' "ra,dec,w,f,g" "0,0,0,1,2" "90,30,0,-3,1" > zero.csv
ok "random objects without weight" bad "random: the weights of all 2 objects are 0" "random = zero" \
  "$(few zero zero.csv)"
cp few.csv good.csv
printf '%s\n' "ra,dec,w,f,g" "0,0,1,1,2" "90,30,2,nan,1" > few.csv
ok "a value that is not finite" bad "column f: the value of object 2 is not finite" "columns = f"
ok "a template that is not finite" bad "column f: the value of object 2 is not finite" "columns = g" "templates = f"
cp zero.csv few.csv
ok "objects without weight" bad "catalogue: the weights of all 2 objects are 0" "columns = f"
printf '%s\n' "ra,dec,w,f,g" > few.csv
ok "no objects" bad "the catalogue has no rows" "columns = f"
cp good.csv few.csv

# noise MESSAGE LINE...: coupling with these lines fails with the message, and writes no file
noise ()
{
  message=$1
  shift
  { few objects few.csv
    printf '[field]\nstage = catalogue2alm\ncatalogue = objects\ncolumns = f\nlmax = 3\nmask-lmax = 5\n'
    spectrum cl field.mask-alm
    printf '[coupling]\nstage = coupling\n'; printf '%s\n' "$@"; output w matrix coupling coupling.fits; } > noise.workflow
  not run noise.workflow > said 2>&1; cat said
  grep -q -e "$message" said && [ ! -e coupling.fits ]
}
ok "noise of another lmax" noise "noise has 1 spectra up to l = 3; must have one up to 5" "cl = cl" \
  "noise = field.noise"
ok "noise without cl" noise "noise requires cl" "mask = map" "noise = field.noise" "$(mask 1 map)"
finish
