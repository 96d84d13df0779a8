/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"
#include "core/fits/fits-source.h"

#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/grids/grid.h"

/* bytes read at a time for a checksum */
#define CHUNK (128 * ARMILLA_FITS_BLOCK)

gboolean
armilla_fits_input_error (const ArmillaFitsInput *input, GError **error, int code,
                          const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, code, "%s: %s",
                       input->source != NULL ? armilla_fits_source_path (input->source) : "header",
                       what);
}

/* Opens an input on @source, which it owns from then on, and checks the structure of the file. */
ArmillaFitsInput *
armilla_fits_input_new (ArmillaFitsSource *source, GError **error)
{
  g_autoptr (ArmillaFitsInput) input = g_new0 (ArmillaFitsInput, 1);

  input->source = source;
  input->hdus = armilla_fits_scan (input->source, error);
  return input->hdus != NULL ? g_steal_pointer (&input) : NULL;
}

ArmillaFitsInput *
armilla_fits_input_open (const char *path, GError **error)
{
  ArmillaFitsSource *source = armilla_fits_source_open (path, error);

  return source != NULL ? armilla_fits_input_new (source, error) : NULL;
}

/* Returns an input that has only the cards of a header. */
ArmillaFitsInput *
armilla_fits_input_new_header (const char *cards)
{
  ArmillaFitsInput *input = g_new0 (ArmillaFitsInput, 1);

  input->cards = g_strdup (cards);
  input->n_cards = (gint64) strlen (cards) / ARMILLA_FITS_CARD;
  return input;
}

ArmillaFitsHdu *
armilla_fits_input_hdu (const ArmillaFitsInput *input, int number)
{
  return g_ptr_array_index (input->hdus, number);
}

/* Finds the first card of the keyword with a value from card *at on; sets *at to the card after. */
static gboolean
find_card (const ArmillaFitsInput *input, const char *keyword, gint64 *at, ArmillaFitsCard *card)
{
  while (*at < input->n_cards)
    {
      armilla_fits_card_parse (card, input->cards + (*at)++ * ARMILLA_FITS_CARD);
      if (card->value != NULL && strcmp (card->keyword, keyword) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Returns the value of a card, without quotes if it is a text; NULL if the card has none. */
static char *
card_text (const ArmillaFitsCard *card)
{
  const char *value = card->value + strspn (card->value, " ");
  char text[72];

  if (armilla_fits_card_string (card, text))
    return armilla_ascii (g_strdup (g_strstrip (text)));
  if (*value == '\'' || *value == '/' || *value == 0)
    return NULL;
  return armilla_ascii (g_strndup (value, strcspn (value, " /")));
}

/* Returns: (transfer full) (nullable): the value without surrounding blanks, NULL without a
 * value */
char *
armilla_fits_input_string (ArmillaFitsInput *input, const char *keyword)
{
  ArmillaFitsCard card;
  gint64 at = 0;

  return find_card (input, keyword, &at, &card) ? card_text (&card) : NULL;
}

gboolean
armilla_fits_input_has (ArmillaFitsInput *input, const char *keyword)
{
  g_autofree char *text = armilla_fits_input_string (input, keyword);

  return text != NULL;
}

/* @note: (nullable) (inout): set to a warning about an unknown value unless it is set already
 *
 * Returns: (transfer full) (nullable): COORDSYS as G, E or C */
char *
armilla_fits_input_coordsys (ArmillaFitsInput *input, char **note)
{
  g_autofree char *coordsys = armilla_fits_input_string (input, "COORDSYS");
  const char letter = armilla_coordinates_letter (coordsys);

  if (letter != 0)
    return g_strndup (&letter, 1);
  if (note != NULL && *note == NULL && coordsys != NULL && *coordsys != 0
      && g_ascii_strcasecmp (coordsys, "unknown") != 0)
    *note = g_strdup_printf ("%s: unknown COORDSYS \"%s\"; must be G (GALACTIC), E (ECLIPTIC) or C "
                             "(CELESTIAL, EQUATORIAL, ICRS, FK5, J2000): the coordinates are "
                             "treated as unknown",
                             armilla_fits_source_path (input->source), coordsys);
  return NULL;
}

/* Returns: (transfer full): all values of a text keyword, which a damaged header may repeat */
char **
armilla_fits_input_strings (ArmillaFitsInput *input, const char *keyword)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  ArmillaFitsCard card;
  gint64 at = 0;

  while (find_card (input, keyword, &at, &card))
    {
      char *text = card_text (&card);

      g_ptr_array_add (values, text != NULL ? text : g_strdup (""));
    }
  g_ptr_array_add (values, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&values), FALSE);
}

/* Reads an integer keyword: @fallback if the header lacks it, an error if it is not an integer. */
gboolean
armilla_fits_input_int (ArmillaFitsInput *input, const char *keyword, gint64 fallback,
                        gint64 *value, GError **error)
{
  g_autofree char *text = armilla_fits_input_string (input, keyword);
  char *end = NULL;
  double number;

  *value = fallback;
  if (text == NULL || g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, value, NULL))
    return TRUE;
  /* Some programs write 32.0 or 3.2E1; such a number is exact within 2^53. */
  number = g_ascii_strtod (text, &end);
  if (end != text && *end == 0 && number == floor (number) && fabs (number) < 9007199254740992.0)
    {
      *value = (gint64) number;
      return TRUE;
    }
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_PARSE,
                                   "HDU %d: %s is '%s', not an integer", input->selected, keyword,
                                   text);
}

