#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/run-test: a test that is stuck fails, and nothing that it left behind holds up the others.
# TAP.

run=$(cd "${srcdir:-.}" && pwd)/build-aux/run-test
room=$(mktemp -d "${TMPDIR:-/tmp}/armilla-run-test-XXXXXX") || exit 99
trap 'rm -rf "$room"' EXIT
number=0

# ok NAME COMMAND...: one test
ok ()
{
  number=$((number + 1))
  name=$1
  shift
  if "$@" > "$room/.log" 2>&1; then
    echo "ok $number - $name"
  else
    sed 's/^#* */# /' "$room/.log"
    echo "not ok $number - $name"
  fi
}

# ends STATUS LIMIT SCRIPT: the script, run for LIMIT seconds at most, ends so; its output is in the file said
ends ()
{
  timeout 100 "$run" "$2" sh -c "$3" > "$room/said" 2> "$room/errors"
  got=$?
  cat "$room/said" "$room/errors"
  [ "$got" -eq "$1" ]
}

# is_sleep PROCESS: it has become the program sleep, not a shell that is about to
# shellcheck disable=SC2016
is_sleep='[ "$(cat "/proc/$1/comm" 2> /dev/null)" = sleep ]'

# interrupted: a test that is stuck gets SIGTERM when its child runs
interrupted ()
{
  "$run" 300 sh -c "echo ok 1; sleep 300 & echo \$! > '$room/new'; mv '$room/new' '$room/child'; wait" > "$room/said" 2>&1 &
  pid=$!
  until [ -e "$room/child" ] && sh -c "$is_sleep" - "$(cat "$room/child")"; do
    kill -0 $pid || return 1
    sleep 0.05
  done
  kill -TERM $pid
  wait $pid
  got=$?
  cat "$room/said"
  [ $got -eq 124 ]
}

said () { grep -q "$1" "$room/said"; }

# gone FILE: the process whose number is there ends now, whether or not its new parent takes note
gone ()
{
  state=/proc/$(cat "$1")/status
  tries=0
  while [ -e "$state" ] && ! grep -q '^State:.*Z' "$state"; do
    [ $((tries += 1)) -lt 600 ] || return 1
    sleep 0.1
  done
}

ok "a test that passes" ends 0 50 'echo 1..1; echo ok 1'
ok "its output" said '^ok 1$'
ok "its time" said '^# took [0-9]* s$'
ok "its standard error is its own" ends 0 50 'echo loud >&2'
ok "which goes where it went" grep -q '^loud$' "$room/errors"
ok "a test that fails" ends 7 50 'echo not ok 1; exit 7'
ok "its output, too" said '^not ok 1$'
ok "a test that a signal ends" ends 139 50 'kill -SEGV $$'
ok "a program that is not there" sh -c "'$run' 5 '$room/nowhere' > /dev/null 2>&1; [ \$? -eq 127 ]"
ok "a test that is stuck" ends 124 2 "sleep 300"
ok "what became of it" said '^Bail out! not done after 2 s$'
ok "one that is stuck until somebody has had enough" interrupted
ok "what it had said" said '^ok 1$'
ok "what became of it" said '^Bail out! stopped by SIGTERM$'
ok "what ran then" said '^# still running: process [0-9]* ([A-Z]) sleep 300$'
ok "nothing of it runs" gone "$room/child"
ok "a test that is stuck and does not listen" ends 124 1 "trap '' TERM; while :; do sleep 1; done"
# As an automake driver does, wait for the end of the pipe.
ok "a process left behind" sh -c \
  "timeout 100 '$run' 50 sh -c 'sleep 300 & echo \$! > \"$room/orphan\"; set \$!; until $is_sleep; do :; done
    echo ok 1' | cat > '$room/said'"
ok "the test's output" said '^ok 1$'
ok "what was left" said '^# left behind, and ended: process [0-9]* ([A-Z]) sleep 300$'
ok "it ended" gone "$room/orphan"
ok "a closed standard input is no file" sh -c "'$run' 50 readlink /proc/self/fd/0 <&- | grep -qx /dev/null"
ok "a limit that is none" sh -c "! '$run' soon true 2> /dev/null"
echo "1..$number"
