/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/error.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/regular-file.h"
#include "core/tables/legendre-table-private.h"

struct _ArmillaLegendreWriter {
  char *path, *part;
  int fd;
  ArmillaLegendreHead head;
  ArmillaLegendreEntry *index;
  gint64 next, end; /* the next order, and the offset of its record */
};

static gboolean
set_error (const ArmillaLegendreWriter *writer, const char *what, int number, GError **error)
{
  const char *hint = "";

  if (number == ENOSPC || number == EDQUOT || number == EFBIG)
    hint = "; the data written so far remain: free space and run the command again, or remove that "
           "file";
  else if (number == EACCES || number == EPERM || number == EROFS)
    hint = "; choose a folder with write permission";
  else if (number == ENOENT || number == ENOTDIR)
    hint = "; create the folder first";
  else if (number == EWOULDBLOCK)
    hint = "; another run is creating this table";
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s: %s%s", writer->part, what,
                       g_strerror (number), hint);
}

static gboolean
write_all (ArmillaLegendreWriter *writer, const void *data, gint64 size, gint64 offset,
           GError **error)
{
  return armilla_write_all (writer->fd, data, (gsize) size, offset) == size
         || set_error (writer, "cannot write", errno, error);
}

static gboolean
read_all (const ArmillaLegendreWriter *writer, void *data, gint64 size, gint64 offset)
{
  return armilla_read_all (writer->fd, data, (gsize) size, offset) == size;
}

static gboolean
write_head (ArmillaLegendreWriter *writer, GError **error)
{
  writer->head.checksum = armilla_legendre_checksum (&writer->head, sizeof writer->head - 8);
  return write_all (writer, &writer->head, sizeof writer->head, 0, error);
}

/* Keeps the complete records of an interrupted run. */
static void
take_records (ArmillaLegendreWriter *writer, gint64 size)
{
  while (writer->next <= writer->head.key.mmax)
    {
      g_autofree char *words = NULL;
      ArmillaLegendreRecord record;

      if (size - writer->end < (gint64) sizeof record
          || !read_all (writer, &record, sizeof record, writer->end)
          || !armilla_legendre_record_check (&record, writer->next, size - writer->end))
        return;
      words = g_try_malloc ((gsize) MAX (record.size, 1));
      if (words == NULL || !read_all (writer, words, record.size, writer->end + sizeof record)
          || armilla_legendre_checksum (words, (gsize) record.size) != record.checksum)
        return;
      writer->index[writer->next++]
        = (ArmillaLegendreEntry) { record.size > 0 ? writer->end + (gint64) sizeof record : 0,
                                record.size, record.checksum, record.elements, record.width };
      writer->end += (gint64) sizeof record + armilla_legendre_pad (record.size);
      writer->head.seconds += record.seconds;
    }
}

/* Returns whether a file of the right name is an incomplete version of this table. */
static gboolean
is_beginning (const ArmillaLegendreWriter *writer)
{
  ArmillaLegendreHead head;

  return read_all (writer, &head, sizeof head, 0)
         && armilla_legendre_head_check (&head, writer->part, NULL)
         && memcmp (&head.key, &writer->head.key, sizeof head.key) == 0;
}

static gboolean
begin_file (ArmillaLegendreWriter *writer, GError **error)
{
  g_autoptr (GError) why = NULL;
  struct stat status;

  writer->fd = armilla_regular_open (writer->part, O_RDWR | O_CREAT, &why);
  if (writer->fd < 0 && why->domain == ARMILLA_ERROR)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: %s", writer->part, why->message);
  if (writer->fd < 0)
    return set_error (writer, "cannot write", errno, error);
  if (flock (writer->fd, LOCK_EX | LOCK_NB) != 0)
    return set_error (writer, "cannot be locked", errno, error);
  if (fstat (writer->fd, &status) != 0)
    return set_error (writer, "cannot be checked", errno, error);
  writer->end = armilla_legendre_begin (writer->head.key.mmax);
  if (is_beginning (writer))
    take_records (writer, status.st_size);
  else if (ftruncate (writer->fd, 0) != 0)
    return set_error (writer, "cannot be truncated", errno, error);
  /* Data after the last complete record are discarded. */
  if (ftruncate (writer->fd, writer->end) != 0)
    return set_error (writer, "cannot be truncated", errno, error);
  return write_head (writer, error);
}

