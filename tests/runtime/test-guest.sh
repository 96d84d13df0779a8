#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library is a guest in the process of a program: it comes and goes as often as it is asked to,
# leaves everything as it was, and shows and takes nothing but what its headers say. TAP.

. "${srcdir:-.}/tests/lib/test-functions.sh"
guest=$build/tests/runtime/guest
RANKS_LIMIT=120

# value NAME: what configure has found
value () { sed -n "s/^$1 = //p" "$build/Makefile"; }

# --- Lives

ok "it starts and stops ten times in one process" "$guest" alone 10 "$room/alone"

# What StarPU and the libraries below it lose is theirs: a leak belongs to the library that called
# malloc, directly or through GLib. (A suppression of libstarpu would hide what our functions lose
# in its workers.) Handles that were not unregistered are ours, too.
no_leak ()
{
  ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0 "$guest" alone 10 "$room/alone" \
    2> "$room/report"
  ! grep -e 'ERROR: AddressSanitizer' -e 'runtime error' -e 'fatal error' "$room/report" || return 1
  awk '/ leak of / { owner = ""; what = $0 }
    !/^ +#[0-9]+ / || /libsanitizer|libasan|libglib|libgobject|libc\.so/ { next }
    owner == "" {
      owner = /libarmilla|\/guest|\.c:[0-9]+$/ ? "ours" : "theirs"
      if (owner == "ours") tell()
    }
    owner == "theirs" && / starpu_[a-z_]*_register / { owner = "ours"; tell() }
    function tell() { print what; print; ours++ }
    END { exit ours > 0 }' "$room/report"
}
if value CFLAGS | grep -q -e '-fsanitize=[a-z,]*address'; then
  ok "and loses no memory" no_leak
else
  skip "and loses no memory" "built without -fsanitize=address"
fi

# refused COMMAND...: fails, and says on each rank that it takes a later StarPU
refused ()
{
  got=0
  ranks 4 "$@" > "$room/said" 2>&1 || got=$?
  cat "$room/said"
  [ $got -eq 1 ] && [ "$(grep -c 'guest: .*communicator.*needs StarPU 1.4' "$room/said")" -eq 4 ]
}
halves ()
{
  ranks 4 "$guest" half 10 "$room/half" || return 1
  cmp "$room/alone" "$room/half.0" && cmp "$room/alone" "$room/half.1"
}
world () { ranks 2 "$guest" world 10 "$room/world" && cmp "$room/alone" "$room/world"; }
if has_ranks; then
  ok "ten times on two ranks of a program that has started MPI, with the same bits" world
  case $(value STARPU_CFLAGS) in
    */starpu/1.3*)
      ok "a communicator is refused in words" refused "$guest" half 1 "$room/half" ;;
    *)
      ok "two halves of the ranks compute on communicators of theirs, with the same bits" halves ;;
  esac
else
  skip "ranks of a program that has started MPI" "built without MPI, or no mpirun"
fi

# --- Names

# declared: the functions of the public headers, as the compiler sees them, and their variables
declared ()
{
  for header in "$source"/include/armilla/*.h; do
    echo "#include <armilla/${header##*/}>"
  done > "$room/all.c"
  # shellcheck disable=SC2046
  $(value CC) -fsyntax-only -aux-info "$room/functions" -I"$source/include" $(value GLIB_CFLAGS) \
    $(value STARPU_CFLAGS) "$room/all.c" || return 1
  sed -n 's|^/\* [^ ]*/include/armilla/[^ ]* \*/ extern [^(]*\b\(armilla_[a-z0-9_]*\) (.*|\1|p' \
    "$room/functions"
  sed -n 's/^extern [^(]*\b\(armilla_[a-z0-9_]*\)[^(]*;.*/\1/p' "$source"/include/armilla/*.h
}
exported ()
{
  nm -D --defined-only --format=posix "$build/.libs/libarmilla.so" | sed -n 's/@@ARMILLA_[0-9].*//p'
}
names ()
{
  declared | sort -u > "$room/declared"
  exported | sort -u > "$room/exported"
  [ "$(wc -l < "$room/declared")" -gt 100 ] || { echo "hardly any declarations"; return 1; }
  diff "$room/declared" "$room/exported"
}
ok "the library exports the names of its public headers, and no others" names

# What belongs to the process, and is the program's to call.
process='_?exit|_Exit|quick_exit|abort|v?fork|_Fork|daemon|system|popen|posix_spawnp?'
process="$process|signal|sigaction|raise|kill|killpg|alarm|setitimer|atexit|on_exit"
process="$process|g_log_set_writer_func|g_log_set_default_handler|g_spawn_[a-z_]*"
process="$process|close_range|closefrom|g_abort|__assert_fail|g_assertion_[a-z_]*"
needs ()
{
  for archive in "$build"/.libs/*.a; do
    case $archive in */libprogram.a) ;; *) echo "$archive" ;; esac
  done > "$room/objects"
  xargs nm -A -P -u < "$room/objects" > "$room/needs" || return 1
  nm -A -P -u -D "$build"/plugins/.libs/*.so >> "$room/needs" || return 1
  grep -q 'libtasks.a.*: starpu_shutdown U' "$room/needs" || { echo "not the objects"; return 1; }
  # What nvcc makes of a source registers its kernels, and takes that back when the process ends.
  sed -n 's/: __cudaRegisterFatBinary U.*//p' "$room/needs" > "$room/kernels"
  # One file leaves SIGPROF as it was before StarPU stopped.
  grep -E ": ($process)(@[^ ]*)? U" "$room/needs" | grep -v -F -f "$room/kernels" |
    grep -v 'starpu-stop\.o.*: sigaction U' > "$room/wrong"
  cat "$room/wrong"
  [ ! -s "$room/wrong" ]
}
ok "its objects need nothing that belongs to the process" needs
finish
