#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is collected over realisations: against NumPy, which reads the files of all of them, and with the same
# bytes on any ranks, in any company, with little memory, and after SIGKILL and --resume. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
OMPI_MCA_orte_tmpdir_base=$room
OMPI_MCA_btl_vader_backing_directory=$(mktemp -d /dev/shm/armilla-collect-XXXXXX 2> /dev/null || echo "$room")
export OMPI_MCA_orte_tmpdir_base OMPI_MCA_btl_vader_backing_directory
trap 'rm -rf "$room" "$OMPI_MCA_btl_vader_backing_directory"' EXIT
export STARPU_NCPU=1
numpy=$source/tests/reference/collect-numpy.py

awk 'BEGIN { for (l = 0; l <= 32; l++) {
  t = l < 2 ? 0 : 1000 / (l * (l + 1)); printf "%d %.17g %.17g %.17g %.17g\n", l, t, 0.1 * t, 0.01 * t,
    0.2 * t } }' > theory.dat

# skies REPEAT NSIDE: what is collected of them. A belt of each sky is UNSEEN.
skies ()
{
  cat << END
[workflow]
repeat = $1
$(input theory cl "$room/theory.dat")
columns = 0, 1, 2, 3
[draw]
stage = random-alm
cl = theory
seed = 1
unit = uK
$(synthesis whole draw "$2")
[half]
stage = read-map
file = $room/half.fits
[sky]
stage = mask
map = whole
mask = half
outside = unseen
$(analysis measure whole 24)
$(spectrum power measure)
[statistics]
stage = map-statistics
map = sky
[spectra]
stage = collect
input = power
percentiles-of = 2.5, 50, 97.5
[of-mean]
stage = collect
input = power
error-of = mean
[numbers]
stage = collect
input = statistics.out
[maps]
stage = collect
input = sky
[alms]
stage = collect
input = draw
$(output cl-mean cl spectra.mean out/cl-mean.fits)
$(output cl-variance cl spectra.variance out/cl-variance.fits)
$(output cl-error cl of-mean.error out/cl-error.fits)
$(output cl-minimum cl spectra.minimum out/cl-minimum.fits)
$(output cl-table table spectra.table out/cl.ecsv)
$(output cl-covariance table spectra.covariance out/covariance.ecsv)
$(output cl-percentiles table spectra.percentiles out/percentiles.ecsv)
$(output number-table table numbers.table out/numbers.ecsv)
$(output number-maximum table numbers.maximum out/maximum.ecsv)
$(output map-mean map maps.mean out/map-mean.fits)
$(output map-variance map maps.variance out/map-variance.fits)
$(output map-minimum map maps.minimum out/map-minimum.fits)
$(output map-maximum map maps.maximum out/map-maximum.fits)
$(output alm-mean alm alms.mean out/alm-mean.fits)
$(output alm-variance alm alms.variance out/alm-variance.fits)
END
}

# each: files of each realisation, too
each ()
{
  cat << END
$(output each-cl cl power "out/each-cl-\${index}.fits")
$(output each-map map sky "out/each-map-\${index}.fits")
$(output each-alm alm draw "out/each-alm-\${index}.fits")
END
}

# A mask that is UNSEEN somewhere.
cat > half.workflow << END
$(input theory cl theory.dat)
columns = 0
[draw]
stage = random-alm
cl = theory
seed = 3
$(synthesis noise draw 16)
[out]
stage = write-map
map = noise
file = noise.fits
END
mask ()
{
  run half.workflow && "${PYTHON:-/usr/bin/python3}" - << 'END'
import healpy, numpy as np
noise = healpy.read_map("noise.fits", dtype=np.float64)
healpy.write_map("half.fits", np.where(noise > np.median(noise), 1.0, 0.0), dtype=np.float64)
END
}
"${PYTHON:-/usr/bin/python3}" -c 'import healpy, numpy' 2> /dev/null || skip_all "no healpy"
ok "there is a mask" mask
skies 37 16 > few.workflow
{ skies 37 16; each; } > all.workflow

