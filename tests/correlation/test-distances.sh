#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Workflows that count pairs by distance: boxes and surveys, the same bytes on any workers and ranks, and
# what is refused. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# points N SEED NAME=SCALE...: numbers of a linear congruence from 0 up to a scale, in columns
points ()
{
  awk -v n="$1" -v s="$2" 'BEGIN {
    for (k = 3; k < ARGC; k++) { split(ARGV[k], part, "="); printf "%s%s", (k > 3 ? "," : ""), part[1]; scale[k] = part[2] }
    print ""
    for (i = 0; i < n; i++) {
      for (k = 3; k < ARGC; k++) {
        s = (s * 16807) % 2147483647
        x = int(s / 2147483647 * 65536) / 65536 * scale[k]
        if (scale[k] == "4") x = int(x)
        printf "%s%.17g", (k > 3 ? "," : ""), x
      }
      print ""
    }
  }' "$@"
}
points 3000 11 x=64 y=64 z=64 weight=2 > box.csv
points 1000 12 ra=40 dec=30 redshift=0.1 weight=2 patch=4 > data.csv
points 2500 13 ra=40 dec=30 redshift=0.1 weight=2 patch=4 > random.csv

# box KEYS: of the stage; the tables are written
box ()
{
  printf '[objects]\nstage = read-catalogue\nfile = ../box.csv\ncoordinates = box\nweight = weight\n'
  printf '[xi]\nstage = distance-correlation\ncatalogue = objects\n'
  printf '%s\n' "$@"
}
sky ()
{
  for node in data random; do
    printf '[%s]\nstage = read-catalogue\nfile = ../%s.csv\nlongitude-unit = deg\nlatitude-unit = deg\n' $node $node
    printf 'redshift = redshift\nomega-m = 0.3\nw0 = -0.9\nwa = 0.1\nweight = weight\npatch = patch\npatches = 4\n'
  done
  printf '[xi]\nstage = distance-correlation\ncatalogue = data\nrandom = random\n'
  printf '%s\n' "$@"
}
files () { output table table xi.table t.ecsv; output projection table xi.projection p.ecsv; output covariance table xi.covariance c.ecsv; }
{ box 'separation = s' 'min = 1' 'max = 32' 'bins = 9' 'box = 64'; files; } > s.workflow
{ box 'separation = rp-pi' 'edges = 0, 1, 4, 16' 'pi-max = 30' 'pi-bins = 6' 'line-of-sight = y' 'box = 64, 64, 0'; files; } > rp-pi.workflow
{ sky 'separation = s-mu' 'min = 5' 'max = 60' 'bins = 4' 'spacing = linear' 'mu-bins = 8' 'wedges = 2' 'tasks = 7'; files; } > s-mu.workflow
{ sky 'separation = rp-pi' 'min = 5' 'max = 60' 'bins = 4' 'pi-max = 80' 'pi-bins = 8' 'cross-patch-weight = match'; files; } > wp.workflow
for name in s rp-pi s-mu wp; do
  rm -rf plain
  enter plain
  ok "$name" run ../$name.workflow
  [ $name = s ] || same_everywhere ../$name.workflow
  cd ..
done
cd plain || exit 99
has () { grep -q "$1" "$2"; }
ok "the history has the cosmology" has 'omega-m 0.3, w0 -0.9, wa 0.1' t.ecsv

# refuses TEXT KEY...: of the box
refuses () { text=$1; shift; box "$@" > ../bad.workflow; fails "$text" "$armilla" run --quiet --overwrite ../bad.workflow; }
ok "rmax above half of the box" refuses "must be at most half of side 1 of the box" 'max = 33' 'min = 1' 'box = 64'
ok "objects outside the box" refuses "all objects must be within one period" 'max = 3' 'min = 1' 'box = 60'
ok "edges that do not ascend" refuses "must be above the previous one" 'edges = 1, 3, 3'
ok "no edges" refuses "max = 0 must be greater than min = 0" 'bins = 3'
ok "no pi-max" refuses "pi-max must be set" 'separation = rp-pi' 'edges = 1, 2'
ok "mu-bins of rp-pi" refuses "separation = rp-pi and mu-bins are both set" 'separation = rp-pi' 'edges = 1, 2' 'pi-max = 3' 'mu-bins = 4'
ok "a line of sight for s" refuses "separation = s and line-of-sight are both set" 'edges = 1, 2' 'line-of-sight = z'
ok "wedges of rp" refuses "wedges are both set" 'edges = 1, 2' 'wedges = 2'
ok "the midpoint of a box" refuses "a periodic box has no observer" 'separation = s-mu' 'edges = 1, 2' 'box = 64'
ok "the first object of an auto count" refuses "have no first object" 'separation = s-mu' 'edges = 1, 2' 'line-of-sight = firstpoint'
ok "an estimator without random objects" refuses "without random objects there is no choice" 'edges = 1, 2' 'estimator = natural'
ok "patches of a box" refuses "objects in a box are not divided by directions" 'edges = 1, 2' 'patches = 4'
ok "two sides of a box" refuses "must have one side, or three" 'edges = 1, 2' 'box = 64, 64'

# reads TEXT FILE KEY...: reading fails
reads ()
{
  text=$1 file=$2
  shift 2
  { printf '[a]\nstage = read-catalogue\nfile = %s\n' "$file"; printf '%s\n' "$@"
    printf '[xi]\nstage = distance-correlation\ncatalogue = a\nedges = 1, 2\n'; } > ../bad.workflow
  fails "$text" "$armilla" run --quiet --overwrite ../bad.workflow
}
printf 'ra,dec,d,z\n1,2,3,0.1\n4,5,-6,0.2\n' > below.csv
printf 'ra,dec,d,z\n1,2,3,0.1\n4,5,,-0.2\n' > none.csv
printf 'x,y,z\n1,2,3\n4,,6\n' > place.csv
deg='longitude-unit = deg
latitude-unit = deg'
ok "no distances" reads "catalogue has no distances" below.csv "$deg"
ok "a negative distance" reads "object 2: distance = -6" below.csv "$deg" 'distance = d'
ok "no distance of one object" reads "object 2: distance = nan" none.csv "$deg" 'distance = d'
ok "a negative redshift" reads "object 2: redshift = -0.2" none.csv "$deg" 'redshift = z'
ok "both" reads "distance and redshift exclude each other" none.csv "$deg" 'redshift = z' 'distance = d'
ok "a cosmology for nothing" reads "omega-m converts redshifts" none.csv "$deg" 'omega-m = 0.3'
ok "no place in a box" reads "object 2: y is nan" place.csv 'coordinates = box'
ok "angles in a box" reads "positions are x, y and z, without angles" below.csv "$deg" 'longitude = ra' 'latitude = dec' 'coordinates = box'
finish
