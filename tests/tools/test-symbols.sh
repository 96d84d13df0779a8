#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library exports the names of packaging/debian/libarmilla1.symbols: what was built with an older one of
# the same soname finds all that it needs. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

command -v nm > /dev/null || skip_all "no nm"
library=$build/.libs/libarmilla.so
list=$source/packaging/debian/libarmilla1.symbols
compare () { "$source/build-aux/symbols-list" "$@"; }

ok "the names are those of the list" compare "$list" "$library"
few () { [ "$(grep -c '^ armilla_[a-z0-9_]*@ARMILLA_1 ' "$list")" -lt 200 ]; }
ok "fewer than 200 functions are public" few

{ cat "$list"; echo ' armilla_that_was_once@ARMILLA_1 0.0.1'; } > more.symbols
ok "a name that is gone is told" gives 1 "armilla_that_was_once is missing" compare more.symbols "$library"
cp more.symbols before.symbols
ok "and is not forgotten" gives 1 "armilla_that_was_once is missing" compare more.symbols "$library" 9.9.9
ok "the list is as it was" cmp before.symbols more.symbols

grep -v ' armilla_error_quark@' "$list" > less.symbols
ok "a new name is told" gives 1 "armilla_error_quark is not in the list" compare less.symbols "$library"
ok "and added" compare less.symbols "$library" 9.9.9
ok "with the version that brought it" grep -qx ' armilla_error_quark@ARMILLA_1 9.9.9' less.symbols
ok "so that the list is right" compare less.symbols "$library"

# What ends in the program and in the module that the library has: no copy of what the library has, and all that
# is private in the library is what they need.
functions () { nm -P --defined-only "$1" | sed -n 's/^\(armilla_[a-z0-9_]*\) [Tt] .*/\1/p' | sort -u; }
once ()
{
  functions "$library" > library
  [ "$(wc -l < library)" -gt 1000 ] || { echo "the library has hardly any functions"; return 1; }
  for other in "$build/.libs/armilla" "$build/plugins/.libs/render.so"; do
    functions "$other" > other
    comm -12 library other
    [ -z "$(comm -12 library other)" ] || return 1
  done
}
if [ -e "$build/.libs/armilla" ] && [ -e "$build/plugins/.libs/render.so" ]; then
  ok "no function is in the process twice" once
  private ()
  {
    nm -D "$build/.libs/armilla" "$build/plugins/.libs/render.so" | sed -n 's/.* U \(.*\)@ARMILLA_PRIVATE$/\1/p' | sort -u > needed
    nm -D --defined-only "$library" | sed -n 's/.* \(.*\)@@ARMILLA_PRIVATE$/\1/p' | sort -u > given
    [ -s needed ] && diff needed given
  }
  ok "private names are those that the program needs" private
else
  skip "no function is in the process twice" "built without shared libraries"
  skip "private names are those that the program needs" "built without shared libraries"
fi
defined () { nm -D --defined-only "$build/.libs/armilla" | grep -v ' [BDRVWb] \| _start$\| main$'; }
ok "the program defines no function for others" not defined

sed '1s/so\.1/so.7/' "$list" > other.symbols
ok "the list of another soname is told" gives 1 "is for libarmilla.so.7" compare other.symbols "$library"
finish
