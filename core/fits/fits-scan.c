/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-scan.h"

#include <string.h>

#include "core/base/printable.h"

/* far more than in any valid header; limits the search for END in a damaged file */
#define CARDS_LIMIT 100000
#define HDUS_LIMIT 1000
#define COLUMNS_LIMIT 999

typedef struct {
  ArmillaFitsSource *source;
  ArmillaFitsHdu *hdu;
  int number;              /* number of the HDU, 0 for the primary one */
  gint64 card;             /* number of the card being read */
  gint64 tfields;
  gboolean groups;
  GArray *text_start;      /* TBCOL of text tables */
} Scan;

G_GNUC_PRINTF (3, 4)
static gboolean
scan_error (Scan *scan, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  /* Text quoted from a damaged header may contain any bytes. */
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: HDU %d: %s",
                       armilla_fits_source_path (scan->source), scan->number, armilla_ascii (what));
}

static void
hdu_free (gpointer data)
{
  ArmillaFitsHdu *hdu = data;

  g_free (hdu->columns);
  g_free (hdu);
}

/* Parses the first card, which is the kind of the HDU. */
static gboolean
scan_first (Scan *scan, const ArmillaFitsCard *card, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  char name[72];

  hdu->kind = ARMILLA_HDU_IMAGE;
  if (scan->number == 0)
    {
      if (strcmp (card->keyword, "SIMPLE") == 0 && card->value != NULL
          && card->value[strspn (card->value, " ")] == 'T')
        return TRUE;
      return armilla_fail (error, ARMILLA_ERROR_IO,
                           "%s: is not a FITS file (it does not begin with \"SIMPLE  = T\")",
                           armilla_fits_source_path (scan->source));
    }
  if (!armilla_fits_card_string (card, name))
    return scan_error (scan, error, "XTENSION has no value in quotes");
  if (strcmp (name, "BINTABLE") == 0)
    hdu->kind = ARMILLA_HDU_TABLE;
  else if (strcmp (name, "TABLE") == 0)
    hdu->kind = ARMILLA_HDU_TEXT_TABLE;
  else if (strcmp (name, "IMAGE") != 0)
    hdu->kind = ARMILLA_HDU_OTHER;
  return TRUE;
}

/* Sets the keyword expected at card `i` and the destination of its value, for keywords at fixed
 * positions: BITPIX, NAXIS, NAXISn, PCOUNT, GCOUNT, TFIELDS. */
static gboolean
scan_expected (Scan *scan, char keyword[24], gint64 **value)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  gint64 i = scan->card - 3;
  gboolean table = hdu->kind == ARMILLA_HDU_TABLE || hdu->kind == ARMILLA_HDU_TEXT_TABLE;
  static const char *const names[] = { "PCOUNT", "GCOUNT", "TFIELDS" };
  gint64 *const places[] = { &hdu->pcount, &hdu->gcount, &scan->tfields };

  if (i < hdu->n_axes)
    {
      g_snprintf (keyword, 24, "NAXIS%d", (int) i + 1);
      *value = &hdu->axes[i];
      return TRUE;
    }
  i -= hdu->n_axes;
  if (scan->number == 0 || i >= (table ? 3 : 2))
    return FALSE;
  strcpy (keyword, names[i]);
  *value = places[i];
  return TRUE;
}

static gboolean
scan_int (Scan *scan, const ArmillaFitsCard *card, const char *keyword, gint64 *value,
          GError **error)
{
  if (strcmp (card->keyword, keyword) != 0)
    return scan_error (scan, error, "has \"%s\" instead of %s", card->keyword, keyword);
  if (!armilla_fits_card_int (card, value))
    return scan_error (scan, error, "%s is not an integer", keyword);
  return TRUE;
}

static gboolean
scan_mandatory (Scan *scan, const ArmillaFitsCard *card, gboolean *done, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  char keyword[24];
  gint64 *place, value;

  *done = FALSE;
  if (scan->card == 1)
    {
      if (!scan_int (scan, card, "BITPIX", &value, error))
        return FALSE;
      if (value != 8 && value != 16 && value != 32 && value != 64 && value != -32 && value != -64)
        return scan_error (scan, error, "BITPIX is %" G_GINT64_FORMAT, value);
      hdu->bitpix = value;
      return TRUE;
    }
  if (scan->card == 2)
    {
      if (!scan_int (scan, card, "NAXIS", &value, error))
        return FALSE;
      if (value < 0 || value > (gint64) G_N_ELEMENTS (hdu->axes))
        return scan_error (scan, error, "NAXIS is %" G_GINT64_FORMAT, value);
      hdu->n_axes = value;
      return TRUE;
    }
  *done = !scan_expected (scan, keyword, &place);
  if (*done)
    return TRUE;
  if (!scan_int (scan, card, keyword, place, error))
    return FALSE;
  if (*place < 0)
    return scan_error (scan, error, "%s is negative", keyword);
  return TRUE;
}

