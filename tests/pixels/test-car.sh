#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parts of the sky as images in the projection CAR, through the stages: the same image comes out again, and what
# needs another grid is refused. Python's tests compare pixels and a_lm with pixell. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# card FILE NAME: a card of the first header; same_data A B: the sums of their data are the same
card () { head -c 8640 "$1" | fold -w 80 | grep -a -m 1 "^$2 *="; }
same_data () { card "$1" DATASUM && [ "$(card "$1" DATASUM)" = "$(card "$2" DATASUM)" ]; }
# has FILE NAME VALUE
has () { [ "$(card "$1" "$2" | awk '{ print $2 == "=" ? $3 : $2 }')" = "$3" ] || { card "$1" "$2"; return 1; }; }

awk 'BEGIN { for (l = 0; l <= 59; l++) print l, l < 2 ? 0 : 1 / (l * (l + 1)), 0.1 / (l + 1), 0.1 / (l + 1), 0 }' \
  > theory.dat
cat > make.workflow << END
$(random_alm draw teb theory.dat)
seed = 7
lmax = 59
[cut]
stage = alm2map
alm = draw
grid = fejer1
resolution = 3 deg
footprint = -30 deg, 45 deg, 150 deg, 230 deg
[all]
stage = alm2map
alm = draw
grid = fejer1
resolution = 3 deg
[like]
stage = alm2map
alm = draw
like = cut
[analysis]
stage = map2alm
map = cut
lmax = 59
iterations = 0
[rotated]
stage = rotate-map
map = all
like = cut
phi = 0 deg
[noise]
stage = noise-map
like = cut
sigma = 1
seed = 3
[rest]
stage = combine
input = cut
input2 = like
weights = 1, -1
$(outputs map cut all like rotated noise rest)
$(output a_lm alm analysis a_lm.fits)
END
ok "maps of a footprint are made" run make.workflow
ok "it has the columns of the footprint" has cut.fits NAXIS1 27
ok "it has the rows of the footprint" has cut.fits NAXIS2 25
ok "it has I, Q and U" has cut.fits CTYPE3 "'STOKES"
ok "its reference point is in the middle" has cut.fits CRVAL1 187.5
ok "the whole sky is pixell's" has all.fits CRPIX1 60.5
ok "like makes the same image" same_data cut.fits like.fits
ok "pixels outside are not written" has rest.fits NAXIS1 27

for node in rotated noise; do
  ok "$node has the same columns" has $node.fits NAXIS1 27
  ok "$node has the same reference point" has $node.fits CRPIX1 14.5
done

cat > read.workflow << END
$(input cut map "\${file}")
fields = all
[analysis]
stage = map2alm
map = cut
lmax = 59
iterations = 0
[masked]
stage = mask
map = cut
mask = cut
weights = seen
outside = unseen
$(output same map cut same.fits)
$(output other map cut iau.fits)
polcconv = iau
$(output packed map cut same.fits.gz)
$(output single map cut single.fits)
dtype = float32
$(output masked-out map masked masked.fits)
$(output a_lm alm analysis again.fits)
END
ok "an image is read" run read.workflow -D file=cut.fits
ok "it is written again" same_data cut.fits same.fits
gunzip -c same.fits.gz > unpacked.fits
ok "compressed, too" same_data cut.fits unpacked.fits
ok "a mask of its own pixels changes none" same_data cut.fits masked.fits
ok "its a_lm have the same bits" "$fits" same a_lm.fits again.fits
ok "in single precision it has half the size" has single.fits BITPIX -32
ok "in the convention IAU it has another U" not same_data cut.fits iau.fits
mv iau.fits turned.fits
ok "which is changed back" run read.workflow -D file=turned.fits --overwrite
ok "to the same values" same_data cut.fits same.fits

