/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into one process of several, so that its files alone fail, as the words of FAULTY_FILES
 * say: "unnamed" (no files without a name), "pwrite" and "fsync" (the disk is full, or breaks, for
 * what is larger than a header), "kill" or "kill=N" (the process is killed in the middle of its
 * first or N-th large write). */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGE 4096 /* bytes: no header and no signature has so many at once in the tests */

int open (const char *path, int flags, ...);
int open64 (const char *path, int flags, ...);
ssize_t pwrite (int fd, const void *bytes, size_t n, off_t offset);
ssize_t pwrite64 (int fd, const void *bytes, size_t n, off_t offset);
int fsync (int fd);

static int written;         /* whether something large was */
static atomic_int attempts; /* to write something large */

static int
asked (const char *word)
{
  const char *words = getenv ("FAULTY_FILES");

  return words != NULL && strstr (words, word) != NULL;
}

/* Which large write is the last; 0: none is. */
static int
fatal (void)
{
  const char *words = getenv ("FAULTY_FILES");
  const char *word = words != NULL ? strstr (words, "kill") : NULL;

  if (word == NULL)
    return 0;
  return word[strlen ("kill")] == '=' ? atoi (word + strlen ("kill=")) : 1;
}

static int
fail (int number)
{
  errno = number;
  return -1;
}

static int
open_with (const char *path, int flags, int mode)
{
  if ((flags & O_TMPFILE) == O_TMPFILE && asked ("unnamed"))
    return fail (EOPNOTSUPP);
  return (int) syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

int
open (const char *path, int flags, ...)
{
  va_list words;
  int mode;

  va_start (words, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (words, int) : 0;
  va_end (words);
  return open_with (path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  va_list words;
  int mode;

  va_start (words, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (words, int) : 0;
  va_end (words);
  return open_with (path, flags, mode);
}

ssize_t
pwrite (int fd, const void *bytes, size_t n, off_t offset)
{
  if (n < LARGE)
    return syscall (SYS_pwrite64, fd, bytes, n, offset);
  if (asked ("pwrite"))
    return fail (ENOSPC);
  if (atomic_fetch_add (&attempts, 1) + 1 == fatal ())
    {
      /* half of it */
      if (syscall (SYS_pwrite64, fd, bytes, n / 2, offset) < 0 || raise (SIGKILL) != 0)
        abort ();
    }
  written = 1;
  return syscall (SYS_pwrite64, fd, bytes, n, offset);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t n, off_t offset)
{
  return pwrite (fd, bytes, n, offset);
}

int
fsync (int fd)
{
  if (written && asked ("fsync"))
    return fail (EIO);
  return (int) syscall (SYS_fsync, fd);
}
