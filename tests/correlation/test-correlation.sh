#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Correlation functions as workflows: counts in closed form, the same bits however the work is cut and
# on any number of ranks, and messages for what is wrong with the input. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# The same file is run again and again.
run () { "$armilla" run --quiet --overwrite "$@"; }

# rows FILE: what follows the header of an ECSV file
rows () { grep -v '^#' "$1" | tail -n +2; }

# column FILE NAME: a column of an ECSV file, in one line
column ()
{
  grep -v '^#' "$1" | awk -v name="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
    { printf "%s%s", joint, $at; joint = " " } END { print "" }'
}

# is EXPECTED COMMAND...: what it prints
is ()
{
  expected=$1
  shift
  got=$("$@")
  [ "$got" = "$expected" ] || { echo "\"$got\" is not \"$expected\""; return 1; }
}

# within FILE COLUMN EXPECTED...: values agree to 1e-12 of themselves and 1e-12
within ()
{
  values=$(column "$1" "$2")
  shift 2
  echo "$values $*" | awk '{
    n = NF / 2
    for (i = 1; i <= n; i++) {
      if ($i "" == $(n + i) "") continue
      d = $i - $(n + i)
      if (d < 0) d = -d
      e = $(n + i) < 0 ? -$(n + i) : $(n + i)
      if (!(d <= 1e-12 * (1 + e))) { print $i " is not " $(n + i); bad = 1 }
    }
    if (n != int(n)) { print "other number of values"; bad = 1 }
    exit bad }'
}

# --- Objects on a circle, whose pairs are known

# 36 objects on the equator, 10 deg apart, weights 1 and 2 in turn; random: 72, 5 deg apart.
awk 'BEGIN { print "ra,dec,w,p"; for (i = 0; i < 36; i++) print 10 * i ",0," 1 + i % 2 "," int (i / 9) }' \
  > data.csv
awk 'BEGIN { print "# ra dec p"; for (i = 0; i < 72; i++) print 5 * i, 0, int (i / 18) }' > random.txt
cat > circle.workflow << END
$(input data catalogue data.csv)
longitude-unit = deg
latitude-unit = deg
$(input random catalogue random.txt)
longitude-unit = deg
latitude-unit = deg
[w]
stage = pair-correlation
catalogue = data
random = random
edges = 2 deg, 7 deg, 12 deg, 180 deg
$(output out table w.table w.ecsv)
END
ok "a circle of objects" run circle.workflow
# 36 pairs 10 deg apart; 36 * 35 / 2 in all
ok "DD" is "0 36 594" column w.ecsv DD
# each object has 2 random ones at 5 deg, 2 at 10 deg, 1 at its place, which is in no bin
ok "DR" is "72 72 2412" column w.ecsv DR
ok "RR" is "72 72 2412" column w.ecsv RR
# (36/630 - 2 72/2592 + 72/2556) / (72/2556), 630, 2592 and 2556 being all pairs
ok "Landy-Szalay" within w.ecsv w -0.97222222222222222 1.0563492063492064 0.026924899312959015
ok "mean separation" is "nan 10" sh -c "printf '%.12g %.12g' $(column w.ecsv theta | cut -d' ' -f1,2)"
ok "errors of the counts" within w.ecsv error nan 0.3427248677248677 0.04213523899341108
for estimator in hamilton davis-peebles natural; do
  ok "$estimator" run circle.workflow --set w.estimator=$estimator
  case $estimator in
    # DD RR / DR^2 - 1, DD / DR - 1, DD / RR - 1
    hamilton) ok "its values" within w.ecsv w -1 1.0861167002012073 0.027490315024475208 ;;
    davis-peebles) ok "its values" within w.ecsv w -1 1.0571428571428572 0.013219616204690832 ;;
    natural) ok "its values" within w.ecsv w -1 1.0285714285714285 -0.0008528784648187633 ;;
  esac
done

# DD, DR and RR share the cells of the two catalogues, whether separations are summed or not.
sorts () { is "$1" grep -c '"name":"sort-cells"' T.json; }
for mean in true false; do
  ok "traced, mean-separation = $mean" run circle.workflow --trace T.json --set w.mean-separation=$mean
  ok "each catalogue is sorted once" sorts 2
done

# weights 1 and 2 in turn: 36 pairs of 1 times 2 make 72; all pairs: (54^2 - 90) / 2 = 1413
ok "weights" run circle.workflow --set data.weight=w --set w.estimator=natural
ok "counts are those without" is "0 36 594" column w.ecsv DD
ok "sums of weights" is "0 72 1341" column w.ecsv DD_weight
ok "the function of weights" within w.ecsv w -1 0.8089171974522293 0.0057039642551573845

