#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/run-test: a test that is stuck fails, and nothing that it left behind holds up the others.
# TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
run=$source/build-aux/run-test

# limited STATUS LIMIT SCRIPT: the script, run for LIMIT seconds at most, ends so
limited () { ends "$1" timeout 100 "$run" "$2" sh -c "$3"; }

# is_sleep PROCESS: it has become the program sleep, not a shell that is about to
# shellcheck disable=SC2016
is_sleep='[ "$(cat "/proc/$1/comm" 2> /dev/null)" = sleep ]'

# interrupted: a test that is stuck gets SIGTERM when its child runs
interrupted ()
{
  "$run" 300 sh -c "echo ok 1; sleep 300 & echo \$! > new; mv new child; wait" &
  pid=$!
  until [ -e child ] && sh -c "$is_sleep" - "$(cat child)"; do
    kill -0 $pid || return 1
    sleep 0.05
  done
  kill -TERM $pid
  wait $pid
}

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

ok "a test that passes" limited 0 50 'echo 1..1; echo ok 1'
ok "its output" matches '^ok 1$'
ok "its time" matches '^# took [0-9]* s, [0-9]* s of processor time$'
ok "its standard error is its own" sh -c "'$run' 50 sh -c 'echo loud >&2' 2> errors"
ok "which goes where it went" grep -qx loud errors
ok "a test that fails" limited 7 50 'echo not ok 1; exit 7'
ok "its output, too" matches '^not ok 1$'
ok "a test that a signal ends" limited 139 50 'kill -SEGV $$'
ok "a program that is not there" sh -c "'$run' 5 ./nowhere > /dev/null 2>&1; [ \$? -eq 127 ]"
ok "a test that is stuck" limited 124 2 "sleep 300"
ok "what became of it" matches '^Bail out! not finished after 2 s$'
ok "one that is stuck until it is interrupted" ends 124 interrupted
ok "what it had said" matches '^ok 1$'
ok "what became of it" matches '^Bail out! stopped by SIGTERM$'
ok "what ran then" matches '^# still running: process [0-9]* ([A-Z]) sleep 300$'
ok "nothing of it runs" gone child
ok "a test that is stuck and does not listen" limited 124 1 "trap '' TERM; while :; do sleep 1; done"
# As an automake driver does, wait for the end of the pipe.
ok "a process left behind" ends 0 sh -c \
  "timeout 100 '$run' 50 sh -c 'sleep 300 & echo \$! > orphan; set \$!; until $is_sleep; do :; done; echo ok 1' | cat"
ok "the test's output" matches '^ok 1$'
ok "what was left" matches '^# left by the test, and killed: process [0-9]* ([A-Z]) sleep 300$'
ok "it ended" gone orphan
ok "a closed standard input is no file" sh -c "'$run' 50 readlink /proc/self/fd/0 <&- | grep -qx /dev/null"
ok "a limit that is none" sh -c "! '$run' soon true 2> /dev/null"
finish
