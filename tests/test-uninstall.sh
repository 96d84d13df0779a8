#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# make uninstall takes away what make install has made, but for the folders that every package has, and
# what is somebody else's. TAP output.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0

# ok NAME COMMAND...
ok () {
  count=$((count + 1))
  name=$1
  shift
  if "$@" > "$dir/log" 2>&1; then
    echo "ok $count - $name"
  else
    sed 's/^/# /' "$dir/log"
    echo "not ok $count - $name"
  fi
}
# into the folder $1; the options are those of a make of its own
make_in () {
  folder=$1
  shift
  env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" "$@" DESTDIR="$folder" > "$dir/make.log" 2>&1 \
    || { tail -n 20 "$dir/make.log"; return 1; }
}
# Files, and folders that no other package has.
nothing_of_ours () {
  find "$dir/a" ! -type d -o -path '*/include/armilla' -o -path '*/share/armilla' \
    -o -path '*/armilla/plugins' -o -path '*/armilla/workflows' > "$dir/left"
  cat "$dir/left"
  test ! -s "$dir/left"
}
somebodys () {
  plugins=$(find "$dir/a" -type d -name plugins)
  test -n "$plugins" || { echo "no folder of plugins"; return 1; }
  : > "$plugins/mine.so"
}
only_mine () {
  find "$dir/a" ! -type d > "$dir/left"
  cat "$dir/left"
  test "$(cat "$dir/left")" = "$plugins/mine.so"
}

ok "make install" make_in "$dir/a" install
ok "it installs the program" sh -c "find '$dir/a' -name armilla -type f | grep -q ."
ok "make uninstall" make_in "$dir/a" uninstall
ok "nothing is left" nothing_of_ours
ok "make install again" make_in "$dir/a" install
ok "somebody adds a plugin" somebodys
ok "make uninstall again" make_in "$dir/a" uninstall
ok "that one is left" only_mine
echo "1..$count"
