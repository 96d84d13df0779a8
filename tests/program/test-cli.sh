#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The armilla program as a user meets it: exit statuses, messages, options, plugins. TAP output.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/job-functions.sh
. "$source/tests/lib/job-functions.sh"
modules=$build/tests/plugins/.libs
examples=$source/workflows
unset ARMILLA_PLUGIN_PATH

# try STATUS COMMAND...: what it wrote is in the files out and err; run STATUS WORD...: armilla with these words
try () {
  expected=$1
  shift
  "$@" > out 2> err
  ended $? "$expected" "$*"
}
run () {
  expected=$1
  shift
  try "$expected" "$armilla" "$@"
}
# ended STATUS EXPECTED WORDS: what these words describe
ended () {
  good=yes
  words=$3
  test "$1" -eq "$2" || { good=no; echo "# exit status $1 instead of $2"; }
}
# says TEXT: standard error has TEXT in one of its lines.
says () {
  grep -qF -- "$1" err || { good=no; echo "# standard error lacks: $1"; }
}
# prints TEXT: standard output has TEXT in one of its lines.
prints () {
  grep -qF -- "$1" out || { good=no; echo "# standard output lacks: $1"; }
}
silent () {
  test ! -s "$1" || { good=no; echo "# $1 is not empty"; }
}
one_line () {
  test "$(wc -l < err)" -eq 1 || { good=no; echo "# not one line on standard error"; }
}
holds () {
  "$@" || { good=no; echo "# does not hold: $*"; }
}
result () {
  number=$((number + 1))
  if test $good = yes; then
    echo "ok $number - $1"
  else
    echo "# $words"
    sed 's/^/# out: /' out | head -20
    sed 's/^/# err: /' err | head -20
    echo "not ok $number - $1"
  fi
}

awk 'BEGIN { for (l = 0; l <= 32; l++) print l, 100 - l }' > theory.txt
cat > sky.workflow <<END
[workflow]
title = A sky
[variables]
theory = theory.txt
$(random_alm draw theory "\${theory}")
seed = 3
[beam]
stage = smooth-alm
alm = draw
fwhm = 10 deg
$(synthesis sky beam 16)
$(output out map sky sky.fits)
END

# --- the program
run 2
says "usage: armilla COMMAND"; silent out
result "no command is a mistake"
run 0 --help
prints "armilla run"; prints "Exit status: 0 done; 1 the run failed; 2"; silent err
result "help goes to standard output"
run 0 --version
prints "armilla "; silent err
result "version"
run 2 rnu
says 'armilla: unknown command "rnu"; did you mean "run"?'; one_line; silent out
result "an unknown command"
for command in bench check graph inspect machine run tune; do
  run 0 $command --help
  prints "armilla $command"; silent err
  result "help of $command"
  run 2 $command --no-such-option
  says "armilla $command: Unknown option --no-such-option; see armilla $command --help"; one_line
  result "an unknown option of $command"
done
run 2 run --dry-run --resume sky.workflow
says "armilla run: --dry-run computes nothing; leave out --resume"; one_line
result "options that exclude each other"
run 2 run
says "usage: armilla run FILE"; one_line
result "run without a file"
run 2 check sky.workflow another.workflow
says "usage: armilla check FILE"
result "check with two files"

# --- check
run 0 check sky.workflow
says "sky.workflow: 5 nodes, 1 realisation, no problems"; silent out; holds test ! -e sky.fits
result "a good workflow"
[ ! -e "$data/data/totcls.dat" ] || job_inputs
for file in "$examples"/*.workflow; do
  case $file in
    */point-sources.workflow) run 0 check -D "sources=$examples/point-sources.fits" "$file" ;;
    *) run 0 check "$file" ;;
  esac
  if { [ ! -e "$data/data/totcls.dat" ] || ! can_read "$file"; } && grep -q 'cannot be read' err; then
    skip "example $(basename "$file")" "no HEALPix data, or no maps among them"
    continue
  fi
  says "no problems"
  result "example $(basename "$file")"
