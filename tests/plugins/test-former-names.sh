#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Former names of stages and of their inputs give the files that the present ones give, and one
# warning names the present ones. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

printf '0 0\n1 0\n2 1\n3 1\n4 1\n' > theory.dat
{
  random_alm draw theory theory.dat
  printf 'unit = K\n[noise]\nstage = noise-map\nnside = 8\nsigma = 1\n'
} > data
printf 'x y\n1 2\n3 4\n' > columns.txt

# workflow COMBINE INPUT SET INPUT FORMULA TABLE KEY SUFFIX
workflow ()
{
  cat data
  printf '[sum]\nstage = %s\n%s = draw\n%s2 = draw\nweights = 1, 2\n' "$1" "$2" "$2"
  printf '[scalar]\nstage = %s\n%s = sum\nspin = 0\n' "$3" "$4"
  printf '[maps]\nstage = combine\n%s = noise\n%s2 = noise\n' "$7" "$7"
  printf '[field]\nstage = set-fields\n%s = maps\nnames = N\n' "$7"
  printf '[cl]\nstage = alm2cl\nalm = scalar\n[twice]\nstage = %s\ncl = cl\n' "$5"
  printf 'cl2 = cl\nexpression = cl + cl2\n'
  printf '[columns]\nstage = read-table\nfile = columns.txt\n'
  printf '[ratio]\nstage = %s\ntable = columns\nexpression = y / x\nnames = r\n' "$6"
  printf '[alm-out]\nstage = write-alm\nalm = scalar\nfile = alm%s.fits\n' "$8"
  printf '[map-out]\nstage = write-map\nmap = field\nfile = map%s.fits\n' "$8"
  printf '[cl-out]\nstage = write-cl\ncl = twice\nfile = cl%s.dat\n' "$8"
  printf '[table-out]\nstage = write-table\ntable = ratio\nfile = table%s.csv\n' "$8"
}
workflow combine input set-fields input expression expression input -new > new.workflow
workflow combine-alm alm set-fields-alm alm expression-cl expression-table map -old > old.workflow

values () { "$fits" rms "$1-old.fits" "$2" "$1-new.fits" "$2" 0; }
warned () { test "$(grep -c "^warning: stage .* is now called .*; the next release" old.err)" = "$1"; }

ok "present names" sh -c '"$1" run new.workflow > new.out 2> new.err' - "$armilla"
ok "without a warning" sh -c '! grep "is now called" new.err'
ok "former names" sh -c '"$1" run old.workflow > old.out 2> old.err' - "$armilla"
ok "one warning for each" warned 6
ok "with the names of inputs" grep -q \
  "combine-alm with inputs alm, alm2 .. is now called combine, with inputs input, input2 .." old.err
ok "of a stage alone" grep -q "stage expression-cl is now called expression;" old.err
ok "the same a_lm" values alm 2
ok "the same map" values map 1
ok "the same spectra" sh -c 'grep -v "^#" cl-old.dat > a; grep -v "^#" cl-new.dat | cmp - a'
ok "the same table" sh -c 'grep -v "^#" table-old.csv > a; grep -v "^#" table-new.csv | cmp - a'
"$armilla" check old.workflow > old.out 2> old.err
ok "check warns, too" warned 6
ok "inspect describes the present stage" sh -c \
  '"$1" inspect combine-alm | grep -q "^combine-alm is now called combine"' - "$armilla"
ok "and lists no former name" sh -c '! "$1" inspect | grep -q "^combine-alm"' - "$armilla"
sed 's/^alm2 = draw/alm2 = noise/' old.workflow > mixed.workflow
ok "an error names present inputs" refused mixed.workflow \
  "input and input2 are of different kinds; connect maps, a_lm or spectra only"
finish
