/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/error.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/regular-file.h"
#include "core/tables/legendre-table-private.h"

struct _ArmillaLegendreFile {
  char *path;
  const char *data;
  gsize size;
  const ArmillaLegendreHead *head;
  const ArmillaLegendreEntry *index;
};

static gboolean
damaged (const ArmillaLegendreFile *file, const char *where, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s is damaged %s; remove it and create it again with armilla precompute",
                       file->path, where);
}

static gboolean
check_index (const ArmillaLegendreFile *file, GError **error)
{
  const gint64 mmax = file->head->key.mmax, begin = armilla_legendre_begin (mmax);
  const gsize bytes = (gsize) armilla_legendre_index_size (mmax) - 8;
  guint64 sum;

  if (begin > (gint64) file->size)
    return damaged (file, "in its index", error);
  memcpy (&sum, file->data + ARMILLA_LEGENDRE_INDEX + bytes, sizeof sum);
  if (sum != armilla_legendre_checksum (file->index, bytes))
    return damaged (file, "in its index", error);
  for (gint64 m = 0; m <= mmax; m++)
    {
      const ArmillaLegendreEntry *entry = &file->index[m];

      if (entry->size < 0 || entry->size % 8 != 0 || entry->width < 0 || entry->elements < 0
          || (entry->size > 0
              && (entry->offset < begin || entry->offset % ARMILLA_LEGENDRE_ALIGN != 0
                  || entry->offset > (gint64) file->size
                  || entry->size > (gint64) file->size - entry->offset)))
        return damaged (file, "in its index", error);
    }
  return TRUE;
}

/* Maps the file. Returns FALSE on error. */
static gboolean
map_file (ArmillaLegendreFile *file, GError **error)
{
  g_autoptr (GError) why = NULL;
  int fd = armilla_regular_open (file->path, O_RDONLY, &why);
  struct stat status;
  void *data = MAP_FAILED;
  int number = 0;

  if (fd < 0 && why->domain == ARMILLA_ERROR)
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot read Legendre table %s: %s", file->path,
                         why->message);
  if (fd < 0 || fstat (fd, &status) != 0)
    number = errno;
  else if (status.st_size < ARMILLA_LEGENDRE_INDEX)
    {
      close (fd);
      return armilla_fail (error, ARMILLA_ERROR_IO,
                           "%s is not a Legendre table; choose another name",
                           file->path);
    }
  else
    {
      file->size = (gsize) status.st_size;
      data = mmap (NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
      number = data == MAP_FAILED ? errno : 0;
    }
  if (fd >= 0)
    close (fd);
  if (number != 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "cannot read Legendre table %s: %s%s", file->path,
                         g_strerror (number),
                         number == ENOENT ? "; create it with armilla precompute" : "");
  file->data = data;
  file->head = data;
  file->index = (const ArmillaLegendreEntry *) (file->data + ARMILLA_LEGENDRE_INDEX);
  return TRUE;
}

/* Maps a Legendre table into memory and checks its header and index, but not the words of the
 * orders, which armilla_legendre_file_verify () checks. */
ArmillaLegendreFile *
armilla_legendre_file_open (const char *path, GError **error)
{
  g_autoptr (ArmillaLegendreFile) file = g_new0 (ArmillaLegendreFile, 1);

  file->path = g_strdup (path);
  if (!armilla_legendre_host_fits (path, error) || !map_file (file, error)
      || !armilla_legendre_head_check (file->head, path, error))
    return NULL;
  if (file->head->size != (gint64) file->size)
    {
      damaged (file, "(its length differs from that in its header)", error);
      return NULL;
    }
  return check_index (file, error) ? g_steal_pointer (&file) : NULL;
}

const ArmillaLegendreKey *
armilla_legendre_file_key (const ArmillaLegendreFile *file)
{
  return &file->head->key;
}

/* Returns the speed of the machine that computed the table. */
const ArmillaLegendreSpeed *
armilla_legendre_file_speed (const ArmillaLegendreFile *file)
{
  return &file->head->speed;
}

/* Returns the seconds that the compression took, or would have taken on one worker. */
double
armilla_legendre_file_seconds (const ArmillaLegendreFile *file)
{
  return file->head->seconds;
}

gint64
armilla_legendre_file_size (const ArmillaLegendreFile *file)
{
  return (gint64) file->size;
}

/* Checks that the table is for this lmax and grid and accurate enough. */
gboolean
armilla_legendre_file_fits (const ArmillaLegendreFile *file, const ArmillaLegendreKey *key,
                            GError **error)
{
  return armilla_legendre_keys_fit (&file->head->key, key, file->path, error);
}

const ArmillaLegendreEntry *
armilla_legendre_file_entry (const ArmillaLegendreFile *file, gint64 m)
{
  return &file->index[m];
}

/* Returns the address of the words of an order in the mapped file; NULL if the order is not
 * compressed. */
const void *
armilla_legendre_file_words (const ArmillaLegendreFile *file, gint64 m)
{
  return file->index[m].size > 0 ? file->data + file->index[m].offset : NULL;
}

/* Verifies the checksum of the words of an order, or of a copy of them. */
gboolean
armilla_legendre_file_verify (const ArmillaLegendreFile *file, gint64 m, const void *words,
                           GError **error)
{
  g_autofree char *where = NULL;

  if (armilla_legendre_checksum (words, (gsize) file->index[m].size) == file->index[m].checksum)
    return TRUE;
  where = g_strdup_printf ("in order %" G_GINT64_FORMAT, m);
  return damaged (file, where, error);
}

void
armilla_legendre_file_free (ArmillaLegendreFile *file)
{
  if (file->data != NULL)
    munmap ((void *) file->data, file->size);
  g_free (file->path);
  g_free (file);
}
