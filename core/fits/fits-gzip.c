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
/* Deflate cannot shrink anything by more: one code of two bits for 258 bytes. */
#define RATIO_LIMIT 1032
/* What may follow the last byte wanted before a file counts as not being what its header says. */
#define TAIL_LIMIT (64 * 1024)
/* Both zlib and gzip headers are accepted by 15 + 32; gzip alone is 15 + 16. */
#define GZIP_WINDOW (15 + 16)

/* What inflating leaves free in the temporary folder: other programs need it, too. */
#define ROOM_LEFT (G_GINT64_CONSTANT (64) << 20)

struct _ArmillaGzipInput {
  char *path;
  int in, out;
  gint64 in_size, out_size;
  z_stream stream;
  gboolean started, ended;
  guint8 from[CHUNK], to[CHUNK];
};

/* A file for reading and writing that has no name, so that nothing remains of it whatever happens
 * to the program. */
static int
unlinked_file (const char *folder, GError **error)
{
  g_autofree char *name = g_build_filename (folder, ".armilla-XXXXXX", NULL);
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  if (fd >= 0)
    return fd;
  /* Not every file system has nameless files. */
  fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (name);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                 "%s: no temporary file can be made in this folder: %s", folder,
                 g_strerror (errno));
  return fd;
}

/* Takes fd. Inflates into an unlinked file in the folder that TMPDIR names; path is for
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
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY, "%s: zlib cannot start", path);
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
                       "%s: its gzip data are damaged (%s); gzip -t would say the same",
                       input->path, what);
}

/* Gives zlib more to read; at the end of the file there is nothing more, and avail_in stays 0. */
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

/* One chunk of output, or the end of the stream. */
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
                         "%s: cannot be inflated into %s: %s; set TMPDIR to a folder with more "
                         "space", input->path, g_get_tmp_dir (), g_strerror (errno));
  input->out_size += n;
  if (rc == Z_OK)
    return TRUE;
  /* A gzip file may be several streams one after the other; anything else behind is ignored, as
   * gzip does. */
  if (!gzip_fill (input, error))
    return FALSE;
  input->ended = input->stream.avail_in == 0 || input->stream.next_in[0] != 0x1f;
  return input->ended || inflateReset (&input->stream) == Z_OK
         || gzip_error (input, error, "bad stream");
}

/* Whether the temporary folder can take `bytes` more and stay usable. */
static gboolean
check_room (const ArmillaGzipInput *input, gint64 bytes, GError **error)
{
  struct statvfs room;

  if (fstatvfs (input->out, &room) != 0
      || (bytes + ROOM_LEFT) / (gint64) room.f_frsize <= (gint64) room.f_bavail)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: inflated it needs more than %" G_GINT64_FORMAT " MiB in %s, which has "
                       "less; set TMPDIR to a folder with more space, if the file is what it "
                       "should be", input->path, (input->out_size + bytes) >> 20,
                       g_get_tmp_dir ());
}

/* Inflates until end bytes are there or the stream ends; returns how many there are, or -1.
 * Sizes that the compressed file cannot hold, or the temporary folder has no room for, are
 * rejected first. */
gint64
armilla_gzip_input_inflate (ArmillaGzipInput *input, gint64 end, GError **error)
{
  if (end / RATIO_LIMIT > input->in_size)
    {
      gzip_error (input, error, "its header promises more than the file can hold");
      return -1;
    }
  if (!check_room (input, end - input->out_size, error))
    return -1;
  return armilla_gzip_input_inflate_all (input, end, error);
}

/* As armilla_gzip_input_inflate (), for files whose header does not give the length: stops with
 * an error before the temporary folder is full. */
gint64
armilla_gzip_input_inflate_all (ArmillaGzipInput *input, gint64 limit, GError **error)
{
  while (input->out_size < limit && !input->ended)
    if (!check_room (input, CHUNK, error) || !gzip_step (input, error))
      return -1;
  return input->out_size;
}

/* Inflates the rest behind the last HDU, at end, so that zlib verifies the CRC of the stream. */
gint64
armilla_gzip_input_finish (ArmillaGzipInput *input, gint64 end, GError **error)
{
  while (!input->ended)
    {
      if (input->out_size > end + TAIL_LIMIT)
        {
          gzip_error (input, error, "far more data than its header says");
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
