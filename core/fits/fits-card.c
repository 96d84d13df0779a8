/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-scan.h"

#include <string.h>

/* Splits a card of 80 bytes into keyword and value. */
void
armilla_fits_card_parse (ArmillaFitsCard *card, const char *bytes)
{
  memcpy (card->text, bytes, ARMILLA_FITS_CARD);
  card->text[ARMILLA_FITS_CARD] = 0;
  memcpy (card->keyword, bytes, 8);
  card->keyword[8] = 0;
  g_strchomp (card->keyword);
  card->value = memcmp (bytes + 8, "= ", 2) == 0 ? card->text + 10 : NULL;
}

/* Parses digits with an optional sign; returns the first character after them, or NULL. */
static const char *
parse_int (const char *text, gint64 *value)
{
  gboolean minus = *text == '-';
  gint64 v = 0;

  if (*text == '-' || *text == '+')
    text++;
  if (!g_ascii_isdigit (*text))
    return NULL;
  for (; g_ascii_isdigit (*text); text++)
    if (__builtin_mul_overflow (v, 10, &v) || __builtin_add_overflow (v, *text - '0', &v))
      return NULL;
  *value = minus ? -v : v;
  return text;
}

gboolean
armilla_fits_card_int (const ArmillaFitsCard *card, gint64 *value)
{
  const char *p = card->value;

  if (p == NULL)
    return FALSE;
  p = parse_int (p + strspn (p, " "), value);
  if (p == NULL)
    return FALSE;
  p += strspn (p, " ");
  return *p == 0 || *p == '/';
}

/* Reads a quoted string, without the quotes and the blanks at its end. Headers should be ASCII;
 * bytes that are not UTF-8 become '?'. */
gboolean
armilla_fits_card_string (const ArmillaFitsCard *card, char value[72])
{
  const char *p = card->value, *wrong;
  int n = 0;

  if (p == NULL)
    return FALSE;
  p += strspn (p, " ");
  if (*p++ != '\'')
    return FALSE;
  for (; *p != 0; p++)
    {
      if (*p == '\'' && p[1] != '\'')
        break;
      if (*p == '\'')
        p++;
      value[n++] = *p;
    }
  if (*p == 0)
    return FALSE;
  value[n] = 0;
  while (!g_utf8_validate (value, n, &wrong))
    value[wrong - value] = '?';
  g_strchomp (value);
  return TRUE;
}

/* Returns the number after a stem, as 12 in TFORM12; 0 if the keyword has another stem. */
int
armilla_fits_card_index (const ArmillaFitsCard *card, const char *stem)
{
  const char *end;
  gint64 n;

  if (!g_str_has_prefix (card->keyword, stem))
    return 0;
  end = card->keyword + strlen (stem);
  if (!g_ascii_isdigit (*end) || *end == '0')
    return 0;
  end = parse_int (end, &n);
  return end != NULL && *end == 0 && n <= 999 ? n : 0;
}

int
armilla_fits_type_bytes (char type)
{
  switch (type)
    {
    case 'L':
    case 'B':
    case 'A':
      return 1;
    case 'I':
      return 2;
    case 'J':
    case 'E':
      return 4;
    case 'K':
    case 'D':
    case 'C':
    case 'P':
      return 8;
    case 'M':
    case 'Q':
      return 16;
    default:
      return 0;
    }
}

/* Parses TFORM of a binary table: a count and a letter. Only the descriptors of variable-length
 * arrays (P, Q) are in the row; they are not read. */
gboolean
armilla_fits_column_parse (ArmillaFitsColumn *column, const char *tform)
{
  const char *p = tform + strspn (tform, " ");
  gint64 wide = 0;

  column->repeat = 1;
  if (g_ascii_isdigit (*p) && (p = parse_int (p, &column->repeat)) == NULL)
    return FALSE;
  column->type = *p;
  if (*p == 'X')
    {
      column->width = column->repeat / 8 + (column->repeat % 8 != 0);
      return p[1] == 0;
    }
  if (armilla_fits_type_bytes (*p) == 0
      || __builtin_mul_overflow (column->repeat, armilla_fits_type_bytes (*p), &column->width))
    return FALSE;
  if (*p == 'P' || *p == 'Q')
    return column->repeat <= 1;
  if (*p != 'A')
    return p[1] == 0;
  /* rAw: w is the width of a string in an array of strings */
  column->text_width = column->width;
  if (p[1] == 0)
    return TRUE;
  p = g_ascii_isdigit (p[1]) ? parse_int (p + 1, &wide) : NULL;
  if (wide > 0 && column->width % wide == 0)
    column->text_width = wide;
  return p != NULL && *p == 0;
}

/* Parses TFORM of a text table: a letter, the width, and the number of decimals. */
gboolean
armilla_fits_column_parse_text (ArmillaFitsColumn *column, const char *tform)
{
  const char *p = tform + strspn (tform, " ");
  gint64 decimals = 0;

  column->repeat = 1;
  column->type = *p;
  if (*p == 0 || strchr ("AIFED", *p) == NULL)
    return FALSE;
  p = parse_int (p + 1, &column->width);
  if (p == NULL || column->width < 1 || column->width > 4096)
    return FALSE;
  if (*p == '.' && ((p = parse_int (p + 1, &decimals)) == NULL || decimals > column->width))
    return FALSE;
  return *p == 0;
}
