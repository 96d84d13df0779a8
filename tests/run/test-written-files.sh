#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that a workflow writes and reads: the bits of two workflows run one after another, on any
# number of ranks, resumed; and what is said of circles and of other realisations' files. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
awk 'BEGIN { for (l = 0; l < 25; l++) print l, l < 2 ? 0 : 1 / (l * l) }' > "$room/theory.dat"

# first, second: two halves of a workflow, the second of which reads what the first writes
first ()
{
  random_alm alm theory ../theory.dat
  printf 'seed = 3\n'
  synthesis sky alm 8
  output sky-out map sky 'out/sky-${index}.fits'
  printf 'dtype = float32\n'
}
second ()
{
  input again map './out/../out/sky-${index}.fits'
  analysis harmonics again 16
  spectrum cl harmonics
  output cl-out cl cl 'out/cl-${index}.fits'
  input cl-again cl 'out/cl-${index}.fits'
  output last cl cl-again 'out/last-${index}.fits'
}
repeated () { printf '[workflow]\nrepeat = 6\n'; }

# same_data FOLDER: the numbers of all outputs are those of the folder's
same_data ()
{
  for i in 0 1 2 3 4 5; do
    "$fits" same "out/sky-$i.fits" "$1/sky-$i.fits" && "$fits" same "out/cl-$i.fits" "$1/cl-$i.fits" \
      && "$fits" same "out/last-$i.fits" "$1/last-$i.fits" || return 1
  done > /dev/null
}
# same FOLDER: all bytes are
same () { for file in "$1"/*.fits; do cmp "$file" "out/${file##*/}" || return 1; done; }

enter apart
mkdir out
{ repeated; first; } > one.workflow
{ repeated; second | sed -n '1,/^file = out.cl-/p'; } > two.workflow
{ repeated; second | sed '1,/^file = out.cl-/d'; } > three.workflow
ok "the first workflow" run one.workflow
ok "the second" run two.workflow
ok "the third" run three.workflow

enter at-once
mkdir out
{ repeated; second; first; } > all.workflow
ok "check finds no problems" gives 0 "no problems" "$armilla" check all.workflow
ok "a dry run tells what it cannot know yet" \
  gives 0 "reads what sky-out writes" "$armilla" run --dry-run all.workflow
