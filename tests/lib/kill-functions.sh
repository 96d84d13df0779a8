# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts that kill runs share: sourced by them, after rank-functions.sh. Runs are of "many.workflow"
# beside their folder, and write to the folder out in it.

# many_workflow REALISATIONS LMAX: a map, and a spectrum of its analysis
many_workflow ()
{
  cat << END
[workflow]
repeat = $1
checkpoint = 300 ms
$(random_alm draw theory ../theory.dat)
seed = 7
lmax = $2
$(synthesis sky draw 128)
$(analysis harmonics sky "$2")
iterations = 1
$(spectrum power harmonics)
$(output map map sky "out/map-\${index}.fits")
$(output cl cl power "out/cl-\${index}.fits")
END
}

# theory: what it reads
theory () { awk 'BEGIN { for (l = 0; l <= 1000; l++) print l, 1 / (l + 1) }'; }

# same: out has the files of ../plain/out, byte by byte, and beside them only the journal
same ()
{
  diff -r ../plain/out out > .differ
  grep -v '^Only in out: many.journal$' .differ
  [ "$(grep -vc '^Only in out: many.journal$' .differ)" -eq 0 ]
}

# A random whole number.
random () { od -An -N4 -tu4 /dev/urandom | tr -d ' '; }

# hundredths COMMAND...: how long it takes
hundredths ()
{
  began=$(date +%s%N)
  "$@" > said 2>&1 || cat said >&2
  echo $((($(date +%s%N) - began) / 10000000))
}

# run_and_kill HUNDREDTHS WHOM COMMAND...: starts it, waits, and kills "one" of its ranks or "all"
# of its processes; FALSE when the run ended before. What it has said goes to said.
run_and_kill ()
{
  after=$1
  whom=$2
  shift 2
  "$@" > said 2>&1 &
  pid=$!
  sleep "$((after / 100)).$(printf %02d $((after % 100)))"
  if [ "$whom" = one ]; then
    above=$(launcher $pid)
    # shellcheck disable=SC2046
    set -- $([ -z "$above" ] || children "$above")
    [ $# -gt 0 ] && shift $(($(random) % $#))
    [ $# -gt 0 ] && kill -KILL "$1" 2> /dev/null
  else
    kill_all $pid
  fi
  wait $pid 2> /dev/null
}

# flip FILE OFFSET: another byte there
flip ()
{
  byte=$(od -An -tu1 -j "$2" -N1 "$1" | tr -d ' ')
  # shellcheck disable=SC2059
  printf "$(printf '\\%03o' $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}
