#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is the same in all realisations is made once, and they have the bits that they have where each
# makes it for itself, as a run with checkpoints does. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

awk 'BEGIN { for (l = 0; l <= 32; l++) print l, l < 2 ? 0 : 1000 / (l * (l + 1)) }' > theory.dat
cat > skies.workflow << END
[workflow]
repeat = 7
$(random_alm draw theory "$room/theory.dat")
seed = 1
$(synthesis sky draw 16)
[edge]
stage = expression
nside = 16
expression = where(abs(lat) > 20, 1, 0)
[mask]
stage = mask
mask = edge
apodise = 10 deg
[coupling]
stage = coupling
mask = mask
lmax = 32
[masked]
stage = mask
map = sky
mask = mask
$(analysis measure masked 32)
$(spectrum spectra measure)
[powers]
stage = decouple
cl = spectra
coupling = coupling
delta-l = 4
$(output maps map masked 'map-${index}.fits')
$(output tables table powers.table 'powers-${index}.ecsv')
[mean]
stage = collect
input = powers.table
$(output result table mean.table mean.ecsv)
END

# tasks NODE: of a traced run; host steps, too
tasks ()
{
  "$python" -c '
import json, sys
events = json.load (open ("trace.json"))["traceEvents"]
print (sum (e.get ("args", {}).get ("node") == sys.argv[1] for e in events))' "$1"
}
python=${PYTHON:-/usr/bin/python3}

# same: all files are those in $room/each, except for what they say of the workflow
rows () { grep -v '^#' "$1"; }
same ()
{
  for file in "$room"/each/*.fits; do "$fits" same "$file" "${file##*/}" || return 1; done
  for file in "$room"/each/*.ecsv; do
    rows "$file" > want && rows "${file##*/}" | cmp - want || return 1
  done
}
both () { "$@" && same; }

# as_often TIMES NODE...: each of these has that many times the tasks that it has in one realisation
as_often ()
{
  times=$1
  shift
  for node; do
    n=$(tasks "$node")
    one=$(sed -n "s/^$node //p" "$room/tasks")
    echo "$node: $n tasks, $one in one realisation"
    [ "$one" -gt 0 ] && [ "$n" -eq "$((times * one))" ] || return 1
  done
}

# drawn: each realisation has drawn, and the first one has checked what it draws from
drawn ()
{
  one=$(sed -n "s/^draw //p" "$room/tasks")
  [ "$(tasks draw)" -eq $((7 * (one - 1) + 1)) ]
}

enter one
run --set workflow.repeat=1 --trace trace.json ../skies.workflow > /dev/null
for node in theory edge mask coupling draw sky masked powers; do echo "$node $(tasks $node)"; done > ../tasks
enter each
ok "each realisation makes all of it" run --set workflow.checkpoint='1 h' --trace trace.json ../skies.workflow
ok "the theory, too" as_often 7 theory
rm -f trace.json
enter once
ok "it is made once" run --trace trace.json ../skies.workflow
ok "by as many tasks as in one realisation" as_often 1 theory edge mask coupling
ok "and all else for each" as_often 7 masked powers
ok "except the check of the theory" drawn
ok "the same bits" same
enter little
ok "the same bits where memory is short" both run --memory "$(little_memory ../skies.workflow)" ../skies.workflow
enter alone
ok "the same bits one by one" both run --set workflow.together=1 ../skies.workflow
enter resumed
run --resume ../skies.workflow > /dev/null
rm -f powers-2.ecsv map-5.fits mean.ecsv
ok "a run that is resumed makes it again" run --resume --trace trace.json ../skies.workflow
ok "once" as_often 1 mask
ok "the same bits" same
if has_ranks; then
  for n in 2 3; do
    for deal in blocks realisations; do
      enter "$deal-$n"
      ok "the same bits of $n ranks, $deal" both ranks "$n" "$armilla" run --set workflow.deal=$deal ../skies.workflow
    done
  done
else
  skip "the same bits on ranks" "built without MPI, or no mpirun"
fi

enter sweep
sed 's/^repeat = 7/repeat = 2\nsweep = mask.apodise: 5, 10 deg/; s/\(map\|powers\)-\${index}/&-${mask.apodise}/
  s/mean\.ecsv/mean-${mask.apodise}.ecsv/' ../skies.workflow > swept.workflow
ok "what a sweep changes is made for each" run --trace trace.json swept.workflow
ok "and what it does not change, once" as_often 1 theory edge
ok "the mask four times" as_often 4 mask

# Outputs that are the same in all realisations are written once, whatever else there is.
cat > "$room/constant.workflow" << END
$(output kept map mask mask.fits)
[picture]
stage = render
map = edge
file = edge.png
$(output shape cl theory theory-again.fits)
END
cat ../skies.workflow "$room/constant.workflow" > ../all.workflow
sed -n '1,2p;/^\[theory\]/,/^file/p;/^\[edge\]/,/^apodise/p' ../skies.workflow | cat - "$room/constant.workflow" > ../only.workflow
enter single
ok "constant outputs of one realisation" run --set workflow.repeat=1 ../only.workflow
constant ()
{
  "$@" && only mask.fits edge.png theory-again.fits && cmp edge.png ../single/edge.png || return 1
  for file in mask theory-again; do "$fits" same $file.fits ../single/$file.fits || return 1; done
}
enter three
ok "the same of seven, each once" constant run ../only.workflow
enter mixed
ok "and beside others" both run --trace trace.json ../all.workflow
written_once () { [ "$(tasks kept)" -gt 0 ] && as_often 1 mask && "$fits" same mask.fits ../single/mask.fits; }
ok "written once" written_once
enter constant-resumed
run --resume ../only.workflow && rm mask.fits
again () { run --resume --trace trace.json ../only.workflow && rm only.journal trace.json && constant true; }
ok "one that is gone is written again" again
if has_ranks; then
  for deal in blocks realisations; do
    enter "constant-$deal"
    ok "on two ranks, $deal" constant ranks 2 "$armilla" run --set workflow.deal=$deal ../only.workflow
  done
else
  skip "on ranks" "built without MPI, or no mpirun"
fi
enter read-again
printf '%s\n' '[again]' 'stage = read-map' 'file = mask.fits' '[both]' 'stage = mask' 'map = sky' 'mask = again' \
  "$(output apart map both 'apart-${index}.fits')" | cat ../all.workflow - > reads.workflow
ok "a realisation cannot read one" gives 2 "node kept writes this file once, after the last realisation" \
  "$armilla" check reads.workflow
enter planned
ok "a plan counts it once" gives 0 "" "$armilla" plan ../skies.workflow --nodes "$source/doc/nodes/half.node"
finish
