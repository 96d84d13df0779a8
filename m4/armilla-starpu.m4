# SPDX-License-Identifier: GPL-3.0-or-later
# ARMILLA_FIND_STARPU: StarPU 1.4 or 1.3.
AC_DEFUN([ARMILLA_FIND_STARPU], [
PKG_CHECK_MODULES([STARPU], [starpu-1.4], [starpu_version=1.4],
  [PKG_CHECK_MODULES([STARPU], [starpu-1.3], [starpu_version=1.3], [AC_MSG_RESULT([no])
    ARMILLA_MISSING([StarPU 1.4 or 1.3 (build-aux/build-starpu builds it)], [libstarpu-dev])])])
])

# ARMILLA_CHECK_STARPU: what was decided when StarPU was configured.
AC_DEFUN([ARMILLA_CHECK_STARPU], [
AC_SUBST([starpu_version])
# StarPU's headers drag in others with warnings of their own.
STARPU_CFLAGS=$(echo " $STARPU_CFLAGS" | sed 's/ -I/ -isystem /g')

save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $STARPU_CFLAGS"
AC_COMPUTE_INT([starpu_maxcpus], [STARPU_MAXCPUS], [[#include <starpu_config.h>]], [starpu_maxcpus=0])
AC_COMPUTE_INT([starpu_nmaxbufs], [STARPU_NMAXBUFS], [[#include <starpu_config.h>]],
  [starpu_nmaxbufs=0])
ARMILLA_STARPU_FEATURE([cuda], [STARPU_USE_CUDA])
ARMILLA_STARPU_FEATURE([fxt], [STARPU_USE_FXT])
CPPFLAGS=$save_CPPFLAGS

starpu_summary="$($PKG_CONFIG --modversion starpu-$starpu_version) in $($PKG_CONFIG --variable=prefix starpu-$starpu_version)"
starpu_limits="at most $starpu_maxcpus CPU workers a process, $starpu_nmaxbufs buffers a task"
starpu_lacks=
test "x$starpu_cuda" = xno && starpu_lacks="$starpu_lacks, CUDA"
test "x$starpu_fxt" = xno && starpu_lacks="$starpu_lacks, FxT traces"
starpu_lacks=${starpu_lacks#, }
starpu_advice=
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
AS_IF([test "$cores" -gt "$starpu_maxcpus"],
  [starpu_advice="this machine has $cores cores, and this StarPU uses $starpu_maxcpus of them; ./quickstart builds one that uses all"],
  [test "x$starpu_cuda" = xno && test -e /dev/nvidia0],
  [starpu_advice="this machine has a GPU; build-aux/build-starpu builds a StarPU that uses it"])
])

# ARMILLA_STARPU_FEATURE(NAME, MACRO): starpu_NAME=yes where starpu_config.h defines MACRO.
AC_DEFUN([ARMILLA_STARPU_FEATURE], [
AC_MSG_CHECKING([whether StarPU has $2])
AC_PREPROC_IFELSE([AC_LANG_PROGRAM([[
#include <starpu_config.h>
#ifndef $2
# error not there
#endif
]])], [starpu_$1=yes], [starpu_$1=no])
AC_MSG_RESULT([$starpu_$1])
])
