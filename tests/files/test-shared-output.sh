#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that all ranks of a run write, each its rows: the bytes of a plain run, whole or not at all
# when a disk fails on one rank or a rank is killed, and rank 0 alone where ranks do not see each
# other's folders. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
faulty=$build/tests/lib/.libs/faulty-files.so
need_ranks
export STARPU_NCPU=1

# What is written by all ranks, in rows that end within blocks and at their ends, and three files
# that rank 0 puts together.
cat > "$room/files.workflow" << END
[workflow]
m-blocks = 5
$(random_alm teb six "$room/six.dat")
seed = 3
lmax = 150
$(output teb-out alm teb teb.fits)
$(synthesis iqu teb 64)
$(output iqu-out map iqu iqu.fits)
dtype = float32
$(random_alm draw flat "$room/flat.dat")
seed = 8
lmax = 150
$(output draw-out alm draw draw.fits)
dtype = float32
$(synthesis sky draw 64)
$(output sky-out map sky sky.fits)
$(analysis again sky 100)
$(output again-out alm again again.fits)
$(synthesis band draw 32)
theta-min = 40 deg
theta-max = 120 deg
$(output band-out map band band.fits)
partial = false
[gauss]
stage = alm2map
alm = teb
grid = gauss-legendre
$(output gauss-out map gauss gauss.fits)
[nested]
stage = change-order
map = sky
order = nested
$(output nested-out map nested nested.fits)
$(output partial-out map band partial.fits)
$(output packed-out map sky packed.fits.gz)
END
awk 'BEGIN { for (l = 0; l <= 150; l++) print l, 1 / (l + 1) }' > "$room/flat.dat"
awk 'BEGIN { for (l = 0; l <= 150; l++) print l, 4, 2, 1, 1.5, 0.5, -1 }' > "$room/six.dat"

# --- The same bytes

enter plain
ok "a plain run" "$armilla" run --quiet ../files.workflow

# same FOLDER: it holds the files of the plain run, byte by byte, and nothing else
same () { diff -rq ../plain "$1"; }

# run_same N OPTION...: N ranks write them
run_same ()
{
  n=$1
  shift
  ranks "$n" "$armilla" run --quiet ../files.workflow "$@" && same .
}

for n in 2 3 4 7; do
  enter "ranks-$n"
  ok "$n ranks write the same bytes" run_same $n
done
enter moved
ok "and so they do while blocks change their ranks at random" \
  ranks 3 -x ARMILLA_MIGRATE=random:5 "$armilla" run --quiet ../files.workflow
ok "the same bytes" same .
enter uneven
ok "also where one rank has nearly all blocks" \
  ranks 3 -x ARMILLA_SPEEDS="0.001 1 0.001" "$armilla" run --quiet ../files.workflow
ok "the same bytes" same .

# --- Who has written what

# writers FILE: the ranks that had steps of write-map and write-alm
writers ()
{
  grep '"cat": *"host"' "$1" | grep -E '"name": *"write-(map|alm)"' \
    | grep -oE '"pid": *[0-9]+' | grep -oE '[0-9]+' | sort -u | tr '\n' ' '
}

# All ranks get their share, however busy their cores are.
ARMILLA_SPEEDS='1 1 1' ARMILLA_MIGRATE=off
export ARMILLA_SPEEDS ARMILLA_MIGRATE
enter traced
ok "a run with a trace" ranks 3 "$armilla" run --quiet --trace T.json ../files.workflow
ok "which is right" "$check" T.json 3
ok "all ranks have written" [ "$(writers T.json)" = "0 1 2 " ]
ok "the trace reports it" grep -q 'sky.fits: each of 3 ranks writes its rows' T.json
ok "and who has not" grep -q 'packed.fits.gz: rank 0 writes all rows' T.json

unset ARMILLA_SPEEDS ARMILLA_MIGRATE

# --- Many realisations: not all files wait for the end

cat > "$room/many.workflow" << END
[workflow]
repeat = 70
deal = blocks
$(random_alm draw flat "$room/flat.dat")
seed = 8
lmax = 8
$(output out alm draw "alm-\${index}.fits")
END
enter many-plain
ok "a plain run of 70 realisations" "$armilla" run --quiet ../many.workflow
enter many
ok "two ranks share them" \
  ranks 2 sh -c 'ulimit -n 160; exec "$@"' - "$armilla" run --quiet ../many.workflow
