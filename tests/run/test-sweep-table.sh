#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep-table: the rows are those of the files of single points, with the values of their keys put before them by awk; on any
# ranks, resumed, with more points; and what is said where it cannot be. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
export STARPU_NCPU=1
awk 'BEGIN { for (l = 0; l <= 32; l++) print l, l < 2 ? 0 : 1 / (l * l) }' > theory.dat

# Spectra, their means and a table of each of six points, and all points together; spectra of three lengths.
swept ()
{
  cat << END
[workflow]
repeat = $1
sweep = soft.fwhm: 300 arcmin, 10 deg; n: 4, 6, 8
$(input theory cl "$room/theory.dat")
[draw]
stage = random-alm
cl = theory
lmax = 16
seed = 1
[soft]
stage = smooth-alm
alm = draw
[cut]
stage = resize-alm
alm = soft
lmax = 2*\${n}
$(spectrum cl cut)
$2
END
}
points='300arcmin:300:4 300arcmin:300:6 300arcmin:300:8 10deg:600:4 10deg:600:6 10deg:600:8'
# expected NAME: the rows of all points' files NAME-FWHM-N.csv; 10 deg are 600 arcmin
expected ()
{
  first=1
  for point in $points; do
    file=out/$1-${point%%:*}-${point##*:}.csv
    values=${point#*:}
    [ -s "$file" ] || return 1
    awk -v first=$first -v values="$(echo "$values" | tr : ,)" '
      NR == 1 { sub (/^L,/, "l,"); if (first) print "soft.fwhm,n," $0; next } { print values "," $0 }' "$file"
    first=0
  done
}
# rows NAME ALL: the table out/ALL.csv has these rows
rows () { expected "$1" > wanted.csv && [ "$(wc -l < wanted.csv)" -gt 60 ] && diff wanted.csv "out/$2.csv"; }
# whole: the files of the run in whole, byte by byte; those with a header know of --set
whole () { diff -r -x '*.journal*' -x '*.ecsv' -x '*.png' "$room/whole/out" out; }

# Each point has one realisation: what it gives is taken as it comes.
swept 1 "$(output each cl cl 'out/cl-${soft.fwhm}-${n}.csv')
[all]
stage = sweep-table
input = cl
$(output spectra table all.table out/spectra.csv)
$(output header table all out/spectra.ecsv)
[sum]
stage = expression
table = all
expression = 2*TT
names = twice
$(output twice table sum out/twice.csv)
[picture]
stage = render
table = all
file = out/all.png" > one.workflow
# Three realisations: what is collected of them, and theory, which is the same in all of them.
swept 3 "[mean]
stage = collect
input = cl
$(output each table mean.table 'out/mean-${soft.fwhm}-${n}.csv')
[all]
stage = sweep-table
input = mean.table
$(output together table all out/means.csv)
[beam]
stage = resize-alm
alm = given
lmax = 2*\${n}
$(input given alm "$room/given.fits")
$(spectrum same beam)
$(output same-each cl same 'out/same-${soft.fwhm}-${n}.csv')
[all-same]
stage = sweep-table
input = same
$(output same-together table all-same out/same.csv)" > many.workflow
cat > given.workflow << END
$(input theory cl theory.dat)
[draw]
stage = random-alm
cl = theory
lmax = 16
$(output given alm draw given.fits)
END
run given.workflow

enter whole && mkdir out
ok "check" gives 0 "no problems" "$armilla" check ../one.workflow
ok "a dry run tells what comes at the end" gives 0 "after the last point:" "$armilla" run --dry-run ../one.workflow
ok "a plan" gives 0 "" "$armilla" plan --nodes 2xcpu ../one.workflow
ok "spectra of six points" run ../one.workflow
ok "rows of the points' files" rows cl spectra
ok "the unit of the key" grep -q 'name: "soft.fwhm", unit: "arcmin", datatype: float64' out/spectra.ecsv
ok "whole numbers" grep -q 'name: "n", datatype: int64' out/spectra.ecsv
doubled () { awk -F, 'NR > 1 && $4 != 0 { d = $5 / $4 - 2; if (d != 0) exit 1; n++ } END { exit !(n > 60) }' out/twice.csv; }
ok "formulas after it" doubled
ok "a picture" "$png" out/all.png 1000 650 0 50
ok "dry run with realisations" gives 0 "after the last realisation of each point:" "$armilla" run --dry-run ../many.workflow
ok "means of six points" run ../many.workflow
ok "their rows" rows mean means
ok "what is the same in all realisations" rows same same
ok "nothing is left beside them" [ "$(find . -name '*.part' -o -name '.armilla*' | wc -l)" -eq 0 ]
both () { run ../one.workflow "$@" && run ../many.workflow "$@"; }
enter apart && mkdir out
ok "one realisation at a time" both --set workflow.together=1
ok "the same bytes" whole
if has_ranks; then
  for n in 2 3; do
    for deal in realisations blocks; do
      enter "$deal-$n" && mkdir out
      spread () { ranks $n "$armilla" run --quiet "../$1.workflow" --set workflow.deal=$deal; }
      ok "$deal on $n ranks, one realisation" spread one
      ok "$deal on $n ranks, three" spread many
      ok "the same bytes" whole
    done
  done
fi

# --- Resumed
enter resume && mkdir out
killed ()
{
  command="$armilla run --quiet --resume ../$1.workflow"
  time=$(hundredths $command)
  rm -rf out && mkdir out
  for i in 1 2 3; do run_and_kill $((time * i / 4)) all $command; done
  $command
}
ok "killed and resumed, one realisation" killed one
cp -r out kept && rm -rf out && mkdir out
ok "killed and resumed, three" killed many
cp -r kept/. out
ok "the same bytes" whole
# again FILE...: only these are made again
again ()
{
  (cd out && rm -f "$@")
  touch marker
  "$armilla" run --quiet --resume ../many.workflow && whole || return 1
  [ "$(cd out && find . -newer ../marker -name '*.csv' | sort | tr '\n' ' ')" = "$(for f; do printf './%s ' "$f"; done)" ]
}
ok "the table alone is made again" again means.csv
ok "of one point and all" again mean-10deg-6.csv means.csv
ok "nothing" again
more () { sed 's/n: 4, 6, 8/n: 4, 6, 7/' ../many.workflow > many.workflow && "$armilla" run --quiet --resume many.workflow; }
ok "another point" more
points=$(echo "$points" | sed 's/:8/:7/g')
ok "has its rows" rows mean means
points=$(echo "$points" | sed 's/:7/:8/g')
grown () { sed 's/^repeat = 3/repeat = 5/' ../many.workflow > grown.workflow && rm -rf ../grown && mkdir -p ../grown/out &&
  (cd ../grown && run ../resume/grown.workflow) && "$armilla" run --quiet --resume grown.workflow --overwrite &&
  cmp out/means.csv ../grown/out/means.csv; }
ok "more realisations" grown

# --- Values and columns
enter values && mkdir out
short () { sed "s/^sweep = .*/sweep = $1/; s/-\${soft.fwhm}-\${n}/-$2/; /^\[draw\]/i[variables]\nn = 4" ../one.workflow > short.workflow; }
header () { run short.workflow && grep '^# - ' out/spectra.ecsv > header && cat header; }
beam='s/^alm = draw/&\nfwhm = 1 deg/'
short 'draw.seed: 1, 2; draw.unit: K, mK; n: 3+1, 4' '${draw.seed}-${draw.unit}-${n}'
sed -i "$beam" short.workflow
units () { "$armilla" check short.workflow; gives 1 'draw.unit = mK, n = 3+1 the table has other columns, types or units' run short.workflow --overwrite; }
ok "units that differ between points" units
short 'draw.seed: 1, 2; n: 3+1, 4' '${draw.seed}-${n}'
sed -i "$beam" short.workflow
ok "an expression" header
ok "is a text" grep -q 'name: "n", datatype: string' header
ok "a number is none" grep -q 'name: "draw.seed", datatype: int64' header
one_key () { short 'soft.fwhm: 0.5, 1, 1.5 deg' '${soft.fwhm}' && run short.workflow --overwrite &&
  [ "$(sed 1d out/spectra.csv | cut -d, -f1 | uniq | tr '\n' ' ')" = '0.5 1 1.5 ' ]; }
ok "values as they are written" one_key

# --- What cannot be
enter errors && mkdir out
# wrong FILE SED WORDS
wrong () { sed "$2" "../$1.workflow" > wrong.workflow; gives 2 "$3" "$armilla" check wrong.workflow; }
ok "no sweep" wrong one '/^sweep/d; s/\${soft.fwhm}-\${n}//; s/\${n}/4/; s/^alm = draw/&\nfwhm = 1 deg/' 'sweep-table joins the points of a sweep, but [workflow] has no sweep'
ok "realisations" wrong one 's/^repeat = 1/repeat = 2/; s/-\${n}/&-${index}/' 'the output of cl differs between realisations: connect an output of collect'
ok "a map" wrong one 's/^input = cl/input = map/; /^\[all\]/i[map]\nstage = alm2map\nalm = cut\nnside = 8' 'must be a table or spectra'
ok "a key in a name after it" wrong one 's|out/twice|&-${n}|' 'a swept key cannot be used here'
ok "what differs between points after it" wrong one 's|^table = all|&\ncl = cl|' 'the output of cl differs between points'
ok "twice" wrong one '$a[more]\nstage = sweep-table\ninput = all' 'all runs only once, after the last one'
finish
