#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a run tells while it lasts: a bar on a terminal, also under mpirun; lines elsewhere, on request with date and
# time. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# The program script makes a terminal where the kernel gives one: not in a chroot without /dev/pts.
no_terminal=
if ! command -v script > /dev/null; then
  no_terminal="there is no program script"
elif ! script -qefc true /dev/null > shown 2>&1 < /dev/null; then
  no_terminal="no pseudo-terminal: $(tr -d '\r' < shown | tail -n 1)"
fi
# ok_on_terminal NAME COMMAND...: ok, where a terminal can be had
ok_on_terminal ()
{
  if [ -n "$no_terminal" ]; then skip "$1" "$no_terminal"; else ok "$@"; fi
}

# long enough for an estimate of the time left; a sanitizer makes everything slow
iterations=20 repeat=300
if sanitized; then iterations=2 repeat=40; fi

awk 'BEGIN { for (l = 0; l <= 800; l++) print l, 1 / (l + 1) }' > flat.dat
cat > sky.workflow << END
[workflow]
title = A sky
[theory]
stage = read-cl
file = flat.dat
[draw]
stage = random-alm
cl = theory
[sky]
stage = alm2map
alm = draw
nside = 512
[again]
stage = map2alm
map = sky
lmax = 800
iterations = $iterations
[spectrum]
stage = alm2cl
alm = again
[file]
stage = write-cl
cl = spectrum
file = spectrum.fits
END
sed 's/nside = 512/nside = 32/; s/^iterations.*/iterations = 1/; s/lmax = 800/lmax = 64/; s/\.fits/-${index}.fits/' \
  sky.workflow | sed "s/^title.*/&\\nrepeat = $repeat/" > skies.workflow

# on_terminal COLUMNS COMMAND...: all that it shows there goes to .said, a line for each time that the bar is drawn
on_terminal ()
{
  columns=$1
  shift
  TERM=xterm STARPU_NCPU=1 script -qefc "stty cols $columns; $*" /dev/null > shown < /dev/null || { cat shown; return 1; }
  tr '\r' '\n' < shown > .said
}
# grows: the bar never goes back, and is drawn more than once
grows ()
{
  sed -n 's/^\[[#-]*\] *\([0-9]*\)%.*/\1/p' .said > shares
  sort -n shares | diff - shares && test "$(uniq shares | wc -l)" -gt 1
}
one ()
{
  on_terminal 120 "$@" run --overwrite sky.workflow && cat .said && grows &&
    matches '^\[[#-]\{24\}\] .*%  \[again\]  [0-9]* s, about [0-9]* s left' && says 'A sky' && says 'written:' &&
    matches '^done in' && not says '[again] map2alm' && test "$(grep -c '^A sky' .said)" -eq 1
}
many ()
{
  on_terminal "$1" "$armilla" run --overwrite skies.workflow && grows && matches "% *realisation [0-9]* of $repeat" &&
    sed -n 's/\x1b\[K$//; /^\[[#-]/p' .said | awk -v most="$1" 'length ($0) >= most { exit 1 }'
}
silent () { on_terminal 120 "$armilla" run --quiet --overwrite --set again.iterations=0 sky.workflow && test ! -s .said; }
dumb () { on_terminal 120 env TERM=dumb "$armilla" run --overwrite --set again.iterations=0 sky.workflow && not matches '^\[[#-]*\]'; }
piped ()
{
  ends 0 "$armilla" run --overwrite --set again.iterations=0 sky.workflow && says '[again] map2alm -> alm' && not grep -q "$(printf '\r')" .said
}
stamped ()
{
  ends 0 "$@" run --overwrite --log-time sky.workflow && says '[again] map2alm -> alm' &&
    matches ' [0-9]*%  \[again\]  [0-9]* s' && says 'A sky' && says 'done in' &&
    cut -c 1-23 .said > stamps && sort stamps | diff - stamps &&
    not grep -qvE '^20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{3} ' .said
}
stamped_terminal ()
{
  on_terminal 120 "$armilla" run --overwrite --log-time --set again.iterations=0 sky.workflow && not matches '^\[[#-]*\]' &&
    matches '^20.* \[sky\] alm2map -> map'
}

ok_on_terminal "a bar with the node at work and the time left" one "$armilla"
ok_on_terminal "many realisations" many 120
ok_on_terminal "on a narrow terminal" many 50
ok_on_terminal "no bar with --quiet" silent
ok_on_terminal "no bar on a terminal that moves no cursor" dumb
ok "no bar in a file" piped
# the first ten, then every tenth, then every hundredth
told ()
{
  ends 0 "$armilla" run --overwrite --set workflow.repeat=101 --set sky.nside=1 --set again.lmax=2 skies.workflow &&
    { seq 0 9; seq 10 10 100; } | sed 's/.*/realisation & of 101/' > expected && grep '^realisation' .said | diff expected -
}
ok "few lines of many realisations" told
ok "lines with date and time" stamped env STARPU_NCPU=1 "$armilla"
ok_on_terminal "lines with date and time on a terminal, and no bar" stamped_terminal
if has_ranks; then
  ok_on_terminal "one bar of two ranks" one mpirun -n 2 --oversubscribe --bind-to none "$armilla"
  ok "no bar of two ranks in a file" gives 0 '[again] map2alm -> alm' ranks 2 "$armilla" run --overwrite --set again.iterations=0 \
    sky.workflow
else
  skip "one bar of two ranks" "built without MPI, or no mpirun"
fi
finish
