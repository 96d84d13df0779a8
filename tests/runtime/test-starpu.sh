#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A StarPU that build-aux/build-starpu has built can be copied to other machines: it looks for no
# performance models below the prefix of the machine that built it, which each start would warn of. TAP
# output.
recipe=${srcdir:-.}/build-aux/build-starpu
name="StarPU looks for no folder of the machine that built it"
program=.libs/libarmilla.so
test -e "$program" || program=armilla
library=$(ldd "$program" 2> /dev/null | awk '$1 ~ /^libstarpu-[0-9.]*\.so/ { print $3 }')
stamp=${library%/lib*/*}/.armilla-starpu
sum=$(sha256sum < "$recipe" | cut -d' ' -f1)
if test -z "$library" || test ! -e "$stamp"; then
  echo "ok 1 - $name # SKIP StarPU was not built by build-aux/build-starpu"
elif ! grep -qF "$sum" "$stamp"; then
  echo "ok 1 - $name # SKIP $stamp is of another recipe; run build-aux/build-starpu again"
elif grep -qF "as set %s does not exist" "$library" && grep -qF "by installation directory" "$library"; then
  echo "# $library"
  echo "not ok 1 - $name"
else
  echo "ok 1 - $name"
fi
echo "1..1"
