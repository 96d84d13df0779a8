#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stage convolve, from the file to the files: one method against the other, one way to give a
# kernel against another, one rank against two; and what it refuses. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
map=$data/test/data/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits

[ -e "$map" ] || skip_all "there is no $map; healpy-data of Debian 12 has it"

cat > sky.workflow <<WORKFLOW
$(input sky map "$map")
fields = 0

[smooth]
stage = convolve
map = sky

$(output out map smooth "\${out}.fits")
dtype = float64

[variables]
out = out
WORKFLOW
one=$room/one.workflow # with one kernel already
sed 's/^map = sky$/&\nfwhm = 10 deg/' sky.workflow > "$one"

# smooth OUT WORKFLOW KEY=VALUE...
smooth ()
{
  out=$1
  file=$2
  shift 2
  set -- $(for key; do printf '%s\n' --set "smooth.$key"; done)
  "$armilla" run --quiet --overwrite -D "out=$out" "$@" "$file"
}

# refused TEXT WORKFLOW KEY=VALUE...: fails with that text, and leaves nothing
refused () { words=$1; file=$2; shift 2; fails "$words" smooth refused "$file" "$@" && [ ! -e refused.fits ]; }

# --- The methods

ok "ring" smooth ring "$one" method=ring
ok "harmonic" smooth harmonic "$one" method=harmonic
ok "they agree as asked for, 1e-4" "$fits" rms ring.fits 1 harmonic.fits 1 1e-4
ok "degrees to spare" "$armilla" run --overwrite -D out=spare --set smooth.method=harmonic --set smooth.lmax=90 "$one"
cp "$room/.log" report
ok "are said to err by less than a ten-thousandth of the accuracy" grep -q 'an error below 1e-08' report
ok "ring, better" smooth ring8 "$one" method=ring accuracy=1e-8
ok "harmonic, better" smooth harmonic8 "$one" method=harmonic accuracy=1e-8
ok "they agree as asked for, 1e-8" "$fits" rms ring8.fits 1 harmonic8.fits 1 1e-8
unseen=$("$fits" unseen "$map" 1 0 | grep -o '[0-9]\+' | head -n 1)
ok "UNSEEN is put back (ring)" "$fits" unseen ring.fits 1 "$unseen"
ok "UNSEEN is put back (harmonic)" "$fits" unseen harmonic.fits 1 "$unseen"
ok "there are UNSEEN pixels" [ "$unseen" -gt 100 ]
ok "auto" "$armilla" run --overwrite -D out=auto --trace auto.json "$one"
cp "$room/.log" report
ok "auto says which, why, what was predicted and what it took" grep -q \
  '^\[smooth\]: convolved .*(predicted: .* s by rings, .* s through a_lm).*; predicted .* s, took .* s$' report
ok "and so does the trace" grep -q '"node": *"smooth".*"choice".*"predicted".*"seconds"' auto.json
ok "auto gives one or the other" sh -c "'$fits' same auto.fits ring.fits || '$fits' same auto.fits harmonic.fits"

# parallel: through a_lm, 2 and 4 workers are predicted to take that part of one worker's time that
# the tasks take when they are played on such nodes: with the convolution less without it, at any
# rates
parallel ()
{
  sed '/^\[smooth\]/,/^fwhm/d; s/^map = smooth/map = sky/' many.workflow > few.workflow
  for workers in 1 2 4; do
    STARPU_NCPU=$workers "$armilla" run --overwrite many.workflow > report 2>&1 || { cat report; return 1; }
    sed "s/^workers = .*/workers = $workers/" "$source/doc/nodes/cpu.node" > n.node
    echo "$(sed -n 's/.*; predicted \([^ ]*\) s, took.*/\1/p' report)" \
      $(for file in many few; do
          "$armilla" plan --no-io --json --nodes n.node $file.workflow | sed 's/.*"seconds": \([^,]*\).*/\1/'
        done)
  done > times.txt
  cat times.txt
  awk 'NR == 1 { predicted = $1; played = $2 - $3 }
    { d = $1 / predicted / (($2 - $3) / played) - 1; n++ }
    !(d < 0.1 && d > -0.1) { print "off by", d; bad = 1 } END { exit bad || n != 3 }' times.txt
}
cat > many.workflow << END
[workflow]
ring-block = 32
m-blocks = 16
$(random_alm draw theory theory.txt)
lmax = 256
$(synthesis sky draw 128)
[smooth]
stage = convolve
map = sky
method = harmonic
fwhm = 80 arcmin
$(output out map smooth many.fits)
END
awk 'BEGIN { for (l = 0; l <= 256; l++) print l, 1 / (l + 1) }' > theory.txt
ok "the part of the time that more workers are predicted to take" parallel
ok "HISTORY has the kernel" "$fits" history ring.fits "Gaussian, FWHM 600 arcmin"
ok "the paper's first form" smooth plain "$one" method=ring anti-ringing=false kernel-shift=false
ok "polar rings pixel by pixel" smooth polar "$one" method=ring polar-rings=8 accuracy=1e-8
ok "they are what they were" "$fits" rms polar.fits 1 ring8.fits 1 1e-8
ok "a cut-off by hand" smooth cut "$one" method=ring cut-off=20.0deg
ok "a cut-off makes the error that Eq. 7 says" "$fits" rms cut.fits 1 harmonic.fits 1 1e-4
ok "a cut-off by a spectrum" smooth spectrum "$one" method=ring \
  "spectrum=$data/test/data/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_II_lmax64_rmmono_3iter.fits"