ok "all in one" run all.workflow
ok "gives the same numbers" same_data ../apart/out
mv out alone
mkdir out
if has_ranks; then
  for n in 2 3; do
    for deal in blocks realisations; do
      sed "s/^repeat.*/&\ndeal = $deal/" all.workflow > $deal.workflow
      ok "on $n ranks that share $deal" ranks $n "$armilla" run --quiet --overwrite $deal.workflow
      ok "the same numbers" same_data alone
    done
  done
  rm out/*
fi
ok "with little memory" run --overwrite --memory 1GiB all.workflow
ok "the same bytes" same alone
rm out/*
ok "with a journal" run --resume all.workflow
ok "the same bytes" same alone
rm out/last-1.fits out/cl-3.fits out/sky-5.fits
touch marker
ok "resumed where one of each is gone" run --resume all.workflow
ok "the same bytes again" same alone
# what sky-5 and cl-3 are made into follows from the same inputs, so that it stays
ok "only these were made again" \
  [ "$(find out -newer marker -name '*.fits' | sort | tr '\n' ' ')" = \
    "out/cl-3.fits out/last-1.fits out/sky-5.fits " ]
sed -i 's/seed = 3/seed = 4/' all.workflow
ok "another seed" run --resume all.workflow
ok "makes all anew, from what is written anew" not same alone
rm -r alone
mv out resumed
mkdir out
ok "as a run that begins with it" run all.workflow
ok "has it" same resumed

enter failing
mkdir out
{ printf '[workflow]\n'; first; second; } | sed 's/-\${index}//' > one.workflow
sed 's/^lmax = 16/lmax = 16\nmmax = 17/' one.workflow > bad.workflow
ok "a fault after the first file is told with its place" \
  gives 1 "bad.workflow:" "$armilla" run --quiet bad.workflow
ok "at the node" says "[harmonics] mmax"
ok "what was written before is whole" "$fits" sums out/sky.fits
if has_ranks; then
  rm out/*
  ok "and so on 2 ranks" fails "[harmonics] mmax" ranks 2 "$armilla" run --quiet bad.workflow
fi

enter refused
{ input a map x.fits; output o map a y.fits; input b map y.fits; output p map b x.fits; } > circle
ok "a circle of files" \
  gives 2 "circle:10:8: [b] file: node o writes this file, and depends on this node: " \
  "$armilla" check circle
ok "is shown" says "b -> p -> a -> o -> b"
{ printf '[workflow]\nrepeat = 3\n'; first; input b map out/sky-1.fits; output p map b 'p-${index}.fits'; } > other
ok "a file of another realisation" gives 2 "[b] file: in realisation 0: node sky-out writes this file in another one" \
  "$armilla" check other
{ printf '[workflow]\nrepeat = 3\n'; first; input b map 'out/sky-${index}0.fits'; output p map b 'p-${index}.fits'; } > odd
ok "a file that no node writes, but looks like it" gives 2 "cannot be read: No such file" "$armilla" check odd
{ first; input b map 'out/sky-${index}.fits'; output p map b out/sky-0.fits; } > itself
ok "two nodes that write it" gives 2 "node sky-out writes this file already" "$armilla" check itself
enter many
# A large workflow is in one of its outputs; the others have their part of it, and the name of that one.
printf '0 0\n1 0\n2 1\n' > many.dat
{
  input theory cl many.dat
  for i in $(seq 600); do
    printf '[draw%d]\nstage = random-alm\ncl = theory\nseed = %d\n' "$i" "$i"
    output "out$i" alm "draw$i" "a$i.fits"
  done
} > many.workflow
shortened ()
{
  run many.workflow && "$fits" history a1.fits "seed = 599" && "$fits" history a600.fits "seed = 600" &&
    "$fits" history a600.fits "stage = read-cl" && not "$fits" history a600.fits "seed = 599" &&
    "$fits" history a600.fits "all of it is in a1.fits" || return 1
  sum=$(sha256sum many.workflow) && "$fits" history a600.fits "${sum%% *}" || return 1
  size=$(cat a*.fits | wc -c)
  echo "# $size bytes"
  [ "$size" -lt 12000000 ]
}
ok "600 outputs have their own part of the workflow in HISTORY" shortened
enter late
# An output whose values cannot be drawn does not keep others from being written.
printf '0 0\n1 0\n2 1\n3 1\n4 1\n' > late.dat
cat > late.workflow << 'END'
[workflow]
repeat = 3
[theory]
stage = read-cl
file = late.dat
[draw]
stage = random-alm
cl = theory
seed = 1
[powers]
stage = alm2cl
alm = draw
[mean]
stage = collect
input = powers
[picture]
stage = render
table = mean.table
spectra = EE
file = late.png
[table]
stage = write-table
table = mean.table
file = late.ecsv
[other]
stage = render
table = mean.table
file = other.png
END
gives_match () { status=$1; pattern=$2; shift 2; ends "$status" "$@" && matches "$pattern"; }
others ()
{
  rm -f late.png late.ecsv other.png
  gives_match 1 "late.workflow:[0-9:]*.*\\[picture\\] spectra: .*; 1 output was not written, all others were" \
    "$@" && [ -s late.ecsv ] && [ -s other.png ] && [ ! -e late.png ]
}
ok "a picture that fails: all others are written" others "$armilla" run --quiet late.workflow
known_before () { gives_match 2 'residuals: .*connect a theory to cl' "$armilla" check --set picture.residuals=difference late.workflow; }
ok "residuals without a theory are found before the run" known_before
finish
