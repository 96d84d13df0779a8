/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal of a run. A line consists of CHECKSUM, a blank, fields separated by tabs, and a line end.
 * The checksum is that of the previous line's checksum and the fields, so that changed, missing and
 * reordered lines are detected. An incomplete last line, which a killed run has left, is
 * removed. */
#include "workflows/resume/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files/regular-file.h"

#define HEADER "armilla-journal 1"
#define DIGITS 32       /* hexadecimal digits of a checksum */
#define N_FIELDS 8
/* seconds to wait for the lock: some ranks of a killed run may still be running */
#define PATIENCE 20

struct _ArmillaJournal {
  char *path;
  int fd;
  GMutex lock;          /* guards the following fields */
  char sum[DIGITS + 1]; /* checksum of the last line */
  GHashTable *records;  /* path -> ArmillaRecord */
};

static void
record_free (gpointer data)
{
  ArmillaRecord *record = data;

  g_free (record->path);
  g_free (record->node);
  g_free (record->key);
  g_free (record->sum);
  g_free (record);
}

static gboolean
fail (const ArmillaJournal *self, GError **error, const char *what, int number)
{
  return armilla_fail (error, ARMILLA_ERROR_IO, "journal %s: %s: %s%s", self->path, what,
                       g_strerror (number),
                       number == ENOSPC || number == EDQUOT ? "; free some space there" : "");
}

static gboolean
fail_damaged (const ArmillaJournal *self, guint line, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "journal %s: line %u is damaged, so that the journal cannot be used; remove "
                       "the journal and the outputs of its run, or run without --resume",
                       self->path, line);
}

/* Returns the checksum of a line with @fields that follows a line with checksum @before. */
static void
sum_line (const char *before, const char *fields, gsize length, char *sum)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) before, (gssize) strlen (before));
  g_checksum_update (checksum, (const guchar *) fields, (gssize) length);
  g_strlcpy (sum, g_checksum_get_string (checksum), DIGITS + 1);
}

/* Opens the file and locks it. Fails if the name does not refer to the opened file any more: the
 * previous holder of the lock may have removed the file. */
static int
open_locked (const char *path, int flags, GError **error)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  for (;;)
    {
      struct stat by_name, by_fd;
      int fd = armilla_regular_open (path, flags | O_RDWR, error), status;

      if (fd < 0)
        return -1;
      while ((status = flock (fd, LOCK_EX | LOCK_NB)) != 0 && errno == EWOULDBLOCK
             && g_get_monotonic_time () < end)
        g_usleep (G_USEC_PER_SEC / 20);
      /* Some file systems do not support locks. */
      if (status != 0 && errno != ENOTSUP && errno != ENOLCK && errno != ENOSYS)
        {
          close (fd); /* no data can be lost: nothing was written */
          g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                               "another run uses it; wait until that run has ended");
          return -1;
        }
      if (g_stat (path, &by_name) == 0 && fstat (fd, &by_fd) == 0
          && by_name.st_ino == by_fd.st_ino && by_name.st_dev == by_fd.st_dev)
        return fd;
      close (fd);
    }
}

static gboolean
read_all (const ArmillaJournal *self, int fd, GString *text, GError **error)
{
  char buffer[65536];
  gssize got;

  while ((got = armilla_read_all (fd, buffer, sizeof buffer, ARMILLA_AT_POSITION)) > 0)
    g_string_append_len (text, buffer, got);
  return got == 0 || fail (self, error, "cannot be read", errno);
}

static gboolean
parse_number (const char *text, gint64 *value)
{
  char *end;

  errno = 0;
  *value = g_ascii_strtoll (text, &end, 10);
  return errno == 0 && end != text && *end == '\0';
}

