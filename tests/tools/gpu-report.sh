#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make check-gpu` cannot see: whole workflows on the GPU of this machine against its CPU, a GPU
# with too little memory, compute-sanitizer, and times. Runs from a bundle, with nothing else installed:
#
#   BUNDLE/gpu-report [FOLDER-FOR-LOGS] [PART...]
#
# Parts: kernels, accuracy, workflows, pairs, memory, sanitizer, times, counters (default: all but sanitizer, which
# is slow, and counters, which want NVIDIA's ncu).
set -u
bundle=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
logs=${1:-$PWD}
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || set -- kernels accuracy workflows pairs memory times
. "$bundle/environment.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$logs" "$work/sampling" || exit 1
logs=$(cd "$logs" && pwd)
export STARPU_HOME=$work STARPU_PERF_MODEL_DIR=$work/sampling STARPU_SILENT=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$work" || exit 1
armilla=$bundle/bin/armilla
bin=$bundle/tests/bin
passed=0 failed=0

check ()   # NAME COMMAND...
{
  local name=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok - $name: $(tail -n 1 "$work/log")"
  else
    failed=$((failed + 1))
    echo "not ok - $name"
    sed 's/^/# /' "$work/log" | tail -n 30
  fi
}

tap ()     # NAME COMMAND... : a test program; its own totals count
{
  local name=$1
  shift
  "$@" > "$logs/$name.log" 2>&1
  local status=$?
  local good bad
  good=$(grep -c '^ok [0-9]' "$logs/$name.log")
  bad=$(grep -c '^not ok' "$logs/$name.log")
  [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
  passed=$((passed + good)) failed=$((failed + bad))
  echo "$name: $good passed, $bad failed (exit status $status)"
  [ "$bad" -eq 0 ] || tail -n 25 "$logs/$name.log"
}

cat > chain.workflow <<'WORKFLOW'
[theory]
stage = read-cl
file = cl.txt

[drawn]
stage = random-alm
cl = theory
lmax = ${lmax}
seed = 7

[beam]
stage = smooth-alm
alm = drawn
fwhm = 20 arcmin

[sky]
stage = alm2map
alm = beam
nside = ${nside}

[clean]
stage = remove-monopole
map = sky
dipole = true
galactic-cut = 10 deg

[found]
stage = map2alm
map = clean
lmax = ${lmax}
iterations = 2

[spectrum]
stage = alm2cl
alm = found

[again]
stage = alm2map
alm = found
nside = ${nside}

[out-map]
stage = write-map
map = again
file = ${out}.fits

[out-cl]
stage = write-cl
cl = spectrum
file = ${out}-cl.fits

[variables]
nside = 512
lmax = 1024
out = out
WORKFLOW
cat > sky.workflow <<'WORKFLOW'
[theory]
stage = read-cl
file = teb.txt

[teb]
stage = random-alm
cl = theory
lmax = 512
seed = 7

[beam]
stage = smooth-alm
alm = teb
fwhm = 20 arcmin

[turned]
stage = rotate
alm = beam
from = galactic
to = equatorial

[sum]
stage = combine
input = turned
input2 = beam
weights = 2, -0.5

[spectra]
stage = alm2cl
alm = sum
lmax = 500

[t]
stage = random-alm
cl = tt
lmax = 512
seed = 7

[tt]
stage = read-cl
file = teb.txt
columns = 0

[sky]
stage = alm2map
alm = t
nside = 256

[iqu]
stage = alm2map
alm = beam
nside = 256

[back]
stage = map2alm
map = iqu
lmax = 512
iterations = 1

[car]
stage = alm2map
alm = beam
grid = fejer1
n-theta = 513

[whole]
stage = map2alm
map = car
lmax = 512

[coarse]
stage = ud-grade
map = sky
nside = 16

[mask]
stage = ud-grade
map = coarse
nside = 256

[masked]
stage = mask
map = sky
mask = mask
apodise = 3 deg

[difference]
stage = combine
input = masked
input2 = sky
weights = 1, -1

[coupling]
stage = coupling
cl = tt
lmax = 500

[powers]
stage = decouple
cl = spectra
coupling = coupling
delta-l = 20

[out-powers]
stage = write-table
table = powers.table
file = ${out}-powers.fits

[out-alm]
stage = write-alm
alm = sum
file = ${out}-alm.fits

[out-iqu]
stage = write-map
map = iqu
file = ${out}-iqu.fits

[out-whole]
stage = write-alm
alm = whole
file = ${out}-whole.fits

[out-back]
stage = write-alm
alm = back
file = ${out}-back.fits

[out-cl]
stage = write-cl
cl = spectra
file = ${out}-teb.fits

[out-map]
stage = write-map
map = difference
file = ${out}-sky.fits

[variables]
out = out
WORKFLOW
# Objects in clumps of all sizes, some alone, with weights from 1e-6 to 1, shears and patches of longitude.
cat > objects.awk <<'AWK'
BEGIN {
  srand (seed)
  print "ra,dec,w,g1,g2,p"
  for (i = 0; i < n; i++) {
    if (i % 50 == 0) { z0 = 2 * rand () - 1; lon0 = 360 * rand (); size = 10 ^ (-4 * rand ()) }
    z = z0 + size * (rand () - 0.5); lon = lon0 + 60 * size * (rand () - 0.5)
    if (i % 7 == 0) { z = 2 * rand () - 1; lon = 360 * rand () }
    z = z > 1 ? 2 - z : z < -1 ? -2 - z : z
    lon = lon - 360 * int (lon / 360); if (lon < 0) lon += 360
    printf "%.12f,%.12f,%.17g,%.17g,%.17g,%d\n", lon, 57.29577951308232 * atan2 (z, sqrt (1 - z * z)), \
      10 ^ (-6 * rand ()), rand () - 0.5, rand () - 0.5, int (lon / 30)
  }
}
AWK
cat > pairs.workflow <<'WORKFLOW'
[data]
stage = read-catalogue
file = data.csv
longitude-unit = deg
latitude-unit = deg
weight = w
g1 = g1
g2 = g2
patch = p
patches = 12

[random]
stage = random-catalogue
number = 40000
seed = 5

[w]
stage = pair-correlation
catalogue = data
random = random
min = 0.001 deg
max = 60 deg
bins = 40
patches = 8

[xi]
stage = shear-correlation
catalogue = data
min = 0.01 deg
max = 10 deg
bins = 15
patches = 12
patches-by = column

[few]
stage = random-catalogue
number = 2000
seed = 6

[more]
stage = random-catalogue
number = 3000
seed = 7

[zeta]
stage = triple-correlation
catalogue = few
random = more
min = 1 deg
max = 10 deg
bins = 4

[out-w]
stage = write-table
table = w.table
file = ${out}-w.ecsv

[out-cov]
stage = write-table
table = w.covariance
file = ${out}-cov.ecsv

[out-xi]
stage = write-table
table = xi.table
file = ${out}-xi.ecsv

[out-zeta]
stage = write-table
table = zeta
file = ${out}-zeta.ecsv

[variables]
out = out
WORKFLOW
awk 'BEGIN { for (l = 0; l <= 8192; l++) printf "%d %.17g\n", l, 1 / ((l + 1) * (l + 1)) }' > cl.txt
awk 'BEGIN { for (l = 0; l <= 1100; l++) { c = 1 / ((l + 1) * (l + 1))
  printf "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", l, c, c / 2, c / 4, -c / 3, c / 10, c / 5 } }' > teb.txt
