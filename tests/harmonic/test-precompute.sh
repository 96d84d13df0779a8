#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tables of compressed Legendre matrices from the command line: made, killed while being made, used,
# refused; alone and on several ranks. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
faulty=$build/tests/lib/.libs/faulty-files.so

awk 'BEGIN { for (l = 0; l <= 400; l++) print l, 1 / (l + 1) }' > flat.dat
cat > sky.workflow << END
[variables]
lmax = 200
legendre = butterfly
$(random_alm draw flat flat.dat)
seed = 7
lmax = \${lmax}
[sky]
stage = alm2map
alm = draw
grid = gauss-legendre
legendre = \${legendre}
table = table
$(analysis found sky "\${lmax}")
legendre = \${legendre}
table = table
$(spectrum spectrum found)
$(output out cl spectrum cl.fits)
END
sed '/^table = /d; s/butterfly/auto/' sky.workflow > plain.workflow

no_table () { [ ! -e table ]; }

# Some of it is written when it ends, and more is to be: it kills itself in the middle of an order. Where a
# sanitizer wants to be loaded first, the file may not grow any more.
kill_it ()
{
  if can_preload "$faulty"; then
    LD_PRELOAD=$faulty FAULTY_FILES=kill=100 "$armilla" precompute -D lmax=400 sky.workflow
    [ $? -eq 137 ] || return 1
  else
    (ulimit -f 4000 && gives 1 "File too large" "$armilla" precompute -D lmax=400 sky.workflow) || return 1
  fi
  no_table
}

# A transform for each iteration of each realisation names the table that is not there.
once_told ()
{
  sed 's/butterfly/auto/; s/^\[variables\]/[workflow]\nrepeat = 3\ndeal = realisations\n&/; s/^stage = map2alm/&\niterations = 3/
       s/file = cl.fits/file = cl-${index}.fits/' sky.workflow > repeated.workflow
  "$@" "$armilla" run repeated.workflow > out 2>&1 || { cat out; return 1; }
  cat out
  [ "$(grep -c 'no table' out)" -eq 1 ] && rm cl-?.fits
}

ok "a killed precomputation leaves no table" kill_it
ok "and is resumed" gives 0 "from where it was interrupted" \
   "$armilla" precompute -D lmax=400 sky.workflow
ok "what is there is not made again" gives 0 "done in" "$armilla" precompute -D lmax=400 sky.workflow
other_lmax () { gives 1 "sky.workflow:" "$armilla" run sky.workflow && says "is for lmax 400"; }
ok "a table for another lmax is refused" other_lmax
rm table
ok "a run makes the table that it needs" gives 0 "by table" "$armilla" run sky.workflow
ok "precompute wants a table" gives 2 "no stage names a table" "$armilla" precompute plain.workflow
ok "butterfly wants a table" gives 1 "needs table" \
   "$armilla" run --set sky.legendre=butterfly plain.workflow
mv table kept
ok "what a table would cost is told once" once_told timeout 300
has_ranks || { finish; exit 0; }
export STARPU_NCPU=1
ok "and once where ranks have realisations for themselves" once_told ranks 2
cp cl.fits alone.fits
rm cl.fits
ok "three ranks make a table and use it" ranks 3 "$armilla" run --overwrite --quiet sky.workflow
ok "with the same result" cmp alone.fits cl.fits
finish