/* Begins the table path.part, or continues one. next becomes the first order to add: above 0 if an
 * interrupted run left an incomplete file. */
ArmillaLegendreWriter *
armilla_legendre_writer_new (const char *path, const ArmillaLegendreKey *key,
                          const ArmillaLegendreSpeed *speed, gint64 *next, GError **error)
{
  g_autoptr (ArmillaLegendreWriter) writer = g_new0 (ArmillaLegendreWriter, 1);

  writer->fd = -1;
  writer->path = g_strdup (path);
  writer->part = g_strconcat (path, ".part", NULL);
  memcpy (writer->head.magic, "ARMLEGT\n", sizeof writer->head.magic);
  writer->head.version = ARMILLA_LEGENDRE_VERSION;
  writer->head.byte_order = ARMILLA_LEGENDRE_BYTE_ORDER;
  writer->head.key = *key;
  writer->head.speed = *speed;
  writer->index = g_new0 (ArmillaLegendreEntry, key->mmax + 1);
  if (!armilla_legendre_host_fits (path, error) || !begin_file (writer, error))
    return NULL;
  *next = writer->next;
  return g_steal_pointer (&writer);
}

/* Adds order m; orders must be added in sequence. size is a multiple of 8, 0 if the order is not
 * compressed; elements are multiplications per vector, width the maximum number of values between
 * two stages. */
gboolean
armilla_legendre_writer_add (ArmillaLegendreWriter *writer, gint64 m, const void *words,
                             gint64 size, gint64 elements, gint64 width, double seconds,
                             GError **error)
{
  static const char zeros[ARMILLA_LEGENDRE_ALIGN];
  const gint64 at = writer->end + (gint64) sizeof (ArmillaLegendreRecord);
  ArmillaLegendreRecord record = { .magic = ARMILLA_LEGENDRE_RECORD_MAGIC, .m = m, .size = size,
                                .elements = elements, .width = width, .seconds = seconds };

  g_return_val_if_fail (m == writer->next && size >= 0 && size % 8 == 0, FALSE);
  record.checksum = armilla_legendre_checksum (words, (gsize) size);
  record.own = armilla_legendre_checksum (&record, sizeof record - 8);
  if (!write_all (writer, &record, sizeof record, writer->end, error)
      || !write_all (writer, words, size, at, error)
      || !write_all (writer, zeros, armilla_legendre_pad (size) - size, at + size, error))
    return FALSE;
  writer->index[m] = (ArmillaLegendreEntry) { size > 0 ? at : 0, size, record.checksum, elements,
                                           width };
  writer->head.seconds += seconds;
  writer->end = at + armilla_legendre_pad (size);
  writer->next++;
  return TRUE;
}

/* Writes the index, flushes the file and renames it, replacing an existing file. */
gboolean
armilla_legendre_writer_finish (ArmillaLegendreWriter *writer, GError **error)
{
  const gint64 size = armilla_legendre_index_size (writer->head.key.mmax) - 8;
  const guint64 sum = armilla_legendre_checksum (writer->index, (gsize) size);

  g_return_val_if_fail (writer->next == writer->head.key.mmax + 1, FALSE);
  if (!write_all (writer, writer->index, size, ARMILLA_LEGENDRE_INDEX, error)
      || !write_all (writer, &sum, sizeof sum, ARMILLA_LEGENDRE_INDEX + size, error))
    return FALSE;
  writer->head.size = writer->end;
  if (!write_head (writer, error))
    return FALSE;
  if (fsync (writer->fd) != 0)
    return set_error (writer, "cannot be flushed", errno, error);
  if (rename (writer->part, writer->path) != 0)
    return set_error (writer, "cannot be renamed", errno, error);
  return TRUE;
}

/* Keeps the data of an unfinished table. */
void
armilla_legendre_writer_free (ArmillaLegendreWriter *writer)
{
  if (writer->fd >= 0)
    close (writer->fd);
  g_free (writer->index);
  g_free (writer->path);
  g_free (writer->part);
  g_free (writer);
}
