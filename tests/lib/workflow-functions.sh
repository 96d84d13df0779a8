# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that most workflows of tests have: sourced by scripts that write some. In a here-document,
# $(input sky map sky.fits) stands for the lines of a node, and what comes below it adds to that node.

# min_memory WORKFLOW: in MiB, what a run of it needs with these compiler's options, as the program advises: a
# sanitizer takes some for itself
min_memory ()
{
  "$armilla" run --memory 1MiB "$@" 2>&1 | sed -n 's/.*set memory = \([0-9]*\) MiB.*/\1/p'
}

# little_memory WORKFLOW: that and room for tiles, as --memory takes it; the address sanitizer keeps 256 MiB of what
# was freed
little_memory ()
{
  more=64
  if sanitized; then more=320; fi
  echo "$(($(min_memory "$@") + more))MiB"
}

# afresh COMMAND...: in a folder of its own, with a folder out, it writes files that are in $room/plain, byte by byte
afresh ()
(
  rm -rf "$room/afresh"
  mkdir -p "$room/afresh/out" && cd "$room/afresh" && "$@" && [ -n "$(find . -type f)" ] &&
    find . -type f | while read -r file; do cmp "$file" "$room/plain/$file" || exit 1; done
)
little () { run --memory "$(little_memory "$1")" "$1"; }

# same_everywhere ../WORKFLOW: it gives the files that a plain run has left in $room/plain
same_everywhere ()
{
  ok "the same bytes with one worker" afresh env STARPU_NCPU=1 "$armilla" run --quiet "$1"
  ok "the same bytes with little memory" afresh little "$1"
  if has_ranks; then
    for n in 1 2 3; do ok "the same bytes on $n rank(s)" afresh ranks "$n" "$armilla" run --quiet "$1"; done
  else
    skip "the same bytes on ranks" "built without MPI, or no mpirun"
  fi
}

# input NODE KIND FILE: a map, alm, cl or catalogue that is read
input () { printf '[%s]\nstage = read-%s\nfile = %s\n' "$@"; }

# output NODE KIND WHAT FILE: a map, alm, cl, table or catalogue that is written
output () { printf '[%s]\nstage = write-%s\n%s = %s\nfile = %s\n' "$1" "$2" "$2" "$3" "$4"; }

# outputs KIND NODE...: each of these nodes is written to a file of its name, with $prefix and $suffix if set
outputs ()
{
  kind=$1
  shift
  for node; do output "$node-out" "$kind" "$node" "${prefix-}$node${suffix-}.fits"; done
}

# random_alm NODE SPECTRA FILE: a_lm drawn from spectra, which are read from a file
random_alm () { input "$2" cl "$3"; printf '[%s]\nstage = random-alm\ncl = %s\n' "$1" "$2"; }

# synthesis NODE ALM NSIDE: a map of a_lm
synthesis () { printf '[%s]\nstage = alm2map\nalm = %s\nnside = %s\n' "$@"; }

# analysis NODE MAP LMAX: a_lm of a map
analysis () { printf '[%s]\nstage = map2alm\nmap = %s\nlmax = %s\n' "$@"; }

# spectrum NODE ALM: the spectra of a_lm
spectrum () { printf '[%s]\nstage = alm2cl\nalm = %s\n' "$@"; }

# random_points NODE NUMBER SEED: a random catalogue
random_points () { printf '[%s]\nstage = random-catalogue\nnumber = %s\nseed = %s\n' "$@"; }