# Quarters of the circle as patches. Without a quarter: 26 pairs of 10 deg, 27 * 26 / 2 in all; 54 random
# objects, 53 pairs at 5 deg, 52 at 10, 54 * 53 / 2. By symmetry all samples are the same.
ok "patches from a column" run circle.workflow --set data.patch=p --set data.patches=4 \
  --set random.patch=p --set random.patches=4 --set w.patches=4 --set w.patches-by=column
ok "samples that are all the same have no error" within w.ecsv error 0 0 0
ok "nor with a part of the pairs across" run circle.workflow --set data.patch=p \
  --set data.patches=4 --set random.patch=p --set random.patches=4 --set w.patches=4 \
  --set w.patches-by=column --set w.cross-patch-weight=match
ok "which are as many in all samples" within w.ecsv error 0 0 0
ok "errors by jackknife" grep -q '{ERRORS: "jackknife"}' w.ecsv

cat > cross.workflow << END
$(input data catalogue data.csv)
longitude-unit = deg
latitude-unit = deg
$(input random catalogue random.txt)
longitude-unit = deg
latitude-unit = deg
$(input random2 catalogue random.txt)
longitude-unit = deg
latitude-unit = deg
[w]
stage = pair-correlation
catalogue = data
random = random
catalogue2 = random2
random2 = random2
edges = 0 deg, 7 deg, 12 deg, 180 deg
$(output out table w.table w.fits)
END
ok "two catalogues" run cross.workflow
ok "file with checksums" "$fits" sums w.fits
ok "a column of counts" "$fits" key w.fits TFORM6 K
ok "its name" "$fits" key w.fits TTYPE6 DD
ok "units" "$fits" key w.fits TUNIT1 deg
ok "estimator" "$fits" key w.fits ESTIMATR landy-szalay
ok "number of objects" "$fits" key w.fits NDATA 36
ok "workflow in HISTORY" "$fits" history w.fits "edges = 0 deg, 7 deg, 12 deg, 180 deg"
# at 0 deg, 36 pairs of an object and one in its place; of random ones 72
ok "objects in one place are pairs of two catalogues" run cross.workflow --set out.file=w.ecsv
ok "counts of two catalogues" is "108 72 2412" column w.ecsv DD
ok "random pairs of two catalogues" is "216 144 4824" column w.ecsv RR
# of one that is connected twice, none of an object with itself, and each other once
ok "a catalogue that is connected twice" run cross.workflow --set out.file=w.ecsv --set w.random2=random
ok "has the pairs within it" is "72 72 2412" column w.ecsv RR
ok "while others are as they were" is "108 72 2412" column w.ecsv DD

ok "without mean separations" run circle.workflow --set w.mean-separation=false
ok "no such column" not grep -q '^theta_min theta_max theta ' w.ecsv
ok "the function is the same" within w.ecsv w -0.97222222222222222 1.0563492063492064 \
  0.026924899312959015

# --- Triangles of objects on a circle, enumerated

printf 'ra,dec\n1,2\n' > one.csv
cat > triple.workflow << END
$(input data catalogue data.csv)
longitude-unit = deg
latitude-unit = deg
$(input random catalogue random.txt)
longitude-unit = deg
latitude-unit = deg
[zeta]
stage = triple-correlation
catalogue = data
random = random
edges = 4 deg, 14 deg, 24 deg
$(output out table zeta zeta.ecsv)
END
# rows: all sides in the first bin; two and one; one and two; all in the second
ok "triangles" run triple.workflow
ok "DDD" is "0 36 0 0" column zeta.ecsv DDD
ok "DDR" is "36 180 72 0" column zeta.ecsv DDR
ok "DRR" is "108 324 216 0" column zeta.ecsv DRR
ok "RRR" is "72 216 144 0" column zeta.ecsv RRR
ok "Szapudi-Szalay" within zeta.ecsv zeta -0.05555555555555564 0.021786492374727844 \
  -0.05555555555555564 nan
ok "sides" is "4 4 14 14" column zeta.ecsv side2_min
ok "equal sides" run triple.workflow --set zeta.sides=equal --trace T.json
ok "each catalogue is sorted once for all triangles" sorts 2
ok "their number" is "72 0" column zeta.ecsv RRR
ok "weights of triangles are refused" fails "catalogue has weights, but triangles are counted" \
  run triple.workflow --set data.weight=w
ok "two objects make no triangle" fails "catalogue has 1 object; at least 3 are needed" \
  run triple.workflow --set data.file=one.csv

# --- Pictures

