/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"
#include "core/fits/fits-sum.h"

#include <math.h>
#include <string.h>

#include "core/base/printable.h"
#include "core/grids/grid.h"

/* Bytes read at once for a checksum. */
#define CHUNK (128 * ARMILLA_FITS_BLOCK)

/* CFITSIO built without --enable-reentrant shares tables between all open files. */
static GMutex cfitsio_mutex;

static void
cfitsio_lock (void)
{
  if (!fits_is_reentrant ())
    g_mutex_lock (&cfitsio_mutex);
}

static void
cfitsio_unlock (void)
{
  if (!fits_is_reentrant ())
    g_mutex_unlock (&cfitsio_mutex);
}

gboolean
armilla_fits_input_error (const ArmillaFitsInput *input, GError **error, int code,
                          const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fail (error, code, "%s: %s", armilla_fits_source_path (input->source), what);
}

static gboolean
cfitsio_error (const ArmillaFitsInput *input, int status, const char *doing, GError **error)
{
  char text[FLEN_STATUS];

  fits_get_errstatus (status, text);
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_IO, "CFITSIO: %s (status %d) %s",
                                   text, status, doing);
}

/* Takes source. Our own scan proves the structure before CFITSIO gets the file, under the name
 * of our descriptor: no character of its name can mean anything to CFITSIO, and no other file
 * can take its place. */
ArmillaFitsInput *
armilla_fits_input_new (ArmillaFitsSource *source, GError **error)
{
  g_autoptr (ArmillaFitsInput) input = g_new0 (ArmillaFitsInput, 1);
  char name[40];
  int status = 0;

  input->source = source;
  input->hdus = armilla_fits_scan (input->source, error);
  if (input->hdus == NULL)
    return NULL;
  g_snprintf (name, sizeof name, "/proc/self/fd/%d", armilla_fits_source_fd (input->source));
  cfitsio_lock ();
  fits_open_diskfile (&input->fits, name, READONLY, &status);
  cfitsio_unlock ();
  if (status != 0)
    {
      input->fits = NULL;
      return cfitsio_error (input, status, "on opening the file", error), NULL;
    }
  return g_steal_pointer (&input);
}

ArmillaFitsInput *
armilla_fits_input_open (const char *path, GError **error)
{
  ArmillaFitsSource *source = armilla_fits_source_open (path, error);

  return source != NULL ? armilla_fits_input_new (source, error) : NULL;
}

ArmillaFitsHdu *
armilla_fits_input_hdu (const ArmillaFitsInput *input, int number)
{
  return g_ptr_array_index (input->hdus, number);
}

static gboolean
read_key (ArmillaFitsInput *input, int type, const char *keyword, void *value, int *status)
{
  *status = 0;
  cfitsio_lock ();
  fits_read_key (input->fits, type, keyword, value, NULL, status);
  fits_clear_errmsg ();
  cfitsio_unlock ();
  return *status == 0;
}

gboolean
armilla_fits_input_has (ArmillaFitsInput *input, const char *keyword)
{
  char value[FLEN_VALUE];
  int status;

  return read_key (input, TSTRING, keyword, value, &status);
}

/* Returns: (transfer full) (nullable): the value without blanks around it, NULL without a value */
char *
armilla_fits_input_string (ArmillaFitsInput *input, const char *keyword)
{
  char value[FLEN_VALUE];
  int status;

  if (!read_key (input, TSTRING, keyword, value, &status))
    return NULL;
  return armilla_ascii (g_strdup (g_strstrip (value)));
}

/* @note: (nullable) (inout): a line for the user on a word that is not known, unless it is set
 * Returns: (transfer full) (nullable): G, E or C, as COORDSYS says */
