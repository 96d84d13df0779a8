# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of what a user builds against an installed Armilla: sourced after test-functions.sh.
make=${MAKE:-make}
inst=$room/inst

# Makes with no options of the make that runs this test.
make_in () { (cd "$1" && shift && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$make" "$@"); }

# What configure and make were told: CC, CFLAGS and the like.
built_with () { sed -n "s/^$1 = //p" "$build/Makefile"; }

# Installs into the folder inst, and sets armilla and prefix. The files of pkg-config say where it would be
# installed; it is in a folder before that.
install_there ()
{
  make_in "$build" install DESTDIR="$inst" && configs=$(dirname "$(find "$inst" -name armilla-task.pc)") || return 1
  prefix=$(sed -n 's/^prefix=//p' "$configs/armilla-task.pc")
  sed -i "s|^\\([a-z_]*=\\)/|\\1$inst/|" "$configs"/armilla*.pc
  # And what configure was told of StarPU's.
  told=$(built_with PKG_CONFIG_PATH)
  PKG_CONFIG_PATH=$configs${told:+:$told}${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PKG_CONFIG_PATH
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir armilla)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
  armilla=$inst$prefix/bin/armilla
}
