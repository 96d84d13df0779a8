/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables to files. */
#include <armilla/table.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text-number.h"
#include "core/files/regular-file.h"
#include "core/fits/fits-output.h"
#include "core/tables/table.h"

/* bytes collected before a write */
#define CHUNK (1 << 20)
/* keywords TTYPEn, TFORMn: FITS cannot have more columns */
#define COLUMNS_LIMIT 999

/* Parses the ending of a name: .fits, .fit, .ecsv, .csv, .txt or .dat, or one of these and .gz.
 * FALSE for others. */
gboolean
armilla_table_format (const char *path, ArmillaTableFormat *format, GError **error)
{
  static const struct {
    const char *ending;
    ArmillaTableFormat format;
  } endings[] = {
    { ".fits", ARMILLA_TABLE_FITS }, { ".fit", ARMILLA_TABLE_FITS },
    { ".ecsv", ARMILLA_TABLE_ECSV }, { ".csv", ARMILLA_TABLE_CSV },
    { ".txt", ARMILLA_TABLE_TEXT },  { ".dat", ARMILLA_TABLE_TEXT },
  };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".gz"))
    lower[strlen (lower) - 3] = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending))
      {
        *format = endings[i].format;
        return TRUE;
      }
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "file = %s: must end in .fits, .fit, .ecsv, .csv, .txt or .dat, or in one "
                       "of these and .gz", path);
}

static const char *
text_of (const ArmillaColumn *column, gint64 row)
{
  return column->strings[row] != NULL ? column->strings[row] : "";
}

/* Returns the length of the longest value; FITS strings cannot have length 0. */
static gint64
longest (const ArmillaTable *table, const ArmillaColumn *column)
{
  gsize max_length = 1;

  for (gint64 row = 0; row < table->n_rows; row++)
    {
      g_autofree char *digits = NULL;

      if (column->type == ARMILLA_COLUMN_INT128)
        digits = armilla_int128_to_string (column->wide[row]);
      max_length = MAX (max_length, strlen (digits != NULL ? digits : text_of (column, row)));
    }
  return (gint64) max_length;
}

/* Writes a text in ASCII, padded with NUL as by astropy, since blanks would turn "" into a
 * blank. */
static guint8 *
put_text (guint8 *p, const char *text, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      *p++ = *text == 0 ? 0 : g_ascii_isprint (*text) ? *text : '?';
      text += *text != 0;
    }
  return p;
}

static guint8 *
put_cell (guint8 *p, const ArmillaColumn *column, gint64 width, gint64 row)
{
  g_autofree char *digits = NULL;

  switch (column->type)
    {
    case ARMILLA_COLUMN_INT64:
      return armilla_put_int64 (p, column->integers[row]);
    case ARMILLA_COLUMN_DOUBLE:
      return armilla_put_real (p, FALSE, column->doubles[row]);
    case ARMILLA_COLUMN_INT128:
      digits = armilla_int128_to_string (column->wide[row]);
      return put_text (p, digits, width);
    default:
      return put_text (p, text_of (column, row), width);
    }
}

static gboolean
write_rows (ArmillaFitsOutput *out, const ArmillaTable *table, const ArmillaFitsField *fields,
            gint64 row_bytes, gint64 data, GError **error)
{
  gint64 block = MAX (1, CHUNK / row_bytes);
  g_autofree guint8 *rows = g_malloc (block * row_bytes);

  for (gint64 first = 0, n; first < table->n_rows; first += n)
    {
      guint8 *p = rows;

      n = MIN (block, table->n_rows - first);
      for (gint64 row = first; row < first + n; row++)
        for (int i = 0; i < table->n_columns; i++)
          p = put_cell (p, &table->columns[i], fields[i].repeat, row);
      if (!armilla_fits_output_write (out, data + first * row_bytes, rows, n * row_bytes, error))
        return FALSE;
    }
  return TRUE;
}

/* Writes a key of a text table that cannot be the keyword of a card as a comment. */
static void
put_comment (GString *cards, const ArmillaTableKey *key)
{
  char *lines[] = { NULL, NULL };

  if (key->text != NULL)
    lines[0] = g_strdup_printf ("%s = %s", key->keyword, key->text);
  else
    lines[0] = g_strdup_printf ("%s = %" G_GINT64_FORMAT, key->keyword, key->integer);
  armilla_fits_put_lines (cards, "COMMENT", lines);
  g_free (lines[0]);
}

static GString *
table_cards (const ArmillaTable *table, const ArmillaFitsField *fields, const char *mark,
             char **history, gint64 *row_bytes)
{
  GString *cards = armilla_fits_table_header (table->n_rows, fields, table->n_columns, row_bytes);

  armilla_fits_put_string (cards, "EXTNAME", table->name, NULL);
  if (mark != NULL)
    armilla_fits_put_true (cards, mark, NULL);
  armilla_fits_put_string (cards, "CREATOR", "armilla", NULL);
  for (int i = 0; i < table->n_columns; i++)
    {
      char keyword[9];

      g_snprintf (keyword, sizeof keyword, "TCOMM%d", i + 1);
      if (*table->columns[i].blurb != 0)
        armilla_fits_put_string (cards, keyword, table->columns[i].blurb, NULL);
    }
  for (int i = 0; i < table->n_keys; i++)
    {
      const ArmillaTableKey *key = &table->keys[i];

      if (!armilla_table_key_is_card (key->keyword))
        put_comment (cards, key);
      else if (key->text != NULL)
        armilla_fits_put_string (cards, key->keyword, key->text, key->blurb);
      else
        armilla_fits_put_int (cards, key->keyword, key->integer, key->blurb);
    }
  armilla_fits_put_history (cards, history);
  return cards;
}

