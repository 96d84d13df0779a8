#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole grid of convolutions of tests/convolution/test-convolve-grid.c, in parts side by side on
# all cores: 8 kinds of kernels, 6 widths, 29 grids, accuracies 1e-2 to 1e-10, both methods. Runs
# from a bundle, with nothing else installed, or in the folder of a build:
#
#   BUNDLE/convolve-grid [GRID...]
#   cd build && ../tests/tools/convolve-grid.sh [GRID...]
#
# GRID is a name such as healpix-64 or gauss-legendre-11; without one, all. JOBS=N runs N parts at a
# time (default: as many as cores), LIMIT=S ends a part after S seconds (default 300), LOGS=FOLDER
# keeps what they say. A part that is ended still counts what it did, and fails.
set -u
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
if [ -e "$here/environment.sh" ]; then
  bundle=$here
  . "$bundle/environment.sh"
  program=$bundle/tests/bin/test-convolve-grid
else
  program=$PWD/tests/convolution/test-convolve-grid
fi
[ -x "$program" ] || { echo "convolve-grid: there is no $program; make it first" >&2; exit 2; }
jobs=${JOBS:-$(nproc)}
limit=${LIMIT:-300}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'kill $(jobs -p) 2> /dev/null; exit 130' INT TERM
logs=${LOGS:-$work/logs}
mkdir -p "$logs" "$work/sampling" || exit 1
logs=$(cd "$logs" && pwd)
rm -f "$logs"/*.log

# Processes that bind their worker to a core would all take the first one.
export STARPU_NCPU=1 STARPU_NCUDA=0 STARPU_WORKERS_NOBIND=1 STARPU_SILENT=1 STARPU_HOME=$work
export STARPU_PERF_MODEL_DIR=$work/sampling XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_HIDE_ERRORS=2
export ARMILLA_TEST_LARGE=1
unset KERNEL WIDTH

names=$("$program" -l 2> /dev/null | sed -n 's,.*/convolve-grid/,,p')
[ -n "$names" ] || { echo "convolve-grid: $program names no grids" >&2; exit 2; }
[ $# -gt 0 ] || set -- $names
for name; do
  case " $(echo $names) " in
    *" $name "*) ;;
    *) echo "convolve-grid: there is no grid $name; there are:" $names >&2; exit 2 ;;
  esac
done

# The parts, the longest first: one kernel of one width on large grids, one kernel on others.
parts ()
{
  local name kernel width
  for name; do
    case $name in
      healpix-48 | healpix-64 | healpix-1??)
        for width in 5 4 3 2 1 0; do
          for kernel in 5 6 1 7 2 3 4 0; do echo "${name##*-} $name $kernel $width"; done
        done ;;
      *) for kernel in 5 6 1 7 2 3 4 0; do echo "$((${name##*-} / 4)) $name $kernel"; done ;;
    esac
  done | sort -s -r -n -k 1,1
}

run_part () # GRID KERNEL [WIDTH]
{
  local log=$logs/$1-$2${3+-$3}.log status=0 child=
  trap 'kill "$child" 2> /dev/null; exit 130' TERM
  export KERNEL=$2
  [ -z "${3-}" ] || export WIDTH=$3
  TIMEFORMAT='# took %R s, of a core %U s'
  { time {
      timeout -k 5 "$limit" "$program" -p "/convolve-grid/$1" > "$log" 2>&1 &
      child=$!
      wait $child || status=$?
    }
  } 2> "$log.time"
  cat "$log.time" >> "$log"
  rm -f "$log.time"
  [ $status -ne 124 ] || echo "not ok - $1 kernel $2 ${3+width $3}: ended after $limit s" >> "$log"
  [ $status -eq 0 ] || [ $status -eq 124 ] || grep -q '^not ok' "$log" \
    || echo "not ok - $1 kernel $2 ${3+width $3}: exit status $status" >> "$log"
}

start=$SECONDS
running=0
while read -r _ name kernel width; do
  if [ $running -ge "$jobs" ]; then
    wait -n
    running=$((running - 1))
  fi
  run_part "$name" "$kernel" ${width:+"$width"} < /dev/null &
  running=$((running + 1))
done < <(parts "$@")
wait

# What went wrong, then a row for each grid.
for log in "$logs"/*.log; do
  if grep -q '^not ok' "$log"; then
    echo "FAILED ${log##*/}:"
    grep '^not ok' "$log"
    grep -v '^# of \|^ok\|^1\.\.\|^# Start\|^# End\|^# random\|^not ok' "$log" | head -n 20
  fi
done
cat "$logs"/*.log | awk -v order="$*" -v took=$((SECONDS - start)) '
  function most(table, key, value) { if (!(key in table) || value > table[key]) table[key] = value }
  /^# of .* cases / {
    grid = $3; sub (/:$/, "", grid)
    for (i = 4; i < NF; i++) { # the method is the word before "cases"
      if ($(i + 1) == "cases") { method = $i; sub (/:$/, "", method) }
      value[$i] = $(i + 1)
    }
    key = grid " " method
    cases[key] += value["cases"]; missed[key] += value["missed"]; all += value["cases"]
    most(used, key, value["error/accuracy"] + 0)
    if (method != "auto") { # its error is that of one of the others
      most(told, key, value["error/reported"] + 0)
      most(over, key, value["reported/error"] + 0)
      most(roundings, key, value["roundings"] + 0)
    }
  }
  /^# of .* refused/ { grid = $3; sub (/:$/, "", grid); refused[grid]++ }
  /^# took/ { core += $(NF - 1); if ($3 > longest) longest = $3; parts++ }
  /^not ok/ { bad++ }
  END {
    print "| grid | refused | method | cases | miss it and report it | error / accuracy | error / A | A / error | roundings |"
    print "|---|---|---|---|---|---|---|---|---|"
    n = split (order, grids, " "); split ("harmonic ring auto", methods, " ")
    for (i = 1; i <= n; i++)
      for (m = 1; m <= 3; m++) {
        key = grids[i] " " methods[m]
        printf "| %s | %d | %s | %d | %d | %.2g | %.2g | %.3g | %.1g |\n", grids[i], refused[grids[i]],
          methods[m], cases[key], missed[key], used[key], told[key], over[key], roundings[key]
        if (methods[m] != "auto" && cases[key] == 0) bad++
      }
    printf "%d cases in %d parts, %d failed; %d s, %d s of a core, the longest part %d s\n", all, parts, bad,
      took, core, longest
    exit bad > 0
  }'
