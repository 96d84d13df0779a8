# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced before every test of make check: nothing of the user's StarPU or MPI set-up gets in.
STARPU_HOME=$(pwd)/tests/starpu
STARPU_PERF_MODEL_DIR=$STARPU_HOME/sampling
mkdir -p "$STARPU_PERF_MODEL_DIR"
STARPU_SILENT=1
STARPU_WORKERS_NOBIND=1
G_DEBUG=fatal-criticals
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export STARPU_HOME STARPU_PERF_MODEL_DIR STARPU_SILENT STARPU_WORKERS_NOBIND G_DEBUG
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
# Only a build with sanitizers reads these.
LSAN_OPTIONS=suppressions=$G_TEST_SRCDIR/lsan.supp:print_suppressions=0
UBSAN_OPTIONS=print_stacktrace=1
export LSAN_OPTIONS UBSAN_OPTIONS
