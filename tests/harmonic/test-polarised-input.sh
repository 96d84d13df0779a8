#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What polarised input may be wrong in, and what the user then reads. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# A sky of I, Q and U.
cat > cl.dat << END
0 0 0 0 0
1 0 0 0 0
2 5 3 1 2
3 4 2 1 1
4 3 2 1 -1
END
cat > make.workflow << END
$(random_alm draw theory cl.dat)
unit = mK
$(synthesis sky draw 4)
$(output cosmo map sky cosmo.fits)
$(output iau map sky iau.fits)
polcconv = iau
$(output counts map sky counts.fits)
units = counts, mK, mK
$(output mixed map sky mixed.fits)
units = mK, mK, uK
$(output both map sky both.fits)
$(output alm alm draw alm.fits)
END
ok "I, Q and U are made" run make.workflow
ok "both.fits contradicts itself" "$fits" put both.fits 0 POLCCONV IAU

# read NAME KEYS: a workflow that reads a map
read_map ()
{
  printf '[sky]\nstage = read-map\n%b\n[out]\nstage = write-map\nmap = sky\nfile = out.fits\n' \
    "$2" > "$1.workflow"
}
read_map no-u 'file = cosmo.fits\nfields = 0, 1'
read_map no-q 'file = cosmo.fits\nfields = 2'
read_map order 'file = cosmo.fits\nfields = 0, 2, 1'
read_map counts 'file = counts.fits\nfields = all'
read_map mixed 'file = mixed.fits\nfields = all'
read_map both 'file = both.fits\nfields = all'
read_map odd 'file = cosmo.fits\nfields = 1, 2\nspin = 2, 0'
read_map scalar 'file = both.fits\nfields = all\nspin = 0'
ok "Q without U" refused no-u.workflow "Q_POLARISATION is not next to U"
ok "and where" refused no-u.workflow "no-u.workflow:4:"
ok "U without Q" refused no-q.workflow "U_POLARISATION is not next to Q"
ok "U before Q" refused order.workflow "list Q before U"
ok "units of I, Q and U differ" refused counts.workflow \
  'TEMPERATURE is in "counts" but Q_POLARISATION in "mK"'
ok "the message thinks of a wrong order" refused counts.workflow "are the columns in the wrong order?"
ok "units of Q and U differ" refused mixed.workflow \
  'Q_POLARISATION is in "mK" but U_POLARISATION in "uK"'
ok "POLCCONV twice" refused both.workflow 'POLCCONV is "'
ok "half of a pair" refused odd.workflow "odd.workflow:5:8: [sky] spin: spin = 2, 0: field 0 has spin 2"
ok "scalars need no POLCCONV" run scalar.workflow

# Covariances with one U change their sign with it, those with two or none do not.
cat > covariances.workflow << 'END'
[right]
stage = expression
nside = 4
expression = 1 + lat * 0, 2, 3, 4, 5, 6, 7
names = T, A, B, C, D, E, F
[wrong]
stage = expression
nside = 4
expression = 1 + lat * 0, 2, -3, 4, -5, -6, 7
names = T, A, B, C, D, E, F
[right-out]
stage = write-map
map = right
file = cov-cosmo.fits
names = I_STOKES, Q_STOKES, U_STOKES, QQ_COV, IU_COV, QU_COV, UU_COV
[wrong-out]
stage = write-map
map = wrong
file = cov-iau.fits
names = I_STOKES, Q_STOKES, U_STOKES, QQ_COV, IU_COV, QU_COV, UU_COV
END
ok "covariances are made" run covariances.workflow
ok "of a file in IAU" "$fits" put cov-iau.fits 1 POLCCONV IAU
cat > convert.workflow << END
$(input all map cov-iau.fits)
fields = all
$(input alone map cov-iau.fits)
fields = QU_COV
$(output all-out map all cov-read.fits)
$(output alone-out map alone cov-alone.fits)
$(output back map all cov-back.fits)
polcconv = iau
END
ok "both conventions" run convert.workflow
for column in 1 2 3 4 5 6 7; do
  ok "column $column in COSMO" "$fits" max cov-read.fits $column cov-cosmo.fits $column 0
  ok "column $column back in IAU" "$fits" max cov-back.fits $column cov-iau.fits $column 0