/* Reads a finite number; fallback if the keyword is missing. */
gboolean
armilla_fits_input_double (ArmillaFitsInput *input, const char *keyword, double fallback,
                           double *value, GError **error)
{
  g_autofree char *text = NULL;
  ArmillaFitsCard card;
  char *end = NULL;
  gint64 at = 0;

  *value = fallback;
  if (!find_card (input, keyword, &at, &card))
    return TRUE;
  text = card_text (&card);
  if (text != NULL)
    *value = g_ascii_strtod (g_strdelimit (text, "Dd", 'E'), &end);
  if (text != NULL && end != text && *end == 0 && isfinite (*value))
    return TRUE;
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_PARSE,
                                   "HDU %d: the value of %s is not a finite number",
                                   input->selected,
                                   keyword);
}

/* Reads an integer of at most 2^63, for a factor or offset of integers. A double would lose the
 * last digits of a TZERO. */
static gboolean
input_whole (ArmillaFitsInput *input, const char *keyword, double value, ArmillaInt128 *whole)
{
  g_autofree char *text = armilla_fits_input_string (input, keyword);
  const char *p = text != NULL ? text : "";
  const gboolean minus = *p == '-';
  ArmillaInt128 sum = 0;

  if (value != floor (value) || fabs (value) > 0x1p63)
    return FALSE;
  *whole = (ArmillaInt128) value;
  p += *p == '-' || *p == '+';
  if (*p == 0 || strlen (p) > 19 || strspn (p, "0123456789") != strlen (p))
    return TRUE;
  for (; *p != 0; p++)
    sum = 10 * sum + (*p - '0');
  *whole = minus ? -sum : sum;
  return TRUE;
}

/* Reads scale, zero and null under the names that tables (TSCALn) or images (BSCALE) use. Logical
 * values and texts have none. The null of a text table is a string that is not a number and is
 * detected as such. */
static gboolean
read_scaling (ArmillaFitsInput *input, ArmillaFitsColumn *column, const char *scale,
              const char *zero, const char *null, GError **error)
{
  const gboolean integers = strchr ("BIJK", column->type) != NULL;

  column->scale = 1;
  column->zero = 0;
  column->factor = 1;
  column->shift = 0;
  column->has_null = FALSE;
  column->whole = column->type == 'L';
  if (strchr ("LAX", column->type) != NULL)
    return TRUE;
  if (!armilla_fits_input_double (input, scale, 1, &column->scale, error)
      || !armilla_fits_input_double (input, zero, 0, &column->zero, error))
    return FALSE;
  if (column->scale == 0)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_VALUE,
                                     "HDU %d: %s is 0, which makes all values the same",
                                     input->selected, scale);
  column->whole = integers && input_whole (input, scale, column->scale, &column->factor)
                  && input_whole (input, zero, column->zero, &column->shift);
  if (null == NULL || !integers)
    return TRUE;
  column->has_null = armilla_fits_input_has (input, null);
  return armilla_fits_input_int (input, null, 0, &column->null, error);
}

