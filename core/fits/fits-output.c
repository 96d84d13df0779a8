/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/files/output.h"
#include "core/files/regular-file.h"
#include "core/fits/fits-output.h"
#include "core/fits/fits-scan.h"
#include "core/fits/fits-source.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Extent of an HDU, its header, and the positions of the two sums in it. */
typedef struct {
  gint64 header, data, end;
  GString *text;
  gsize checksum_card, datasum_card;
  guint32 sum; /* of the data written so far */
} Extent;

struct _ArmillaFitsOutput {
  char *path;              /* final path, for messages */
  char *temporary;
  gboolean joined;         /* another process writes the headers */
  int fd;                  /* -1: closed */
  gint64 end;
  GArray *extents;
  GMutex lock;             /* guards the sums */
};

static void
extent_clear (gpointer data)
{
  g_string_free (((Extent *) data)->text, TRUE);
}

static gboolean
output_error (const ArmillaFitsOutput *out, GError **error, int err)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: cannot be written: %s%s", out->path,
               g_strerror (err),
               err == ENOSPC || err == EDQUOT ? "; free space there, or write elsewhere" : "");
  return FALSE;
}

/* Opens the file for writing only: on a network file system, a page that other machines write too
 * must not be read and written back. */
static gboolean
open_file (ArmillaFitsOutput *out, GError **error)
{
  out->fd = open (out->temporary, O_WRONLY | O_CLOEXEC);
  return out->fd >= 0 || output_error (out, error, errno);
}

/* Adds an empty primary HDU, which must precede extensions. */
static void
add_primary (ArmillaFitsOutput *out)
{
  g_autoptr (GString) cards = g_string_new (NULL);

  armilla_fits_put_true (cards, "SIMPLE", "conforms to FITS standard");
  armilla_fits_put_int (cards, "BITPIX", 8, "array data type");
  armilla_fits_put_int (cards, "NAXIS", 0, "number of array dimensions");
  armilla_fits_put_true (cards, "EXTEND", NULL);
  armilla_fits_output_add (out, cards, 0);
}

/* Begins the temporary file of output. If another process made the file, that process writes the
 * headers; here they only determine the offsets of the data. */
ArmillaFitsOutput *
armilla_fits_output_new (ArmillaOutput *output, GError **error)
{
  g_autoptr (ArmillaFitsOutput) out = g_new0 (ArmillaFitsOutput, 1);

  out->path = g_strdup (armilla_output_path (output));
  out->temporary = g_strdup (armilla_output_temporary (output));
  out->joined = armilla_output_is_joined (output);
  out->extents = g_array_new (FALSE, FALSE, sizeof (Extent));
  g_array_set_clear_func (out->extents, extent_clear);
  g_mutex_init (&out->lock);
  out->fd = -1;
  return open_file (out, error) ? g_steal_pointer (&out) : NULL;
}

const char *
armilla_fits_output_path (const ArmillaFitsOutput *out)
{
  return out->path;
}

/* Returns TRUE if another process made the file and writes its headers. */
gboolean
armilla_fits_output_is_joined (const ArmillaFitsOutput *out)
{
  return out->joined;
}

/* Appends an HDU in memory (cards without END) and returns the offset of its data;
 * armilla_fits_output_close () writes the checksums. An empty primary HDU precedes the first HDU if
 * that is an extension. */
gint64
armilla_fits_output_add (ArmillaFitsOutput *out, const GString *cards, gint64 data_bytes)
{
  GString *text = g_string_new_len (cards->str, cards->len);
  Extent extent = { .text = text };

  if (out->extents->len == 0 && g_str_has_prefix (cards->str, "XTENSION"))
    add_primary (out);
  extent.header = out->end;
  extent.checksum_card = text->len;
  armilla_fits_put_string (text, "CHECKSUM", "0000000000000000", "HDU checksum");
  extent.datasum_card = text->len;
  armilla_fits_put_string (text, "DATASUM", "0", "data unit checksum");
  g_string_append (text, "END");
  while (text->len % ARMILLA_FITS_BLOCK != 0)
    g_string_append_c (text, ' ');
  extent.data = extent.header + text->len;
  extent.end = extent.data
               + (data_bytes + ARMILLA_FITS_BLOCK - 1) / ARMILLA_FITS_BLOCK * ARMILLA_FITS_BLOCK;
  g_array_append_val (out->extents, extent);
  out->end = extent.end;
  return extent.data;
}

static gboolean
put_bytes (ArmillaFitsOutput *out, gint64 offset, const void *bytes, gint64 n, GError **error)
{
  return armilla_write_all (out->fd, bytes, (gsize) n, offset) == n
         || output_error (out, error, errno);
}

static gboolean
put_headers (ArmillaFitsOutput *out, GError **error)
{
  for (guint i = 0; i < out->extents->len; i++)
    {
      const Extent *extent = &g_array_index (out->extents, Extent, i);

      if (!put_bytes (out, extent->header, extent->text->str, extent->text->len, error))
        return FALSE;
    }
  return TRUE;
}

/* Gives the file its final length, allocates the space if the file system can (so that a full disk
 * is found before anything is computed), and writes the headers unless another process does. */
gboolean
armilla_fits_output_reserve (ArmillaFitsOutput *out, GError **error)
{
  if (out->joined)
    return TRUE;
  if (fallocate (out->fd, 0, 0, out->end) != 0 && errno != EOPNOTSUPP && errno != ENOSYS
      && errno != EINVAL)
    return output_error (out, error, errno);
  if (ftruncate (out->fd, out->end) != 0)
    return output_error (out, error, errno);
  return put_headers (out, error);
}