mkdir plain && cd plain && run ../read.workflow -D file=../cut.fits || exit 99
cd ..
for n in 1 2 3; do
  if has_ranks; then
    ok "$n rank(s) write the same" ranks $n "$armilla" run --quiet --overwrite read.workflow -D file=cut.fits
    for file in same single masked; do ok "$file" same_data $file.fits plain/$file.fits; done
    ok "and the same a_lm" "$fits" same again.fits plain/again.fits
  else
    skip "ranks" "built without MPI, or no mpirun"
  fi
done

cat > band.workflow << END
$(input band map cut.fits)
fields = all
theta-min = 60 deg
theta-max = 80 deg
$(output out map band band.fits)
END
ok "a part of its rows" run band.workflow
ok "is an image of these rows" has band.fits NAXIS2 7

# stage TEXT: a workflow with this stage for the image
stage () { printf '[cut]\nstage = read-map\nfile = cut.fits\n[do]\n%b\n' "$1" > stage.workflow; }
stage 'stage = ud-grade\nmap = cut\nnside = 16'
ok "ud-grade needs HEALPix" refused stage.workflow "must be HEALPix"
stage 'stage = change-order\nmap = cut\norder = nested'
ok "change-order needs HEALPix" refused stage.workflow "needs a HEALPix map"
stage 'stage = mask\nmap = cut\napodise = 5 deg'
ok "a mask is apodised" run stage.workflow
stage 'stage = map2alm\nmap = cut\nlmax = 60'
ok "more multipoles than rings are refused" refused stage.workflow "determine multipoles up to lmax = 59"
stage 'stage = coupling\nmask = cut\nlmax = 20'
ok "coupling works" run stage.workflow
stage 'stage = remove-monopole\nmap = cut\ndipole = true'
ok "remove-monopole works" run stage.workflow
stage "stage = convolve\nmap = cut\nfwhm = 10 deg\n$(output out map do smooth.fits)"
ok "convolve works" run stage.workflow
ok "and leaves the image as it is" has smooth.fits NAXIS1 27
for projection in mollweide cartesian; do
  stage "stage = render\nmap = cut\nprojection = $projection\nfile = $projection.png"
  ok "$projection is drawn" run stage.workflow
  ok "it is a picture" test -s $projection.png
done
# 81 by 75 degrees, without pixels that have no data; the whole sky, with such pixels, if a centre is given
ok "cartesian shows the image alone" "$png" cartesian.png 1000 963 0 100
stage 'stage = render\nmap = cut\nprojection = cartesian\ncentre = 180 deg\nfile = centre.png'
ok "a centre is set" run stage.workflow
ok "and the whole sky is shown" "$png" centre.png 1000 660 100000 100

# grid TEXT: a workflow with a map of this grid
grid ()
{
  printf '%s\nlmax = 10\n[map]\nstage = alm2map\nalm = draw\n%b\n' "$(random_alm draw teb theory.dat)" "$1" \
    > grid.workflow
}
grid 'grid = fejer1\nresolution = 7 deg'
ok "a resolution must divide 180 degrees" refused grid.workflow "180 degrees are 25.714286 pixels"
grid 'grid = gauss-legendre\nresolution = 3 deg'
ok "resolution is for equiangular grids" refused grid.workflow "require grid = fejer1 or clenshaw-curtis"
grid 'grid = fejer1\nfootprint = 0 deg, 10 deg, 0 deg, 10 deg'
ok "footprint needs a resolution" refused grid.workflow "footprint requires resolution"
grid 'grid = fejer1\nresolution = 3 deg\nn-theta = 9'
ok "resolution or n-theta" refused grid.workflow "without nside, n-theta and n-phi"
grid 'grid = fejer1\nresolution = 3 deg\nfootprint = 0 deg, 10 deg'
ok "a footprint has four angles" refused grid.workflow "must be four angles"
grid 'grid = fejer1\nresolution = 3 deg\nfootprint = 0, 10, 0, 10'
ok "with units" refused grid.workflow "footprint:"
grid 'grid = fejer1\nresolution = 3 deg\nfootprint = 0 deg, 10 deg, 350 deg, 10 deg'
ok "that ascend" refused grid.workflow "add 360 to the second longitude"
finish
