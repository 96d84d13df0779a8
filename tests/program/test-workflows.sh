#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole workflows, from the file to the files: against maps and spectra that HEALPix's Fortran tools
# made (Debian's healpy-data), and against identities. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
maps=$data/test/data
w=$maps/wmap_band_iqumap_r9_7yr_W_v4_udgraded32
v=$maps/wmap_band_iqumap_r9_7yr_V_v4_udgraded32
cl=$maps/cl_wmap_band_iqumap_r9_7yr_W
[ -e "$w.fits" ] || skip_all "there is no $w.fits; healpy-data of Debian 12 has it"

# --- The WMAP W band, smoothed to 10 degrees

enter smooth
ok "smooth-wmap runs" run "$source/workflows/smooth-wmap.workflow"
# The reference is float32, rounded at 6e-8: healpy's own distance to it is 3.8e-8.
ok "smoothed map, 3 iterations, against Fortran" \
  "$fits" rms smoothed.fits 1 "${w}_smoothed10deg_fortran.fits" 1 1e-7
ok "nothing else is left in the folder" only smoothed.fits smoothed.png wmap.png
ok "picture of the smoothed map" "$png" smoothed.png 1000 670 0 100
ok "picture of the map before" "$png" wmap.png 1000 670 0 100
ok "checksums are there and right" "$fits" sums smoothed.fits
ok "ordering" "$fits" key smoothed.fits ORDERING RING
ok "unit" "$fits" key smoothed.fits TUNIT1 mK
ok "name of the field" "$fits" key smoothed.fits TTYPE1 I_STOKES
ok "type of the pixels" "$fits" key smoothed.fits TFORM1 1024D
ok "program and version in HISTORY" "$fits" history smoothed.fits "armilla 0"
ok "workflow in HISTORY" "$fits" history smoothed.fits "fwhm = 10 deg"
ok "a second run does not replace files" not run "$source/workflows/smooth-wmap.workflow"
ok "unless it is allowed to" run --overwrite "$source/workflows/smooth-wmap.workflow"

enter masked
ok "smooth-wmap runs on the masked map" run "$source/workflows/smooth-wmap.workflow" \
  --set "sky.file=${w}_masked.fits" --set out.dtype=float32
ok "smoothed masked map against Fortran" \
  "$fits" rms smoothed.fits 1 "${w}_masked_smoothed10deg_fortran.fits" 1 1e-7
for masked in "" _masked; do
  ok "smooth-wmap runs on I, Q and U$masked" run --overwrite \
    "$source/workflows/smooth-wmap.workflow" --set sky.fields=all --set "sky.file=$w$masked.fits"
  for column in 1 2 3; do
    ok "column $column$masked against Fortran" "$fits" rms smoothed.fits $column \
      "$w${masked}_smoothed10deg_fortran.fits" $column 1e-7
  done
done
ok "smooth-wmap on the masked map, float32" run --overwrite \
  "$source/workflows/smooth-wmap.workflow" --set "sky.file=${w}_masked.fits" --set out.dtype=float32
ok "float32 pixels" "$fits" key smoothed.fits TFORM1 1024E
# 38 % of the pixels are masked, of an ellipse of 940 x 470 points: 130000
ok "grey where pixels are UNSEEN" "$png" wmap.png 1000 670 100000 100

# --- Spectra

enter spectrum
ok "estimate-spectrum runs" run "$source/workflows/estimate-spectrum.workflow"
# The bounds are those of healpy's own test, eight decimals, or half a unit of the eighth digit of
# the largest value of the reference where that is less: 5e-12, twice that for both roundings.
ok "masked spectrum against Fortran" "$fits" max spectrum.fits 1 \
  "${cl}_v4_udgraded32_II_lmax64_rmmono_3iter.fits" 1 1e-11
ok "picture of the spectrum" "$png" spectrum.png 1000 650 0 20
ok "estimate-spectrum runs without a mask" run --overwrite \
  "$source/workflows/estimate-spectrum.workflow" --set "sky.file=$w.fits"
ok "spectrum without a mask against Fortran" "$fits" max spectrum.fits 1 \
  "${cl}_v4_udgraded32_II_lmax64_rmmono_3iter_nomask.fits" 1 1e-8
cat > cross.workflow << END
$(input w map "${w}_masked.fits")
$(input v map "${v}_masked.fits")
[w0]
stage = remove-monopole
map = w
[v0]
stage = remove-monopole
map = v
$(analysis aw w0 64)
$(analysis av v0 64)
$(spectrum cross aw)
alm2 = av
$(output out cl cross cross.fits)
END
ok "cross spectrum of two bands runs" run cross.workflow
ok "cross spectrum against Fortran" "$fits" max cross.fits 1 \
  "${cl}Vxspec_v4_udgraded32_II_lmax64_rmmono_3iter.fits" 1 1e-11
