#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The workflows of the repository on several ranks, while blocks change their ranks at random: the bytes of a
# plain run. TAP.
#
# ALL_WORKFLOWS=1 takes all of them, not every third; WORKFLOWS="two-point wmap-spectrum" these alone.

ONLY_WORKFLOWS=1
[ -z "$WORKFLOWS" ] || ALL_WORKFLOWS=1
WORKFLOWS=${WORKFLOWS:-$(cd "${srcdir:-.}/workflows" && ls -- *.workflow | sed 's/[.]workflow$//')}
export ONLY_WORKFLOWS WORKFLOWS
. "${srcdir:-.}/tests/ranks/test-migrate.sh"
