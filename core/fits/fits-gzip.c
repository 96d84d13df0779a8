/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits/fits-source.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>

#include "core/files/regular-file.h"

#define CHUNK (256 * 1024)
/* maximum compression ratio of Deflate: one code of two bits for 258 bytes */
#define RATIO_LIMIT 1032
/* a file with more data after the last byte needed contradicts its header */
#define TAIL_LIMIT (64 * 1024)
/* gzip headers only; 15 + 32 would accept zlib headers too */
#define GZIP_WINDOW (15 + 16)

/* space left free in the temporary folder for other programs */
#define ROOM_LEFT (G_GINT64_CONSTANT (64) << 20)

struct _ArmillaGzipInput {
  char *path;
  int in, out;
  gint64 in_size, out_size;
  z_stream stream;
  gboolean started, ended;
  guint8 from[CHUNK], to[CHUNK];
};

/* Opens a file without a name for reading and writing; the kernel removes it even if the program is
 * killed. */
static int
unlinked_file (const char *folder, GError **error)
{
  g_autofree char *name = g_build_filename (folder, ".armilla-XXXXXX", NULL);
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    return fd;
  /* Not every file system has unnamed files. */
  fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (name);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                 "%s: cannot create a temporary file in this folder: %s", folder,
                 g_strerror (errno));
  return fd;
}

/* Inflates into an unlinked file in the folder TMPDIR. Takes ownership of fd; path is for
 * messages. */
ArmillaGzipInput *
armilla_gzip_input_new (const char *path, int fd, gint64 size, GError **error)
{
  ArmillaGzipInput *input = g_new0 (ArmillaGzipInput, 1);

  input->path = g_strdup (path);
  input->in = fd;
  input->in_size = size;
  input->out = unlinked_file (g_get_tmp_dir (), error);
  if (input->out >= 0 && inflateInit2 (&input->stream, GZIP_WINDOW) == Z_OK)
    input->started = TRUE;
  else if (input->out >= 0)
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, "%s: out of memory: cannot initialise "
                                                             "zlib", path);
  if (!input->started)
    g_clear_pointer (&input, armilla_gzip_input_free);
  return input;
}

int
armilla_gzip_input_fd (const ArmillaGzipInput *input)
{
  return input->out;
}

static gboolean
gzip_error (const ArmillaGzipInput *input, GError **error, const char *what)
{
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: damaged gzip data (%s); check with gzip -t",
                       input->path, what);
}

/* Passes more input to zlib; at the end of the file avail_in remains 0. */
static gboolean
gzip_fill (ArmillaGzipInput *input, GError **error)
{
  ssize_t got;

  if (input->stream.avail_in > 0)
    return TRUE;
  got = armilla_read_all (input->in, input->from, CHUNK, ARMILLA_AT_POSITION);
  if (got < 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be read: %s", input->path,
                         g_strerror (errno));
  input->stream.next_in = input->from;
  input->stream.avail_in = got;
  return TRUE;
}

/* Produces one chunk of output, or reaches the end of the stream. */
static gboolean
gzip_step (ArmillaGzipInput *input, GError **error)
{
  gsize n;
  int rc;

  if (!gzip_fill (input, error))
    return FALSE;
  if (input->stream.avail_in == 0)
    return gzip_error (input, error, "the file is truncated");
  input->stream.next_out = input->to;
  input->stream.avail_out = CHUNK;
  rc = inflate (&input->stream, Z_NO_FLUSH);
  if (rc != Z_OK && rc != Z_STREAM_END)
    return gzip_error (input, error, input->stream.msg != NULL ? input->stream.msg : "bad stream");
  n = CHUNK - input->stream.avail_out;
  if (armilla_write_all (input->out, input->to, n, ARMILLA_AT_POSITION) != (gssize) n)
    return armilla_fail (error, ARMILLA_ERROR_IO,
                         "%s: cannot decompress into %s: %s; set TMPDIR to a folder with more "
                         "space", input->path, g_get_tmp_dir (), g_strerror (errno));
  input->out_size += n;
  if (rc == Z_OK)
    return TRUE;
  /* A gzip file may consist of several streams; anything else after the first is ignored, as in
   * gzip. */
  if (!gzip_fill (input, error))
    return FALSE;
  input->ended = input->stream.avail_in == 0 || input->stream.next_in[0] != 0x1f;
  return input->ended || inflateReset (&input->stream) == Z_OK
         || gzip_error (input, error, "bad stream");
}

/* Returns whether the temporary folder has room for `bytes` more. */
static gboolean
check_room (const ArmillaGzipInput *input, gint64 bytes, GError **error)
{
  struct statvfs room;

  if (fstatvfs (input->out, &room) != 0
      || (bytes + ROOM_LEFT) / (gint64) room.f_frsize <= (gint64) room.f_bavail)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: decompressed, the file needs more than "
                       "%" G_GINT64_FORMAT " MiB in %s, which has "
                       "less; if the file is not damaged, set TMPDIR to a folder with more space",
                       input->path, (input->out_size + bytes) >> 20,
                       g_get_tmp_dir ());
}

/* Inflates until end bytes are available or the stream ends; returns the number of bytes, or -1.
 * Sizes that the compressed file cannot contain, or the temporary folder cannot hold, are rejected
 * first. */
gint64
armilla_gzip_input_inflate (ArmillaGzipInput *input, gint64 end, GError **error)
{
  if (end / RATIO_LIMIT > input->in_size)
    {
      gzip_error (input, error, "its header declares more data than the file can contain");
      return -1;
    }
  if (!check_room (input, end - input->out_size, error))
    return -1;
  return armilla_gzip_input_inflate_all (input, end, error);
}

/* Like armilla_gzip_input_inflate (), for files whose header does not give the length: fails before
 * the temporary folder is full. */
gint64
armilla_gzip_input_inflate_all (ArmillaGzipInput *input, gint64 limit, GError **error)
{
  while (input->out_size < limit && !input->ended)
    if (!check_room (input, CHUNK, error) || !gzip_step (input, error))
      return -1;
  return input->out_size;
}

/* Inflates the rest after the last HDU, at end, so that zlib verifies the CRC of the stream. */
gint64
armilla_gzip_input_finish (ArmillaGzipInput *input, gint64 end, GError **error)
{
  while (!input->ended)
    {
      if (input->out_size > end + TAIL_LIMIT)
        {
          gzip_error (input, error, "far more data than its header declares");
          return -1;
        }
      if (!gzip_step (input, error))
        return -1;
    }
  return input->out_size;
}

void
armilla_gzip_input_free (ArmillaGzipInput *input)
{
  if (input->started)
    inflateEnd (&input->stream);
  if (input->out >= 0)
    close (input->out);
  close (input->in);
  g_free (input->path);
  g_free (input);
}
