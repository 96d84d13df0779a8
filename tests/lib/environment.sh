# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced before every test of make check: nothing of the user's StarPU or MPI set-up gets in.
STARPU_HOME=$(pwd)/tests/starpu
STARPU_PERF_MODEL_DIR=$STARPU_HOME/sampling
mkdir -p "$STARPU_PERF_MODEL_DIR"
XDG_DATA_HOME=$STARPU_HOME/data         # what armilla tune found would change the last bits
XDG_CACHE_HOME=$STARPU_HOME/cache
STARPU_SILENT=1
STARPU_WORKERS_NOBIND=1
# Workers that have nothing to do look for tasks all the time: on many cores, of tests that run at once,
# those of all would take the time of what they test.
cores=$(nproc 2> /dev/null || echo 1)
STARPU_NCPU=${STARPU_NCPU-$((cores > 1 ? 2 : 1))}
G_DEBUG=fatal-criticals
HWLOC_HIDE_ERRORS=2                     # hwloc has something to say where there is no /sys
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# All ranks are on one machine: Open MPI need not look for networks, which takes it a second, nor complain of those
# that containers have.
OMPI_MCA_pml=${OMPI_MCA_pml-ob1}
OMPI_MCA_btl=${OMPI_MCA_btl-self,vader}
# Ranks that share the cores of one machine with other tests measure nothing but those.
ARMILLA_SPEEDS=${ARMILLA_SPEEDS-equal}
export ARMILLA_SPEEDS
export XDG_DATA_HOME XDG_CACHE_HOME STARPU_HOME STARPU_PERF_MODEL_DIR STARPU_SILENT STARPU_WORKERS_NOBIND STARPU_NCPU G_DEBUG HWLOC_HIDE_ERRORS
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_pml OMPI_MCA_btl
# Only a build with sanitizers reads these. StarPU, hwloc's plugins, Open MPI and fontconfig keep memory
# to the end, so leaks are looked for in the programs that start none of them; make check-valgrind can tell whose
# they are. (make check sets f to the name of the test.)
case ${f-} in
  *-healpy | *-astropy | *-namaster | \
  *.sh | \
  *test-accuracy* | \
  */test-array-* | */test-session | */test-flow | */test-stage-call | */test-stage-counts | \
  *test-apply | \
  *test-arithmetic* | *test-checkpoint | *test-commit | *test-convolve* | \
  *test-correlation* | \
  *test-cost* | \
  *test-gradient* | \
  *test-gpu-memory* | *test-graph* | \
  *test-in-thread | \
  *test-forecast | \
  *test-jackknife | \
  *test-normal-rings | \
  */fuzz-mutants | *fuzz-stages | \
  */test-legendre | \
  */test-legendre-choice | \
  *test-pair* | \
  *test-partial* | \
  *test-points-graph | \
  *test-render* | \
  *test-rotate* | \
  *test-runner* | \
  *test-small-plans | \
  *test-spin-transform* | \
  *test-statistics | \
  *test-trace-idle | \
  *test-transform* | *test-triangles* | \
  *test-tuning* | *test-workers) ASAN_OPTIONS=detect_leaks=0 ;;
  *) ASAN_OPTIONS=detect_leaks=1 ;;
esac
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