done
run 2 check not-there.workflow
says "not-there.workflow: cannot open the workflow: No such file"; one_line
result "a workflow that is not there"
run 2 check .
says ".: cannot open the workflow: it is a folder"; one_line
result "a folder instead of a workflow"
run 2 check --set beam.fwhm=10 sky.workflow
says '--set beam.fwhm=10: [beam] fwhm: "10" has no unit'; one_line
result "--set is checked"
run 2 check --set=bean.fwhm=10 sky.workflow
says '--set bean.fwhm=10: no node "bean"; did you mean "beam"?'; one_line
result "--set of an unknown node"
run 2 check -D thery=x sky.workflow
says '-D thery=x: the workflow has no variable "thery"; did you mean "theory"?'; one_line
result "-D of an unknown variable"
sed -e 's/read-cl/red-cl/' -e 's/alm = draw/aml = draw/' -e 's/nside = 16/nside = x/' \
  sky.workflow > bad.workflow
run 2 check bad.workflow
says 'bad.workflow:6:9: [theory] stage: unknown stage "red-cl"; did you mean "read-cl"?'
says 'bad.workflow:14:1: [beam] aml: smooth-alm has no such key; did you mean "alm"?'
says 'bad.workflow:19:9: [sky] nside: "x" is not a whole number'
holds test "$(wc -l < err)" -eq 3
result "all mistakes at once"

# --- run
run 0 run --dry-run sky.workflow
prints "[sky] alm2map"; prints "  map: map: HEALPix nside 16, 1 field"; holds test ! -e sky.fits
result "a dry run prints the plan and writes nothing"
run 1 run --dry-run -D theory=gone.txt sky.workflow
says "sky.workflow:7:8: [theory] file: gone.txt"; one_line; silent out
result "a dry run finds a missing input"
run 0 run sky.workflow
says "A sky"; says "[sky] alm2map -> map: HEALPix nside 16"; says "done in"; silent out
holds test -s sky.fits
result "a run tells a line a stage"
cp sky.fits first.fits
run 1 run --quiet sky.workflow
says "sky.workflow:23:8: [out] file: sky.fits"; one_line; holds cmp -s sky.fits first.fits
result "an output that exists stays"
run 0 run --quiet --overwrite sky.workflow
silent err; silent out
result "--quiet says nothing, --overwrite replaces"
run 0 run --quiet --set workflow.overwrite=true --set sky.nside=8 --set out.file=small.fits \
  sky.workflow
holds test -s small.fits; holds test "$(wc -c < small.fits)" -lt "$(wc -c < sky.fits)"
result "--set several times"
run 0 run --quiet --define theory=./theory.txt --set=out.file=defined.fits sky.workflow
holds test -s defined.fits
result "--define"
run 1 run --quiet --set out.file=no/such/folder/x.fits sky.workflow
says "--set out.file=no/such/folder/x.fits: [out] file: "; one_line
result "an output into a folder that is not there"
run 0 run --quiet --set workflow.repeat=3 --set 'out.file=r${index}.fits' sky.workflow
holds test -s r0.fits; holds test -s r2.fits; holds test ! -e r3.fits
holds sh -c '! cmp -s r0.fits r2.fits'
result "three realisations"
run 1 run --quiet --set workflow.repeat=3 --set 'out.file=n${index}.fits' \
  -D 'theory=${index}.txt' sky.workflow
says "realisation 0: 0.txt"; one_line; holds test ! -e n0.fits
result "a realisation whose input is missing"
sed 's/^\[out\]/[other]\nstage = alm2map\nalm = beam\nnside = 16\n&/' sky.workflow > unused.workflow
run 0 run --dry-run --overwrite unused.workflow
says "unused.workflow:20:2: [other]: warning: no node uses the output of this one"; one_line
result "a node that is not used"
LC_ALL=C.UTF-8 run 0 run --quiet --set 'out.file=π.fits' sky.workflow
holds test -s π.fits
result "a name that is not ASCII"
try 1 sh -c "'$armilla' run --dry-run --overwrite sky.workflow > /dev/full"
says "cannot write to standard output"
result "a plan that cannot be written"

# --- what only a task can find
cat > tail.workflow <<END
$(analysis back sky 32)
method = cg
max-iterations = 1
[flat]
stage = remove-monopole
map = sky
galactic-cut = 90 deg
[out]
END
sed -e '/^\[out\]/r tail.workflow' -e '/^\[out\]/d' -e 's/^map = sky/map = flat/' sky.workflow \
  | sed -e '/^\[back\]/,/^\[flat\]/s/map = flat/map = sky/' \
    -e '/^\[flat\]/,/^\[out\]/s/map = flat/map = sky/' > tasks.workflow