cat > iqu.workflow << END
$(input sky map "${w}_masked.fits")
fields = 0, 1, 2
[fluctuations]
stage = remove-monopole
map = sky
$(analysis teb fluctuations 64)
$(spectrum spectra teb)
$(output out cl spectra iqu.fits)
END
ok "spectra of I, Q, U run" run iqu.workflow
# Healpy's own test compares TT, EE, BB, TE to eight decimals; here all six, EB and TB the other way
# round, to twice half a unit of the eighth digit of the largest value.
for columns in "1 1" "2 2" "3 3" "4 4" "5 6" "6 5"; do
  ok "spectrum ${columns% *} of I, Q, U against Fortran" "$fits" max iqu.fits ${columns% *} \
    "${cl}_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits" ${columns#* } 1e-11
done

# --- There and back on every grid

enter grids
cat > there.workflow << END
[variables]
grid = healpix
$(input theory cl "$data/data/totcls.dat")
scaling = dl
columns = 0
[draw]
stage = random-alm
cl = theory
seed = 11
lmax = 96
mmax = 80
[sky]
stage = alm2map
alm = draw
grid = \${grid}
[back]
stage = map2alm
map = sky
iterations = 0
$(output before alm draw "before-\${grid}.fits")
$(output after alm back "after-\${grid}.fits")
$(output map map sky "map-\${grid}.fits")
END
for grid in gauss-legendre fejer1 clenshaw-curtis driscoll-healy; do
  ok "$grid there and back runs" run there.workflow -D grid=$grid
  # Exact quadrature: design asks 1e-12 up to lmax 4095.
  ok "$grid there and back" "$fits" alm before-$grid.fits after-$grid.fits 1e-12
  cat > file.workflow << END
$(input sky map "map-$grid.fits")
$(analysis back sky 96)
mmax = 80
iterations = 0
$(output after alm back "file-$grid.fits")
END
  ok "$grid from a file runs" run file.workflow
  ok "$grid from a file" "$fits" same after-$grid.fits file-$grid.fits
done

# Fewer rings than a quadrature needs, but not fewer than the a_lm do: map2alm resamples them.
sed 's/^grid = .*/&\nn-theta = 98/; s/^iterations = .*/lmax = 96\nmmax = 80/' there.workflow > few.workflow
for grid in fejer1 clenshaw-curtis; do
  ok "98 rings of $grid there and back" run --overwrite few.workflow -D grid=$grid
  ok "98 rings of $grid are exact" "$fits" alm before-$grid.fits after-$grid.fits 1e-13
done
for grid in gauss-legendre driscoll-healy; do
  sed 's/^n-theta = .*/n-theta = 96/' few.workflow > fewer.workflow
  ok "96 rings of $grid hold less" refused fewer.workflow "the rings of the grid" -D grid=$grid --overwrite
done

# --- Ways to analyse

enter analyse
cat > analyse.workflow << END
$(input theory cl "$data/data/totcls.dat")
scaling = dl
columns = 0
[draw]
stage = random-alm
cl = theory
seed = 5
lmax = 48
unit = uK
$(output before alm draw before.fits)
$(synthesis sky draw 32)
$(output map map sky sky.fits)
$(analysis plain sky 48)
iterations = 0
$(output plain-out alm plain plain.fits)
$(analysis weighted sky 48)
iterations = 0
ring-weights = $data/data/weight_ring_n00032.fits
$(output weighted-out alm weighted weighted.fits)
$(analysis cg sky 48)
method = cg
tolerance = 1e-12
$(output cg-out alm cg cg.fits)
END
ok "four ways to analyse run" run analyse.workflow
# A band-limited sky is its own least-squares solution. The normal matrix is within a few percent of
# the identity, so the error follows the tolerance.
ok "cg finds a band-limited sky" "$fits" alm cg.fits before.fits 1e-10
# Quadrature without weights is wrong by 1.5e-3 here (healpy's is the same); with them it is better.
ok "quadrature alone does not" not "$fits" alm plain.fits before.fits 1e-3
ok "ring weights do better than quadrature alone" "$fits" alm weighted.fits before.fits 5e-4
ok "seed in HISTORY of the map" "$fits" history sky.fits "seed 5, realisation 0"
ok "unit of the map is that of the a_lm" "$fits" key sky.fits TUNIT1 uK
# Pixel weights that are the same all along a ring are ring weights: 2 nside rings, each with half a
# quarter of its pixels and what is in the middle.
awk -v n=32 'BEGIN { for (i = 0; i < 2 * n; i++) {
    q = i < n ? i + 1 : n; shifted = i < n - 1 || (i + n) % 2
    k = int((q + 1) / 2) + (q % 2 || shifted ? 0 : 1); w = 0.1 * sin(i + 1)
    printf "%d %.17g\n", i, w > "ring.dat"
    while (k-- > 0) printf "%d %.17g\n", at++, w > "pixel.dat" } }'
