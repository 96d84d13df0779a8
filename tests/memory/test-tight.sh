#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bounds that hold hardly more than the tiles of two tasks: a run ends with the bits of one without a bound, or is
# refused before it computes anything, with an advice that is enough. SIGTERM ends one in order. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
mkdir "$room/disk" "$room/plain" || exit 99
export STARPU_NCPU=2

awk 'BEGIN { for (l = 0; l <= 1000; l++) print l, 1 / (l + 1) }' > "$room/cl.dat"
# Small tiles, of which many are alive; a map that is read several times; and few m-blocks, of large tiles.
cat > "$room/sky.workflow" << END
[workflow]
ring-block = 64
$(random_alm draw cl "$room/cl.dat")
lmax = 1000
seed = 3
$(synthesis sky draw 512)
$(analysis alm sky 1000)
$(spectrum cls alm)
$(output out cl cls cl.fits)
$(output more alm alm alm.fits)
END
sed "s/^map = sky/map = level/; s/^\[alm\]/[level]\nstage = remove-monopole\nmap = sky\n&/" "$room/sky.workflow" > "$room/level.workflow"
sed "s/^ring-block.*/&\nm-blocks = 4/" "$room/sky.workflow" > "$room/few.workflow"

# A sanitizer keeps some memory of its own, with which bounds begin.
start=$(min_memory --spill "$room/disk" "$room/sky.workflow")
ok "the least that the program asks for" [ "${start:-0}" -gt 4 ]
advice () { sed -n 's/.*set memory = \([0-9]*\) MiB.*/\1/p' "$room/.said"; }
same () { cmp cl.fits "$room/plain/$1.cl" && cmp alm.fits "$room/plain/$1.alm"; }
# Safety against a run that waits; a run takes a second.
within () { timeout 100 "$armilla" run --overwrite --quiet --memory "$1MiB" --spill "$room/disk" "$room/$2.workflow"; }
# holds BOUND WORKFLOW: it ends, or the first advice does
holds ()
{
  within "$1" "$2" > "$room/.said" 2>&1 && { same "$2"; return; }
  enough=$(advice)
  [ -n "$enough" ] || { cat "$room/.said"; echo "with $1 MiB"; return 1; }
  within "$enough" "$2" || { echo "with $enough MiB, as advised"; return 1; }
  same "$2"
}
step=5
if sanitized; then step=45; fi # a run takes ten times as long
all_hold ()
{
  for bound in $(seq $((start - 30)) $step $((start + 15))); do
    holds "$bound" "$1" || return 1
  done
}

cd "$room" || exit 99
for flow in sky level few; do
  run --overwrite "$room/$flow.workflow" && mv cl.fits "plain/$flow.cl" && mv alm.fits "plain/$flow.alm" || exit 99
  ok "$flow: all bounds around the least one" all_hold $flow
done

# Many tiles are on the disk when it is stopped.
cat > large.workflow << END
[workflow]
ring-block = 64
$(random_alm draw cl "$room/cl.dat")
lmax = 1000
seed = 3
$(synthesis sky draw 1024)
$(analysis alm sky 1000)
iterations = 1000
$(output more alm alm large.fits)
END
stopped ()
{
  "$armilla" run --memory "$((start + 10))MiB" --spill "$room/disk" large.workflow > "$room/.said" 2>&1 &
  pid=$!
  sleep 4
  kill -TERM $pid
  wait $pid
  got=$?
  cat "$room/.said"
  [ $got -ne 0 ] && says "stopped by SIGTERM" && not grep -q 'still running' "$room/.said"
}
ok "SIGTERM ends a run whose tiles are on the disk" stopped
ok "without output" [ ! -e large.fits ]
ok "and without what was moved there" [ -z "$(ls -A disk)" ]
finish
