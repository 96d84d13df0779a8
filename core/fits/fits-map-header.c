/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fields.h"
#include "core/fits/fits-map.h"
#include "core/fits/fits.h"

#include <string.h>

void
armilla_map_header_clear (ArmillaMapHeader *header)
{
  if (header->grid != NULL)
    armilla_grid_unref (header->grid);
  armilla_fields_clear (&header->fields);
  memset (header, 0, sizeof *header);
}

/* Returns the name of a column as in healpy.write_map. */
char *
armilla_map_default_name (int field, int n_fields)
{
  static const char *const iqu[] = { "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION" };
  static const char *const six[] = { "II", "IQ", "IU", "QQ", "QU", "UU" };

  if (n_fields == 1 || n_fields == 3)
    return g_strdup (iqu[field]);
  if (n_fields == 2)
    return g_strdup (iqu[field + 1]);
  if (n_fields == 6)
    return g_strdup (six[field]);
  return g_strdup_printf ("COLUMN_%d", field + 1);
}

G_GNUC_PRINTF (4, 5)
static gboolean
header_error (ArmillaFitsInput *input, int number, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE, "HDU %d: %s", number, what);
}

static gboolean
read_ordering (ArmillaFitsInput *input, int number, ArmillaMapHeader *header, GError **error)
{
  g_autofree char *ordering = armilla_fits_input_string (input, "ORDERING");

  /* healpy assumes RING if the keyword is missing. */
  header->order = ARMILLA_ORDER_RING;
  if (ordering == NULL || g_ascii_strcasecmp (ordering, "RING") == 0)
    return TRUE;
  header->order = ARMILLA_ORDER_NESTED;
  if (g_ascii_strcasecmp (ordering, "NESTED") == 0 || g_ascii_strcasecmp (ordering, "NEST") == 0)
    return TRUE;
  return header_error (input, number, error, "ORDERING is '%s'; it must be RING or NESTED",
                       ordering);
}

/* Finds whether the file lists pixel numbers, from OBJECT or INDXSCHM or both. OBJECT may also name
 * a celestial object, which is ignored. */
static gboolean
read_indexing (ArmillaFitsInput *input, int number, ArmillaMapHeader *header, GError **error)
{
  g_autofree char *object = armilla_fits_input_string (input, "OBJECT");
  g_autofree char *scheme = armilla_fits_input_string (input, "INDXSCHM");
  gboolean partial = object != NULL && g_ascii_strcasecmp (object, "PARTIAL") == 0;
  gboolean full = object != NULL && g_ascii_strcasecmp (object, "FULLSKY") == 0;
  gint64 grain;

  if (!armilla_fits_input_int (input, "GRAIN", 0, &grain, error))
    return FALSE;
  if (grain > 1)
    return header_error (input, number, error,
                         "GRAIN is %" G_GINT64_FORMAT "; must be 1 with pixel numbers",
                         grain);
  header->partial = partial;
  if (scheme == NULL)
    return TRUE;
  header->partial = g_ascii_strcasecmp (scheme, "EXPLICIT") == 0;
  if (!header->partial && g_ascii_strcasecmp (scheme, "IMPLICIT") != 0)
    return header_error (input, number, error,
                         "INDXSCHM is '%s'; it must be IMPLICIT or EXPLICIT", scheme);
  if ((header->partial && full) || (!header->partial && partial))
    return header_error (input, number, error, "INDXSCHM = %s contradicts OBJECT = %s", scheme,
                         object);
  return TRUE;
}