ok "a spectrum for a cut-off by hand" smooth spectrum2 "$one" method=ring cut-off=20.0deg \
  "spectrum=$data/test/data/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_II_lmax64_rmmono_3iter.fits"
ok "changes nothing but what is told" "$fits" same spectrum2.fits cut.fits
ok "a kernel as wide as the sphere" smooth wide "$one" method=ring fwhm=180deg
ok "the other way" smooth wide2 "$one" method=harmonic fwhm=180deg
ok "they agree" "$fits" rms wide.fits 1 wide2.fits 1 1e-4

# --- The same kernel in other words

awk 'BEGIN { s = 10 * 3.14159265358979 / 180 / sqrt(8 * log(2))
  for (l = 0; l <= 200; l++) printf "%d %.17g\n", l, 3 * exp(-l * (l + 1) * s * s / 2) }' > beam.txt
# In the plane a Gaussian; normalised, the sphere changes it by sigma^2 / 12, 5e-4.
awk 'BEGIN { s = 10 / sqrt(8 * log(2))
  for (t = 0; t <= 25; t += 0.25) printf "%.2f %.17g\n", t, -exp(-t * t / s / s / 2) }' > profile.txt
ok "b_l from a file, normalised" smooth beam sky.workflow method=ring beam=beam.txt normalise=true accuracy=1e-8
ok "is the Gaussian" "$fits" rms beam.fits 1 ring8.fits 1 1e-8
ok "a profile from a file, negative, normalised" smooth profile sky.workflow method=ring \
  profile=profile.txt profile-unit=deg normalise=true
ok "is the Gaussian, nearly" "$fits" rms profile.fits 1 ring.fits 1 3e-3
ok "the profile through a_lm" smooth profile2 sky.workflow method=harmonic profile=profile.txt \
  profile-unit=deg normalise=true
ok "is the same" "$fits" rms profile2.fits 1 profile.fits 1 1e-4
ok "a top hat" smooth hat sky.workflow radius=8deg
ok "a top hat through a_lm" "$armilla" run --overwrite -D out=hat2 --set smooth.radius=8deg \
  --set smooth.method=harmonic sky.workflow
cp "$room/.log" report
ok "says what it misses" grep -q 'an error of .*more than the requested accuracy of 0.0001' report
ok "a top hat, whichever way" "$armilla" run --overwrite -D out=hat3 --set smooth.radius=8deg sky.workflow
cp "$room/.log" report
ok "is summed pixel by pixel" grep -q 'ring by ring (method = harmonic would.*pixel by pixel' report
ok "a wavelet" smooth needlet sky.workflow needlet=8deg needlet-order=2 method=ring
ok "a wavelet through a_lm" smooth needlet2 sky.workflow needlet=8deg needlet-order=2 method=harmonic
ok "is the same" "$fits" rms needlet.fits 1 needlet2.fits 1 1e-4
head -n 30 beam.txt > short.txt
ok "a window that ends early is 0 beyond" smooth short sky.workflow method=harmonic beam=short.txt
ok "by rings too" smooth short2 sky.workflow method=ring beam=short.txt
ok "which is the same" "$fits" rms short2.fits 1 short.fits 1 1e-4

# --- What is refused

