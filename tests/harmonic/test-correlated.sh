#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random a_lm of T, E, B, a potential and a further field: the bits of other numbers of workers and
# ranks, and those of T, E and B alone. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk -v OFMT=%.17g 'BEGIN { print "l", "TT", "EE", "BB", "TE", "PP", "TP", "EP", "XX", "PX"
  for (l = 0; l <= 200; l++) { f = l < 2 ? 0 : 1 / (l * (l + 1)); print l, 4 * f, 2 * f, f, f, 3 * f, -f, f / 2, f, f } }' > theory.dat
cat > draw.workflow << END
[workflow]
repeat = 3
[theory]
stage = read-cl
file = $room/theory.dat
[draw]
stage = random-alm
cl = theory
fields = T, E, B, P, X
seed = 6
[out]
stage = write-alm
alm = draw
file = five-\${index}.fits
[teb-theory]
stage = set-fields
input = theory
fields = TT, EE, BB, TE
[teb]
stage = random-alm
cl = teb-theory
seed = 6
[three]
stage = set-fields
input = draw
fields = 0, 1, 2
[out-of-four]
stage = write-alm
alm = teb
file = alone-\${index}.fits
[out-of-five]
stage = write-alm
alm = three
file = three-\${index}.fits
END
cp draw.workflow "$room/.draw"

# same: the files of this folder are those of $room/one
same () { for file in five-*.fits; do "$fits" same "$file" "$room/one/$file" || return 1; done; }

enter one
cp "$room/.draw" draw.workflow
ok "five fields of three skies" run draw.workflow
alone () { for i in 0 1 2; do "$fits" same alone-$i.fits three-$i.fits || return 1; done; }
ok "T, E and B are those drawn alone" alone
enter single
cp "$room/.draw" draw.workflow
ok "one worker" env STARPU_NCPU=1 "$armilla" run --quiet draw.workflow
ok "draws the same bits" same
if has_ranks; then
  for n in 2 3; do
    enter ranks-$n
    cp "$room/.draw" draw.workflow
    ok "$n ranks" ranks $n "$armilla" run --quiet draw.workflow
    ok "draw the same bits" same
  done
else
  skip "ranks" "built without MPI, or no mpirun"
fi
finish
