#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Ten usual jobs, each a workflow of 25 lines at most: against maps of HEALPix's Fortran tools
# (Debian's healpy-data), what data were drawn from, and identities; and a paper's figure. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/job-functions.sh
. "$source/tests/lib/job-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
maps=$data/test/data
w=$maps/wmap_band_iqumap_r9_7yr_W_v4_udgraded32
v=$maps/wmap_band_iqumap_r9_7yr_V_v4_udgraded32
[ -e "$w.fits" ] || skip_all "there is no $w.fits; healpy-data of Debian 12 has it"

# short JOB: no more than 25 lines beside comments and blanks
short () { [ "$(grep -vcE '^[[:space:]]*(#|$)' "$source/workflows/$1.workflow")" -le 25 ]; }

# job NAME [NODES]: its workflow with $data for the folder, and more nodes, in this folder
job ()
{
  sed "s|/usr/share/healpy|$data|" "$source/workflows/$1.workflow" > "$1.workflow"
  [ $# -eq 1 ] || printf '%s\n' "$2" >> "$1.workflow"
}

# rows FILE: of an ECSV file, without comments and names
rows () { grep -v '^#' "$1" | tail -n +2; }

mkdir inputs && cd inputs || exit 99
ok "inputs are made" job_inputs
for job in $jobs; do
  ok "$job has 25 lines at most" short "$job"
  ok "$job is right" gives 0 "no problems" "$armilla" check "$source/workflows/$job.workflow"
done

# --- a. Smooth a map and draw it
enter a
job smooth-and-plot
ok "smooth-and-plot" run smooth-and-plot.workflow
ok "against Fortran" "$fits" rms smoothed.fits 1 "${w}_smoothed10deg_fortran.fits" 1 1e-7
ok "its picture" "$png" smoothed.png 1000 670 0 100

# --- b. Spectra of a masked polarised map
enter b
job masked-spectrum
ok "masked-spectrum" run masked-spectrum.workflow
ok "seven bins of six spectra" awk 'NF != 9 { exit 1 } END { exit NR != 7 }' << END
$(rows bandpowers.ecsv)
END
ok "its picture" "$png" bandpowers.png 1000 433 0 20

# --- c. Skies with noise and beam. What the errors of 20 skies say is known to 16 %.
enter c
job hundred-skies "$(printf '[table]\nstage = write-table\ntable = mean.table\nfile = mean.ecsv')"
ok "hundred-skies, 20 of them" run hundred-skies.workflow --set workflow.repeat=20
ok "its picture" "$png" hundred-skies.png 1000 650 0 20
ok "with names for the curves" run hundred-skies.workflow --overwrite --set workflow.repeat=20 \
  --set 'picture.labels=theory, mean' --set picture.file=named.png
ok "which are those of the nodes" cmp hundred-skies.png named.png
ok "and may be others" run hundred-skies.workflow --overwrite --set workflow.repeat=20 \
  --set 'picture.labels=theory, skies' --set picture.file=named.png
ok "so that they differ" not cmp hundred-skies.png named.png
# Bin by bin; noise adds less than 1 %.
awk 'NR == FNR { dl[$1] = $2; next }
  { t = 0; for (l = $2; l <= $3; l++) t += dl[l] / ($3 - $2 + 1)
    chi2 += 20 * ($4 - t) ^ 2 / $5 ^ 2
    cosmic = t * sqrt (2 / ($3 - $2 + 1) / ($2 + $3 + 1)); ratio += $5 / cosmic; n++ }
  END { print "chi squared", chi2, "of", n; print "error over cosmic variance", ratio / n
    print (chi2 < 36 ? "good" : "bad"), (ratio / n > 0.85 && ratio / n < 1.15 ? "good" : "bad") }' \
  "$data/data/totcls.dat" - << END > said
$(rows mean.ecsv)
END
ok "the mean is the theory within its errors" grep '^good ' said
ok "the errors are those of cosmic variance" grep ' good$' said

# --- d. A NESTED partial map in other coordinates: the order and what is left out change nothing
enter d
job nested-to-equatorial
ln ../inputs/nested.fits .
ok "nested-to-equatorial" run nested-to-equatorial.workflow
ok "its coordinates" "$fits" key equatorial.fits COORDSYS C
ok "and resolution" "$fits" key equatorial.fits NSIDE 16
ok "it is partial" "$fits" key equatorial.fits INDXSCHM EXPLICIT
ok "of the whole map in RING order" run nested-to-equatorial.workflow \
  --set "sky.file=${w}_masked.fits" --set out.file=whole.fits --set picture.file=whole.png
ok "the same map" "$fits" same equatorial.fits whole.fits
ok "the same picture" cmp equatorial.png whole.png

# --- e. T, E and B, and back. The sky has no degrees beyond 2 nside.
enter e
job e-and-b-maps
ln ../inputs/iqu.fits .
ok "e-and-b-maps" run e-and-b-maps.workflow --set teb.lmax=64 --set back.lmax=64 \
  --set teb.iter=20 --set back.iter=20
ok "the names of the fields" "$fits" key teb.fits TTYPE2 E_MODE
ok "T is I" "$fits" rms teb.fits 1 iqu.fits 1 1e-10
for column in 1 2 3; do
  ok "column $column is back" "$fits" rms back.fits $column iqu.fits $column 1e-9
done
ok "E is not Q" not "$fits" rms teb.fits 2 iqu.fits 2 0.5
cat > spectra.workflow << END
$(input iqu map iqu.fits)
fields = all
$(input teb map teb.fits)
fields = 1, 2
$(analysis iqu-alm iqu 64)
iterations = 20
$(analysis teb-alm teb 64)
iterations = 20
$(spectrum iqu-cl iqu-alm)
$(spectrum teb-cl teb-alm)
$(output iqu-out cl iqu-cl iqu-cl.fits)
$(output teb-out cl teb-cl teb-cl.fits)
END
ok "spectra of both" run spectra.workflow
ok "EE is the spectrum of the map of E" "$fits" max teb-cl.fits 1 iqu-cl.fits 2 1e-14
ok "BB that of the map of B" "$fits" max teb-cl.fits 2 iqu-cl.fits 3 1e-14
ok "its picture" "$png" e.png 1000 670 0 200

# --- f. w(theta): within half a degree of each object, in one of four directions, is one more. That is
# 1 a square degree beside 0.68 / cos (latitude), so w is about 1.7.
enter f
job w-of-theta
ln ../inputs/galaxies.csv .
ok "w-of-theta" run w-of-theta.workflow
ok "errors by jackknife" grep -q '{ERRORS: "jackknife"}' w.ecsv
ok "pairs are found, and nothing beyond them" awk '
  $2 < 0.35 { near += $4 / $5 ^ 2; weight += 1 / $5 ^ 2 }
  $1 > 0.9 { far++; bad += $4 < -0.12 || $4 > 0.12 }
  END { w = near / weight; print w; exit bad || far < 5 || w < 1.4 || w > 2.2 }' << END
$(rows w.ecsv)
END
ok "its picture" "$png" w.png 1000 650 0 20

# --- g. xi+ of bins of redshift: the square of 0.1 z sin(a / 2), 4 times as much at twice the redshift
enter g
job shear-bins
ln ../inputs/shapes.fits .
ok "shear-bins" run shear-bins.workflow
ok "two bins" only shear-bins.workflow shapes.fits xi-0.2.ecsv xi-0.6.ecsv xi-0.2.png xi-0.6.png
# xi_plus FILE: its mean over bins up to a degree
xi_plus () { rows "$1" | awk '$2 < 1 { sum += $4 * $8; n += $8 } END { print sum / n }'; }
# <sin^2 (a / 2)> = 0.4772 over 20, and <z> = 0.4 and 0.8
ok "xi+ is the square of the shear" awk -v near="$(xi_plus xi-0.2.ecsv)" \
  -v far="$(xi_plus xi-0.6.ecsv)" '
  BEGIN { a = near / (0.01 * 0.16 * 0.4772); b = far / (0.01 * 0.64 * 0.4772); print a, b
    exit !(a > 0.9 && a < 1.1 && b > 0.9 && b < 1.1) }'
ok "its picture" "$png" xi-0.6.png 1000 650 0 20
# <z> = 0.35 and 0.9, all redshifts being below 1
job tomography
rm xi-*
ok "tomography" run tomography.workflow
ok "all pairs" only tomography.workflow shear-bins.workflow shapes.fits xi.png \
  xi-1-1.ecsv xi-1-2.ecsv xi-1-3.ecsv xi-2-2.ecsv xi-2-3.ecsv xi-3-3.ecsv
ok "xi+ of two bins is the product of their shears" awk -v xi="$(xi_plus xi-1-3.ecsv)" '
  BEGIN { a = xi / (0.01 * 0.35 * 0.9 * 0.4772); print a; exit !(a > 0.9 && a < 1.1) }'

# --- h. A profile of a beam, in both ways
enter h
job beam-profile "$(output rings-out map rings rings.fits
  output harmonic-out map harmonic harmonic.fits)"