run 1 run --quiet --set flat.galactic-cut="0 deg" --set out.file=cg.fits tasks.workflow
says "tasks.workflow:20:2: [back]: conjugate gradients: the relative residual is"; one_line
holds test ! -e cg.fits
result "no convergence names the node"
run 1 run --quiet --set back.max-iterations=100 --set out.file=flat.fits tasks.workflow
says "tasks.workflow:26:2: [flat]: the monopole of field 0 cannot be fitted"; one_line
holds test ! -e flat.fits
result "a monopole that cannot be fitted names the node"
awk 'BEGIN { for (l = 0; l <= 32; l++) print l, 1 - l }' > negative.txt
run 1 run --quiet -D theory=negative.txt --set out.file=negative.fits sky.workflow
says "sky.workflow:8:2: [draw]: "; one_line; holds test ! -e negative.fits
result "a negative C_l names the node"
run 1 run --quiet -D theory=negative.txt --set workflow.repeat=2 --set 'out.file=neg${index}.fits' \
  sky.workflow
# Both are at work at once; either may fail first.
says "sky.workflow:8:2: [draw]: realisation "; one_line
result "and the realisation"

# --- a run that is stopped
"$armilla" run --set workflow.repeat=2000 --set 'out.file=s${index}.fits' --set sky.nside=64 \
  sky.workflow > out 2> err &
pid=$!
until test -e s1.fits || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
kill -TERM $pid
wait $pid
ended $? 1 "run ... & kill -TERM"
holds test -e s1.fits
holds test -z "$(find . -name '.*' -type f)"
result "SIGTERM ends a run with 1 and leaves no temporary file"

# --- graph
run 0 graph sky.workflow
prints "digraph workflow {"; prints '"beam" -> "sky" [label="alm"'; prints 'label="A sky"'; silent err
result "graph"
if command -v dot > /dev/null; then
  holds sh -c 'dot -Tsvg out > /dev/null'
  result "dot takes the graph"
else
  skip "dot takes the graph" "no dot"
fi

# --- inspect
run 0 inspect
prints "alm2map "; prints "read-map "; silent err
result "inspect lists the stages"
run 0 inspect smooth-alm
prints "  alm: alm"
prints "  fwhm: angle (rad, deg, arcmin, arcsec); 0 deg to 180 deg; default 0 deg"
prints "  libarmilla"; silent err
result "inspect describes a stage"
run 2 inspect smooth
says 'armilla inspect: unknown stage "smooth"; did you mean "smoothing"?'; one_line; silent out
result "inspect of an unknown stage"
while read -r stage rest; do
  run 0 inspect "$stage"
  prints "$stage: "; prints "Origin"
  result "inspect $stage"
done <<END
$("$armilla" inspect)
END

# --- machine
run 0 machine
prints "StarPU"; prints "worker 0"
figure='([1-9][0-9]*\.[0-9]|0\.[1-9])' # whatever the machine does beside it
holds grep -qE "one core +$figure Gflop/s .*, copies $figure GB/s" out
result "machine"

