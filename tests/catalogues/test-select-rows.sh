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
[finite]
stage = select-rows
catalogue = data
condition = 1/max(z - 0.5, 0)
$(for node in near bright parts number finite; do output $node-out catalogue $node $node.csv; done)
END
mkdir plain && cd plain || exit 99
ok "selections" run ../rows.workflow
# chosen FILE CONDITION: the rows of the file are those for which awk reports it, in their order
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
ok "nor where it is infinite" chosen finite.csv '$3 > 0.5'
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

# --- Bins, and pairs of them, each node once for all: the same as node by node
cat > bins.workflow << END
$(read_all data)
[bin]
each = i: 1..3
stage = select-rows
catalogue = data
column = 2*z - 1
edges = -0.6, 0, 0.25, 0.9
bin = \${i}
condition = weight > 0
[bin-out]
each = i: 1..3
stage = write-catalogue
catalogue = bin-\${i}
file = bin-\${i}.csv
$(random_points random 500 1)
[w]
each = i: 1..3; j: \${i}..3
stage = pair-correlation
catalogue = bin-\${i}
catalogue2 = bin-\${j}
random = random
random2 = random
edges = 0 deg, 2 deg, 5 deg, 180 deg
[w-out]
each = i: 1..3; j: \${i}..3
stage = write-table
table = w-\${i}-\${j}.table
file = w-\${i}-\${j}.ecsv
END
rm -rf plain && mkdir plain && cd plain || exit 99
ok "bins of a column, and all pairs" run ../bins.workflow
ok "no pair twice" test "$(find . -name 'w-*' | sort | tr -d '\n')" = ./w-1-1.ecsv./w-1-2.ecsv./w-1-3.ecsv./w-2-2.ecsv./w-2-3.ecsv./w-3-3.ecsv
ok "the first bin, with its lower end" chosen bin-1.csv '$4 > 0 && $3 >= 0.2 && $3 < 0.5'
ok "the second" chosen bin-2.csv '$4 > 0 && $3 >= 0.5 && $3 < 0.625'
ok "the last, without its upper end" chosen bin-3.csv '$4 > 0 && $3 >= 0.625 && $3 < 0.95'
cd .. || exit 99
same_everywhere ../bins.workflow
# by_hand FILE CONDITION [CONDITION]: the numbers of w-FILE.ecsv from nodes without each
by_hand ()
{
  {
    read_all data
    random_points random 500 1
    random_points random2 500 1
    printf '[one]\nstage = select-rows\ncatalogue = data\ncondition = %s\n' "$2"
    if [ $# -eq 3 ]; then printf '[two]\nstage = select-rows\ncatalogue = data\ncondition = %s\n' "$3"; fi
    printf '[w]\nstage = pair-correlation\ncatalogue = one\nrandom = random\nedges = 0 deg, 2 deg, 5 deg, 180 deg\n'
    if [ $# -eq 3 ]; then printf 'catalogue2 = two\nrandom2 = random2\n'; fi
    output out table w.table hand.ecsv
  } > hand.workflow
  rm -f hand.ecsv
  # all columns but those of what random objects make with each other, of two catalogues twice
  run hand.workflow && counts DD hand.ecsv > right && counts DR hand.ecsv >> right &&
    counts DD "plain/w-$1.ecsv" > left && counts DR "plain/w-$1.ecsv" >> left && diff left right
}
# counts COLUMN FILE
counts () { awk -v name="$1" '!/^#/ && !n { for (i = 1; i <= NF; i++) if ($i == name) n = i; next } !/^#/ { print $n }' "$2"; }
ok "pairs within a bin are those of its node alone" by_hand 2-2 'weight > 0 && z >= 0.5 && z < 0.625'
ok "pairs of two bins are those of two nodes" \
  by_hand 1-3 'weight > 0 && z >= 0.2 && z < 0.5' 'weight > 0 && z >= 0.625 && z < 0.95'

# --- What is refused
# not_binned TEXT KEY=VALUE...: of the bins
not_binned ()
{
  text=$1
  shift
  cp bins.workflow bad.workflow
  for key; do sed -i "s/^${key%%=*} = .*/${key%%=*} = ${key#*=}/; /^${key%%=*} = $/d" bad.workflow; done
  gives 1 "$text" "$armilla" run --dry-run bad.workflow
}
ok "an unknown column" not_binned 'column = zz: unknown name "zz"' column=zz
ok "two columns" not_binned 'the comma separates several expressions' 'column=z, z'
ok "edges that do not ascend" not_binned 'edges: 0 comes after 0.25; must be in ascending order' 'edges=-0.6, 0.25, 0, 0.9'
ok "edges that are the same" not_binned 'edges: 0 comes after 0; must be in ascending order' 'edges=-0.6, 0, 0, 0.9'
ok "one edge" not_binned 'edges: must have at least two values' edges=0.5
ok "no number" not_binned 'edges: ' 'edges=0, x'
ok "a bin beyond the last" not_binned 'bin = 3: edges define 2 bins, numbered from 1' 'edges=-0.6, 0, 0.25'
ok "a bin of nothing" not_binned 'column, edges and bin are required together' column= 
sed '/^condition = z > 0.25/d' rows.workflow > bad.workflow
ok "neither" gives 1 "no selection; set condition, or column, edges and bin" "$armilla" run --dry-run bad.workflow
sed 's/^edges = -0.6, 0, 0.25, 0.9/edges = 0, 0.5, 4, 5/' bins.workflow > bad.workflow
mkdir empty && cd empty || exit 99
ok "an empty bin" gives 1 "bin = 3, which is (2*z - 1) >= 4 && (2*z - 1) < 5 && (weight > 0): holds for none of the 9000 objects" \
  "$armilla" run --quiet ../bad.workflow
cd .. || exit 99
# refused TEXT CONDITION: of [near]
refused () { sed "s/^condition = z > 0.25.*/condition = $2/" rows.workflow > bad.workflow && gives 1 "$1" "$armilla" run --dry-run bad.workflow; }
ok "an unknown name" refused 'condition = zz > 1: unknown name "zz"' 'zz > 1'
ok "which lists those that there are" says "known: z, mag_i, lon, lat, weight, patch, RA, DEC"
ok "what the catalogue lacks" refused 'unknown name "g1"' 'g1 > 0'
ok "no expression" refused "unexpected end" 'z >'
ok "two of them" refused "the comma separates several expressions" 'z > 1, z < 2'
sed "s/^condition = z > 0.25.*/condition = z > 2/" rows.workflow > bad.workflow
mkdir none && cd none || exit 99
ok "nothing left" gives 1 "condition = z > 2: holds for none of the 9000 objects" "$armilla" run --quiet ../bad.workflow
ok "leaves no file" test ! -e near.csv
finish
