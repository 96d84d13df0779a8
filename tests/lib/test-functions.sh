# SPDX-License-Identifier: GPL-3.0-or-later
# What tests in shell share: sourced by them, from the top of the build tree. They work in the folder room, which
# is in one for temporary files or where the variable large says, and goes with them. TAP.

build=$(pwd)
source=$(cd "${srcdir:-.}" && pwd)
armilla=$build/armilla
fits=$build/tests/fits/check-fits
png=$build/tests/pictures/check-png
check=$build/tests/trace/check-trace
data=${HEALPY_DATA:-/usr/share/healpy}
number=0
# shellcheck source=tests/lib/rank-functions.sh
. "$source/tests/lib/rank-functions.sh"
# shellcheck source=tests/lib/workflow-functions.sh
. "$source/tests/lib/workflow-functions.sh"

room=$(mktemp -d "${large:-${TMPDIR:-/tmp}}/armilla-test-XXXXXX") || exit 99
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 99

# ok NAME COMMAND...: one test
ok ()
{
  number=$((number + 1))
  name=$1
  shift
  if "$@" > "$room/.log" 2>&1; then
    grep '^# ' "$room/.log"
    echo "ok $number - $name"
  else
    sed -e 's/^#* */# /' -e '$a\' "$room/.log" # ends the last line, too
    echo "not ok $number - $name"
  fi
}

# skip NAME WHY: one that cannot be run here; skip_all WHY: none can
skip () { echo "ok $((number += 1)) - $1 # SKIP $2"; }
skip_all () { echo "1..0 # SKIP $1"; exit 0; }
finish () { echo "1..$number"; }

has_ranks () { command -v mpirun > /dev/null && grep -q 'define HAVE_MPI 1' "$build/config.h"; }
need_ranks () { has_ranks || skip_all "built without MPI, or no mpirun"; }

# Debian 12's healpy-data has WMAP's maps, Debian 13's has not. can_read WORKFLOW: what it reads of these is there
has_maps () { [ -d "$data/test/data" ]; }
can_read () { has_maps || ! grep -q '/test/data' "$1"; }
no_maps="this healpy-data has no maps"

# can_preload LIBRARY: a library that must come first, which a sanitizer wants, too
can_preload () { [ -e "$1" ] && ! sanitized; }
sanitized () { grep -q '^CFLAGS = .*-fsanitize=' "$build/Makefile"; }

# run FILE OPTION...: runs a workflow, saying nothing
run () { "$armilla" run --quiet "$@"; }

# not COMMAND...
not () { if "$@"; then return 1; else return 0; fi; }

# ends STATUS COMMAND...: with that exit status; all that it says goes to the file .said of the room
ends ()
{
  expected=$1
  shift
  "$@" > "$room/.said" 2>&1
  got=$?
  without_launcher "$room/.said"
  cat "$room/.said"
  [ $got -eq "$expected" ] || { echo "exit status $got, not $expected"; return 1; }
}

# says TEXT, matches PATTERN: in a line of what was said last; one_message: which has that line only
says () { grep -qF -e "$1" "$room/.said" || { echo "not a word of $1"; return 1; }; }
matches () { grep -q -e "$1" "$room/.said" || { echo "nothing matches $1"; return 1; }; }
one_message () { [ "$(grep -c . "$room/.said")" -eq 1 ] || { echo "not one message"; return 1; }; }

# gives STATUS TEXT COMMAND...: it ends with STATUS and prints TEXT
gives () { words=$2; wanted=$1; shift 2; ends "$wanted" "$@" && says "$words"; }

# fails TEXT COMMAND...: it ends with an error and prints TEXT, in any number of lines
fails ()
{
  words=$1
  shift
  "$@" > "$room/.said" 2>&1
  got=$?
  cat "$room/.said"
  [ $got -ne 0 ] && [ $got -ne 124 ] || { echo "exit status $got"; return 1; }
  tr -s ' \n' '  ' < "$room/.said" | grep -qF -e "$words"
}

# refused FILE TEXT OPTION...: a workflow does not run to its end, with a message that holds TEXT
refused () { file=$1; text=$2; shift 2; fails "$text" run "$file" "$@"; }

# only FILE...: nothing else is in this folder
only () { printf '%s\n' "$@" | sort > "$room/.expected"; ls -A | sort | diff "$room/.expected" -; }

enter () { mkdir "$room/$1" && cd "$room/$1" || exit 99; }