/* Finds the columns of values: all must be numeric and have equally many values. */
static gboolean
read_fields (ArmillaFitsInput *input, ArmillaMapHeader *header, ArmillaMapLayout *layout,
             GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, layout->hdu);

  layout->pixel_column = header->partial ? 0 : -1;
  layout->first_column = header->partial ? 1 : 0;
  header->fields.n = hdu->n_columns - layout->first_column;
  if (header->fields.n < 1)
    return header_error (input, layout->hdu, error, "no column of values");
  header->fields.names = g_new0 (char *, header->fields.n + 1);
  header->fields.units = g_new0 (char *, header->fields.n + 1);
  header->single = TRUE;
  layout->n_listed = armilla_fits_column_count (hdu, &hdu->columns[0]);
  for (int i = 0; i < hdu->n_columns; i++)
    {
      const ArmillaFitsColumn *column = &hdu->columns[i];
      int field = i - layout->first_column;

      if (!armilla_fits_column_is_number (column))
        return header_error (input, layout->hdu, error, "column %d '%s' is not numeric",
                             i + 1, column->name);
      if (armilla_fits_column_count (hdu, column) != layout->n_listed)
        return header_error (input, layout->hdu, error,
                             "columns 1 and %d have different numbers of values", i + 1);
      if (field < 0)
        continue;
      header->fields.names[field] = *column->name != 0
                               ? g_strdup (column->name)
                               : armilla_map_default_name (field, header->fields.n);
      header->fields.units[field] = g_strdup (column->unit);
      header->single &= strchr ("LBIE", column->type) != NULL
                        && column->scale == 1 && column->zero == 0;
    }
  return TRUE;
}

/* Finds NSIDE from the header, or from the number of pixels. */
static gboolean
read_nside (ArmillaFitsInput *input, const ArmillaMapHeader *header,
            const ArmillaMapLayout *layout, gint64 *nside, GError **error)
{
  gint64 n = 1;

  if (!armilla_fits_input_int (input, "NSIDE", -1, nside, error))
    return FALSE;
  if (!armilla_fits_input_has (input, "NSIDE"))
    {
      while (12 * n * n < layout->n_listed && n < ARMILLA_FITS_NSIDE_LIMIT)
        n++;
      if (header->partial || 12 * n * n != layout->n_listed)
        return header_error (input, layout->hdu, error,
                             "the keyword NSIDE is missing, and its columns have %" G_GINT64_FORMAT
                             " values%s; is it a HEALPix map?", layout->n_listed,
                             header->partial ? ", the pixels of a partial map"
                                             : ", which is not 12 nside^2 for any nside");
      *nside = n;
    }
  if (*nside < 1 || *nside > ARMILLA_FITS_NSIDE_LIMIT)
    return header_error (input, layout->hdu, error,
                         "NSIDE is %" G_GINT64_FORMAT "; it must be from 1 to %d", *nside,
                         ARMILLA_FITS_NSIDE_LIMIT);
  if (header->order == ARMILLA_ORDER_NESTED && (*nside & (*nside - 1)) != 0)
    return header_error (input, layout->hdu, error,
                         "NSIDE is %" G_GINT64_FORMAT "; in NESTED order it must be a power of 2",
                         *nside);
  if (header->partial ? layout->n_listed > 12 * *nside * *nside
                      : layout->n_listed != 12 * *nside * *nside)
    return header_error (input, layout->hdu, error,
                         "its columns have %" G_GINT64_FORMAT
                         " values, but NSIDE = %" G_GINT64_FORMAT " makes %" G_GINT64_FORMAT
                         " pixels",
                         layout->n_listed, *nside, 12 * *nside * *nside);
  return TRUE;
}

static gboolean
find_healpix (ArmillaFitsInput *input, ArmillaMapHeader *header, ArmillaMapLayout *layout,
              GError **error)
{
  gint64 nside;

  if (!read_ordering (input, layout->hdu, header, error)
      || !read_indexing (input, layout->hdu, header, error)
      || !read_fields (input, header, layout, error)
      || !read_nside (input, header, layout, &nside, error))
    return FALSE;
  header->grid = armilla_grid_new_healpix (nside, error);
  return header->grid != NULL;
}