sed 's/^file = w.ecsv/file = w.png/; s/^stage = write-table/stage = render/' circle.workflow \
  > picture.workflow
ok "a picture" run picture.workflow
ok "its size, and points that are drawn" "$png" w.png 1000 650 0 20
ok "a picture on logarithmic axes" run picture.workflow --set out.y-scale=log --set out.file=w.svg
# 20 of "Correlation function", 7 of "theta [deg]" and 4 of "w(theta)" in Greek, with or without
# spaces, and the numbers of two axes; tests/pictures has the rest
letters () { n=$(grep -c 'href="#glyph' w.svg); echo "$n letters"; [ "$n" -ge 38 ] && [ "$n" -le 60 ]; }
ok "title, numbers, names of axes and legend" letters
ok "logarithm of an angle of 0" fails "x-scale = log, but the data begin at 0" \
  run picture.workflow --set "w.edges=0 deg, 7 deg, 12 deg" --set out.x-scale=log
ok "linear angles from 0 on" run picture.workflow --set "w.edges=0 deg, 7 deg, 12 deg"
ok "covariances are no function" fails "COVARIANCE has no columns that can be plotted" \
  run picture.workflow --set out.table=w.covariance
# edges of both bins beside their numbers, as the function has them
edges_of ()
{
  rows "$1" | awk -v f="$2" 'BEGIN { n = 0; while ((getline < f) > 0) { low[n] = $1; high[n++] = $2 } }
    !($3 == low[$1] && $4 == high[$1] && $5 == low[$2] && $6 == high[$2]) { bad = 1 }
    END { exit bad || NR != n * n }'
}
# The covariance of a function, and that of realisations.
{
  printf '[workflow]\nrepeat = 3\n'
  random_points stars 300 '${index}'
  random_points others 300 '1${index}'
  printf '[w]\nstage = pair-correlation\ncatalogue = stars\nrandom = others\nmin = 1 deg\nmax = 100 deg\nbins = 4\npatches = 5\n'
  printf 'mean-separation = false\n[all]\nstage = collect\ninput = w.table\n'
  output one table w.table 'fn-${index}.ecsv'
  output cov table w.covariance 'cov-${index}.ecsv'
  output both table all.covariance both.ecsv
} > edges.workflow
edges ()
{
  run edges.workflow && grep -q '^bin1 .* w w_error w_error_covariance ' both.ecsv && rows fn-0.ecsv > fn.rows && edges_of cov-0.ecsv fn.rows && edges_of both.ecsv fn.rows
}
ok "edges of bins in covariances" edges
{ input c table cov-0.ecsv; printf '[p]\nstage = render\ncovariance = c\nfile = c.png\nwidth = 400\n'; } > axes.workflow
axes () { run axes.workflow && cp c.png default.png && run axes.workflow --set 'p.x-label=θ  [deg]' --set 'p.y-label=θ  [deg]' && cmp c.png default.png; }
ok "axes of a covariance are angles" axes
ok "nor are triangles of all sides" fails "TRIPLE-CORRELATION has no columns that can be plotted" \
  run triple.workflow --set out.stage=render --set out.file=zeta.png
ok "equal sides are" run triple.workflow --set out.stage=render --set out.file=zeta.pdf \
  --set zeta.sides=equal
ok "properties of maps" fails "palette applies to pictures of a map" \
  run picture.workflow --set out.palette=grey
theory=$data/data/totcls.dat
if [ -e "$theory" ]; then
  ok "the example" run "$source/workflows/two-point.workflow" --set objects.number=5000 \
    --set random.number=10000 --set sky.nside=64 --set primordial.lmax=128
  ok "its picture" "$png" two-point.png 1000 650 0 20
  ok "its errors" grep -q '{ERRORS: "jackknife"}' two-point.ecsv
  # (2 / pi) arcsin (C / C0) of the spectrum, by numpy: 0.71 at 0.7 deg, 0.30 at 6 deg, 0.04 at 26 deg;
  # a sky of its own is within 0.15 of that
  ok "objects are clustered" awk '!/^#/ && $1 + 0 > 0 {
      if ($3 > 0.5 && $3 < 1) n += $4 > 0.45 && $4 < 1
      if ($3 > 20) n += $4 > -0.12 && $4 < 0.2 }
    END { exit n < 2 }' two-point.ecsv
fi

# --- The same bits however the work is cut, and on any number of ranks

