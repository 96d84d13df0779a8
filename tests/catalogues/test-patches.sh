#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Catalogues with patches beside catalogues without: these get the patches of the nearest centres, which awk
# finds here on its own; or there are no patches at all. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

run () { "$armilla" run --quiet --overwrite "$@"; }

# rows FILE: what follows the header of an ECSV file, or words that are in no other
rows () { grep -v '^#' "$1" || echo "no rows for $name ($number)"; }

# Objects in a field of 40 deg by 40 deg across longitude 0, with weights, shears and 4 patches that are no
# quarters of it; other objects without patches, and the patch of the nearest centre of them.
awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
  function place(a, d) { a *= rad; d *= rad; v[0] = cos(d) * cos(a); v[1] = cos(d) * sin(a); v[2] = sin(d) }
  BEGIN {
    OFMT = CONVFMT = "%.17g"
    seed = 17; rad = atan2(0, -1) / 180
    print "ra,dec,w,g1,g2,p" > "data.csv"
    for (i = 0; i < 120; i++) {
      a = 40 * draw() - 20; d = 40 * draw() - 10; w = 1 + i % 3
      p = a < -4 ? (d < 17 ? 0 : 1) : (d < 3 ? 2 : 3)
      print a "," d "," w "," 0.3 * draw() "," 0.3 * draw() - 0.1 "," p > "data.csv"
      place(a, d)
      for (k = 0; k < 3; k++) { sum[p, k] += w * v[k]; even[p, k] += v[k] }
    }
    for (t = 0; t < 2; t++) {
      file = t ? "random2.csv" : "random.csv"
      print "ra,dec,g1,g2,p,q" > file
      for (i = 0; i < 300 - 50 * t; i++) {
        a = 40 * draw() - 20; d = 40 * draw() - 10
        place(a, d)
        for (even_weights = 0; even_weights < 2; even_weights++) {
          most = -2
          for (p = 0; p < 4; p++) {
            norm = dot = 0
            for (k = 0; k < 3; k++) {
              c = even_weights ? even[p, k] : sum[p, k]
              norm += c * c; dot += c * v[k]
            }
            dot /= sqrt(norm)
            if (dot > most) { most = dot; best[even_weights] = p }
          }
        }
        print a "," d "," 0.2 * draw() "," 0.1 - 0.2 * draw() "," best[0] "," best[1] > file
      }
    }
  }'
for name in data random random2; do
  cat << END
[$name]
stage = read-catalogue
file = $name.csv
longitude-unit = deg
latitude-unit = deg
END
done > catalogues.part
sed '/^\[random2\]/,$d' catalogues.part > two.part
bins='min = 1 deg
max = 20 deg
bins = 6'
{ cat two.part; printf '[w]\nstage = pair-correlation\ncatalogue = data\nrandom = random\n%s\n' "$bins"
  printf '[out]\nstage = write-table\ntable = w.table\nfile = w.ecsv\n'
  printf '[cov]\nstage = write-table\ntable = w.covariance\nfile = cov.ecsv\n'; } > pair.workflow
{ cat catalogues.part
  printf '[w]\nstage = pair-correlation\ncatalogue = data\nrandom = random\n%s\n' "$bins"
  printf 'catalogue2 = random2\nrandom2 = random2\n'
  printf '[out]\nstage = write-table\ntable = w.table\nfile = w.ecsv\n'; } > cross.workflow
{ cat two.part; printf '[w]\nstage = shear-correlation\ncatalogue = data\ncatalogue2 = random\n%s\n' "$bins"
  printf '[out]\nstage = write-table\ntable = w.table\nfile = w.ecsv\n'; } > shear.workflow
{ cat two.part; printf '[w]\nstage = triple-correlation\ncatalogue = data\nrandom = random\n%s\n' "$bins"
  printf '[out]\nstage = write-table\ntable = w.table\nfile = w.ecsv\n'; } > triple.workflow
patches="--set data.patch=p --set data.patches=4"
weights="--set data.weight=w"
shears="--set data.g1=g1 --set data.g2=g2 --set random.g1=g1 --set random.g2=g2"