/* Finds names and units of the fields of an image. */
static gboolean
read_image_fields (ArmillaFitsInput *input, ArmillaMapHeader *header, gboolean car, int n,
                   char **note, GError **error)
{
  g_autofree char *unit = armilla_fits_input_string (input, "BUNIT");

  header->fields.n = n;
  header->fields.names = g_new0 (char *, n + 1);
  header->fields.units = g_new0 (char *, n + 1);
  for (int i = 0; i < n; i++)
    {
      char key[2][16];

      g_snprintf (key[0], sizeof key[0], "FIELD%d", i + 1);
      g_snprintf (key[1], sizeof key[1], "UNIT%d", i + 1);
      header->fields.names[i] = armilla_fits_input_string (input, key[0]);
      header->fields.units[i] = armilla_fits_input_string (input, key[1]);
      if (header->fields.units[i] == NULL)
        header->fields.units[i] = g_strdup (unit != NULL ? unit : "");
    }
  if (car && !armilla_map_stokes_read (input, &header->fields, note, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (header->fields.names[i] == NULL)
      header->fields.names[i] = armilla_map_default_name (i, n);
  return TRUE;
}

/* Finds the image of a map; the fields are its last axis. */
static gboolean
find_image (ArmillaFitsInput *input, ArmillaGridKind kind, gboolean car, ArmillaMapHeader *header,
            ArmillaMapLayout *layout, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, layout->hdu);
  int pixel_axes = kind == ARMILLA_GRID_RINGS ? 1 : 2, n_axes = hdu->n_axes;
  gint64 n, pixels;

  while (car && n_axes > pixel_axes + 1 && hdu->axes[n_axes - 1] == 1)
    n_axes--;
  n = n_axes > pixel_axes ? hdu->axes[pixel_axes] : 1;
  layout->image = TRUE;
  layout->pixel_column = -1;
  if (n_axes < pixel_axes || n_axes > pixel_axes + 1 || n < 1 || n > 999)
    return header_error (input, layout->hdu, error,
                         "is an image of %d axes; a map of this type must have %d, or one more for "
                         "1 to 999 fields",
                         hdu->n_axes, pixel_axes);
  header->single = hdu->columns[0].type == 'E' && hdu->columns[0].scale == 1
                   && hdu->columns[0].zero == 0;
  if (!read_image_fields (input, header, car, (int) n, &layout->note, error))
    return FALSE;
  if (car)
    return armilla_map_car_read (input, header, layout, error);
  header->grid = kind == ARMILLA_GRID_RINGS
                   ? armilla_map_rings_read (input, layout->hdu, error)
                   : armilla_map_grid_read (input, layout->hdu, kind, error);
  if (header->grid == NULL)
    return FALSE;
  pixels = hdu->axes[0] * (pixel_axes == 2 ? hdu->axes[1] : 1);
  if (header->grid->n_pixels == pixels)
    return TRUE;
  return header_error (input, layout->hdu, error,
                       "the image has %" G_GINT64_FORMAT "pixels, but its grid has "
                                                         "%" G_GINT64_FORMAT,
                       pixels, header->grid->n_pixels);
}

/* Returns POLCCONV of the primary header and of the extension: each value once, separated by
 * commas, so that contradictions remain visible. "unknown" is treated like a missing keyword. */
static char *
read_polcconv (ArmillaFitsInput *input, int number, GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const int places[] = { 0, number };

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_auto (GStrv) values = NULL;

      if (!armilla_fits_input_select (input, places[i], error))
        return NULL;
      values = armilla_fits_input_strings (input, "POLCCONV");
      for (char **value = values; *value != NULL; value++)
        {
          g_autofree char *upper = g_ascii_strup (*value, -1);

          if (*upper == 0 || strcmp (upper, "UNKNOWN") == 0 || strcmp (upper, all->str) == 0)
            continue;
          g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", upper);
        }
    }
  return g_string_free (g_steal_pointer (&all), FALSE);
}

/* Reads COORDSYS and POLCCONV. */
static gboolean
read_conventions (ArmillaFitsInput *input, int number, ArmillaMapHeader *header, char **note,
                  GError **error)
{
  g_autofree char *polcconv = read_polcconv (input, number, error);

  header->fields.coordsys = armilla_fits_input_coordsys (input, note);
  if (polcconv == NULL)
    return FALSE;
  if (*polcconv != 0)
    header->fields.polcconv = g_steal_pointer (&polcconv);
  header->fields.history = armilla_fits_input_history (input);
  return TRUE;
}

