#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files of spectra: which column is l, which spectrum is which, and what endings ask for. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# rows NAMES...: l from 2 to 20 and for each of TT, TE, EE, BB, DX the number 1000, 5, 10, 0.1, 7 plus l
rows () {
  awk -v names="$*" 'BEGIN {
    n = split (names, name, " "); base["TT"] = 1000; base["TE"] = 5; base["EE"] = 10; base["BB"] = 0.1; base["DX"] = 7
    for (l = 2; l <= 20; l++) { line = l; for (i = 1; i <= n; i++) line = line " " base[name[i]] + l; print line } }'
}
cat > read.workflow << 'END'
[theory]
stage = read-camb
file = ${f}
[out]
stage = write-cl
cl = theory
file = out.csv
scaling = dl
END
# has LINE: the header, or a line, up to rounding in the last digits
has () { awk -F, -v want="$1" 'function near(a, b) { return a == b || (a - b) ^ 2 <= 1e-24 * b * b }
  BEGIN { n = split (want, w, ",") } { ok = NF == n; for (i = 1; i <= n; i++) ok = ok && near($i, w[i]); if (ok) found = 1 }
  END { exit !found }' out.csv; }
take () { "$armilla" run --quiet --overwrite read.workflow -D f="$@"; }

{ echo "#    L      TT             TE             EE             BB             DX"; rows TT TE EE BB DX; } > tepos.txt
ok "columns by name" take tepos.txt
ok "their names" has L,TT,EE,BB,TE
ok "their values" has 10,1010,20,10.1,15
rows TT EE BB TE > none.dat
ok "columns by place" take none.dat
ok "their names" has L,TT,EE,BB,TE
ok "their values" has 10,1010,20,10.1,15
{ echo "l TT EE BB TE"; rows TT EE BB TE; } > plain.dat
ok "names that are no comment" take plain.dat
ok "their values" has 10,1010,20,10.1,15
sed 's/ /;/g; 1s/^/TE;/; 2,$s/^/3;/' plain.dat > other.csv
ok "l is not the first" take other.csv --set theory.columns=TT
ok "its values" has 10,1010
{ echo "l,TT,,BB"; rows TT TT BB | awk '{ print $1 "," $2 ",," $4 }'; } > empty.csv
ok "a column without a name" take empty.csv --set 'theory.columns=TT, BB'
ok "is one" has 10,1010,10.1
sed '1s/,,/,EE,/' empty.csv > lacks.csv
ok "a column without values is not needed" take lacks.csv --set 'theory.columns=BB'
ok "what is there" has 10,10.1
ok "or is" gives 1 "lacks.csv: 19 values of column 1 (EE) are NaN or infinite, the first is at l = 2 (line 2)" \
  take lacks.csv --set 'theory.columns=EE'
ok "a spectrum is not there" gives 1 "has no column \"TE\"" take lacks.csv

# --- CAMB's file of the lensing potential, whose spectra have more factors than D_l
awk -v OFMT=%.17g 'BEGIN { pi = atan2 (0, -1); for (l = 2; l <= 20; l++) { s = l * (l + 1); print l, 9 * s / 2 / pi, 8 * s / 2 / pi,
  7 * s / 2 / pi, 6 * s / 2 / pi, 5 * s ^ 2 / 2 / pi, 4 * s ^ 1.5 / 2 / pi, -3 * s ^ 1.5 / 2 / pi } }' > potential.dat
ok "spectra of the potential" take potential.dat --set theory.columns=all --set out.scaling=cl
ok "their names" has L,TT,EE,BB,TE,PP,TP,EP
ok "their C_l" has 10,9,8,7,6,5,4,-3

# --- Multipoles that are missing
sed '/^7 /d' plain.dat > gap.dat
ok "a gap" gives 1 "gap.dat: l = 7 is missing: rows 5 and 6 have l = 6 and 8" take gap.dat
ok "is interpolated" take gap.dat --set theory.interpolate=true
ok "in a line" has 7,1007,17,7.1,12
sed 1d gap.dat > unnamed.dat
ok "a gap without names" gives 1 "the first column increases from 2 to 20 in steps other than 1" take unnamed.dat
for name in el Lmean l_mid ELL_CENTER lcen l_bin ell_b lavg multipole_eff; do
  sed "1s/.*/# $name TT EE BB TE/" gap.dat > named.dat
  ok "a gap in $name" gives 1 "named.dat: l = 7 is missing: rows 5 and 6 have l = 6 and 8" take named.dat
done
sed '1s/.*/# lmin TT EE BB TE/' gap.dat > edges.dat
ok "edges of bins" gives 1 "the first column increases from 2 to 20 in steps other than 1" take edges.dat
sed '1s/.*/# lensed TT EE BB TE/; 2,$s/^[0-9]*/&.5/' gap.dat > lensed.dat
ok "a spectrum whose name begins with l" take lensed.dat
printf '# l Dl -dDl +dDl BestFit\n47.71 1479 50 50 1489\n76.48 2035 50 50 2045\n' > band.txt
ok "bandpowers" gives 1 "row 1 (line 2): l = 47.71 is not an integer" take band.txt --set theory.columns=Dl
ok "are interpolated" take band.txt --set theory.columns=Dl --set theory.interpolate=true
ok "from their first one on" has 47,0
printf '# l bl\n0 1\n1 .9\n2 .8\n3 .7\n5 .6\n6 .5\n' > beam.txt
cat > beam.workflow << 'END'
[m]
stage = expression
nside = 2
expression = sin(theta)*cos(phi)
[a]
stage = map2alm
map = m
lmax = 5
[b]
stage = smooth-alm
alm = a
beam = beam.txt
[o]
stage = write-alm
alm = b
file = b.fits
END
ok "a beam" gives 1 "beam.txt: l = 4 is missing" run beam.workflow

