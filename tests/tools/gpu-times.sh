#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Times on the GPUs of this machine, in one go, as tables of Markdown: kernels, transforms, convolution,
# pairs, skies. Runs from a bundle, in a folder that it may fill: BUNDLE/gpu-times. About two minutes.
set -u
bundle=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$bundle/environment.sh"
armilla=$bundle/bin/armilla
bin=$bundle/tests/bin
export STARPU_SILENT=1

# milliseconds MAPS BENCH-OPTION...: the median of single calls, a map, and the best of them
milliseconds ()
{
  local maps=$1
  shift
  "$armilla" bench "$@" --threads 0 --gpus 1 --json > bench.json 2> bench.log || { tail -n 1 bench.log; return; }
  sed -n 's/.*"seconds": \([^,]*\), "best_seconds": \([^,]*\),.*/\1 \2/p' bench.json |
    awk -v maps="$maps" '{ printf "%.2f (%.2f)\n", 1e3 * $1 / maps, 1e3 * $2 / maps }'
}

# both CASE MAPS BENCH-OPTION...: a row with both directions
both ()
{
  local case=$1 maps=$2
  shift 2
  echo "| $case | $(milliseconds "$maps" alm2map "$@") | $(milliseconds "$maps" map2alm "$@") |"
}

# counted BENCH-PAIRS-ARGUMENT...: the best seconds of five
counted () { local s; s=$("$bin/bench-pairs" "$@") && s=${s%% s, *} && echo "${s##* }"; }

# pairs CASE BENCH-PAIRS-ARGUMENT...: a row with two cores and one GPU
pairs ()
{
  local case=$1 cores gpu
  shift
  cores=$(STARPU_NCUDA=0 STARPU_NCPU=2 counted "$@")
  gpu=$(STARPU_NCUDA=1 STARPU_NCPU=0 counted "$@")
  awk -v case="$case" -v cores="$cores" -v gpu="$gpu" \
    'BEGIN { printf "| %s | %.2f | %.2f | %.1f |\n", case, 1e3 * cores, 1e3 * gpu, cores / gpu }'
}

# skies GPUS NUMBER: seconds that the program prints
skies ()
{
  STARPU_NCUDA=$1 STARPU_NCPU=0 "$armilla" run skies.workflow --overwrite --set workflow.repeat="$2" 2>&1 |
    sed -n 's/^done in \([0-9.]*\) s.*/\1/p'
}

date -u
"$armilla" machine | grep GPU

echo
echo "Kernels, data in device memory:"
"$bin/test-delta-cuda" -p /delta-cuda/times | sed -n 's/^# lmax/lmax/p'
"$bin/test-spin-cuda" -p /spin-cuda/times | sed -n 's/^# spin/spin/p'
"$bin/test-theta-cuda" -p /theta-cuda/times | sed -n 's/^# theta/theta/p'
"$bin/test-resample-cuda" -p /resample-cuda/times | sed -n 's/^# 4096/resampling in theta: 4096/p'
"$bin/test-ring-cuda" -p /ring-cuda/timing | sed -n 's/^# nside/nside/p'
"$bin/test-convolve-cuda" -p /convolve-cuda/times | sed -n 's/^# convolve/convolve/p'
"$bin/test-coupling-cuda" -p /coupling-cuda/times | sed -n 's/^# coupling/coupling/p'

cat <<'TABLE'

Transforms by one GPU; of several maps, a map:

| case | alm2map, ms: median (best) | map2alm, ms: median (best) |
|---|---|---|
TABLE
both "nside 2048, lmax 4096, data left on the GPU" 1 --nside 2048 --repeats 15 --resident
both "the same, from and to pinned main memory" 1 --nside 2048 --repeats 15
both "Gauss-Legendre, lmax 4095, left there" 1 --grid gauss --lmax 4095 --repeats 15 --resident
both "nside 1024, lmax 2048, left there" 1 --nside 1024 --repeats 15 --resident
both "nside 512, lmax 1024, left there" 1 --nside 512 --repeats 15 --resident
both "spin 2, nside 2048, left there" 1 --nside 2048 --spin 2 --resident
both "I, Q, U, nside 2048, left there" 1 --nside 2048 --spin 0,2 --resident
for maps in 8 16 32; do
  both "$maps maps of nside 2048, left there" $maps --nside 2048 --batch $maps --repeats 5 --resident
done
both "32 maps of nside 512, left there" 32 --nside 512 --batch 32 --resident

cat <<'TABLE'

Convolution, nside 2048, left on the GPU:

| FWHM, arcmin | by rings, ms: median (best) | by harmonics, ms: median (best) |
|---|---|---|
TABLE
for fwhm in 4.7 15 60 240; do
  set -- convolve --nside 2048 --fwhm $fwhm --resident
  echo "| $fwhm | $(milliseconds 1 "$@" --method ring) | $(milliseconds 1 "$@" --method harmonic) |"
done
echo "by rings, 4.7 arcmin, from and to main memory: $(milliseconds 1 convolve --nside 2048 --fwhm 4.7) ms"

cat <<'TABLE'

Pairs on the full sphere, 20 bins, best of five, with sorting into cells:

| case | two cores, ms | one GPU, ms | ratio |
|---|---|---|---|
TABLE
pairs "1e5 objects, 0.01 to 10 deg" 100000 0.01 10 20
pairs "1e6 objects, 0.01 to 1 deg" 1000000 0.01 1 20
pairs "1e6 objects, 0.01 to 10 deg" 1000000 0.01 10 20
pairs "1e5 shears, 0.01 to 10 deg" 100000 0.01 10 20 12
pairs "1e6 shears, 0.01 to 1 deg" 1000000 0.01 1 20 12

awk 'BEGIN { for (l = 0; l <= 4096; l++) printf "%d %.17g\n", l, 1 / ((l + 1) * (l + 1)) }' > cl.txt
cat > skies.workflow <<'WORKFLOW'
[workflow]
repeat = 8

[theory]
stage = read-cl
file = cl.txt

[drawn]
stage = random-alm
cl = theory
lmax = 4096
seed = 7

[sky]
stage = alm2map
alm = drawn
nside = 2048

[found]
stage = map2alm
map = sky
lmax = 4096
iterations = 1

[spectrum]
stage = alm2cl
alm = found

[out]
stage = write-cl
cl = spectrum
file = sky-${index}.fits
WORKFLOW
cat <<'TABLE'

Skies of nside 2048: draw, alm2map, map2alm with one iteration, spectrum, file; seconds of the run:

| GPUs | 8 skies | 72 skies | the 64 between | times one GPU |
|---|---|---|---|---|
TABLE
there=$("$armilla" machine | grep -c 'GPU [0-9]')
for ((gpus = 1; gpus <= (there > 0 ? there : 1); gpus *= 2)); do
  skies $gpus 8 > warm.log
  few=$(skies $gpus 8) many=$(skies $gpus 72)
  [ $gpus -gt 1 ] || one=$(awk -v f="$few" -v m="$many" 'BEGIN { print m - f }')
  awk -v n=$gpus -v f="$few" -v m="$many" -v one="$one" \
    'BEGIN { printf "| %d | %.2f | %.2f | %.2f | %.2f |\n", n, f, m, m - f, one / (m - f) }'
done