/* Returns whether an HDU may be a map, before anything of it is checked. */
static gboolean
looks_like_map (ArmillaFitsInput *input, int number)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, number);

  if (hdu->kind == ARMILLA_HDU_TABLE)
    return TRUE;
  return hdu->kind == ARMILLA_HDU_IMAGE && number > 0 && hdu->n_axes > 0;
}

/* Returns whether the primary HDU is an image with axes on the sky. */
static gboolean
primary_is_map (ArmillaFitsInput *input, gboolean *is_map, GError **error)
{
  const ArmillaFitsHdu *hdu = armilla_fits_input_hdu (input, 0);

  *is_map = FALSE;
  if (hdu->kind != ARMILLA_HDU_IMAGE || hdu->n_axes < 2)
    return TRUE;
  if (!armilla_fits_input_select (input, 0, error))
    return FALSE;
  *is_map = armilla_fits_has_sky_axes (input);
  return TRUE;
}

/* Returns the first extension that is declared a map, otherwise the first that may be one; 0 if
 * there is none, -1 on error. */
static int
first_map (ArmillaFitsInput *input, GError **error)
{
  int first = 0;

  for (int i = 1; i < (int) input->hdus->len; i++)
    {
      if (!looks_like_map (input, i))
        continue;
      if (!armilla_fits_input_select (input, i, error))
        return -1;
      if (armilla_fits_input_has (input, "PIXTYPE") || armilla_fits_input_has (input, "NSIDE"))
        return i;
      if (first == 0)
        first = i;
    }
  return first;
}

/* Finds the map in an extension, and checks the shape. hdu counts as in healpy (1: first
 * extension); 0 selects the primary HDU if it is an image of the sky, otherwise the first extension
 * with PIXTYPE or NSIDE, otherwise the first that may be a map. The caller clears header and frees
 * the note of layout (zero on entry), also after an error. */
gboolean
armilla_map_layout_find (ArmillaFitsInput *input, int hdu, ArmillaMapHeader *header,
                         ArmillaMapLayout *layout, GError **error)
{
  ArmillaGridKind kind = ARMILLA_GRID_HEALPIX;
  g_autofree char *pixtype = NULL;
  int n = input->hdus->len;
  gboolean car = FALSE;

  if (hdu == 0 && !primary_is_map (input, &car, error))
    return FALSE;
  if (hdu == 0 && !car && (hdu = first_map (input, error)) < 0)
    return FALSE;
  if (!car && (hdu < 1 || hdu >= n || !looks_like_map (input, hdu)))
    {
      g_autofree char *which
        = hdu == 0 ? g_strdup_printf ("none of its %d extensions is", n - 1)
                   : g_strdup_printf ("extension %d does not exist or is not", hdu);

      return armilla_fits_input_error (input, error, ARMILLA_ERROR_SHAPE,
                                       "no map: %s a binary table or an image with a grid",
                                       which);
    }
  layout->hdu = hdu;
  if (!armilla_fits_input_select (input, hdu, error))
    return FALSE;
  pixtype = armilla_fits_input_string (input, "PIXTYPE");
  car = pixtype == NULL && armilla_fits_input_hdu (input, hdu)->kind == ARMILLA_HDU_IMAGE
        && armilla_fits_has_sky_axes (input);
  if (pixtype != NULL && !armilla_grid_kind_from_pixtype (pixtype, &kind))
    return header_error (input, hdu, error,
                         "PIXTYPE is '%s'; it must be HEALPIX, GAUSSLEGENDRE, FEJER1, "
                         "CLENSHAW-CURTIS, DRISCOLL-HEALY or RINGS",
                         pixtype);
  if (!car
      && (kind == ARMILLA_GRID_HEALPIX)
           != (armilla_fits_input_hdu (input, hdu)->kind == ARMILLA_HDU_TABLE))
    return header_error (input, hdu, error,
                         "a HEALPIX map must be a binary table, any other an image with PIXTYPE or "
                         "with axes on the sky (CTYPE1 = RA---CAR)");
  if (!read_conventions (input, hdu, header, &layout->note, error))
    return FALSE;
  if (kind == ARMILLA_GRID_HEALPIX && !car)
    return find_healpix (input, header, layout, error);
  return find_image (input, kind, car, header, layout, error);
}
