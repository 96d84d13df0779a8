#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packaging/slurm/armilla.sbatch, by a Slurm of this test's own: one node, which is this machine, with the steps of
# the script. Its daemons listen on ports of their own, and end with the test. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

need_ranks
sanitized && skip_all "the launcher's processes would be looked at, too"
PATH=$build:/usr/sbin:$PATH
export PATH
for program in munged slurmctld slurmd sbatch srun; do
  command -v $program > /dev/null || skip_all "no $program (Debian: slurm-wlm, munge)"
done
find /usr/lib*/*/slurm* /usr/lib*/slurm* -name 'mpi_pmix*.so' 2> /dev/null | grep -q . ||
  skip_all "this Slurm has no PMIx"
node=$(hostname -s)
port=$((20000 + $$ % 10000 * 2))
user=$(id -un)
cat > slurm.conf << END
ClusterName=armilla
SlurmctldHost=$node
SlurmUser=$user
SlurmdUser=$user
AuthInfo=socket=$room/munge.socket
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES State=UP
END
mkdir state spool
SLURM_CONF=$room/slurm.conf
export SLURM_CONF
daemons=
stop ()
{
  for daemon in $daemons; do kill "$daemon" 2> /dev/null; done
  for daemon in $daemons; do wait "$daemon" 2> /dev/null; done
  daemons=
}
trap 'stop; rm -rf "$room"' EXIT
# daemon NAME COMMAND...: in the background, with its output in NAME.log
daemon ()
{
  log=$1.log
  shift
  "$@" > "$log" 2>&1 &
  daemons="$! $daemons"
}
started ()
{
  head -c 128 /dev/urandom > munge.key && chmod 400 munge.key || return 1
  daemon munged munged --foreground --force --key-file="$room/munge.key" --socket="$room/munge.socket" \
    --pid-file="$room/munge.pid" --log-file="$room/munge.log" --seed-file="$room/munge.seed"
  for _ in $(seq 100); do [ ! -S munge.socket ] || break; sleep 0.1; done
  daemon slurmctld slurmctld -D
  daemon slurmd slurmd -D -N "$node"
  for _ in $(seq 300); do
    [ "$(sinfo --noheader --format=%T 2> /dev/null)" != idle ] || return 0
    sleep 0.1
  done
  tail -n 20 ./*.log
  return 1
}
# submitted STATUS FILE: as that workflow, to its end; what it says is in the file said. (sbatch --wait would look
# every few seconds.)
submitted ()
{
  job=$(sbatch --parsable --output=said "$source/packaging/slurm/armilla.sbatch" "$2") || return 1
  for _ in $(seq 1200); do
    scontrol --oneliner show job "$job" > state-of-job
    ! grep -q 'JobState=[A-Z]*ED ' state-of-job || break
    sleep 0.1
  done
  cat said
  grep -q " ExitCode=$1:0 " state-of-job || { cat state-of-job; tail -n 20 ./*.log; return 1; }
}

awk 'BEGIN { for (l = 0; l <= 64; l++) print l, 1 }' > flat.dat
cat > sky.workflow << END
[workflow]
deal = blocks
$(random_alm draw flat "$room/flat.dat")
seed = 7
lmax = 64
$(synthesis sky draw 32)
$(output out map sky sky.fits)
END
sed 's/^lmax = 64/lmay = 64/' sky.workflow > wrong.workflow

mkdir plain
ok "a run without Slurm" env -C plain "$armilla" run --quiet ../sky.workflow
ok "Slurm starts" started
if ! sinfo > /dev/null 2>&1; then
  finish
  exit 1
fi
ok "the job is done" submitted 0 sky.workflow
ok "by two ranks" grep -q '2 ranks' said
ok "the map has the bits of the run without" "$fits" same sky.fits plain/sky.fits
ok "the same job again has nothing left to do" submitted 0 sky.workflow
ok "a mistake ends the job" submitted 2 wrong.workflow
ok "in its first step" grep -q "lmay" said
ended () { for daemon in $all; do ! kill -0 "$daemon" 2> /dev/null || return 1; done; }
all=$daemons
stop
ok "Slurm is at its end" ended
finish
