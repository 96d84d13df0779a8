#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps: each point has the numbers of a workflow that has the point's values, with what is
# collected over its realisations, on any ranks, with little memory and resumed; and what is said
# of sweeps that cannot be. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
# shellcheck source=tests/lib/kill-functions.sh
. "$source/tests/lib/kill-functions.sh"
export STARPU_NCPU=1
awk 'BEGIN { for (l = 0; l <= 32; l++) print l, l < 2 ? 0 : 1 / (l * l) }' > theory.dat

# A key of a node, a parameter of a definition and a variable in an expression are swept. What is
# collected is written, read back and written again.
swept ()
{
  cat << END
[workflow]
repeat = 3
sweep = draw.seed: 7, 11; soft.fwhm: 5, 10 deg; n: 4, 4+4
$(input theory cl "$room/theory.dat")
[draw]
stage = random-alm
cl = theory
lmax = 3*\${n} - 1
seed = 1
$(synthesis sky draw 8)
[soft]
stage = smoothing
map = sky
lmax = 2*\${n}
iter = 0
[harmonics]
stage = map2alm
map = soft
lmax = \${n}
$(spectrum cl harmonics)
$(output each cl cl 'out/cl-${draw.seed}-${soft.fwhm}-${n}-${index}.fits')
[skies]
stage = collect
input = soft
[spectra]
stage = collect
input = cl
$(output mean map skies.mean 'out/mean-${draw.seed}-${soft.fwhm}-${n}.fits')
$(output table table spectra.table 'out/cl-${draw.seed}-${soft.fwhm}-${n}.ecsv')
$(input again map 'out/mean-${draw.seed}-${soft.fwhm}-${n}.fits')
$(analysis back again 16)
$(spectrum power back)
$(output last cl power 'out/last-${draw.seed}-${soft.fwhm}-${n}.fits')
END
}
# at SEED FWHM N: the workflow of one point
at ()
{
  swept | sed "/^sweep/d; s/^seed = 1/seed = $1/; s/^map = sky/&\nfwhm = $2/
    s/\\\${draw.seed}/$1/g; s/\\\${soft.fwhm}/$2/g
    /^file/s/\\\${n}/$3/g; s/\\\${n}/($3)/g"
}
points='7:5deg:4 7:5deg:4+4 7:10deg:4 7:10deg:4+4 11:5deg:4 11:5deg:4+4 11:10deg:4 11:10deg:4+4'
# one_by_one COMMAND: for SEED FWHM N of each point
one_by_one ()
{
  for point in $points; do
    IFS=:
    # shellcheck disable=SC2086
    set -- "$1" $point
    unset IFS
    "$@" || return 1
  done
}
alone () { at "$@" > one.workflow && run one.workflow; }
# same_point SEED FWHM N: numbers of all files
same_point ()
{
  for file in cl-$1-$2-$3-0.fits cl-$1-$2-$3-2.fits mean-$1-$2-$3.fits last-$1-$2-$3.fits; do
    "$fits" same "out/$file" "$room/apart/out/$file" || return 1
  done
  grep -v '^#' "out/cl-$1-$2-$3.ecsv" > left
  grep -v '^#' "$room/apart/out/cl-$1-$2-$3.ecsv" | diff left -
}
same_points () { one_by_one same_point; }
# whole: out has the files of the run in whole, byte by byte
whole ()
{
  diff -r -x '*.journal*' "$room/whole/out" out &&
    [ "$(find . -name '*.part' ! -name '*.journal.lot*' | wc -l)" -eq 0 ]
}

swept > all.workflow
enter apart && mkdir out
ok "each point alone" one_by_one alone
ok "points differ" not cmp -s out/last-7-5deg-4.fits out/last-7-10deg-4.fits
enter whole && mkdir out
ok "check counts the realisations of all points" gives 0 "24 realisations, no problems" "$armilla" check ../all.workflow
ok "a dry run tells of the points" gives 0 "8 points of a sweep, from draw.seed = 7, soft.fwhm = 5deg, n = 4 to draw.seed = 11, soft.fwhm = 10deg, n = 4+4" \
  "$armilla" run --dry-run ../all.workflow
