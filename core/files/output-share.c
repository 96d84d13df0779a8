/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One temporary file that several processes write. The process that made it offers a path that
 * others can open, and random bytes at its beginning: a process that finds the same bytes has the
 * same file, and not one of the same name on another machine. */
#include "config.h"

#include "core/files/output-private.h"
#include "core/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNATURE 36 /* bytes of a UUID in text */

static gboolean
sign (const ArmillaOutput *output, const char *signature, GError **error)
{
  int fd = g_open (output->temporary.name, O_WRONLY | O_CLOEXEC, 0);
  ssize_t put = fd < 0 ? -1 : pwrite (fd, signature, SIGNATURE, 0);
  int number = put == SIGNATURE ? 0 : put < 0 ? errno : ENOSPC;

  /* flushed so that processes on other machines can read it */
  if (number == 0 && fsync (fd) != 0)
    number = errno;
  if (fd >= 0 && close (fd) != 0 && number == 0)
    number = errno;
  if (number != 0)
    armilla_output_error (error, output, "cannot write", number);
  return number == 0;
}

/* Prepares a temporary file for writing by other processes. Returns a ticket for
 * armilla_output_join(); NULL with ARMILLA_ERROR_IO on error. @output: an output to which nothing
 * was written yet. */
GBytes *
armilla_output_offer (ArmillaOutput *output, gboolean named, GError **error)
{
  g_autofree char *signature = g_uuid_string_random ();
  g_autofree char *name = NULL;
  g_autofree char *ticket = NULL;
  int number = 0;

  if (named)
    number = armilla_temporary_show (&output->temporary, output->folder, output->path);
  if (number != 0)
    {
      armilla_output_error (error, output, "cannot name the temporary file", number);
      return NULL;
    }
  if (!sign (output, signature, error))
    return NULL;
  name = armilla_temporary_elsewhere (&output->temporary);
  ticket = g_strconcat (signature, name, NULL);
  return g_bytes_new (ticket, strlen (ticket) + 1);
}

/* Returns whether the file begins with the signature on the ticket. */
static int
check_signature (int fd, const char *ticket)
{
  char found[SIGNATURE];
  ssize_t got = pread (fd, found, SIGNATURE, 0);

  if (got < 0)
    return errno;
  return got == SIGNATURE && memcmp (found, ticket, SIGNATURE) == 0 ? 0 : ESTALE;
}

/* Returns whether two descriptors refer to one regular file. */
static int
check_same (int a, int b)
{
  struct stat one, other;

  if (fstat (a, &one) != 0 || fstat (b, &other) != 0)
    return errno;
  return S_ISREG (one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino
           ? 0 : ESTALE;
}

/* Opens the temporary file of another process for writing. It must not be finished or committed
 * here. Returns an output; NULL with ARMILLA_ERROR_IO if the file is not found here, is a different
 * one, or cannot be written. */
ArmillaOutput *
armilla_output_join (const char *path, GBytes *ticket, GError **error)
{
  g_autoptr (ArmillaOutput) output = g_new0 (ArmillaOutput, 1);
  gsize size;
  const char *text = g_bytes_get_data (ticket, &size);
  int in, out, number;

  output->path = g_strdup (path);
  output->folder = g_path_get_dirname (path);
  output->joined = TRUE;
  output->temporary = (ArmillaTemporary) ARMILLA_TEMPORARY_NONE;
  if (size <= SIGNATURE + 1 || text[size - 1] != '\0')
    {
      armilla_output_error (error, output, "cannot find the temporary file", EINVAL);
      return NULL;
    }
  output->temporary.name = g_strdup (text + SIGNATURE);
  in = g_open (output->temporary.name, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  out = in < 0 ? -1 : g_open (output->temporary.name, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0);
  number = out < 0 ? errno : check_same (in, out);
  if (number == 0)
    number = check_signature (in, text);
  if (in >= 0)
    close (in); /* it was only read: errors do not matter */
  if (out >= 0)
    close (out); /* nothing was written: errors do not matter */
  if (number == 0)
    return g_steal_pointer (&output);
  armilla_output_error (error, output, "cannot open the temporary file of another rank", number);
  return NULL;
}

/* Returns whether another process made the temporary file and will rename it. */
gboolean
armilla_output_is_joined (const ArmillaOutput *output)
{
  return output->joined;
}
