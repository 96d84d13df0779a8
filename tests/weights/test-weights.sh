#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What map2alm and smooth-alm compute where HEALPix's data have no file: weights of quadrature, pixel
# windows. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

# none COMMAND...: with HEALPix's data in a folder where there are none
none () { env ARMILLA_HEALPY_DATA="$room" "$@"; }

# --- Ring weights, nside 24: HEALPix has files for powers of two only

enter rings
cat > sky.workflow << END
[variables]
cl = flat.dat
name =
$(random_alm draw theory "\${cl}")
seed = 5
lmax = 36
$(output before alm draw "before\${name}.fits")
$(synthesis sky draw 24)
$(output map map sky "sky\${name}.fits")
$(synthesis sky-32 draw 32)
$(output map-32 map sky-32 "sky-32\${name}.fits")
END
awk 'BEGIN { for (l = 0; l <= 36; l++) print l, 1 / (1 + l * l) }' > flat.dat
cat > analyse.workflow << END
[variables]
map = sky.fits
out = out.fits
weights =
$(input sky map "\${map}")
$(analysis alm sky 36)
iterations = 0
ring-weights = \${weights}
$(output file alm alm "\${out}")
END
# analyse OUT VARIABLE...
analyse ()
{
  out=$1
  shift
  none timeout 300 "$armilla" run --quiet analyse.workflow -D out="$out" "$@"
}
ok "skies are made" run sky.workflow
ok "without weights" analyse plain.fits
ok "weights that no file has" analyse rings.fits -D weights=24
ok "weights that are to be computed" analyse compute.fits -D weights=compute
ok "are the same" "$fits" alm rings.fits compute.fits 0
ok "quadrature alone is wrong" not "$fits" alm plain.fits before.fits 1.5e-3
ok "with computed weights it is better" "$fits" alm rings.fits before.fits 5e-4
ok "HISTORY says that they are computed" "$fits" history compute.fits \
  "ring weights computed, exact up to l = 72"
ok "and nothing where there are none" not "$fits" history plain.fits "ring weights computed"
ok "another nside is refused" refused analyse.workflow \
  "ring-weights = 32, but the map has nside = 24; must be equal" -D weights=32
ok "a file that is not there is not computed" refused analyse.workflow "24.fits" \
  -D weights=24.fits
ok "computed where HEALPix has a file" analyse rings-32.fits -D map=sky-32.fits -D weights=compute
ok "are as good" "$fits" alm rings-32.fits before.fits 1e-4
if [ -f "$data/data/weight_ring_n00032.fits" ]; then
  ok "the file itself" env ARMILLA_HEALPY_DATA="$data" "$armilla" run --quiet analyse.workflow \
    -D map=sky-32.fits -D weights=32 -D out=file-32.fits
  # The file's weights are exact up to l = 100, the computed ones up to 96.
  ok "gives nearly the same" "$fits" alm rings-32.fits file-32.fits 1e-6
  ok "but not the same" not "$fits" same rings-32.fits file-32.fits
fi

# A constant: quadrature finds it in other degrees, too, weights only in orders that are aliases
awk 'BEGIN { for (l = 0; l <= 36; l++) print l, l == 0 }' > constant.dat
ok "a constant is made" run sky.workflow -D cl=constant.dat -D name=-constant
ok "without weights" analyse plain-constant.fits -D map=sky-constant.fits
ok "with weights" analyse rings-constant.fits -D map=sky-constant.fits -D weights=24
ok "without weights, it leaks" not "$fits" alm plain-constant.fits before-constant.fits 2e-4
ok "with weights, it does not" "$fits" alm rings-constant.fits before-constant.fits 2e-4

# Rank 0 decides where HEALPix's data are on its machine, but not on another's.
if has_ranks && [ -f "$data/data/weight_ring_n00032.fits" ]; then
  both ()
  {
    # One program for all: mpirun of Open MPI 5.0.7 crashes when it starts two.
    # shellcheck disable=SC2016
    ranks 3 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || shift
      export ARMILLA_HEALPY_DATA="$1"; while [ "$1" != -- ]; do shift; done; shift; exec "$@"' - \
      "$1" "$2" -- "$armilla" run --quiet analyse.workflow -D map=sky-32.fits -D weights=32 -D out="$3"
  }
  ok "three ranks, data on the first" both "$data" "$room" first.fits
  ok "have the bits of one that reads" "$fits" same first.fits file-32.fits
  ok "three ranks, data on the others" both "$room" "$data" others.fits
  ok "have the bits of one that computes" "$fits" alm others.fits rings-32.fits 0