static gboolean
scan_column (Scan *scan, int index, const ArmillaFitsCard *card, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  ArmillaFitsColumn *column;
  char tform[72];
  gboolean known;

  if (index > hdu->n_columns)
    return TRUE;                /* not a keyword of this table */
  column = &hdu->columns[index - 1];
  if (column->type != 0)
    return scan_error (scan, error, "has TFORM%d twice", index);
  if (!armilla_fits_card_string (card, tform))
    return scan_error (scan, error, "TFORM%d has no value in quotes", index);
  known = hdu->kind == ARMILLA_HDU_TABLE ? armilla_fits_column_parse (column, tform)
                                         : armilla_fits_column_parse_text (column, tform);
  if (!known)
    return scan_error (scan, error, "TFORM%d is '%s', a format that cannot be read", index,
                       tform);
  return TRUE;
}

/* Checks the position of the heap, which is not read, but must be within the PCOUNT bytes, from
 * which other readers compute the size of the data. */
static gboolean
scan_heap (Scan *scan, const ArmillaFitsCard *card, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  gint64 start, rows, end;

  if (!armilla_fits_card_int (card, &start)
      || __builtin_mul_overflow (hdu->row_bytes, hdu->rows, &rows)
      || __builtin_add_overflow (rows, hdu->pcount, &end) || start < rows || start > end)
    return scan_error (scan, error, "THEAP is not between the rows and the end of the data");
  return TRUE;
}

/* Parses cards after the mandatory ones, in any order. */
static gboolean
scan_optional (Scan *scan, const ArmillaFitsCard *card, GError **error)
{
  static const char *const once[] = { "SIMPLE", "XTENSION", "BITPIX", "NAXIS",
                                      "PCOUNT", "GCOUNT",   "TFIELDS" };
  ArmillaFitsHdu *hdu = scan->hdu;
  gboolean table = hdu->kind == ARMILLA_HDU_TABLE || hdu->kind == ARMILLA_HDU_TEXT_TABLE;
  gint64 start;
  int index;

  /* A primary header does not require the last three, so they may be anywhere. */
  for (gsize i = 0; i < G_N_ELEMENTS (once) - (scan->number == 0 ? 3 : 0); i++)
    if (strcmp (card->keyword, once[i]) == 0)
      return scan_error (scan, error, "has %s twice", once[i]);
  if (armilla_fits_card_index (card, "NAXIS") > 0)
    return scan_error (scan, error, "has %s beyond NAXIS or twice", card->keyword);
  if (strcmp (card->keyword, "GROUPS") == 0)
    scan->groups = TRUE;
  if (!table)
    return TRUE;
  if (strcmp (card->keyword, "ZIMAGE") == 0 || strcmp (card->keyword, "ZTABLE") == 0)
    return scan_error (scan, error, "is compressed in tiles; run funpack -O NEW.fits on the file, "
                       "and read NEW.fits");
  if (strcmp (card->keyword, "THEAP") == 0 && hdu->kind == ARMILLA_HDU_TABLE)
    return scan_heap (scan, card, error);
  index = armilla_fits_card_index (card, "TFORM");
  if (index > 0)
    return scan_column (scan, index, card, error);
  index = armilla_fits_card_index (card, "TBCOL");
  if (hdu->kind != ARMILLA_HDU_TEXT_TABLE || index == 0 || index > hdu->n_columns)
    return TRUE;
  if (!armilla_fits_card_int (card, &start) || start < 1 || start > hdu->row_bytes)
    return scan_error (scan, error, "TBCOL%d is not the number of a character", index);
  hdu->columns[index - 1].offset = start - 1;
  g_array_index (scan->text_start, gboolean, index - 1) = TRUE;
  return TRUE;
}

