#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Small realisations that one worker computes as a single task have the bits of tasks apart, as in a
# run with bounded memory; their errors name them, and a run that was killed is resumed. TAP.
RANKS_LIMIT=${RANKS_LIMIT:-60}
. "${srcdir:-.}/tests/lib/test-functions.sh"
. "$source/tests/lib/kill-functions.sh"
python=${PYTHON:-/usr/bin/python3}

awk 'BEGIN { for (l = 0; l <= 64; l++) {
  t = l < 2 ? 0 : 1000 / (l * (l + 1)); print l, t, t / 10, t / 100, t / 5 } }' > theory.dat
cat > simple.workflow << END
[workflow]
repeat = 13
$(input theory cl "$room/theory.dat")
columns = all
[draw]
stage = random-alm
cl = theory
seed = 3
lmax = 48
$(synthesis sky draw 24)
$(analysis measure sky 40)
iterations = 2
$(spectrum power measure)
$(output maps map sky 'map-${index}.fits')
$(output alms alm measure 'alm-${index}.fits')
$(output cls cl power 'cl-${index}.fits')
[scatter]
stage = collect
input = sky
[summary]
stage = collect
input = power
$(output mean map scatter.mean mean.fits)
$(output sigma map scatter.variance variance.fits)
$(output powers cl summary.mean power.fits)
END
# Conjugate gradients wait for values, of each realisation in turn.
cat simple.workflow - > skies.workflow << END
$(analysis exact sky 40)
method = cg
tolerance = 1e-8
$(spectrum both measure)
alm2 = exact
$(output crosses cl both 'both-${index}.fits')
END

# same_as_apart: all files are those in $room/apart
same_as_apart ()
{
  for file in "$room"/apart/*.fits; do "$fits" same "$file" "${file##*/}" || return 1; done
}
both () { "$@" && same_as_apart; }

# one_each: every realisation of the trace was computed by one worker, and both had some. The first
# one may have two, since the spectra are checked between its tasks.
one_each ()
{
  "$python" -c '
import collections, json
where = collections.defaultdict (set)
for event in json.load (open ("trace.json"))["traceEvents"]:
    args = event.get ("args", {})
    if args.get ("kind") == "CPU" and args["node"] in ("draw", "power"):
        where[args["realisation"]].add (event["tid"])
print (dict (where))
assert len (where) == 13 and all (len (where[i]) == 1 for i in range (1, 13))
assert len (set.union (*where.values ())) == 2'
}

enter apart
ok "tasks apart" run --memory "$(little_memory ../skies.workflow)" ../skies.workflow
for n in 1 2 3 4; do
  enter "workers-$n"
  ok "the same bits with $n worker(s)" both env STARPU_NCPU=$n "$armilla" run --quiet ../skies.workflow
done
enter traced
ok "and with a trace" env STARPU_NCPU=2 "$armilla" run --quiet --trace trace.json ../simple.workflow
rm ../apart/both-*.fits
ok "the same bits" same_as_apart
ok "each realisation by one worker" one_each
enter together
ok "one by one" both run --set workflow.together=1 ../simple.workflow
if has_ranks; then
  for deal in realisations blocks; do
    enter "$deal"
    ok "on two ranks, $deal" both ranks 2 "$armilla" run --quiet --set workflow.deal=$deal ../simple.workflow
  done
else
  for deal in realisations blocks; do skip "on two ranks, $deal" "built without MPI, or no mpirun"; done
fi

# --- What goes wrong in one of them

# fails_as_apart TEXT WORKFLOW: with the same message as tasks apart
fails_as_apart ()
{
  for option in "" "--memory=1GiB"; do
    gives 1 "$1" env STARPU_NCPU=2 "$armilla" run --quiet --overwrite ${option:+"$option"} "$2" && one_message || return 1
    cp "$room/.said" "said$option"
  done
  cmp said "said--memory=1GiB"
}

enter wrong
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
  cp ../workers-1/map-3.fits in-$i.fits
  cp ../theory.dat theory-$i.dat
done
"$fits" poke in-7.fits 1 3000 nan > /dev/null
cat > maps.workflow << END
[workflow]
repeat = 12
$(input sky map 'in-${index}.fits')
$(analysis measure sky 40)
$(output out alm measure 'alm-${index}.fits')
END
ok "a NaN in realisation 7" fails_as_apart "realisation 7" maps.workflow
ok "has no output" [ ! -e alm-7.fits ]
sed -i '20s/ / -/' theory-7.dat
cat > theories.workflow << END
[workflow]
repeat = 12
$(random_alm draw theory 'theory-${index}.dat')
$(synthesis sky draw 16)
$(output out map sky 'map-${index}.fits')
END
ok "a negative variance in realisation 7" fails_as_apart "[draw]: realisation 7" theories.workflow
ok "has no output" [ ! -e map-7.fits ]

# --- Killed runs are resumed

mv ../theory.dat ../spectra.dat
theory > ../theory.dat
many_workflow 24 100 > ../many.workflow
mkdir -p ../plain/out
export STARPU_NCPU=2
ok "a run with a journal" sh -c "cd ../plain && '$armilla' run --quiet ../many.workflow && rm out/many.journal"

# killed: twice within its time, and resumed
killed ()
{
  time=$(hundredths "$@")
  for kill in 1 2; do
    rm -rf out
    mkdir out
    run_and_kill $(($(random) % time)) all "$@"
    "$@" > said 2>&1 || { cat said; return 1; }
    same || return 1
  done
}
enter killed
mkdir out
ok "two kills" killed "$armilla" run --resume ../many.workflow
finish
