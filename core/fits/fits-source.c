/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/regular-file.h"
#include "core/fits/fits-source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* bytes from which the format of a file is recognised */
#define FORMAT_BYTES 1024

struct _ArmillaFitsSource {
  char *path;
  int fd;                   /* the file itself, or the data inflated so far */
  gint64 size;              /* bytes available in fd */
  ArmillaGzipInput *gzip;   /* NULL if the file is not compressed, or completely inflated */
};

static gboolean
source_error (GError **error, const char *path, int err)
{
  const char *cure = "check the disk for errors";

  if (err == ENOENT || err == ENOTDIR)
    cure = "check the name";
  else if (err == EACCES || err == EPERM)
    cure = "check its permissions and those of its folders";
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be read: %s; %s", path,
                       g_strerror (err), cure);
}

static int
source_open_file (const char *path, gint64 *size, GError **error)
{
  g_autoptr (GError) why = NULL;
  struct stat info;
  int fd = armilla_regular_open (path, O_RDONLY, &why);

  if (fd < 0 && why->domain == ARMILLA_ERROR)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: %s", path, why->message);
      return -1;
    }
  if (fd < 0 || fstat (fd, &info) != 0)
    {
      source_error (error, path, errno);
      if (fd >= 0)
        close (fd);
      return -1;
    }
  *size = info.st_size;
  return fd;
}

/* Opens a file by its literal name; its first two bytes determine whether it is compressed by
 * gzip. */
ArmillaFitsSource *
armilla_fits_source_open (const char *path, GError **error)
{
  g_autoptr (ArmillaFitsSource) source = g_new0 (ArmillaFitsSource, 1);
  guint8 magic[2];

  source->path = g_strdup (path);
  source->fd = source_open_file (path, &source->size, error);
  if (source->fd < 0)
    return NULL;
  if (source->size == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_IO,
                              "%s: is empty; was the program that wrote it interrupted?", path);
  if (source->size < 2)
    return g_steal_pointer (&source);
  if (!armilla_fits_source_read (source, 0, 2, magic, error))
    return NULL;
  if (magic[0] == 0x1f && magic[1] == 0x8b)
    {
      int compressed = source->fd;

      source->fd = -1;
      source->gzip = armilla_gzip_input_new (path, compressed, source->size, error);
      source->size = 0;
      if (source->gzip == NULL)
        return NULL;
      source->fd = armilla_gzip_input_fd (source->gzip);
    }
  return g_steal_pointer (&source);
}

const char *
armilla_fits_source_path (const ArmillaFitsSource *source)
{
  return source->path;
}

/* Makes bytes 0..end-1 available as far as they exist; returns the number of bytes (at least `end`,
 * unless the file is shorter), -1 on error. */
gint64
armilla_fits_source_need (ArmillaFitsSource *source, gint64 end, GError **error)
{
  if (source->gzip != NULL && source->size < end)
    {
      source->size = armilla_gzip_input_inflate (source->gzip, end, error);
      if (source->size < 0)
        return -1;
    }
  return source->size;
}

/* Returns whether the file is an IPAC table: keywords after a backslash, then names between
 * bars. */
static gboolean
is_ipac (const char *start)
{
  const char *line = start;

  while (*line == '\\' && strchr (line, '\n') != NULL)
    line = strchr (line, '\n') + 1;
  if (*start == '\\' && (*line == 0 || *line == '\\'))
    return TRUE; /* the names of its columns follow later */
  return *line == '|' && strchr (line, '\n') != NULL && strcspn (line + 1, "|\n") > 0
         && line[1 + strcspn (line + 1, "|\n")] == '|';
}

/* Recognises files of other formats by their first bytes, and explains in the error how to convert
 * them to FITS. */
