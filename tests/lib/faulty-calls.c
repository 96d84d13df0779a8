/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into armilla: makes one call of a library function fail, or all calls from one on.
 *
 *   FAULTY_CALL   malloc (of more than 1 MiB), thread, open, close, read, write, fsync, rename or
 *                 link
 *   FAULTY_NUMBER which call of it fails, from 1; 0: none
 *   FAULTY_LATER  set: all later ones fail, too
 *   FAULTY_HANGS  set: instead of failing it does not return
 *   FAULTY_RANK   set: only in the process of this rank, and no call by the MPI library
 *   FAULTY_COUNT  file that keeps the number of calls, as a long
 *
 * Calls that the C library makes of its own functions are not seen. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGE (1 << 20) /* bytes; a failing allocation of less may abort the program */

static long number;
static int later, hangs, of_ranks;
static const char *call;
static pid_t process; /* 0: none of ours, or not yet */
static atomic_long own_count, *count = &own_count;

/* Returns whether the MPI library, or one that it uses, makes a call: if its small writes to itself
 * fail it blocks forever, and no other code can prevent that. */
static int
is_of_mpi (void *code)
{
  static const char *const names[] = { "/openmpi", "libopen-", "libmpi", "libevent", "pmix" };
  Dl_info library;

  for (size_t i = 0; dladdr (code, &library) != 0 && i < sizeof names / sizeof names[0]; i++)
    if (library.dli_fname != NULL && strstr (library.dli_fname, names[i]) != NULL)
      return 1;
  return 0;
}

/* Whether this call of @name is one that fails. What was forked is not the program. */
__attribute__ ((noinline)) static int
fails (const char *name, void *caller)
{
  long n;

  if (process == 0 || strcmp (call, name) != 0 || getpid () != process
      || (of_ranks && is_of_mpi (caller)))
    return 0;
  n = atomic_fetch_add (count, 1) + 1;
  if (number == 0 || (later ? n < number : n != number))
    return 0;
  while (hangs)
    pause ();
  return 1;
}

static int
is_wanted (void)
{
  const char *rank = getenv ("FAULTY_RANK"), *own = getenv ("OMPI_COMM_WORLD_RANK");
  const char *name = program_invocation_short_name;

  return call != NULL && (strcmp (name, "armilla") == 0 || strcmp (name, "lt-armilla") == 0)
         && (rank == NULL || (own != NULL && strcmp (own, rank) == 0));
}

/* @size bytes that are kept in the file that the variable @name has, if it has one. */
static void *
map_file (const char *name, size_t size)
{
  const char *path = getenv (name);
  void *at = MAP_FAILED;
  int fd = -1;

  if (path != NULL)
    fd = (int) syscall (SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (fd >= 0 && syscall (SYS_ftruncate, fd, size) == 0)
    at = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0)
    syscall (SYS_close, fd);
  return at != MAP_FAILED ? at : NULL;
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *n = getenv ("FAULTY_NUMBER");
  atomic_long *kept;

  call = getenv ("FAULTY_CALL");
  if (!is_wanted ())
    return;
  number = n != NULL ? atol (n) : 0;
  of_ranks = getenv ("FAULTY_RANK") != NULL;
  later = getenv ("FAULTY_LATER") != NULL;
  hangs = getenv ("FAULTY_HANGS") != NULL;
  kept = map_file ("FAULTY_COUNT", sizeof *kept);
  count = kept != NULL ? kept : &own_count;
  process = getpid ();
}

/* A function @name that fails with @error, giving @result, or does what the next one of that name
 * does. */
#define FAULTY(type, name, kind, error, result, parameters, arguments)                             \
  FAULTY_IF (1, type, name, kind, error, result, parameters, arguments)