/* Writes data within one HDU and adds them to its checksum; no byte may be written twice.
 * Thread-safe. */
gboolean
armilla_fits_output_write (ArmillaFitsOutput *out, gint64 offset, const void *bytes, gint64 n,
                           GError **error)
{
  guint32 sum = armilla_fits_sum_at (offset, bytes, n);
  guint i = out->extents->len;

  while (i > 1 && g_array_index (out->extents, Extent, i - 1).data > offset)
    i--;
  g_mutex_lock (&out->lock);
  armilla_fits_sum_add (&g_array_index (out->extents, Extent, i - 1).sum, sum);
  g_mutex_unlock (&out->lock);
  return put_bytes (out, offset, bytes, n, error);
}

/* The complement of a sum in the 16 letters and digits of the standard's appendix J: added to the
 * sum of the header they make all ones. */
static void
encode_sum (guint32 sum, char text[17])
{
  for (int i = 0; i < 4; i++)
    {
      const int byte = ~sum >> (24 - 8 * i) & 0xff;
      int part[4] = { byte / 4 + byte % 4 + '0', byte / 4 + '0', byte / 4 + '0', byte / 4 + '0' };

      for (int k = 0; k < 4; k += 2)
        while (!g_ascii_isalnum (part[k]) || !g_ascii_isalnum (part[k + 1]))
          {
            part[k]++;
            part[k + 1]--;
          }
      for (int k = 0; k < 4; k++)
        text[(4 * k + i + 1) % 16] = (char) part[k];
    }
  text[16] = 0;
}

/* DATASUM is part of what CHECKSUM covers: first the one, then the other. */
static void
set_sums (const Extent *extent)
{
  GString *text = extent->text;
  g_autoptr (GString) card = g_string_new (NULL);
  guint32 sum = extent->sum;
  char value[17];

  g_snprintf (value, sizeof value, "%" G_GUINT32_FORMAT, sum);
  armilla_fits_put_string (card, "DATASUM", value, "data unit checksum");
  memcpy (text->str + extent->datasum_card, card->str, card->len);
  sum = armilla_fits_sum (sum, (const guint8 *) text->str, text->len);
  encode_sum (sum, value);
  g_string_truncate (card, 0);
  armilla_fits_put_string (card, "CHECKSUM", value, "HDU checksum");
  memcpy (text->str + extent->checksum_card, card->str, card->len);
}

static gboolean
close_file (ArmillaFitsOutput *out, GError **error)
{
  int fd = out->fd;

  out->fd = -1;
  return close (fd) == 0 || output_error (out, error, errno);
}

/* Flushes the data of this process to the disk and closes the file. After armilla_fits_output_merge
 * () of the other processes' sums, armilla_fits_output_close () reopens it. */
gboolean
armilla_fits_output_end_part (ArmillaFitsOutput *out, GError **error)
{
  if (fsync (out->fd) != 0)
    return output_error (out, error, errno);
  return close_file (out, error);
}

/* Appends to words (gint64): the file's length, a sum of its headers, the number of HDUs, and
 * the sums of the data that this process wrote. */
void
armilla_fits_output_save (const ArmillaFitsOutput *out, GArray *words)
{
  gint64 head[3] = { out->end, 0, out->extents->len };
  guint32 headers = 0;

  for (guint i = 0; i < out->extents->len; i++)
    {
      const GString *text = g_array_index (out->extents, Extent, i).text;

      headers = armilla_fits_sum (headers, (const guint8 *) text->str, text->len);
    }
  head[1] = headers;
  g_array_append_vals (words, head, G_N_ELEMENTS (head));
  for (guint i = 0; i < out->extents->len; i++)
    {
      gint64 sum = g_array_index (out->extents, Extent, i).sum;

      g_array_append_val (words, sum);
    }
}

/* Adds the sums that armilla_fits_output_save () returned in another process. Returns the number of
 * words read; 0 with ARMILLA_ERROR_IO if that process wrote a different file. */
gsize
armilla_fits_output_merge (ArmillaFitsOutput *out, const gint64 *words, gsize n, GError **error)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint extents = out->extents->len;

  armilla_fits_output_save (out, own);
  if (n < own->len || memcmp (words, own->data, 3 * sizeof *words) != 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
                   "%s: ranks would write different headers; make sure that all ranks read the "
                   "same workflow and inputs", out->path);
      return 0;
    }
  for (guint i = 0; i < extents; i++)
    armilla_fits_sum_add (&g_array_index (out->extents, Extent, i).sum, (guint32) words[3 + i]);
  return 3 + extents;
}

/* Writes the checksums and closes the temporary file. */
gboolean
armilla_fits_output_close (ArmillaFitsOutput *out, GError **error)
{
  if (out->fd < 0 && !open_file (out, error))
    return FALSE;
  for (guint i = 0; i < out->extents->len; i++)
    set_sums (&g_array_index (out->extents, Extent, i));
  return put_headers (out, error) && close_file (out, error);
}

void
armilla_fits_output_free (ArmillaFitsOutput *out)
{
  if (out == NULL)
    return;
  if (out->fd >= 0)
    close (out->fd);
  g_array_unref (out->extents);
  g_mutex_clear (&out->lock);
  g_free (out->temporary);
  g_free (out->path);
  g_free (out);
}
