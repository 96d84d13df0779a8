#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Arrays on the ranks of a communicator: the bits of one process, on every rank, and no rank that
# blocks because of an error on another one. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
need_ranks
program=$build/tests/arrays/array-ranks
RANKS_LIMIT=150

# Before 1.4 StarPU-MPI has one communicator, that of all ranks.
if grep -q '^STARPU_CFLAGS = .*/starpu/1\.3' "$build/Makefile"; then
  named () { ranks 2 "$program" refused > said && [ "$(grep -c 'communicator.*needs StarPU 1.4' said)" -eq 2 ]; }
  ok "a communicator is refused in words" named
  finish
  exit
fi
ok "one process" "$program" alone bits
for n in 1 2 3; do ok "$n ranks have the same bits, all of them" ranks $n "$program" world bits; done
ok "two of four ranks compute, the others add" ranks 4 "$program" half bits
ok "what is wrong on one of 2 ranks fails on both" ranks 2 "$program" wrong bits
ok "what is wrong on one of 3 ranks fails on all" ranks 3 "$program" wrong bits
finish
