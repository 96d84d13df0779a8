#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# doc/stages.md says what the stages say of themselves. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
unset ARMILLA_PLUGIN_PATH
"$source/build-aux/stages-page" "$armilla" > stages.md || exit 99
ok "doc/stages.md is up to date, or make stages-page has to write it anew" diff "$source/doc/stages.md" stages.md
finish
