#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Maps that have some rings only, from workflow to file and back. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 70; l++) printf "%d %.17g\n", l, 1 / (1 + l) }' > cl.dat
cat > make.workflow << END
$(random_alm draw theory cl.dat)
seed = 4
$(synthesis whole draw 32)
$(synthesis belt draw 32)
theta-min = 40 deg
theta-max = 75 deg
[like]
stage = alm2map
alm = draw
like = belt
[gauss]
stage = alm2map
alm = draw
grid = gauss-legendre
theta-max = 1 rad
[low]
stage = ud-grade
map = belt
nside = 8
[none]
stage = combine
input = belt
input2 = like
weights = 1, -1
END
for node in whole belt like gauss low none; do
  printf '[%s-out]\nstage = write-map\nmap = %s\nfile = %s.fits\n' $node $node $node
done >> make.workflow
ok "some rings are made" run make.workflow
ok "a map of some rings becomes a partial file" "$fits" key belt.fits OBJECT PARTIAL
ok "of all rings a whole one" "$fits" key whole.fits OBJECT FULLSKY
ok "of some rings of another grid a whole one" "$fits" key gauss.fits NTHETA 71
ok "like takes the rings, too" "$fits" same belt.fits like.fits

if has_ranks; then
  mkdir ranks && cd ranks || exit 99
  cp ../cl.dat .
  sed 's/^\[theory\]/[workflow]\nring-block = 5\n[theory]/' ../make.workflow > make.workflow
  cp make.workflow ../five.workflow
  ok "on three ranks" ranks 3 "$armilla" run --quiet make.workflow
  cd ..
  mkdir rank && cd rank || exit 99
  cp ../cl.dat .
  ok "on one" run ../five.workflow
  cd ..
  for f in belt gauss low none; do
    ok "$f is the same" "$fits" same ranks/$f.fits rank/$f.fits
  done
fi

# healpy.pix2ang (32, ..): 25 rings are between 40 and 75 deg, pixels 1404 to 4543
ok "the file has the pixels of 25 rings" "$fits" key belt.fits NAXIS2 3140
cat > read.workflow << END
$(input whole map whole.fits)
theta-min = 40 deg
theta-max = 75 deg
$(input belt map belt.fits)
rings = seen
$(input full map belt.fits)
$(input gauss map gauss.fits)
rings = seen
[low]
stage = ud-grade
map = full
nside = 8
$(output low-out map low low-full.fits)
[difference]
stage = combine
input = whole
input2 = belt
weights = 1, -1
[sum]
stage = map2alm
map = difference
iterations = 0
lmax = 40
[some]
stage = map2alm
map = belt
iterations = 0
[all]
stage = map2alm
map = full
iterations = 0
[weighed]
stage = map2alm
map = belt
iterations = 0
ring-weights = weights.dat
[weighed-all]
stage = map2alm
map = full
iterations = 0
ring-weights = weights.dat
[pixels]
stage = map2alm
map = belt
pixel-weights = pixel.fits
[pixels-all]
stage = map2alm
map = full
pixel-weights = pixel.fits
[picture]
stage = render
map = gauss
file = gauss.png
END
for node in sum some all weighed weighed-all pixels pixels-all; do
  printf '[%s-out]\nstage = write-alm\nalm = %s\nfile = %s-alm.fits\n' $node $node $node
done >> read.workflow
awk -v n=32 'BEGIN { for (i = 0; i < 2 * n; i++) printf "%d %.17g\n", i, 0.1 * sin(i + 1) }' \
  > weights.dat
awk -v n=32 'BEGIN { for (i = 0; i < (3 * n + 1) * (n + 1) / 4 - 0.5; i++)
  printf "%d %.17g\n", i, 0.1 * sin(i + 1) }' > pixel.dat
printf '[a]\nstage = read-cl\nfile = pixel.dat\n[b]\nstage = write-cl\ncl = a\nfile = pixel.fits\n' \
  > pixel.workflow
ok "pixel weights are made" run pixel.workflow
ok "some rings are read" run read.workflow
# The rings are added up in other blocks: sqrt (127) roundings of 1.1e-16.
ok "what is UNSEEN may be left out" "$fits" alm some-alm.fits all-alm.fits 3e-15
ok "with ring weights" "$fits" alm weighed-alm.fits weighed-all-alm.fits 3e-15
ok "with pixel weights" "$fits" alm pixels-alm.fits pixels-all-alm.fits 3e-15
ok "the weights are not 1" not "$fits" alm some-alm.fits weighed-alm.fits 1e-3
# A cap of 1 rad is (1 - cos 1) / 2 = 23 % of the ellipse of 940 x 470 points: 267000 are grey.
ok "ud-grade takes what is on no ring for UNSEEN" "$fits" same low.fits low-full.fits
ok "a picture is grey elsewhere" "$png" gauss.png 1000 670 250000 100

cat > wrong.workflow << END
$(random_alm draw theory cl.dat)
$(synthesis sky draw 32)
theta-min = 80 deg
theta-max = 70 deg
END
ok "no ring between" refused wrong.workflow "HEALPix nside 32 has no ring between"
cat > mixed.workflow << END
$(input whole map whole.fits)
$(input belt map belt.fits)
rings = seen
[both]
stage = combine
input = whole
input2 = belt
$(output out map both both.fits)
END
ok "other rings are other pixels" refused mixed.workflow "HEALPix nside 32 (25 of its 127 rings)"
cat > apodise.workflow << END
$(input belt map belt.fits)
rings = seen
[mask]
stage = mask
map = belt
apodise = 5 deg
$(output out map mask mask.fits)
END
ok "apodising needs all rings" refused apodise.workflow "apodise needs all rings"
cat > unseen.workflow << END
$(input belt map belt.fits)
rings = seen
theta-max = 20 deg
$(output out map belt none.fits)
END
ok "nothing is seen there" refused unseen.workflow "every pixel of belt.fits is UNSEEN"
finish