# --- bench
run 0 bench alm2map --nside 16 --repeats 3 --threads 1
prints "alm2map, HEALPix nside 16, lmax 32, 1 map"; prints " s of 3 calls"; prints "Gflop/s"; silent err
result "bench alm2map"
# bytes: 6 a_lm of 16 and 3 x 6 pixels of 8, twice
run 0 bench map2alm --grid=gauss --lmax=2 --batch=2 --repeats=2 --threads 1 --json
figure='[0-9]+\.[0-9]{6}'
holds grep -qE "^  \{\"name\": \"map2alm gauss\", \"nside\": 0, \"lmax\": 2, \"batch\": 2, \"seconds\": \
$figure, \"best_seconds\": $figure, \"flops\": [0-9.]+, \"bytes\": 480, \"repeats\": 2\}$" out
prints '{"machine": {"program":"armilla '; prints '"workers":["CPU 0"]'; silent err
result "bench map2alm as JSON"
# 6 a_lm of 16 and 3 x 6 pixels of 8, of I, Q and U
run 0 bench alm2map --grid=gauss --lmax=2 --spin 0,2 --repeats=2 --threads 1 --json
prints '{"name": "alm2map gauss spin 0,2", "nside": 0, "lmax": 2, "batch": 1, '; prints '"bytes": 720,'
result "bench of I, Q, U"
run 0 bench alm2map --nside 16 --repeats 1 --threads 1 --theta-min 60 --theta-max 90
prints "HEALPix nside 16 (13 of its 63 rings)"
result "bench of some rings"
run 0 bench alm2map --grid gauss --lmax 16 --repeats 1 --threads 1 --legendre butterfly --table bench.table
prints "table bench.table: made"; holds grep -qE "([0-9]+) of \1 blocks of orders by table" out
good_before=$good
run 0 bench map2alm --grid gauss --lmax 16 --repeats 1 --threads 1 --table bench.table
prints "table bench.table ("; prints "blocks of orders by table, the others by recurrence; "
holds test "$good_before" = yes
result "bench by a table"
run 0 bench alm2map --nside 16 --repeats 2 --threads 1 --trace bench.json
good_before=$good
run 0 trace bench.json
prints "delta_synthesis"; prints "rank 0 CPU 0"
holds test "$good_before" = yes
result "bench with a trace"
run 1 bench alm2map --nside 8 --trace no/such/folder/t.json
says "no/such/folder"; one_line; silent out
result "bench with a trace that cannot be written"
printf '\n\n' | "$armilla" bench map2alm --nside 8 --step --resident > out 2> err
ended $? 0 "bench --step"
holds test "$(grep -cxE "$figure" out)" -eq 2
result "bench takes a step for each line that it reads"
for option in "alm2mop --nside 8:unknown benchmark \"alm2mop\"; did you mean \"alm2map\"?" \
  "alm2map:a HEALPix grid requires --nside" "alm2map --nside 8 --rings 3:accepts neither --rings" \
  "alm2map --grid gauss:--grid gauss requires --lmax" \
  "alm2map --grid gaus --lmax 3:unknown kind of grid \"gaus\"; did you mean \"gauss\"?" \
  "alm2map --nside 8 --batch 0:--batch: 0 is not allowed; 1 to 65536 is" \
  "alm2map --nside 8 --lmax -1:--lmax: -1 is not allowed" \
  "alm2map --nside 8 --spin 0,4:--spin: \"0,4\" is not a list of up to 8 integers from 0 to 3" \
  "alm2map --nside 8 --legendre butterfly:--legendre butterfly requires --table" \
  "alm2map --nside 8 --legendre recurence:unknown method \"recurence\"; did you mean \"recurrence\"?" \
  "alm2map --nside 8 --table t --table-tolerance 0:--table-tolerance: 0; must be" \
  "convolve --nside 8 --fwhm 900 --table t:--legendre and --table require alm2map or map2alm" \
  "alm2map --nside 8 --repeats 0:--repeats: 0 is not allowed"; do
  run 2 bench ${option%%:*}
  says "${option#*:}"; one_line; silent out
  result "a mistake: bench ${option%%:*}"
done
run 1 bench alm2map --nside 8 --threads 0 --gpus 0
says "StarPU cannot start"; one_line; silent out
result "bench without workers"

# --- tune
home_data=${XDG_DATA_HOME-$room/none}
export XDG_DATA_HOME="$room/data"
run 0 tune --sizes 32 --time "0 s" --threads 1
prints "lmax 32, alm2map: nothing is better than the defaults"
prints "lmax 32, map2alm: nothing is better than the defaults"; prints "kept in $room/data/armilla/tuning-"
tuned=$(echo "$room"/data/armilla/tuning-*.ini)
for group in "" "alm2map " "map2alm "; do
  holds grep -q "^\[cpu ${group}size 32 batch 1\]" "$tuned"
done
result "tune keeps what it found"
sed -i -e 's/^ring-block=.*/ring-block=5/' -e 's/^m-blocks=.*/m-blocks=3/' "$tuned"
run 0 run --overwrite --set out.file=tuned.fits sky.workflow
says "tiles of HEALPix nside 16: 7 blocks of up to 5 ring pairs (tuned, $tuned)"
says "tiles of lmax 32: 3 blocks of orders (tuned, $tuned)"
result "a run uses it and reports it"
run 0 run --overwrite --set out.file=given.fits --set workflow.ring-block=5 \
  --set workflow.m-blocks=3 --no-tuning sky.workflow