cat > sky.workflow << END
$(random_points stars 4000 3)
latitude-min = -20 deg
latitude-max = 30 deg
longitude-min = 300 deg
longitude-max = 20 deg
$(random_points random 5000 4)
latitude-min = -20 deg
latitude-max = 30 deg
longitude-min = 300 deg
longitude-max = 20 deg
[w]
stage = pair-correlation
catalogue = stars
random = random
min = 0.1 deg
max = 60 deg
bins = 11
patches = 7
tasks = 5
$(output out table w.table w.ecsv)
$(output cov table w.covariance cov.ecsv)
END
ok "patches cut from the objects" run sky.workflow
rows w.ecsv > one; rows cov.ecsv > one.cov
ok "other tasks" run sky.workflow --set w.tasks=200
rows w.ecsv > other; rows cov.ecsv > other.cov
ok "the same bits" cmp one other
ok "the same covariance" cmp one.cov other.cov
# uncorrelated: 11 values of deviation 1 in units of their errors, which 7 patches tell to 30 %
ok "no correlation within 5 errors" sh -c "rows () { grep -v '^#' w.ecsv | tail -n +2; }; rows |
  awk '{ d = \$4 / \$5; if (!(d < 5 && d > -5)) exit 1 }'"
if has_ranks; then
  for n in 2 3; do
    ok "$n ranks" ranks $n "$armilla" run --quiet --overwrite sky.workflow
    rows w.ecsv > other; rows cov.ecsv > other.cov
    ok "the same bits on $n ranks" cmp one other
    ok "the same covariance on $n ranks" cmp one.cov other.cov
  done
fi

# --- A mask, and a share

cat > masked.workflow << END
$(input half map half.fits)
$(random_points stars 2000 3)
mask = half
$(random_points random 3000 4)
mask = half
[w]
stage = pair-correlation
catalogue = stars
random = random
min = 0 deg
max = 180 deg
bins = 1
spacing = linear
$(output out table w.table w.ecsv)
END
printf '0 0\n1 1\n' > dipole.txt
cat > half.workflow << END
$(random_alm alm cl dipole.txt)
$(synthesis map alm 16)
$(output out map map half.fits)
END
ok "a mask" run half.workflow
ok "objects within a mask" run masked.workflow
ok "all pairs are in the bin" is "1999000" column w.ecsv DD

# --- Bad input

printf 'ra,dec,w,g\n1,2,1,0.1\n3,4,-1,0.1\n' > negative.csv
printf 'ra,dec\n1,2\n3,91\n' > pole.csv
printf 'ra,dec\n1,2\nnan,1\n' > nan.csv
printf 'ra,dec\n' > empty.csv
ok "negative weight" fails "object 2: the weight is -1; it must be finite and not negative" \
  run circle.workflow --set data.file=negative.csv --set data.weight=w
ok "the node is named" says '[data]'
ok "declination of 91 deg" fails "object 2: the declination (latitude) is 91 deg; it must be from" \
  run circle.workflow --set data.file=pole.csv
ok "NaN" fails "object 2: the right ascension (longitude) is nan" \
  run circle.workflow --set data.file=nan.csv
ok "empty catalogue" fails "the catalogue has no rows" run circle.workflow --set data.file=empty.csv
ok "one object" fails "catalogue has 1 object; at least 2 are needed within one catalogue" \
  run circle.workflow --set data.file=one.csv
ok "one object and another catalogue" run cross.workflow --set data.file=one.csv
ok "missing column" fails 'no column "mass" (weight); it has 0 ra, 1 dec, 2 w, 3 p' \
  run circle.workflow --set data.weight=mass
ok "wrong unit" fails 'longitude-unit: "furlong" is not a unit of angle' \
  run circle.workflow --set data.longitude-unit=furlong
ok "no unit" fails 'column 0 "ra" has no unit; set longitude-unit' \
  run circle.workflow --set data.longitude-unit=
ok "bins that overlap" fails "must be above the previous one" \
  run circle.workflow --set "w.edges=1 deg, 3 deg, 2 deg"
ok "bins beyond 180 deg" fails "must be from 0 to 180 deg" \
  run circle.workflow --set "w.edges=1 deg, 181 deg"
ok "negative edge" fails "edges: " run circle.workflow --set "w.edges=-1 deg, 1 deg"
ok "edge without unit" fails "has no unit" run circle.workflow --set "w.edges=1, 2"
ok "one edge" fails "must have at least two edges" run circle.workflow --set "w.edges=1 deg"
ok "no bins" fails "set both, or edges" run circle.workflow --set w.edges=
# what edges say is not said once more, not even with the value that is meant by default
for more in "min=0 deg" "max=2 deg" bins=20 spacing=linear; do
  ok "edges and $more" fails "edges and ${more%%=*} are both set" \
    run circle.workflow --set "w.$more"