static ArmillaFitsField *
find_fields (const ArmillaTable *table)
{
  ArmillaFitsField *fields = g_new0 (ArmillaFitsField, table->n_columns);

  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];

      fields[i] = (ArmillaFitsField) { column->name, *column->unit != 0 ? column->unit : NULL,
                                       'A', 1 };
      if (column->type == ARMILLA_COLUMN_INT64)
        fields[i].type = 'K';
      else if (column->type == ARMILLA_COLUMN_DOUBLE)
        fields[i].type = 'D';
      else
        fields[i].repeat = longest (table, column);
    }
  return fields;
}

/* Adds a binary table to a file. @mark: (nullable): a keyword whose value is true. Returns the
 * offset of its rows; -1 with ARMILLA_ERROR_SHAPE or ARMILLA_ERROR_VALUE if a column cannot be
 * written. */
gint64
armilla_table_add_to_fits (const ArmillaTable *table, ArmillaFitsOutput *out, const char *mark,
                           char **history, GError **error)
{
  g_autofree ArmillaFitsField *fields = find_fields (table);
  g_autoptr (GString) cards = NULL;
  gint64 row_bytes;

  if (!armilla_fits_fields_check (armilla_fits_output_path (out), fields, table->n_columns, error))
    return -1;
  cards = table_cards (table, fields, mark, history, &row_bytes);
  return armilla_fits_output_add (out, cards, table->n_rows * row_bytes);
}

/* Writes the rows of a table from the offset on. */
gboolean
armilla_table_write_rows (const ArmillaTable *table, ArmillaFitsOutput *out, gint64 offset,
                          GError **error)
{
  g_autofree ArmillaFitsField *fields = find_fields (table);
  gint64 row_bytes;
  g_autoptr (GString) cards
    = armilla_fits_table_header (table->n_rows, fields, table->n_columns, &row_bytes);

  return write_rows (out, table, fields, row_bytes, offset, error);
}

static gboolean
write_fits (ArmillaOutput *output, const ArmillaTable *table, char **history, GError **error)
{
  g_autoptr (ArmillaFitsOutput) out = armilla_fits_output_new (output, error);
  const gint64 offset
    = out != NULL ? armilla_table_add_to_fits (table, out, NULL, history, error) : -1;

  return offset >= 0 && armilla_fits_output_reserve (out, error)
         && armilla_table_write_rows (table, out, offset, error)
         && armilla_fits_output_close (out, error);
}

