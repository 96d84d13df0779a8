#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A plugin that was built before the program: it loads where the interface is the same; otherwise it is
# refused with a word, and what has nothing to do with it goes on. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

mkdir same old
cp "$build/tests/plugins/.libs/toy.so" same/
cp "$build/tests/plugins/.libs/old-toy.so" old/toy.so
now=$(sed -n 's/^#define ARMILLA_PLUGIN_ABI //p' "$source/include/armilla/stage.h")
printf '[a]\nstage = toy\n' > toy.workflow
awk 'BEGIN { for (l = 0; l <= 16; l++) print l, 1 }' > flat.dat
printf '[theory]\nstage = read-cl\nfile = flat.dat\n[out]\nstage = write-cl\ncl = theory\nfile = cl.fits\n' > copy.workflow
with () { folder=$1; shift; env ARMILLA_PLUGIN_PATH="$room/$folder" "$@"; }

ok "of this interface, its stage is there" gives 0 "Do nothing" with same "$armilla" inspect toy
ok "and may be used" with same "$armilla" check toy.workflow
ok "of the one before, it is told, with both numbers and what to do" \
  gives 0 "old/toy.so was built for plugin interface $((now - 1)), but this program has $now; build it again" \
  with old "$armilla" inspect
ok "the other stages are listed" says "write-cl"
ok "its stage is not there" gives 2 "toy" with old "$armilla" check toy.workflow
ok "and the reason is said there, too" says "plugin interface $((now - 1))"
ok "a workflow that does without it runs" with old "$armilla" run --quiet copy.workflow
ok "and has its result" test -s cl.fits
finish