static gboolean
refuse_format (const char *path, const char *start, gsize size, GError **error)
{
  static const struct { const char *magic, *name, *cure; } formats[] = {
    { "BZh", "compressed by bzip2", "run bunzip2 on it first" },
    { "\xfd" "7zXZ", "compressed by xz", "run unxz on it first" },
    { "\x28\xb5\x2f\xfd", "compressed by zstd", "run unzstd on it first" },
    { "\x1f\x9d", "compressed by compress", "run uncompress on it first" },
    { "PK\x03\x04", "a ZIP archive", "unpack it first" },
    { "\x89HDF", "an HDF5 file", "convert it in Python with astropy and h5py: from "
      "astropy.table import Table; Table.read(\"FILE.hdf5\").write(\"FILE.fits\")" },
    { "\x93NUMPY", "a NumPy array", "give it to Armilla from Python, or write it as FITS" },
  };
  const char *name = NULL, *cure = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (size >= strlen (formats[i].magic)
        && memcmp (start, formats[i].magic, strlen (formats[i].magic)) == 0)
      {
        name = formats[i].name;
        cure = formats[i].cure;
      }
  if (*start == '<' && strstr (start, "VOTABLE") != NULL)
    {
      name = "a VOTable";
      cure = "convert it in Python with astropy: from astropy.table import Table; Table.read("
             "\"FILE.vot\", format=\"votable\").write(\"FILE.fits\")";
    }
  else if (is_ipac (start))
    {
      name = "an IPAC table";
      cure = "convert it in Python with astropy: from astropy.table import Table; Table.read("
             "\"FILE.tbl\", format=\"ascii.ipac\").write(\"FILE.fits\")";
    }
  return name == NULL
         || armilla_fail (error, ARMILLA_ERROR_IO,
                          "%s: is %s, but must be FITS or text, optionally compressed by gzip; "
                          "%s", path, name, cure);
}

/* Returns whether the file begins like a FITS file; FALSE if it may be text; ARMILLA_ERROR_IO if it
 * has another known format. */
gboolean
armilla_fits_source_is_fits (ArmillaFitsSource *source, gboolean *is_fits, GError **error)
{
  char start[FORMAT_BYTES + 1] = { 0 };
  gint64 size = armilla_fits_source_need (source, FORMAT_BYTES, error);

  size = MIN (size, FORMAT_BYTES);
  if (size < 0 || !armilla_fits_source_read (source, 0, size, start, error))
    return FALSE;
  *is_fits = g_str_has_prefix (start, "SIMPLE  =");
  return *is_fits || refuse_format (source->path, start, (gsize) size, error);
}

/* Makes all bytes available, at most `limit` of them; returns their number, -1 on error. */
gint64
armilla_fits_source_need_all (ArmillaFitsSource *source, gint64 limit, GError **error)
{
  if (source->gzip != NULL && source->size < limit)
    {
      source->size = armilla_gzip_input_inflate_all (source->gzip, limit, error);
      if (source->size < 0)
        return -1;
    }
  return source->size;
}

/* Declares that nothing beyond `end` will be read: verifies the CRC of a compressed file, and
 * closes it. */
gboolean
armilla_fits_source_finish (ArmillaFitsSource *source, gint64 end, GError **error)
{
  gint64 size;

  if (source->gzip == NULL)
    return TRUE;
  size = armilla_gzip_input_finish (source->gzip, end, error);
  if (size < 0)
    return FALSE;
  source->size = size;
  return TRUE;
}

gboolean
armilla_fits_source_read (const ArmillaFitsSource *source, gint64 offset, gint64 n, void *buffer,
                          GError **error)
{
  const gssize got = armilla_read_all (source->fd, buffer, (gsize) n, offset);

  if (got < 0)
    return source_error (error, source->path, errno);
  return got == n
         || armilla_fail (error, ARMILLA_ERROR_IO,
                          "%s: ends at byte %" G_GINT64_FORMAT " while it is being read; does "
                          "another program change it?", source->path, offset + got);
}

void
armilla_fits_source_free (ArmillaFitsSource *source)
{
  if (source == NULL)
    return;
  if (source->gzip != NULL)
    armilla_gzip_input_free (source->gzip);    /* closes fd */
  else if (source->fd >= 0)
    close (source->fd);
  g_free (source->path);
  g_free (source);
}