cat > weights.workflow << END
$(input table cl pixel.dat)
$(output file cl table pixel.fits)
END
cat > weigh.workflow << END
$(input sky map sky.fits)
$(analysis ring sky 48)
iterations = 0
ring-weights = ring.dat
$(analysis pixel sky 48)
pixel-weights = pixel.fits
$(analysis number sky 48)
iterations = 0
ring-weights = 32
END
for node in ring pixel number; do
  printf '[%s-out]\nstage = write-alm\nalm = %s\nfile = w-%s.fits\n' $node $node $node
done >> weigh.workflow
ok "a file of pixel weights is made" run weights.workflow
ok "pixels are weighed" env ARMILLA_HEALPY_DATA="$data" "$armilla" run --quiet weigh.workflow
# One product of three numbers in another order, and their sums.
ok "pixel weights of rings are ring weights" "$fits" alm w-pixel.fits w-ring.fits 1e-14
ok "ring weights by nside are those of the file" "$fits" same w-number.fits weighted.fits
cat > wmap.workflow << END
$(input sky map "$w.fits")
$(analysis many sky 64)
iterations = 60
$(analysis cg sky 64)
method = cg
tolerance = 1e-13
$(output many-out alm many many.fits)
$(output cg-out alm cg cg64.fits)
END
ok "cg and many iterations run" run wmap.workflow
ok "cg goes where iterations go" "$fits" alm cg64.fits many.fits 1e-10
ok "cg that may not iterate enough fails" not run --overwrite wmap.workflow \
  --set cg.max-iterations=1

# --- Beams

enter beams
awk 'BEGIN { s = 10 * atan2(0, -1) / 180 / sqrt(8 * log(2))
  for (l = 0; l <= 70; l++) printf "%d %.17g\n", l, exp(-l * (l + 1) * s * s / 2) }' > beam.dat
awk 'BEGIN { for (l = 0; l <= 70; l++) printf "%d %.17g\n", l, 1 / (1 + l) }' > other.dat
cat > beams.workflow << END
$(input sky map "$w.fits")
$(analysis alm sky 64)
[gauss]
stage = smooth-alm
alm = alm
fwhm = 10 deg
[sigma]
stage = smooth-alm
alm = alm
sigma = 4.2466090014400953 deg
[table]
stage = smooth-alm
alm = alm
beam = beam.dat
[one]
stage = smooth-alm
alm = alm
fwhm = 10 deg
beam = other.dat
pixel-window = $data/data/pixel_window_n0032.fits
[two]
stage = smooth-alm
alm = table
pixel-window = $data/data/pixel_window_n0032.fits
[three]
stage = smooth-alm
alm = two
beam = other.dat
END
for node in gauss sigma table one three; do
  printf '[%s-out]\nstage = write-alm\nalm = %s\nfile = %s.fits\n' $node $node $node
done >> beams.workflow
ok "beams run" run beams.workflow
ok "a table of b_l is as good as a width" "$fits" alm table.fits gauss.fits 1e-14
ok "sigma = fwhm / sqrt(8 ln 2)" "$fits" alm sigma.fits gauss.fits 1e-13
ok "several beams multiply" "$fits" alm one.fits three.fits 1e-14
ok "a pixel window changes something" not "$fits" alm one.fits gauss.fits 1e-2

# T, E and B: the beam of HEALPix's Fortran tools is that of the Gaussian with their spins.
cat > pol.workflow << END
$(input theory cl "$data/data/totcls.dat")
scaling = dl
[draw]
stage = random-alm
cl = theory
seed = 3
lmax = 512
[t]
stage = random-alm
cl = tt
seed = 3
lmax = 512
$(input tt cl "$data/data/totcls.dat")
scaling = dl
columns = 0
[gauss]
stage = smooth-alm
alm = draw
fwhm = 10 arcmin
[table]
stage = smooth-alm
alm = draw
beam = $maps/gaussbeam_10arcmin_lmax512_pol.fits
beam-column = 0, 1, 2
[number]
stage = smooth-alm
alm = draw
pixel-window = 256
[file]
stage = smooth-alm
alm = draw
pixel-window = $data/data/pixel_window_n0256.fits
$(spectrum spectra draw)
$(output spectra-out cl spectra spectra.fits)
END
for node in draw t gauss table number file; do
  printf '[%s-out]\nstage = write-alm\nalm = %s\nfile = pol-%s.fits\n' $node $node $node
