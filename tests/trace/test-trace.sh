#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# armilla run --trace and armilla trace, from the outside. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"

# fails STATUS TEXT COMMAND...: exit status, and one line that has TEXT
fails () { gives "$@" && one_message; }

awk 'BEGIN { for (l = 0; l <= 300; l++) print l, 400 - l }' > theory.txt
cat > sky.workflow <<END
$(random_alm draw theory theory.txt)
seed = 3
lmax = 64
[sky "quoted"]
stage = alm2map
alm = draw
nside = 32
[back]
stage = map2alm
map = sky
iterations = 2
$(analysis least sky 40)
method = cg
[flat]
stage = remove-monopole
map = sky
$(spectrum spectrum back)
$(spectrum other least)
$(output out map flat out.fits)
$(output out-cl cl spectrum cl.fits)
$(output out-other cl other other.fits)
END
sed -i 's/ "quoted"//' sky.workflow

# --- What is in a trace

traced () { "$armilla" run --quiet --overwrite "$@"; }

# sums FILE: the rows of codelets add up to those of their nodes, and workers to the length of the run
sums ()
{
  "$armilla" trace "$1" > table || return 1
  awk '
    $1 ~ /^\[/ { node = $1; if ($3 == "CPU") { want[node] += $5; count[node] += $4 } }
    /^  [a-z_]+ +CPU / { got[node] += $4; n[node] += $3; rows++ }
    /^rank .*%$/ { sum = 0; for (i = NF - 11; i <= NF; i += 2) sum += $i
               if (sum < 99.7 || sum > 100.3) { print "a worker has " sum " %"; bad = 1 } workers++ }
    END {
      # every row is rounded to 0.0001 s
      for (node in want)
        if (n[node] != count[node] || got[node] - want[node] > 0.005 || want[node] - got[node] > 0.005)
          { print node ": " got[node] " s, not " want[node]; bad = 1 }
      if (rows == 0 || workers == 0) { print "no rows"; bad = 1 }
      exit bad
    }' table
}

# has FILE TEXT...: each text is in the table of the trace
has ()
{
  file=$1
  shift
  "$armilla" trace "$file" > table || return 1
  for text; do
    grep -qF -- "$text" table || { echo "lacks: $text"; cat table; return 1; }
  done
}

ok "a run with --trace" traced --trace one.json sky.workflow
ok "the trace holds together" "$check" one.json 1
ok "the table adds up" sums one.json
ok "the table names nodes, stages and codelets" has one.json '[sky] alm2map' '[back] map2alm' \
  '[least] map2alm' '[out] write-map' '[draw] random-alm' delta_synthesis ring_adjoint dot \
  remove_dipole 'peak of a core' 'sky.workflow'
metadata () { "$check" "$1" 1 "$2" > value && cat value && grep -qF -- "$3" value; }
ok "the command line is kept" metadata one.json command 'armilla run --quiet --overwrite --trace one.json sky.workflow'
ok "no failure is told" metadata one.json failure null
# kept VALUE: a run takes the peak of a core from the file where an earlier one left it
kept ()
{
  sed -i "s/^core-flops=.*/core-flops=$1/" "$XDG_CACHE_HOME"/armilla/peaks-*.ini || return 1
  traced --trace kept.json sky.workflow || return 1
  grep -o '"core_flops":[0-9]*' kept.json
}
own=${XDG_CACHE_HOME-}
export XDG_CACHE_HOME="$room/cache"
ok "peaks are measured" traced --trace kept.json sky.workflow
ok "and kept for the next run" sh -c 'test -s "$XDG_CACHE_HOME"/armilla/peaks-*.ini'
is_kept () { [ "$(kept 123456789)" = '"core_flops":123456789' ]; }
ok "which takes them" is_kept
is_measured () { case $(kept "$1") in '"core_flops":'[1-9]??????*) ;; *) return 1 ;; esac; }
ok "but no nonsense" is_measured nan
ok "nor a negative one" is_measured -1e11
old () { sed -i 's/^measured=.*/measured=1000000000/' "$XDG_CACHE_HOME"/armilla/peaks-*.ini; is_measured 12345; }
ok "nor an old one" old
no_room () { rm -r "$XDG_CACHE_HOME" && : > "$XDG_CACHE_HOME" && traced --trace kept.json sky.workflow; }
ok "a cache that cannot be written stops no run" no_room
XDG_CACHE_HOME=$own
ok "realisations have numbers" traced --trace many.json --set workflow.repeat=3 \
  --set 'out.file=m${index}.fits' --set 'out-cl.file=m${index}.cl' \
  --set 'out-other.file=o${index}.cl' sky.workflow
