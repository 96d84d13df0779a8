# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts that run several ranks share: sourced by them. RANKS_LIMIT=SECONDS is for runs that take longer.

# How ranks are started, as words, for "sh -c" and the like. An mpirun that is stuck, as it can be when ranks
# are killed in MPI_Init, may take no notice of SIGTERM: it is killed then.
mpirun="timeout -k 20 ${RANKS_LIMIT:-300} mpirun --oversubscribe --bind-to none"
# What mpirun -q is for Open MPI 4. Open MPI 5 knows neither.
OMPI_MCA_orte_execute_quiet=1
export OMPI_MCA_orte_execute_quiet

# without_launcher FILE: takes from what a run said what Open MPI 5 and its launcher say of ranks that have failed, in
# blocks between two lines, with --tag-output behind tags, and with a byte 0 at their end
without_launcher ()
{
  tag='\(\[[0-9,]*\]<stderr>: *\)\{0,1\}'
  sed -i -e 's/\x00//g; /^\[[^]]*\] PMIX ERROR: PMIX_ERR_UNREACH/d; /^\[[0-9,]*\]<stderr>: *$/d' \
    -e "/^$tag--*\$/{N;/\nprterun \|\n${tag}MPI_ABORT was invoked/!b;:more;/\n$tag--*\$/!{N;b more};d}" "$1"
}

# ranks N [OPTION...] COMMAND...: N of them, with one worker each
# shellcheck disable=SC2086
ranks () { STARPU_NCPU=1 $mpirun -n "$@"; }

# children PID
children () { cat /proc/"$1"/task/*/children 2> /dev/null; }

# launcher PID: mpirun, which is that process or comes of it; nothing where it does not run yet
launcher ()
{
  case $(cat "/proc/$1/comm" 2> /dev/null) in
    mpirun | orterun | prterun) echo "$1"; return ;; # prterun is Open MPI 5's
  esac
  for child in $(children "$1"); do launcher "$child"; done
}

# halted PID: no thread of it takes a step
halted () { ! grep -hs '^State:' "/proc/$1/task"/*/status | grep -qv '[TZX] (.*)$'; }

# kill_all PID: it, and all that came of it. As it is halted first, nothing comes of it meanwhile.
kill_all ()
{
  kill -STOP "$1" 2> /dev/null
  until halted "$1"; do sleep 0.01; done
  for child in $(children "$1"); do kill_all "$child"; done
  kill -KILL "$1" 2> /dev/null
}
