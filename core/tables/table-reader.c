/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads tables from files. */
#include <armilla/map-header.h>
#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/base/text-number.h"
#include "core/fits/fits-input.h"
#include "core/tables/table.h"

/* rows examined together */
#define BLOCK 65536
/* keywords TTYPEn: FITS cannot name more columns */
#define COLUMNS_LIMIT 999

typedef struct {
  ArmillaFitsInput *input;
  const ArmillaFitsHdu *hdu;
  ArmillaTable *table;
} Reader;

/* Reads a column of texts, padded by NUL or blanks. */
static gboolean
read_texts (const Reader *self, const ArmillaFitsColumn *from, const char *blurb, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  for (gint64 row = 0; row < self->hdu->rows; row++)
    {
      char *word = g_malloc0 ((gsize) from->width + 1);
      gsize n;

      g_ptr_array_add (words, word);
      if (!armilla_fits_source_read (self->input->source,
                                     self->hdu->data + row * self->hdu->row_bytes + from->offset,
                                     from->width, word, error))
        return FALSE;
      for (n = strlen (word); n > 0 && word[n - 1] == ' '; n--)
        word[n - 1] = 0;
    }
  return armilla_table_add_words (self->table, COLUMN_TEXTS, from->name, from->unit, blurb,
                                  (char *const *) words->pdata, error);
}

/* The type of an integer column: INT64, or INT128 beyond that; with undefined values doubles with
 * NaN or, if an integer is not exact as a double, texts with "". */
static gboolean
find_type (const Reader *self, const ArmillaFitsColumn *from, ArmillaColumnType *type,
           GError **error)
{
  g_autofree ArmillaInt128 *wide = g_new (ArmillaInt128, BLOCK);
  g_autofree guint8 *undefined = g_new (guint8, BLOCK);
  gboolean large = FALSE, inexact = FALSE, gaps = FALSE;

  for (gint64 first = 0, n; first < self->hdu->rows; first += n)
    {
      n = MIN (BLOCK, self->hdu->rows - first);
      if (!armilla_fits_column_read_wide (self->input, self->hdu, from, first, n, wide, undefined,
                                          error))
        return FALSE;
      for (gint64 i = 0; i < n; i++)
        {
          gaps |= undefined[i];
          large |= !undefined[i] && (wide[i] < G_MININT64 || wide[i] > G_MAXINT64);
          inexact |= !undefined[i] && (ArmillaInt128) (double) wide[i] != wide[i];
        }
    }
  if (gaps)
    *type = inexact ? ARMILLA_COLUMN_STRING : ARMILLA_COLUMN_DOUBLE;
  else
    *type = large ? ARMILLA_COLUMN_INT128 : ARMILLA_COLUMN_INT64;
  return TRUE;
}

/* Reads integers as 128-bit ones, or as texts. */
static gboolean
read_wide (const Reader *self, const ArmillaFitsColumn *from, ArmillaColumn *column,
           GError **error)
{
  const gint64 n = self->hdu->rows;
  g_autofree guint8 *undefined = armilla_try_new (guint8, n, "a column of integers", error);
  g_autofree ArmillaInt128 *wide = NULL;

  if (undefined == NULL)
    return FALSE;
  wide = armilla_try_new (ArmillaInt128, n, "a column of integers", error);
  if (wide == NULL
      || !armilla_fits_column_read_wide (self->input, self->hdu, from, 0, n, wide, undefined,
                                         error))
    return FALSE;
  if (column->type == ARMILLA_COLUMN_INT128)
    memcpy (column->wide, wide, (gsize) n * sizeof *wide);
  else
    for (gint64 i = 0; i < n; i++)
      column->strings[i] = undefined[i] ? g_strdup ("") : armilla_int128_to_string (wide[i]);
  return TRUE;
}