/* Writes a YAML string in double quotes, which may contain any character. */
static void
put_quoted (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid; *p != 0; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (text, "\\%c", *p);
    else if ((guchar) *p < ' ' || *p == 127)
      g_string_append_printf (text, "\\x%02x", *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

static void
put_key (GString *text, const char *keyword)
{
  if (*keyword != 0 && keyword[strspn (keyword, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-")] == 0)
    g_string_append (text, keyword);
  else
    put_quoted (text, keyword);
}

static void
put_ecsv_header (GString *text, const ArmillaTable *table, char **history)
{
  static const char *const types[] = { "int64", "string", "float64", "string" };

  g_string_append (text, "# %ECSV 1.0\n# ---\n# datatype:\n");
  for (int i = 0; i < table->n_columns; i++)
    {
      const ArmillaColumn *column = &table->columns[i];
      g_autofree char *name = g_strdelimit (g_strdup (column->name), "\r\n", ' ');

      g_string_append (text, "# - {name: ");
      put_quoted (text, name); /* as put_field () writes it above the rows */
      if (*column->unit != 0)
        {
          g_string_append (text, ", unit: ");
          put_quoted (text, column->unit);
        }
      g_string_append_printf (text, ", datatype: %s", types[column->type]);
      if (*column->blurb != 0)
        {
          g_string_append (text, ", description: ");
          put_quoted (text, column->blurb);
        }
      g_string_append (text, "}\n");
    }
  g_string_append (text, "# meta: !!omap\n# - {EXTNAME: ");
  put_quoted (text, table->name);
  g_string_append (text, "}\n# - {CREATOR: \"armilla\"}\n");
  for (int i = 0; i < table->n_keys; i++)
    {
      g_string_append (text, "# - {");
      put_key (text, table->keys[i].keyword);
      g_string_append (text, ": ");
      if (table->keys[i].text != NULL)
        put_quoted (text, table->keys[i].text);
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, table->keys[i].integer);
      g_string_append (text, "}\n");
    }
  for (int i = 0; history != NULL && history[i] != NULL; i++)
    {
      g_string_append (text, i == 0 ? "# - HISTORY:\n#   - " : "#   - ");
      put_quoted (text, history[i]);
      g_string_append_c (text, '\n');
    }
  g_string_append (text, "# schema: astropy-2.0\n");
}

/* Writes a field delimited by blanks or commas: in quotes if it is empty or contains a delimiter,
 * quotes, or a leading hash. */
static void
put_field (GString *text, const char *value)
{
  gboolean plain = *value != 0 && *value != '#';

  for (const char *p = value; *p != 0; p++)
    plain = plain && (guchar) *p > ' ' && *p != '"' && *p != ',';
  if (plain)
    {
      g_string_append (text, value);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = value; *p != 0; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p == '\n' || *p == '\r' ? ' ' : *p);
    }
  g_string_append_c (text, '"');
}

static void
put_text_cell (GString *text, const ArmillaColumn *column, gint64 row)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *digits = NULL;

  switch (column->type)
    {
    case ARMILLA_COLUMN_INT64:
      g_string_append_printf (text, "%" G_GINT64_FORMAT, column->integers[row]);
      break;
    case ARMILLA_COLUMN_DOUBLE:
      g_string_append (text, g_ascii_dtostr (number, sizeof number, column->doubles[row]));
      break;
    case ARMILLA_COLUMN_INT128:
      digits = armilla_int128_to_string (column->wide[row]);
      g_string_append (text, digits);
      break;
    default:
      put_field (text, text_of (column, row));
    }
}

static gboolean
flush_text (GString *text, int fd, const char *path, GError **error)
{
  if (armilla_write_all (fd, text->str, text->len, ARMILLA_AT_POSITION) != (gssize) text->len)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be written: %s", path,
                         g_strerror (errno));
  g_string_truncate (text, 0);
  return TRUE;
}

/* Returns whether the table has a column of numbers: a first line without a number would be read as
 * names even if it is not a comment. */
static gboolean
holds_numbers (const ArmillaTable *table)
{
  for (int i = 0; i < table->n_columns; i++)
    if (table->columns[i].type != ARMILLA_COLUMN_STRING)
      return TRUE;
  return FALSE;
}

static gboolean
write_lines (int fd, const char *path, const ArmillaTable *table, ArmillaTableFormat format,
             char **history, GError **error)
{
  const char *between = format == ARMILLA_TABLE_CSV ? "," : " ";
  g_autoptr (GString) text = g_string_new (NULL);

  if (format == ARMILLA_TABLE_ECSV)
    put_ecsv_header (text, table, history);
  if (format == ARMILLA_TABLE_TEXT && holds_numbers (table))
    g_string_append (text, "# ");
  for (int i = 0; i < table->n_columns; i++)
    {
      g_string_append (text, i > 0 ? between : "");
      put_field (text, table->columns[i].name);
    }
  g_string_append_c (text, '\n');
  for (gint64 row = 0; row < table->n_rows; row++)
    {
      for (int i = 0; i < table->n_columns; i++)
        {
          g_string_append (text, i > 0 ? between : "");
          put_text_cell (text, &table->columns[i], row);
        }
      g_string_append_c (text, '\n');
      if (text->len > CHUNK && !flush_text (text, fd, path, error))
        return FALSE;
    }
  return flush_text (text, fd, path, error);
}

static gboolean
write_text (ArmillaOutput *output, const ArmillaTable *table, ArmillaTableFormat format,
            char **history, GError **error)
{
  const char *path = armilla_output_path (output);
  int fd = open (armilla_output_temporary (output), O_WRONLY | O_TRUNC | O_CLOEXEC);
  gboolean good;

  if (fd < 0)
    return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be written: %s", path,
                         g_strerror (errno));
  good = write_lines (fd, path, table, format, history, error);
  if (close (fd) == 0 || !good)
    return good;
  return armilla_fail (error, ARMILLA_ERROR_IO, "%s: cannot be written: %s", path,
                       g_strerror (errno));
}

/* Writes a table. A FITS file has it as the first extension, with checksums; integers have the
 * format K, doubles D, and keys that do not fit in a card are written as COMMENT. Numbers in text
 * files read back to the same bits; of the text formats only ECSV stores units, keys and HISTORY.
 * The caller then calls armilla_output_finish() and armilla_output_commit(). Returns whether the
 * temporary file is complete; ARMILLA_ERROR_SHAPE (no or too many columns), ARMILLA_ERROR_VALUE
 * (two columns of the same name), ARMILLA_ERROR_IO. */
gboolean
armilla_table_write (ArmillaOutput *output, const ArmillaTable *table, ArmillaTableFormat format,
                     char **history, GError **error)
{
  if (table->n_columns < 1 || table->n_columns > COLUMNS_LIMIT)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "%s: a table must have 1 to %d columns, not "
                                                     "%d",
                         armilla_output_path (output), COLUMNS_LIMIT, table->n_columns);
  if (!armilla_table_check_columns (table, error))
    {
      g_prefix_error (error, "%s: ", armilla_output_path (output));
      return FALSE;
    }
  return format == ARMILLA_TABLE_FITS ? write_fits (output, table, history, error)
                                      : write_text (output, table, format, history, error);
}
