#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library exports the names of packaging/debian/libarmilla0.symbols: what was built with an older one of
# the same soname finds all that it needs. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

command -v nm > /dev/null || skip_all "no nm"
library=$build/.libs/libarmilla.so
list=$source/packaging/debian/libarmilla0.symbols
compare () { "$source/build-aux/symbols-list" "$@"; }

ok "the names are those of the list" compare "$list" "$library"

{ cat "$list"; echo ' armilla_that_was_once@Base 0.0.1'; } > more.symbols
ok "a name that is gone is told" gives 1 "armilla_that_was_once is gone" compare more.symbols "$library"
cp more.symbols before.symbols
ok "and is not forgotten" gives 1 "armilla_that_was_once is gone" compare more.symbols "$library" 9.9.9
ok "the list is as it was" cmp before.symbols more.symbols

grep -v ' armilla_error_quark@' "$list" > less.symbols
ok "a new name is told" gives 1 "armilla_error_quark is not in the list" compare less.symbols "$library"
ok "and added" compare less.symbols "$library" 9.9.9
ok "with the version that brought it" grep -qx ' armilla_error_quark@Base 9.9.9' less.symbols
ok "so that the list is right" compare less.symbols "$library"

sed '1s/so\.0/so.7/' "$list" > other.symbols
ok "the list of another soname is told" gives 1 "is of libarmilla.so.7" compare other.symbols "$library"
finish
