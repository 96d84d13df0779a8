/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-output.h"
#include "core/fits/fits-scan.h"

/* Columns 9 to 80 of a card hold the text of HISTORY. */
#define HISTORY_WIDTH 72

/* Converts to ASCII, as FITS headers require; some characters have substitutes (the micro sign
 * becomes u). */
static char *
ascii (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *plain = g_str_to_ascii (valid, "C");

  for (char *p = plain; *p != 0; p++)
    if (!g_ascii_isprint (*p))
      *p = g_ascii_isspace (*p) ? ' ' : '?';
  return plain;
}

static void
put_card (GString *cards, const char *text)
{
  gsize n = MIN (strlen (text), ARMILLA_FITS_CARD);

  g_string_append_len (cards, text, n);
  for (; n < ARMILLA_FITS_CARD; n++)
    g_string_append_c (cards, ' ');
}

static void
put_value (GString *cards, const char *keyword, const char *value, const char *comment)
{
  g_autofree char *card = NULL;

  if (comment != NULL)
    card = g_strdup_printf ("%-8s= %s / %s", keyword, value, comment);
  else
    card = g_strdup_printf ("%-8s= %s", keyword, value);
  put_card (cards, card);
}

void
armilla_fits_put_int (GString *cards, const char *keyword, gint64 value, const char *comment)
{
  g_autofree char *text = g_strdup_printf ("%20" G_GINT64_FORMAT, value);

  put_value (cards, keyword, text, comment);
}

/* Appends a number with the fewest digits that give exactly this double. */
void
armilla_fits_put_double (GString *cards, const char *keyword, double value, const char *comment)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  for (int n = 15; n <= 17; n++)
    {
      char format[8];

      g_snprintf (format, sizeof format, "%%.%dG", n);
      g_ascii_formatd (digits, sizeof digits, format, value);
      if (g_ascii_strtod (digits, NULL) == value)
        break;
    }
  if (strpbrk (digits, ".E") == NULL)
    g_strlcat (digits, ".0", sizeof digits);
  text = g_strdup_printf ("%20s", digits);
  put_value (cards, keyword, text, comment);
}

void
armilla_fits_put_true (GString *cards, const char *keyword, const char *comment)
{
  put_value (cards, keyword, "                   T", comment);
}

/* Appends the card of a string of at most 68 characters, where quotes count twice; longer strings
 * are truncated. */
void
armilla_fits_put_string (GString *cards, const char *keyword, const char *value,
                         const char *comment)
{
  g_autofree char *plain = ascii (value);
  g_autoptr (GString) text = g_string_new ("'");

  for (const char *p = plain; *p != 0; p++)
    {
      gsize n = *p == '\'' ? 2 : 1;

      if (text->len - 1 + n > 68)
        break;
      g_string_append_c (text, *p);
      if (n == 2)
        g_string_append_c (text, '\'');
    }
  while (text->len < 9)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\'');
  while (text->len < 20)
    g_string_append_c (text, ' ');
  put_value (cards, keyword, text->str, comment);
}

/* Returns where to break a line: at the last blank that leaves it more than half full, otherwise at
 * the full width. */
static gsize
history_break (const char *text, gsize width)
{
  gsize n = strlen (text);

  if (n <= width)
    return n;
  for (n = width; n > width / 2; n--)
    if (text[n] == ' ')
      return n;
  return width;
}

/* Appends lines of HISTORY or COMMENT. Long lines continue in the next card, indented by two
 * columns. */
void
armilla_fits_put_lines (GString *cards, const char *keyword, char **lines)
{
  for (; lines != NULL && *lines != NULL; lines++)
    {
      g_auto (GStrv) parts = g_strsplit (*lines, "\n", -1);

      for (char **part = parts; *part != NULL; part++)
        {
          g_autofree char *plain = ascii (*part);
          const char *rest = g_strchomp (plain), *indent = "";

          do
            {
              gsize n = history_break (rest, HISTORY_WIDTH - strlen (indent));
              g_autofree char *card
                = g_strdup_printf ("%s %s%.*s", keyword, indent, (int) n, rest);

              put_card (cards, card);
              rest += n;
              rest += strspn (rest, " ");
              indent = "  ";
            }
          while (*rest != 0);
        }
    }
}

