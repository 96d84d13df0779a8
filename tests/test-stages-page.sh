#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc/stages.md says what the stages say of themselves. TAP.
unset ARMILLA_PLUGIN_PATH
source=${srcdir:-.}
echo "1..1"
if "$source/build-aux/stages-page" ./armilla | diff "$source/doc/stages.md" - > tests/stages-page.diff; then
  echo "ok 1 - doc/stages.md is up to date"
else
  sed 's/^/# /' tests/stages-page.diff
  echo "# make stages-page writes it anew"
  echo "not ok 1 - doc/stages.md is up to date"
fi
rm -f tests/stages-page.diff