static ArmillaRecord *
parse_record (const char *fields)
{
  g_auto (GStrv) words = g_strsplit (fields, "\t", -1);
  ArmillaRecord *record;
  gint64 index, port, size, mtime;

  if (g_strv_length (words) != N_FIELDS || !parse_number (words[0], &index)
      || !parse_number (words[2], &port) || !parse_number (words[4], &size)
      || !parse_number (words[5], &mtime))
    return NULL;
  record = g_new0 (ArmillaRecord, 1);
  *record = (ArmillaRecord) { .index = index,
                              .node = g_strdup (words[1]),
                              .port = (int) port,
                              .key = g_strdup (words[3]),
                              .size = size,
                              .mtime = mtime,
                              .sum = g_strdup (words[6]),
                              .path = g_strcompress (words[7]) };
  return record;
}

static void
keep (ArmillaJournal *self, ArmillaRecord *record)
{
  g_hash_table_replace (self->records, record->path, record);
}

/* Returns whether the bytes after the last line end are an incomplete line. If their checksum is
 * right, the line is complete, and its line end is damaged. */
static gboolean
is_torn (const ArmillaJournal *self, const char *tail, gsize length)
{
  char sum[DIGITS + 1];

  if (length <= DIGITS + 1)
    return TRUE;
  sum_line (self->sum, tail + DIGITS + 1, length - DIGITS - 2, sum);
  return strncmp (sum, tail, DIGITS) != 0;
}

/* Parses the lines of @text. @whole: (out): number of bytes of complete lines. */
static gboolean
take_lines (ArmillaJournal *self, const GString *text, gsize *whole, GError **error)
{
  const char *p = text->str, *end = text->str + text->len;
  guint number = 1;

  self->sum[0] = '\0';
  for (const char *stop; (stop = memchr (p, '\n', end - p)) != NULL; p = stop + 1, number++)
    {
      gsize length = stop - p;
      g_autofree char *fields = NULL;
      ArmillaRecord *record = NULL;
      char sum[DIGITS + 1];

      if (length <= DIGITS || p[DIGITS] != ' ' || memchr (p, '\0', length) != NULL)
        return fail_damaged (self, number, error);
      sum_line (self->sum, p + DIGITS + 1, length - DIGITS - 1, sum);
      if (strncmp (sum, p, DIGITS) != 0)
        return fail_damaged (self, number, error);
      fields = g_strndup (p + DIGITS + 1, length - DIGITS - 1);
      if (number == 1 ? strcmp (fields, HEADER) != 0 : (record = parse_record (fields)) == NULL)
        return fail_damaged (self, number, error);
      if (record != NULL)
        keep (self, record);
      memcpy (self->sum, sum, sizeof sum);
    }
  if (!is_torn (self, p, end - p))
    return fail_damaged (self, number, error);
  *whole = p - text->str;
  return TRUE;
}

static gboolean
append (ArmillaJournal *self, const char *fields, GError **error)
{
  char sum[DIGITS + 1];
  g_autofree char *line = NULL;
  gsize n;

  sum_line (self->sum, fields, strlen (fields), sum);
  line = g_strdup_printf ("%s %s\n", sum, fields);
  n = strlen (line);
  if (armilla_write_all (self->fd, line, n, ARMILLA_AT_POSITION) != (gssize) n)
    return fail (self, error, "cannot be written", errno);
  memcpy (self->sum, sum, sizeof sum);
  return TRUE;
}

static gboolean
flush (const ArmillaJournal *self, GError **error)
{
  return fdatasync (self->fd) == 0 || fail (self, error, "cannot be written", errno);
}

/* Reads the file and removes an incomplete last line; writes the first line of an empty file. */
static gboolean
begin (ArmillaJournal *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize whole = 0;

  if (!read_all (self, self->fd, text, error) || !take_lines (self, text, &whole, error))
    return FALSE;
  if (whole < text->len && ftruncate (self->fd, (off_t) whole) != 0)
    return fail (self, error, "cannot be truncated after its last complete line", errno);
  if (lseek (self->fd, (off_t) whole, SEEK_SET) < 0)
    return fail (self, error, "cannot be written", errno);
  return whole > 0 || (append (self, HEADER, error) && flush (self, error));
}

