#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Catalogues that are written, read again, and made maps of: nothing gets lost, on any number of ranks and
# workers. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# Objects with everything: the first two on the poles, the third at longitude 0, then one close to 360 deg.
awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
  BEGIN {
    OFMT = CONVFMT = "%.17g"
    seed = 5
    print "ra,dec,w,e1,e2,jk,z,mag"
    for (i = 0; i < 500; i++) {
      a = 360 * draw(); d = 178 * draw() - 89
      if (i == 0) { a = 77; d = 90 }
      if (i == 1) { a = 200; d = -90 }
      if (i == 2) { a = 0; d = 0 }
      if (i == 3) { a = -1e-15; d = 1e-13 }
      print a "," d "," draw() ^ 4 "," 0.5 - draw() "," 0.5 - draw() "," i % 6 "," 3 * draw() "," 0 - 20 * draw()
    }
  }' > in.csv
units='longitude-unit = deg
latitude-unit = deg'
# what is read of a file that was written here
again='weight = WEIGHT
g1 = G1
g2 = G2
patch = PATCH
patches = 6
values = mag'
cat > write.workflow << END
$(input objects catalogue in.csv)
longitude = ra
latitude = dec
$units
weight = w
g1 = e1
g2 = e2
patch = jk
patches = 6
values = mag
$(output vectors catalogue objects vectors.ecsv)
positions = vectors
$(output fits catalogue objects angles.fits)
$(output text catalogue objects angles.ecsv)
$(output plain catalogue objects angles.csv.gz)
END
ok "catalogues are written" run write.workflow
ok "a row each" sh -c "test \$(grep -vc '^#' angles.ecsv) = 501"
ok "their names" grep -qx 'RA DEC WEIGHT G1 G2 PATCH mag' angles.ecsv
ok "a pole has longitude 0" sh -c "grep -v '^#' angles.ecsv | sed -n 2,3p | cut -d' ' -f1,2 | tr '\n' ' ' |
  grep -qx '0 90 0 -90 '"
ok "no longitude is negative, or 360 deg" awk '!/^#/ && $1 != "RA" && ($1 < 0 || $1 >= 360) { exit 1 }' angles.ecsv
# what others wrote, in the columns that are no positions; an object on a pole has its shear in another basis
ok "weights, patches and magnitudes are those of the file" sh -c "
  tail -n +2 in.csv | cut -d, -f3,6,8 > of.in
  grep -v '^#' angles.ecsv | tail -n +2 | cut -d' ' -f3,6,7 | tr ' ' , > of.out
  cmp of.in of.out"
ok "shears are, away from the poles" sh -c "
  tail -n +4 in.csv | cut -d, -f4,5 > of.in
  grep -v '^#' angles.ecsv | tail -n +4 | cut -d' ' -f4,5 | tr ' ' , > of.out
  cmp of.in of.out"
ok "angles to 1e-13 deg" sh -c "
  tail -n +4 in.csv | cut -d, -f1,2 | tr , ' ' > of.in
  grep -v '^#' angles.ecsv | tail -n +4 | cut -d' ' -f1,2 | paste -d' ' of.in - | awk '
    { a = \$1 - \$3; d = \$2 - \$4; if (a * a > 1e-26 || d * d > 1e-26) { print; exit 1 } }'"
ok "checksums" "$fits" sums angles.fits
ok "HISTORY" "$fits" history angles.fits "stage = write-catalogue"
ok "coordinates" "$fits" key angles.fits COORDSYS C
ok "number of patches" "$fits" key angles.fits NPATCH 6
ok "a unit" "$fits" key angles.fits TUNIT2 deg
ok "plain text has nothing but rows" sh -c "test \$(zcat angles.csv.gz | grep -c .) = 501 &&
  zcat angles.csv.gz | head -1 | grep -qx 'RA,DEC,WEIGHT,G1,G2,PATCH,mag'"

# rewrite FROM TO POSITIONS [KEY...]: reads one file and writes another
rewrite ()
{
  { printf '[objects]\nstage = read-catalogue\nfile = %s\n%s\n' "$1" "$again"
    [ "$3" = angles ] || printf 'x = X\ny = Y\nz = Z\n'
    case $1 in *.fits | vectors*) ;; *) echo "$units" ;; esac
    printf '[out]\nstage = write-catalogue\ncatalogue = objects\nfile = %s\npositions = %s\n' "$2" "$3"
  } > rewrite.workflow
  run rewrite.workflow --overwrite
}
rows () { grep -v '^#' "$1"; }
ok "vectors are read" rewrite vectors.ecsv again.ecsv vectors
rows vectors.ecsv > one; rows again.ecsv > other
ok "the same bits" cmp one other
ok "vectors in FITS" rewrite vectors.ecsv vectors.fits vectors
ok "are read" rewrite vectors.fits again.ecsv vectors
rows again.ecsv > other
ok "the same bits from FITS" cmp one other
# angles make a round trip to the last digits: vectors are 4e-16 off at most
near ()
{
  paste -d' ' one other | awk 'NR > 1 { for (i = 1; i <= NF / 2; i++) { d = $i - $(NF / 2 + i)
      if (d > 6e-16 || d < -6e-16 || (i > 3 && $i "" != $(NF / 2 + i) "")) { print; exit 1 } } }'
}
for file in angles.fits angles.ecsv angles.csv.gz; do
  { printf '[objects]\nstage = read-catalogue\nfile = %s\n%s\n' $file "$again"
    case $file in *.fits) ;; *) echo "$units" ;; esac
    printf '[out]\nstage = write-catalogue\ncatalogue = objects\nfile = again.ecsv\npositions = vectors\n'
  } > rewrite.workflow
  ok "$file is read" run rewrite.workflow --overwrite
  rows again.ecsv > other
  ok "$file: all columns, within the last digits of positions" near
