#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# As many multipoles as equidistant rings hold: the a_lm come back, with the same bits for any number
# of workers and ranks, in a bounded memory, and whatever other skies are computed with them. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 256; l++) {
  t = l < 2 ? 0 : 1 / (l * (l + 1)); print l, t, 0.02 * t, 0.001 * t, 0.1 * t } }' > theory.dat
cat > sky.workflow << END
[workflow]
repeat = \${n}
$(random_alm draw teb "$room/theory.dat")
seed = 1
lmax = 256
[sky]
stage = alm2map
alm = draw
grid = \${grid}
n-theta = \${rings}
[measure]
stage = map2alm
map = sky
lmax = 256
$(output before alm draw "before-\${index}.fits")
$(output after alm measure "after-\${index}.fits")
END

# sky GRID RINGS SKIES OPTION...
sky ()
{
  there=$1 n_rings=$2 n_skies=$3
  shift 3
  "$armilla" run --quiet --overwrite sky.workflow -D grid="$there" -D rings="$n_rings" -D n="$n_skies" "$@"
}

export STARPU_NCUDA=0
for case in "fejer1 257" "clenshaw-curtis 258"; do
  # shellcheck disable=SC2086 # grid and rings
  set -- $case
  for n in 1 2 4; do
    ok "$1, $n worker(s)" env STARPU_NCPU=$n "$armilla" run --quiet --overwrite sky.workflow -D grid="$1" \
      -D rings="$2" -D n=3
    mkdir -p "$1-$n" && mv ./*.fits "$1-$n" || exit 99
    for i in 0 1 2; do
      ok "$1, $n: sky $i comes back" "$fits" alm "$1-$n/before-$i.fits" "$1-$n/after-$i.fits" 1e-13
      ok "$1, $n: sky $i has the bits of one worker" "$fits" same "$1-$n/after-$i.fits" "$1-1/after-$i.fits"
    done
  done
  ok "$1, one sky" sky "$1" "$2" 1
  ok "$1, it has the same bits" "$fits" same after-0.fits "$1-1/after-0.fits"
  ok "$1, in 300 MB" env STARPU_NCPU=2 "$armilla" run --quiet --overwrite sky.workflow -D grid="$1" -D rings="$2" \
    -D n=1 --memory 300MB
  ok "$1, it has the same bits" "$fits" same after-0.fits "$1-1/after-0.fits"
  if has_ranks; then
    ok "$1, three ranks" ranks 3 env STARPU_NCPU=1 "$armilla" run --quiet --overwrite sky.workflow \
      -D grid="$1" -D rings="$2" -D n=1
    ok "$1, they have the same bits" "$fits" same after-0.fits "$1-1/after-0.fits"
  else
    skip "$1, ranks" "built without MPI, or no mpirun"
  fi
  ok "$1 with a ring less is refused" refused sky.workflow "determine multipoles up to lmax = 255" -D grid="$1" \
    -D rings=$(($2 - 1)) -D n=1 --overwrite
done
finish