# same_values: those of the run in all, whose history has another workflow or command line
same_values () { "${PYTHON:-/usr/bin/python3}" "$numpy" --same out "$room/all/out"; }
# collected [PLAIN]: out has the files of the run in plain, byte by byte; lots stay beside a journal
collected ()
{
  diff -r -x 'few.journal*' "$room/${1-plain}/out" out &&
    [ "$(find . -name '*.part' ! -name '*.journal.lot*' | wc -l)" -eq 0 ]
}

enter all && mkdir out
ok "maps, a_lm, spectra and tables are collected, and written for each realisation" run ../all.workflow
ok "as NumPy finds it from the files of all realisations" "${PYTHON:-/usr/bin/python3}" "$numpy" 37
enter plain && mkdir out
ok "they need not be written for each" run ../few.workflow
ok "the same values" same_values
ok "nothing is left beside them" [ "$(find . -name '*.part' -o -name '.armilla*' | wc -l)" -eq 0 ]
for set in together=1 together=8; do
  enter "$set" && mkdir out
  ok "with $set" run ../few.workflow --set "workflow.$set"
  ok "the same values" same_values
done
enter memory && mkdir out
ok "with little memory" run ../few.workflow --memory "$(little_memory ../few.workflow)" --spill "$room"
ok "the same bytes" collected
if has_ranks; then
  for n in 2 3; do
    enter "ranks-$n" && mkdir out
    ok "whole realisations on $n ranks" ranks $n "$armilla" run --quiet ../few.workflow
    ok "the same bytes" collected
    enter "blocks-$n" && mkdir out
    ok "realisations that $n ranks share" ranks $n "$armilla" run --quiet ../few.workflow --set workflow.deal=blocks
    ok "the same values" same_values
  done
fi

# killed NAME COMMAND...: three times, and resumed
killed ()
{
  time=$(hundredths "$@")
  collected || return 1
  rm -rf out && mkdir out
  for i in 1 2 3; do run_and_kill $((time * i / 5)) all "$@" && rm -rf out && mkdir out; done
  "$@" && collected
}
enter resume && mkdir out
ok "killed and resumed" killed "$armilla" run --quiet --resume ../few.workflow
ok "a run that is done does nothing more" "$armilla" run --quiet --resume ../few.workflow
rm out/map-mean.fits
ok "what is gone is made again" "$armilla" run --quiet --resume ../few.workflow
ok "the same bytes again" collected
if has_ranks; then
  enter resume-ranks && mkdir out
  ok "killed and resumed on 2 ranks" killed ranks 2 "$armilla" run --quiet --resume ../few.workflow
fi

# --- More realisations than before, and other stages after those that collect
enter longer && mkdir out
more="--set workflow.repeat=50 ../few.workflow"
# shellcheck disable=SC2086
ok "more realisations" "$armilla" run --quiet $more
enter grown && mkdir out
# grows N: so many are done, and the files are those of a run of all
grows ()
{
  # shellcheck disable=SC2086
  "$armilla" run --resume $more > said 2>&1 || return 1
  head -n 1 said
  grep -q "journal .*: $1 of 50 realisations are done" said && collected longer
}
"$armilla" run --quiet --resume ../few.workflow
ok "a run that is done may grow, and only the last lot is collected again" grows 36
ok "and has nothing left to do" grows 50
later ()
{
  # shellcheck disable=SC2086
  "$armilla" run --resume --trace trace.json --set spectra.percentiles-of=10 $more > said 2>&1 || return 1
  cat said
  grep -q "journal .*: 50 of 50 realisations are done; outputs computed again" said && not grep -q '"draw"' trace.json
}
ok "other percentiles need no realisation" later
grows_after_kill ()
{
  run_and_kill $((time / 2)) all "$armilla" run --quiet --resume ../few.workflow
  # shellcheck disable=SC2086
  "$armilla" run --quiet --resume $more && collected longer
}
enter grown-killed && mkdir out
time=$(hundredths "$armilla" run --quiet --resume ../few.workflow)
rm -rf out && mkdir out
ok "and so may one that was killed" grows_after_kill