ok "their trace holds together" "$check" many.json 1
ok "and has each" sh -c 'for i in 0 1 2; do grep -q "\"realisation\":$i," many.json || exit 1; done
  ! grep -q "\"realisation\":3," many.json'
ok "a name that JSON must escape" sh -c 'cp sky.workflow "a \"b\" \\c.workflow"'
ok "a run of it" traced --trace strange.json 'a "b" \c.workflow'
ok "its trace" "$check" strange.json 1
ok "its name" has strange.json 'a "b" \c.workflow'
ok "a compressed trace" traced --trace small.json.gz sky.workflow
ok "is read" sums small.json.gz
said () { "$armilla" run --overwrite "$@" 2>&1 | grep -q "^trace in "; }
ok "the program says where the trace is" said --trace said.json sky.workflow
paje ()
{
  "$armilla" run --overwrite --trace pj.json sky.workflow 2> err || return 1
  cat err
  if grep -q "Paje trace in pj.paje" err; then
    grep -q PajeDefineContainerType pj.paje && ! ls -d pj.fxt* 2> /dev/null
  else
    grep -q "no Paje trace: StarPU has no FxT, or" err && [ ! -e pj.paje ]
  fi
}
ok "a Paje trace beside it, or why there is none" paje

# The run's own trace does not need StarPU's.
no_paje ()
{
  STARPU_FXT_TRACE=0 "$armilla" run sky.workflow --overwrite --trace np.json 2> err || return 1
  grep -q "no Paje trace" err && [ -s np.json ] && [ ! -e np.paje ] && ! ls -d np.fxt* 2> /dev/null
}
ok "and none where that is asked for" no_paje
ok "the help names the option" sh -c "'$armilla' run --help | grep -q -e --trace"

# --- Runs that fail

no_convergence ()
{
  fails 1 '[least]: conjugate gradients' traced --set least.max-iterations=1 --trace failed.json sky.workflow
}
ok "a run that fails says why" no_convergence
ok "and writes its trace" "$check" failed.json 1
ok "which reports it, too" has failed.json 'the run failed: ' '[least]: conjugate gradients'
no_task ()
{
  "$armilla" run --quiet --trace nothing.json --set theory.file=gone.txt sky.workflow 2> err
  [ $? -eq 1 ] && cat err && [ "$(wc -l < err)" -eq 2 ] && [ ! -e nothing.json ] \
    && grep -q "no trace in nothing.json: no task was run" err && grep -q "gone.txt" err
}
ok "a run that fails before its first task has no trace" no_task
stopped ()
{
  rm -f s.json s1.fits
  "$armilla" run --quiet --overwrite --trace s.json --set workflow.repeat=2000 --set workflow.together=1 \
    --set 'out.file=s${index}.fits' --set 'out-cl.file=s${index}.cl' --set 'out-other.file=so${index}.cl' \
    sky.workflow 2> err &
  pid=$!
  until [ -e s1.fits ] || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
  kill -INT $pid
  wait $pid
  [ $? -eq 1 ] && cat err && "$check" s.json 1 && has s.json 'the run failed: stopped by SIGINT'
}
ok "a run that is stopped writes its trace" stopped

# --- Realisations overlap

