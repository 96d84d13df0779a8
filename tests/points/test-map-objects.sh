#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stages sample-map, find-peaks and stack in workflows: the same bytes for any number of ranks and workers, with
# little memory, after a checkpoint; a picture; and bad input. What they compute: test-points-healpy. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 96; l++) {
  t = l < 2 ? 0 : 1 / (l * (l + 1)); print l, t, 0.02 * t, 0.001 * t, 0.1 * t } }' > theory.dat
cat > sky.workflow << END
[workflow]
repeat = 2
$(random_alm draw teb "$room/theory.dat")
seed = 1
$(synthesis sky draw 48)
[rings]
stage = alm2map
alm = draw
grid = clenshaw-curtis
n-theta = 99
n-phi = 200
theta-max = 120 deg
$(random_points points 5000 3)
realisation = 0
[peaks]
stage = find-peaks
map = sky
type = both
threshold = 0.1
[ring-peaks]
stage = find-peaks
map = rings
field = 1
[values]
stage = sample-map
map = sky
points = points
columns = T, Q, U
[nearest]
stage = sample-map
map = rings
points = peaks
fields = 0
columns = T
method = nearest
[hot]
stage = select-rows
catalogue = peaks
condition = TYPE > 0
[stack]
stage = stack
map = sky
points = hot
size = 9 deg
resolution = 45 arcmin
[rings-stack]
stage = stack
map = rings
points = points
size = 20 deg
resolution = 2 deg
method = nearest
frame = north
errors = bootstrap
groups = 5
$(output values-out catalogue values "values-\${index}.fits")
$(output nearest-out catalogue nearest "nearest-\${index}.fits")
$(output peaks-out catalogue ring-peaks "peaks-\${index}.fits")
$(output mean-out matrix stack.mean "mean-\${index}.fits")
$(output error-out matrix stack.error "error-\${index}.fits")
$(output rings-mean-out matrix rings-stack.mean "rings-mean-\${index}.fits")
$(output rings-error-out matrix rings-stack.error "rings-error-\${index}.fits")
END
mkdir plain && cd plain || exit 99
ok "values, peaks, stacks" run ../sky.workflow
cd .. || exit 99
same_everywhere ../sky.workflow
# An output is removed, and computed again by a run that resumes.
resumed ()
{
  run --resume "$1" && rm error-1.fits rings-mean-0.fits && run --resume "$1" && rm ./*.journal
}
ok "the same bytes of a resumed run" afresh resumed ../sky.workflow
ok "a plan" "$armilla" plan --nodes "$source/doc/nodes/cpu.node" sky.workflow
{ cat sky.workflow; printf '%s\n' "[picture]" "stage = render" "matrix = stack.mean" "file = picture.png"; } \
  | sed 's/^repeat = 2//; s/-\${index}//' > picture.workflow
ok "a picture" eval 'run picture.workflow && "$png" picture.png 1000 1090 0 100'
ok "fields of a stack" grep -q "FIELD3.*'U_.*_r" mean.fits

# bad MESSAGE LINE...: a workflow with these lines after a map of three fields and objects fails with the message
printf '%s\n' "ra,dec,p" "10,0,0" "180,20,1" > few.csv
bad ()
{
  message=$1
  shift
  { random_alm draw teb "$room/theory.dat"; synthesis sky draw 8; input points catalogue "$room/few.csv"
    printf '%s\n' "longitude-unit = deg" "latitude-unit = deg" "$@"; } > bad.workflow
  refused bad.workflow "$message"
}
stack="[s]
stage = stack
map = sky
points = points"
write="[w]
stage = write-matrix
matrix = s.mean
file = bad.fits"
ok "a size that is no multiple" bad "a multiple of resolution" "$stack" "size = 10 deg" "resolution = 3 deg" "$write"
ok "too many pixels" bad "to 4096 times" "$stack" "size = 100 deg" "resolution = 1 arcmin" "$write"
ok "resamples of a jackknife" bad "requires errors = bootstrap" "$stack" "size = 9 deg" "resolution = 3 deg" \
  "resamples = 9" "$write"
ok "groups of patches" bad "applies to catalogues without patches" "patch = p" "patches = 2" "$stack" "size = 9 deg" \
  "resolution = 3 deg" "groups = 9" "$write"
ok "more memory than there is" bad "needs at least" "$stack" "size = 68 deg" "resolution = 1 arcmin" \
  "groups = 4096" "$write"
ok "no object to stack" bad "no objects to stack" "[none]" "stage = find-peaks" "map = sky" "threshold = 1e9" \
  "$(echo "$stack" | sed s/points\$/none/)" "size = 9 deg" "resolution = 3 deg" "$write"
peaks="[s]
stage = find-peaks
map = sky"
write="[w]
stage = write-catalogue
catalogue = s
file = bad.fits"
ok "peaks of all fields" bad "must be one" "$peaks" "field = all" "$write"
ok "peaks of a field that is not there" bad "no column" "$peaks" "field = 3" "$write"
ok "nothing is left behind" eval '[ ! -e bad.fits ]'
finish