/* Checks that the mandatory keywords have values allowed for a table. */
static gboolean
scan_table_shape (Scan *scan, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;

  if (hdu->kind == ARMILLA_HDU_IMAGE || hdu->kind == ARMILLA_HDU_OTHER)
    {
      if (hdu->kind == ARMILLA_HDU_IMAGE && (hdu->pcount != 0 || hdu->gcount != 1))
        return scan_error (scan, error, "is an image with PCOUNT or GCOUNT of a table");
      return TRUE;
    }
  if (hdu->bitpix != 8 || hdu->n_axes != 2 || hdu->gcount != 1
      || (hdu->kind == ARMILLA_HDU_TEXT_TABLE && hdu->pcount != 0))
    return scan_error (scan, error,
                       "is a table, but BITPIX, NAXIS, PCOUNT or GCOUNT is not that of a table");
  if (scan->tfields > COLUMNS_LIMIT)
    return scan_error (scan, error, "TFIELDS is %" G_GINT64_FORMAT ", more than %d",
                       scan->tfields, COLUMNS_LIMIT);
  hdu->row_bytes = hdu->axes[0];
  hdu->rows = hdu->axes[1];
  hdu->n_columns = scan->tfields;
  hdu->columns = g_new0 (ArmillaFitsColumn, MAX (1, hdu->n_columns));
  g_array_set_size (scan->text_start, hdu->n_columns);
  return TRUE;
}

/* Checks that the columns fill the row (binary tables) or are within it (text tables). */
static gboolean
scan_columns_fit (Scan *scan, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  gint64 sum = 0;

  for (int i = 0; i < hdu->n_columns; i++)
    {
      ArmillaFitsColumn *column = &hdu->columns[i];

      if (column->type == 0)
        return scan_error (scan, error, "TFORM%d is missing", i + 1);
      if (hdu->kind == ARMILLA_HDU_TABLE)
        {
          column->offset = sum;
          if (__builtin_add_overflow (sum, column->width, &sum))
            return scan_error (scan, error, "the widths of its columns overflow");
        }
      else if (!g_array_index (scan->text_start, gboolean, i)
               || column->offset + column->width > hdu->row_bytes)
        return scan_error (scan, error, "TBCOL%d is missing, or the column exceeds the row", i + 1);
    }
  if (hdu->kind == ARMILLA_HDU_TABLE && sum != hdu->row_bytes)
    return scan_error (scan, error,
                       "NAXIS1 is %" G_GINT64_FORMAT ", but its columns take %" G_GINT64_FORMAT
                       " bytes",
                       hdu->row_bytes, sum);
  return TRUE;
}

/* Returns the bytes of data by the standard's formula, including the fill; -1 on overflow. */
static gint64
scan_data_bytes (const Scan *scan)
{
  const ArmillaFitsHdu *hdu = scan->hdu;
  gint64 n = hdu->n_axes > 0;

  for (int i = 0; i < hdu->n_axes; i++)
    if (__builtin_mul_overflow (n, hdu->axes[i], &n))
      return -1;
  if ((hdu->n_axes > 0 && __builtin_add_overflow (n, hdu->pcount, &n))
      || __builtin_mul_overflow (n, hdu->gcount, &n)
      || __builtin_mul_overflow (n, ABS (hdu->bitpix) / 8, &n)
      || n > G_MAXINT64 - 2 * ARMILLA_FITS_BLOCK)
    return -1;
  return (n + ARMILLA_FITS_BLOCK - 1) / ARMILLA_FITS_BLOCK * ARMILLA_FITS_BLOCK;
}

static gboolean
scan_extent (Scan *scan, GError **error)
{
  ArmillaFitsHdu *hdu = scan->hdu;
  gint64 bytes = scan_data_bytes (scan), size;

  if (bytes < 0 || __builtin_add_overflow (hdu->data, bytes, &hdu->end))
    return scan_error (scan, error, "the size in its header overflows");
  size = armilla_fits_source_need (scan->source, hdu->end, error);
  if (size < 0)
    return FALSE;
  if (size < hdu->end)
    return scan_error (scan, error,
                       "is truncated: its header declares data up to byte %" G_GINT64_FORMAT
                       ", but the file ends at %" G_GINT64_FORMAT,
                       hdu->end, size);
  return TRUE;
}

