/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/files/output-private.h"
#include "core/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define COMPRESSION_LEVEL 6
#define CHUNK 262144

/* Sets error: file, folder, reason (errno number) and remedy. Returns FALSE. */
gboolean
armilla_output_error (GError **error, const ArmillaOutput *output, const char *what, int number)
{
  const char *hint = "";

  if (number == ENOSPC || number == EDQUOT)
    hint = "; free some space there or write elsewhere";
  else if (number == EACCES || number == EPERM || number == EROFS)
    hint = "; choose a folder with write permission";
  else if (number == ENOENT || number == ENOTDIR)
    hint = "; create the folder first";
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s in folder %s: %s%s", output->path, what,
                       output->folder, g_strerror (number), hint);
}

static gboolean
set_exists_error (GError **error, const ArmillaOutput *output)
{
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s exists already; choose another name, remove it, or allow overwriting "
                       "(--overwrite, or overwrite = true in [workflow])", output->path);
}

/* Returns whether the file that has the final name, if any, may be replaced. */
static gboolean
check_final (const ArmillaOutput *output, GError **error)
{
  struct stat status;

  if (lstat (output->path, &status) != 0)
    {
      if (errno == ENOENT)
        return TRUE;
      return armilla_output_error (error, output, "cannot check whether the file exists", errno);
    }
  if (!S_ISREG (status.st_mode) && !S_ISLNK (status.st_mode))
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "%s is a %s, which cannot be replaced; choose another name",
                         output->path,
                         S_ISDIR (status.st_mode) ? "folder" : "device, pipe or socket");
  return output->overwrite || set_exists_error (error, output);
}

static gboolean
make_temporary (const ArmillaOutput *output, ArmillaTemporary *temporary, GError **error)
{
  int number = armilla_temporary_make (temporary, output->folder, output->path);

  if (number != 0)
    armilla_output_error (error, output, "cannot write", number);
  return number == 0;
}

ArmillaOutput *
armilla_output_new (const char *path, gboolean overwrite, GError **error)
{
  g_autoptr (ArmillaOutput) output = NULL;

  if (*path == '\0' || g_str_has_suffix (path, "/"))
    return armilla_fail_null (error, ARMILLA_ERROR_IO, "\"%s\" is not a file name", path);
  output = g_new0 (ArmillaOutput, 1);
  output->path = g_strdup (path);
  output->folder = g_path_get_dirname (path);
  output->overwrite = overwrite;
  output->temporary = (ArmillaTemporary) ARMILLA_TEMPORARY_NONE;
  if (!check_final (output, error) || !make_temporary (output, &output->temporary, error))
    return NULL;
  return g_steal_pointer (&output);
}

/* Declares that the file will be removed before the run ends, so that committing does not flush it
 * to the disk. @output: an output to which nothing was written yet. */
void
armilla_output_set_passing (ArmillaOutput *output)
{
  output->passing = TRUE;
}

const char *
armilla_output_path (ArmillaOutput *output)
{
  return output->path;
}

const char *
armilla_output_temporary (ArmillaOutput *output)
{
  return output->temporary.name;
}

/* Compresses @in to a gzip stream on @out. */
static gboolean
compress_stream (const ArmillaOutput *output, FILE *in, gzFile out, GError **error)
{
  g_autofree char *buffer = g_malloc (CHUNK);
  gsize n;

  while ((n = fread (buffer, 1, CHUNK, in)) > 0)
    if (gzwrite (out, buffer, (unsigned) n) != (int) n)
      return armilla_output_error (error, output, "cannot write the compressed file", errno);
  if (ferror (in))
    return armilla_output_error (error, output, "cannot read back the temporary file", errno);
  return TRUE;
}

/* Compresses to the descriptor @out, which remains open. */
static gboolean
compress_to (const ArmillaOutput *output, int out, GError **error)
{
  FILE *in = g_fopen (output->temporary.name, "rbe");
  int copy = dup (out); /* gzclose () closes it */
  char mode[] = { 'w', 'b', '0' + COMPRESSION_LEVEL, '\0' };
  gzFile stream = copy < 0 ? NULL : gzdopen (copy, mode);
  gboolean good = FALSE;

  if (in == NULL)
    armilla_output_error (error, output, "cannot read back the temporary file", errno);
  else if (stream == NULL)
    armilla_output_error (error, output, "cannot start compression", copy < 0 ? errno : ENOMEM);
  else
    good = compress_stream (output, in, stream, error);
  if (in != NULL)
    fclose (in); /* it was only read: errors do not matter */
  if (stream == NULL && copy >= 0)
    close (copy);
  if (stream != NULL)
    {
      int code;

      errno = 0;
      code = gzclose (stream);
      if (code != Z_OK && good)
        {
          armilla_output_error (error, output, "cannot write the compressed file",
                                code == Z_ERRNO && errno != 0 ? errno : EIO);
          good = FALSE;
        }
    }
  return good;
}

/* Flushes the written data to the disk and checks for write errors. */
static gboolean
flush (const ArmillaOutput *output, int fd, GError **error)
{
  if (fsync (fd) == 0)
    return TRUE;
  return armilla_output_error (error, output, "cannot write", errno);
}