done
ok "and so for triangles" fails "edges and bins are both set" \
  run triple.workflow --set zeta.bins=3
ok "logarithmic bins from 0" fails "min must be greater than 0 for spacing = log" \
  run circle.workflow --set w.edges= --set "w.max=2 deg"
ok "one patch" fails "patches = 1: must be 2 or more" run circle.workflow --set w.patches=1
ok "more patches than objects" fails "cannot be divided into 60 patches" \
  run circle.workflow --set w.patches=60
ok "no column of patches" fails "patches-by = column, but neither catalogue nor another catalogue has a column of patches" \
  run circle.workflow --set w.patches=4 --set w.patches-by=column
for from in column cut; do
  ok "patches-by = $from without patches" fails "patches-by requires patches > 0" \
    run circle.workflow --set w.patches-by=$from
done
ok "cross-patch-weight without patches" fails "cross-patch-weight requires patches > 0" \
  run circle.workflow --set w.cross-patch-weight=match
ok "another number of patches" fails "patches = 3, but catalogue has 4" run circle.workflow \
  --set data.patch=p --set data.patches=4 --set random.patch=p --set random.patches=4 \
  --set w.patches=3 --set w.patches-by=column
ok "catalogue2 alone" fails "require each other" \
  run circle.workflow --set w.catalogue2=random
ok "a table of another kind" fails "w.png" run circle.workflow --set out.file=w.png
cat > shear.workflow << END
[stars]
stage = random-catalogue
number = 10
[xi]
stage = shear-correlation
catalogue = stars
max = 10 deg
spacing = linear
$(output out table xi.table xi.fits)
END
cat > shears.csv << END
ra,dec,g1,g2
10,0,0.1,0
11,0,0.3,0
12,0,0,0.2
END
cat > xi.workflow << END
$(input stars catalogue shears.csv)
longitude-unit = deg
latitude-unit = deg
g1 = g1
g2 = g2
[xi]
stage = shear-correlation
catalogue = stars
edges = 0.5 deg, 1.5 deg, 2.5 deg
$(output out table xi.table xi.ecsv)
END
# On the equator the great circle is the equator: g1, along the meridian, is -gt, and g2 is -gx, so
# products of two are those of g1 and g2: (0.03 + 0) / 2 at 1 deg; 0 at 2 deg
ok "shears" run xi.workflow
ok "xi+" within xi.ecsv xi_plus 0.015 0
ok "xi-" within xi.ecsv xi_minus 0.015 0
ok "pairs" is "2 1" column xi.ecsv pairs
# shapes: 2 s^4 / pairs, s^2 = (0.01 + 0.09 + 0.04) / 6
ok "errors of the shapes" within xi.ecsv error_plus 0.023333333333333334 0.032998316455372216
# A shear that is none matters where its object counts
sed '1s/$/,w/; 2,$s/$/,1/' shears.csv > weighed.csv
{ cat weighed.csv; echo 1.2,0,nan,0.5,0; } > unknown.csv
ok "shears that are none, of weight 0" run xi.workflow --overwrite --set stars.file=unknown.csv --set stars.weight=w
ok "do not count" within xi.ecsv xi_plus 0.015 0
ok "nor in errors of the shapes" within xi.ecsv error_plus 0.023333333333333334 0.032998316455372216
ok "others are an error" fails "[xi]: the shear of object 4 is nan, 0.5, and 1 of 4 objects have shears that are not finite; exclude them with select-rows, or set their weight to 0" \
  run xi.workflow --overwrite --set stars.file=unknown.csv
sed "s/^catalogue = stars/catalogue = known/" xi.workflow > known.workflow
printf '[known]\nstage = select-rows\ncatalogue = stars\ncondition = 0*g1 + 1\n' >> known.workflow
ok "which can be left out" run known.workflow --overwrite --set stars.file=unknown.csv
ok "as if they were not there" within xi.ecsv xi_plus 0.015 0
sed 's/^stage = shear-correlation/stage = pair-correlation\nrandom = stars/; s/^xi/w/' xi.workflow > pairs.workflow
ok "pairs without shears" run pairs.workflow --overwrite --set stars.file=unknown.csv
ok "edges and bins of shears" fails "edges and bins are both set" \
  run xi.workflow --set xi.bins=5
ok "patches-by of shears without patches" fails "requires patches > 0" run xi.workflow --set xi.patches-by=column
ok "no shears" fails "catalogue has no shears; name their columns with g1 and g2" run shear.workflow
rm -f w.ecsv
ok "no file after a failure" fails "" run circle.workflow --set data.file=nan.csv
ok "none at all" [ ! -e w.ecsv ]

finish
