#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is done to a_lm and maps between reading and writing: filter-alm, resize-alm, gradient,
# rotate-map. Against each other and by identities; tests/harmonic/test-harmonics-healpy has healpy. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d %.17g %.17g %.17g %.17g\n", l, l < 2 ? 0 : 3 / (l * l),
  l < 2 ? 0 : 1 / (l * l), l < 2 ? 0 : 0.2 / (l * l), l < 2 ? 0 : 0.7 / (l * l) }' > teb.dat
awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d %.17g\n", l, exp(-l / 20) }' > b.dat
awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d %.17g\n", l, exp(l / 40) }' > root.dat
awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d %d\n", l, l <= 25 }' > step.dat
awk 'BEGIN { for (l = 0; l <= 25; l++) printf "%d 1\n", l }' > short.dat
awk 'BEGIN { for (l = 0; l <= 40; l++) printf "%d 1 2 3 4\n", l }' > four.dat
out () { printf '[%s-out]\nstage = write-alm\nalm = %s\nfile = %s.fits\n' "$1" "$1" "$1"; }
table () { printf '[%s]\nstage = read-cl\nfile = %s.dat\n' "$1" "$1"; }
filter () { printf '[%s]\nstage = filter-alm\nalm = %s\ncl = %s\npower = %s\n' "$@"; out "$1"; }

cat > draw.workflow << END
$(random_alm draw theory teb.dat)
seed = 6
unit = K
END
{
  cat draw.workflow
  out draw
  for t in b root step short; do table $t; done
  filter there draw b 1
  filter back there b -1
  filter square draw root -2
  filter cut draw step 1
  filter ends draw short 1
  printf '[beam]\nstage = smooth-alm\nalm = draw\nbeam = b.dat\nbeam-column = 0\n'
  out beam
  printf '[low]\nstage = resize-alm\nalm = draw\nlmax = 25\n'
  out low
  printf '[high]\nstage = resize-alm\nalm = low\nlmax = 40\n'
  out high
  printf '[narrow]\nstage = resize-alm\nalm = draw\nlmax = 30\nmmax = 3\n'
  printf '[again]\nstage = resize-alm\nalm = narrow\nlmax = 25\n'
  printf '[other]\nstage = random-alm\ncl = theory\nseed = 6\nlmax = 30\nmmax = 3\n'
  printf '[wide]\nstage = resize-alm\nalm = other\nlmax = 25\n'
  out again
  out wide
} > filter.workflow
ok "filter-alm and resize-alm run" run filter.workflow
ok "filter-alm is smooth-alm with a table" "$fits" same there.fits beam.fits
# two roundings of 1.1e-16
ok "power = -1 undoes it" "$fits" alm back.fits draw.fits 1e-15
# exp (l / 40)^-2 = exp (-l / 20), rounded a few times
ok "power = -2 of a root" "$fits" alm square.fits there.fits 1e-15
ok "a spectrum that ends is 0 beyond" "$fits" alm cut.fits ends.fits 0
ok "resize-alm down and up cuts off" "$fits" alm high.fits cut.fits 0
ok "three fields are left" "$fits" key low.fits SPIN 0
ok "lmax of the file" "$fits" key low.fits MAX-LPOL 25
ok "other orders come as they were" "$fits" same again.fits wide.fits

