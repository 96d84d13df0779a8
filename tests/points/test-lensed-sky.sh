#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lensed, delensed and boosted skies from a file as CAMB writes it: the same bits on any number of
# workers and ranks, and when a run is resumed; bad input leaves nothing behind. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk -v OFMT=%.17g 'BEGIN { print "# L TT EE BB TE PP TP EP"; for (l = 2; l <= 64; l++) {
  f = exp(-(l / 30) ^ 2); p = 1e-3 * exp(-l / 10); print l, f, 0.1 * f, 0, 0.1 * f, p, 0.1 * sqrt(p * f), 0 } }' \
  > lenspotentialCls.dat
cat > skies.workflow << END
[workflow]
repeat = 3
[theory]
stage = read-camb
file = $room/lenspotentialCls.dat
columns = all
[sky]
stage = lensed-sky
cl = theory
nside = 16
lmax = 48
lmax-unlensed = 60
seed = 2
$(analysis measure sky.map 47)
[back]
stage = delens
alm = measure
phi = sky.phi
nside = 16
iterations = 4
[boosted]
stage = aberrate
alm = sky.alm
beta = 0.2
lon = 10
lat = 20
power = 1
nside = 16
[area]
stage = magnification
phi = sky.phi
nside = 16
$(output lensed map sky.map 'lensed-${index}.fits')
$(output delensed map back.map 'delensed-${index}.fits')
$(output seen map boosted.map 'boosted-${index}.fits')
$(output areas map area 'area-${index}.fits')
END
awk '/#/ { print; next } { $7 *= 20; print }' lenspotentialCls.dat > impossible.dat
same () { for file in "$room"/one/*.fits; do "$fits" same "$file" "${file##*/}" || return 1; done; }

enter one
ok "three skies, each with its potential" run ../skies.workflow
ok "that differ" not "$fits" same area-0.fits area-1.fits
enter single
ok "one worker" env STARPU_NCPU=1 "$armilla" run --quiet ../skies.workflow
ok "has the same bits" same
enter alone
ok "one by one" run --resume --set workflow.together=1 ../skies.workflow
ok "the same bits" same
rm lensed-2.fits boosted-1.fits
ok "a run that is resumed" run --resume --set workflow.together=1 ../skies.workflow
ok "makes what is missing again" same
if has_ranks; then
  for deal in blocks realisations; do
    enter "ranks-$deal"
    ok "two ranks, $deal" ranks 2 "$armilla" run --quiet --set workflow.deal=$deal ../skies.workflow
    ok "the same bits" same
  done
else
  skip "ranks" "built without MPI, or no mpirun"
fi

enter bad
bad () { text=$1; shift; fails "$text" run ../skies.workflow "$@"; }
ok "an unlensed sky that ends before the lensed one" \
  bad "the unlensed a_lm end at l = 40, but the lensed sky must be complete to 48" --set sky.lmax-unlensed=40
awk '/#/ { print; next } { $6 *= 1e8; $7 *= 1e4; print }' ../lenspotentialCls.dat > strong.dat
ok "deflections of more than a right angle" bad "above 90 deg" --set theory.file=strong.dat
awk '/#/ { print; next } { $6 = $1 == 9 ? "nan" : $6; print }' ../lenspotentialCls.dat > nan.dat
ok "NaN in the spectrum of the potential" bad "(PP) are NaN or infinite" --set theory.file=nan.dat
ok "a potential that correlates too much" \
  bad "violate |TP|^2 <= TT PP" --set theory.columns='TT, EE, BB, TE, PP, TP, EP' --set theory.file=../impossible.dat
ok "nothing is left behind" only nan.dat strong.dat
finish