done
ok "a covariance alone" "$fits" max cov-alone.fits 1 cov-cosmo.fits 6 0
ok "is in COSMO" "$fits" key cov-alone.fits POLCCONV COSMO

# Other programs cannot open a file with two columns of one name.
read_map twice 'file = cosmo.fits\nfields = all'
echo 'names = X, X, Y' >> twice.workflow
check () { "$armilla" check "$1" > check.out 2>&1; status=$?; cat check.out; [ $status -ne 0 ]; }
ok "two names are equal, says check" check twice.workflow
ok "which" grep -q 'fields 0 and 1 are both called "X"' check.out

# Two conventions in one workflow: what is read is COSMO, so they are the same sky.
cat > add.workflow << END
$(input a map cosmo.fits)
fields = all
$(input b map iau.fits)
fields = all
[difference]
stage = combine
input = a
input2 = b
weights = 1, -1
$(output none map difference none.fits)
$(output out map b back.fits)
END
ok "COSMO less IAU runs" run add.workflow
ok "and is read as one convention" "$fits" same back.fits cosmo.fits
ok "HISTORY reports it" "$fits" history back.fits "iau.fits is in the convention IAU"
sed 's/^fields = all/fields = all\nspin = 0/' add.workflow > raw.workflow
ok "columns as they are cannot be mixed" refused raw.workflow "convention of polarisation (POLCCONV)"

# Spectra that are no covariance
draw ()
{
  printf '[theory]\nstage = read-cl\nfile = %s\n%b\n[draw]\nstage = random-alm\ncl = theory\n' \
    "$2" "$3" > "$1.workflow"
  printf '[out]\nstage = write-alm\nalm = draw\nfile = out-%s.fits\n' "$1" >> "$1.workflow"
}
awk '{ if ($1 == 3) $5 = 2.9; print }' cl.dat > strong.dat
awk '{ if ($1 == 3) $4 = -1; print }' cl.dat > negative.dat
awk '{ print $0, ($1 == 4 ? 1.2 : 0), ($1 == 4 ? 1.2 : 0) }' cl.dat > six.dat
awk '{ print $1, $2, $3, $5, $4 }' cl.dat > swapped.dat
draw no-te cl.dat 'columns = 0, 1, 2'
draw strong strong.dat
draw negative negative.dat
draw six six.dat
draw swapped swapped.dat
ok "TE is missing" refused no-te.workflow "TE is missing"
# 2.9^2 > 4 x 2
ok "TE^2 above TT EE" refused strong.workflow "l = 3"
ok "and what is too large" refused strong.workflow "TE"
ok "a negative BB" refused negative.workflow "l = 3"
# each pair alone would do: 1.2^2 < 2 x 1 and 1.2^2 < 3 x 1
ok "six spectra that are not positive together" refused six.workflow \
  "their covariance matrix is not positive"
ok "columns in another order" refused swapped.workflow "their order is TT, EE, BB, TE"
ok "no file is left of what failed" not ls out-*.fits

# Beams
printf '0 1 1\n1 1 1\n2 1 1\n3 1 1\n4 1 1\n' > two.dat
printf '0 1 1 1\n1 1 1 1\n2 1 1 1\n' > short.dat
beam ()
{
  printf '[alm]\nstage = read-alm\nfile = alm.fits\nfields = all\n' > "$1.workflow"
  printf '[beam]\nstage = smooth-alm\nalm = alm\n%b\n' "$2" >> "$1.workflow"
  printf '[out]\nstage = write-alm\nalm = beam\nfile = out.fits\n' >> "$1.workflow"
}
beam two 'beam = two.dat'
beam short 'beam = short.dat'
beam each 'beam = two.dat\nbeam-column = 0, 1, 1'
ok "a beam with two columns" refused two.workflow "has 2 columns"
ok "a beam that ends early" refused short.workflow "l = 2"
ok "a column for each field" run --overwrite each.workflow
sed 's/fields = all/fields = 0, 1/' each.workflow > half.workflow
ok "E without B" refused half.workflow "field 1 has spin 2 but no partner"
finish