/* Parses one card; sets `end` for END. */
static gboolean
scan_card (Scan *scan, const char *bytes, gboolean *end, GError **error)
{
  ArmillaFitsCard card;
  gboolean done;

  for (int i = 0; i < ARMILLA_FITS_CARD; i++)
    {
      const unsigned char c = (unsigned char) bytes[i]; /* char is signed on x86, unsigned on ARM */

      if ((c < ' ' && c != '\t') || c == 127)
        return scan_error (scan, error, "card %" G_GINT64_FORMAT " of the header is not text",
                           scan->card + 1);
    }
  armilla_fits_card_parse (&card, bytes);
  if (scan->card == 0)
    return scan_first (scan, &card, error);
  if (!scan_mandatory (scan, &card, &done, error))
    return FALSE;
  if (!done)
    return TRUE;
  if (scan->hdu->columns == NULL && !scan_table_shape (scan, error))
    return FALSE;
  *end = strcmp (card.keyword, "END") == 0 && card.text[8 + strspn (card.text + 8, " ")] == 0;
  return *end || scan_optional (scan, &card, error);
}

static gboolean
scan_header (Scan *scan, GError **error)
{
  char block[ARMILLA_FITS_BLOCK];
  gint64 offset = scan->hdu->header;
  gboolean end = FALSE;

  for (scan->card = 0; !end; offset += ARMILLA_FITS_BLOCK)
    {
      gint64 size = armilla_fits_source_need (scan->source, offset + ARMILLA_FITS_BLOCK, error);

      if (size < 0)
        return FALSE;
      if (size < offset + ARMILLA_FITS_BLOCK && (scan->number > 0 || scan->card > 0))
        return scan_error (scan, error, "is truncated: the file ends within its header");
      if (size < offset + ARMILLA_FITS_BLOCK)
        return armilla_fail (error, ARMILLA_ERROR_IO,
                             "%s: is not a FITS file (shorter than any header)",
                             armilla_fits_source_path (scan->source));
      if (!armilla_fits_source_read (scan->source, offset, sizeof block, block, error))
        return FALSE;
      for (gsize i = 0; i < sizeof block && !end; i += ARMILLA_FITS_CARD, scan->card++)
        if (!scan_card (scan, block + i, &end, error))
          return FALSE;
      if (scan->card > CARDS_LIMIT)
        return scan_error (scan, error, "has no END within %d cards", CARDS_LIMIT);
    }
  scan->hdu->data = offset;
  if (scan->groups && scan->hdu->n_axes > 0 && scan->hdu->axes[0] == 0)
    return scan_error (scan, error, "contains random groups, which are not supported");
  return scan_columns_fit (scan, error) && scan_extent (scan, error);
}

/* Returns whether another HDU begins at `offset`; other data there are ignored. */
static gboolean
scan_more (ArmillaFitsSource *source, gint64 offset, gboolean *more, GError **error)
{
  char text[8];
  gint64 size = armilla_fits_source_need (source, offset + ARMILLA_FITS_BLOCK, error);

  *more = FALSE;
  if (size < 0)
    return FALSE;
  if (size < offset + (gint64) sizeof text)
    return TRUE;
  if (!armilla_fits_source_read (source, offset, sizeof text, text, error))
    return FALSE;
  *more = memcmp (text, "XTENSION", sizeof text) == 0;
  return TRUE;
}

/* Reads the headers of all HDUs and checks that the structure is consistent: mandatory keywords at
 * their positions and unique, sizes that neither overflow nor exceed the file, columns that fill
 * their rows. */
GPtrArray *
armilla_fits_scan (ArmillaFitsSource *source, GError **error)
{
  g_autoptr (GPtrArray) hdus = g_ptr_array_new_with_free_func (hdu_free);
  g_autoptr (GArray) text_start = g_array_new (FALSE, TRUE, sizeof (gboolean));
  gboolean more = TRUE, is_fits;
  gint64 offset = 0;

  if (!armilla_fits_source_is_fits (source, &is_fits, error))
    return NULL; /* files of other formats have specific errors */
  for (int number = 0; more; number++)
    {
      Scan scan = { .source = source, .number = number, .text_start = text_start };

      if (number >= HDUS_LIMIT)
        return scan_error (&scan, error, "more than %d HDUs", HDUS_LIMIT), NULL;
      scan.hdu = g_new0 (ArmillaFitsHdu, 1);
      scan.hdu->header = offset;
      scan.hdu->gcount = 1;
      g_ptr_array_add (hdus, scan.hdu);
      g_array_set_size (text_start, 0);
      if (!scan_header (&scan, error))
        return NULL;
      offset = scan.hdu->end;
      if (!scan_more (source, offset, &more, error))
        return NULL;
    }
  if (!armilla_fits_source_finish (source, offset, error))
    return NULL;
  return g_steal_pointer (&hdus);
}