done >> pol.workflow
cat > again.workflow << END
$(input read alm pol-draw.fits)
fields = all
$(spectrum few read)
lmax = 100
$(spectrum all read)
$(output few-out cl few few.fits)
$(output all-out cl all all.fits)
END
ok "T, E and B are drawn and smoothed" env ARMILLA_HEALPY_DATA="$data" "$armilla" run --quiet \
  pol.workflow
# The width of the table is off in its ninth digit (healpy's gauss_beam is 3.1e-9 from it, too). A
# Gaussian without the spin would be 3e-6 off.
ok "a polarised Gaussian is the beam of the Fortran tools" \
  "$fits" alm pol-gauss.fits pol-table.fits 4e-9
ok "a pixel window by nside is that of the file" "$fits" same pol-number.fits pol-file.fits
ok "E and B come after T" "$fits" key pol-draw.fits SPIN 0
ok "T is what TT alone gives" "$fits" same pol-draw.fits pol-t.fits
ok "the spectra have names" "$fits" key spectra.fits TTYPE5 C-G
ok "T, E and B are read again" run again.workflow
ok "their spectra are the same" "$fits" same spectra.fits all.fits
ok "lmax of the spectra" "$fits" key few.fits NAXIS2 101

# --- Realisations

enter realisations
sed 's/^repeat = 100/repeat = 3/' "$source/workflows/realisations.workflow" > three.workflow
ok "realisations run" run three.workflow
ok "one file a realisation" only three.workflow spectrum-0.fits spectrum-1.fits spectrum-2.fits
ok "realisations differ" not "$fits" max spectrum-0.fits 1 spectrum-1.fits 1 1e-3
ok "the seed and realisation are in HISTORY" \
  "$fits" history spectrum-2.fits "seed 2026, realisation 2"
sed '/^repeat/d' three.workflow > one.workflow
ok "a realisation on its own" run one.workflow --set draw.realisation=2 --set out.file=alone.fits
ok "is the same, to rounding errors" sh -c "'$fits' max alone.fits 1 spectrum-2.fits 1 1e-11" # of 2000
ok "equal names are refused without index" not run --overwrite three.workflow \
  --set out.file=alone.fits
enter simulate
ok "simulate-sky runs" run "$source/workflows/simulate-sky.workflow"
ok "its picture" "$png" simulated.png 1000 670 0 200
enter polarisation
ok "polarisation runs" run "$source/workflows/polarisation.workflow" -D nside=32 -D lmax=64
ok "what it leaves" only intensity.png iqu.fits q.png spectra.fits spectra.png u.png
ok "convention in the file" "$fits" key iqu.fits POLCCONV COSMO
ok "three columns" "$fits" key iqu.fits TFIELDS 3
ok "six spectra" "$fits" key spectra.fits TFIELDS 6
ok "picture of Q" "$png" q.png 1000 670 0 200
ok "picture of spectra" "$png" spectra.png 1000 650 0 20
ok "a spectrum that is not there" not run --overwrite "$source/workflows/polarisation.workflow" \
  --set plot.spectra=XY

# --- On several ranks

if has_ranks; then
  for n in 1 2 3 4; do
    enter ranks$n
    here () { ranks $n "$armilla" run --quiet "$@"; }
    ok "smooth-wmap on $n rank(s)" here "$source/workflows/smooth-wmap.workflow"
    ok "gives the same map" "$fits" same smoothed.fits ../smooth/smoothed.fits
    ok "and the same picture" cmp smoothed.png ../smooth/smoothed.png
    ok "and nothing else" only smoothed.fits smoothed.png wmap.png
    cp "$w.fits" bad.fits && chmod u+w bad.fits && "$fits" poke bad.fits 1 12000 nan
    rm smoothed.fits smoothed.png wmap.png
    ok "NaN is told on $n rank(s)" not here "$source/workflows/smooth-wmap.workflow" \
      --set sky.file=bad.fits
    ok "once" [ "$(grep -c 'pixel 12000 ' "$room/.log")" -eq 1 ]
    ok "and nothing is left" only bad.fits
  done
else
  skip "several ranks" "built without MPI, or no mpirun"
fi
finish
