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

# Another process is in its first start until it reports it.
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

# A process that started before does not take the lock.
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

# It is seen who holds the lock, and a signal ends the wait.
told ()
{
  hold sleep 60 &
  other=$!
  until flock -n "$XDG_CACHE_HOME/armilla/first-start.lock" false 2> /dev/null; [ $? -eq 1 ] &&
    ! flock -n "$XDG_CACHE_HOME/armilla/first-start.lock" true 2> /dev/null; do sleep 0.01; done
  "$armilla" run --quiet --overwrite sky.workflow > said 2>&1 &
  waiter=$!
  until grep -q "waiting for" said; do kill -0 $waiter || break; sleep 0.05; done
  kill -TERM $waiter
  wait $waiter
  status=$?
  kill -0 $other && kill $other
  cat said
  grep -q "waiting for process $other, which holds .*first-start.lock" said && [ $status -ne 0 ] &&
    grep -q "stopped by SIGTERM" said
}
first kept
if flock -F .lock true 2> /dev/null && flock -F .lock grep -q FLOCK /proc/locks; then
  ok "the process that holds the lock is named, and SIGTERM ends the wait" told
else
  skip "the process that holds the lock is named, and SIGTERM ends the wait" "no flock -F, or no /proc/locks"
fi

# StarPU's own folder is there; only the mark and the lock find no place.
first nowhere
no_place () { rmdir "$XDG_CACHE_HOME/armilla" 2> /dev/null; : > "$XDG_CACHE_HOME/armilla" && again; }
ok "no place for a mark" no_place
read_only () { rm "$XDG_CACHE_HOME/armilla" && mkdir -p "$XDG_CACHE_HOME/armilla/first-start.lock" && again; }
ok "no place for a lock" read_only

# StarPU aborts where its folder or its files cannot be used. same: the run gives what it gave elsewhere
first whole
reference () { again && cp out.fits reference.fits && rm out.fits; }
ok "a folder that is whole" reference
same () { "$armilla" run --overwrite sky.workflow > said 2>&1; status=$?; cat said; [ $status -eq 0 ] && cmp -s out.fits reference.fits && rm out.fits; }
noted () { same && [ "$(grep -c 'StarPU measures this machine again' said)" -eq 1 ]; }
silent () { same && not grep -q 'StarPU' said; }
tidy () { set -- "${TMPDIR:-/tmp}"/armilla-starpu-*; [ ! -e "$1" ]; }
host=$(hostname | cut -d. -f1)
kinds="config affinity latency bandwidth platform.xml platform.v4.xml"

# damage HOW: each of the files, one after the other
damage ()
{
  for kind in $kinds; do
    [ -e "$STARPU_PERF_MODEL_DIR/bus/$host.$kind" ] || { echo "no $kind"; return 1; }
    "$1" "$STARPU_PERF_MODEL_DIR/bus/$host.$kind" && silent || { echo "$1 $kind"; return 1; }
    [ "${kind#platform}" != "$kind" ] || [ -s "$STARPU_PERF_MODEL_DIR/bus/$host.$kind" ] || { echo "$kind was not made again"; return 1; }
  done
}
empty () { : > "$1"; }
cut_short () { head -c 10 "$1" > cut && cat cut > "$1"; }
garble () { printf '\377\376 %s' "no numbers" > "$1"; }
folder () { rm "$1" && mkdir "$1"; }
for how in empty cut_short garble; do
  ok "files of StarPU's are damaged: $how" damage $how
done
fewer () { sed -i 3,4d "$STARPU_PERF_MODEL_DIR/bus/$host.config" && silent; }
ok "a configuration has too few numbers" fewer
model ()
{
  for text in "$@"; do
    printf "$text" > "$STARPU_PERF_MODEL_DIR/codelets/45/armilla_alm2cl_v1.$host"
    silent || return 1
  done
}
ok "the model of a codelet is damaged" model 45 '45\n1\n1\n0\n' 'x' '44\n0\n'
blocked () { for kind in config latency; do folder "$STARPU_PERF_MODEL_DIR/bus/$host.$kind" && noted || return 1; done; }
ok "a file that cannot be removed: a note, and a folder of its own" blocked
ok "which goes" tidy

# A new user on a bare machine: StarPU's files are below HOME, and nothing is printed on the way.
fresh ()
{
  mkdir fresh
  (
    unset XDG_CACHE_HOME STARPU_HOME STARPU_PERF_MODEL_DIR STARPU_PERF_MODEL_PATH STARPU_SILENT
    HOME=$room/fresh
    export HOME
    "$armilla" run --quiet --overwrite sky.workflow > said 2>&1 || { cat said; return 1; }
  ) || return 1
  # StarPU of Debian 13 looks for a folder of its own package, which that package does not ship.
  sed -i '\|</usr/share/starpu/perfmodels/sampling> as set by installation directory|d' said
  cat said
  [ ! -s said ] && cmp out.fits reference.fits && rm out.fits && [ -s "fresh/.starpu/sampling/bus/$host.config" ] &&
    [ -d fresh/.starpu/sampling/codelets/45 ]
}
ok "a new user" fresh

# elsewhere HOME: only HOME says where
elsewhere ()
{
  (
    unset XDG_CACHE_HOME STARPU_HOME STARPU_PERF_MODEL_DIR
    HOME=$1
    export HOME
    noted
  )
}
ok "HOME where nothing can be made" elsewhere /proc
: > file
ok "HOME is a file" elsewhere "$room/file"
mkdir -p home/.starpu && : > home/.starpu/sampling
ok "the folder is a file" elsewhere "$room/home"
long=$(printf '%0120d/%0120d' 0 0)
mkdir -p "$long"
ok "HOME has a long name" elsewhere "$room/$long"
ok "and nothing is left" tidy
mkdir home2 && cp -r "$room/whole" home2/.starpu && chmod 755 "$room"
stranger ()
{
  mkdir -p "$room/open" && chmod 777 "$room/open" && cp theory.txt sky.workflow "$room/open" && cd "$room/open" &&
    chmod -R a+rX "$room" && chmod -R go-w "$room/home2" || return 1
  ( unset XDG_CACHE_HOME STARPU_HOME STARPU_PERF_MODEL_DIR
    setpriv --reuid 4321 --regid 4321 --clear-groups env HOME="$room/home2" "$armilla" run --overwrite sky.workflow ) > said 2>&1
  status=$?
  cat said
  [ $status -eq 0 ] && cmp out.fits "$room/reference.fits" && [ "$(grep -c 'measures this machine again' said)" -eq 1 ]
}
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
  ok "another user's folder, and a user without a name" stranger
else
  skip "another user's folder, and a user without a name" "not root, or no setpriv"
fi
finish
