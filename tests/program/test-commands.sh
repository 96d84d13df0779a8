#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the commands do for who does not know them yet: help, version, workflows from standard input,
# inputs that are not there, outputs that are, plugins that are no good. TAP output.
# shellcheck source=tests/lib/test-functions.sh
. "${srcdir:-.}/tests/lib/test-functions.sh"
modules=$build/tests/plugins/.libs
unset ARMILLA_PLUGIN_PATH
unset G_DEBUG # GObject's own complaint about a type shall not end the program

awk 'BEGIN { for (l = 0; l <= 8; l++) print l, 1 }' > theory.txt
cat > sky.workflow <<END
$(random_alm draw theory theory.txt)
seed = 3
$(synthesis sky draw 4)
$(output out map sky sky.fits)
END

# armilla_gives STATUS TEXT WORD...
armilla_gives () { status=$1; text=$2; shift 2; gives "$status" "$text" "$armilla" "$@"; }
# same_help COMMAND: help COMMAND is COMMAND --help
same_help ()
{
  "$armilla" help "$1" > one.txt 2> one.err || return 1
  "$armilla" "$1" --help > other.txt || return 1
  cmp one.txt other.txt && test ! -s one.err
}

# --- help and version
"$armilla" --help > help.txt
"$armilla" --version > version.txt
ok "help" sh -c "'$armilla' help | cmp - help.txt"
ok "it names itself" grep -q "armilla help  *\[COMMAND\]" help.txt
ok "and version" grep -q "armilla version" help.txt
for command in bench check graph inspect machine plan precompute run trace tune; do
  ok "help $command" same_help $command
done
ok "help of a command that is none" armilla_gives 2 'unknown command "rnu"; did you mean "run"?' help rnu
ok "help of two" armilla_gives 2 "usage: armilla help [COMMAND]" help run check
ok "help help" sh -c "'$armilla' help help | cmp - help.txt"
ok "version" sh -c "'$armilla' version | cmp - version.txt"
ok "version of something" armilla_gives 2 "usage: armilla version" version run
ok "a misspelt help" armilla_gives 2 'did you mean "help"?' hlep

# --- standard input
stdin () { "$@" < sky.workflow; }
ok "check -" stdin armilla_gives 0 "(standard input): 4 nodes, 1 realisation, no problems" check -
ok "graph -" stdin armilla_gives 0 '"draw" -> "sky"' graph -
ok "run -" stdin armilla_gives 0 "[sky] alm2map" run -
cp sky.fits first.fits
ok "run of the file" run sky.workflow --overwrite
ok "gives the same" "$fits" same sky.fits first.fits
ok "mistakes have a place" stdin armilla_gives 2 '--set sky.nside=x: [sky] nside: "x" is not a whole number' \
  check --set sky.nside=x -
sed 's/nside = 4/nside = x/' sky.workflow > bad.workflow
ok "which is a line of standard input" sh -c "'$armilla' check - < bad.workflow 2>&1 | grep -qF \
  '(standard input):11:9: [sky] nside: \"x\"'"
ok "no journal" stdin armilla_gives 2 "or leave out --resume" run --resume --overwrite -
ok "in the other way, too" stdin armilla_gives 2 "or leave out checkpoint" run --set "workflow.checkpoint=1 min" -
ok "and none was made" sh -c "! ls -A | grep journal"
ok "an empty one" sh -c "'$armilla' check - < /dev/null 2>&1 | grep -qF 'the workflow has no node'"
ok "a closed one" sh -c "'$armilla' check - <&- 2>&1 | grep -qF '(standard input): cannot read'"
ok "a launcher" stdin env OMPI_COMM_WORLD_SIZE=2 sh -c \
  "'$armilla' check - 2>&1 | grep -qF 'would reach one rank only (OMPI_COMM_WORLD_SIZE is set)'"
cp sky.workflow ./-
ok "a file of that name" armilla_gives 0 "./-: 4 nodes" check ./-

# --- outputs that exist
ok "an output that exists" armilla_gives 1 "[out] file: sky.fits exists already; choose another name, remove it, \
or allow overwriting (--overwrite, or overwrite = true in [workflow])" run sky.workflow
ok "--overwrite" armilla_gives 0 "done in" run --overwrite sky.workflow

# --- inputs
ok "an input that is not there" armilla_gives 2 \
  "--set theory.file=gone.txt: [theory] file: gone.txt: cannot be read: No such file or directory" \
  check --set theory.file=gone.txt sky.workflow