fi

# --- Pixel weights: exact up to l = 2.5 nside, so for products of degrees up to 1.25 nside

enter pixels
for file in sky analyse; do sed 's/ring-weights/pixel-weights/' ../rings/$file.workflow > $file.workflow; done
cp ../rings/flat.dat .
sed -i '/^iterations/d; s/^lmax = 36/lmax = 30/' sky.workflow analyse.workflow
ok "skies are made" run sky.workflow
ok "three iterations" analyse plain.fits
ok "are not exact" not "$fits" alm plain.fits before.fits 1e-8
ok "computed weights of pixels" analyse pixels.fits -D weights=24
ok "are exact" "$fits" alm pixels.fits before.fits 1e-11
ok "asked for" analyse compute.fits -D weights=compute
ok "are the same" "$fits" alm pixels.fits compute.fits 0
ok "HISTORY reports it" "$fits" history compute.fits "pixel weights computed, exact up to l = 60"
ok "no file of another nside" refused analyse.workflow \
  "pixel-weights = 32, but the map has nside = 24; must be equal" -D weights=32
# Some rings are analysed with the weights of the whole sphere.
sed 's/^file = .{map}/&\ntheta-max = 58 deg/' analyse.workflow > north.workflow
sed 's/^file = .{map}/&\ntheta-min = 58 deg/' analyse.workflow > south.workflow
ok "northern rings" none timeout 300 "$armilla" run --quiet north.workflow \
  -D weights=24 -D out=north.fits
ok "the others" none timeout 300 "$armilla" run --quiet south.workflow \
  -D weights=24 -D out=south.fits
cat > sum.workflow << END
$(input north alm north.fits)
$(input south alm south.fits)
[sum]
stage = combine
input = north
input2 = south
$(output file alm sum sum.fits)
END
ok "are added" run sum.workflow
ok "and give the whole" "$fits" alm sum.fits pixels.fits 1e-14
if has_ranks; then
  ok "three ranks" none timeout 300 mpirun --oversubscribe --bind-to none -n 3 \
    env STARPU_NCPU=1 "$armilla" run --quiet analyse.workflow -D out=ranks.fits -D weights=24
  ok "have the bits of one" "$fits" alm ranks.fits pixels.fits 0
fi

# --- Pixel windows

enter window
cat > smooth.workflow << END
[variables]
out = out.fits
window =
$(random_alm draw theory spectra.dat)
seed = 5
lmax = 128
[smooth]
stage = smooth-alm
alm = draw
pixel-window = \${window}
$(output file alm smooth "\${out}")
END
awk 'BEGIN { for (l = 0; l <= 128; l++) print l, 1, (l > 1), (l > 1), (l > 1) / 2 }' \
  > spectra.dat
# smooth OUT WINDOW COMMAND...
smooth ()
{
  out=$1
  window=$2
  shift 2
  "$@" timeout 300 "$armilla" run --quiet smooth.workflow -D out="$out" -D window="$window"
}
ok "a window that no file has" smooth computed.fits 32 none
ok "one that is to be computed" smooth compute.fits "compute 32"
ok "are the same" "$fits" alm computed.fits compute.fits 0
ok "HISTORY reports it" "$fits" history compute.fits "pixel window of nside 32 computed"
ok "a window that HEALPix never has" smooth 48.fits 48 none
ok "is another" not "$fits" alm 48.fits computed.fits 1e-2
if [ -f "$data/data/pixel_window_n0032.fits" ]; then
  ok "the file" smooth file.fits 32 env ARMILLA_HEALPY_DATA="$data"
  ok "says what is computed, of T, E and B" "$fits" alm file.fits computed.fits 1e-12
fi
if has_ranks; then
  ok "three ranks" none timeout 300 mpirun --oversubscribe --bind-to none -n 3 \
    env STARPU_NCPU=1 "$armilla" run --quiet smooth.workflow -D out=ranks.fits -D window=32
  ok "have the bits of one" "$fits" alm ranks.fits computed.fits 0
fi
finish
