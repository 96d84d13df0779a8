/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-pieces.h"

void
armilla_pieces_init (ArmillaPieces *pieces)
{
  pieces->pieces = g_array_new (FALSE, FALSE, sizeof (ArmillaPiece));
  pieces->covered = 0;
}

/* Returns the number of pieces that begin below `first`. */
static guint
pieces_below (const ArmillaPieces *pieces, gint64 first)
{
  guint low = 0, high = pieces->pieces->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (pieces->pieces, ArmillaPiece, middle).first < first)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Adds values first .. first + n - 1 to the pieces; ARMILLA_ERROR_VALUE if they exceed total or
 * overlap. path, field and what are for messages. */
gboolean
armilla_pieces_add (ArmillaPieces *pieces, gint64 total, gint64 first, gint64 n, const char *path,
                    int field, const char *what, GError **error)
{
  ArmillaPiece piece = { first, first + n };
  const ArmillaPiece *before = NULL, *behind = NULL;
  guint i;

  if (first < 0 || n < 0 || first > total || n > total - first)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: field %d: %" G_GINT64_FORMAT " %s from %" G_GINT64_FORMAT
                         " are not within its %" G_GINT64_FORMAT, path, field, n, what, first,
                         total);
  if (n == 0)
    return TRUE;
  i = pieces_below (pieces, first);
  if (i > 0)
    before = &g_array_index (pieces->pieces, ArmillaPiece, i - 1);
  if (i < pieces->pieces->len)
    behind = &g_array_index (pieces->pieces, ArmillaPiece, i);
  if ((before != NULL && before->end > first) || (behind != NULL && behind->first < piece.end))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s: field %d: %s among %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                         " are written twice", path, field, what, first, piece.end - 1);
  pieces->covered += n;
  if (before != NULL && before->end == first)
    {
      piece.first = before->first;
      g_array_remove_index (pieces->pieces, --i);
      behind = i < pieces->pieces->len ? &g_array_index (pieces->pieces, ArmillaPiece, i) : NULL;
    }
  if (behind != NULL && behind->first == piece.end)
    {
      piece.end = behind->end;
      g_array_remove_index (pieces->pieces, i);
    }
  g_array_insert_val (pieces->pieces, i, piece);
  return TRUE;
}

/* Returns whether all values were written; otherwise the error names the first gap. */
gboolean
armilla_pieces_complete (const ArmillaPieces *pieces, gint64 total, const char *path, int field,
                         const char *what, GError **error)
{
  const ArmillaPiece *first;

  if (pieces->covered == total)
    return TRUE;
  first = pieces->pieces->len > 0 ? &g_array_index (pieces->pieces, ArmillaPiece, 0) : NULL;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "%s: field %d: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                       " %s were never written, the first is %" G_GINT64_FORMAT, path, field,
                       total - pieces->covered, total, what,
                       first != NULL && first->first == 0 ? first->end : 0);
}

void
armilla_pieces_clear (ArmillaPieces *pieces)
{
  g_clear_pointer (&pieces->pieces, g_array_unref);
}