ok "one line" one_message
ok "a run reports it, too" armilla_gives 1 "gone.txt" run --set theory.file=gone.txt sky.workflow
ok "a graph needs none" armilla_gives 0 "digraph" graph --set theory.file=gone.txt sky.workflow
ok "a folder" armilla_gives 2 "[theory] file: . is a folder, not a file" check --set theory.file=. sky.workflow
cp theory.txt t0.txt
cp theory.txt t1.txt
ok "of each realisation" armilla_gives 2 "[theory] file: in realisation 2: t2.txt: cannot be read" \
  check --set workflow.repeat=4 --set 'theory.file=t${index}.txt' --set 'out.file=s${index}.fits' \
  sky.workflow
cp theory.txt t2.txt
cp theory.txt t3.txt
ok "all there" armilla_gives 0 "4 realisations, no problems" \
  check --set workflow.repeat=4 --set 'theory.file=t${index}.txt' --set 'out.file=s${index}.fits' \
  sky.workflow
cat > twice.workflow <<END
$(input theory cl theory.txt)
$(output copy cl theory copy.fits)
$(input again cl ./copy.fits)
$(output out cl again again.fits)
END
ok "what another node will write" armilla_gives 0 "no problems" check twice.workflow
ok "and what a run reads then" armilla_gives 0 "" run twice.workflow
ok "it was copied" "$fits" same copy.fits again.fits
rm copy.fits again.fits
cat > beam.workflow <<END
$(input map map sky.fits)
[smooth]
stage = convolve
map = map
beam = no-beam.txt
[harmonics]
stage = map2alm
map = smooth
[smoother]
stage = smooth-alm
alm = harmonics
beam = no-other.txt
$(output out alm smoother out.fits)
END
ok "a beam of a kernel" armilla_gives 2 "[smooth] beam: no-beam.txt: cannot be read" check beam.workflow
ok "a beam of smooth-alm" says "[smoother] beam: no-other.txt: cannot be read"
cat > weights.workflow <<END
$(input map map sky.fits)
[harmonics]
stage = map2alm
map = map
[smooth]
stage = smooth-alm
alm = harmonics
fwhm = 1 deg
$(output out alm smooth out.fits)
END
for file in harmonics.ring-weights harmonics.pixel-weights smooth.pixel-window; do
  ok "$file" armilla_gives 2 "[${file%.*}] ${file#*.}: gone.fits: cannot be read" \
    check --set $file=gone.fits weights.workflow
  ok "an nside is no file" armilla_gives 0 "no problems" check --set $file=4 weights.workflow
done
for value in harmonics.ring-weights=compute "smooth.pixel-window=compute 8"; do
  ok "and neither is $value" armilla_gives 0 "no problems" check --set "$value" weights.workflow
done

# --- plugins
mkdir bad
cp "$modules/low-pass.so" "$modules/other-abi.so" "$modules/short-name.so" bad
echo "not a module" > bad/text.so
export ARMILLA_PLUGIN_PATH=bad
ok "modules that are no good do not end the program" armilla_gives 0 "4 nodes, 1 realisation, no problems" \
  check sky.workflow
ok "one that is no module is named" says "warning: cannot load plugin bad/text.so: "
ok "and one of another interface" matches "^warning: bad/other-abi.so was built for .* missing$"
ok "a name that GObject refuses is explained" matches \
  "^warning: bad/short-name.so: .*name of a type must have 3 characters or more, a letter or _ first"
ok "the good one beside them is there" armilla_gives 0 "low-pass: Take small scales out of a_lm" inspect low-pass
ok "its stages are listed" armilla_gives 0 "low-pass  " inspect
ok "half of a module is not there" not matches "^long-name"
ok "a run reports it" armilla_gives 0 "warning: cannot load plugin bad/text.so: " run --overwrite sky.workflow
ok "but not a quiet one" sh -c "'$armilla' run --quiet --overwrite sky.workflow > quiet 2>&1
  grep -v GLib-GObject quiet | grep -q . && exit 1; exit 0"
sed 's/stage = alm2map/stage = long-name/' sky.workflow > other.workflow
ok "who needs a stage of theirs" armilla_gives 2 'unknown stage "long-name"' check other.workflow
ok "is told why it is not there" matches "^warning: bad/short-name.so: "
finish