void
armilla_fits_put_history (GString *cards, char **lines)
{
  armilla_fits_put_lines (cards, "HISTORY", lines);
}

/* Rejects equal column names, which other programs cannot open. Names are compared as they will be
 * in the file: truncated, and in ASCII. */
gboolean
armilla_fits_fields_check (const char *path, const ArmillaFitsField *fields, int n_fields,
                           GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (int i = 0; i < n_fields; i++)
    {
      g_autoptr (GString) card = g_string_new (NULL);

      armilla_fits_put_string (card, "TTYPE", fields[i].name, NULL);
      if (!g_hash_table_add (seen, g_strdup (card->str)))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "%s: columns must have different names, but two of them (one is "
                             "column %d) would be called \"%s\"; rename the fields",
                             path, i + 1, fields[i].name);
    }
  return TRUE;
}

/* Returns the mandatory keywords and the columns of a binary table as cards, without END. */
GString *
armilla_fits_table_header (gint64 rows, const ArmillaFitsField *fields, int n_fields,
                           gint64 *row_bytes)
{
  GString *cards = g_string_new (NULL);

  *row_bytes = 0;
  for (int i = 0; i < n_fields; i++)
    *row_bytes += fields[i].repeat * armilla_fits_type_bytes (fields[i].type);
  armilla_fits_put_string (cards, "XTENSION", "BINTABLE", "binary table extension");
  armilla_fits_put_int (cards, "BITPIX", 8, "array data type");
  armilla_fits_put_int (cards, "NAXIS", 2, "number of array dimensions");
  armilla_fits_put_int (cards, "NAXIS1", *row_bytes, "length of dimension 1");
  armilla_fits_put_int (cards, "NAXIS2", rows, "length of dimension 2");
  armilla_fits_put_int (cards, "PCOUNT", 0, "number of group parameters");
  armilla_fits_put_int (cards, "GCOUNT", 1, "number of groups");
  armilla_fits_put_int (cards, "TFIELDS", n_fields, "number of table fields");
  for (int i = 0; i < n_fields; i++)
    {
      char key[16], form[32];

      g_snprintf (key, sizeof key, "TTYPE%d", i + 1);
      armilla_fits_put_string (cards, key, fields[i].name, NULL);
      g_snprintf (key, sizeof key, "TFORM%d", i + 1);
      if (fields[i].repeat == 1)
        g_snprintf (form, sizeof form, "%c", fields[i].type);
      else
        g_snprintf (form, sizeof form, "%" G_GINT64_FORMAT "%c", fields[i].repeat, fields[i].type);
      armilla_fits_put_string (cards, key, form, NULL);
      g_snprintf (key, sizeof key, "TUNIT%d", i + 1);
      if (fields[i].unit != NULL && *fields[i].unit != 0)
        armilla_fits_put_string (cards, key, fields[i].unit, NULL);
    }
  return cards;
}

GString *
armilla_fits_image_header (gboolean primary, gboolean single, int n_axes, const gint64 *axes)
{
  GString *cards = g_string_new (NULL);

  if (primary)
    armilla_fits_put_true (cards, "SIMPLE", "conforms to FITS standard");
  else
    armilla_fits_put_string (cards, "XTENSION", "IMAGE", "image extension");
  armilla_fits_put_int (cards, "BITPIX", single ? -32 : -64, "array data type");
  armilla_fits_put_int (cards, "NAXIS", n_axes, "number of array dimensions");
  for (int i = 0; i < n_axes; i++)
    {
      char key[16];

      g_snprintf (key, sizeof key, "NAXIS%d", i + 1);
      armilla_fits_put_int (cards, key, axes[i], NULL);
    }
  if (primary)
    return cards;
  armilla_fits_put_int (cards, "PCOUNT", 0, "number of group parameters");
  armilla_fits_put_int (cards, "GCOUNT", 1, "number of groups");
  return cards;
}