if has_ranks; then
  mkdir ranks && cd ranks || exit 99
  cp ../*.dat ../filter.workflow .
  sed -i 's/^\[theory\]/[workflow]\nm-blocks = 7\n[theory]/' filter.workflow
  ok "on three ranks" ranks 3 "$armilla" run --quiet filter.workflow
  for f in there high again; do
    ok "$f is the same" "$fits" same $f.fits ../$f.fits
  done
  cd ..
fi

{ cat draw.workflow; table four; filter wrong draw four 1; } > four.workflow
ok "four spectra for three fields" refused four.workflow "cl has 4 spectra, and alm 3 fields"
{ cat draw.workflow; table step; filter wrong draw step -1; } > zero.workflow
ok "a degree divided by zero" run zero.workflow
ok "is zero" "$fits" alm wrong.fits cut.fits 0
printf '[x]\nstage = resize-alm\nalm = draw\nlmax = 3\nmmax = 4\n' | cat draw.workflow - > mmax.workflow
ok "mmax above lmax" refused mmax.workflow "mmax"

# --- Derivatives

{
  cat draw.workflow
  cat << END
$(input t alm draw.fits)
[gradient]
stage = gradient
alm = t
[map]
stage = alm2map
alm = gradient
grid = gauss-legendre
$(output write map map derivatives.fits)
[analysis]
stage = map2alm
map = map
iterations = 0
$(spectrum cl gradient)
$(spectrum cl-back analysis)
END
  for node in cl cl-back; do
    printf '[%s-out]\nstage = write-cl\ncl = %s\nfile = %s.fits\n' $node $node $node
  done
} > gradient.workflow
ok "gradient runs" run gradient.workflow
ok "three fields" "$fits" key derivatives.fits NAXIS3 3
ok "their names" "$fits" key derivatives.fits FIELD2 D_THETA
# exact quadrature
ok "map2alm takes a gradient apart again" "$fits" rms cl-back.fits 2 cl.fits 2 1e-13
# no curl: the square of a relative 1e-15, and the gradient's spectrum is below 3
ok "which has no curl" "$fits" max cl-back.fits 3 cl.fits 3 1e-28
sed 's/^\[gradient\]/[all]\nstage = read-alm\nfile = draw.fits\nfields = all\n[gradient]/
     s/^alm = t$/alm = all/' gradient.workflow > polarised.workflow
ok "E and B have none" refused polarised.workflow "must be a scalar"

# --- Imaginary parts of m = 0, which are ignored by all stages

{
  cat draw.workflow
  printf '[first]\nstage = set-fields\ninput = draw\nfields = 0\nspin = 0\n'
  out first
} > first.workflow
ok "one field" run first.workflow
cp first.fits zonal.fits
poke_all ()
{
  for l in $(seq 0 40); do "$fits" poke zonal.fits 3 "$l" "0.$((l % 7 + 1))" || return 1; done
  "$fits" put zonal.fits 1 DATASUM new # and the right sum is written
}
ok "a file with imaginary parts of m = 0" poke_all
ok "it differs" not "$fits" same first.fits zonal.fits
{
  input t alm first.fits
  table b
  printf '[filtered]\nstage = filter-alm\nalm = t\ncl = b\n'
  printf '[smoothed]\nstage = smooth-alm\nalm = t\nfwhm = 5 deg\n'
  printf '[resized]\nstage = resize-alm\nalm = t\nlmax = 25\n'
  printf '[turned]\nstage = rotate\nalm = t\npsi = 10 deg\ntheta = 20 deg\n'
  printf '[sum]\nstage = combine\ninput = t\ninput2 = smoothed\n'
  printf '[same]\nstage = set-fields\ninput = t\nunit = mK\n'
  printf '[slopes]\nstage = gradient\nalm = t\n'
  printf '[collected]\nstage = collect\ninput = t\n'
  synthesis sky t 16
  spectrum power t
  spectrum cross t
  printf 'alm2 = filtered\n'
  suffix=-\${of}
  outputs alm t smoothed resized turned sum same slopes
  output collected-out alm collected.mean "collected$suffix.fits"
  outputs map sky
  outputs cl power cross
  suffix=
} > zonal.workflow
ok "all stages that take a_lm" run zonal.workflow -D of=first
ok "and with imaginary parts of m = 0" run zonal.workflow -D of=zonal --set t.file=zonal.fits
for node in t smoothed resized turned sum same slopes collected sky power cross; do
  ok "$node is the same" "$fits" same $node-first.fits $node-zonal.fits
done

# --- Maps in other coordinates

{
  cat draw.workflow
  cat << END
$(synthesis sky draw 32)
$(output galactic map sky galactic.fits)
coordsys = G
END
} > sky.workflow
ok "a sky is made" run sky.workflow
cat > rotate.workflow << END
$(input sky map galactic.fits)
fields = all
[turned]
stage = rotate-map
map = sky
to = ecliptic
[home]
stage = rotate-map
map = turned
from = ecliptic
to = galactic
$(analysis harmonics sky 40)
[rotated]
stage = rotate
alm = harmonics
to = ecliptic
$(synthesis exact rotated 32)
[like]
stage = rotate-map
map = sky
like = belt
to = ecliptic
$(synthesis belt rotated 16)
theta-min = 60 deg
theta-max = 120 deg
END
for node in turned home exact like; do
  printf '[%s-out]\nstage = write-map\nmap = %s\nfile = %s.fits\n' $node $node $node
done >> rotate.workflow
ok "rotate-map runs" run rotate.workflow
ok "coordinates after it" "$fits" key turned.fits COORDSYS E
ok "and back" "$fits" key home.fits COORDSYS G
# Interpolation is off by (l / nside)^2 / 8 of what has the scale l: for this sky, steep in l, some
# percent; a wrong sign of the angle would be of order 1.
for column in 1 2 3; do
  ok "as with a_lm, column $column" "$fits" rms turned.fits $column exact.fits $column 0.1
done
ok "there and back, Q" "$fits" rms home.fits 2 galactic.fits 2 0.15
ok "like takes grid and rings" "$fits" key like.fits OBJECT PARTIAL
sed 's/^to = ecliptic/psi = 3 deg\nto = ecliptic/' rotate.workflow > twice.workflow
ok "a rotation that is given twice" refused twice.workflow "the rotation is given by both"
sed '/^to = /d' rotate.workflow > none.workflow
ok "a rotation that is not given" refused none.workflow "to is not set"
awk 'BEGIN { for (l = 0; l <= 700; l++) print l, 1 / (l + 1) }' > long.dat
printf '[theory]\nstage = read-cl\nfile = long.dat\n' > long.workflow
printf '[draw]\nstage = random-alm\ncl = theory\nseed = 9\n' >> long.workflow
out draw >> long.workflow
long () { STARPU_NCPU=1 run long.workflow --set draw-out.file="$1" --set workflow.m-blocks="$2"; }
ok "random-alm, all orders at once" long one.fits 1
ok "random-alm, few orders at a time" long many.fits 40
ok "the same numbers" "$fits" same one.fits many.fits
portable () { ARMILLA_ISA=portable run long.workflow --set draw-out.file="$1"; }
ok "random-alm on a simpler machine" portable simple.fits
ok "draws the same numbers" "$fits" same one.fits simple.fits
sed '0,/^to = ecliptic/s//from = equatorial\nto = ecliptic/' rotate.workflow > from.workflow
ok "coordinates that contradict the file" refused from.workflow "have the coordinates G"
finish