ok "and of what is read back" says "reads what mean writes"
ok "a sweep" run ../all.workflow
ok "has 48 files" [ "$(find out -type f | wc -l)" -eq 48 ]
ok "with the numbers of each point alone" same_points
ok "nothing is left beside them" [ "$(find . -name '*.part' -o -name '.armilla*' | wc -l)" -eq 0 ]
enter memory && mkdir out
ok "with little memory" run ../all.workflow --memory "$(little_memory ../all.workflow)" --spill "$room"
ok "the same bytes" whole
if has_ranks; then
  for n in 2 3; do
    for deal in realisations blocks; do
      enter "$deal-$n" && mkdir out
      ok "$deal on $n ranks" ranks $n "$armilla" run --quiet ../all.workflow --set workflow.deal=$deal
      ok "the same numbers" same_points
    done
  done
fi
enter resume && mkdir out
killed ()
{
  time=$(hundredths "$@")
  whole || return 1
  rm -rf out && mkdir out
  for i in 1 2 3; do run_and_kill $((time * i / 4)) all "$@"; done
  "$@" && whole
}
ok "killed and resumed" killed "$armilla" run --quiet --resume ../all.workflow
rm out/mean-7-5deg-4.fits out/cl-11-10deg-4-1.fits
touch marker
ok "what is gone is made again" "$armilla" run --quiet --resume ../all.workflow
ok "the same bytes again" whole
ok "and nothing else" \
  [ "$(find out -newer marker -name '*.fits' | sort | tr '\n' ' ')" = "out/cl-11-10deg-4-1.fits out/mean-7-5deg-4.fits " ]

# --- What cannot be
enter errors && mkdir out
# wrong SWEEP TEXT
wrong ()
{
  sed "s/^sweep = .*/sweep = $1/" ../all.workflow > wrong.workflow
  gives 2 "$2" "$armilla" check wrong.workflow
}
ok "an unknown node" wrong 'sfot.fwhm: 1, 2 deg' '[workflow] sweep: no node "sfot"; did you mean "soft"?'
ok "an unknown key" wrong 'draw.sede: 1, 2' 'did you mean "seed"'
cat > alone.workflow << END
[workflow]
sweep = sky.nsid: 8, 16
$(input sky map sky.fits)
$(output out map sky out.fits)
END
alone () { "$armilla" check alone.workflow > said 2>&1; cat said; [ "$(wc -l < said)" -eq 1 ] && grep -q 'no such key' said; }
ok "is told alone, without what follows for files" alone
ok "a key of the workflow" wrong 'workflow.repeat: 1, 2' 'cannot be swept; write node.key'
ok "no value" wrong 'draw.seed:' 'draw.seed has no value'
ok "no colon" wrong 'draw.seed' 'write a sweep as node.key: value, value'
ok "a value that is there twice" wrong 'soft.fwhm: 5, 5 deg' 'soft.fwhm has the value 5deg twice'
ok "a key that is there twice" wrong 'n: 4, 8; n: 6' 'n is swept already'
ok "the number of the realisation" wrong 'index: 1, 2' 'reserved name'
ok "a variable in a value" wrong 'draw.seed: ${n}, 3' 'variables and escapes cannot be used here'
ok "a bad value at one point" wrong 'draw.seed: 1; soft.fwhm: 5 deg; n: 4, x' 'n = x'
ok "a unit at one point" wrong 'draw.seed: 1; n: 4; soft.fwhm: 5 deg, 10 K' 'soft.fwhm = 10K'
ok "a stage" wrong 'draw.stage: random-alm, read-alm; soft.fwhm: 5 deg; n: 4' 'stages and connections must be the same'
ok "one name for several points" \
  wrong 'draw.seed: 1; soft.fwhm: 5 deg; n: 4; sky.nside: 8, 16' 'several points of the sweep would write this file; put ${sky.nside} into its name'
values=$(seq -s , 1 400)
ok "too many realisations" \
  wrong "draw.seed: $values; soft.fwhm: 5 deg; n: 4; mean.x: $values" 'the sweep has more than 100000 points'
unswept () { sed '/^sweep/d' ../all.workflow > un.workflow; gives 2 'if sweep of [workflow] names it' "$armilla" check un.workflow; }
ok "a key that is not swept" unswept
finish
