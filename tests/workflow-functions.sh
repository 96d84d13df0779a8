# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts that run whole workflows share: sourced by them, from the top of the build tree. Their files
# are in the folder room, in one for temporary files or where the variable large says. TAP.

build=$(pwd)
source=$(cd "${srcdir:-.}" && pwd)
armilla=$build/armilla
fits=$build/tests/check-fits
png=$build/tests/check-png
data=${HEALPY_DATA:-/usr/share/healpy}
number=0
# shellcheck source=tests/rank-functions.sh
. "$source/tests/rank-functions.sh"

room=$(mktemp -d "${large:-${TMPDIR:-/tmp}}/armilla-workflows-XXXXXX") || exit 99
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
    sed 's/^#* */# /' "$room/.log"
    echo "not ok $number - $name"
  fi
}

# run FILE OPTION...: runs a workflow, saying nothing
run () { "$armilla" run --quiet "$@"; }

# not COMMAND...
not () { if "$@"; then return 1; else return 0; fi; }

# refused FILE TEXT OPTION...: a workflow that ends with exit status 2 before it runs, or 1 while it
# does, and a message that holds TEXT
refused ()
{
  file=$1
  text=$2
  shift 2
  if run "$file" "$@" 2> "$room/.message"; then
    echo "it ran"
    return 1
  fi
  cat "$room/.message"
  grep -qF -e "$text" "$room/.message"
}

enter () { mkdir "$room/$1" && cd "$room/$1" || exit 99; }
finish () { echo "1..$number"; }