ln ../inputs/beam.txt .
ok "beam-profile" run beam-profile.workflow
# Each has an error of 1e-4 at most.
ok "both ways give the same" "$fits" rms rings.fits 1 harmonic.fits 1 2e-4
ok "which is not the map" not "$fits" rms rings.fits 1 "$w.fits" 1 0.1
ok "its picture" "$png" difference.png 1000 670 0 200

# --- i. A difference map
enter i
job difference-map "[sum]
stage = combine
input = difference
input2 = w
$(output sum-out map sum sum.fits)"
ok "difference-map" run difference-map.workflow
ok "the difference and W are V" "$fits" rms sum.fits 1 "$v.fits" 1 1e-12
ok "its picture" "$png" difference.png 1000 663 0 200

# --- j. Job c on two ranks with a trace, killed and resumed
enter j
if has_ranks; then
  job hundred-skies
  sed -i 's/^repeat = .*/repeat = 20/' hundred-skies.workflow
  time=$(hundredths ranks 2 "$armilla" run --quiet hundred-skies.workflow)
  mv hundred-skies.png undisturbed.png
  for part in 2 4 8; do
    run_and_kill $((time / part)) all ranks 2 "$armilla" run --resume hundred-skies.workflow
    [ -e hundred-skies.png ] || break
    rm -f hundred-skies.png ./*.journal # it was faster than the first one
  done
  ok "a run is killed before its picture" test ! -e hundred-skies.png
  ok "it goes on" ranks 2 "$armilla" run --quiet --resume hundred-skies.workflow --trace trace.json
  ok "to the same picture" cmp hundred-skies.png undisturbed.png
  ok "its trace is read" gives 0 "hundred-skies.workflow: armilla" "$armilla" trace trace.json
  ok "which is of two ranks" says "2 ranks"
else
  skip "on two ranks, killed and resumed" "built without MPI, or no mpirun"
fi

# --- A paper's figure, small: 12 skies, of which errors are known to a fifth
enter paper
job paper-figure
ok "paper-figure" run paper-figure.workflow --set workflow.repeat=12 -D nside=32 -D beam='2 deg' \
  --set first/noise.sigma=0.1 --set second/noise.sigma=0.1
ok "one PNG, one PDF and a table" only bandpowers.ecsv figure.pdf figure.png paper-figure.workflow
ok "the PNG" "$png" figure.png 1200 780 0 20
ok "the PDF" [ "$(head -c 5 figure.pdf)" = %PDF- ]
# TT, EE, TE; BB of 12 skies is not known well. Theory in its columns TT, EE, BB, TE.
ok "bandpowers of TT, EE and TE are not far from the theory" awk '
  NR == FNR { for (s = 1; s <= 4; s++) dl[s, $1] = $(s + 1); next }
  FNR > 1 && FNR < 5 { split ("1 2 4", spectrum); split ("4 6 10", column)
    for (k = 1; k <= 3; k++) {
      t = 0; for (l = $2; l <= $3; l++) t += dl[spectrum[k], l] / ($3 - $2 + 1)
      d = ($(column[k]) - t) / $(column[k] + 1); bad += d > 1.5 || d < -1.5; n++; print d
    } } END { exit bad || n != 9 }' "$data/data/totcls.dat" - << END
$(rows bandpowers.ecsv)
END
finish