# One by one: of batches only the first could begin so early, and on a busy machine none does.
cat > many.workflow <<END
[workflow]
repeat = 30
together = 1
$(random_alm draw theory theory.txt)
seed = 3
lmax = 128
$(synthesis sky draw 64)
$(output out map sky "many\${index}.fits")
END
ok "thirty realisations" traced --trace many.json many.workflow
ok "the recurrence of one runs before the one ahead is written" "$check" --pipeline many.json 1
# apart FILE: as if each realisation had waited for the one ahead
apart () { ! "$check" --pipeline "$1" 1 && grep -q '^0 of 3 realisations' "$room/.log"; }
ok "three, one after the other" traced --trace a.json --set workflow.repeat=3 many.workflow
awk '
  # every realisation gets a second of its own on the clock
  /"realisation":[0-9]/ {
    match ($0, /"realisation":[0-9]+/)
    i = substr ($0, RSTART + 14, RLENGTH - 14)
    for (n = split ("ts submitted ready taken", keys, " "); n > 0; n--)
      if (match ($0, "\"" keys[n] "\":[0-9.]+")) {
        v = substr ($0, RSTART + length (keys[n]) + 3, RLENGTH - length (keys[n]) - 3)
        $0 = substr ($0, 1, RSTART - 1) sprintf ("\"%s\":%.3f", keys[n], v + i * 1e9) \
             substr ($0, RSTART + RLENGTH)
      }
  }
  { sub (/"seconds":[0-9.e+-]+/, "\"seconds\":1e5"); print }' a.json > apart.json
ok "realisations that wait for each other are told" apart apart.json

# --- Files that cannot be written or read

ok "a folder that is not there" fails 1 '--trace: ' "$armilla" run --quiet --trace no/such/t.json sky.workflow
keep ()
{
  echo precious > kept.json
  fails 1 'kept.json' "$armilla" run --quiet --trace kept.json sky.workflow && grep -q precious kept.json
}
ok "a file that exists stays" keep
ok "--trace wants a name" fails 2 'trace' "$armilla" run --quiet sky.workflow --trace
ok "trace: no such file" fails 2 'gone.json' "$armilla" trace gone.json
ok "trace: a folder" fails 2 'is a folder' "$armilla" trace .
ok "trace: a workflow" fails 2 'sky.workflow: not a trace' "$armilla" trace sky.workflow
ok "trace: a map" fails 2 'not a trace' "$armilla" trace out.fits
echo '{"traceEvents": [{"ph": "X", "ts": 1}]}' > foreign.json
ok "trace: another program's" fails 2 'not a trace' "$armilla" trace foreign.json
: > empty.json
ok "trace: an empty file" fails 2 'not a trace' "$armilla" trace empty.json
head -c 20000 one.json > cut.json
ok "trace: one that was cut" fails 2 'the file ends' "$armilla" trace cut.json
grep -v '"cat":"host"' one.json > few.json
ok "trace: one that lacks events" fails 2 'few.json: the trace is damaged' "$armilla" trace few.json
head -c 1000 small.json.gz > cut.json.gz
ok "trace: a compressed one that was cut" fails 2 'cut.json.gz' "$armilla" trace cut.json.gz
ok "trace: no name" fails 2 'armilla trace' "$armilla" trace

# --- Several ranks

if ! has_ranks; then
  why="built without MPI, or no mpirun"
  for name in "three ranks" "their trace" "their table" "their messages"; do skip "$name" "$why"; done
else
  three () { ranks 3 "$armilla" run --quiet --overwrite "$@"; }
  # lmax 300 has several m-blocks, so that tiles go to all ranks
  larger="--set draw.lmax=300 --set sky.nside=128 --set back.lmax=300"
  # shellcheck disable=SC2086
  ok "three ranks" three --trace three.json $larger sky.workflow
  ok "their trace holds together" "$check" three.json 3
  ok "their table adds up" sums three.json
  ok "and names messages and ranks" has three.json 'imbalance over ranks' 'rank 1 to rank 0' \
    'rank 2 CPU 0'
  # shellcheck disable=SC2086
  ranks_fail () { three $larger --set least.max-iterations=1 --trace f3.json sky.workflow 2> err; [ $? -eq 1 ]; }
  ok "three ranks that fail" ranks_fail
  ok "their trace" "$check" f3.json 3
fi
finish
