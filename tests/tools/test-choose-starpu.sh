#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which StarPU quickstart and pip take: Debian's, one's own, or one that is built from Debian's source, here from
# a release that builds in no time, which apt-get's stand-in brings. TAP.
. "${srcdir:-.}/tests/lib/test-functions.sh"

choose=$source/build-aux/choose-starpu
unset PKG_CONFIG_PATH STARPU_SOURCE CUDA_HOME
mkdir -p bin few release/starpu-x/src/drivers/cuda release/starpu-x/src/core/perfmodel own
printf '#!/bin/sh\necho 1000\n' > bin/nproc
printf '#!/bin/sh\necho 1\n' > few/nproc
cat > bin/apt-get << 'END'
#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in
  indextargets*) echo "deb-src http://mirror.example/debian stable main" ;;
  *" source "*) [ -z "$OFFLINE" ] || { echo "E: no network"; exit 100; }; cp "$RELEASE" starpu_1.3.10+dfsg.orig.tar.gz ;;
esac
END
chmod +x bin/* few/*
: > release/starpu-x/src/drivers/cuda/driver_cuda.c
: > release/starpu-x/src/core/perfmodel/perfmodel.c
cat > release/starpu-x/configure << 'END'
#!/bin/sh
PACKAGE_VERSION='1.3.10'
for option; do case $option in --prefix=*) prefix=${option#*=} ;; esac; done
printf 'all:\ninstall:\n\tmkdir -p %s/lib/pkgconfig\n\tcp /bin/true %s/lib/libstarpu-1.3.so\n' "$prefix" "$prefix" > Makefile
echo "$*" >> "$LOG"
END
chmod +x release/starpu-x/configure
pack () { tar -czf "$1" -C release starpu-x; }
pack starpu.tar.gz
sed -i 's/1\.3\.10/1.5.0/' release/starpu-x/configure && pack later.tar.gz
rm release/starpu-x/configure && pack bare.tar.gz
export LOG="$PWD/log" RELEASE="$PWD/starpu.tar.gz" OFFLINE=
if ! readelf --version > /dev/null 2>&1; then skip_all "there is no readelf"; fi

# chosen PATH TEXT COMMAND...: the command prints this path, and says that
chosen ()
{
  path=$1 text=$2
  shift 2
  "$@" > path 2> .said && test "$(cat path)" = "$path" && says "$text"
}
many () { env "PATH=$PWD/bin:$PATH" "$@"; }
ok "as many cores as Debian's uses" chosen "" "Using Debian's StarPU" env "PATH=$PWD/few:$PATH" "$choose" "$PWD/x"
ok "Debian's on request" chosen "" "since STARPU_SOURCE=no" many STARPU_SOURCE=no "$choose" "$PWD/x"
: > own/starpu-1.3.pc
ok "one's own" chosen "/nowhere:$PWD/own" "Using the StarPU in $PWD/own" many "PKG_CONFIG_PATH=/nowhere:$PWD/own" "$choose" "$PWD/x"
ok "without a network" chosen "" "could not be downloaded (E: no network)" many OFFLINE=1 "$choose" "$PWD/x"
ok "nothing was built" test ! -e x
ok "Debian's source" chosen "$PWD/x/lib/pkgconfig" "Building StarPU from starpu_1.3.10+dfsg.orig.tar.gz for 1000 cores" \
  many "$choose" "$PWD/x"
ok "how long it takes" says "about two minutes"
ok "its version" says "Building StarPU 1.3.10 into $PWD/x (CUDA: no)"
ok "for more CPUs than Debian's" grep -q -- '--enable-maxcpus=128' log
ok "by the mirrors of the machine" grep -q '^deb-src http://mirror.example/debian stable main$' x-source/sources.list
with_own_lists ()
{
  grep -E ' (update|source) ' log | not grep -v "Dir::State::Lists=$PWD/x-source/lists .*Dir::Cache=$PWD/x-source/cache"
}
ok "with lists of its own" with_own_lists
downloads () { grep -c ' source ' log; }
before=$(downloads)
ok "again" chosen "$PWD/x/lib/pkgconfig" "already built" many OFFLINE=1 "$choose" "$PWD/x"
ok "without a download" test "$(downloads)" -eq "$before"
ok "a source that is named" chosen "$PWD/y/lib/pkgconfig:/nowhere" "from starpu.tar.gz" \
  many "STARPU_SOURCE=$PWD/starpu.tar.gz" PKG_CONFIG_PATH=/nowhere "$choose" "$PWD/y"
ok "another StarPU is refused" fails "this is StarPU 1.5.0; Armilla needs 1.3 or 1.4" \
  many "STARPU_SOURCE=$PWD/later.tar.gz" "$choose" "$PWD/z"
ok "so is what is no release" fails "has no configure" many "STARPU_SOURCE=$PWD/bare.tar.gz" "$choose" "$PWD/z"
ok "and nothing is left" test ! -e z
finish
