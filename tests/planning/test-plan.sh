#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# armilla plan: the graph that it plays is the one that ranks run, message by message; what it says
# of wrong words and files. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
STARPU_NCPU=1
TMPDIR=$room
export STARPU_NCPU TMPDIR

awk 'BEGIN { for (l = 0; l <= 128; l++) print l, 1 }' > flat.dat
cat > there-and-back.workflow << END
[workflow]
repeat = 2
ring-block = 8
m-blocks = 9
deal = blocks
[variables]
nside = 64
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = 128
$(synthesis sky draw "\${nside}")
$(analysis back sky 128)
iterations = 1
$(spectrum spectrum back)
$(output out cl spectrum "out-\${index}.fits")
END

# All of the rates are taken from a run of one rank.
measured ()
{
  run there-and-back.workflow --trace one.json --overwrite &&
    {
      "$armilla" plan --measure one.json > measured.node &&
        sed 's/^memory = .*/memory = 4 GiB/; s/^bandwidth = .*/bandwidth = 1 GB\/s/
          s/^message = .*/message = 20 us/; s/^own = .*/own = 7 us/; s/^task = .*/task = 5 us/' measured.node
    } > a.node && grep -q '^workers = 1$' a.node && grep -q '^start = .* us$' a.node &&
    grep -q '^delta_synthesis = .*flop/s$' a.node && grep -q '^ring_synthesis = .*flop/s$' a.node &&
    sed -n '/^\[host\]/,$p' a.node | grep -q '^random-alm = .*B/s$'
}

plan () { "$armilla" plan there-and-back.workflow "$@"; }

# number KEY: of the last forecast in JSON
number_of () { sed "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/" plan.json; }

# The times of kernels, of a trace of one rank, are found again in the forecast of one node.
one_node ()
{
  plan --nodes 1xa.node --json > plan.json || return 1
  cat plan.json
  [ "$(number_of messages)" = 0 ] || return 1
  busy=$("$armilla" trace one.json | awk '$NF == "%" && $2 == "CPU" && $1 !~ /^\[/ { s += $4 } END { print s }')
  # the kernels, and 5 us a task; the table rounds each of a dozen kernels to 0.1 ms
  awk -v mean="$(number_of mean)" -v n="$(number_of tasks)" -v busy="$busy" 'BEGIN {
    d = mean - busy - 5e-6 * n; print busy, mean, d; exit !(d < 0.02 * busy + 2e-4 && d > -0.02 * busy - 2e-4) }'
}

# Tasks, messages and bytes of three ranks that run it are those of the forecast, which knows of no
# tiles that move because a core is busy.
same_graph ()
{
  ranks 3 env ARMILLA_SPEEDS='1 1 1' ARMILLA_MIGRATE=off "$armilla" run --quiet --overwrite \
    --trace three.json there-and-back.workflow || return 1
  "$armilla" trace three.json > three.txt && plan --nodes 3xa.node --json > plan.json || return 1
  cat plan.json three.txt
  messages=$(awk '$3 == "to" && $4 == "rank" { n += $6 } END { print n }' three.txt)
  bytes=$(awk '$3 == "to" && $4 == "rank" { n += $7 } END { print 1e6 * n }' three.txt)
  tasks=$(awk '$2 == "CPU" && $1 !~ /^\[/ { n += $3 } $3 == "host" { n += $4 } END { print n }' three.txt)
  [ "$(number_of messages)" = "$messages" ] && [ "$(number_of tasks)" = "$tasks" ] || return 1
  # each pair of ranks is printed to 1000 bytes
  awk -v a="$(number_of bytes)" -v b="$bytes" 'BEGIN { exit !(a - b < 3001 && b - a < 3001) }'
}

# Nodes whose rates nothing that runs beside this test can change.
sed 's/^workers = .*/workers = 1/; s/^bandwidth = .*/bandwidth = 1 GB\/s/; s/^message = .*/message = 20 us/' \
  "$source/doc/nodes/cpu.node" > still.node

# More nodes are not slower, twice the bandwidth is not either, and both say why.
scales ()
{
  sed 's/bandwidth = 1 GB/bandwidth = 1000 GB/; s/message = 20/message = 0.001/' still.node > fast.node
  sed 's/bandwidth = 1 GB/bandwidth = 0.001 GB/' still.node > slow.node
  for kind in slow still fast; do
    plan --no-io --nodes "4x$kind.node" --json > plan.json || return 1
    cat plan.json
    number_of seconds >> seconds.txt
    [ "$kind" != slow ] || [ "$(number_of limit)" = redistribution ] || return 1
  done
  awk 'NR > 1 && $1 > last { bad = 1 } { last = $1 } END { exit bad }' seconds.txt
}

