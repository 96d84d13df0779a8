#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What conda build runs; see meta.yaml.
set -euo pipefail
export JOBS=$CPU_COUNT CUDA_HOME=no

# build-starpu wants the tarball that conda has unpacked.
tar -czf starpu.tar.gz starpu
STARPU_SOURCE=$PWD/starpu.tar.gz build-aux/build-starpu "$PREFIX"
export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
autoreconf --install --force
mkdir -p build
cd build
../configure --prefix="$PREFIX" --without-mpi --without-cuda CPPFLAGS="$CPPFLAGS -I$SRC_DIR/random123/include" \
  LAPACK_CFLAGS="-I$PREFIX/include" LAPACK_LIBS="-L$PREFIX/lib -llapack -lblas"
make -j "$CPU_COUNT"
make install
cd ..
# What libtool alone reads names folders of the build.
rm -f "$PREFIX"/lib/libarmilla.la "$PREFIX"/lib/armilla/plugins/*.la "$PREFIX"/lib/libstarpu*.la
"$PYTHON" -m pip install --no-deps --no-build-isolation ./python