sed 's/^3 .*/3 nan/' beam.txt > nan.txt
printf '0 1\n0.5 x\n' > word.txt
printf '0 1\n0.5 0.5\n0.2 0\n' > unsorted.txt
printf '1.5 1\n2.5 0.5\n' > late.txt
printf '0 1\n5.5 0.5\n500 0\n' > far.txt
printf '0 0\n1 0\n2 0\n' > zero.txt
printf '0 1\n1 1\n' > two.txt
ok "no kernel" refused "no kernel; set one of fwhm" sky.workflow
ok "two kernels" refused "more than one kernel" "$one" radius=3deg
ok "narrower than a pixel" refused "narrower than a pixel" "$one" fwhm=20arcmin
ok "wider than the sphere" refused "fwhm" "$one" fwhm=200deg
ok "a top hat larger than the sphere" refused "radius" sky.workflow radius=190deg
ok "a width of 0" refused "fwhm" "$one" fwhm=0deg
ok "a negative width" refused "fwhm" "$one" fwhm=-1deg
ok "an angle without a unit" refused "unit" "$one" fwhm=10
ok "NaN in a window" refused "nan.txt: 1 values of column 0 (TEMPERATURE) are NaN or infinite, the first is at l = 3 (line 4)" sky.workflow beam=nan.txt
ok "a window of zeros" refused "0 at all l" sky.workflow beam=zero.txt
ok "a window that is not there" refused "none.txt" sky.workflow beam=none.txt
ok "a column that is not there" refused "beam-column" sky.workflow beam=beam.txt beam-column=7
ok "a word in a profile" refused "word.txt:2" sky.workflow profile=word.txt
ok "angles that do not increase" refused "increase" sky.workflow profile=unsorted.txt
ok "a profile that does not begin at 0" refused "begin at angle 0" sky.workflow profile=late.txt
ok "a profile in another unit" refused "another unit" sky.workflow profile=far.txt profile-unit=deg
ok "a wavelet has no integral" refused "cannot be normalised" sky.workflow needlet=8deg normalise=true
ok "a cut-off of 0" refused "cut-off" "$one" cut-off=0deg
ok "a spectrum that is too short" refused "3 are needed" "$one" spectrum=two.txt method=ring
ok "an option of the other method" refused "applies to method = ring only" "$one" method=harmonic polar-rings=2
ok "and the other way" refused "applies to method = harmonic only" "$one" method=ring lmax=64
ok "an accuracy that is none" refused "accuracy" "$one" accuracy=0.5
ok "an unknown method" refused "method" "$one" method=rings
sed 's/^fields = 0$/fields = 0, 1, 2/' "$one" > polarised.workflow
ok "Q and U" refused "must be a scalar" polarised.workflow

# --- Pictures of patches

ok "the example of point sources is right" "$armilla" check "$source/workflows/point-sources.workflow" \
  -D "sources=$source/workflows/point-sources.fits"
{
  sed 's/^fields = 0$/rings = all/' "$one" | sed '/^\[out\]/,/^dtype/d'
  printf '[picture]\nstage = render-patches\nmap = sky\nmap2 = smooth\ncentres = 0 30, -40.5 -80\n'
  printf 'size = 60 deg\nwidth = 120\ndecades = 3\ntitles = before, after\nfile = patches.png\n'
} > patches.workflow
ok "two maps in two places" "$armilla" run --quiet --overwrite patches.workflow
# two patches and three gaps wide; two patches and gaps, title and foot high
ok "the picture" "$build/tests/pictures/check-png" patches.png 248 284 1000 100
refuses () { fails "$1" run --overwrite --set "picture.$2" patches.workflow; } # TEXT KEY=VALUE
ok "a centre without latitude" refuses 'centres: "30"' "centres=30"
ok "a centre beyond the pole" refuses "centres" "centres=30 91"
ok "a file that is no picture" refuses "file" "file=patches.txt"

# --- Several ranks

if has_ranks; then
  ok "three ranks" ranks 3 "$armilla" run --quiet --overwrite -D out=ranks --set workflow.ring-block=7 "$one" \
    --set smooth.method=ring
  ok "one rank, cut alike" "$armilla" run --quiet --overwrite -D out=rank --set workflow.ring-block=7 "$one" \
    --set smooth.method=ring
  ok "the same bits" "$fits" same ranks.fits rank.fits
else
  for name in "three ranks" "one rank, cut alike" "the same bits"; do
    skip "$name" "no MPI"
  done
fi
finish