ok "the same bytes" diff -rq ../many-plain .

if ! can_preload "$faulty"; then
  skip "files that fail" "a sanitizer wants to be loaded first"
  finish
  exit 0
fi

# faults N RANK WORDS COMMAND...: files of one rank ("*": of all) fail as FAULTY_FILES says; all
# ranks but 0 are in the folder of the variable elsewhere, where that is set
# shellcheck disable=SC2016
wrapper='
  if [ "$OMPI_COMM_WORLD_RANK" != 0 ] && [ -n "$elsewhere" ]; then cd "$elsewhere"; fi
  case $1 in
    "*" | "$OMPI_COMM_WORLD_RANK") LD_PRELOAD=$3 FAULTY_FILES="$2 unnamed"
                                   export LD_PRELOAD FAULTY_FILES ;;
    *) LD_PRELOAD=$3 FAULTY_FILES=unnamed; export LD_PRELOAD FAULTY_FILES ;;
  esac
  shift 3
  exec "$@"'
faults ()
{
  n=$1
  at=$2
  words=$3
  shift 3
  ranks "$n" sh -c "$wrapper" - "$at" "$words" "$faulty" "$@"
}

# --- A file system on which temporary files have names, as ranks on several machines need them

enter named
ok "with names" faults 3 '*' '' "$armilla" run --quiet ../files.workflow
ok "the same bytes" same .

# --- Folders that are not shared

enter elsewhere
elsewhere=$room/elsewhere
export elsewhere
enter apart
# apart: rank 0 says once that it writes alone, and why
apart ()
{
  faults 3 '*' '' "$armilla" run ../files.workflow > "$room/.said" 2>&1 || return 1
  cat "$room/.said"
  [ "$(grep -c 'written by rank 0 alone' "$room/.said")" -eq 1 ] \
    && grep -q '^files in folder \. are written by rank 0 alone: rank 1: .*No such file' "$room/.said"
}
ok "where a rank does not see the folder, rank 0 writes" apart
ok "the same bytes" same .
ok "and nothing elsewhere" [ -z "$(ls -A "$elsewhere")" ]
elsewhere=

# --- Disks that fail on one rank

# Which has its share to write.
ARMILLA_SPEEDS='1 1 1' ARMILLA_MIGRATE=off
export ARMILLA_SPEEDS ARMILLA_MIGRATE

# broken RANK WORD PATTERN: the run fails with one message of the rank, and leaves nothing
broken ()
{
  ends 1 faults 3 "$1" "$2" "$armilla" run --quiet ../files.workflow && one_message && matches "$3" || return 1
  [ -z "$(ls -A)" ] || { ls -A; return 1; }
}

enter broken
for rank in 0 2; do
  who="rank $rank: "
  [ $rank -ne 0 ] || who=^
  where='\.\./files.workflow:[0-9:]* \[[a-z]*-out\][a-z ]*: .*\.fits'
  ok "the disk is full on rank $rank" broken $rank pwrite "$who$where.*No space left.*free space"
  ok "the disk of rank $rank breaks" broken $rank fsync "$who$where.*Input/output error"
done

# --- A rank is killed while it writes

# killed RANK: the run ends, and no output has its name
killed ()
{
  # mpirun says which rank it was.
  if (OMPI_MCA_orte_execute_quiet=0; faults 3 "$1" kill "$armilla" run --quiet --resume ../files.workflow) \
      > "$room/.said" 2>&1; then
    echo "it came to its end"
    return 1
  fi
  cat "$room/.said"
  grep -q "rank $1 .*signal 9" "$room/.said" || return 1
  ls -A
  [ "$(find . -name '*.fits*' ! -name '.*' | wc -l)" -eq 0 ]
}

# resumed: the rest, and nothing else is left
resumed ()
{
  ls -A
  faults 3 '*' '' "$armilla" run --quiet --resume ../files.workflow && rm files.journal && same .
}

for rank in 0 1; do
  enter "killed-$rank"
  ok "rank $rank is killed while it writes" killed $rank
  ok "the same command gives the same bytes, and leaves no temporary file" resumed
done
finish
