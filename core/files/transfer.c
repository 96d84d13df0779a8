/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/regular-file.h"

#include <errno.h>
#include <unistd.h>

/* Reads bytes up to the end of the file. Returns how many; -1 with errno on error. */
gssize
armilla_read_all (int fd, void *bytes, gsize size, gint64 offset)
{
  gsize done = 0;

  while (done < size)
    {
      char *to = (char *) bytes + done;
      gssize got = offset >= 0 ? pread (fd, to, size - done, offset + (gint64) done)
                               : read (fd, to, size - done);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return -1;
      if (got == 0)
        break;
      done += (gsize) got;
    }
  return (gssize) done;
}

/* Writes all bytes. Returns how many were written: fewer than size, with errno, on error. */
gssize
armilla_write_all (int fd, const void *bytes, gsize size, gint64 offset)
{
  gsize done = 0;

  while (done < size)
    {
      const char *from = (const char *) bytes + done;
      gssize put = offset >= 0 ? pwrite (fd, from, size - done, offset + (gint64) done)
                               : write (fd, from, size - done);

      if (put < 0 && errno == EINTR)
        continue;
      if (put == 0)
        errno = ENOSPC;
      if (put <= 0)
        break;
      done += (gsize) put;
    }
  return (gssize) done;
}
