#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# armilla plan: every example on every node file; what has no rate is marked; what --measure writes is what
# --nodes reads, and has the times of the trace. No test asserts a time. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/job-functions.sh
. "$source/tests/lib/job-functions.sh"
STARPU_NCPU=2
TMPDIR=$room
export STARPU_NCPU TMPDIR

# rates FILE GROUP: the names that a node's file has a rate for
rates () { sed -n "/^\[$2\]/,/^\[/s/^\([a-z_-]*\) = .*/\1/p" "$1"; }

# work PLAN: name, worker, count, seconds and mark of each kind of work in a plan's JSON
work ()
{
  grep -o '{"name": "[^}]*}' "$1" |
    sed 's/.*"name": "\([^"]*\)", "on": "\([^"]*\)", "count": \([0-9]*\), "total": \([^,]*\), "estimated": \([a-z]*\)}/\1 \2 \3 \4 \5/'
}

# number_of KEY PLAN: of a forecast in JSON
number_of () { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" "$2"; }

# marked PLAN NODE: what the file has no rate for is marked, and nothing else
marked ()
{
  work "$1" > work.txt || return 1
  [ -s work.txt ] || return 1
  for group in CPU:cpu CUDA:cuda host:host; do
    rates "$2" "${group#*:}" | sed "s/\$/ ${group%:*}/"
  done > known.txt
  awk 'NR == FNR { known[$1 " " $2] = 1; next }
    { want = ($1 " " $2 in known) ? "false" : "true" }
    $5 != want { print "wrong mark:", $0; bad = 1 } END { exit bad }' known.txt work.txt
}

# parts PLAN: its two tables, of realisations and of what follows them
parts () { sed 's/"after": .*//' "$1" > each.json && sed 's/.*"after": //' "$1" > after.json; work each.json > each.txt; work after.json > after.txt; }

# sums PLAN TASK EPS: all tasks are in the table, and tasks of workers take what the forecast says
# they do, except for EPS of it; TASK s lie between two
sums ()
{
  parts "$1"
  awk -v n="$(number_of tasks "$1")" '$1 !~ /-end$/ { sum += $3 } END { print sum, n; exit sum != n }' work.txt &&
    awk -v busiest="$(number_of busiest "$1")" -v task="$2" -v all="$(number_of realisations "$1")" \
      -v played="$(number_of played "$1")" -v eps="$3" '$2 != "host" { sum += (FILENAME == "each.txt" ? all / played : 1) * ($4 + task * $3) }
      END { print sum, busiest; d = sum - busiest; exit !(d < eps * sum + 1e-9 && d > -eps * sum - 1e-9) }' each.txt after.txt
}

# lasts PLAN: it takes as long at least as its four I/O threads need, those of realisations that were not played, too
lasts ()
{
  parts "$1"
  awk -v seconds="$(number_of seconds "$1")" -v all="$(number_of realisations "$1")" \
    -v played="$(number_of played "$1")" '$2 == "host" { sum += (FILENAME == "each.txt" ? all / played : 1) / 4 * $4 }
    END { print sum, seconds; exit !(sum < 1.01 * seconds) }' each.txt after.txt
}

# plan NODE WORKFLOW OPTION...: the plan of one rank with one worker leaves nothing behind
plan ()
{
  sed 's/^workers = .*/workers = 1/' "$source/doc/nodes/$1.node" > one.node
  task=$(sed -n 's/^task = \(.*\) us/\1e-6/p' one.node)
  workflow=$source/workflows/$2.workflow
  shift 2
  (cd in && "$armilla" plan --json --nodes ../one.node "$@" "$workflow") > plan.json 2> said || { cat said; return 1; }
  cat plan.json
  [ "$(ls -A in)" = "$inputs" ] && marked plan.json one.node && lasts plan.json
}

# example WORKFLOW NODE: what is the same in all realisations is done once; where all of them are played, that is exact
example ()
{
  plan "$2" "$1" && sums plan.json "$task" 0.2 || return 1
  [ "$(number_of realisations plan.json)" -eq "$(number_of played plan.json)" ] ||
    plan "$2" "$1" --set workflow.repeat=4 || return 1
  sums plan.json "$task" 2e-5
}

# The text marks the same, and says what the mark means.
says ()
{
  "$armilla" plan --nodes 2x"$source/doc/nodes/cpu.node" "$source/workflows/simulate-sky.workflow" > plan.txt || return 1
  cat plan.txt
  grep -q '^  scale_alm  *CPU .* \*$' plan.txt && grep -q '^  delta_synthesis  *CPU .*[0-9]$' plan.txt &&
    grep -q '^  \* has no rate in the node file' plan.txt
}

# without_peaks: a file that has neither rate nor peaks is told apart
without_peaks ()
{
  sed '/^\[peaks\]/d; /^core-/d' "$source/doc/nodes/cpu.node" > old.node
  not "$armilla" plan --nodes old.node "$source/workflows/simulate-sky.workflow" 2> said && cat said &&
    grep -q 'has no rate for .* no \[peaks\]' said
}

# no_folder WORKFLOW NODE.KEY NAME: where outputs would have no folder, a run fails and a plan does not
no_folder ()
{
  cp in/point-sources.fits . &&
    "$armilla" plan --nodes "$source/doc/nodes/cpu.node" "$source/workflows/$1.workflow" \
    --set "$2=$room/none/$3" > /dev/null && [ ! -e "$room/none" ] &&
    not "$armilla" run "$source/workflows/$1.workflow" --set "$2=$room/none/$3"
}

# measured FILE [PART]: what a run's trace gives is read again; nothing is left to be estimated, and
# kinds of work have the number of tasks, and together the time, that they had in the trace, up to a
# hundredth or another part. (A plan sorts as a run does, and has that in the time of the thread
# that submits.)
measured ()
{
  rm -rf runs run.json
  mkdir runs && (cd runs && run "$1" --trace ../run.json) || return 1
  "$armilla" plan --measure run.json > run.node && cat run.node || return 1
  "$armilla" plan --nodes run.node --json "$1" > plan.json || return 1
  cat plan.json
  marked plan.json run.node && not grep -q ' true$' work.txt || return 1
  sed -n 's/.*"ph":"X","name":"\([a-z_-]*\)".*"cat":"[th]a*o*s[kt]".*"dur":\([0-9.]*\).*"kind":"\([A-Za-z]*\)".*/\1 \3 \2 &/p' run.json |
    awk '{ finish = 0
        if (match ($0, /"finish":[0-9.]*/)) {
          finish = substr ($0, RSTART + 9, RLENGTH - 9)
          n[$1 "-end " $2]++
          t[$1 "-end " $2] += finish / 1e6
        }
        n[$1 " " $2]++
        t[$1 " " $2] += ($3 - finish) / 1e6 }
      END { for (k in n) print k, n[k], t[k] }' | grep -v '^sort-' | sort > traced.txt
  sort work.txt > planned.txt
  cat traced.txt planned.txt
  awk -v part="${2:-0.01}" 'NR == FNR { n[$1 " " $2] = $3; t[$1 " " $2] = $4; left++; next }
    { k = $1 " " $2; d = $4 - t[k]; left-- }
    n[k] != $3 || d > part * t[k] + 1e-6 || d < -part * t[k] - 1e-6 { print "not as traced:", $0, n[k], t[k]; bad = 1 }
    END { exit bad || left != 0 }' traced.txt planned.txt
}