static ArmillaJournal *
journal_open (const char *path, int flags, GError **error)
{
  g_autoptr (ArmillaJournal) self = g_new0 (ArmillaJournal, 1);
  g_autoptr (GError) why = NULL;

  self->path = g_strdup (path);
  g_mutex_init (&self->lock);
  self->records = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, record_free);
  self->fd = open_locked (path, flags, &why);
  if (self->fd < 0)
    return armilla_fail_null (error, ARMILLA_ERROR_IO, "journal %s: %s%s", path,
                              why->domain == G_FILE_ERROR ? "cannot be opened: " : "",
                              why->message);
  return begin (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Opens or creates a journal and verifies its checksums, waiting up to 20 s for another process
 * that uses it. ARMILLA_ERROR_IO if it is damaged, in use or unwritable. */
ArmillaJournal *
armilla_journal_open (const char *path, GError **error)
{
  return journal_open (path, O_CREAT, error);
}

/* Adds a copy of the record, replacing one of the same file, and flushes it to the disk.
 * Thread-safe. */
gboolean
armilla_journal_add (ArmillaJournal *self, const ArmillaRecord *record, GError **error)
{
  g_autofree char *path = g_strescape (record->path, NULL);
  g_autofree char *fields = g_strdup_printf (
    "%" G_GINT64_FORMAT "\t%s\t%d\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%s\t%s",
    record->index, record->node, record->port, record->key, record->size, record->mtime,
    record->sum, path);
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = append (self, fields, error) && flush (self, error);
  if (ok)
    keep (self, parse_record (fields));
  g_mutex_unlock (&self->lock);
  return ok;
}

/* Returns whether @name is the journal of another rank: @base, a point and a number. */
static gboolean
is_of_rank (const char *name, const char *base)
{
  gsize length = strlen (base);

  return strncmp (name, base, length) == 0 && name[length] == '.' && name[length + 1] != '\0'
         && strspn (name + length + 1, "0123456789") == strlen (name + length + 1);
}

static gboolean
absorb_one (ArmillaJournal *self, const char *path, GError **error)
{
  g_autoptr (ArmillaJournal) other = journal_open (path, 0, error);
  GHashTableIter iter;
  gpointer record;

  if (other == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, other->records);
  while (g_hash_table_iter_next (&iter, NULL, &record))
    if (!armilla_journal_add (self, record, error))
      return FALSE;
  return g_unlink (path) == 0 || fail (other, error, "cannot be removed", errno);
}

/* Moves the records of the other ranks' journals into this one. Their names are that of this
 * journal, a point and the number of the rank. */
gboolean
armilla_journal_absorb (ArmillaJournal *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  g_autofree char *base = g_path_get_basename (self->path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_of_rank (name, base))
      g_ptr_array_add (found, g_build_filename (folder, name, NULL));
  for (guint i = 0; i < found->len; i++)
    if (!absorb_one (self, g_ptr_array_index (found, i), error))
      return FALSE;
  return TRUE;
}

/* Returns the last record of the file, or NULL. */
const ArmillaRecord *
armilla_journal_find (ArmillaJournal *self, const char *path)
{
  const ArmillaRecord *record;

  g_mutex_lock (&self->lock);
  record = g_hash_table_lookup (self->records, path);
  g_mutex_unlock (&self->lock);
  return record;
}

/* Returns the last record of each file; they belong to the journal. */
GPtrArray *
armilla_journal_records (ArmillaJournal *self)
{
  GPtrArray *records = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer record;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->records);
  while (g_hash_table_iter_next (&iter, NULL, &record))
    g_ptr_array_add (records, record);
  g_mutex_unlock (&self->lock);
  return records;
}

/* Closes the journal; all records are on the disk already. */
void
armilla_journal_free (ArmillaJournal *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_hash_table_unref (self->records);
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self);
}