static gboolean
read_numbers (const Reader *self, const ArmillaFitsColumn *from, const char *blurb, GError **error)
{
  ArmillaColumnType type = from->whole ? ARMILLA_COLUMN_INT64 : ARMILLA_COLUMN_DOUBLE;
  const gint64 n = self->hdu->rows;
  ArmillaColumn *column;

  if (from->whole && !find_type (self, from, &type, error))
    return FALSE;
  column = armilla_table_try_add (self->table, type, from->name, from->unit, blurb, error);
  if (column == NULL)
    return FALSE;
  if (type == ARMILLA_COLUMN_INT128 || type == ARMILLA_COLUMN_STRING)
    return read_wide (self, from, column, error);
  if (type == ARMILLA_COLUMN_INT64)
    return armilla_fits_column_read_int (self->input, self->hdu, from, 0, n, column->integers,
                                         error);
  if (!armilla_fits_column_read (self->input, self->hdu, from, 0, n, column->doubles, error))
    return FALSE;
  for (gint64 i = 0; from->has_null && i < n; i++)
    if (armilla_is_unseen (column->doubles[i]))
      column->doubles[i] = NAN;
  return TRUE;
}

/* Reads a column; a column of vectors becomes NAME_1, NAME_2 and so on, with one value per row
 * each. */
static gboolean
read_column (const Reader *self, int i, const char *blurb, GError **error)
{
  const ArmillaFitsColumn *from = &self->hdu->columns[i];
  const gint64 size = from->type == 'A' ? from->text_width : armilla_fits_type_bytes (from->type);
  const gint64 n = size > 0 ? from->width / size : 0;

  if (from->type != 'A' && !armilla_fits_column_is_number (from))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "column %d \"%s\" (TFORM letter %c) has neither texts nor numbers; remove "
                         "it, for example with astropy's Table.remove_column", i + 1,
                         from->name, from->type);
  if (n > COLUMNS_LIMIT - self->table->n_columns)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "column %d \"%s\" has %" G_GINT64_FORMAT " values per row, which become "
                         "columns; must be at most %d columns", i + 1, from->name, n,
                         COLUMNS_LIMIT);
  for (gint64 k = 0; k < n; k++)
    {
      ArmillaFitsColumn one = *from;

      one.offset += k * size;
      one.width = size;
      one.repeat = from->type == 'A' ? size : 1;
      if (n > 1)
        g_snprintf (one.name, sizeof one.name, "%.60s_%" G_GINT64_FORMAT, from->name, k + 1);
      if (!armilla_table_check_name (self->table, one.name, error)
          || !(from->type == 'A' ? read_texts (self, &one, blurb, error)
                                 : read_numbers (self, &one, blurb, error)))
        return FALSE;
    }
  return TRUE;
}

/* Returns whether the keyword describes the structure of the file. */
static gboolean
is_structure (const char *keyword)
{
  static const char *const words[]
    = { "XTENSION", "BITPIX", "PCOUNT", "GCOUNT", "EXTNAME", "EXTVER", "CREATOR", "CHECKSUM",
        "DATASUM", "THEAP", "DATE", "LONGSTRN" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (keyword, words[i]) == 0)
      return TRUE;
  return g_str_has_prefix (keyword, "NAXIS") || g_str_has_prefix (keyword, "TFIELDS")
         || (*keyword == 'T' && g_ascii_isdigit (keyword[strcspn (keyword, "0123456789")]));
}

gboolean
armilla_table_key_is_card (const char *keyword)
{
  static const char *const others[] = { "COMMENT", "HISTORY", "CONTINUE", "HIERARCH", "END", NULL };
  const gsize n = strlen (keyword);

  return n >= 1 && n <= 8 && strspn (keyword, G_CSET_A_2_Z G_CSET_DIGITS "_-") == n
         && !is_structure (keyword) && !g_strv_contains (others, keyword);
}

/* Returns the text after the / of a card; a quoted text may contain a / too. */
static char *
comment_of (const ArmillaFitsCard *card)
{
  const char *p = card->value + strspn (card->value, " ");

  if (*p == '\'')
    for (p++; *p != 0 && (*p != '\'' || p[1] == '\''); p++)
      p += *p == '\'';
  p = strchr (p, '/');
  return g_strstrip (g_utf8_make_valid (p != NULL ? p + 1 : "", -1));
}

