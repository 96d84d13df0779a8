#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the recipes of packaging/ say is so: one version everywhere, options that configure knows, libraries that
# the build needs. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"
cd "$source" || exit 99
version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$build/config.h")
echo "# of version $version"

# versions SCRIPT FILE: what it says of its version, by sed
versions () { sed -n "$1" "$2" | tee /dev/stderr | head -n 1 | grep -qx "$version"; }
ok "the version of the Debian packages" versions 's/^armilla (\(.*\)-[^-]*) .*/\1/p' packaging/debian/changelog
ok "of Spack's" versions 's/^ *version("\([^"]*\)".*/\1/p' packaging/spack/packages/armilla/package.py
ok "and the file it is made from" \
  grep -q "armilla-$version.tar.xz" packaging/spack/packages/armilla/package.py
ok "of conda's" versions 's/^{% set version = "\(.*\)" %}/\1/p' packaging/conda/meta.yaml
ok "of the Python package" versions 's/^version = "\(.*\)"/\1/p' python/pyproject.toml
ok "of the citation" versions 's/^version: \(.*\)/\1/p' CITATION.cff
ok "of the newest release in CHANGELOG" versions 's/^Armilla \([^ ]*\) (.*)$/\1/p' CHANGELOG
named () { grep -ohE 'armilla-[0-9]+\.[0-9]+\.[0-9]+' "$@" | sort -u | tee /dev/stderr; }
ok "of all files that the pages name" \
  test "$(named doc/packages.md doc/start/install.md)" = "armilla-$version"

if [ -x configure ]; then
  ./configure --help > "$room/help"
  # MPI may be switched on, too, although configure tells only how to switch it off.
  known () { grep -q -e "--with-$1\\b" -e "--without-$1\\b" "$room/help"; }
  for file in packaging/debian/rules packaging/conda/build.sh packaging/spack/packages/armilla/package.py; do
    for option in $(grep -o -e '--with[out]*-[a-z]*' "$file" | sed 's/.*-//' | sort -u); do
      ok "$file: configure knows $option" known "$option"
    done
  done
fi

# What quickstart installs to build with is what the Debian packages are built with.
libraries () { sed -n '/^packages=(/,/^)/p' quickstart | tr ' ' '\n' | grep '^lib.*-dev$' | grep -v '^libc6-dev$'; }
needed () { for library in $(libraries); do grep -q "^ $library," packaging/debian/control || echo "$library"; done; }
none () { needed | tee /dev/stderr | not grep -q .; }
# Where one of them is missing, configure names its package.
named_by_configure ()
{
  for package in $(libraries) zlib1g-dev; do
    [ "$package" = libopenmpi-dev ] || grep -q "\[$package\]" "$source/configure.ac" "$source"/m4/armilla-*.m4 ||
      { echo "# configure names no $package"; return 1; }
  done
}
ok "configure names the package of each library" named_by_configure
ok "quickstart names libraries" test "$(libraries | wc -l)" -ge 5
ok "all are build dependencies of the Debian packages" none

for file in packaging/debian/rules packaging/conda/build.sh; do
  ok "$file leaves out what is libtool's" grep -q '\.la\b' "$file"
done

if command -v python3 > /dev/null; then
  ok "Spack's recipe is Python" env PYTHONPYCACHEPREFIX="$room" \
    python3 -m py_compile packaging/spack/packages/armilla/package.py
fi
# Kernels that another build folder has compiled are taken for the wheel, and make has nothing to compile, although
# the folders are made anew.
kernels_taken ()
{
  clone=$room/clone room_of=codelets/fields
  for folder in build-cuda build-python-cuda; do
    mkdir -p "$clone/$folder"
    cat > "$clone/$folder/Makefile" << MAKE
NVCC = nvcc
$room_of/kernel.lo: $room_of/.dirstamp $room_of/.deps/.dirstamp
	mkdir -p $room_of/.libs && touch $room_of/.deps/kernel.cu.d $room_of/.libs/kernel.o \$@
%/.dirstamp:
	mkdir -p \$* && touch \$@
MAKE
  done
  make -C "$clone/build-cuda" $room_of/kernel.lo &&
    find "$clone/build-cuda" -type f -exec touch -d 2020-01-01 {} + &&
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=python ARMILLA_CUDA=1 ARMILLA_FROM_CLONE=$clone python3 -c '
import build_library
build_library._take_kernels(build_library.TOP + "/build-cuda")' &&
    make -C "$clone/build-python-cuda" -q $room_of/kernel.lo
}
if command -v python3 > /dev/null; then
  ok "the wheel takes kernels that are compiled" kernels_taken
fi
for script in packaging/conda/build.sh packaging/slurm/armilla.sbatch packaging/debian/tests/first-recipe \
  packaging/debian/tests/c-example build-aux/make-deb; do
  ok "$script is a script" bash -n "$script"
done
finish
