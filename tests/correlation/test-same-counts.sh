#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts that several nodes ask for are made once: the numbers of workflows that have one of the nodes
# each, fewer tasks, the same bytes on any ranks. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# The same file is run again and again.
run () { "$armilla" run --quiet --overwrite "$@"; }

# points NODE NUMBER SEED
points () { printf '%s\nlatitude-min = -20 deg\nlatitude-max = 30 deg\n' "$(random_points "$@")"; }

# correlation NODE A B: of one catalogue, or of two, which have their random objects in common
correlation ()
{
  printf '[%s]\nstage = pair-correlation\ncatalogue = %s\nrandom = random\n' "$1" "$2"
  if [ "$2" != "$3" ]; then printf 'catalogue2 = %s\nrandom2 = random\n' "$3"; fi
  printf 'min = 0.5 deg\nmax = 40 deg\nbins = 6\npatches = 5\nmean-separation = false\n'
  output "$1-out" table "$1.table" "$1.ecsv"
}
sky () { points near 700 3; points far 600 4; points random 1500 5; }
pairs='near near
near far
far far'
{ sky; echo "$pairs" | while read -r a b; do correlation "$a-$b" "$a" "$b"; done; } > all.workflow
for name in near-near near-far far-far; do
  { sky; correlation "$name" "${name%-*}" "${name#*-}"; } > $name.workflow
done

# rows FILE: its numbers
rows () { grep -v '^#' "$1"; }
# counts N: tasks that the last traced run counted with; each of these counts is one
counts () { n=$(grep -c '"name":"pair_histogram"' T.json); echo "$n tasks"; [ "$n" -eq "$1" ]; }
same_numbers () { for one in near-near near-far far-far; do rows $one.ecsv | cmp - $one.rows || return 1; done; }
# all WORKFLOW ARGUMENT...: traced, each count one task
all () { run "$@" --trace T.json --set near-near.tasks=1 --set near-far.tasks=1 --set far-far.tasks=1; }

for node in near-near near-far far-far; do
  ok "$node alone" run $node.workflow --trace T.json --set "$node.tasks=1"
  # DD, DR and RR; RD, too, of two catalogues
  case $node in near-far) ok "its counts" counts 4 ;; *) ok "its counts" counts 3 ;; esac
  rows $node.ecsv > $node.rows
  rm $node.ecsv
done
# DD of each, DR of near and of far, RD of far, RR
ok "all in one workflow" all all.workflow
ok "what they have in common is counted once" counts 7
ok "the same numbers" same_numbers

# What differs is not taken for the same.
ok "other bins" all all.workflow --set far-far.bins=7
ok "are counted for themselves" counts 8
ok "other patches" all all.workflow --set near-near.patches=4
ok "are, too" counts 9
rows near-far.ecsv > other
ok "while the others are as they were" cmp other near-far.rows
{ cat all.workflow; points random3 1500 6; } > three.workflow
ok "other random objects of the same number" all three.workflow --set far-far.random=random3
ok "make a difference" counts 8
rows near-far.ecsv > other
ok "to their own node alone" cmp other near-far.rows

enter plain
ok "the files" run ../all.workflow
same_everywhere ../all.workflow
finish
