#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make uninstall removes what make install has made, folders included, and leaves files of others.
# What is installed finds what it needs there. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# into the folder $1; the options are those of a make of its own
make_in () {
  folder=$1
  shift
  env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -C "$build" "$@" DESTDIR="$room/$folder" > make.log 2>&1 \
    || { tail -n 20 make.log; return 1; }
}
# No file and no folder, below a prefix that is this package's alone.
nothing_is_left () { find "a$prefix" -mindepth 1 | tee left && test ! -s left; }
has () { test -s "a$prefix/$1" || { find a -type f; return 1; }; }
somebodys () {
  plugins=$(find a -type d -name plugins)
  test -n "$plugins" || { echo "no folder of plugins"; return 1; }
  : > "$plugins/mine.so"
}
only_mine () {
  find a ! -type d > left
  cat left
  test "$(cat left)" = "$plugins/mine.so"
}

prefix=$(sed -n 's/^prefix = //p' "$build/Makefile")
ok "make install" make_in a install
for file in bin/armilla share/armilla/nodes/cpu.node share/armilla/workflows/smooth-wmap.workflow \
  share/bash-completion/completions/armilla share/doc/armilla/examples/python/alm2map.py; do
  ok "it installs $file" has "$file"
done
awk 'BEGIN { for (l = 0; l <= 16; l++) print l, 1 }' > flat.dat
cat > draw.workflow << 'END'
[theory]
stage = read-cl
file = flat.dat
[draw]
stage = random-alm
cl = theory
lmax = 16
[out]
stage = write-alm
alm = draw
file = alm.fits
END
planned ()
{
  libraries=$(dirname "$(find a -name libarmilla.so.1)")
  env LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    "a$prefix/bin/armilla" plan draw.workflow --nodes "$1"
}
ok "the installed program plans with a node that came with it" planned 2xcpu
ok "or with the name of its file" planned half.node
ok "a name that is none of them is told, with those that are" \
  gives 2 "cpu, eighth, h200, half" planned huge
# What it would put into PATH is where make install would put the program.
modulecmd=$(find /usr/lib/*/modulecmd.tcl /usr/lib/modulecmd.tcl 2> /dev/null | head -n 1)
loaded ()
{
  env MODULEPATH="$room/a$prefix/share/armilla/modulefiles" PATH=/usr/bin:/bin tclsh "$modulecmd" sh load armilla |
    tee /dev/stderr | grep -q "PATH=$prefix/bin:"
}
if [ -n "$modulecmd" ]; then
  ok "the environment module is found, and leads to the program" loaded
else
  skip "the environment module is found, and leads to the program" "no environment-modules"
fi
ok "make uninstall" make_in a uninstall
ok "nothing is left, not even an empty folder" nothing_is_left
ok "make install again" make_in a install
ok "the user adds a plugin" somebodys
ok "make uninstall again" make_in a uninstall
ok "that one is left" only_mine
finish