plan_synthesis ()
{
  "$armilla" plan there-and-back.workflow --set workflow.repeat=1 --set back.iterations=0 -D nside=1024 \
    --set workflow.ring-block=128 --no-io --json --nodes "$1" > plan.json || return 1
  cat plan.json
}

# Where ring transforms take longest, no rank waits for those of others: eight nodes, each with two
# of sixteen ring blocks, take less than a fifth of the time of one. (With three ring blocks in
# flight on all of them it would be a third.)
ranks_do_not_wait ()
{
  sed 's/^\(ring_[a-z]* =\).*/\1 0.01 Gflop\/s/' still.node > rings.node
  plan_synthesis 1xrings.node || return 1
  alone=$(number_of seconds)
  plan_synthesis 8xrings.node || return 1
  awk -v a="$alone" -v b="$(number_of seconds)" 'BEGIN { exit !(a > 5 * b) }'
}

# Tiles that are redistributed hold what is in them, and half as much at most: of 4096 rings and 129
# orders, 16 bytes each, there and back, three fourths go to other ranks. (Those of m-blocks of one
# size would be twice that: of nine the first has 8 orders, the last 36.)
tiles_are_full ()
{
  plan_synthesis "4x$source/doc/nodes/h200.node" || return 1
  awk -v b="$(number_of bytes)" 'BEGIN {
    all = 2 * 16 * 4095 * 129; print b, all; exit !(b > 0.6 * all && b < 1.5 * 0.8 * all) }'
}

# Whole realisations, where each node gets as many.
whole ()
{
  plan --set out.file="$room"'/x-${index}.fits' --nodes 2xa.node --json > plan.json || return 1
  [ "$(number_of dealt)" = blocks ] || return 1
  sed 's/deal = blocks/deal = realisations/; s/repeat = 2/repeat = 12/' there-and-back.workflow > dealt.workflow
  "$armilla" plan dealt.workflow --nodes 2xa.node,2xhalf.node --json > plan.json || return 1
  [ "$(number_of dealt)" = realisations ] && "$armilla" plan dealt.workflow --nodes 2xa.node,2xhalf.node
}

# Nothing is written, and no machine's memory but the nodes' counts.
nothing_written ()
{
  mkdir empty || return 1
  (
    cd empty &&
      "$armilla" plan ../there-and-back.workflow --nodes 4x../huge.node -D nside=2048 --no-io > text &&
      cat text && [ "$(ls -A)" = text ]
  )
}

# The nodes of doc/scaling.md know all that a transform needs.
published ()
{
  for kind in cpu half eighth h200; do
    "$armilla" plan there-and-back.workflow --set back.iterations=0 --nodes "4x$source/doc/nodes/$kind.node" || return 1
  done
}

# fails STATUS TEXT WORD...: exit status and message of a plan
fails () { status=$1; text=$2; shift 2; gives "$status" "$text" "$armilla" plan "$@"; }

ok "rates are measured by a trace" measured
sed 's/workers = 1/workers = 2/; s/^memory.*/speed = 0.5/' a.node > half.node
ok "one node takes what its kernels take" one_node
if has_ranks; then
  ok "three ranks have the tasks and the messages of the forecast" same_graph