run () { "$armilla" run chain.workflow --quiet --overwrite "$@"; }

# too_little: a task that the GPU cannot hold ends the run with a message, not with waiting
too_little ()
{
  local got=0
  STARPU_NCPU=0 STARPU_LIMIT_CUDA_MEM=150 timeout -k 5 60 "$armilla" run chain.workflow --quiet \
    -D nside=1024 -D lmax=2048 -D out=small 2> said || got=$?
  cat said
  [ $got -eq 1 ] && [ ! -e small.fits ] && grep -q "of a GPU's memory.* StarPU has 150 MiB" said
}

# share N OUT: N ranks on this GPU, without CPU workers, share chain.workflow
share ()
{
  # StarPU would take most of the memory for each rank.
  STARPU_NCPU=0 STARPU_LIMIT_CUDA_MEM=8000 timeout -k 5 300 mpirun -q --oversubscribe --bind-to none -n "$1" \
    "$armilla" run chain.workflow --quiet -D out="$2"
}

# unequal: rank 0 has no GPU, and rank 1, which has, gets all of the recurrence
unequal ()
{
  # shellcheck disable=SC2016
  timeout -k 5 300 mpirun -q --oversubscribe --bind-to none -n 2 sh -c '
    if [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then export STARPU_NCUDA=0 STARPU_NCPU=2; else export STARPU_NCPU=0; fi
    exec "$@"' - "$armilla" run chain.workflow --quiet -D out=unequal --trace unequal.json || return 1
  grep -E '"delta_(synthesis|adjoint)"' unequal.json > recurrence || { echo "no recurrence"; return 1; }
  if grep -E '"pid": ?0[,}]' recurrence; then return 1; fi
}

for part; do
  case $part in
    kernels)
      for test in $(cat "$bundle/tests/gpu-tests"); do
        tap "$test" "$bin/$test"
      done
      STARPU_NCPU=0 tap test-transform-gpu-only "$bin/test-transform"
      STARPU_NCPU=0 tap test-spin-transform-gpu-only "$bin/test-spin-transform"
      STARPU_NCPU=0 tap test-graph-gpu-only "$bin/test-graph"
      STARPU_NCPU=0 tap test-points-graph-gpu-only "$bin/test-points-graph"
      tap test-legendre "$bin/test-legendre"
      tap test-legendre-choice "$bin/test-legendre-choice"
      tap test-spin-transform-both "$bin/test-spin-transform" -s /spin-transform/same-bits
      STARPU_NCPU=0 tap test-convolve-gpu-only "$bin/test-convolve"
      tap test-transform-both "$bin/test-transform" -s /transform/same-bits
      ;;
    accuracy) # of whole transforms, up to lmax 16384 (8 GB): about 2 minutes, for direct sums by the CPU
      ARMILLA_TEST_LARGE=1 STARPU_NCPU=0 tap test-accuracy-gpu-only timeout -k 5 600 "$bin/test-accuracy"
      ARMILLA_TEST_LARGE=1 STARPU_NCPU=0 tap test-spin-accuracy-gpu-only timeout -k 5 600 \
        "$bin/test-spin-transform" -p /spin-transform/accuracy -p /spin-transform/rings
      grep -h '^# .*lmax \(4095\|4096\|16384\)' "$logs"/test-{,spin-}accuracy-gpu-only.log
      ;;
    workflows)
      "$armilla" machine
      check "CPU only" env STARPU_NCUDA=0 "$armilla" run chain.workflow --quiet -D out=cpu
      check "GPU only" env STARPU_NCPU=0 "$armilla" run chain.workflow --quiet -D out=gpu
      check "both" "$armilla" run chain.workflow --quiet -D out=both
      check "map: GPU and CPU agree" "$bin/check-fits" rms gpu.fits 1 cpu.fits 1 1e-13
      check "map: both and CPU agree" "$bin/check-fits" rms both.fits 1 cpu.fits 1 1e-13
      check "spectrum: GPU and CPU agree" "$bin/check-fits" rms gpu-cl.fits 1 cpu-cl.fits 1 1e-13
      check "again on the GPU" env STARPU_NCPU=0 "$armilla" run chain.workflow --quiet -D out=gpu2
      check "the GPU gives the same bits twice" "$bin/check-fits" same gpu.fits gpu2.fits
      check "polarisation and arithmetic, CPU only" env STARPU_NCUDA=0 "$armilla" run sky.workflow --quiet \
        -D out=cpu
      check "polarisation and arithmetic, GPU only" env STARPU_NCPU=0 "$armilla" run sky.workflow --quiet \
        -D out=gpu
      # The recurrence of a rotation rounds some ulp a degree: 1e-12 at lmax 512.
      check "a_lm turned and added: GPU and CPU agree" "$bin/check-fits" alm gpu-alm.fits cpu-alm.fits 1e-12
      for column in 1 2 3 4 5 6; do
        check "spectrum $column of them" "$bin/check-fits" rms gpu-teb.fits $column cpu-teb.fits $column 1e-12
      done
      for column in 4 5 6 7 8 9; do
        check "bandpowers, column $column: GPU and CPU agree" "$bin/check-fits" rms gpu-powers.fits $column \
          cpu-powers.fits $column 1e-12
      done
      for column in 1 2 3; do
        check "I, Q, U, column $column: GPU and CPU agree" "$bin/check-fits" rms gpu-iqu.fits $column \
          cpu-iqu.fits $column 1e-13
      done
      check "T, E, B of 513 Fejer rings: GPU and CPU agree" "$bin/check-fits" alm gpu-whole.fits cpu-whole.fits 1e-13
      check "T, E, B of I, Q, U: GPU and CPU agree" "$bin/check-fits" alm gpu-back.fits cpu-back.fits 1e-13
      check "map masked and subtracted: GPU and CPU agree" "$bin/check-fits" rms gpu-sky.fits 1 cpu-sky.fits 1 1e-12
      check "workers that sleep are woken at the end" sh -c "printf '\\n\\n' |
        STARPU_NCPU=0 timeout -k 5 60 '$armilla' bench alm2map --nside 64 --threads 0 --step --resident"
      # As ranks that share them cut orders by default, on one rank.
      check "two blocks of orders" env STARPU_NCPU=0 "$armilla" run chain.workflow --quiet -D out=two \
        --set workflow.m-blocks=2
      check "the map has the same bits" "$bin/check-fits" same gpu.fits two.fits
      check "and the spectrum" "$bin/check-fits" same gpu-cl.fits two-cl.fits
      finer="--set teb.lmax=1100 --set t.lmax=1100 --set back.lmax=1100 --set spectra.lmax=1100"
      # shellcheck disable=SC2086
      check "polarisation and rotation up to 1100" env STARPU_NCPU=0 "$armilla" run sky.workflow --quiet \
        -D out=fine $finer
      # shellcheck disable=SC2086
      check "the same in two blocks of orders" env STARPU_NCPU=0 "$armilla" run sky.workflow --quiet \
        -D out=fine2 $finer --set workflow.m-blocks=2
      for file in alm iqu back whole teb sky powers; do
        check "$file has the same bits" "$bin/check-fits" same fine-$file.fits fine2-$file.fits
      done
      if command -v mpirun > /dev/null; then
        for n in 2 3; do
          check "$n ranks share the GPU" share $n shared$n
          check "the map has the same bits" "$bin/check-fits" same gpu.fits shared$n.fits
          check "and the spectrum" "$bin/check-fits" same gpu-cl.fits shared$n-cl.fits
        done
        check "a rank without a GPU leaves the recurrence to one that has" unequal
        check "the map is right" "$bin/check-fits" rms unequal.fits 1 cpu.fits 1 1e-13
      else
        echo "# no mpirun: ranks that share a GPU are left out"
      fi
      check "a trace of the GPU" env STARPU_NCPU=0 "$armilla" run chain.workflow --quiet -D out=traced \
        --trace gpu.json
      check "it holds together, with copies to the GPU and back" "$bin/check-trace" --gpu gpu.json 1
      check "a trace of both" "$armilla" run chain.workflow --quiet -D out=traced-both \
        --trace both.json
      check "it holds together" "$bin/check-trace" both.json 1
      check "armilla trace reads them" sh -c '"$0" trace gpu.json && "$0" trace both.json' "$armilla"
      cp gpu.json "$logs/gpu-trace.json"
      check "WMAP on the GPU" env STARPU_NCPU=0 "$armilla" run --quiet --overwrite \
        -D data="$ARMILLA_HEALPY_DATA/test/data" "$bundle/share/armilla/workflows/smooth-wmap.workflow"
      check "WMAP as the Fortran reference" "$bin/check-fits" rms smoothed.fits 1 \
        "$ARMILLA_HEALPY_DATA/test/data/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_smoothed10deg_fortran.fits" 1 1e-7
      ;;
    pairs)
      # Pairs, weights, shears, patches, triangles: what kernels add are integers, in any order.
      check "words of histograms, CPU only" env STARPU_NCUDA=0 "$bin/dump-pairs" cpu.words
      check "words of histograms, GPU only" env STARPU_NCPU=0 "$bin/dump-pairs" gpu.words
      check "words of histograms, both" "$bin/dump-pairs" both.words
      check "words of some size" test "$(($(wc -c < cpu.words) + 0))" -gt 10000
      check "the same words from CPU and GPU" cmp cpu.words gpu.words
      check "the same words from both together" cmp cpu.words both.words
      for test in test-pairs test-pair-sums test-triangles; do
        STARPU_NCPU=0 tap $test-gpu-only "$bin/$test"
      done
      awk -v n=60000 -v seed=1 -f objects.awk > data.csv
      check "correlations, CPU only" env STARPU_NCUDA=0 "$armilla" run pairs.workflow --quiet -D out=cpu \
        --trace cpu-pairs.json
      check "correlations, GPU only" env STARPU_NCPU=0 "$armilla" run pairs.workflow --quiet -D out=gpu \
        --trace gpu-pairs.json
      check "correlations, both" "$armilla" run pairs.workflow --quiet -D out=both --trace both-pairs.json
      for table in w cov xi zeta; do
        # the header of a file holds its date
        for how in cpu gpu both; do grep -v '^#' $how-$table.ecsv > $how-$table.rows; done
        check "rows of $table" test "$(($(wc -l < cpu-$table.rows) + 0))" -gt 10
        check "$table: the same bits from CPU and GPU" cmp cpu-$table.rows gpu-$table.rows
        check "$table: the same bits from both together" cmp cpu-$table.rows both-$table.rows
      done
      for how in cpu gpu both; do
        echo "who counted, $how:"
        "$armilla" trace $how-pairs.json | grep -E '^  (pair|shear|triple)_histogram'
      done
      ;;
    memory)
      check "CPU only, nside 1024" env STARPU_NCUDA=0 "$armilla" run chain.workflow --quiet \
        -D nside=1024 -D lmax=2048 -D out=large
      for limit in 400 250; do # the maps and a_lm of this workflow are 600 MB
        check "GPU only, $limit MB of its memory" env STARPU_NCPU=0 STARPU_LIMIT_CUDA_MEM=$limit \
          timeout -k 5 60 "$armilla" run chain.workflow --quiet -D nside=1024 -D lmax=2048 -D out=small$limit
        check "its map is right" "$bin/check-fits" rms small$limit.fits 1 large.fits 1 1e-13
      done
      # A ring transform there takes 200 MB.
      check "GPU only, 150 MB of its memory: refused" too_little
      check "150 MB of its memory, and CPU workers" env STARPU_LIMIT_CUDA_MEM=150 \
        timeout -k 5 120 "$armilla" run chain.workflow --quiet -D nside=1024 -D lmax=2048 -D out=small150
      check "its map is right" "$bin/check-fits" rms small150.fits 1 large.fits 1 1e-13
      ;;
    sanitizer)
      for test in $(cat "$bundle/tests/gpu-tests"); do
        for tool in memcheck racecheck initcheck synccheck; do
          tap "$test-$tool" timeout -k 5 300 compute-sanitizer --tool $tool --error-exitcode 9 \
            "$bin/$test" -s /delta-cuda/times -s /ring-cuda/timing -s /spin-cuda/times -s /convolve-cuda/times -s /theta-cuda/times \
            -s /coupling-cuda/times
        done
      done
      ;;
    times) "$bundle/gpu-times" | tee "$logs/times.md" ;;
    counters) "$bundle/gpu-counters" | tee "$logs/counters.md" ;;
    *) echo "no such part: $part" >&2; exit 2 ;;
  esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