#define FAULTY_IF(condition, type, name, kind, error, result, parameters, arguments)               \
  type name parameters;                                                                            \
  type name parameters                                                                             \
  {                                                                                                \
    static type (*next) parameters;                                                                \
                                                                                                   \
    if (next == NULL)                                                                              \
      *(void **) &next = dlsym (RTLD_NEXT, #name);                                                 \
    if ((condition) && fails (kind, __builtin_return_address (0)))                                 \
      {                                                                                            \
        errno = error;                                                                             \
        return result;                                                                             \
      }                                                                                            \
    return next arguments;                                                                         \
  }

FAULTY_IF (n > LARGE, void *, malloc, "malloc", ENOMEM, NULL, (size_t n), (n))
FAULTY_IF (n > LARGE || n * size > LARGE, void *, calloc, "malloc", ENOMEM, NULL,
           (size_t n, size_t size), (n, size))
FAULTY_IF (n > LARGE, void *, realloc, "malloc", ENOMEM, NULL, (void *at, size_t n), (at, n))
FAULTY_IF (n > LARGE, void *, memalign, "malloc", ENOMEM, NULL, (size_t to, size_t n), (to, n))
FAULTY_IF (n > LARGE, void *, aligned_alloc, "malloc", ENOMEM, NULL, (size_t to, size_t n),
           (to, n))
FAULTY_IF (n > LARGE, int, posix_memalign, "malloc", ENOMEM, ENOMEM,
           (void **at, size_t to, size_t n), (at, to, n))
FAULTY (int, pthread_create, "thread", EAGAIN, EAGAIN,
        (pthread_t * thread, const pthread_attr_t *how, void *(*run) (void *), void *user),
        (thread, how, run, user))
FAULTY (FILE *, fopen, "open", EMFILE, NULL, (const char *path, const char *mode), (path, mode))
FAULTY (FILE *, fopen64, "open", EMFILE, NULL, (const char *path, const char *mode), (path, mode))
FAULTY (ssize_t, read, "read", EIO, -1, (int fd, void *to, size_t n), (fd, to, n))
FAULTY (ssize_t, pread, "read", EIO, -1, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
FAULTY (ssize_t, pread64, "read", EIO, -1, (int fd, void *to, size_t n, off_t at),
        (fd, to, n, at))
FAULTY (ssize_t, write, "write", ENOSPC, -1, (int fd, const void *from, size_t n), (fd, from, n))
FAULTY (ssize_t, pwrite, "write", ENOSPC, -1, (int fd, const void *from, size_t n, off_t at),
        (fd, from, n, at))
FAULTY (ssize_t, pwrite64, "write", ENOSPC, -1, (int fd, const void *from, size_t n, off_t at),
        (fd, from, n, at))
FAULTY (int, fsync, "fsync", EIO, -1, (int fd), (fd))
FAULTY (int, fdatasync, "fsync", EIO, -1, (int fd), (fd))
FAULTY (int, rename, "rename", EIO, -1, (const char *from, const char *to), (from, to))
FAULTY (int, renameat2, "rename", EIO, -1,
        (int f, const char *from, int t, const char *to, unsigned flags), (f, from, t, to, flags))
FAULTY (int, link, "link", EIO, -1, (const char *from, const char *to), (from, to))
FAULTY (int, linkat, "link", EIO, -1,
        (int f, const char *from, int t, const char *to, int flags), (f, from, t, to, flags))

static int
open_with (const char *path, int flags, int mode, void *caller)
{
  if (!fails ("open", caller))
    return (int) syscall (SYS_openat, AT_FDCWD, path, flags, mode);
  errno = EMFILE;
  return -1;
}

#define FAULTY_OPEN(name)                                                                          \
  int name (const char *path, int flags, ...);                                                     \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list words;                                                                                 \
    int mode;                                                                                      \
                                                                                                   \
    va_start (words, flags);                                                                       \
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (words, int) : 0;                                \
    va_end (words);                                                                                \
    return open_with (path, flags, mode, __builtin_return_address (0));                            \
  }

FAULTY_OPEN (open)
FAULTY_OPEN (open64)

/* As where a disk tells at last that it did not take what was written: the file is closed. */
int
close (int fd)
{
  int status = (int) syscall (SYS_close, fd);

  if (!fails ("close", __builtin_return_address (0)))
    return status;
  errno = EIO;
  return -1;
}
