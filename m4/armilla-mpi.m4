# SPDX-License-Identifier: GPL-3.0-or-later
# ARMILLA_CHECK_MPI: StarPU-MPI of the StarPU found, and Open MPI through its compiler wrapper.
AC_DEFUN([ARMILLA_CHECK_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [leave MPI out])], [], [with_mpi=check])
have_mpi=no
mpi_summary="off (--without-mpi)"
AS_IF([test "x$with_mpi" != xno], [
  AC_PATH_PROG([MPICC], [mpicc])
  PKG_CHECK_MODULES([STARPUMPI], [starpumpi-$starpu_version], [have_starpumpi=yes], [have_starpumpi=no])
  AS_IF([test -z "$MPICC"], [mpi_summary="off (no mpicc; Debian: libopenmpi-dev)"],
        [test "x$have_starpumpi" = xno], [mpi_summary="off (no starpumpi-$starpu_version, which is in the packages of StarPU)"],
        [have_mpi=yes
         MPI_CFLAGS=$($MPICC --showme:compile | sed 's/-I/-isystem /g')
         MPI_LIBS=$($MPICC --showme:link)
         mpi_summary="on ($MPICC)"
         AC_DEFINE([HAVE_MPI], [1], [StarPU-MPI and MPI are there])])
  AS_IF([test "x$with_mpi" = xyes && test "x$have_mpi" = xno],
        [AC_MSG_ERROR([MPI asked for, but $mpi_summary])])
])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AM_CONDITIONAL([HAVE_MPI], [test "x$have_mpi" = xyes])
])
