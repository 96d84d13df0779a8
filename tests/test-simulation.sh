#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The program of a SimGrid build: runs of machines that are not there, beside what armilla plan forecasts for
# them. Where StarPU simulates nothing there is nothing to test. TAP.

. "${srcdir:-.}/tests/workflow-functions.sh"
if ! "$armilla" machine 2>&1 < /dev/null | grep -q ARMILLA_NODE; then
  echo "1..0 # SKIP this StarPU does not simulate (build-aux/build-starpu --simgrid)"
  exit 0
fi
TMPDIR=$room
export TMPDIR

awk 'BEGIN { for (l = 0; l <= 256; l++) print l, 1 }' > flat.dat
cat > a.workflow << END
[workflow]
repeat = 3
[flat]
stage = read-cl
file = $room/flat.dat
[draw]
stage = random-alm
cl = flat
seed = 7
lmax = 256
[sky]
stage = alm2map
alm = draw
nside = 128
[back]
stage = map2alm
map = sky
lmax = 256
iterations = 0
[spectrum]
stage = alm2cl
alm = back
[out]
stage = write-cl
cl = spectrum
file = out-\${index}.fits
END
cp "$source"/doc/nodes/*.node . || exit 99
# Slower by a thousand: seconds, of which what StarPU takes to submit (it is not simulated) is nothing.
for kind in cpu h200; do
  sed -e 's/Tflop/Gflop/; s/TB/GB/; t' -e 's/ GB\/s/ MB\/s/' -e "s/^workers.*/workers = 3/" "$kind.node" |
    awk '/flop\/s$/ && kind == "cpu" { $3 /= 1000 } { print }' kind=$kind > "slow-$kind.node"
done
sed 's/^workers.*/workers = 1/' slow-cpu.node > slow-one.node

# seconds FILE: what a simulated run says
seconds () { ARMILLA_NODE=$1 "$armilla" run a.workflow 2>&1 | sed -n 's/^done in \(.*\) s$/\1/p'; }

# near FILE PER-CENT: run and forecast agree
near ()
{
  simulated=$(seconds "$1")
  [ -n "$simulated" ] || ARMILLA_NODE=$1 "$armilla" run a.workflow
  forecast=$(ARMILLA_NODE=$1 "$armilla" plan a.workflow --nodes "1x$1" --json | sed 's/.*"seconds": \([^,]*\).*/\1/')
  echo "simulated $simulated, forecast $forecast"
  awk -v a="$simulated" -v b="$forecast" -v most="$2" 'BEGIN {
    d = 100 * (a - b) / b; exit !(a > 0 && d < most && d > -most) }'
}

nothing_written () { [ -z "$(ls out-*.fits armilla-simulation-* 2> /dev/null)" ]; }

twice () { [ "$(seconds slow-cpu.node)" = "$(seconds slow-cpu.node)" ]; }

no_node ()
{
  unset ARMILLA_NODE
  run a.workflow 2> .message
  [ $? -eq 1 ] && grep -q 'ARMILLA_NODE must name the file' .message
}

ok "one worker: the sum of the tasks, as forecast" near slow-one.node 3
ok "three workers" near slow-cpu.node 15
ok "a GPU" near slow-h200.node 15
ok "the same again" twice
ok "nothing is written" nothing_written
ok "no machine" no_node
sed '/^delta_adjoint/d' slow-cpu.node > gap.node
ok "a rate that is missing" sh -c "ARMILLA_NODE=gap.node '$armilla' run a.workflow 2>&1 | grep -q 'no rate for delta_adjoint'"
finish