# --- Numbers that are none: every reader names file and line
sed 's/^7 1007/7 nan/' plain.dat > hole.dat
ok "a value" gives 1 "hole.dat: 1 values of column 0 (TT) are NaN or infinite, the first is at l = 7 (line 7)" take hole.dat
sed 's/^6 1006/6 nan/' gap.dat > hole.dat
ok "one that is interpolated" gives 1 "2 values of column 0 (TT) are NaN or infinite, the first is at l = 6 (line 6)" \
  take hole.dat --set theory.interpolate=true
sed 's/^8 1008/8 nan/' gap.dat > hole.dat
ok "one before it" gives 1 "the first is at l = 7 (after line 6)" take hole.dat --set theory.interpolate=true
sed 's/^6 /nan /' plain.dat > hole.dat
ok "a multipole" gives 1 "hole.dat: row 5 (line 6): l = nan" take hole.dat
{ echo "# l bl"; for l in 0 1 2 3 4 5 6 7 8; do echo "$l 1"; done; } | sed 's/^3 1/3 inf/' > hole.txt
{ echo "# ring less 1"; for l in 0 1 2 3; do echo "$l 0"; done; } | sed 's/^2 0/2 nan/' > rings.txt
{ echo "# arcmin K"; for i in 0 1 2 3; do echo "$i.5 1"; done; } | sed 's/^0.5/0/; s/^2.5/nan/' > profile.txt
sed '/^\[b\]/,$d' beam.workflow > analysis.workflow
# names PLACE STAGE LINE...: a node with these lines complains of the place
names ()
{
  place=$1 stage=$2
  shift 2
  { cat analysis.workflow; printf '[b]\nstage = %s\n' "$stage"; printf '%s\n' "$@"; } > names.workflow
  ok "$stage $*" gives 2 "$place" "$armilla" check names.workflow
}
names "hole.txt: 1 values of column 0 (bl) are NaN or infinite, the first is at l = 3 (line 5)" smooth-alm "alm = a" "beam = hole.txt"
names "the first is at l = 3 (line 5)" smooth-alm "alm = a" "pixel-window = hole.txt"
names "beam: hole.txt: 1 values of column 0" convolve "map = m" "beam = hole.txt"
names "spectrum: hole.txt: 1 values of column 0" convolve "map = m" "fwhm = 90 deg" "spectrum = hole.txt"
names "profile: profile.txt: 1 values of column 0 (arcmin) are NaN or infinite, the first is in row 3 (line 4)" convolve "map = m" "profile = profile.txt"
names "rings.txt: 1 values of column 0" map2alm "map = m" "ring-weights = rings.txt"
names "in row 3 (line 4)" map2alm "map = m" "ring-weights = rings.txt"

# --- What is written
cat > write.workflow << 'END'
[theory]
stage = read-cl
file = plain.dat
unit = uK^2
[out]
stage = write-cl
cl = theory
file = c.fits
[dl]
stage = write-cl
cl = theory
file = dl.dat
scaling = dl
[ecsv]
stage = write-cl
cl = theory
file = c.ecsv.gz
END
ok "spectra are written" run write.workflow
ok "as files of CAMB" sh -c "head -n 1 dl.dat | grep -qx '# L TT EE BB TE' && sed -n 2p dl.dat | grep -q '^2 ' && test \$(grep -c . dl.dat) = 20"
ok "as FITS by ending" "$fits" key c.fits TTYPE2 EE
ok "as ECSV" sh -c "zcat c.ecsv.gz | grep -q 'name: \"EE\", unit: \"uK^2\"'"
cat > again.workflow << 'END'
[theory]
stage = read-cl
file = ${f}
scaling = ${s}
[out]
stage = write-cl
cl = theory
file = out.csv
END
for file in c.fits:cl dl.dat:dl c.ecsv.gz:cl; do
  ok "$file is read" run --overwrite again.workflow -D f=${file%:*} -D s=${file#*:}
  ok "the same numbers" has 10,1010,20,10.1,15
done

# --- Endings of other formats
cat > map.workflow << 'END'
[m]
stage = expression
nside = 2
expression = 1
[o]
stage = write-map
map = m
file = mask.png
END
ok "a map is no picture" gives 1 "file = mask.png: a map is written as FITS, but the name ends in .png" run map.workflow
ok "nor text" gives 1 "but the name ends in .csv" run map.workflow --set o.file=m.csv.gz
ok "spectra are no picture" gives 1 "file = c.pdf: spectra are written as FITS" run write.workflow --overwrite --set out.file=c.pdf
ok "another name is FITS" run map.workflow --set o.file=mask.v2
ok "it is" "$fits" key mask.v2 NSIDE 2

# --- Two columns of one name, which FITS names of spectra become in text
cat > names.workflow << 'END'
[theory]
stage = read-cl
file = dl.dat
[two]
stage = expression
cl = theory
expression = TT, 2*TT
names = TT, TEMPERATURE
[out]
stage = write-cl
cl = two
file = names.ecsv
END
ok "two spectra of one name" gives 2 'column 1 would be called "TT", like another column' "$armilla" check names.workflow
sed 's/^names = .*/names = L, X/' names.workflow > multipole.workflow
ok "one that is called L" gives 2 'column 0 would be called "L", like another column' "$armilla" check multipole.workflow
sed 's/names\.ecsv/names.fits/' names.workflow > fits.workflow
ok "FITS has both names" run fits.workflow
finish