/* Reads TDIM, which may contain the width of a text in an array of texts, like TFORM: (20,3). */
static void
read_text_width (ArmillaFitsInput *input, ArmillaFitsColumn *column, int number)
{
  g_autofree char *keyword = g_strdup_printf ("TDIM%d", number);
  g_autofree char *text = armilla_fits_input_string (input, keyword);
  char *end = text;
  gint64 width;

  if (column->type != 'A' || text == NULL || *text != '(')
    return;
  width = g_ascii_strtoll (text + 1, &end, 10);
  if (*g_strchug (end) == ',' && width > 0 && column->width % width == 0)
    column->text_width = width;
}

static gboolean
read_table_columns (ArmillaFitsInput *input, ArmillaFitsHdu *hdu, GError **error)
{
  for (int i = 0; i < hdu->n_columns; i++)
    {
      char key[5][16];
      static const char *const stems[] = { "TTYPE", "TUNIT", "TSCAL", "TZERO", "TNULL" };
      g_autofree char *name = NULL, *unit = NULL;

      for (int k = 0; k < 5; k++)
        g_snprintf (key[k], sizeof key[k], "%s%d", stems[k], i + 1);
      name = armilla_fits_input_string (input, key[0]);
      unit = armilla_fits_input_string (input, key[1]);
      g_strlcpy (hdu->columns[i].name, name != NULL ? name : "", sizeof hdu->columns[i].name);
      g_strlcpy (hdu->columns[i].unit, unit != NULL ? unit : "", sizeof hdu->columns[i].unit);
      read_text_width (input, &hdu->columns[i], i + 1);
      if (!read_scaling (input, &hdu->columns[i], key[2], key[3],
                         hdu->kind == ARMILLA_HDU_TABLE ? key[4] : NULL, error))
        return FALSE;
    }
  return TRUE;
}

/* Describes an image as a table of one column; axis 1 is the row. */
static gboolean
read_image_column (ArmillaFitsInput *input, ArmillaFitsHdu *hdu, GError **error)
{
  ArmillaFitsColumn *column = g_new0 (ArmillaFitsColumn, 1);

  g_free (hdu->columns);
  hdu->columns = column;
  hdu->n_columns = hdu->n_axes > 0;
  hdu->rows = hdu->n_axes > 0;
  for (int i = 1; i < hdu->n_axes; i++)
    hdu->rows *= hdu->axes[i];
  switch (hdu->bitpix)
    {
    case 8: column->type = 'B'; break;
    case 16: column->type = 'I'; break;
    case 32: column->type = 'J'; break;
    case 64: column->type = 'K'; break;
    case -32: column->type = 'E'; break;
    default: column->type = 'D'; break;
    }
  column->repeat = hdu->n_axes > 0 ? hdu->axes[0] : 0;
  column->width = hdu->row_bytes = column->repeat * armilla_fits_type_bytes (column->type);
  return read_scaling (input, column, "BSCALE", "BZERO", "BLANK", error);
}

/* Adds the sum of a range of whole blocks. */
static gboolean
sum_blocks (ArmillaFitsInput *input, gint64 offset, gint64 end, guint32 *sum, GError **error)
{
  g_autofree guint8 *buffer = g_malloc (MIN (CHUNK, end - offset));

  for (gint64 n; offset < end; offset += n)
    {
      n = MIN (CHUNK, end - offset);
      if (!armilla_fits_source_read (input->source, offset, n, buffer, error))
        return FALSE;
      *sum = armilla_fits_sum (*sum, buffer, n);
    }
  return TRUE;
}

static gboolean
sum_error (ArmillaFitsInput *input, const char *what, const char *keyword, GError **error)
{
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_IO,
                                   "HDU %d: the %s contradicts its %s: the file was damaged or "
                                   "edited; download or create it again",
                                   input->selected, what, keyword);
}

/* Verifies the checksums: DATASUM is the sum of the data as text; CHECKSUM makes the sum of the
 * whole HDU all ones. An empty value means that the sum is unknown. */