says "7 blocks of up to 5 ring pairs (given)"; says "3 blocks of orders (given)"
"$armilla" run --quiet --no-tuning --set out.file=default.fits sky.workflow
tail -c 11520 tuned.fits > tuned.bits; tail -c 11520 given.fits > given.bits
holds cmp tuned.bits given.bits
result "what is tuned or given makes no difference"
# A run that is resumed knows what the one before was made of, whatever the time.
run 0 run --resume --set out.file=resumed.fits sky.workflow
first=$(ls -i resumed.fits)
sleep 1.1
run 0 run --resume --set out.file=resumed.fits sky.workflow
holds test "$(ls -i resumed.fits)" = "$first"
result "a tuned run is resumed as what it was"
# Each direction is cut as was found for it, and both together as was found for both.
cp "$tuned" same.ini
awk '/^\[/ { n = /alm2map/ ? 6 : /map2alm/ ? 7 : 5 } /^ring-block=/ { $0 = "ring-block=" n } { print }' \
  same.ini > "$tuned"
{ cat sky.workflow; printf '[back]\nstage = map2alm\nmap = sky\nlmax = 32\n'
  printf '[back-out]\nstage = write-alm\nalm = back\nfile = back.fits\n'; } > both.workflow
run 0 run --overwrite sky.workflow
says "6 blocks of up to 6 ring pairs (tuned, $tuned)"
result "alm2map is cut for itself"
run 0 bench map2alm --nside 16 --threads 1
prints "5 blocks of up to 7 ring pairs (tuned, $tuned)"
result "and so is map2alm"
for n in 0 1; do
  run 0 run --overwrite --set back.iterations=$n both.workflow
  says "7 blocks of up to 5 ring pairs (tuned, $tuned)"
  result "a graph of both is cut for both, $n iterations"
done
cat > back.workflow <<END
$(input sky map tuned.fits)
$(analysis back sky 32)
$(output out alm back back.fits)
END
run 0 run --overwrite --set back.iterations=0 back.workflow
says "5 blocks of up to 7 ring pairs (tuned, $tuned)"
result "a workflow of map2alm without iterations is cut for it"
run 0 run --overwrite --set back.iterations=1 back.workflow
says "7 blocks of up to 5 ring pairs (tuned, $tuned)"
result "with iterations it has both directions"
# As armilla tune kept it before each direction had its own.
awk '/^\[/ { old = !/alm/ } old { print }' same.ini > "$tuned"
run 0 run --overwrite sky.workflow
says "7 blocks of up to 5 ring pairs (tuned, $tuned)"
result "a file of before serves both directions"
cp same.ini "$tuned"
run 0 run --overwrite --no-tuning --set workflow.m-blocks=2 sky.workflow
says "ring pairs (default)"; says "2 blocks of orders (given)"
result "--no-tuning"
run 0 bench alm2map --nside 16 --threads 1
prints "7 blocks of up to 5 ring pairs (tuned, $tuned)"
result "bench uses it"
run 0 bench alm2map --nside 16 --threads 1 --no-tuning
prints "ring pairs (default)"
result "bench --no-tuning"
cp "$tuned" good.ini
sed -i 's/^generation=/generation=9/' "$tuned"
run 0 run --overwrite sky.workflow
says "$tuned is ignored: was created by armilla"; says "run armilla tune to create a new one"
says "ring pairs (default)"
result "choices of another version are ignored, with a word"
echo "[armilla" > "$tuned"
run 0 run --overwrite sky.workflow
says "$tuned is ignored"; says "ring pairs (default)"
result "a damaged file is ignored, with a word"
run 0 run --quiet --overwrite sky.workflow
silent err
result "and without one where only errors are wanted"
cp good.ini "$tuned"
"$armilla" tune --sizes 512 --time "100 s" > out 2> err &
pid=$!
until grep -q ring-block err || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
kill -INT $pid
wait $pid
ended $? 1 "tune ... & kill -INT"
holds cmp good.ini "$tuned"
holds test "$(ls "$room/data/armilla" | wc -l)" -eq 1
result "tune that is interrupted leaves the file as it was"
for option in "--time 2:has no unit" "--time -1s:--time: " "--sizes 3,x:not a list" \
  "--sizes 1:not a list" "--sizes ,:not a list" "--batches 0:not a list" "--batches x:not a list"; do
  run 2 tune ${option%%:*}
  says "${option#*:}"; one_line; silent out
  result "a mistake: tune ${option%%:*}"
done

