#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make uninstall takes away what make install has made, but for the folders that every package has, and
# what is somebody else's. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# into the folder $1; the options are those of a make of its own
make_in () {
  folder=$1
  shift
  env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -C "$build" "$@" DESTDIR="$room/$folder" > make.log 2>&1 \
    || { tail -n 20 make.log; return 1; }
}
# Files, and folders that no other package has.
nothing_of_ours () {
  find a ! -type d -o -path '*/include/armilla' -o -path '*/share/armilla' \
    -o -path '*/armilla/plugins' -o -path '*/armilla/workflows' > left
  cat left
  test ! -s left
}
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

ok "make install" make_in a install
ok "it installs the program" sh -c "find a -name armilla -type f | grep -q ."
ok "make uninstall" make_in a uninstall
ok "nothing is left" nothing_of_ours
ok "make install again" make_in a install
ok "somebody adds a plugin" somebodys
ok "make uninstall again" make_in a uninstall
ok "that one is left" only_mine
finish
