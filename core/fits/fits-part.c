/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary that a process which has written a part of a file sends to the process that completes
 * it: 64-bit numbers, those of armilla_fits_output_save(), then for each field the number of
 * intervals that were written, and their bounds. */
#include "core/fits/fits-pieces.h"

/* Flushes what this process has written to the disk, and appends to summary what
 * armilla_fits_part_merge () needs in the process that completes the file. @pieces: [field]:
 * intervals that were written. */
gboolean
armilla_fits_part_end (ArmillaFitsOutput *out, const ArmillaPieces *pieces, int n_fields,
                       GByteArray *summary, GError **error)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!armilla_fits_output_end_part (out, error))
    return FALSE;
  armilla_fits_output_save (out, words);
  for (int f = 0; f < n_fields; f++)
    {
      gint64 n = pieces[f].pieces->len;

      g_array_append_val (words, n);
      for (gint64 i = 0; i < n; i++)
        {
          const ArmillaPiece *piece = &g_array_index (pieces[f].pieces, ArmillaPiece, i);
          gint64 bounds[2] = { piece->first, piece->end };

          g_array_append_vals (words, bounds, 2);
        }
    }
  g_byte_array_append (summary, (const guint8 *) words->data, words->len * sizeof (gint64));
  return TRUE;
}

static gboolean
set_damaged (const char *path, GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_IO,
                       "%s: the summary of another rank's part does not match the file", path);
}

/* Adds another process's part to the pieces of each field. Fails unless it belongs to this file and
 * does not overlap other parts. what ("pixels" etc.) is for messages. */
gboolean
armilla_fits_part_merge (ArmillaFitsOutput *out, ArmillaPieces *pieces, int n_fields, gint64 total,
                         const char *what, const guint8 *summary, gsize size, GError **error)
{
  const char *path = armilla_fits_output_path (out);
  gsize n = size / sizeof (gint64);
  g_autofree gint64 *words = g_memdup2 (summary, size);
  gsize at = armilla_fits_output_merge (out, words, n, error);

  if (at == 0)
    return FALSE;
  for (int f = 0; f < n_fields; f++)
    {
      gint64 left = at < n ? words[at++] : -1;

      if (left < 0 || (guint64) left > (n - at) / 2)
        return set_damaged (path, error);
      for (; left > 0; left--, at += 2)
        if (!armilla_pieces_add (&pieces[f], total, words[at], words[at + 1] - words[at], path, f,
                                 what, error))
          return FALSE;
    }
  return at == n || set_damaged (path, error);
}
