/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fits-input.h"

#include <string.h>

#include "core/base/text-number.h"

#define CHUNK (256 * 1024)
#define WIDTH_LIMIT 4096

/* Parses a number of `width` characters; blanks mean 0. */
static gboolean
parse_number (const char *text, gint64 width, double *value)
{
  char number[WIDTH_LIMIT + 1];

  memcpy (number, text, width);
  number[width] = 0;
  g_strstrip (number);
  *value = 0;
  if (*number == 0)
    return TRUE;
  return armilla_text_number (number, value);
}

/* Reads scaled numbers of a text table; ARMILLA_ERROR_PARSE if one is not a number. */
gboolean
armilla_fits_text_column_read (const ArmillaFitsInput *input, const ArmillaFitsHdu *hdu,
                               const ArmillaFitsColumn *column, gint64 first, gint64 n,
                               double *values, GError **error)
{
  gint64 block = MAX (1, CHUNK / MAX (1, hdu->row_bytes)), n_rows;
  g_autofree char *text = g_malloc (MAX (CHUNK, column->width));

  for (gint64 row = first; n > 0; row += n_rows, n -= n_rows)
    {
      /* Reads from the first byte needed to the last: a row may be longer than the buffer. */
      n_rows = MIN (n, block);
      if (!armilla_fits_source_read (input->source,
                                     hdu->data + row * hdu->row_bytes + column->offset,
                                     (n_rows - 1) * hdu->row_bytes + column->width, text, error))
        return FALSE;
      for (gint64 i = 0; i < n_rows; i++)
        {
          if (!parse_number (text + i * hdu->row_bytes, column->width, values))
            return armilla_fits_input_error (input, error, ARMILLA_ERROR_PARSE,
                                             "row %" G_GINT64_FORMAT " of column '%s' is not a "
                                             "number",
                                             row + i + 1, column->name);
          *values = *values * column->scale + column->zero;
          values++;
        }
    }
  return TRUE;
}