static gboolean
close_checked (const ArmillaOutput *output, int fd, GError **error)
{
  if (close (fd) == 0)
    return TRUE;
  return armilla_output_error (error, output, "cannot write", errno);
}

/* Reopens @temporary for writing or flushing; -1 with @error set on failure. */
static int
open_again (const ArmillaOutput *output, const ArmillaTemporary *temporary, GError **error)
{
  int fd = g_open (temporary->name, O_RDWR | O_CLOEXEC, 0);

  if (fd < 0)
    armilla_output_error (error, output, "cannot reopen the temporary file", errno);
  return fd;
}

static gboolean
flush_and_close (const ArmillaOutput *output, int fd, GError **error)
{
  if (flush (output, fd, error))
    return close_checked (output, fd, error);
  close (fd); /* an error was reported already */
  return FALSE;
}

static gboolean
compress_output (ArmillaOutput *output, GError **error)
{
  ArmillaTemporary compressed, plain = output->temporary;
  gboolean good = FALSE;
  int fd;

  if (!make_temporary (output, &compressed, error))
    return FALSE;
  fd = open_again (output, &compressed, error);
  if (fd >= 0 && compress_to (output, fd, error))
    good = close_checked (output, fd, error);
  else if (fd >= 0)
    close (fd); /* an error was reported already */
  /* only one of the two files is kept: the compressed one, or the plain one after an error */
  armilla_temporary_remove (good ? &plain : &compressed);
  if (good)
    output->temporary = compressed;
  return good;
}

/* Starts writing the data to the disk, only to save time later. */
static void
start_flushing (const ArmillaOutput *output)
{
#ifdef SYNC_FILE_RANGE_WRITE
  if (output->temporary.fd >= 0 && !output->passing)
    sync_file_range (output->temporary.fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void) output;
#endif
}

/* Compresses the file if the final name ends in ".gz", and starts flushing it, so that
 * armilla_output_finish() waits less. A second call does nothing. Returns whether everything was
 * written; ARMILLA_ERROR_IO otherwise (full disk). */
gboolean
armilla_output_pack (ArmillaOutput *output, GError **error)
{
  g_return_val_if_fail (output->temporary.name != NULL && !output->joined, FALSE);
  if (output->packed)
    return TRUE;
  if (g_str_has_suffix (output->path, ".gz") && !compress_output (output, error))
    return FALSE;
  start_flushing (output);
  return output->packed = TRUE;
}

/* Packs the file if necessary, and flushes it to the disk unless it is passing. A second call does
 * nothing. Returns whether everything was written; ARMILLA_ERROR_IO otherwise (full disk). */
gboolean
armilla_output_finish (ArmillaOutput *output, GError **error)
{
  int fd;

  if (output->finished)
    return TRUE;
  if (!armilla_output_pack (output, error))
    return FALSE;
  if (output->passing)
    return output->finished = TRUE;
  fd = open_again (output, &output->temporary, error);
  return output->finished = fd >= 0 && flush_and_close (output, fd, error);
}

/* Flushes the folder, since a new name is permanent only then. */
static gboolean
flush_folder (const ArmillaOutput *output, GError **error)
{
  int fd = g_open (output->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  int number = 0;

  /* a writable folder may not be readable, and some file systems cannot flush folders */
  if (fd < 0)
    return TRUE;
  if (fsync (fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    number = errno;
  close (fd); /* nothing was written through it: errors do not matter */
  if (number == 0)
    return TRUE;
  return armilla_output_error (error, output,
                               "the file was renamed, but may not be on the disk", number);
}

static gboolean
name (ArmillaOutput *output, GError **error)
{
  int number;

  if (!armilla_output_finish (output, error) || !check_final (output, error))
    return FALSE;
  number = armilla_temporary_name (&output->temporary, output->folder, output->path,
                                   output->overwrite);
  if (number == EEXIST)
    return set_exists_error (error, output);
  if (number != 0)
    return armilla_output_error (error, output, "cannot rename the temporary file", number);
  return TRUE;
}

/* Like armilla_output_commit() for each output, but each folder is flushed only once. @outputs: n
 * outputs, of which some may be NULL; @errors: n errors, NULL on entry, set for outputs that
 * fail. */
void
armilla_output_commit_all (ArmillaOutput *const *outputs, guint n, GError **errors)
{
  g_autoptr (GHashTable) flushed = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    if (outputs[i] != NULL)
      name (outputs[i], &errors[i]);
  for (guint i = 0; i < n; i++)
    if (outputs[i] != NULL && errors[i] == NULL && !outputs[i]->passing
        && g_hash_table_add (flushed, outputs[i]->folder))
      flush_folder (outputs[i], &errors[i]);
}

gboolean
armilla_output_commit (ArmillaOutput *output, GError **error)
{
  GError *local = NULL;

  armilla_output_commit_all (&output, 1, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

void
armilla_output_free (ArmillaOutput *output)
{
  if (output == NULL)
    return;
  if (output->joined)
    g_free (output->temporary.name);
  else
    armilla_temporary_remove (&output->temporary);
  g_free (output->folder);
  g_free (output->path);
  g_free (output);
}