char *
armilla_fits_input_coordsys (ArmillaFitsInput *input, char **note)
{
  g_autofree char *coordsys = armilla_fits_input_string (input, "COORDSYS");
  const char letter = armilla_coordinates_letter (coordsys);

  if (letter != 0)
    return g_strndup (&letter, 1);
  if (note != NULL && *note == NULL && coordsys != NULL && *coordsys != 0
      && g_ascii_strcasecmp (coordsys, "unknown") != 0)
    *note = g_strdup_printf ("%s: COORDSYS is \"%s\", none of G (GALACTIC), E (ECLIPTIC) and C "
                             "(CELESTIAL, EQUATORIAL, ICRS, FK5, J2000): the coordinates count as "
                             "unknown", armilla_fits_source_path (input->source), coordsys);
  return NULL;
}

/* Returns: (transfer full): all values of a text keyword that a damaged header has several of */
char **
armilla_fits_input_strings (ArmillaFitsInput *input, const char *keyword)
{
  g_autoptr (GStrvBuilder) values = g_strv_builder_new ();
  char card[FLEN_CARD], value[FLEN_VALUE], *text = value;
  int n = 0, status = 0;

  cfitsio_lock ();
  fits_get_hdrspace (input->fits, &n, NULL, &status);
  for (int i = 1; i <= n && fits_read_record (input->fits, i, card, &status) == 0; i++)
    {
      int wrong = 0;

      if (strncmp (card, keyword, strlen (keyword)) != 0
          || strchr (" =", card[strlen (keyword)]) == NULL
          || fits_parse_value (card, value, NULL, &wrong) != 0)
        continue;
      text = value;
      if (*text == '\'' && text[strlen (text) - 1] == '\'')
        {
          text[strlen (text) - 1] = 0;
          text++;
        }
      g_strv_builder_add (values, armilla_ascii (g_strstrip (text)));
    }
  fits_clear_errmsg ();
  cfitsio_unlock ();
  return g_strv_builder_end (values);
}

/* An integer keyword: `fallback` where the header lacks it, an error when it is no integer. */
gboolean
armilla_fits_input_int (ArmillaFitsInput *input, const char *keyword, gint64 fallback,
                        gint64 *value, GError **error)
{
  char text[FLEN_VALUE], *end = NULL;
  double number;
  int status;

  *value = fallback;
  if (!read_key (input, TSTRING, keyword, text, &status))
    return TRUE;
  g_strstrip (text);
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, value, NULL))
    return TRUE;
  /* Some programs write 32.0 or 3.2E1; within 2^53 such a number is exact. */
  number = g_ascii_strtod (text, &end);
  if (end != text && *end == 0 && number == floor (number) && fabs (number) < 9007199254740992.0)
    {
      *value = (gint64) number;
      return TRUE;
    }
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_PARSE,
                                   "HDU %d: %s is '%s', not an integer", input->selected, keyword,
                                   armilla_ascii (text));
}

static gboolean
input_double (ArmillaFitsInput *input, const char *keyword, double fallback, double *value,
              GError **error)
{
  int status;

  if (read_key (input, TDOUBLE, keyword, value, &status) && isfinite (*value))
    return TRUE;
  *value = fallback;
  if (status == KEY_NO_EXIST)
    return TRUE;
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_PARSE,
                                   "HDU %d: %s has no finite number as its value", input->selected,
                                   keyword);
}

/* An integer of at most 2^63, as a factor or an offset of integers. Through a double the last
 * digits of a TZERO would be lost. */
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

/* Scale, zero and null under the names that tables (TSCALn) or images (BSCALE) use. Truth values
 * and texts have none. The null of a text table is a string that is no number, and found out as
 * such. */
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
  if (!input_double (input, scale, 1, &column->scale, error)
      || !input_double (input, zero, 0, &column->zero, error))
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

/* TDIM tells the width of a text in an array of texts, as TFORM may do: (20,3). */
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
      char key[5][FLEN_KEYWORD];
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

/* An image is a table of one column: axis 1 is the row. */
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