# said NAME FILE OPTION...: the table of a run, with the patches of all catalogues said in their columns
said ()
{
  name=$1 file=$2
  shift 2
  ok "$name, all said" run "$file" "$@" --set w.patches=4 --set w.patches-by=column
  rows w.ecsv > said.rows
  ok "its errors are those of a jackknife" grep -q '{ERRORS: "jackknife"}' w.ecsv
}

# found NAME FILE OPTION...: the same table without those of random and random2
found ()
{
  name=$1 file=$2
  shift 2
  rm w.ecsv
  ok "$name, some found" run "$file" "$@"
  rows w.ecsv > found.rows
  ok "the same table" cmp said.rows found.rows
}

# shellcheck disable=SC2086 # options are words
{
said "pairs" pair.workflow $patches $weights --set random.patch=p --set random.patches=4
rows cov.ecsv > said.cov
found "pairs" pair.workflow $patches $weights --set w.patches=4 --set w.patches-by=column
rows cov.ecsv > found.cov
ok "the same covariance" cmp said.cov found.cov
found "pairs, their number not given" pair.workflow $patches $weights
found "pairs, all catalogues with patches, their number not given" pair.workflow $patches $weights \
  --set random.patch=p --set random.patches=4
if has_ranks; then
  ok "3 ranks" ranks 3 "$armilla" run --quiet --overwrite pair.workflow $patches $weights
  rows w.ecsv > found.rows
  ok "the same table on 3 ranks" cmp said.rows found.rows
fi
said "pairs without weights" pair.workflow $patches --set random.patch=q --set random.patches=4
found "pairs without weights" pair.workflow $patches
said "two catalogues" cross.workflow $patches $weights --set random.patch=p --set random.patches=4 \
  --set random2.patch=p --set random2.patches=4
found "two catalogues" cross.workflow $patches $weights
found "two catalogues, one without" cross.workflow $patches $weights --set random2.patch=p \
  --set random2.patches=4
said "shears" shear.workflow $patches $weights $shears --set random.patch=p --set random.patches=4
found "shears" shear.workflow $patches $weights $shears

# patches that were not requested
ok "no patches" run pair.workflow
rows w.ecsv > said.rows
found "requires patches > 0" pair.workflow $patches --set w.patches=0
found "requires patches > 0, random with patches" pair.workflow --set random.patch=p --set random.patches=4 \
  --set w.patches=0
found "patches = 0, both with patches" pair.workflow $patches --set random.patch=p \
  --set random.patches=4 --set w.patches=0
found "patches = 0, of different numbers" pair.workflow $patches --set random.patch=p \
  --set random.patches=9 --set w.patches=0
ok "errors of the counts" grep -q '{ERRORS: "poisson"}' w.ecsv
ok "no patches in the file" grep -q '{NPATCH: 0}' w.ecsv
ok "shears, no patches" run shear.workflow $shears
rows w.ecsv > said.rows
found "shears, patches = 0" shear.workflow $patches $shears --set w.patches=0
ok "triangles, no patches" run triple.workflow
rows w.ecsv > said.rows
found "triangles" triple.workflow $patches
found "triangles, random with patches" triple.workflow --set random.patch=p --set random.patches=4
found "triangles, other numbers" triple.workflow $patches --set random.patch=p --set random.patches=7

# what has no rule
for file in pair.workflow shear.workflow; do
  options="$patches --set random.patch=p --set random.patches=7"
  [ $file = pair.workflow ] || options="$options $shears"
  other=$([ $file = pair.workflow ] && echo random || echo catalogue2)
  ok "$file: other numbers" fails "the patches of catalogue = 4, but $other has 7; the numbers must agree" \
    run $file $options
  ok "$file: another number than asked for" fails "patches = 4, but $other has 7; the numbers must agree" \
    run $file $options --set w.patches=4 --set w.patches-by=column
done
ok "two catalogues: the last one is another" fails "the patches of random = 4, but catalogue2 has 5" \
  run cross.workflow --set random.patch=p --set random.patches=4 --set random2.patch=p \
  --set random2.patches=5
# all patches are there, but all weights are 0
awk -F, -v OFS=, 'NR > 1 { $3 = 0 } { print }' data.csv > light.csv
ok "no centre" fails "catalogue: no patch has a centre" run pair.workflow $patches $weights \
  --set data.file=light.csv
}
finish