done

# --- Coordinates have names of their own, which read-catalogue finds

for names in "galactic GLON GLAT G" "ecliptic ELON ELAT E" "equatorial RA DEC C"; do
  # shellcheck disable=SC2086 # words
  set -- $names
  ok "$1" run write.workflow --overwrite --set "objects.coordinates=$1"
  ok "$1: its names" "$fits" key angles.fits TTYPE1 "$2"
  ok "$1: and latitude" "$fits" key angles.fits TTYPE2 "$3"
  ok "$1: COORDSYS" "$fits" key angles.fits COORDSYS "$4"
  { printf '[objects]\nstage = read-catalogue\nfile = angles.fits\ncoordinates = %s\n' "$1"
    printf '[map]\nstage = bin-catalogue\ncatalogue = objects\nnside = 4\n'
    printf '[out]\nstage = write-map\nmap = map\nfile = map.fits\n'; } > found.workflow
  ok "$1: found again" run found.workflow --overwrite
  ok "$1: the map's COORDSYS" "$fits" key map.fits COORDSYS "$4"
done

# --- The same bits on any number of ranks and workers

cat > sky.workflow << END
$(random_points objects 20000 3)
$(output vectors catalogue objects sky.fits)
positions = vectors
$(input heavy catalogue in.csv)
$units
weight = w
values = mag, z
[counts]
stage = bin-catalogue
catalogue = objects
nside = 32
$(output counts-out map counts counts.fits)
[means]
stage = bin-catalogue
catalogue = heavy
nside = 32
quantity = mean
column = mag, z
$(output means-out map means means.fits)
[all]
stage = bin-catalogue
catalogue = heavy
nside = 1
quantity = weights
$(output all-out map all all.fits)
END
enter plain
cp ../in.csv .
ok "a sky" run ../sky.workflow
ok "a pixel without objects has no mean" not "$fits" unseen means.fits 1 0
ok "but a count" "$fits" unseen counts.fits 1 0
for n in 1 2 3; do
  enter $n
  cp ../in.csv .
  if has_ranks; then
    ok "$n rank(s)" ranks $n "$armilla" run --quiet ../sky.workflow
  else
    ok "$n worker(s)" env STARPU_NCPU=$n "$armilla" run --quiet ../sky.workflow
  fi
  for file in sky counts means all; do
    ok "$n: the same $file" "$fits" same $file.fits ../plain/$file.fits
  done
done
cd "$room" || exit 99
ok "4 workers" env STARPU_NCPU=4 "$armilla" run --quiet --overwrite sky.workflow
ok "4 workers: the same means" "$fits" same means.fits plain/means.fits

# --- What is refused

ok "another ending" fails "file = out.png: must end in .fits, .fit, .ecsv, .csv, .txt or .dat" \
  run write.workflow --overwrite --set fits.file=out.png
cp angles.fits before.fits
ok "a file that exists" fails "exists already" run write.workflow
ok "it is as it was" cmp angles.fits before.fits
ok "two columns of one name" fails "two columns ra; read the catalogue without that one" \
  run write.workflow --overwrite --set "objects.values=ra, mag"
ok "it is as it was" cmp angles.fits before.fits
ok "a column twice" fails 'values names column 7 "mag" twice' \
  run write.workflow --overwrite --set "objects.values=mag, z, 7"
ok "no such column" fails 'no column "lum" (values)' \
  run write.workflow --overwrite --set objects.values=lum
sed '5s/[^,]*$/nan/' in.csv > nan.csv
# a value may be missing where it is not used, and its object can be left out
cat > missing.workflow << END
$(input objects catalogue nan.csv)
$units
values = mag
$(output all catalogue objects missing.csv)
[counts]
stage = bin-catalogue
catalogue = objects
nside = 8
$(output counts-out map counts counts.fits)
[some]
stage = select-rows
catalogue = objects
condition = mag < 100
$(output some-out catalogue some some.csv)
[means]
stage = bin-catalogue
catalogue = some
nside = 8
quantity = mean
column = mag
$(output means-out map means means.fits)
END
ok "a value is missing" run missing.workflow --overwrite
ok "it stays missing" sh -c "sed -n 5p missing.csv | grep -q ',nan$'"
ok "its object is left out" sh -c "test \$(grep -c . missing.csv) = 501 && test \$(grep -c . some.csv) = 500"
ok "and is needed for a mean" fails "mag: 1 of the 500 objects have a value that is NaN or too large, the first is object 4 (nan)" \
  run missing.workflow --overwrite --set means.catalogue=objects
ok "nothing is left" sh -c "test -z \"\$(find . -name '.*.tmp')\""
finish
