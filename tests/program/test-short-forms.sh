#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The short forms that Armilla brings along: against what HEALPix's Fortran tools made (Debian's
# healpy-data), and the same bits as the stages that they stand for; includes; resumed runs. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
maps=$data/test/data
w=$maps/wmap_band_iqumap_r9_7yr_W_v4_udgraded32
v=$maps/wmap_band_iqumap_r9_7yr_V_v4_udgraded32
[ -e "$w.fits" ] || skip_all "there is no $w.fits; healpy-data of Debian 12 has it"

# node NAME STAGE KEY=VALUE...
node ()
{
  printf '[%s]\nstage = %s\n' "$1" "$2"
  shift 2
  [ $# -eq 0 ] || printf '%s\n' "$@"
}

# inspects NAME WORD...: what armilla inspect says of it
inspects ()
{
  "$armilla" inspect "$1" > "$room/.said" || return 1
  shift
  for word; do says "$word" || return 1; done
}

# rows FILE: what follows the comments and the header of an ECSV file
rows () { grep -v '^#' "$1"; }
same_rows () { rows "$1" > "$room/.a"; rows "$2" | cmp "$room/.a" -; }

enter smoothing
{ input sky map "$w.fits"; node small smoothing map=sky fwhm='10 deg' lmax='2 * 32'; output out map small out.fits; } > short
{
  input sky map "$w.fits"
  node a map2alm map=sky iterations=3 lmax=64
  node b smooth-alm alm=a fwhm='10 deg'
  node small alm2map alm=b like=sky
  output out map small long.fits
} > long
ok "smoothing runs" run short
ok "against Fortran" "$fits" rms out.fits 1 "${w}_smoothed10deg_fortran.fits" 1 1e-7
ok "the long form" run long
ok "has the same bits" "$fits" same out.fits long.fits
ok "a parameter from the command line" run --overwrite short --set small.iter=1
ok "changes them" not "$fits" same out.fits long.fits
ok "and so does a key of one of its nodes" run --overwrite short --set small.iter=1 \
  --set small/harmonics.iterations=3
ok "as the long form has it" "$fits" same out.fits long.fits
ok "the nodes are called after it" sh -c "'$armilla' run --overwrite --dry-run short | grep -F '[small/beam] smooth-alm'"
ok "in the trace, too" run --overwrite short --trace trace.json
ok "and by name" grep -q small/harmonics trace.json
ok "HISTORY has what was set" "$fits" history out.fits "stage = smoothing"
ok "check says nothing" gives 0 "no problems" "$armilla" check short
"$armilla" graph short > graph
ok "a cluster in the graph" grep -qF 'subgraph "cluster_small"' graph
if command -v dot > /dev/null; then
  ok "that Graphviz takes" dot -Tsvg -o graph.svg graph
fi
sed /map=sky/d short > unconnected
ok "an input that is missing" \
  gives 2 "unconnected:4:2: [small] map: input of smoothing is not connected" "$armilla" check unconnected
ok "what a stage refuses is told by the user's key" gives 1 "[small] fwhm: fwhm and sigma are alternatives" \
  "$armilla" run --overwrite short --set small.sigma='1 deg'
{
  input sky map "$w.fits"
  node small ud-grade map=sky nside=16
  node s masked-spectra map1=sky mask=small delta-l=8
  output out table s.table s.ecsv
} > other-size
ok "what does not fit within it is told by the line of the user's node" \
  gives 1 "other-size:8:2: [s/both] map: map is HEALPix nside 32, but mask is HEALPix nside 16" \
  "$armilla" run --overwrite other-size
sed 's/^nside.*/nside = 32/; s/^delta-l.*/delta-l = 500/' other-size > no-bin
ok "and says the user's key once" gives 1 "no-bin:12:11: [s] delta-l: no bin of 500 multipoles fits" \
  "$armilla" run --overwrite no-bin
ok "inspect" inspects smoothing "fwhm: angle" "iter: whole number" "default 3" "map: map"
ok "and its place in the list" sh -c "'$armilla' inspect | grep -q '^smoothing  *Map smoothed'"

enter anafast
{
  input sky map "$w.fits"
  input other map "$v.fits"
  node auto anafast map1=sky lmax=64
  node cross anafast map1=sky map2=other lmax=64
  output out cl auto auto.fits
  output out2 cl cross cross.fits
} > short
{
  input sky map "$w.fits"
  input other map "$v.fits"
  analysis a sky 64
  analysis b other 64
  node auto alm2cl alm=a
  node cross alm2cl alm=a alm2=b
  output out cl auto auto-long.fits
  output out2 cl cross cross-long.fits
} > long
ok "anafast runs" run short
ok "the long form" run long
ok "the same bits of one map" "$fits" same auto.fits auto-long.fits
ok "and of two" "$fits" same cross.fits cross-long.fits
ok "inspect" inspects anafast "map2: map" "lmax: whole number"
{
  input sky map "$w.fits"
  input other map "$v.fits"
  node all cross-spectra map1=sky map2=other lmax=64
  output out1 cl all.cl11 11.fits
  output out2 cl all.cl12 12.fits
} > all
ok "cross-spectra runs, and the unused output is not reported" gives 0 "" \
  "$armilla" run all
ok "nor warned of" not says warning
ok "the spectra of the first" "$fits" same 11.fits auto-long.fits
ok "and of both" "$fits" same 12.fits cross-long.fits

enter synfast
awk 'BEGIN { for (l = 0; l < 48; l++) print l, l < 2 ? 0 : 1 / (l * l) }' > theory.dat
{
  input theory cl theory.dat
  node sky synfast cl=theory nside='2 * 8' fwhm='5 deg' seed=3
  output out map sky out.fits
} > short
{
  random_alm a theory theory.dat
  printf 'seed = 3\nlmax = 47\n'
  node b smooth-alm alm=a fwhm='5 deg'
  synthesis sky b 16
  output out map sky long.fits
} > long
ok "synfast runs" run short
ok "the long form" run long
ok "the same bits" "$fits" same out.fits long.fits
sed 's/2 \* 8/2 * 8.3/' short > half
ok "an nside that is none is told where it stands" \
  gives 2 "half:7:7: [sky] nside: 2 * 8.3 is 16.6" "$armilla" check half

enter two-point
{
  random_points objects 500 7
  node w two-point catalogue=objects randoms=1000 min='1 deg' max='20 deg' bins=5 patches=8
  node out write-table table=w.table file=w.ecsv
  node cov write-table table=w.covariance file=c.ecsv
} > short
{
  random_points objects 500 7
  random_points r 1000 1
  node w pair-correlation catalogue=objects random=r min='1 deg' max='20 deg' bins=5 patches=8
  node out write-table table=w.table file=w-long.ecsv
  node cov write-table table=w.covariance file=c-long.ecsv
} > long
ok "two-point runs" run short
ok "the long form" run long
ok "the same table" same_rows w.ecsv w-long.ecsv
ok "the same covariance" same_rows c.ecsv c-long.ecsv

enter catalogue-spectra
objects ()
{
  random_points one 2000 1
  random_points two 3000 2
  random_points region 9000 3
}
{
  objects
  node w catalogue-spectra catalogue=one catalogue2=two random=region random2=region lmax=31 mask-lmax=62 delta-l=10
  for n in table cross; do node "$n-out" write-table table="w.$n" file="$n.ecsv"; done
} > short
{
  objects
  for n in one two; do node "$n-field" catalogue2alm catalogue="$n" random=region lmax=31 mask-lmax=62; done
  for n in one two; do
    node "$n-cl" alm2cl alm=one-field.alm alm2="$n-field.alm"
    node "$n-mask" alm2cl alm=one-field.mask-alm alm2="$n-field.mask-alm"
  done
  node exchanged alm2cl alm=two-field.alm alm2=one-field.alm
  node one-coupling coupling cl=one-mask noise=one-field.mask-noise lmax=31 spins=0
  node two-coupling coupling cl=two-mask lmax=31 spins=0
  node table decouple cl=one-cl coupling=one-coupling noise=one-field.noise delta-l=10
  node cross decouple cl=two-cl cl2=exchanged coupling=two-coupling delta-l=10
  for n in table cross; do node "$n-out" write-table table="$n.table" file="$n-long.ecsv"; done
} > long
ok "catalogue-spectra runs" run short
ok "the long form" run long
ok "the same bandpowers" same_rows table.ecsv table-long.ecsv
ok "the same cross spectra" same_rows cross.ecsv cross-long.ecsv

enter masked-spectra
mask=$maps/wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits
{
  input sky map "$w.fits"; echo fields = all
  input other map "$v.fits"; echo fields = all
  input mask map "$mask"
  node one masked-spectra map1=sky mask=mask apodise='5 deg' delta-l=10 lmax=64
  node two masked-spectra map1=sky map2=other mask=mask edges='2, 20, 40' dl=false fwhm='1 deg'
  node all masked-spectra map1=sky delta-l=10 lmax=64
  for n in one two all; do node "$n-out" write-table table="$n.table" file="$n.ecsv"; done
} > short
{
  input sky map "$w.fits"; echo fields = all
  input other map "$v.fits"; echo fields = all
  input mask map "$mask"
  node soft mask mask=mask apodise='5 deg'
  node a mask map=sky mask=soft
  node b mask map=sky mask=mask
  node c mask map=other mask=mask
  analysis a-alm a 64
  analysis b-alm b -1
  analysis c-alm c -1
  spectrum a-cl a-alm
  spectrum bc-cl b-alm; echo alm2 = c-alm
  node a-coupling coupling mask=soft lmax=64
  node bc-coupling coupling mask=mask
  node one decouple cl=a-cl coupling=a-coupling delta-l=10 dl=true
  node two decouple cl=bc-cl coupling=bc-coupling edges='2, 20, 40' fwhm='1 deg'
  analysis alm sky 64
  spectrum cl alm
  node all bandpowers cl=cl delta-l=10 dl=true
  for n in one two; do node "$n-out" write-table table="$n.table" file="$n-long.ecsv"; done
  node all-out write-table table=all file=all-long.ecsv
} > long
ok "masked-spectra runs" run short
ok "the long form" run long
ok "the same bandpowers of one map" same_rows one.ecsv one-long.ecsv
ok "and of two" same_rows two.ecsv two-long.ecsv
# Without a mask nothing is coupled, up to what the analysis of a map of ones is wrong by.
same_numbers ()
{
  rows "$1" | tail -n +2 > "$room/.a"
  rows "$2" | tail -n +2 | paste -d ' ' "$room/.a" - | awk '
    { for (i = 1; i <= 9; i++) { d = $i - $(i + 9); s = $i < 0 ? -$i : $i; n++
        bad += d > 1e-5 * s || d < -1e-5 * s } } END { exit bad || n == 0 }'
}
ok "without a mask, those of the whole sky" same_numbers all.ecsv all-long.ecsv
ok "those of a mask are others" not same_numbers one.ecsv all-long.ecsv
sed 's/^map1=sky$//' short > unconnected
ok "a map that is missing" gives 2 "[one] map1: input of masked-spectra is not connected" \
  "$armilla" check unconnected

enter observed-sky
{
  node theory read-camb file="$data/data/totcls.dat" columns=0
  node all read-camb file="$data/data/totcls.dat"
  node sky observed-sky cl=theory nside=16 fwhm='5 deg' sigma=3 seed=4
  node polarised observed-sky cl=all nside=16 lmax=32 sigma=3 sigma-polarised=1
  node clean observed-sky cl=all nside=16
  node looks noise-map nside=16 sigma=1
  node hits expression map=looks expression='where(lat > 0, 4, 0)'
  node half observed-sky cl=theory nside=16 sigma=2 hits=hits
  outputs map sky polarised clean half
} > short
{
  input theory cl "$data/data/totcls.dat"; printf 'scaling = dl\ncolumns = 0\nunit = uK^2\n'
  input all cl "$data/data/totcls.dat"; printf 'scaling = dl\nunit = uK^2\n'
  node s synfast cl=theory nside=16 fwhm='5 deg' seed=4
  node n noise-map nside=16 sigma=3 seed=4
  node sky combine input=s input2=n
  node p synfast cl=all nside=16 lmax=32
  node m noise-map nside=16 sigma=3 sigma-polarised=1 polarised=true
  node polarised combine input=p input2=m
  node clean synfast cl=all nside=16
  node looks noise-map nside=16 sigma=1
  node hits expression map=looks expression='where(lat > 0, 1, UNSEEN)'
  node t synfast cl=theory nside=16
  node o noise-map map=hits sigma=1
  node half combine input=t input2=o
  suffix=-long outputs map sky polarised clean half
} > long
ok "observed-sky runs" run short
ok "the long form" run long
for n in sky polarised clean half; do
  ok "the same bits: $n" "$fits" same $n.fits $n-long.fits
done
ok "the unit that CAMB's files are in" "$fits" key polarised.fits TUNIT2 uK

# --- A definition of the user's in another file, many realisations, ranks, resumed runs

enter own
mkdir parts
cat > parts/skies.workflow << 'END'
[workflow]
include = noise.workflow
[define sky]
input cl =
output map = sum
parameter nside =
parameter seed = 1
[sky/signal]
stage = synfast
cl = ${cl}
nside = ${nside}
seed = ${seed}
[sky/noise]
stage = white
cl = ${cl}
nside = ${nside}
seed = ${seed} + 1000
[sky/sum]
stage = combine
input = signal
input2 = noise
END
cat > parts/noise.workflow << 'END'
[define white]
input cl =
output map = map
parameter nside =
parameter seed =
[white/alm]
stage = random-alm
cl = ${cl}
seed = ${seed}
lmax = 2*${nside}
[white/map]
stage = alm2map
alm = alm
nside = ${nside}
END
cp ../synfast/theory.dat .
{
  printf '[workflow]\nrepeat = 2 * 3\ninclude = parts/skies.workflow\ncheckpoint = 1e-6 ms\n'
  input theory cl theory.dat
  node sky sky cl=theory nside=8 'seed=${index} + 1'
  node soft smoothing map=sky fwhm='20 deg'
  output out map soft 'out/map-${index}.fits'
} > w.workflow
mkdir out
ok "a definition from a file that includes another" "$armilla" run --quiet w.workflow
ok "all outputs" [ "$(find out -name '*.fits' | wc -l)" -eq 6 ]
ok "HISTORY has the files, too" "$fits" history out/map-0.fits "[define white]"
mv out first
mkdir out
if has_ranks; then
  ok "on 3 ranks" ranks 3 "$armilla" run --quiet w.workflow
  for i in 0 3 5; do ok "the same bits of map $i" cmp out/map-$i.fits first/map-$i.fits; done
fi
rm -f out/map-2.fits
ok "resumed" "$armilla" run --quiet --resume w.workflow --overwrite
ok "the same bits" cmp out/map-2.fits first/map-2.fits
sed -i 's/2\*\${nside}/2*nside/' parts/noise.workflow
ok "an expression of the file" gives 2 'parts/noise.workflow:10:8: [sky/noise/alm] lmax: "2*nside"' \
  "$armilla" check w.workflow
finish