/* Adds a stretch of whole blocks. */
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
                                   "HDU %d: the %s does not agree with its %s: the file was "
                                   "damaged or edited; fetch or make it again",
                                   input->selected, what, keyword);
}

/* DATASUM is the sum of the data as text; CHECKSUM makes the sum of the whole HDU all ones. An
 * empty value says that the sum is not known. The extents are those of our scan, which are proved
 * (CFITSIO would follow a THEAP to the end of time). */
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

/* Moves CFITSIO to an HDU, which must begin and end for it where it does for our scan. */
static gboolean
move_to (ArmillaFitsInput *input, int number, const ArmillaFitsHdu *hdu, GError **error)
{
  LONGLONG header = 0, data = 0, end = 0;
  int status = 0, type;

  cfitsio_lock ();
  fits_movabs_hdu (input->fits, number + 1, &type, &status);
  fits_get_hduaddrll (input->fits, &header, &data, &end, &status);
  fits_clear_errmsg ();
  cfitsio_unlock ();
  if (status != 0)
    return cfitsio_error (input, status, "on reading the header", error);
  if (header != hdu->header || data != hdu->data || end != hdu->end)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_IO,
                                     "HDU %d: its header can be read in two ways, and is damaged",
                                     number);
  return TRUE;
}

/* Makes HDU number (0: primary) the one that keywords are read from, verifies its DATASUM and
 * CHECKSUM if present, and completes the description of its columns. */
gboolean
armilla_fits_input_select (ArmillaFitsInput *input, int number, GError **error)
{
  ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);

  if (!move_to (input, number, hdu, error))
    return FALSE;
  input->selected = number;
  if (!hdu->verified && !verify_sums (input, hdu, error))
    return FALSE;
  hdu->verified = TRUE; /* of a large map, once is enough */
  if (hdu->kind == ARMILLA_HDU_IMAGE)
    return read_image_column (input, hdu, error);
  if (hdu->kind == ARMILLA_HDU_OTHER)
    return armilla_fits_input_error (input, error, ARMILLA_ERROR_IO,
                                     "HDU %d is of a type that cannot be read", number);
  return read_table_columns (input, hdu, error);
}

/* Returns: (transfer full) (nullable): texts of HISTORY and COMMENT, in their order */
char **
armilla_fits_input_history (ArmillaFitsInput *input)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  char card[FLEN_CARD];
  int n = 0, found = 0, status = 0;

  cfitsio_lock ();
  fits_get_hdrspace (input->fits, &n, NULL, &status);
  for (int i = 1; i <= n && fits_read_record (input->fits, i, card, &status) == 0; i++)
    if (g_str_has_prefix (card, "HISTORY ") || g_str_has_prefix (card, "COMMENT "))
      {
        g_strchomp (armilla_ascii (card + 8));
        if (card[8] == 0)
          continue;
        g_strv_builder_add (lines, card + 8);
        found++;
      }
  fits_clear_errmsg ();
  cfitsio_unlock ();
  return found > 0 ? g_strv_builder_end (lines) : NULL;
}

/* The header work is done: CFITSIO's handle and its buffers go. */
void
armilla_fits_input_settle (ArmillaFitsInput *input)
{
  int status = 0;

  if (input->fits == NULL)
    return;
  cfitsio_lock ();
  fits_close_file (input->fits, &status);
  fits_clear_errmsg ();
  cfitsio_unlock ();
  input->fits = NULL;
}

void
armilla_fits_input_free (ArmillaFitsInput *input)
{
  if (input == NULL)
    return;
  armilla_fits_input_settle (input);
  g_clear_pointer (&input->hdus, g_ptr_array_unref);
  armilla_fits_source_free (input->source);
  g_free (input);
}

/* The number of a binary table: that of HDU `wanted`, or of the first one where that is -1. */
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
                                     "has no HDU %d; the last one is %d", wanted, n - 1);
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                   wanted >= 0 ? "HDU %d is not a binary table"
                                               : "holds no binary table", wanted);
}
