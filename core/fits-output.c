/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/fits-output.h"
#include "core/fits-scan.h"
#include "core/fits-sum.h"

#include <errno.h>
#include <fcntl.h>
#include <fitsio.h>
#include <unistd.h>

#define CHUNK (ARMILLA_FITS_BLOCK * 128)

/* Where an HDU is, and where in its header the two sums go. */
typedef struct {
  gint64 header, data, end;
  gint64 checksum_card, datasum_card;
} Extent;

struct _ArmillaFitsOutput {
  char *path;              /* final name, for messages */
  int fd;
  gint64 end;
  GArray *extents;
};

static gboolean
output_error (const ArmillaFitsOutput *out, GError **error, int err)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO, "%s: cannot be written: %s%s", out->path,
               g_strerror (err),
               err == ENOSPC || err == EDQUOT ? "; free space there, or write elsewhere" : "");
  return FALSE;
}

static gboolean
put_primary (ArmillaFitsOutput *out, GError **error)
{
  g_autoptr (GString) cards = g_string_new (NULL);
  gint64 data;

  armilla_fits_put_bool (cards, "SIMPLE", TRUE, "conforms to FITS standard");
  armilla_fits_put_int (cards, "BITPIX", 8, "array data type");
  armilla_fits_put_int (cards, "NAXIS", 0, "number of array dimensions");
  armilla_fits_put_bool (cards, "EXTEND", TRUE, NULL);
  return armilla_fits_output_add (out, cards, 0, &data, error);
}

/**
 * armilla_fits_output_new:
 * @output: where the file will be
 * @error: return location
 *
 * Creates the temporary file of @output with an empty primary HDU.
 *
 * Returns: (transfer full): the file, or NULL with %ARMILLA_ERROR_IO
 */
ArmillaFitsOutput *
armilla_fits_output_new (ArmillaOutput *output, GError **error)
{
  g_autoptr (ArmillaFitsOutput) out = g_new0 (ArmillaFitsOutput, 1);

  out->path = g_strdup (armilla_output_path (output));
  out->extents = g_array_new (FALSE, FALSE, sizeof (Extent));
  out->fd = open (armilla_output_temporary (output), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (out->fd < 0)
    return output_error (out, error, errno), NULL;
  if (!put_primary (out, error))
    return NULL;
  return g_steal_pointer (&out);
}

const char *
armilla_fits_output_path (const ArmillaFitsOutput *out)
{
  return out->path;
}

/**
 * armilla_fits_output_add:
 * @out: a file being written
 * @cards: cards of the header, without END
 * @data_bytes: bytes of data that will follow
 * @data: (out): where they go
 * @error: return location
 *
 * Appends an HDU. Its sums are written by armilla_fits_output_close().
 *
 * Returns: whether the header was written; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_fits_output_add (ArmillaFitsOutput *out, GString *cards, gint64 data_bytes, gint64 *data,
                         GError **error)
{
  g_autoptr (GString) text = g_string_new_len (cards->str, cards->len);
  Extent extent = { .header = out->end };

  extent.checksum_card = extent.header + text->len;
  armilla_fits_put_string (text, "CHECKSUM", "0000000000000000", "HDU checksum");
  extent.datasum_card = extent.header + text->len;
  armilla_fits_put_string (text, "DATASUM", "0", "data unit checksum");
  g_string_append (text, "END");
  while (text->len % ARMILLA_FITS_BLOCK != 0)
    g_string_append_c (text, ' ');
  extent.data = extent.header + text->len;
  extent.end = extent.data
               + (data_bytes + ARMILLA_FITS_BLOCK - 1) / ARMILLA_FITS_BLOCK * ARMILLA_FITS_BLOCK;
  g_array_append_val (out->extents, extent);
  out->end = extent.end;
  *data = extent.data;
  return armilla_fits_output_write (out, extent.header, text->str, text->len, error);
}

/**
 * armilla_fits_output_reserve:
 * @out: a file with all its HDUs
 * @error: return location
 *
 * Gives the file its final length, and has the file system set the space aside where it can: a full
 * disk shows before anything is computed.
 *
 * Returns: whether there is room; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_fits_output_reserve (ArmillaFitsOutput *out, GError **error)
{
  if (fallocate (out->fd, 0, 0, out->end) != 0 && errno != EOPNOTSUPP && errno != ENOSYS
      && errno != EINVAL)
    return output_error (out, error, errno);
  if (ftruncate (out->fd, out->end) != 0)
    return output_error (out, error, errno);
  return TRUE;
}

gboolean
armilla_fits_output_write (ArmillaFitsOutput *out, gint64 offset, const void *bytes, gint64 n,
                           GError **error)
{
  const guint8 *from = bytes;

  while (n > 0)
    {
      ssize_t put = pwrite (out->fd, from, MIN (n, 1 << 30), offset);

      if (put < 0 && errno == EINTR)
        continue;
      if (put < 0)
        return output_error (out, error, errno);
      from += put;
      offset += put;
      n -= put;
    }
  return TRUE;
}

/* Adds a stretch of whole blocks. */
static gboolean
sum_blocks (ArmillaFitsOutput *out, gint64 offset, gint64 end, guint32 *sum, GError **error)
{
  g_autofree guint8 *buffer = g_malloc (CHUNK);

  while (offset < end)
    {
      ssize_t got = pread (out->fd, buffer, MIN (CHUNK, end - offset), offset);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0 || got % 4 != 0)
        return output_error (out, error, got < 0 ? errno : EIO);
      *sum = armilla_fits_sum (*sum, buffer, got);
      offset += got;
    }
  return TRUE;
}

static gboolean
put_sum (ArmillaFitsOutput *out, gint64 offset, const char *keyword, const char *value,
         const char *comment, GError **error)
{
  g_autoptr (GString) card = g_string_new (NULL);

  armilla_fits_put_string (card, keyword, value, comment);
  return armilla_fits_output_write (out, offset, card->str, card->len, error);
}

/* DATASUM is part of what CHECKSUM covers: first the one, then the other. */
static gboolean
put_sums (ArmillaFitsOutput *out, const Extent *extent, GError **error)
{
  guint32 sum = 0;
  char text[17];

  if (!sum_blocks (out, extent->data, extent->end, &sum, error))
    return FALSE;
  g_snprintf (text, sizeof text, "%" G_GUINT32_FORMAT, sum);
  if (!put_sum (out, extent->datasum_card, "DATASUM", text, "data unit checksum", error)
      || !sum_blocks (out, extent->header, extent->data, &sum, error))
    return FALSE;
  fits_encode_chksum (sum, TRUE, text);
  return put_sum (out, extent->checksum_card, "CHECKSUM", text, "HDU checksum", error);
}

/**
 * armilla_fits_output_close:
 * @out: a file with all its values
 * @error: return location
 *
 * Writes the checksums and closes the file.
 *
 * Returns: whether the temporary file is complete; %ARMILLA_ERROR_IO otherwise
 */
gboolean
armilla_fits_output_close (ArmillaFitsOutput *out, GError **error)
{
  int fd;

  for (guint i = 0; i < out->extents->len; i++)
    if (!put_sums (out, &g_array_index (out->extents, Extent, i), error))
      return FALSE;
  fd = out->fd;
  out->fd = -1;
  return close (fd) == 0 || output_error (out, error, errno);
}

void
armilla_fits_output_free (ArmillaFitsOutput *out)
{
  if (out == NULL)
    return;
  if (out->fd >= 0)
    close (out->fd);
  g_array_unref (out->extents);
  g_free (out->path);
  g_free (out);
}