fi
# What follows the last realisation of each point, and the last point.
cat > after.workflow << END
[workflow]
repeat = 3
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = 64
$(synthesis sky draw 32)
[mean]
stage = collect
input = sky
[finer]
stage = ud-grade
map = mean.mean
nside = 64
$(analysis back finer 128)
iterations = 2
$(synthesis again back 64)
$(spectrum spectrum back)
$(output out map again again.fits)
END
sed 's/^repeat = 3/&\nsweep = draw.seed: 1, 2, 3, 4/; s/^file = again\.fits/file = again-${draw.seed}.fits/' after.workflow > points.workflow
cat >> points.workflow << END
[joined]
stage = sweep-table
input = spectrum
[scaled]
stage = expression-table
table = joined
expression = 2 * TT
$(output table table scaled table.ecsv)
END
# after WORKFLOW OPTION...: tasks, if all are played, are those of a run of one rank, and take what they took there
after ()
{
  run "$@" --trace after.json --overwrite && "$armilla" trace after.json > after.txt &&
    "$armilla" plan --measure after.json | sed 's/^own = .*/own = 0.001 us/; s/^task = .*/task = 0.001 us/' > after.node &&
    "$armilla" plan "$@" --nodes after.node --json > plan.json || return 1
  cat plan.json after.txt
  tasks=$(awk '$2 == "CPU" && $1 !~ /^\[/ { n += $3 } $3 == "host" { n += $4 } END { print n }' after.txt)
  busy=$(awk '$NF == "%" && $2 == "CPU" && $1 !~ /^\[/ { s += $4 } END { print s }' after.txt)
  [ $# -gt 1 ] || [ "$(number_of tasks)" = "$tasks" ] || return 1
  awk -v mean="$(number_of mean)" -v busy="$busy" 'BEGIN {
    d = mean - busy; print busy, mean, d; exit !(d < 0.02 * busy + 5e-4 && d > -0.02 * busy - 5e-4) }'
}
ok "what follows the last realisation" after after.workflow
ok "what follows the last point" after points.workflow
ok "more points than are played" after points.workflow --set "workflow.sweep=draw.seed: 1, 2, 3, 4, 5, 6, 7, 8, 9"
sed 's/^memory.*/memory = 100 MiB/' after.node > small.node
ok "too little memory for it" fails 1 "[finer]" after.workflow --set finer.nside=2048 --nodes small.node
ok "ranks take turns with points" "$armilla" plan points.workflow --nodes 3xafter.node
ok "the network makes the difference that it must" scales
ok "ranks do not wait for ring transforms of others" ranks_do_not_wait
ok "tiles that are sent have the size of what is in them" tiles_are_full
awk 'BEGIN { for (l = 0; l <= 4096; l++) print l, 1 }' > fine.dat
cat > fine.workflow << END
$(random_alm draw flat fine.dat)
seed = 7
lmax = 4096
$(synthesis sky draw 2048)
END
# fine NODES: forecasts one transform
fine () { "$armilla" plan fine.workflow --no-io --json --nodes "$1" > plan.json; }
# unequal: of a node with a GPU and one without, whichever comes first, the GPU does all
unequal ()
{
  cpu=1x$source/doc/nodes/cpu.node
  gpu=1x$source/doc/nodes/h200.node
  fine "$cpu,$gpu" && seconds=$(number_of seconds) && [ "$(number_of messages)" -eq 0 ] &&
    fine "$gpu,$cpu" && [ "$(number_of messages)" -eq 0 ] && [ "$(number_of seconds)" = "$seconds" ]
}
# two_gpus: the busier one has hardly more than half of the work; before, one had all of the recurrence
two_gpus ()
{
  fine "2x$source/doc/nodes/h200.node" &&
    awk -v mean="$(number_of mean)" -v busiest="$(number_of busiest)" \
      'BEGIN { print mean, busiest; exit !(mean > 0 && busiest < 1.1 * mean) }'
}
ok "whole realisations are dealt" whole
sed 's/^memory.*/memory = 1 TiB/' a.node > huge.node
sed 's/^memory.*/memory = 100 KiB/' a.node > tiny.node
ok "a forecast leaves no file" nothing_written
ok "the published nodes" published
ok "a GPU on either of two nodes" unequal
ok "two GPUs share a transform" two_gpus
ok "too little memory" fails 1 "needs at least" there-and-back.workflow --nodes 1xtiny.node
sed '/^delta_adjoint/d; /^\[peaks\]/d; /^core-/d' a.node > gap.node
ok "a rate that is missing" fails 1 "gap.node: [cpu] has no rate for delta_adjoint" there-and-back.workflow --nodes 1xgap.node
ok "no nodes" fails 2 "--nodes [Nx]KIND is missing" there-and-back.workflow
ok "no node at all" fails 2 '"0xa.node" is not a file; must be a file, or a number of nodes' there-and-back.workflow --nodes 0xa.node
ok "no such file" fails 2 "none.node" there-and-back.workflow --nodes 2xnone.node
ok "a workflow that is wrong" fails 2 "flat.dat" flat.dat --nodes 2xa.node
ok "--measure alone" fails 2 "no other option" --measure one.json --json
ok "no trace" fails 2 "" --measure flat.dat
export OMPI_COMM_WORLD_SIZE=2
ok "under mpirun" fails 2 "one process forecasts any" there-and-back.workflow --nodes 2xa.node
finish