# --- What a killed run without a journal has left, the next one removes
enter left && mkdir out
leaves ()
{
  "$armilla" run --quiet --set workflow.repeat=2000 ../few.workflow &
  pid=$!
  until [ -n "$(find out -name '.armilla-collect.*' ! -name '*.lock')" ] || ! kill -0 $pid 2> /dev/null; do
    sleep 0.02
  done
  kill -KILL $pid
  wait $pid
  # a file that it may have been writing
  for lock in out/.armilla-collect.*.lock; do name=${lock##*/}; : > "out/.${name%.lock}.2.of-mean.000000.tmp"; done
  [ -n "$(find out -name '.armilla-collect.*')" ]
}
ok "a run is killed" leaves
goes () { run ../few.workflow && [ -z "$(find out -name '.armilla*')" ] && collected; }
ok "the next one removes what it has left" goes

# --- What cannot be
enter errors && mkdir out
# wrong TEXT EDIT...: a workflow that awk or sed has changed
wrong ()
{
  text=$1
  shift
  "$@" ../few.workflow > wrong.workflow
  fails "$text" "$armilla" check wrong.workflow
}
run_wrong ()
{
  text=$1
  shift
  "$@" ../few.workflow > wrong.workflow
  refused wrong.workflow "$text"
}
ok "a file of each realisation is none of what is collected" \
  wrong "[map-mean] file: this node runs once, after the last realisation" sed 's/map-mean.fits/map-${index}.fits/'
both () { cat "$@"; printf '[both]\nstage = combine\ninput = maps.mean\ninput2 = sky\n'; output both-out map both both.fits; }
ok "nothing depends on a realisation and on all of them" \
  wrong "the output of sky differs between realisations and is not available then" both
twice () { cat "$@"; printf '[twice]\nstage = collect\ninput = maps.mean\n'; output tw map twice.mean tw.fits; }
ok "what is collected is not collected again" wrong "runs only once, after the last one" twice
kind () { sed 's/^map = maps.mean/map = spectra.mean/' "$@"; }
ok "the mean of spectra is no map" wrong "accepts data of kind map, but node spectra (collect) outputs cl" kind
ok "there is covariance is not available for maps" \
  run_wrong "[maps] input: realisation 0: covariance is not available for maps" sed 's/^table = spectra.covariance/table = maps.covariance/'
ok "there is minimum is not available for a_lm" \
  run_wrong "[alms] input: realisation 0: minimum is not available for a_lm" sed 's/^alm = alms.variance/alm = alms.minimum/'
ok "percentiles are numbers" run_wrong 'percentiles-of = 2, x: "x" is not a number from 0 to 100' \
  sed 's/^percentiles-of = .*/percentiles-of = 2, x/'
ok "nothing was written" [ -z "$(ls -A out)" ]
planned () { "$armilla" run --dry-run ../few.workflow > said && grep -q '^after the last realisation:$' said; }
ok "a dry run tells what comes at the end" planned
for i in 0 1 2; do printf 'x,x_error\n%d,%d\n' "$((i + 1))" "$((10 * i))" > "t$i.csv"; done
cat > errors.workflow << 'END'
[workflow]
repeat = 3
[t]
stage = read-table
file = t${index}.csv
[all]
stage = collect
input = t
[out]
stage = write-table
table = all.table
file = errors.csv
END
ok "a column with errors of its own is collected" "$armilla" run --quiet errors.workflow
ok "by other names" [ "$(grep -v '^#' errors.csv | tr '\n' ' ')" = \
  "x,x_error_scatter,x_error,x_error_error 2,1,10,10 " ]
drawn () { "$armilla" graph ../few.workflow | grep -q '"maps" -> "map-mean" \[label="map"'; }
ok "a graph knows the kind of what is collected" drawn
finish
