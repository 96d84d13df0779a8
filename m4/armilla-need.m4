# SPDX-License-Identifier: GPL-3.0-or-later
# What is missing is collected, so that one error names all of it with Debian's packages.

# ARMILLA_NEED(VARIABLE, MODULES, PACKAGE): PKG_CHECK_MODULES
AC_DEFUN([ARMILLA_NEED], [
PKG_CHECK_MODULES([$1], [$2], [], [AC_MSG_RESULT([no])
  ARMILLA_MISSING([$2], [$3])])
])

# ARMILLA_MISSING(WHAT, PACKAGE)
AC_DEFUN([ARMILLA_MISSING], [
armilla_missing="$armilla_missing
  $1"
armilla_packages="$armilla_packages $2"
])

# ARMILLA_REFUSE_MISSING: ends configure where something is missing.
AC_DEFUN([ARMILLA_REFUSE_MISSING], [
AS_IF([test -n "$armilla_packages"], [AC_MSG_ERROR([missing or too old:$armilla_missing
on Debian: apt-get install --no-install-recommends$armilla_packages
(or set PKG_CONFIG_PATH to the folders of their .pc files; config.log has what pkg-config says)])])
])
