#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulated skies of T, E and B, measured again: the mean spectra are those they were drawn from, and
# three ranks give the bits of one. SKIES says how many; make check-skies takes 1000. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

skies=${SKIES:-16}
lmax=128
# Correlated as can be: r^2 of TE up to 0.25, of EB 0.09, of TB 0.04.
awk -v lmax=$lmax 'BEGIN { for (l = 0; l <= lmax; l++) {
  t = l < 2 ? 0 : 1000 / (l * (l + 1)); e = 0.02 * t * (1 + 0.5 * sin(l / 5)); b = 0.001 * t
  printf "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", l, t, e, b, 0.5 * cos(l / 10) * sqrt(t * e),
    -0.3 * sqrt(e * b), 0.2 * sqrt(t * b) } }' > theory.dat
cat > skies.workflow << END
[workflow]
repeat = $skies
$(random_alm draw theory "$room/theory.dat")
seed = 1
lmax = $lmax
$(synthesis sky draw 64)
$(analysis measure sky "$lmax")
$(spectrum spectra measure)
$(output out cl spectra "cl-\${index}.fits")
END
cp skies.workflow "$room/.skies"

enter one
cp "$room/.skies" skies.workflow
ok "$skies skies are simulated and measured" run skies.workflow
# With lmax = 2 nside and three iterations what is measured is what was drawn, to 0.003 sigma of the
# mean of 1000.
ok "mean spectra within 4 sigma, all six, every l" \
  "$build/tests/harmonic/check-means" "$room/theory.dat" "$skies" $lmax cl-
# The check sees a spectrum that is wrong by 3 sigma of the mean everywhere.
awk -v n="$skies" '{ $4 *= 1 + 3 * sqrt(2 / (2 * $1 + 1) / n); print }' "$room/theory.dat" \
  > wrong.dat
ok "spectra that are 3 sigma off are noticed" \
  not "$build/tests/harmonic/check-means" wrong.dat "$skies" $lmax cl-

same ()
{
  i=0
  while [ $i -lt "$skies" ]; do
    "$fits" same "$room/one/cl-$i.fits" "cl-$i.fits" || return 1
    i=$((i + 1))
  done
}
if has_ranks; then
  enter three
  cp "$room/.skies" skies.workflow
  ok "three ranks do the same" ranks 3 "$armilla" run --quiet skies.workflow
  ok "and get the same bits" same
else
  skip "three ranks" "built without MPI, or no mpirun"
fi
finish
