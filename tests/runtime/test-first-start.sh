#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# StarPU measures the machine on its first start and aborts when another process does so at the same
# time: first starts take turns. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

printf '# l TT\n0 0\n1 0\n2 1\n3 1\n4 1\n' > theory.txt
cat > sky.workflow << END
$(random_alm draw theory theory.txt)
seed = 3
lmax = 4
$(spectrum spectrum draw)
$(output out cl spectrum out.fits)
END

# first FOLDER: a machine where neither StarPU nor Armilla ever ran, as far as they know
first ()
{
  mkdir "$room/$1" || exit 99
  XDG_CACHE_HOME=$room/$1 STARPU_HOME=$room/$1 STARPU_PERF_MODEL_DIR=$room/$1/sampling
  export XDG_CACHE_HOME STARPU_HOME STARPU_PERF_MODEL_DIR
}

again () { run --overwrite sky.workflow; }
marks () { set -- "$XDG_CACHE_HOME"/armilla/started-*; [ $# -eq 1 ] && [ -f "$1" ]; }

# hold COMMAND...: the lock of first starts, while the command runs
hold () { mkdir -p "$XDG_CACHE_HOME/armilla"; exec flock -F "$XDG_CACHE_HOME/armilla/first-start.lock" "$@"; }

# Another process is in its first start until it says so.
waits ()
{
  hold sh -c 'touch held; sleep 1; touch released' &
  other=$!
  until [ -e held ] || ! kill -0 "$other"; do sleep 0.01; done
  again || return 1
  [ -e released ] || { echo "it did not wait"; return 1; }
  wait "$other"
}

first one
if flock -F .lock true 2> /dev/null; then
  ok "a first start waits for another's" waits
else
  skip "a first start waits for another's" "no flock that has -F"
  again
fi
ok "and leaves a mark" marks

# Whoever started before does not ask for the lock.
passes ()
{
  rm "$XDG_CACHE_HOME/armilla/first-start.lock" && again && [ ! -e "$XDG_CACHE_HOME/armilla/first-start.lock" ]
}
ok "a later start does not" passes

crowd ()
{
  for i in 1 2 3 4 5 6; do
    mkdir -p "$i"
    ( cd "$i" && cp ../theory.txt ../sky.workflow . && again ) &
    eval "p$i=\$!"
  done
  bad=0
  for i in 1 2 3 4 5 6; do
    eval "wait \$p$i" || bad=1
  done
  return "$bad"
}
first crowd
ok "six first starts at once" crowd
ok "leave one mark" marks

# StarPU's own folder is there; only the mark and the lock find no place.
first nowhere
no_place () { rmdir "$XDG_CACHE_HOME/armilla" 2> /dev/null; : > "$XDG_CACHE_HOME/armilla" && again; }
ok "no place for a mark" no_place
read_only () { rm "$XDG_CACHE_HOME/armilla" && mkdir -p "$XDG_CACHE_HOME/armilla/first-start.lock" && again; }
ok "no place for a lock" read_only
finish