mkdir in && cp "$source/workflows/point-sources.fits" in && (cd in && job_inputs) || exit 99
inputs=$(ls -A in)
# A sanitizer takes twice as long: of the many pairs of a workflow and a node, every third.
step=1
if sanitized; then step=3; fi
pairs=0
for workflow in "$source"/workflows/*.workflow; do
  for node in "$source"/doc/nodes/*.node; do
    name=$(basename "$workflow" .workflow)
    kind=$(basename "$node" .node)
    [ $(((pairs += 1) % step)) -eq 0 ] || continue
    can_read "$workflow" || { skip "$name on $kind.node" "$no_maps"; continue; }
    ok "$name on $kind.node" example "$name" "$kind"
  done
done
ok "what is estimated is marked" says
ok "neither rate nor peaks" without_peaks
ok "a map whose folder is missing" no_folder simulate-sky out.file x.fits
ok "a picture whose folder is missing" no_folder simulate-sky picture.file x.png
ok "a table whose folder is missing" no_folder two-point table.file x.ecsv
ok "patches whose folder is missing" no_folder point-sources picture.file x.png
for workflow in estimate-spectrum polarisation simulate-sky smooth-wmap; do
  can_read "$source/workflows/$workflow.workflow" || { skip "$workflow as it was traced" "$no_maps"; continue; }
  ok "$workflow as it was traced" measured "$source/workflows/$workflow.workflow"
done

# slow_host: many skies, of which steps of I/O threads take longest, and their workers have enough to do for
# those of two lots to be done at once
slow_host ()
{
  sed '/^spin_\|^ring_/d; s/^workers = .*/workers = 2/
    /^\[host\]/a mask = 1e6 us + 1 GB/s\nnoise-map = 3e5 us + 1 GB/s
    /^\[cpu\]/a apply = 45000 us + 10 GB/s\nspin_synthesis = 14600 us + 10 Gflop/s\nspin_prepare = 10000 us + 10 Gflop/s
    /^\[cpu\]/a ring_adjoint = 143000 us + 10 Gflop/s\nring_synthesis = 350000 us + 10 Gflop/s' \
    "$source/doc/nodes/cpu.node" > slow.node
  "$armilla" plan --json --nodes slow.node "$source/workflows/paper-figure.workflow" > plan.json || return 1
  work plan.json > work.txt
  cat work.txt
  grep -q '^mask host .* false$' work.txt && lasts plan.json
}
ok "I/O threads that have most to do" slow_host

# Pairs are counted of the same objects in a plan and in a run, but where these are within a mask that is only
# computed in the run: for a plan they are all over the sky. (Small tasks' times are fitted, too.)
sed 's/^number = \(.*\)0$/number = \1/' "$source/workflows/two-point.workflow" > "$room/masked.workflow"
sed '/^mask = sky$/d' "$room/masked.workflow" > "$room/unmasked.workflow"
ok "two-point without its mask as it was traced" measured "$room/unmasked.workflow" 0.02
ok "two-point nearly so" measured "$room/masked.workflow" 0.25
finish