static gboolean
verify_sums (ArmillaFitsInput *input, const ArmillaFitsHdu *hdu, GError **error)
{
  g_autofree char *data_sum = armilla_fits_input_string (input, "DATASUM");
  g_autofree char *checksum = armilla_fits_input_string (input, "CHECKSUM");
  guint64 stated;
  guint32 sum = 0;

  if ((data_sum == NULL || *data_sum == 0) && (checksum == NULL || *checksum == 0))
    return TRUE;
  if (!sum_blocks (input, hdu->data, hdu->end, &sum, error))
    return FALSE;
  if (data_sum != NULL && *data_sum != 0
      && (!g_ascii_string_to_unsigned (data_sum, 10, 0, G_MAXUINT32, &stated, NULL)
          || stated != sum))
    return sum_error (input, "data", "DATASUM", error);
  if (checksum == NULL || *checksum == 0)
    return TRUE;
  if (!sum_blocks (input, hdu->header, hdu->data, &sum, error))
    return FALSE;
  return sum == G_MAXUINT32 || sum == 0 || sum_error (input, "header", "CHECKSUM", error);
}

/* Reads the header of an HDU into memory. */
static gboolean
read_cards (ArmillaFitsInput *input, const ArmillaFitsHdu *hdu, GError **error)
{
  input->n_cards = (hdu->data - hdu->header) / ARMILLA_FITS_CARD;
  g_free (input->cards);
  input->cards = armilla_try_new (char, hdu->data - hdu->header, "the header", error);
  return input->cards != NULL
         && armilla_fits_source_read (input->source, hdu->header, hdu->data - hdu->header,
                                      input->cards, error);
}

/* Selects HDU number (0: primary) for reading keywords, verifies its DATASUM and CHECKSUM if
 * present, and completes the description of its columns. */
gboolean
armilla_fits_input_select (ArmillaFitsInput *input, int number, GError **error)
{
  ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);

  if (!read_cards (input, hdu, error))
    return FALSE;
  input->selected = number;
  if (!hdu->verified && !verify_sums (input, hdu, error))
    return FALSE;
  hdu->verified = TRUE; /* verified once only, since maps may be large */
  if (hdu->kind == ARMILLA_HDU_IMAGE)
    return read_image_column (input, hdu, error);
  if (hdu->kind == ARMILLA_HDU_OTHER)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_IO,
                                     "HDU %d has a type that cannot be read", number);
  return read_table_columns (input, hdu, error);
}

/* Returns: (transfer full) (nullable): texts of HISTORY and COMMENT in their order */
char **
armilla_fits_input_history (ArmillaFitsInput *input)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  int found = 0;

  for (gint64 i = 0; i < input->n_cards; i++)
    {
      ArmillaFitsCard card;
      char *line = card.text + 8;

      armilla_fits_card_parse (&card, input->cards + i * ARMILLA_FITS_CARD);
      if (strcmp (card.keyword, "HISTORY") != 0 && strcmp (card.keyword, "COMMENT") != 0)
        continue;
      g_strchomp (armilla_ascii (line));
      if (*line == 0)
        continue;
      g_strv_builder_add (lines, line);
      found++;
    }
  return found > 0 ? g_strv_builder_end (lines) : NULL;
}

void
armilla_fits_input_free (ArmillaFitsInput *input)
{
  if (input == NULL)
    return;
  g_clear_pointer (&input->hdus, g_ptr_array_unref);
  armilla_fits_source_free (input->source);
  g_free (input->cards);
  g_free (input);
}

/* Finds the number of a binary table: HDU @wanted, or the first one if that is -1. */
gboolean
armilla_fits_input_find_table (const ArmillaFitsInput *input, int wanted, int *number,
                               GError **error)
{
  const int n = (int) input->hdus->len;

  for (*number = MAX (wanted, 0); *number < n; ++*number)
    if (armilla_fits_input_hdu (input, *number)->kind == ARMILLA_HDU_TABLE)
      return TRUE;
    else if (wanted >= 0)
      break;
  if (wanted >= n)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                     "no HDU %d; the last one is %d", wanted, n - 1);
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                   wanted >= 0 ? "HDU %d is not a binary table"
                                               : "contains no binary table", wanted);
}
