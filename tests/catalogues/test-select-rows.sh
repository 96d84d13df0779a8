#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage select-rows, against awk on the same rows. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# 9000 objects: ra, dec, z, weight, patch, and a column with a sign in its name
awk 'BEGIN { srand(3); print "ra,dec,z,w,region,mag-i"
  for (i = 0; i < 9000; i++)
    printf "%.3f,%.3f,%.4f,%d,%d,%.2f\n", 360*rand(), 179*rand() - 89.5, rand(), i % 5, i % 3, 20 + 5*rand() }' > all.csv

# read_all NODE: the catalogue with all of it
read_all ()
{
  input "$1" catalogue "$room/all.csv"
  printf '%s\n' "longitude-unit = deg" "latitude-unit = deg" "weight = w" "patch = region" "patches = 3" "values = z, mag-i"
}
cat > rows.workflow << END
$(read_all data)
[near]
stage = select-rows
catalogue = data
condition = z > 0.25 && z <= 0.5
[bright]
stage = select-rows
catalogue = near
condition = mag_i < 22 && (abs(DEC) > 30.0005 || lon < 90.0005)
[parts]
stage = select-rows
catalogue = data
condition = weight*(patch == 1)
[number]
stage = select-rows
catalogue = data
condition = sqrt(z - 0.5)
$(for node in near bright parts number; do output $node-out catalogue $node $node.csv; done)
END
mkdir plain && cd plain || exit 99
ok "selections" run ../rows.workflow
# chosen FILE CONDITION: the rows of the file are those for which awk says so, in their order
chosen ()
{
  awk -F, "NR > 1 && ($2)"' { printf "%.3f,%.3f,%d,%d,%.4f,%.2f\n", $1, $2, $4, $5, $3, $6 }' ../all.csv > expected
  awk -F, 'NR > 1 { printf "%.3f,%.3f,%d,%d,%.4f,%.2f\n", $1, $2, $3, $4, $5, $6 }' "$1" > found
  test "$(wc -l < expected)" -gt 100 && test "$(wc -l < expected)" -lt 5000 && cmp expected found
}
ok "a range of redshifts" chosen near.csv '$3 > 0.25 && $3 <= 0.5'
ok "of what was selected" chosen bright.csv \
  '$3 > 0.25 && $3 <= 0.5 && $6 < 22 && ($2 > 30.0005 || $2 < -30.0005 || $1 < 90.0005)'
ok "weights and patches" chosen parts.csv '$4 != 0 && $5 == 1'
ok "where there is no number, there is no object" chosen number.csv '$3 > 0.5'
ok "with their names" test "$(head -n 1 near.csv)" = "RA,DEC,WEIGHT,PATCH,z,mag-i"
cd .. || exit 99
same_everywhere ../rows.workflow
# selected and counted: as if the file had had only these rows
awk -F, 'NR == 1 || $3 > 0.9' all.csv > few.csv
cat > counts.workflow << END
$(read_all data)
[few]
stage = select-rows
catalogue = data
condition = z > 0.9
[map]
stage = bin-catalogue
catalogue = few
nside = 8
$(output map-out map map a.fits)
$(read_all file | sed 's/all.csv/few.csv/')
[map2]
stage = bin-catalogue
catalogue = file
nside = 8
[same]
stage = expression
map = map
map2 = map2
expression = abs(COUNTS - map2.COUNTS)
[statistics]
stage = map-statistics
map = same
$(output statistics-out table statistics.out same.ecsv)
END
ok "counted" run counts.workflow
ok "as a file of these rows" test "$(awk '!/^#/ && !n { for (i = 1; i <= NF; i++) if ($i == "MAX") n = i; next } !/^#/ { print $n }' same.ecsv)" = 0

# --- What is refused
# refused TEXT CONDITION: of [near]
refused () { sed "s/^condition = z > 0.25.*/condition = $2/" rows.workflow > bad.workflow && gives 1 "$1" "$armilla" run --dry-run bad.workflow; }
ok "an unknown name" refused 'condition = zz > 1: nothing is called "zz"' 'zz > 1'
ok "which lists those that there are" says "there is z, mag_i, lon, lat, weight, patch, RA, DEC"
ok "what the catalogue lacks" refused 'nothing is called "g1"' 'g1 > 0'
ok "no expression" refused "it ends too early" 'z >'
ok "two of them" refused "a comma separates several expressions" 'z > 1, z < 2'
sed "s/^condition = z > 0.25.*/condition = z > 2/" rows.workflow > bad.workflow
mkdir none && cd none || exit 99
ok "nothing left" gives 1 "condition = z > 2: it holds for none of the 9000 objects" "$armilla" run --quiet ../bad.workflow
ok "leaves no file" test ! -e near.csv
finish