static void
read_keys (const Reader *self)
{
  for (gint64 i = 0; i < self->input->n_cards; i++)
    {
      char text[72];
      g_autofree char *comment = NULL;
      ArmillaFitsCard card;
      gint64 integer;

      armilla_fits_card_parse (&card, self->input->cards + i * ARMILLA_FITS_CARD);
      if (strcmp (card.keyword, "END") == 0)
        break;
      if (card.value == NULL || !armilla_table_key_is_card (card.keyword))
        continue;
      comment = comment_of (&card);
      if (armilla_fits_card_string (&card, text))
        armilla_table_set_text (self->table, card.keyword, g_strchomp (text), comment);
      else if (armilla_fits_card_int (&card, &integer))
        armilla_table_set_integer (self->table, card.keyword, integer, comment);
    }
}

static gboolean
read_table (Reader *self, int number, GError **error)
{
  g_auto (GStrv) blurbs = NULL;
  g_autofree char *name = NULL;

  if (!armilla_fits_input_select (self->input, number, error))
    return FALSE;
  self->hdu = armilla_fits_input_hdu (self->input, number);
  name = armilla_fits_input_string (self->input, "EXTNAME");
  blurbs = g_new0 (char *, (gsize) self->hdu->n_columns + 1);
  for (int i = 0; i < self->hdu->n_columns; i++)
    {
      char keyword[16];

      g_snprintf (keyword, sizeof keyword, "TCOMM%d", i + 1);
      blurbs[i] = armilla_fits_input_string (self->input, keyword);
      if (blurbs[i] == NULL)
        blurbs[i] = g_strdup ("");
    }
  self->table = armilla_table_new (name != NULL ? name : "TABLE", self->hdu->rows);
  for (int i = 0; i < self->hdu->n_columns; i++)
    if (!read_column (self, i, blurbs[i], error))
      {
        g_prefix_error (error, "%s: ", armilla_fits_source_path (self->input->source));
        return FALSE;
      }
  read_keys (self);
  return TRUE;
}

static ArmillaTable *
read_fits (ArmillaFitsSource *source, int hdu, GError **error)
{
  Reader self = { .input = armilla_fits_input_new (source, error) };
  int number;

  if (self.input == NULL)
    return NULL;
  if (!armilla_fits_input_find_table (self.input, hdu, &number, error)
      || !read_table (&self, number, error))
    g_clear_pointer (&self.table, armilla_table_free);
  armilla_fits_input_free (self.input);
  return self.table;
}

/* Reads tables written by armilla_table_write() and similar ones: a FITS binary table of numbers
 * and texts, whose vectors become a column for each element (NAME_1, NAME_2 ...); ECSV; or text in
 * columns delimited by commas, semicolons, tabs or blanks. Its names are in the first line or, if a
 * word of that is a number, in the last comment before it; columns without names are called COLUMN1
 * and so on. The words of a CSV column determine whether it has integers, numbers or texts; empty
 * words, and those that pandas reads as missing, become NaN. Texts that are all integers become
 * 128-bit integers, and so do integers of FITS beyond 64 bits; with undefined ones the column has
 * numbers (NaN) or, if integers exceed 2^53, texts. Keys that are neither texts nor integers, and
 * HISTORY, are dropped. Returns the table; ARMILLA_ERROR_IO, ARMILLA_ERROR_PARSE,
 * ARMILLA_ERROR_SHAPE, ARMILLA_ERROR_MEMORY; NULL on error. */
ArmillaTable *
armilla_table_read (const char *path, int hdu, GError **error)
{
  g_autoptr (ArmillaFitsSource) source = armilla_fits_source_open (path, error);
  gboolean is_fits;

  if (source == NULL || !armilla_fits_source_is_fits (source, &is_fits, error))
    return NULL;
  return is_fits ? read_fits (g_steal_pointer (&source), hdu, error)
                 : armilla_table_text_read (source, error);
}
