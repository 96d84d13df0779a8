/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/regular-file.h"

#include <armilla/error.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the kind of a file for messages; NULL if it is regular. */
static const char *
name_kind (const struct stat *status)
{
  switch (status->st_mode & S_IFMT)
    {
    case S_IFREG: return NULL;
    case S_IFDIR: return "it is a folder; must be a file";
    case S_IFIFO: return "it is a pipe, not a regular file";
    case S_IFSOCK: return "it is a socket, not a regular file";
    default: return "it is a device, not a regular file";
    }
}

static int
refuse (const char *why, GError **error)
{
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, why);
  errno = EINVAL;
  return -1;
}

static int
fail (int number, GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (number),
                       g_strerror (number));
  errno = number;
  return -1;
}

/* Opens a regular file and nothing else, without ever blocking on a FIFO. Returns a descriptor, or
 * -1 with an error without the file's name: ARMILLA_ERROR_IO if it is not a regular file, else a
 * GFileError with errno. */
int
armilla_regular_open (const char *path, int flags, GError **error)
{
  struct stat status;
  const char *why;
  int fd;

  /* opening some devices has side effects */
  if (stat (path, &status) == 0 && (why = name_kind (&status)) != NULL)
    return refuse (why, error);
  fd = open (path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (fd < 0)
    return fail (errno, error);
  if (fstat (fd, &status) != 0)
    {
      int number = errno;

      close (fd);
      return fail (number, error);
    }
  why = name_kind (&status);
  if (why == NULL)
    return fd;
  close (fd);
  return refuse (why, error);
}

/* Returns the whole file, of at most @max_bytes bytes, and a terminating 0; errors as in
 * armilla_regular_open (). */
char *
armilla_regular_read (const char *path, gsize max_bytes, gsize *length, GError **error)
{
  int fd = armilla_regular_open (path, O_RDONLY, error);
  g_autofree char *text = NULL;
  struct stat status;
  gssize got = -1;
  gsize size;
  int number = 0;

  if (fd < 0)
    return NULL;
  size = fstat (fd, &status) == 0 ? MIN ((gsize) status.st_size, max_bytes) + 1 : 0;
  text = size > 0 ? g_try_malloc (size + 1) : NULL;
  if (text != NULL)
    got = armilla_read_all (fd, text, size, ARMILLA_AT_POSITION);
  if (got < 0)
    number = text != NULL ? errno : ENOMEM;
  close (fd); /* it was only read: errors do not matter */
  if (number != 0)
    return fail (number, error), NULL;
  if ((gsize) got > max_bytes)
    return armilla_fail_null (error, ARMILLA_ERROR_IO, "it has more than %" G_GSIZE_FORMAT " bytes",
                              max_bytes);
  text[got] = '\0';
  *length = (gsize) got;
  return g_steal_pointer (&text);
}