if has_ranks; then
  for n in 2 3; do
    try 0 ranks $n "$armilla" run --set out.file=ranks$n.fits sky.workflow
    says "7 blocks of up to 5 ring pairs (tuned, $tuned)"
    tail -c 11520 ranks$n.fits > ranks.bits
    holds cmp tuned.bits ranks.bits
    result "the choice of rank 0 holds for $n ranks, and the map is the same"
  done
  try 1 ranks 2 "$armilla" tune --sizes 8
  holds test "$(grep -c 'tuning requires a single rank' err)" -eq 1
  holds cmp good.ini "$tuned"
  result "tune under mpirun"
else
  for name in "the choice of rank 0 holds for 2 ranks" "and for 3" "tune under mpirun"; do
    skip "$name" "built without MPI, or no mpirun"
  done
fi
rm "$tuned"
XDG_DATA_HOME=$home_data

# --- plugins
mkdir good bad empty twice
cp "$modules/low-pass.so" good
ARMILLA_PLUGIN_PATH=:empty:good:good: run 0 inspect low-pass
prints "low-pass: Take small scales out of a_lm"; prints "keep: whole number; 0 to 16777216; required"
prints "good/low-pass.so"; silent err
result "a plugin is found through ARMILLA_PLUGIN_PATH"
sed -e 's/^alm = beam/alm = low/' -e 's/^\[sky\]/[low]\nstage = low-pass\nalm = beam\nkeep = 4\nstop = 9\n&/' \
  sky.workflow > low.workflow
ARMILLA_PLUGIN_PATH=good run 0 run --quiet --set out.file=low.fits low.workflow
holds test -s low.fits
result "a plugin's stage runs"
run 2 run --quiet low.workflow
says 'low.workflow:17:9: [low] stage: unknown stage "low-pass"'
result "without the plugin its stage is not known"
cp good/low-pass.so twice/copy.so
ARMILLA_PLUGIN_PATH=good:twice run 0 inspect
says "warning: twice/copy.so: plugin low-pass is loaded already, from good/low-pass.so"
one_line
result "a plugin that is there twice"
ARMILLA_PLUGIN_PATH=gone run 2 inspect
says "ARMILLA_PLUGIN_PATH: cannot search for plugins"; says "gone"; one_line
result "a plugin folder that is not there"
echo "not a module" > bad/text.so
ARMILLA_PLUGIN_PATH=bad run 0 inspect
says "warning: cannot load plugin bad/text.so: "; one_line
result "a plugin that is not a shared object"
for name in other-abi no-descriptor loose-end; do
  rm -f bad/*
  cp "$modules/$name.so" bad
  ARMILLA_PLUGIN_PATH=bad run 0 check sky.workflow
  says "bad/$name.so"; says "its stages are missing"; silent out
  holds test "$(wc -l < err)" -eq 2
  case $name in
    other-abi) says "was built for plugin interface 100"; says ", but this program has " ;;
    no-descriptor) says "exports no armilla_plugin_desc" ;;
    loose-end) says "undefined symbol: armilla_test_function_of_no_library" ;;
  esac
  result "a plugin that is no good: $name"
done

# --- several ranks
if has_ranks; then
  rm sky.fits
  try 0 ranks 2 "$armilla" run sky.workflow
  holds test "$(grep -c 'alm2map' err)" -eq 1
  holds cmp -s first.fits sky.fits
  result "two ranks: only the first one talks, and the map is the same"
  try 2 ranks 2 "$armilla" run --set sky.nside=x sky.workflow
  holds test "$(grep -c 'is not a whole number' err)" -eq 1
  result "two ranks: one message about a wrong workflow"
  try 1 ranks 2 "$armilla" run -D theory=gone.txt --set out.file=mpi2.fits sky.workflow
  holds test "$(grep -c 'gone.txt' err)" -eq 1
  holds test ! -e mpi2.fits
  result "two ranks: one message about a missing input"
else
  for name in "only the first one talks" "a wrong workflow" "a missing input"; do
    skip "two ranks: $name" "built without MPI, or no mpirun"
  done
fi

ARMILLA_MEMORY="1 kB" run 1 run --dry-run sky.workflow
says "[draw]"; says "needs at least"; says "lower lmax or nside"; one_line
result "what no memory can hold is refused before the first task"
ARMILLA_MEMORY="much" run 1 run --dry-run sky.workflow
says "ARMILLA_MEMORY"
result "a bad ARMILLA_MEMORY is told"

finish
